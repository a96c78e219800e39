// The annotator: one page at a time as a picture with its elements, and what the person says about them.
// Every change is sent to the service at once; what is on the screen is what is on the disk, or the notice says so.

import { get, post } from "/static/inspector/api.js";
import { $, el, svg } from "/static/inspector/dom.js";

const KEYS = [
  ["drag", "draw a rectangle: what lies entirely inside is main content"],
  ["click", "choose an element, and say the opposite of what it is"],
  ["↓ ↑", "next and previous element"],
  ["M, N", "the chosen element is main content, or noise"],
  ["1 – 7", "it is noise of this category"],
  ["Enter", "the opposite of what it is"],
  ["C", "preview: tint what the rectangles hold"],
  ["D", "commit: the page is done, on to the next"],
  ["U, Ctrl Z", "undo"],
  ["Backspace", "take the last rectangle away"],
  ["X", "clear: all is noise, no rectangles"],
  ["[ ]", "previous and next page"],
  ["?", "these keys"],
];
const MIN_DRAG = 5; // pixels; less is a click

const state = {
  annotator: "",
  set: null,
  page: null, // what /api/page answered
  kinds: {}, // node → kind
  rectangles: [],
  pageType: "",
  chosen: -1, // position in page.elements
  history: [],
  inside: new Set(), // nodes that the rectangles hold, while previewed
  isPreview: false,
  kept: 0, // changes that are on the disk
};

start();

async function start() {
  for (const [keys, meaning] of KEYS) $("#keys dl").append(el("dt", {}, el("kbd", {}, keys)), el("dd", {}, meaning));
  const remembered = stored("annotator");
  state.set = await attempt(() => get(`/api/set?annotator=${encodeURIComponent(remembered)}`));
  if (!state.set) return;
  state.annotator = state.set.annotator;
  $("#annotator").value = state.annotator;
  fillForms();
  listen();
  await openPage(firstOpen());
}

function fillForms() {
  $("#page-type").replaceChildren(
    el("option", { value: "" }, "not said"),
    ...Object.entries(state.set.page_types).map(([name, meaning]) => el("option", { value: name, title: meaning }, name)),
  );
  const categories = Object.entries(state.set.categories);
  $("#kinds").replaceChildren(
    kindButton("main", "M", "main content"),
    kindButton("noisy", "N", "noise of no category"),
    ...categories.map(([name, meaning], number) => kindButton(name, String(number + 1), meaning)),
  );
  showSet();
}

function kindButton(kind, key, meaning) {
  return el("button", { type: "button", title: meaning, "data-kind": kind, onclick: () => mark(kind) },
    `${kind} `, el("kbd", {}, key));
}

function showSet() {
  const signs = { new: "○", begun: "◐", done: "●" };
  const current = state.page?.id;
  $("#pages").replaceChildren(
    ...state.set.pages.map((page) => el("option", { value: page.id, selected: page.id === current }, `${signs[page.status]} ${page.id}`)),
  );
  const done = state.set.pages.filter((page) => page.status === "done").length;
  $("#progress progress").value = done / state.set.pages.length;
  $("#progress output").textContent = `${done} of ${state.set.pages.length} done`;
}

function firstOpen() {
  const remembered = decodeURIComponent(location.hash.slice(1));
  const known = state.set.pages.find((page) => page.id === remembered);
  return (known ?? state.set.pages.find((page) => page.status !== "done") ?? state.set.pages[0]).id;
}

async function openPage(id) {
  tell(`Opening ${id} …`);
  const address = `/api/page?id=${encodeURIComponent(id)}&annotator=${encodeURIComponent(state.annotator || "-")}`;
  const page = await attempt(() => get(address));
  if (!page) return;
  Object.assign(state, {
    page,
    kinds: page.kinds,
    rectangles: page.rectangles,
    pageType: page.page_type,
    chosen: -1,
    history: [],
    inside: new Set(),
    isPreview: false,
  });
  location.hash = encodeURIComponent(id);
  showPicture();
  showElements();
  show();
  showSet();
  tell(...opening(page));
}

function opening(page) {
  if (page.lost.length) return [`The page has changed: ${page.lost.length} marks are lost: ${page.lost.join(" · ")}`, true];
  if (page.warning) return [`No picture: ${page.warning}`, true];
  if (page.changed) return [`The page has changed since it was annotated; all marks were found again, ${page.moved.length} by their quotes.`];
  if (page.suggested) return ["Suggested by the default method; nothing is kept yet."];
  return [page.committed ? "Committed." : "Begun, not committed."];
}

function showPicture() {
  const { page } = state;
  $("#sheet").hidden = !page.has_picture;
  $("#no-picture").hidden = page.has_picture;
  $("#no-picture").textContent = page.has_picture ? "" : `This page cannot be shown: ${page.warning}. Use the list of its elements.`;
  if (!page.has_picture) return;
  const picture = $("#picture");
  picture.src = `/api/picture?id=${encodeURIComponent(page.id)}`;
  picture.alt = `Picture of ${page.id}`;
  const overlay = $("#overlay");
  overlay.setAttribute("viewBox", `0 0 ${page.width} ${page.height}`);
  picture.width = page.width;
  picture.height = page.height;
  // Large ones first, so that the small ones in them can be reached.
  const shown = page.elements.map((element, position) => ({ ...element, position })).filter((element) => element.box);
  shown.sort((one, other) => area(other.box) - area(one.box));
  overlay.replaceChildren(
    ...shown.map(({ box, position, node }) => svg("rect", { class: "element", "data-position": position, "data-node": node, ...corner(box) })),
    svg("g", { id: "rectangles" }),
  );
}

const area = ([left, top, right, bottom]) => (right - left) * (bottom - top);
const corner = ([left, top, right, bottom]) => ({ x: left, y: top, width: Math.max(right - left, 1), height: Math.max(bottom - top, 1) });

function showElements() {
  $("#elements").replaceChildren(
    ...state.page.elements.map((element, position) =>
      el("li", { role: "option", id: `element-${position}`, "data-position": position, onclick: () => choose(position) },
        el("span", { class: "text", dir: "auto" }, element.text || "(no text)"),
        el("span", { class: "kind about" }),
        el("span", { class: "about" }, element.name),
      ),
    ),
  );
}

function show() {
  const { page, kinds, isPreview, inside, chosen } = state;
  page.elements.forEach((element, position) => {
    const kind = kinds[element.node] ?? "noisy";
    const look = kind === "main" ? "main" : kind === "noisy" ? "noisy" : "category";
    const item = $(`#element-${position}`);
    item.className = look;
    item.setAttribute("aria-selected", position === chosen);
    $(".kind", item).textContent = kind;
    const box = $(`#overlay [data-position="${position}"]`);
    const parts = ["element", look, isPreview && inside.has(element.node) && "inside", position === chosen && "chosen"];
    box?.setAttribute("class", parts.filter(Boolean).join(" "));
  });
  $("#rectangles")?.replaceChildren(...state.rectangles.map((sides) => svg("rect", { class: "rectangle", ...corner(sides) })));
  $("#preview").setAttribute("aria-pressed", isPreview);
  $("#page-type").value = state.pageType;
  $("#undo").disabled = !state.history.length;
  const kind = chosen < 0 ? "" : kinds[page.elements[chosen].node] ?? "noisy";
  for (const button of $("#kinds").children) button.setAttribute("aria-pressed", button.dataset.kind === kind);
  $("#elements").setAttribute("aria-activedescendant", chosen < 0 ? "" : `element-${chosen}`);
}

function choose(position) {
  if (!state.page.elements.length) return;
  state.chosen = Math.max(0, Math.min(position, state.page.elements.length - 1));
  show();
  $(`#element-${state.chosen}`).scrollIntoView({ block: "nearest" });
  $(`#overlay [data-position="${state.chosen}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function mark(kind) {
  if (state.chosen < 0) return tell("Choose an element first: with ↓, or by a click.", true);
  const { node } = state.page.elements[state.chosen];
  change({ kinds: { ...state.kinds, [node]: kind } });
}

function toggle(position) {
  choose(position);
  mark(state.kinds[state.page.elements[position].node] === "main" ? "noisy" : "main");
}

function change(values, committed = false) {
  const { kinds, rectangles, pageType } = state;
  state.history.push({ kinds, rectangles, pageType });
  Object.assign(state, values);
  show();
  return keep(committed);
}

function undo() {
  const before = state.history.pop();
  if (!before) return tell("There is nothing to undo.");
  Object.assign(state, before);
  if (state.isPreview) readInside().then(show);
  show();
  return keep(false);
}

async function keep(committed) {
  if (!state.annotator) {
    $("#annotator").focus();
    return tell("Nothing is kept yet: say your name first.", true);
  }
  const values = {
    page: state.page.id,
    annotator: state.annotator,
    page_type: state.pageType,
    committed,
    kinds: state.kinds,
    rectangles: state.rectangles,
  };
  const answer = await attempt(() => post("/api/annotations", values));
  if (!answer) return false;
  state.set.pages = state.set.pages.map((page) => (page.id === answer.id ? answer : page));
  showSet();
  state.kept += 1;
  tell(committed ? `Committed ${answer.id}.` : `Kept: ${state.kept} changes.`);
  return true;
}

async function readInside() {
  const answer = await attempt(() => post("/api/inside", { page: state.page.id, rectangles: state.rectangles }));
  state.inside = new Set(answer?.nodes ?? []);
}

async function preview() {
  state.isPreview = !state.isPreview;
  if (state.isPreview) await readInside();
  show();
  tell(state.isPreview ? `${state.inside.size} elements lie entirely inside a rectangle.` : "");
}

async function commit() {
  if (state.rectangles.length) await readInside();
  const main = Object.fromEntries([...state.inside].map((node) => [node, "main"]));
  const isKept = await change({ kinds: { ...state.kinds, ...main } }, true);
  if (!isKept) return;
  const next = state.set.pages.find((page) => page.status !== "done");
  if (next && next.id !== state.page.id) await openPage(next.id);
  else tell("Committed. All pages of the set are done.");
}

function step(by) {
  const position = state.set.pages.findIndex((page) => page.id === state.page.id) + by;
  if (state.set.pages[position]) openPage(state.set.pages[position].id);
}

async function compareWith(other) {
  const address = `/api/agreement?first=${encodeURIComponent(state.annotator)}&second=${encodeURIComponent(other)}`;
  const found = other && (await attempt(() => get(address)));
  const rows = found?.pages ?? [];
  const cells = (row) => [row.elements, row.kappa.toFixed(3), row.word_kappa.toFixed(3), row.b_cubed.toFixed(3)].map((cell) => el("td", {}, String(cell)));
  $("#agreement tbody").replaceChildren(
    ...rows.map((row) => el("tr", {}, el("td", {}, row.page), ...cells(row))),
    ...(found?.all ? [el("tr", { class: "all" }, el("td", {}, "all"), ...cells(found.all))] : []),
  );
  $("#agreement-empty").hidden = rows.length > 0;
}

async function openAgreement() {
  state.set = (await attempt(() => get(`/api/set?annotator=${encodeURIComponent(state.annotator)}`))) ?? state.set;
  $("#other").replaceChildren(...state.set.others.map((name) => el("option", { value: name }, name)));
  await compareWith(state.set.others[0]);
  $("#agreement").showModal();
}

async function rename() {
  tell("Opening …");
  state.annotator = $("#annotator").value.trim();
  store("annotator", state.annotator);
  state.set = (await attempt(() => get(`/api/set?annotator=${encodeURIComponent(state.annotator)}`))) ?? state.set;
  location.hash = "";
  await openPage(firstOpen());
}

function listen() {
  $("#annotator").addEventListener("change", rename);
  $("#pages").addEventListener("change", (event) => openPage(event.target.value));
  $("#page-type").addEventListener("change", (event) => change({ pageType: event.target.value }));
  $("#previous").addEventListener("click", () => step(-1));
  $("#next").addEventListener("click", () => step(1));
  $("#preview").addEventListener("click", preview);
  $("#commit").addEventListener("click", commit);
  $("#undo").addEventListener("click", undo);
  $("#clear").addEventListener("click", clear);
  $("#agree").addEventListener("click", openAgreement);
  $("#other").addEventListener("change", (event) => compareWith(event.target.value));
  $("#help").addEventListener("click", () => $("#keys").showModal());
  document.addEventListener("keydown", onKey);
  drawing();
}

function clear() {
  change({ kinds: {}, rectangles: [] });
  state.inside = new Set();
  show();
}

const ACTIONS = {
  c: preview,
  d: commit,
  u: undo,
  x: clear,
  m: () => mark("main"),
  n: () => mark("noisy"),
  "[": () => step(-1),
  "]": () => step(1),
  "?": () => $("#keys").showModal(),
  ArrowDown: () => choose(state.chosen + 1),
  ArrowUp: () => choose(state.chosen - 1),
  Enter: () => state.chosen >= 0 && toggle(state.chosen),
  Backspace: () => state.rectangles.length && change({ rectangles: state.rectangles.slice(0, -1) }),
};

function onKey(event) {
  const isTyping = event.target.matches("input, select, button, dialog, dialog *");
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
    event.preventDefault();
    return undo();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || !state.page) return undefined;
  if (isTyping && !(event.target.matches("button:not(dialog *)") && event.key !== "Enter")) return undefined;
  const categories = Object.keys(state.set.categories);
  const category = categories[Number(event.key) - 1];
  const action = category ? () => mark(category) : ACTIONS[event.key] ?? ACTIONS[event.key.toLowerCase()];
  if (!action) return undefined;
  event.preventDefault();
  return action();
}

function drawing() {
  const sheet = $("#sheet");
  let from = null;
  const place = (event) => {
    const frame = $("#picture").getBoundingClientRect();
    return [((event.clientX - frame.left) / frame.width) * state.page.width, ((event.clientY - frame.top) / frame.height) * state.page.height];
  };
  const sides = (to) => [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[0], to[0]), Math.max(from[1], to[1])];
  const isDrag = (to) => Math.abs(to[0] - from[0]) > MIN_DRAG || Math.abs(to[1] - from[1]) > MIN_DRAG;
  sheet.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = place(event);
    sheet.setPointerCapture(event.pointerId);
  });
  sheet.addEventListener("pointermove", (event) => {
    if (!from || !isDrag(place(event))) return;
    const drawn = svg("rect", { class: "rectangle", ...corner(sides(place(event))) });
    $("#rectangles").replaceChildren(...state.rectangles.map((old) => svg("rect", { class: "rectangle", ...corner(old) })), drawn);
  });
  sheet.addEventListener("pointerup", async (event) => {
    if (!from) return;
    const to = place(event);
    const rectangle = isDrag(to) ? sides(to) : null;
    from = null;
    if (rectangle) {
      await change({ rectangles: [...state.rectangles, rectangle] });
      if (state.isPreview) await readInside();
      return show();
    }
    const below = document.elementsFromPoint(event.clientX, event.clientY).find((found) => found.dataset?.position !== undefined);
    return below && toggle(Number(below.dataset.position));
  });
  sheet.addEventListener("pointercancel", () => {
    from = null;
    show();
  });
}

async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    tell(`Not kept: ${error.message}`, true);
    return null;
  }
}

function tell(text, isBad = false) {
  const notice = $("#notice");
  notice.textContent = text;
  notice.className = isBad ? "notice bad" : "notice";
}

function stored(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

function store(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    /* storage may be forbidden; the name lasts for this page */
  }
}
