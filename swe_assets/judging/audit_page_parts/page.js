"use strict";
// Keeps what is filled in in this browser, counts it, and saves it as a sheet. Nothing leaves the machine.
(() => {
  const main = document.querySelector("main");
  const items = [...document.querySelectorAll(".item")];
  const auditor = document.getElementById("auditor");
  const status = document.getElementById("status");
  const columns = JSON.parse(main.dataset.columns);
  const scores = JSON.parse(main.dataset.scores);
  const comment = columns[columns.length - 1];
  const key = `swe-assets-audit-${main.dataset.key}`;
  const risky = new RegExp(main.dataset.risky, "g");
  let unsaved = false;

  const fields = (item, column) => [...item.querySelectorAll(`[data-column="${column}"]`)];
  const value = (item, column) => {
    const found = fields(item, column);
    if (found.length && found[0].type === "radio") {
      const chosen = found.find((field) => field.checked);
      return chosen ? chosen.value : "";
    }
    return found.length ? found[0].value.trim() : "";
  };
  const fill = (item, column, text) => {
    for (const field of fields(item, column)) {
      if (field.type === "radio") field.checked = field.value === text;
      else field.value = text;
    }
  };
  const complete = (item) => scores.every((column) => value(item, column) !== "");

  const count = () => {
    let done = 0;
    for (const item of items) {
      const whole = complete(item);
      done += whole;
      item.classList.toggle("done", whole);
      item.querySelector(".state").textContent = whole ? "completo" : "";
    }
    return done;
  };
  const tell = (text) => { status.textContent = text; };
  const told = () => `${count()} de ${items.length} itens completos`;

  const keep = () => {
    const kept = { auditor: auditor.value, items: {} };
    for (const item of items) {
      kept.items[item.dataset.id] = Object.fromEntries([...scores, comment].map((c) => [c, value(item, c)]));
    }
    try { localStorage.setItem(key, JSON.stringify(kept)); } catch { /* a browser that keeps nothing */ }
  };
  const restore = () => {
    let kept = null;
    try { kept = JSON.parse(localStorage.getItem(key)); } catch { return; }
    if (!kept || typeof kept.items !== "object" || kept.items === null) return;
    if (!auditor.value && typeof kept.auditor === "string") auditor.value = kept.auditor;
    for (const item of items) {
      const row = kept.items[item.dataset.id] || {};
      for (const column of [...scores, comment]) {
        if (typeof row[column] === "string") fill(item, column, row[column]);
      }
    }
  };

  const cell = (text) => `"${text.replace(risky, "'").replaceAll('"', '""')}"`;
  const sheet = () => {
    const rows = items.map((item) => [
      item.dataset.id, item.dataset.mark, auditor.value.trim(),
      ...scores.map((column) => value(item, column)), value(item, comment),
    ]);
    return "\ufeff" + [columns, ...rows].map((row) => row.map(cell).join(",") + "\r\n").join("");
  };
  const save = () => {
    if (!auditor.value.trim()) {
      tell("Escreva o seu nome antes de salvar.");
      auditor.focus();
      return;
    }
    const slug = auditor.value.normalize("NFKD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").toLowerCase();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([sheet()], { type: "text/csv" }));
    link.download = `auditoria-${slug || "auditor"}.csv`;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    unsaved = false;
    tell(`${told()}; salvo em ${link.download}`);
  };
  const next = () => {
    const open = items.find((item) => !complete(item));
    if (!open) { tell(`${told()}: salve o CSV`); return; }
    open.querySelector("h2").focus({ preventScroll: true });
    open.scrollIntoView();
  };
  const clear = (item) => {
    for (const column of scores) {
      for (const field of fields(item, column)) {
        if (field.type === "radio") field.checked = false;
        else field.value = "";
      }
    }
  };
  const changed = () => { unsaved = true; keep(); tell(told()); };

  restore();
  tell(told());
  document.addEventListener("input", changed);
  document.getElementById("save").addEventListener("click", save);
  document.getElementById("next").addEventListener("click", next);
  for (const item of items) {
    item.querySelector(".clear").addEventListener("click", () => { clear(item); changed(); });
  }
  window.addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });
})();
