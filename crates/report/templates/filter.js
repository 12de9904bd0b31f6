// Adds a filter to the cases. The page is complete without it.
for (const form of document.querySelectorAll("form.filter")) {
  const cases = [...form.nextElementSibling.querySelectorAll("details.case")];
  const [find, show, said] = [form.querySelector("input"), form.querySelector("select"), form.querySelector("output")];
  const apply = () => {
    const wanted = find.value.trim().toLowerCase();
    let shown = 0;
    for (const one of cases) {
      const fits = (!show.value || one.dataset.outcomes.split(" ").includes(show.value))
        && (!wanted || one.textContent.toLowerCase().includes(wanted));
      one.hidden = !fits;
      shown += fits;
    }
    said.textContent = shown === cases.length ? "" : shown + " of " + cases.length;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
}
