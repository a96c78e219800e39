// Where pages come from: an address, a file, the clipboard, a dataset.

import { post, postPage } from "./api.js";
import { $, el } from "./dom.js";

const SCHEME = "https:"; // of a URL that was typed without one
const HOST = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/;  // what people type where a scheme is missing

let opened;

export function start(whenOpened) {
  opened = whenOpened;
  const dialog = $("#open-dialog");
  $("#open-button").addEventListener("click", show);
  submit("#open-address", async () => {
    const typed = $("#address").value.trim();
    const url = HOST.test(typed) ? `${SCHEME}//${typed}` : typed;
    return { ...(await post("/api/inspect/open", { url })), origin: { u: url } };
  });
  submit("#open-paste", async () => ({
    html: $("#paste").value,
    url: null,
    title: "pasted page",
    gold: null,
    origin: {},
  }));
  submit("#open-dataset", async () => fromDataset($("#dataset").value, Number($("#sample").value)));
  $("#file").addEventListener("change", () => $("#file").files[0] && guarded(() => fromFile($("#file").files[0])));
  $("#open-example").addEventListener("click", () => guarded(fromExample));
  $("#dataset").addEventListener("change", list);
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) guarded(() => fromFile(file));
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

export function show() {
  $("#open-problem").hidden = true;
  $("#open-dialog").showModal();
  $("#address").focus();
  if (!$("#dataset").options.length) datasets();
}

export async function fromFile(file) {
  const page = await postPage("/api/inspect/open", await file.arrayBuffer());
  return { ...page, title: file.name, origin: {} };
}

export async function fromExample() {
  const html = await (await fetch("/static/inspector/example.html")).text();
  return { html, url: "https://courier.example/archive/ferry", title: "An example", gold: null, origin: { x: "1" } };
}

export async function fromDataset(name, position) {
  return { ...(await post("/api/inspect/datasets", { name, position })), origin: { d: `${name}:${position}` } };
}

export async function fromAddress(url) {
  return { ...(await post("/api/inspect/open", { url })), origin: { u: url } };
}

function submit(selector, work) {
  $(selector).addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(work);
  });
}

async function guarded(work) {
  const dialog = $("#open-dialog");
  dialog.setAttribute("aria-busy", "true");
  $("#open-problem").hidden = true;
  try {
    const page = await work();
    dialog.close();
    $("#file").value = "";
    opened(page);
  } catch (error) {
    if (!dialog.open) dialog.showModal();
    $("#open-problem").textContent = error.message;
    $("#open-problem").hidden = false;
  } finally {
    dialog.removeAttribute("aria-busy");
  }
}

async function datasets() {
  try {
    const { datasets: names } = await post("/api/inspect/datasets", {});
    $("#open-dataset").hidden = !names.length;
    $("#dataset").replaceChildren(
      el("option", { value: "" }, "choose …"),
      ...names.map((name) => el("option", { value: name }, name)),
    );
  } catch {
    $("#open-dataset").hidden = true; // no data folder, or the extra is missing
  }
}

async function list() {
  const name = $("#dataset").value;
  const choice = $("#sample");
  choice.disabled = $("#open-dataset button").disabled = true;
  choice.replaceChildren();
  if (!name) return;
  try {
    const { pages } = await post("/api/inspect/datasets", { name });
    if (name !== $("#dataset").value) return;
    choice.replaceChildren(
      ...pages.map(({ id, type }, place) =>
        el("option", { value: place }, `${place + 1}. ${id.slice(0, 60)}${type ? ` · ${type}` : ""}`),
      ),
    );
    choice.disabled = $("#open-dataset button").disabled = !pages.length;
  } catch (error) {
    $("#open-problem").textContent = error.message;
    $("#open-problem").hidden = false;
  }
}
