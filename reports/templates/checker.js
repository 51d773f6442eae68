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

function answer(name, bytes) {
  let text = "";
  for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
  let said;
  try {
    said = String(pufferproofVerify(text));
  } catch (error) {
    said = "no answer: " + (error instanceof RangeError ? "too large for this page" : String(error));
  }
  const kind = /^(accepted|refused): /.exec(said);
  const card = document.createElement("section");
  card.className = "card" + (kind ? " " + kind[1] : "");
  const title = document.createElement("strong");
  title.textContent = name;
  card.appendChild(title);
  line(card, said);
  const files = hashes(bytes);
  if (files.length) line(card, "Not compared here: input files " + files.join(", "), true);
  answers.prepend(card);
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
