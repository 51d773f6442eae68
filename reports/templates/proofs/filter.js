"use strict";
// Filters the claims of a page, or its audits; the address says by what. Without it all are shown.
// Folded parts are searched, those that match are opened, and a link to a place opens where it leads.
(function () {
  const form = document.getElementById("filter");
  const fields = ["verdict", "paper", "search"].map((id) => document.getElementById(id)).filter(Boolean);
  const value = (id) => (document.getElementById(id) || { value: "" }).value;
  const claims = Array.from(document.querySelectorAll(".claim"));
  const texts = {}; // of all that a page has on a claim
  for (const claim of claims) texts[claim.dataset.id] = `${texts[claim.dataset.id] || ""} ${claim.textContent.toLowerCase()}`;
  const folds = new Map(Array.from(document.querySelectorAll("details.fold"), (fold) => [fold, fold.open]));
  const kinds = { ERROR: "error", DIFFER: "differ" };
  const isOf = (claim, kind) => !kind || (kind in kinds ? kinds[kind] in claim.dataset : claim.dataset.verdict === kind);
  const isShown = (claim, words) =>
    isOf(claim, value("verdict")) &&
    (!value("paper") || claim.dataset.paper === value("paper")) &&
    words.every((word) => texts[claim.dataset.id].includes(word));
  function apply() {
    const words = value("search").toLowerCase().split(/\s+/).filter(Boolean);
    const filtered = words.length > 0 || Boolean(value("verdict") || value("paper"));
    for (const claim of claims) claim.hidden = !isShown(claim, words);
    for (const group of document.querySelectorAll(".group")) {
      group.hidden = filtered && !group.querySelector(".claim:not([hidden])");
      if (group.tagName === "DETAILS") group.open = filtered;
    }
    for (const [fold, first] of folds) fold.open = filtered ? !fold.closest(".claim[hidden], .group[hidden]") : first;
    const ids = (list) => new Set(list.map((claim) => claim.dataset.id)).size;
    const count = ids(claims.filter((claim) => !claim.hidden));
    document.getElementById("shown").textContent = `${count} of ${ids(claims)} ${form.dataset.noun || "claims"} shown`;
  }
  function toAddress() {
    const said = new URLSearchParams();
    for (const field of fields) if (field.value) said.set(field.id, field.value);
    history.replaceState(null, "", `#${said}`);
    apply();
  }
  function unfold(name) {
    const place = document.getElementById(decodeURIComponent(name));
    if (!place) return;
    for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    place.scrollIntoView();
  }
  function fromAddress() {
    const text = location.hash.slice(1);
    if (text && !text.includes("=")) return unfold(text);
    const said = new URLSearchParams(text);
    for (const field of fields) {
      field.value = said.get(field.id) || "";
      if (field.selectedIndex === -1) field.value = "";
    }
    apply();
    if (text) form.scrollIntoView();
  }
  for (const kind of ["input", "change"]) form.addEventListener(kind, toAddress);
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", fromAddress);
  form.hidden = false;
  apply();
  fromAddress();
})();
