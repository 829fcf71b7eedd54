/* The table of instances: a page of rows at a time, sorted and searched in memory. */
const PER_PAGE = 50;
const MOST_LINES = 4000;

const instanceTable = (data) => {
  const table = document.getElementById("instances");
  const { columns, rows, words } = data;
  const at = (name) => columns.findIndex((column) => column.name === name);
  const shown = columns.map((column, place) => ({ ...column, place })).filter((column) => !column.side);
  const [passed, said, place] = ["pass@1", "resolve_issue", "place"].map(at);
  const textual = (column) => column.kind === "id" || column.kind === "text";
  const wordy = columns.map((column, index) => (textual(column) ? index : -1)).filter((index) => index >= 0);
  const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  const found = rows.map((row) => plain(wordy.map((index) => row[index] || "").join(" ")));
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const filters = {
    all: () => true,
    resolved: (row) => row[passed] === 1,
    unresolved: (row) => row[passed] === 0,
    outside: (row) => row[place] !== table.dataset.inside,
    disagree: (row) => row[said] !== null && row[passed] !== null && row[said] !== (row[passed] === 1),
  };
  const state = { column: -1, down: false, page: 0, order: rows.map((_row, index) => index), kept: [] };
  const ranks = new Map();

  /* Ranks of a column's cells, so that a second sort compares whole numbers only; empty cells come last. */
  const ranksOf = (index) => {
    if (!ranks.has(index)) {
      const cells = rows.map((row) => row[index]);
      const words_ = cells.some((cell) => typeof cell === "string");
      const compare = words_ ? (a, b) => collator.compare(String(a), String(b)) : (a, b) => a - b;
      const distinct = [...new Set(cells.filter((cell) => cell !== null))].sort(compare);
      const rank = new Map(distinct.map((cell, position) => [cell, position]));
      ranks.set(index, cells.map((cell) => (cell === null ? -1 : rank.get(cell))));
    }
    return ranks.get(index);
  };

  const sortBy = (index) => {
    state.down = state.column === index ? !state.down : false;
    state.column = index;
    const rank = ranksOf(index);
    const sign = state.down ? -1 : 1;
    state.order = rows.map((_row, row) => row).sort((a, b) => {
      if ((rank[a] < 0) !== (rank[b] < 0)) return rank[a] < 0 ? 1 : -1;
      return sign * (rank[a] - rank[b]) || a - b;
    });
    for (const [position, head] of [...table.tHead.rows[0].cells].entries()) {
      const own = shown[position].place === index;
      head.setAttribute("aria-sort", own ? (state.down ? "descending" : "ascending") : "none");
    }
    choose();
  };

  const written = (cell) => {
    if (cell === null || cell === undefined) return "";
    if (typeof cell === "boolean") return cell ? words.yes : words.no;
    return String(cell).replace(/^-(?=[0-9])/, "−");
  };

  const choose = () => {
    const asked = plain(document.getElementById("search").value).split(/\s+/).filter(Boolean);
    const wanted = filters[document.getElementById("only").value];
    state.kept = state.order.filter(
      (index) => wanted(rows[index]) && asked.every((word) => found[index].includes(word)),
    );
    state.page = 0;
    render();
  };

  const render = () => {
    const pages = Math.max(1, Math.ceil(state.kept.length / PER_PAGE));
    const part = state.kept.slice(state.page * PER_PAGE, (state.page + 1) * PER_PAGE);
    const body = document.createDocumentFragment();
    for (const index of part) body.append(line(index));
    if (!part.length) {
      const none = node("tr");
      none.append(node("td", words.none_found, { colspan: shown.length }));
      body.append(none);
    }
    table.tBodies[0].replaceChildren(body);
    const numbers = { shown: state.kept.length, all: rows.length, page: state.page + 1, pages };
    const told = (text) => text.replace(/\{(\w+)\}/g, (_all, name) => numbers[name]);
    document.getElementById("count").textContent = told(words.count);
    document.getElementById("page").textContent = told(words.page_of);
    document.getElementById("previous").disabled = state.page === 0;
    document.getElementById("next").disabled = state.page + 1 >= pages;
  };

  const line = (index) => {
    const made = node("tr");
    for (const [position, column] of shown.entries()) {
      const cell = rows[index][column.place];
      if (position === 0) {
        const head = node("th", null, { scope: "row" });
        const button = node("button", written(cell), { type: "button", "aria-expanded": "false" });
        button.addEventListener("click", () => toggle(made, button, index));
        head.append(button);
        made.append(head);
      } else {
        made.append(node("td", written(cell), { class: textual(column) ? column.name : "n" }));
      }
    }
    return made;
  };

  const toggle = (made, button, index) => {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    if (open) {
      made.nextSibling.remove();
      return;
    }
    const detail = node("tr", null, { class: "detail" });
    const cell = node("td", null, { colspan: shown.length });
    const inner = node("div", null, { class: "inner" });
    inner.append(facts(index), measures(index));
    cell.append(inner);
    detail.append(cell);
    made.after(detail);
    texts(String(rows[index][shown[0].place]), inner);
  };

  const facts = (index) => {
    const list = node("dl");
    for (const column of shown.slice(1)) {
      const cell = rows[index][column.place];
      if (cell === null || sided.has(column.name)) continue;
      const pair = node("div");
      pair.append(named("dt", column), node("dd", written(cell)));
      list.append(pair);
    }
    return list;
  };

  /* Each measure once: on the whole file, before the patch, and its change. */
  const sided = new Set(columns.filter((column) => column.side).map((column) => column.of));
  const measures = (index) => {
    const grid = node("table");
    if (!sided.size) return grid;
    const head = node("tr");
    head.append(node("th", words.measure, { scope: "col" }));
    for (const side of ["total", "base", "delta"]) head.append(node("th", words[side], { scope: "col", class: "n" }));
    const top = node("thead");
    top.append(head);
    const body = node("tbody");
    for (const measure of sided) {
      const row = node("tr");
      const column = columns[at(measure)];
      row.append(column ? named("th", column, { scope: "row" }) : node("th", measure, { scope: "row" }));
      for (const side of ["", "base_", "delta_"]) {
        const found_ = at(side + measure);
        row.append(node("td", found_ < 0 ? "" : written(rows[index][found_]), { class: "n" }));
      }
      body.append(row);
    }
    grid.append(top, body);
    return grid;
  };

  const named = (tag, column, attributes) => {
    const made = node(tag, column.label, attributes);
    for (const mark of column.marks) made.append(" ", node("span", mark, { class: "mark" }));
    return made;
  };

  let packedTexts = null;
  const texts = async (key, inner) => {
    packedTexts = packedTexts || block("texts");
    if (!Object.hasOwn(packedTexts, key)) {
      inner.append(node("p", words.no_texts, { class: "soft" }));
      return;
    }
    try {
      const pairs = JSON.parse(new TextDecoder().decode(await unpacked(packedTexts[key])));
      for (const [name, text] of pairs) inner.append(node("h3", name), written_text(name, text));
    } catch (wrong) {
      inner.append(node("p", words.text_failed + ": " + wrong.message, { class: "soft" }));
    }
  };

  const written_text = (name, text) => {
    const made = node("pre", null, { tabindex: "0", role: "group", "aria-label": name });
    const lines = text.split("\n");
    if (name !== "patch" || lines.length > MOST_LINES) {
      made.textContent = text;
      made.className = name === "patch" ? "" : "prose";
      return made;
    }
    const kinds = [[/^@@/, "hunk"], [/^(diff |index |--- |\+\+\+ )/, "head"], [/^\+/, "add"], [/^-/, "del"]];
    for (const one of lines) {
      const kind = kinds.find(([pattern]) => pattern.test(one));
      made.append(node("span", one, { class: kind ? kind[1] : "same" }));
    }
    return made;
  };

  const head = node("tr");
  for (const column of shown) {
    const cell = node("th", null, { scope: "col", "aria-sort": "none", class: textual(column) ? "" : "n" });
    const button = node("button", null, { type: "button" });
    for (const [place, part] of column.label.split(/(?<=_)/).entries()) button.append(...(place ? [node("wbr")] : []), part);
    button.addEventListener("click", () => sortBy(column.place));
    cell.append(button);
    for (const mark of column.marks) cell.append(node("span", mark, { class: "mark" }));
    head.append(cell);
  }
  table.tHead.append(head);
  document.getElementById("search").addEventListener("input", choose);
  document.getElementById("only").addEventListener("change", choose);
  const turn = (pressed, other, by) => document.getElementById(pressed).addEventListener("click", ({ target }) => {
    state.page += by;
    render();
    if (target.disabled) document.getElementById(other).focus(); // whoever has a keyboard alone stays where they are
  });
  turn("previous", "next", -1);
  turn("next", "previous", 1);
  choose();
};

const instanceData = block("rows");
if (instanceData) instanceTable(instanceData);
document.documentElement.dataset.ready = "yes";
