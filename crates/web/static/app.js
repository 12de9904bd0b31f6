// Conveniences. Every page is complete without them.
"use strict";

// j and k step through families, as in a mail program; not while somebody types.
addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const way = { j: "next", k: "prev" }[event.key];
  const link = way && document.querySelector(`.pager a[rel="${way}"]`);
  if (link) location.assign(link.href);
});

// A choice is a wish: no need to press the button too.
for (const form of document.querySelectorAll("form.filter")) {
  form.addEventListener("change", (event) => { if (event.target.matches("select, input[type=checkbox]")) form.requestSubmit(); });
}

// A chosen box of the graph marks the words it rests on.
for (const link of document.querySelectorAll(".graph a")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    for (const one of document.querySelectorAll(".chosen")) one.classList.remove("chosen");
    const words = document.getElementById(link.getAttribute("href").slice(1));
    if (!words) return;
    link.classList.add("chosen");
    words.classList.add("chosen");
    words.scrollIntoView({ block: "center" });
    words.focus({ preventScroll: true });
  });
}

// A run that goes on is asked again, until it does not.
async function keepUp() {
  const part = document.querySelector("[data-again]");
  if (!part) return;
  try {
    const answer = await fetch(part.dataset.again);
    if (answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".progress");
      if (fresh) part.replaceWith(fresh);
    }
  } catch { /* The server may be gone for a while. */ }
  setTimeout(keepUp, 2000);
}
setTimeout(keepUp, 2000);

// A sheet to rate by: digits choose in the question that has the focus or else the first open one, and every choice is saved as it is made.
const sheet = document.getElementById("sheet");
if (sheet) {
  const questions = [...sheet.querySelectorAll("fieldset.ask")];
  const isOpen = (question) => !question.querySelector("input:checked, textarea");
  const told = document.getElementById("saved");
  const press = (action) => { const button = sheet.querySelector(`button[value="${action}"]`); if (button) sheet.requestSubmit(button); };
  addEventListener("keydown", (event) => {
    if (event.target.matches("textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[1-9]$/.test(event.key)) {
      const at = event.target.closest("fieldset.ask") || questions.find(isOpen) || questions.at(-1);
      const option = at && at.querySelectorAll("input")[Number(event.key) - 1];
      if (!option) return;
      event.preventDefault();
      option.click();
      const next = option.type === "radio" && questions[questions.indexOf(at) + 1];
      ((next && next.querySelector("input:checked, input, textarea")) || option).focus();
    } else if (event.key === "Enter" && !event.target.closest("button, a, summary")) { event.preventDefault(); press("rate"); }
    else if (event.key === "s") press("skip");
    else if (event.key === "u") press("undo");
    else if (event.key === "c") { event.preventDefault(); const comment = sheet.querySelector(".comment"); comment.open = true; comment.querySelector("textarea").focus(); }
  });
  let saving = Promise.resolve();
  sheet.addEventListener("change", () => {
    const body = new URLSearchParams(new FormData(sheet));
    body.set("action", "draft");
    told.textContent = sheet.dataset.saving;
    saving = saving.then(() => fetch(sheet.getAttribute("action"), { method: "POST", body, redirect: "manual" }))
      .then((answer) => { told.textContent = { 204: sheet.dataset.saved, 409: sheet.dataset.pressSave }[answer.status] || sheet.dataset.notSaved; })
      .catch(() => { told.textContent = sheet.dataset.notSaved; });
  });
}

// Two texts that differ: long ones are opened at the first change, and n or the button goes on to the next, in both.
const nextChange = document.querySelector(".next-change");
if (nextChange) {
  const lines = (number) => [...document.querySelectorAll(`.narrative [data-change="${number}"]`)];
  const changes = [...new Set([...document.querySelectorAll(".narrative [data-change]")].map((line) => Number(line.dataset.change)))].sort((a, b) => a - b);
  const open = (number) => {
    for (const box of document.querySelectorAll(".narrative")) {
      const line = box.querySelector(`[data-change="${number}"]`);
      if (line) box.scrollTop += line.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
    }
  };
  let at = -1;
  const next = () => {
    at = (at + 1) % changes.length;
    for (const one of document.querySelectorAll(".narrative .now")) one.classList.remove("now");
    for (const line of lines(changes[at])) line.classList.add("now");
    open(changes[at]);
    lines(changes[at]).at(-1).scrollIntoView({ block: "center" });
    nextChange.parentElement.querySelector("[role=status]").textContent = `${at + 1} / ${changes.length}`;
  };
  if (changes.length) open(changes[0]);
  nextChange.hidden = changes.length === 0;
  nextChange.addEventListener("click", next);
  addEventListener("keydown", (event) => {
    if (event.key !== "n" || event.target.closest("textarea, select, input:not([type=radio], [type=checkbox])") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (changes.length) next();
  });
}

// The page that tries the scoring endpoint.
for (const form of document.querySelectorAll("form[data-score]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { token, ...fields } = Object.fromEntries(new FormData(form));
    if (!fields.suite) delete fields.suite;
    const told = document.querySelector(".scored");
    try {
      const answer = await fetch(form.dataset.score, {
        method: "POST",
        headers: { "Authorization": `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify(fields),
      });
      told.textContent = JSON.stringify(await answer.json(), null, 2);
    } catch (error) {
      told.textContent = `No answer: ${error}`;
    }
  });
}
