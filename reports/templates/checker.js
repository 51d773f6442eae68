"use strict";
const answers = document.getElementById("answers");
document.getElementById("claim").textContent = pufferproofClaim;

function line(card, text, faint) {
  const p = document.createElement("p");
  p.textContent = text;
  if (faint) p.className = "faint";
  card.appendChild(p);
}

function hashes(bytes) {
  try {
    const inputs = JSON.parse(new TextDecoder().decode(bytes)).inputs || {};
    return [inputs.framework, ...(inputs.mechanisms || [])].filter((each) => typeof each === "string");
  } catch (error) {
    return [];
  }
}

function judge(card, bytes) {
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  let said;
  try {
    said = String(pufferproofVerify(text));
  } catch (error) {
    said = "no answer: " + (error instanceof RangeError ? "too large for this page" : String(error));
  }
  const kind = /^(accepted|refused): /.exec(said);
  card.className = "card" + (kind ? " " + kind[1] : "");
  line(card, said);
  const files = hashes(bytes);
  if (files.length) line(card, "Not compared here: input files " + files.join(", "), true);
  return kind ? kind[1] : "no answer";
}

function answer(name, bytes) {
  const card = document.createElement("section");
  const title = document.createElement("strong");
  title.textContent = name;
  card.appendChild(title);
  judge(card, bytes);
  answers.prepend(card);
}

function embedded(card) {
  const data = card.querySelector("script");
  for (const each of card.querySelectorAll("p, button")) each.remove();
  return judge(card, new TextEncoder().encode(data.textContent));
}

function all() {
  const counted = { accepted: 0, refused: 0, "no answer": 0 };
  const left = [...document.querySelectorAll(".embedded")].filter((card) => card.querySelector("script"));
  (function next() {
    const card = left.shift();
    if (card) counted[embedded(card)] += 1;
    document.getElementById("counted").textContent =
      Object.entries(counted).map(([name, times]) => `${times} ${name}`).join(", ") + (card ? " .." : ".");
    if (card) setTimeout(next);
  })();
}

async function take(files) {
  for (const file of files) answer(file.name, new Uint8Array(await file.arrayBuffer()));
}

document.getElementById("files").addEventListener("change", (event) => take([...event.target.files]));
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
document.addEventListener("dragleave", () => document.body.classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  take([...event.dataTransfer.files]);
});
for (const card of document.querySelectorAll(".embedded")) {
  const button = card.querySelector("button");
  if (button) button.addEventListener("click", () => embedded(card));
}
if (document.getElementById("all")) document.getElementById("all").addEventListener("click", all);
