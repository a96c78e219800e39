// The curves behind a method, drawn so that pointing at them points at the page.

import { $, el, later, svg } from "./dom.js";
import { light, on, select, state } from "./state.js";

const LEFT = 44,
  RIGHT = 4,
  TOP = 8,
  PLOT = 150,
  STRIP = 14,
  LEVELS = 10;
let drawn = [],
  width = 0,
  span = 0;

export function start() {
  on("found", show);
  on("tab", (name) => name === "curves" && state.found && show());
  new ResizeObserver(later(() => state.found && $("#panel-curves").clientWidth - 32 !== width && show(), 100)).observe(
    $("#panel-curves"),
  );
  on("lit", paint);
  on("selected", paint);
}

// Drawn to the width of the panel, so that words in it keep their size.
function show() {
  const room = $("#panel-curves").clientWidth - 32;
  if (room <= 0) return; // not shown now
  width = room;
  span = width - LEFT - RIGHT;
  drawn = state.found.curves.map((one) => (one.kind === "curve" ? curve(one) : scatter(one)));
  const hint = el(
    "p",
    { class: "hint" },
    "Point at a curve, or focus it and use the arrow keys, to see the block there.",
  );
  $("#panel-curves").replaceChildren(
    ...(drawn.length
      ? [hint, ...drawn.map((one) => one.figure)]
      : [el("p", { class: "hint" }, "Nothing to draw: the page has no blocks.")]),
  );
  paint();
}

function curve(one) {
  const count = one.chosen.length;
  const step = span / count;
  const plots = one.series.filter((series) => series.shape !== "strip");
  const strips = one.series.filter((series) => series.shape === "strip");
  const all = plots.flatMap((series) => series.values).concat(one.limit ?? []);
  const low = Math.min(0, ...all),
    high = Math.max(low + 1e-9, ...all);
  const y = (value) => TOP + PLOT * (1 - (value - low) / (high - low));
  const x = (place) => LEFT + place * step;
  const parts = [];
  for (const [first, last] of runs(one.chosen)) {
    parts.push(svg("rect", { class: "chosen", x: x(first), y: TOP, width: (last - first) * step, height: PLOT }));
  }
  for (const series of plots) {
    if (series.shape === "bars") {
      const bar = (value, place) =>
        `M${x(place).toFixed(1)} ${y(0).toFixed(1)}V${y(value).toFixed(1)}h${Math.max(step * 0.86, 0.4).toFixed(2)}V${y(0).toFixed(1)}z`;
      for (const isChosen of [false, true]) {
        const path = series.values
          .map((value, place) => (one.chosen[place] === isChosen ? bar(value, place) : ""))
          .join("");
        parts.push(svg("path", { class: isChosen ? "bars chosen-bars" : "bars", d: path }));
      }
    } else {
      parts.push(
        svg("polyline", {
          class: "line",
          points: series.values.map((value, place) => `${x(place + 0.5).toFixed(1)},${y(value).toFixed(1)}`).join(" "),
        }),
      );
    }
  }
  if (one.limit !== null) {
    parts.push(
      svg("path", { class: "limit", d: `M${LEFT} ${y(one.limit).toFixed(1)}h${span}` }),
      words(LEFT - 6, y(one.limit) + 4, short(one.limit), "end", "limit-text"),
    );
  }
  parts.push(words(LEFT - 6, TOP + 10, short(high), "end"), words(LEFT - 6, TOP + PLOT, short(low), "end"));
  let bottom = TOP + PLOT + 8;
  for (const series of strips) {
    parts.push(
      words(LEFT - 6, bottom + 11, series.name === "content and code" ? "page" : series.name, "end"),
      ...strip(series.values, bottom, step),
    );
    bottom += STRIP + 2;
  }
  parts.push(
    words(LEFT, bottom + 12, `${one.axis} 1`),
    words(LEFT + span, bottom + 12, `${one.axis} ${one.count}`, "end"),
  );
  const band = svg("path", { class: "band" }),
    chosen = svg("path", { class: "band selected" }),
    cursor = svg("path", { class: "cursor" });
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${bottom + 20}`,
      class: "curve",
      tabindex: "0",
      role: "slider",
      "aria-label": one.title,
      "aria-valuemin": 1,
      "aria-valuemax": count,
      "aria-valuenow": 1,
      "aria-valuetext": `${count} points`,
    },
    ...parts,
    chosen,
    band,
    cursor,
  );
  const note = el("figcaption", { class: "reading" }, " ");
  let here = 0;
  const point = (place, isKey) => {
    here = Math.max(0, Math.min(count - 1, place));
    const block = one.blocks[here];
    cursor.setAttribute("d", `M${x(here + 0.5).toFixed(1)} ${TOP}V${bottom}`);
    const values = plots.map((series) => `${series.name} ${short(series.values[here])}`).join(", ");
    const text = block < 0 ? "no block" : `block ${block + 1}: ${state.found.blocks[block].text.slice(0, 70)}`;
    note.textContent = `${one.axis} ${Math.round((here / count) * one.count) + 1} · ${values} · ${one.chosen[here] ? "chosen" : "not chosen"} · ${text}`;
    picture.setAttribute("aria-valuenow", here + 1);
    picture.setAttribute("aria-valuetext", note.textContent);
    light(block < 0 ? [] : [block]);
    if (isKey && block >= 0) select(block, "curves");
  };
  const at = (event) => {
    const box = picture.getBoundingClientRect();
    return Math.floor((((event.clientX - box.left) / box.width) * width - LEFT) / step);
  };
  picture.addEventListener("pointermove", (event) => point(at(event)));
  picture.addEventListener("pointerleave", () => {
    cursor.setAttribute("d", "");
    light([]);
  });
  picture.addEventListener("click", (event) => point(at(event), true));
  picture.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, PageDown: 20, PageUp: -20, Home: -count, End: count }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    point(here + by, true);
  });
  const legend =
    plots.length > 1 &&
    el(
      "p",
      { class: "legend" },
      plots.map((series) => el("span", { class: series.shape }, series.name)),
    );
  const figure = el("figure", { class: "chart" }, el("h3", {}, one.title), legend, picture, note);
  return {
    figure,
    picture,
    mark: (path, blocks) => path.setAttribute("d", bandOf(one.blocks, blocks, x, TOP, bottom)),
    band,
    chosen,
  };
}

function scatter(one) {
  const size = Math.min(span, 320),
    height = 200;
  const far = Math.max(1e-9, ...one.points.map(([across]) => across)) * 1.05;
  const high = Math.max(1e-9, ...one.points.map(([, up]) => up)) * 1.05;
  const place = ([across, up]) => [LEFT + (across / far) * size, TOP + height * (1 - up / high)];
  const dots = one.points.map((point, number) => {
    const [cx, cy] = place(point);
    return svg("circle", {
      cx: cx.toFixed(1),
      cy: cy.toFixed(1),
      r: 3.5,
      class: one.clusters[number] ? "dot chosen-dot" : "dot",
      "data-block": one.blocks[number],
    });
  });
  const crosses = one.centroids.map((point) => {
    const [cx, cy] = place(point);
    return svg("path", { class: "cross", d: `M${(cx - 5).toFixed(1)} ${cy.toFixed(1)}h10m-5 -5v10` });
  });
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height + 40}`,
      class: "curve scatter",
      role: "img",
      "aria-label": `${one.title}. ${one.points.length} points.`,
    },
    svg("path", { class: "axis", d: `M${LEFT} ${TOP}V${TOP + height}H${LEFT + size}` }),
    ...dots,
    ...crosses,
    words(LEFT - 6, TOP + 10, short(high), "end"),
    words(LEFT + size, TOP + height + 16, `${one.x_name} ${short(far)}`, "end"),
    words(LEFT, TOP + height + 16, `up: ${one.y_name}`),
  );
  picture.addEventListener("pointermove", (event) =>
    light(Number(event.target.dataset?.block ?? -1) >= 0 ? [Number(event.target.dataset.block)] : []),
  );
  picture.addEventListener("pointerleave", () => light([]));
  picture.addEventListener(
    "click",
    (event) => Number(event.target.dataset?.block ?? -1) >= 0 && select(Number(event.target.dataset.block), "curves"),
  );
  const figure = el("figure", { class: "chart" }, el("h3", {}, one.title), picture);
  return { figure, picture, dots };
}

function paint() {
  for (const one of drawn) {
    if (one.dots)
      for (const dot of one.dots)
        dot.classList.toggle(
          "lit",
          state.lit.has(Number(dot.dataset.block)) ||
            (state.selected >= 0 && state.selected === Number(dot.dataset.block)),
        );
    else {
      one.mark(one.band, state.lit);
      one.mark(one.chosen, new Set([state.selected]));
    }
  }
}

function bandOf(blocks, wanted, x, top, bottom) {
  if (!wanted.size) return "";
  return runs(blocks.map((block) => block >= 0 && wanted.has(block)))
    .map(([first, last]) => `M${x(first).toFixed(1)} ${top}H${x(last).toFixed(1)}V${bottom}H${x(first).toFixed(1)}z`)
    .join("");
}

function strip(values, top, step) {
  const levels = values.map((value) => Math.round(value * LEVELS));
  const parts = [svg("rect", { class: "strip-frame", x: LEFT, y: top, width: span, height: STRIP })];
  for (let first = 0; first < levels.length;) {
    let last = first + 1;
    while (last < levels.length && levels[last] === levels[first]) last += 1;
    if (levels[first] > 0)
      parts.push(
        svg("rect", {
          class: "strip",
          x: (LEFT + first * step).toFixed(2),
          y: top,
          width: ((last - first) * step).toFixed(2),
          height: STRIP,
          "fill-opacity": (levels[first] / LEVELS).toFixed(1),
        }),
      );
    first = last;
  }
  return parts;
}

function runs(flags) {
  const found = [];
  flags.forEach((flag, place) => {
    if (flag && !flags[place - 1]) found.push([place, place + 1]);
    else if (flag) found.at(-1)[1] = place + 1;
  });
  return found;
}

function words(x, y, text, anchor = "start", name = "tick") {
  return svg("text", { x, y, "text-anchor": anchor, class: name }, text);
}

const short = (value) => (Math.abs(value) >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(2));

// For export: the first chart with its colours written into it, since style sheets stay behind.
export function chart() {
  const picture = drawn.find((one) => one.band)?.picture ?? drawn[0]?.picture;
  if (!picture) return "";
  const copy = picture.cloneNode(true);
  const parts = picture.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((part, place) => {
    const looks = getComputedStyle(parts[place]);
    for (const name of [
      "fill",
      "fill-opacity",
      "stroke",
      "stroke-width",
      "stroke-dasharray",
      "font-size",
      "font-family",
    ])
      part.setAttribute(name, looks.getPropertyValue(name));
  });
  return new XMLSerializer().serializeToString(copy);
}
