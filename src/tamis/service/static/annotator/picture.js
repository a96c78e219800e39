// The page as a picture with the boxes of its elements, at any size, and the rectangles that are drawn on it.

import { $, svg } from "/static/inspector/dom.js";

const ZOOMS = [0.1, 0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3];
const MIN_DRAG = 5; // pixels of the screen; less is a click
const TEXT_BELOW = 90; // characters of an element that the picture does not show

let page = null;
let zoom = "fit"; // or a number: pixels of the screen for a pixel of the page

export function showPicture(shown) {
  page = shown;
  $("#no-picture").textContent = page.picture ? "" : `There is no screenshot of this page: ${page.warning}. This is its text.`;
  if (!page.picture) return;
  const picture = $("#picture");
  picture.src = `/api/picture?id=${encodeURIComponent(page.id)}`;
  picture.alt = `Picture of ${page.id}`;
  const overlay = $("#overlay");
  overlay.setAttribute("viewBox", `0 0 ${page.width} ${page.height}`);
  // Large ones first, so that the small ones in them can be reached.
  const boxed = page.elements.map((element, position) => ({ ...element, position })).filter((element) => element.box);
  boxed.sort((one, other) => area(other.box) - area(one.box));
  const isBelow = ({ box }) => box[1] >= page.picture[1];
  overlay.replaceChildren(
    ...boxed.filter(isBelow).map(({ box, text }) => svg("text", { x: box[0], y: box[1] + 16 }, text.slice(0, TEXT_BELOW))),
    ...boxed.map(({ box, position, node }) => svg("rect", { class: "element", "data-position": position, "data-node": node, ...corner(box) })),
    svg("g", { id: "rectangles" }),
  );
  $("#sheet").hidden = false;
  resize();
}

const area = ([left, top, right, bottom]) => (right - left) * (bottom - top);
const corner = ([left, top, right, bottom]) => ({ x: left, y: top, width: Math.max(right - left, 1), height: Math.max(bottom - top, 1) });

export function showRectangles(rectangles) {
  $("#rectangles")?.replaceChildren(...rectangles.map((sides) => svg("rect", { class: "rectangle", ...corner(sides) })));
}

// How large the page is shown; the place that is in the middle of the stage stays there.
export function zoomTo(wanted) {
  zoom = wanted;
  const stage = $(".stage");
  const middle = (stage.scrollTop + stage.clientHeight / 2) / Math.max(stage.scrollHeight, 1);
  resize();
  stage.scrollTop = middle * stage.scrollHeight - stage.clientHeight / 2;
}

export function zoomBy(step) {
  const now = scale();
  const next = step > 0 ? ZOOMS.find((size) => size > now + 0.01) : ZOOMS.findLast((size) => size < now - 0.01);
  if (next) zoomTo(next);
}

function scale() {
  if (zoom !== "fit") return zoom;
  const style = getComputedStyle($(".stage"));
  const room = $(".stage").clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return Math.min(1, room / page.width);
}

export function resize() {
  if (!page?.picture) return;
  const size = scale();
  const place = (element, width, height) => Object.assign(element.style, { width: `${width * size}px`, height: `${height * size}px` });
  place($("#sheet"), page.width, page.height);
  place($("#picture"), ...page.picture);
  const below = page.height - page.picture[1];
  $("#cut").hidden = below < 1;
  $("#cut").style.top = `${page.picture[1] * size}px`;
  $("#zoom").textContent = `${Math.round(size * 100)} %`;
  $("#fit").setAttribute("aria-pressed", zoom === "fit");
}

// Calls drawn(rectangle) or clicked(position of the element); while one is drawn it is shown beside the others.
export function listenToDrawing({ drawn, clicked, rectangles }) {
  const sheet = $("#sheet");
  let from = null;
  const sides = (event) => {
    const frame = sheet.getBoundingClientRect();
    const across = [from.x, event.clientX].map((x) => ((x - frame.left) / frame.width) * page.width).sort((one, other) => one - other);
    const down = [from.y, event.clientY].map((y) => ((y - frame.top) / frame.height) * page.height).sort((one, other) => one - other);
    return [across[0], down[0], across[1], down[1]];
  };
  const isDrag = (event) => Math.max(Math.abs(event.clientX - from.x), Math.abs(event.clientY - from.y)) > MIN_DRAG;
  sheet.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = { x: event.clientX, y: event.clientY };
    sheet.setPointerCapture(event.pointerId);
  });
  sheet.addEventListener("pointermove", (event) => {
    if (from && isDrag(event)) showRectangles([...rectangles(), sides(event)]);
  });
  sheet.addEventListener("pointerup", (event) => {
    if (!from) return;
    const rectangle = isDrag(event) ? sides(event) : null;
    from = null;
    if (rectangle) return void drawn(rectangle);
    const below = document.elementsFromPoint(event.clientX, event.clientY).find((found) => found.dataset?.position !== undefined);
    if (below) clicked(Number(below.dataset.position));
  });
  sheet.addEventListener("pointercancel", () => {
    from = null;
    showRectangles(rectangles());
  });
}
