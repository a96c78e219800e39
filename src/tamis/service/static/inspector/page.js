// The first pane: the page as it looks, in a frame that can run nothing, and where its blocks lie.

import { $, el, later, reveal, svg } from "./dom.js";
import { light, on, select, state } from "./state.js";

const SHEET = `
  tamis-text { border-radius: 2px; transition: background-color .12s; }
  tamis-text[data-kept] { background: rgb(15 118 110 / .13); }
  tamis-text:not([data-kept]) { opacity: .5; }
  tamis-text[data-part] { background: rgb(15 118 110 / .07); opacity: .8; }
  tamis-text[data-lit] { background: rgb(15 118 110 / .34); opacity: 1; }
  tamis-text[data-selected] { background: rgb(15 118 110 / .42); opacity: 1; }
  html { background: #fff; color: #1b1b1b; overflow: hidden; }
  img:not([src]) { outline: 1px dashed #b8b8b8; outline-offset: -1px; min-width: 1.5em; min-height: 1em; color: #6b6b6b; font-size: 12px; }
  [data-was="svg"], [data-was="iframe"], [data-was="video"], [data-was="canvas"] { display: inline-block; outline: 1px dashed #b8b8b8; min-width: 1em; min-height: 1em; }
`;
// Links have lost their addresses, and with them the look that a browser gives them; the page may still choose another.
const LINKS = ":where(a[data-link]) { color: #1a4fa0; text-decoration: underline; }";
const PLAIN = "body { font: 15px/1.5 system-ui, sans-serif; margin: 14px; } img { max-width: 100%; }";

let frame, glass, texts, shown;

export function start() {
  frame = el("iframe", {
    sandbox: "allow-same-origin",
    title: "The page, without scripts",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  glass = el("div", { class: "glass" });
  $("#sheet").append(frame, glass);
  frame.addEventListener("load", dress);
  glass.addEventListener("pointermove", (event) => light(blocksAt(event)));
  glass.addEventListener("pointerleave", () => light([]));
  glass.addEventListener("click", (event) => select(blocksAt(event)[0] ?? -1, "page"));
  new ResizeObserver(later(fit, 80)).observe($("#panel-look"));
  on("found", show);
  on("lit", ({ before, now }) => {
    mark(before, "lit", false);
    mark(now, "lit", true);
  });
  on("selected", ({ before, now, origin }) => {
    mark([before], "selected", false);
    mark([now], "selected", true);
    if (origin !== "page") bring(now);
  });
  on("found", draw);
  on("layout", draw);
  on("lit", paintBoxes);
  on("selected", paintBoxes);
  on("region", paintBoxes);
}

function show() {
  const { view } = state.found;
  if (shown === view.markup) return keep(); // another method on the same blocks: no need to load again
  shown = view.markup;
  texts = undefined;
  frame.srcdoc = view.markup;
}

// Style sheets are adopted and styles set by script: the policy of this page allows no style in markup.
function dress() {
  const inner = frame.contentDocument;
  if (!state.found || !inner?.body) return;
  const { view } = state.found;
  const Sheet = frame.contentWindow.CSSStyleSheet;
  inner.adoptedStyleSheets = [LINKS, view.sheets.length ? "" : PLAIN, ...view.sheets, SHEET].map((text) => {
    const sheet = new Sheet();
    try {
      sheet.replaceSync(text);
    } catch {
      /* a sheet that is no sheet styles nothing */
    }
    return sheet;
  });
  for (const element of inner.querySelectorAll("[data-style]")) element.style.cssText = element.dataset.style;
  texts = new Map();
  for (const element of inner.querySelectorAll("tamis-text")) {
    const block = Number(element.dataset.block);
    if (texts.has(block)) texts.get(block).push(element);
    else texts.set(block, [element]);
  }
  keep();
  fit();
  $("#panel-look").scrollTop = 0;
  mark([state.selected], "selected", true);
  bring(state.selected);
}

function keep() {
  for (const block of state.found.blocks) {
    mark([block.number], "kept", block.kept);
    mark([block.number], "part", !block.kept && block.share > 0);
  }
}

function fit() {
  const inner = frame.contentDocument?.documentElement;
  if (!inner) return;
  frame.style.height = "0";
  // Twice: what is as high as the window grows with the frame, but only so far.
  for (let turn = 0; turn < 2; turn += 1)
    frame.style.height = `${Math.min(Math.max(inner.scrollHeight, 200), 200_000)}px`;
}

function mark(blocks, name, isOn) {
  for (const block of blocks) {
    for (const element of texts?.get(block) ?? []) {
      if (isOn) element.dataset[name] = "";
      else delete element.dataset[name];
    }
  }
}

function blocksAt(event) {
  const place = frame.getBoundingClientRect();
  const found = frame.contentDocument?.elementFromPoint(event.clientX - place.left, event.clientY - place.top);
  const text = found?.closest("tamis-text") ?? found?.querySelector(":scope > tamis-text");
  return text ? [Number(text.dataset.block)] : [];
}

function bring(block) {
  const panel = $("#panel-look");
  const place = texts?.get(block)?.[0]?.getBoundingClientRect();
  if (!place || panel.hidden || !place.height) return;
  const top = place.top;
  if (top < panel.scrollTop + 20 || place.bottom > panel.scrollTop + panel.clientHeight - 20) {
    panel.scrollTop = top - panel.clientHeight / 3;
  }
}

// The layout: boxes on the screenshot, or on an empty sheet when the page was not rendered.

function draw() {
  const panel = $("#panel-layout");
  panel.replaceChildren();
  const { layout, found } = state;
  if (!layout || !found) {
    panel.append(el("p", { class: "hint" }, "Laying out …"));
    return;
  }
  const rectangles = layout.blocks.map(
    (box, number) =>
      box &&
      svg("rect", {
        x: box[0],
        y: box[1],
        width: Math.max(box[2] - box[0], 1),
        height: Math.max(box[3] - box[1], 1),
        "data-block": number,
        class: found.blocks[number]?.kept ? "kept" : "dropped",
      }),
  );
  const height = Math.max(layout.height, 100);
  const image = layout.picture && svg("image", { href: layout.picture, width: layout.width, height });
  const regions = svg("g", { class: "region-boxes" });
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${layout.width} ${height}`,
      class: "layout",
      role: "img",
      "aria-label": "Layout of the blocks of the page",
    },
    svg("rect", { width: layout.width, height, class: "paper" }),
    image,
    svg("g", { class: "block-boxes" }, rectangles),
    regions,
  );
  picture.addEventListener("pointermove", (event) => {
    const block = event.target.dataset?.block;
    light(block === undefined ? [] : [Number(block)]);
  });
  picture.addEventListener("pointerleave", () => light([]));
  picture.addEventListener(
    "click",
    (event) => event.target.dataset?.block !== undefined && select(Number(event.target.dataset.block), "layout"),
  );
  const note = layout.estimated ? "Estimated from the markup alone." : "As a browser shows it.";
  panel.append(
    el(
      "p",
      { class: "hint" },
      note,
      " ",
      el(
        "button",
        {
          type: "button",
          class: "plain",
          id: "render-button",
          onclick: () => document.dispatchEvent(new CustomEvent("render")),
        },
        layout.estimated ? "Render it in a browser" : "Render again",
      ),
    ),
    picture,
  );
  paintBoxes();
}

function paintBoxes() {
  const picture = $("#panel-layout svg");
  if (!picture || $("#panel-layout").hidden) return;
  for (const box of picture.querySelectorAll("[data-block]")) {
    const block = Number(box.dataset.block);
    box.classList.toggle("lit", state.lit.has(block));
    box.classList.toggle("selected", block === state.selected);
  }
  const region = state.layout?.regions[state.region ?? -1]?.box;
  picture.querySelector(".region-boxes").replaceChildren(
    ...(region
      ? [
          svg("rect", {
            x: region[0],
            y: region[1],
            width: Math.max(region[2] - region[0], 1),
            height: Math.max(region[3] - region[1], 1),
          }),
        ]
      : []),
  );
  const chosen = picture.querySelector(".selected");
  if (chosen) reveal(chosen);
}
