// The third pane: what comes out. Words carry the number of the block they come from.

import { $, $$, el, reveal } from "./dom.js";
import { light, on, select, state } from "./state.js";

export function start() {
  for (const name of ["text", "markdown", "json"]) {
    const panel = $(`#panel-${name}`);
    panel.addEventListener("pointermove", (event) => {
      const piece = event.target.closest("[data-block]");
      light(piece ? [Number(piece.dataset.block)] : []);
    });
    panel.addEventListener("pointerleave", () => light([]));
    panel.addEventListener("click", (event) => {
      const piece = event.target.closest("[data-block]");
      if (piece && getSelection().isCollapsed) select(Number(piece.dataset.block), name);
    });
  }
  on("found", show);
  on("methods", () => $("#panel-facts").replaceChildren(...facts()));
  on("lit", ({ before, now }) => {
    mark(before, "lit", false);
    mark(now, "lit", true);
  });
  on("selected", ({ before, now, origin }) => {
    mark([before], "selected", false);
    mark([now], "selected", true);
    if (!["text", "markdown", "json"].includes(origin)) {
      const piece = $(`#output .panel:not([hidden]) [data-block="${now}"]`);
      if (piece) reveal(piece);
    }
  });
}

function show() {
  const { outputs, result } = state.found;
  const empty = () => el("p", { class: "hint" }, result.warnings[0] ?? "No main content was found on the page.");
  const text = outputs.text.text ? el("div", { class: "prose" }, linked(outputs.text)) : empty();
  $("#panel-text").replaceChildren(text);
  $("#panel-markdown").replaceChildren(
    outputs.markdown.text ? el("div", { class: "code" }, linked(outputs.markdown)) : empty(),
  );
  $("#panel-json").replaceChildren(el("div", { class: "code" }, written(result)));
  $("#panel-facts").replaceChildren(...facts());
  mark([state.selected], "selected", true);
}

function linked({ text, stretches }) {
  const parts = [];
  let place = 0;
  for (const [start, end, block] of stretches) {
    if (start > place) parts.push(text.slice(place, start));
    parts.push(el("span", { "data-block": block }, text.slice(start, end)));
    place = end;
  }
  parts.push(text.slice(place));
  return parts;
}

// JSON, with every block an element of its own.
function written(result) {
  const { blocks, ...rest } = result;
  const head = JSON.stringify(rest, null, 2).replace(/\n\}$/, "");
  const parts = [head, blocks.length ? ',\n  "blocks": [\n' : ',\n  "blocks": ['];
  blocks.forEach((block, place) => {
    const text = JSON.stringify(block, null, 2).replace(/^/gm, "    ");
    parts.push(el("span", { "data-block": block.number }, text), place + 1 < blocks.length ? ",\n" : "\n  ");
  });
  parts.push("]\n}\n");
  return parts;
}

function facts() {
  const { result, page, seconds } = state.found;
  const rows = (values) =>
    el(
      "dl",
      { class: "facts" },
      Object.entries(values)
        .filter(
          ([name, value]) =>
            name !== "sources" && value !== null && value !== "" && !(Array.isArray(value) && !value.length),
        )
        .map(([name, value]) =>
          el(
            "div",
            {},
            el("dt", {}, name.replaceAll("_", " ")),
            el(
              "dd",
              {},
              Array.isArray(value)
                ? value.map((one) => (typeof one === "object" ? JSON.stringify(one) : one)).join(", ")
                : typeof value === "object"
                  ? JSON.stringify(value)
                  : String(value),
            ),
          ),
        ),
    );
  const method = state.methods?.extractors.methods.find((one) => one.name === result.method);
  return [
    result.warnings.length > 0 &&
      el(
        "section",
        {},
        el("h3", {}, "Warnings"),
        el(
          "ul",
          {},
          result.warnings.map((warning) => el("li", {}, warning)),
        ),
      ),
    el("section", {}, el("h3", {}, "Metadata of the page"), rows(result.metadata)),
    el(
      "section",
      {},
      el("h3", {}, "The page"),
      rows({
        address: page.url,
        format: page.format,
        encoding: page.encoding,
        nodes: page.nodes,
        characters: page.characters,
        "unseen characters": page.unseen_characters,
        "found in": `${(seconds * 1000).toFixed(1)} ms`,
      }),
    ),
    method && el("section", {}, el("h3", {}, `The method ${method.name}`), el("p", { class: "about" }, method.about)),
  ].filter(Boolean);
}

function mark(blocks, name, isOn) {
  for (const block of blocks) {
    for (const piece of $$(`#output [data-block="${block}"]`)) piece.classList.toggle(name, isOn);
  }
}
