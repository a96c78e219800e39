// The annotator: one page at a time as a picture with its elements, and what the person says about them.
// Every change is sent to the service at once; what is on the screen is what is on the disk, or the notice says so.

import { get, post } from "/static/inspector/api.js";
import { $, el } from "/static/inspector/dom.js";
import { listenToDrawing, resize, showPicture, showRectangles, zoomBy, zoomTo } from "./picture.js";
import { fillText, selection, showText } from "./text.js";

const KEYS = [
  ["drag", "draw a rectangle: elements whose text and pictures lie entirely inside become main content"],
  ["T", "the page as text, or as a picture: of the text any part can be selected, and M or N says what it is"],
  ["click", "choose an element, and say the opposite of what it is"],
  ["↓ ↑", "next and previous element"],
  ["M, N", "the chosen element is main content, or noise"],
  ["1 – 7", "it is noise of this category"],
  ["Enter", "the opposite of what it is"],
  ["C", "preview: tint what the rectangles hold, or stop that"],
  ["D", "commit: the page is done, on to the next"],
  ["U, Ctrl Z", "undo"],
  ["Backspace", "take the last rectangle away"],
  ["X", "clear: all is noise, no rectangles"],
  ["[ ]", "previous and next page"],
  ["F, 0", "the whole width of the page, or its true size"],
  ["+ −", "larger and smaller"],
  ["?", "these keys"],
];

const state = {
  annotator: "",
  set: null,
  page: null, // what /api/page answered
  kinds: {}, // node → kind
  rectangles: [],
  pageType: "",
  language: "",
  passages: [], // [start, end] of text that is main content although not all of its element is
  isText: false, // the page is shown as text, because that is wanted or there is no picture
  isTextWanted: false,
  chosen: -1, // position in page.elements
  history: [],
  inside: new Set(), // nodes that the rectangles hold, while previewed
  isPreview: false,
  isWarned: false, // that nothing is main content, which a second D commits
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
  const keepSelection = (event) => event.preventDefault();
  return el("button", { type: "button", title: meaning, "data-kind": kind, onmousedown: keepSelection, onclick: () => mark(kind) },
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

async function openPage(id, before = "") {
  tell(`Opening ${id} …`);
  const address = `/api/page?id=${encodeURIComponent(id)}&annotator=${encodeURIComponent(state.annotator || "-")}`;
  const page = await attempt(() => get(address));
  if (!page) return;
  Object.assign(state, {
    page,
    kinds: page.kinds,
    rectangles: page.rectangles,
    pageType: page.page_type,
    language: page.language,
    passages: page.passages,
    isText: state.isTextWanted || !page.picture,
    chosen: -1,
    history: [],
    inside: new Set(),
    isPreview: false,
    isWarned: false,
  });
  location.hash = encodeURIComponent(id);
  showPicture(page);
  fillText([]);
  if (state.isText) await readText();
  showElements();
  show();
  showSet();
  const [text, isBad] = opening(page);
  tell(`${before} ${text}`.trim(), isBad);
}

function opening(page) {
  if (page.lost.length) return [`The page has changed: ${page.lost.length} marks are lost: ${page.lost.join(" · ")}`, true];
  if (page.warning) return [`No screenshot: ${page.warning}`, true];
  if (page.changed) return [`The page has changed since it was annotated; all marks were found again, ${page.moved.length} by their quotes.`];
  if (page.suggested) return ["Suggested by the default method; nothing is saved yet."];
  return [page.committed ? "Committed." : "Started, not committed."];
}

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
    const look = lookOf(kind);
    const item = $(`#element-${position}`);
    item.className = look;
    item.setAttribute("aria-selected", position === chosen);
    $(".kind", item).textContent = kind;
    const box = $(`#overlay [data-position="${position}"]`);
    const parts = ["element", look, isPreview && inside.has(element.node) && "inside", position === chosen && "chosen"];
    box?.setAttribute("class", parts.filter(Boolean).join(" "));
  });
  showRectangles(state.rectangles);
  showView();
  $("#preview").setAttribute("aria-pressed", isPreview);
  $("#page-type").value = state.pageType;
  $("#language").value = state.language;
  $("#undo").disabled = !state.history.length;
  const kind = chosen < 0 ? "" : kinds[page.elements[chosen].node] ?? "noisy";
  for (const button of $("#kinds").children) button.setAttribute("aria-pressed", button.dataset.kind === kind);
  $("#elements").setAttribute("aria-activedescendant", chosen < 0 ? "" : `element-${chosen}`);
}

function showView() {
  const { page, isText, kinds, passages, chosen } = state;
  $("#sheet").hidden = isText || !page.picture;
  $("#no-picture").hidden = Boolean(page.picture);
  $("#text").hidden = !isText;
  $("#as-text").setAttribute("aria-pressed", isText);
  const node = page.elements[chosen]?.node;
  if (isText) showText(passages, (own) => `${lookOf(kinds[own])} ${own === node ? "chosen" : ""}`);
}

const lookOf = (kind = "noisy") => (["main", "noisy"].includes(kind) ? kind : "category");

async function readText() {
  const answer = await attempt(() => get(`/api/text?id=${encodeURIComponent(state.page.id)}`));
  fillText(answer?.blocks ?? []);
}

async function switchView() {
  if (!state.page.picture) return tell("There is no screenshot of this page.", true);
  state.isText = state.isTextWanted = !state.isText;
  if (state.isText) await readText();
  else resize();
  return show();
}

async function select(ranges, isMain) {
  const { page, kinds, passages } = state;
  const values = { page: page.id, kinds, passages, selection: ranges, is_main: isMain };
  const answer = await attempt(() => post("/api/select", values));
  if (answer) await change(answer);
}

async function setLanguage(language) {
  const before = state.language;
  if (await change({ language })) return;
  state.history.pop();
  Object.assign(state, { language: before });
  show();
}

function choose(position) {
  if (!state.page.elements.length) return;
  state.chosen = Math.max(0, Math.min(position, state.page.elements.length - 1));
  show();
  $(`#element-${state.chosen}`).scrollIntoView({ block: "nearest" });
  const shown = state.isText ? $("#text .chosen") : $(`#overlay [data-position="${state.chosen}"]`);
  shown?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function mark(kind) {
  const ranges = state.isText ? selection() : [];
  if (ranges.length && ["main", "noisy"].includes(kind)) return select(ranges, kind === "main");
  if (state.chosen < 0) return tell("Select an element first, with ↓ or a click.", true);
  const { node } = state.page.elements[state.chosen];
  change({ kinds: { ...state.kinds, [node]: kind } });
}

function toggle(position) {
  choose(position);
  mark(state.kinds[state.page.elements[position].node] === "main" ? "noisy" : "main");
}

function change(values, committed = false) {
  const { kinds, rectangles, pageType, language, passages } = state;
  state.history.push({ kinds, rectangles, pageType, language, passages });
  Object.assign(state, values, { isWarned: false });
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
    tell("Nothing is saved yet: enter your name first.", true);
    return false;
  }
  const values = {
    page: state.page.id,
    annotator: state.annotator,
    page_type: state.pageType,
    committed,
    kinds: state.kinds,
    rectangles: state.rectangles,
    language: state.language,
    passages: state.passages,
  };
  const answer = await attempt(() => post("/api/annotations", values));
  if (!answer) return false;
  state.set.pages = state.set.pages.map((page) => (page.id === answer.id ? answer : page));
  showSet();
  state.kept += 1;
  if (!committed) tell(`Saved: ${counted(state.kept, "change")}.`);
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
  tell(state.isPreview ? heldText() : "");
}

async function draw(rectangle) {
  const isKept = await change({ rectangles: [...state.rectangles, rectangle], isPreview: true });
  await readInside();
  show();
  if (isKept) tell(`Saved: ${counted(state.kept, "change")}. ${heldText()}`, !state.inside.size);
}

function heldText() {
  const held = counted(state.inside.size, "element");
  return state.rectangles.length ? `The rectangles contain ${held} entirely.` : "There are no rectangles.";
}

async function commit() {
  if (state.rectangles.length) await readInside();
  else state.inside = new Set();
  const main = Object.fromEntries([...state.inside].map((node) => [node, "main"]));
  const kinds = { ...state.kinds, ...main };
  const count = Object.values(kinds).filter((kind) => kind === "main").length;
  if (!count && !state.passages.length && !state.isWarned) {
    state.isWarned = true;
    const why = state.rectangles.length ? "no element lies entirely inside a rectangle" : "no element is marked";
    return tell(`Nothing is main content: ${why}. Press D again to commit the page as it is.`, true);
  }
  if (!(await change({ kinds }, true))) return undefined;
  const passages = state.passages.length ? ` and ${counted(state.passages.length, "passage")}` : "";
  const said = `Committed ${state.page.id} with ${counted(count, "element")}${passages} of main content.`;
  const next = state.set.pages.find((page) => page.status !== "done");
  if (next && next.id !== state.page.id) return openPage(next.id, said);
  return tell(`${said} All pages of the set are done.`);
}

const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

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
  $("#language").addEventListener("change", (event) => setLanguage(event.target.value));
  $("#as-text").addEventListener("click", switchView);
  $("#text").addEventListener("click", (event) => {
    const node = Number(event.target.closest("[data-node]")?.dataset.node);
    const position = state.page.elements.findIndex((element) => element.node === node);
    if (position >= 0 && !selection().length) choose(position);
  });
  $("#fit").addEventListener("click", () => zoomTo("fit"));
  $("#smaller").addEventListener("click", () => zoomBy(-1));
  $("#larger").addEventListener("click", () => zoomBy(1));
  window.addEventListener("resize", resize);
  // A key is a command again once a choice is made: in a list of types D would choose "directory".
  for (const field of document.querySelectorAll(".bar select, .bar input")) field.addEventListener("change", () => $("#elements").focus());
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
  listenToDrawing({ drawn: draw, clicked: toggle, rectangles: () => state.rectangles });
}

function clear() {
  change({ kinds: {}, rectangles: [], passages: [] });
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
  t: switchView,
  f: () => zoomTo("fit"),
  0: () => zoomTo(1),
  "+": () => zoomBy(1),
  "-": () => zoomBy(-1),
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

async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    tell(`Not saved: ${error.message}`, true);
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
