"use strict";
/* Reads the page's own data blocks; sets every text as text, and fetches nothing. */
const block = (id) => JSON.parse(document.getElementById(id).textContent);

const node = (tag, text, attributes) => {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  return made;
};

const unpacked = async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

let csvFiles = null;
const saveCsv = async (name) => {
  csvFiles = csvFiles || block("csv");
  const address = URL.createObjectURL(new Blob([await unpacked(csvFiles[name])], { type: "text/csv" }));
  node("a", null, { href: address, download: name + ".csv" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};
for (const button of document.querySelectorAll("button[data-csv]")) {
  button.addEventListener("click", () => saveCsv(button.dataset.csv));
}

/* A finding leads to a row that may lie in a folded table: unfold it first. */
const unfold = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let above = target; above; above = above.parentElement) if (above.tagName === "DETAILS") above.open = true;
  target.scrollIntoView({ block: target.tagName === "TR" ? "center" : "start" });
};
addEventListener("hashchange", unfold);
unfold();

/* Print with the tables unfolded, but for very long ones, and fold them again. */
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details.data:not([open]):not(.long)")];
  for (const one of unfolded) one.open = true;
});
addEventListener("afterprint", () => {
  for (const one of unfolded) one.open = false;
});
