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
