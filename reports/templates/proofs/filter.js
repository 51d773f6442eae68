"use strict";
// Filters the claims; without it every row is shown.
(function () {
  const form = document.getElementById("filter");
  const [verdict, paper, search] = ["verdict", "paper", "search"].map((id) => document.getElementById(id));
  const rows = Array.from(document.querySelectorAll("tr.claim"));
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const isShown = (row, words) =>
    (!verdict.value || (verdict.value === "ASSUMED" ? "assumed" in row.dataset : row.dataset.verdict === verdict.value)) &&
    (!paper.value || row.closest("section").dataset.paper === paper.value) &&
    words.every((word) => texts.get(row).includes(word));
  function apply() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !isShown(row, words);
    for (const section of document.querySelectorAll("section.paper"))
      section.hidden = !section.querySelector("tr.claim:not([hidden])");
    const count = rows.filter((row) => !row.hidden).length;
    document.getElementById("shown").textContent = `${count} of ${rows.length} claims shown`;
  }
  for (const kind of ["input", "change"]) form.addEventListener(kind, apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
})();
