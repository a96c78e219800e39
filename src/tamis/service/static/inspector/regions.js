// The regions of the page, by any segmenter.

import { $, el } from "./dom.js";
import { choices } from "./options.js";
import { light, on, say, select, state } from "./state.js";

let names = [];

export function start(methods) {
  names = (methods.segmenters?.methods ?? []).map((method) => method.name);
  const choice = el("select", { id: "segmenter" }, names.length ? choices(methods.segmenters) : []);
  choice.addEventListener("change", () => {
    state.segmenter = choice.value;
    document.dispatchEvent(new CustomEvent("segment"));
  });
  state.segmenter = choice.value || "";
  const note = names.length
    ? [el("label", { for: "segmenter" }, "Segmenter "), choice]
    : ["No segmenter is installed."];
  $("#panel-regions").append(
    el("p", { class: "hint row" }, note),
    el("ol", { class: "regions", "aria-label": "Regions of the page" }),
  );
  on("layout", show);
  on("lit", paint);
  on("selected", paint);
}

function show() {
  const list = $(".regions");
  const regions = state.layout?.regions ?? [];
  list.replaceChildren(
    ...regions.map((region, place) => {
      const first = region.blocks[0];
      const text = region.blocks.map((block) => state.found.blocks[block]?.text ?? "").join(" · ");
      const enter = () => {
        state.region = place;
        light(region.blocks);
        say("region", place);
      };
      const made = el(
        "li",
        { "data-place": place },
        el(
          "button",
          {
            type: "button",
            class: "region",
            onclick: () => first !== undefined && select(first, "regions"),
            onpointerenter: enter,
            onfocus: enter,
            onpointerleave: leave,
            onblur: leave,
          },
          el(
            "span",
            { class: "region-head" },
            el("b", {}, region.label || (region.parent < 0 ? "page" : "region")),
            el("span", {}, `${region.blocks.length} block${region.blocks.length === 1 ? "" : "s"}`),
            region.score !== null && el("span", { class: "score" }, region.score.toFixed(2)),
          ),
          el("span", { class: "block-text" }, text.slice(0, 160)),
        ),
      );
      made.style.setProperty("--depth", Math.min(region.depth, 10));
      return made;
    }),
  );
  paint();
}

function leave() {
  state.region = undefined;
  light([]);
  say("region", undefined);
}

function paint() {
  const regions = state.layout?.regions ?? [];
  for (const made of $(".regions")?.children ?? []) {
    const place = Number(made.dataset.place);
    const { blocks } = regions[place] ?? { blocks: [] };
    const isLeaf = !regions.some((region) => region.parent === place);
    const isLit = blocks.length > 0 && blocks.every((block) => state.lit.has(block));
    made.classList.toggle("selected", isLeaf && blocks.includes(state.selected));
    made.classList.toggle("lit", isLit || (isLeaf && blocks.some((block) => state.lit.has(block))));
  }
}
