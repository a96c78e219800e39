// The blocks as a list, and all that is known of the one that is chosen.

import { $, el, reveal } from "./dom.js";
import { light, on, select, state } from "./state.js";

let list,
  rows = [],
  filter = "all";

export function start() {
  const panel = $("#panel-blocks");
  const choices = ["all", "kept", "dropped", "disputed"].map((name) =>
    el(
      "label",
      { class: "choice" },
      el("input", { type: "radio", name: "filter", value: name, checked: name === "all" }),
      el("span", {}, name),
    ),
  );
  const filters = el(
    "fieldset",
    { class: "filters" },
    el("legend", { class: "unseen" }, "Which blocks to show"),
    choices,
  );
  filters.addEventListener("change", (event) => {
    filter = event.target.value;
    sift();
  });
  list = el("ol", {
    class: "blocks",
    role: "listbox",
    tabindex: "0",
    "aria-label": "Blocks of the page",
    id: "block-list",
  });
  panel.append(filters, list);
  list.addEventListener("pointermove", (event) => {
    const row = event.target.closest("[role=option]");
    light(row ? [Number(row.dataset.block)] : []);
  });
  list.addEventListener("pointerleave", () => light([]));
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[role=option]");
    if (row) select(Number(row.dataset.block), "blocks");
  });
  list.addEventListener("keydown", move);
  on("found", show);
  on("found", details);
  on("lit", ({ before, now }) => {
    for (const block of before) rows[block]?.classList.remove("lit");
    for (const block of now) rows[block]?.classList.add("lit");
  });
  on("selected", ({ before, now }) => {
    rows[before]?.setAttribute("aria-selected", "false");
    rows[now]?.setAttribute("aria-selected", "true");
    if (now >= 0) list.setAttribute("aria-activedescendant", `block-${now}`);
    else list.removeAttribute("aria-activedescendant");
    details(); // first: it takes room from the list
    if (rows[now]) reveal(rows[now]);
  });
}

function show() {
  const { blocks, rival } = state.found;
  const top = Math.max(1, ...blocks.map((block) => block.score ?? 0));
  rows = blocks.map((block) => row(block, top, rival?.shares?.[block.number], rival?.method));
  list.replaceChildren(...rows);
  $(".filters").hidden = !blocks.length;
  const disputed = $('.filters [value="disputed"]').closest("label");
  disputed.hidden = !rival?.shares;
  if (!rival?.shares && filter === "disputed") {
    filter = "all";
    $('.filters [value="all"]').checked = true;
  }
  sift();
}

function row(block, top, share, rival) {
  const disputed = share !== undefined && share > 0.5 !== block.kept;
  const bar = el("span", { class: "bar-track", "aria-hidden": "true" }, el("span", { class: "bar-fill" }));
  bar.firstChild.style.width = `${Math.max(0, Math.min(100, (100 * (block.score ?? 0)) / top))}%`;
  return el(
    "li",
    {
      role: "option",
      id: `block-${block.number}`,
      "data-block": block.number,
      "aria-selected": block.number === state.selected ? "true" : "false",
      class: `block ${block.kept ? "kept" : "dropped"}${disputed ? " disputed" : ""}`,
    },
    el(
      "span",
      { class: "block-head" },
      el("span", { class: "tag" }, block.name),
      block.hidden && el("span", { class: "badge" }, "hidden"),
      disputed && el("span", { class: "badge strong" }, `${rival} ${block.kept ? "drops" : "keeps"} it`),
      el("span", { class: "unseen" }, block.kept ? "kept, score" : "dropped, score"),
      bar,
      el("span", { class: "score" }, number(block.score)),
    ),
    el("span", { class: "block-text" }, block.text.slice(0, 400)),
  );
}

function sift() {
  for (const row of rows) {
    const isShown = filter === "all" || row.classList.contains(filter);
    row.hidden = !isShown;
  }
}

function move(event) {
  const shown = rows.filter((row) => !row.hidden);
  if (!shown.length) return;
  const here = shown.findIndex((row) => Number(row.dataset.block) === state.selected);
  const page = 8;
  const next = {
    ArrowDown: here + 1,
    ArrowUp: here < 0 ? 0 : here - 1,
    Home: 0,
    End: shown.length - 1,
    PageDown: here + page,
    PageUp: here - page,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const row = shown[Math.max(0, Math.min(next, shown.length - 1))];
  select(Number(row.dataset.block), "keys");
}

// Steps to the next or the previous block from anywhere.
export function step(by, isWanted = () => true) {
  const blocks = state.found?.blocks ?? [];
  let place = state.selected + by;
  while (place >= 0 && place < blocks.length && !isWanted(blocks[place])) place += by;
  if (place >= 0 && place < blocks.length) select(place, "keys");
}

function details() {
  const box = $("#details");
  const block = state.found?.blocks[state.selected];
  if (!block) {
    box.classList.add("empty");
    box.replaceChildren(
      el("p", { class: "hint" }, state.found?.blocks.length ? "Select a block to see why it was kept or dropped." : ""),
    );
    return;
  }
  box.classList.remove("empty");
  const { verdict, reasons } = read(block.reason);
  const head = el(
    "div",
    { class: "details-head" },
    el("strong", { class: block.kept ? "kept" : "dropped" }, block.kept ? "Kept" : "Dropped"),
    el("span", {}, `block ${block.number + 1} of ${state.found.blocks.length}`),
    el("span", { class: "score" }, `score ${number(block.score)}`),
  );
  const why = [
    el(
      "p",
      { class: "verdict" },
      verdict ||
        (state.found.result.method === "keep_all"
          ? "All visible text is kept."
          : "The method gives no reasons; see its curve and its options."),
    ),
    reasons.length > 0 &&
      el(
        "ul",
        { class: "reasons" },
        reasons.map((reason) => {
          const worth = /^([+-]\d+\.\d+) (.*)$/.exec(reason);
          return worth
            ? el(
                "li",
                { class: worth[1][0] === "+" ? "for" : "against" },
                el("b", {}, worth[1].replace("-", "−")),
                " ",
                worth[2],
              )
            : el("li", {}, reason);
        }),
      ),
  ];
  const counts = [
    ["words", block.words],
    ["in links", block.words ? `${Math.round((100 * block.link_words) / block.words)} %` : "–"],
    ["characters", block.characters],
    ["depth", block.depth],
    ["kept", `${Math.round(100 * block.share)} %`],
    ["place", `${block.span[0]}–${block.span[1]}`],
  ];
  box.replaceChildren(
    head,
    ...why.filter(Boolean),
    el(
      "dl",
      { class: "counts" },
      counts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, String(value)))),
    ),
    ...features(block.number),
  );
}

// "kept: … (probability 0.98; +1.2 …; …)" as its parts.
function read(reason) {
  const found = /^(.*?) \((.*)\)$/s.exec(reason);
  if (!found) return { verdict: capital(reason), reasons: [] };
  return { verdict: capital(found[1].replace(/^(kept|dropped): /, "")), reasons: found[2].split("; ") };
}

function features(block) {
  const told = state.found.features;
  if (!told) return [];
  const values = new Map(told.rows[block].map(([place, value]) => [told.names[place], value]));
  const families = Object.entries(told.families).map(([family, names]) => {
    const here = names.filter((name) => values.has(name));
    return (
      here.length > 0 &&
      el(
        "div",
        { class: "family" },
        el("h4", {}, family),
        el(
          "dl",
          {},
          here.map((name) =>
            el("div", {}, el("dt", {}, name.replaceAll("_", " ")), el("dd", {}, number(values.get(name)))),
          ),
        ),
      )
    );
  });
  return [
    el(
      "details",
      { class: "features" },
      el("summary", {}, `Features (${values.size} that are not zero)`),
      ...families.filter(Boolean),
    ),
  ];
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export function number(value) {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) ? String(value) : Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}
