// The inspector: puts the parts together, and asks the service when something changes.

import { get, post } from "./api.js";
import * as blocks from "./blocks.js";
import * as compare from "./compare.js";
import * as curves from "./curves.js";
import { $, $$, el } from "./dom.js";
import * as exporting from "./exporting.js";
import * as opening from "./opening.js";
import * as options from "./options.js";
import * as output from "./output.js";
import * as page from "./page.js";
import * as permalink from "./permalink.js";
import * as regions from "./regions.js";
import { on, say, select, state } from "./state.js";
import * as theme from "./theme.js";
import * as tour from "./tour.js";
import * as tree from "./tree.js";

let waiting = null,
  isNew = false; // the page was opened just now

async function start() {
  theme.start();
  [page, blocks, tree, curves, output, compare].forEach((part) => part.start());
  exporting.start(share);
  on("problem", problem);
  tabs();
  shortcuts();
  opening.start(open);
  $("#method").addEventListener("change", () => {
    state.method = $("#method").value;
    state.options = {};
    form();
    run();
  });
  $("#rival").addEventListener("change", () => {
    state.rival = $("#rival").value;
    run();
  });
  $("#options-button").addEventListener("click", fold);
  $("#share-button").addEventListener("click", share);
  $("#help-button").addEventListener("click", () => $("#help-dialog").showModal());
  document.addEventListener("render", () => lay(true));
  document.addEventListener("segment", () => {
    $("#problem").hidden = true;
    tell();
    lay();
  });
  addEventListener("hashchange", () => location.hash !== written && location.reload());
  const link = await permalink.read(location.hash);
  Object.assign(state, { method: link.method, options: link.options, rival: link.rival });
  for (const name of link.tabs) choose(`tab-${name}`);
  // The page comes first: the list of methods takes longer to make when the service has just been started.
  await Promise.race([first(link), new Promise((done) => setTimeout(done, 500))]);
  try {
    learn(await get("/api/methods"));
  } catch (error) {
    problem(error);
  }
}

async function first(link) {
  const example = () => (tour.isHere ? tour.example(link.example) : opening.fromExample());
  try {
    if (tour.isHere) await tour.start(open);
    if (link.html !== null) await open({ html: link.html, url: null, title: "pasted page", gold: null, origin: {} });
    else if (link.url) await open(await opening.fromAddress(link.url));
    else if (link.dataset)
      await open(
        await opening.fromDataset(
          link.dataset.slice(0, link.dataset.lastIndexOf(":")),
          Number(link.dataset.split(":").at(-1)),
        ),
      );
    else await open(await example());
  } catch (error) {
    problem(error);
    await open(await example(), true);
  }
}

function learn(methods) {
  state.methods = methods;
  regions.start(methods);
  const names = methods.extractors.methods.map((method) => method.name);
  const choices = () => options.choices(methods.extractors);
  $("#method").replaceChildren(...choices());
  $("#rival").append(...choices());
  const isKnown = (name) => !name || names.includes(name);
  const isBroken = !isKnown(state.method) || !isKnown(state.rival);
  if (!isKnown(state.method)) Object.assign(state, { method: "", options: {} });
  if (!isKnown(state.rival)) state.rival = "";
  state.method ||= methods.extractors.default;
  $("#method").value = state.method;
  $("#rival").value = state.rival;
  form();
  if (isBroken) run();
  else if (state.found) {
    say("methods");
    lay();
  }
}

function open(found, keepsProblem = false) {
  state.source = { html: found.html, url: found.url, name: found.title || found.url || "page", origin: found.origin };
  state.gold = found.gold ?? "";
  state.selected = -1;
  state.layout = null;
  isNew = true;
  $("#source-name").textContent = state.source.name;
  $("#open-button").title = found.url ?? "";
  for (const panel of $$(".panel")) panel.scrollTop = 0;
  say("source");
  return run(keepsProblem);
}

async function run(keepsProblem = false) {
  if (!state.source) return;
  waiting?.abort();
  const mine = (waiting = new AbortController());
  document.body.setAttribute("aria-busy", "true");
  const { html, url } = state.source;
  try {
    const found = await post(
      "/api/inspect",
      { html, url, method: state.method || undefined, options: state.options, rival: state.rival },
      mine.signal,
    );
    if (!keepsProblem) $("#problem").hidden = true;
    const count = state.found?.blocks.length;
    state.found = found;
    state.method ||= found.method;
    if (!state.methods) $("#method").replaceChildren(el("option", {}, found.method)); // the others come soon
    if (count !== found.blocks.length) {
      state.layout = null;
      if (state.selected >= found.blocks.length) state.selected = -1;
    }
    say("found");
    if (isNew) select(found.blocks.findIndex((block) => block.kept));
    isNew = false;
    tell();
    remember();
    lay();
  } catch (error) {
    if (error.name !== "AbortError") problem(error);
  } finally {
    if (mine === waiting) document.body.removeAttribute("aria-busy");
  }
}

function tell() {
  const { blocks: all, result, seconds, page: read } = state.found;
  const kept = all.filter((block) => block.kept);
  const words = (some) => some.reduce((sum, block) => sum + block.words * block.share, 0);
  const total = all.reduce((sum, block) => sum + block.words, 0);
  const parts = [
    `${kept.length} of ${all.length} blocks kept`,
    total ? `${Math.round((100 * words(all)) / total)} % of ${total.toLocaleString("en")} words` : "",
    `${(seconds * 1000).toFixed(1)} ms`,
    result.metadata.page_type ? `page type: ${result.metadata.page_type}` : "",
    result.status === "ok" ? "" : result.status,
    read.encoding ?? "",
    state.found.view.complete ? "" : "only the beginning of the page is drawn",
    ...result.warnings,
  ];
  $("#status").textContent = parts.filter(Boolean).join(" · ");
  const count = Object.keys(state.options).length;
  $("#options-count").textContent = count;
  $("#options-count").hidden = !count;
}

// The layout is asked for when something shows it.
async function lay(rendered = false, withRegions = true) {
  if (!state.methods) return; // it comes soon, and with it the segmenters
  const isSeen = !$("#panel-layout").hidden || !$("#panel-regions").hidden;
  if (!isSeen || !state.found) return;
  const wants = rendered || Boolean(state.layout && !state.layout.estimated);
  const segmenter = withRegions && !$("#panel-regions").hidden ? state.segmenter : "";
  const key = `${segmenter || state.layout?.segmenter}|${wants}|${state.found.blocks.length}`;
  if (state.layout?.key === key && !rendered) return say("layout");
  document.body.setAttribute("aria-busy", "true");
  try {
    const { html, url } = state.source;
    const found = await post("/api/inspect/layout", {
      html,
      url,
      rendered: wants,
      revealed: state.found.page.revealed,
      segmenter,
    });
    state.layout = { ...found, key };
    say("layout");
  } catch (error) {
    problem(error);
    if (segmenter) lay(false, false); // a segmenter that fails does not take the boxes with it
  } finally {
    document.body.removeAttribute("aria-busy");
  }
}

function problem(error) {
  $("#problem").textContent = error.message;
  $("#problem").hidden = false;
  $("#status").textContent = "";
}

function form() {
  const method = state.methods.extractors.methods.find((one) => one.name === state.method);
  options.show(method, state.options, (values) => {
    state.options = values;
    run();
  });
}

function fold() {
  const box = $("#options");
  box.hidden = !box.hidden;
  $("#options-button").setAttribute("aria-expanded", String(!box.hidden));
  if (!box.hidden) box.querySelector("input, select")?.focus();
}

let written = "";

async function remember() {
  const views = $$("[role=tab][aria-selected=true]")
    .map((tab) => tab.id.slice(4))
    .filter((name) => !["look", "blocks", "text"].includes(name));
  written = await permalink.write(state, views);
  history.replaceState(null, "", written);
}

async function share() {
  await remember();
  const isWhole = permalink.isWhole(written, state.source);
  try {
    await navigator.clipboard.writeText(location.href);
    $("#status").textContent = isWhole
      ? "The link is in the clipboard."
      : "The link is in the clipboard, without the page, which is too long for it.";
  } catch {
    $("#status").textContent = "The link is in the address bar.";
  }
}

// Tabs of the panes, and on small screens the panes themselves.

function tabs() {
  for (const list of $$("[role=tablist]")) {
    const all = $$("[role=tab]", list);
    all.forEach((tab, place) => {
      tab.addEventListener("click", () => choose(tab.id));
      tab.addEventListener("keydown", (event) => {
        const next = { ArrowRight: place + 1, ArrowLeft: place - 1 + all.length, Home: 0, End: all.length - 1 }[
          event.key
        ];
        if (next === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        choose(all[next % all.length].id);
        all[next % all.length].focus();
      });
    });
    choose(all[0].id);
  }
  for (const button of $$(".pane-tabs button"))
    button.addEventListener("click", () => {
      pane(button.dataset.pane);
      if (state.selected >= 0) select(state.selected, "tab");
    });
  // On a small screen the details of a block are seen from every pane.
  const small = matchMedia("(max-width: 60rem)");
  const dock = () => (small.matches ? $(".pane-tabs").before($("#details")) : $("#structure").append($("#details")));
  small.addEventListener("change", dock);
  dock();
}

function choose(id) {
  const tab = document.getElementById(id);
  if (!tab) return;
  for (const other of $$("[role=tab]", tab.parentElement)) {
    const isChosen = other === tab;
    other.setAttribute("aria-selected", String(isChosen));
    other.tabIndex = isChosen ? 0 : -1;
    document.getElementById(other.getAttribute("aria-controls")).hidden = !isChosen;
  }
  say("tab", id.slice(4));
  if (!state.found) return;
  if (id === "tab-layout" || id === "tab-regions") lay();
  if (state.selected >= 0) select(state.selected, "tab");
  remember();
}

function pane(name) {
  $(".panes").dataset.pane = name;
  for (const button of $$(".pane-tabs button"))
    button.setAttribute("aria-pressed", String(button.dataset.pane === name));
}

const KEYS = [
  [["j", "ArrowDown"], "the next block", () => blocks.step(1)],
  [["k", "ArrowUp"], "the block before", () => blocks.step(-1)],
  [["n"], "the next block that is kept", () => blocks.step(1, (block) => block.kept)],
  [["d"], "the next block that is disputed", () => blocks.step(1, disputed)],
  [["o"], "open a page", () => opening.show()],
  [["m"], "choose the method", () => $("#method").focus()],
  [["p"], "show or hide the options", fold],
  [["1"], "the page", () => go("page")],
  [["2"], "the structure", () => go("structure")],
  [["3"], "the output", () => go("output")],
  [["c"], "curves", () => show("curves")],
  [["b"], "blocks", () => show("blocks")],
  ...(tour.isHere
    ? [
        [["]"], "the next example", () => tour.step(1)],
        [["["], "the example before", () => tour.step(-1)],
      ]
    : []),
  [["l"], "copy a link to what is shown", share],
  [["t"], "light, dark, or as the system says", () => theme.turn()],
  [["Escape"], "choose no block", () => select(-1)],
  [["?"], "this list", () => $("#help-dialog").showModal()],
];

function disputed(block) {
  const share = state.found.rival?.shares?.[block.number];
  return share !== undefined && share > 0.5 !== block.kept;
}

function show(name) {
  choose(`tab-${name}`);
  go(document.getElementById(`tab-${name}`).closest(".pane").id);
}

function go(name) {
  pane(name);
  $(`#${name} [role=tab][aria-selected=true]`).focus();
}

function shortcuts() {
  const names = { ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" };
  $("#shortcuts").append(
    ...KEYS.map(([keys, text]) =>
      el(
        "div",
        {},
        el(
          "dt",
          {},
          keys.map((key) => el("kbd", {}, names[key] ?? key)),
        ),
        el("dd", {}, text),
      ),
    ),
  );
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
    if (event.target.matches("input, textarea, select") || (event.target.closest(".menu") && event.key !== "Escape"))
      return;
    if (event.key.startsWith("Arrow") && event.target.closest(".panel, .details")) return; // there arrows scroll
    const found = KEYS.find(([keys]) => keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    found[2]();
  });
}

start();
