() => {
  /* What WCAG 2.2 asks and a script can see: names, labels, headings in order, headed tables, contrast. */
  const faults = [];
  const told = (element) => `${element.tagName.toLowerCase()}#${element.id}.${element.className.baseVal ?? element.className} ${element.textContent.trim().slice(0, 40)}`;
  const visible = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(visible);

  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at))) faults.push(`id twice: ${id}`);

  let level = 0;
  for (const heading of all("h1,h2,h3,h4,h5,h6")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) faults.push(`heading skips a level: ${told(heading)}`);
    if (!heading.textContent.trim()) faults.push("empty heading");
    level = next;
  }
  if (all("h1").length !== 1 || all("main").length !== 1) faults.push("not one h1 and one main");
  if (!document.documentElement.lang || !document.title) faults.push("no language or no title");

  const named = (element) =>
    element.getAttribute("aria-label") || element.textContent.trim() ||
    [...(element.labels || [])].map((label) => label.textContent.trim()).join(" ");
  for (const element of all("button,a[href],summary,input,select")) {
    if (!named(element)) faults.push(`no name: ${told(element)}`);
    const box = element.getBoundingClientRect();
    if (element.tagName !== "A" && (box.height < 24 || box.width < 24)) faults.push(`small target: ${told(element)}`);
  }
  for (const picture of all("svg,img")) {
    if (picture.getAttribute("role") !== "img" || (picture.getAttribute("aria-label") || "").length < 10) faults.push(`picture without words: ${told(picture)}`);
  }
  for (const table of all("table")) {
    if (!table.closest(".detail") && !table.caption) faults.push(`no caption: ${told(table)}`);
    for (const head of table.querySelectorAll("th")) if (!head.scope) faults.push(`th without scope: ${told(head)}`);
  }
  for (const sorted of all("th[aria-sort]")) if (!sorted.querySelector("button")) faults.push("sorted without a button");
  for (const element of all("*")) {
    const style = getComputedStyle(element);
    const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY) && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
    if (scrolls && element.tabIndex < 0 && element !== document.documentElement && element !== document.body) faults.push(`scrolls without focus: ${told(element)}`);
  }
  for (const link of all("a[href^='#']")) {
    if (!document.getElementById(link.getAttribute("href").slice(1))) faults.push(`link to nowhere: ${link.getAttribute("href")}`);
  }

  const parse = (text) => {
    const parts = text.match(/[\d.]+/g).map(Number);
    return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const paper = parse(getComputedStyle(at).backgroundColor);
      if (paper.alpha === 1) return paper.rgb;
      if (paper.alpha > 0) faults.push(`half transparent paper: ${told(at)}`);
    }
    return [255, 255, 255];
  };
  let texts = 0;
  for (const element of all("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.closest(".vh,script,style,noscript,:disabled")) continue;
    const inside = element.closest("svg");
    const style = getComputedStyle(element);
    const [one, other] = [luminance(parse(inside ? style.fill : style.color).rgb), luminance(behind(inside || element))].sort((a, b) => a - b);
    texts += 1;
    if ((other + 0.05) / (one + 0.05) < 4.5) faults.push(`contrast ${((other + 0.05) / (one + 0.05)).toFixed(2)}: ${told(element)}`);
  }
  if (texts < 50) faults.push(`only ${texts} texts were looked at`);
  return faults;
}
