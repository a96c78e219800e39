// The elements of the page as a tree that opens as far as one asks.

import { $, el, reveal } from "./dom.js";
import { light, on, select, state } from "./state.js";

let root,
  tree,
  children,
  items,
  active = 0;

export function start() {
  root = el("ul", { class: "tree", role: "tree", "aria-label": "Elements of the page" });
  $("#panel-tree").append(root);
  root.addEventListener("keydown", keys);
  root.addEventListener("click", (event) => {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    const place = Number(item.dataset.place);
    if (event.target.closest(".twist")) toggle(place);
    activate(place);
    if (tree.first_block[place] >= 0) select(tree.first_block[place], "tree");
  });
  root.addEventListener("pointermove", (event) => {
    const item = event.target.closest("[role=treeitem]");
    light(item ? blocksOf(Number(item.dataset.place)) : []);
  });
  root.addEventListener("pointerleave", () => light([]));
  on("found", show);
  on("lit", paint);
  on("selected", ({ now, origin }) => {
    if (origin !== "tree" && now >= 0) unfoldTo(state.found.blocks[now].node);
    paint();
  });
}

function show() {
  const isSame = tree && tree.node.length === state.found.tree.node.length && items?.size;
  tree = state.found.tree;
  if (isSame && tree.label.join() === show.labels) return paint();
  show.labels = tree.label.join();
  children = tree.node.map(() => []);
  const tops = [];
  tree.parent.forEach((parent, place) => (parent < 0 ? tops : children[parent]).push(place));
  items = new Map();
  root.replaceChildren(...tops.map((place) => item(place, 1)));
  if (tree.left_out)
    root.append(el("li", { class: "hint", role: "none" }, `${tree.left_out} more elements are not shown.`));
  active = tops[0] ?? 0;
  items.get(active)?.setAttribute("tabindex", "0");
  for (let place = active, deep = 0; deep < 3; deep += 1) {
    if (!items.has(place) || !children[place].length) break;
    toggle(place, true);
    place = children[place].find((child) => tree.first_block[child] >= 0) ?? -1;
  }
  paint();
}

function item(place, level) {
  const isBranch = children[place].length > 0;
  const leaf = el(
    "div",
    {
      class: "leaf",
      role: "treeitem",
      "data-place": place,
      "aria-level": level,
      tabindex: "-1",
      "aria-expanded": isBranch ? "false" : undefined,
    },
    el("span", { class: isBranch ? "twist" : "twist none", "aria-hidden": "true" }),
    el("span", { class: "tag" }, tree.name[place]),
    el("span", { class: "label" }, tree.label[place]),
    el("span", { class: "meter", "aria-hidden": "true" }),
  );
  items.set(place, leaf);
  return el("li", { role: "none" }, leaf);
}

function toggle(place, open) {
  const here = items.get(place);
  if (!children[place].length) return;
  const isOpen = open ?? here.getAttribute("aria-expanded") !== "true";
  here.setAttribute("aria-expanded", String(isOpen));
  let group = here.parentElement.querySelector(":scope > [role=group]");
  if (isOpen && !group) {
    const level = Number(here.getAttribute("aria-level")) + 1;
    group = el(
      "ul",
      { role: "group" },
      children[place].map((child) => item(child, level)),
    );
    here.after(group);
    paint();
  }
  if (group) group.hidden = !isOpen;
}

function activate(place) {
  items.get(active)?.setAttribute("tabindex", "-1");
  active = place;
  items.get(place).setAttribute("tabindex", "0");
  items.get(place).focus({ preventScroll: true });
  reveal(items.get(place));
  light(blocksOf(place));
}

function blocksOf(place) {
  const found = [];
  const [first, last] = [tree.first_block[place], tree.last_block[place]];
  for (let block = first; block >= 0 && block <= last; block += 1) found.push(block);
  return found;
}

function keys(event) {
  const shown = [...root.querySelectorAll("[role=treeitem]")].filter((one) => !one.closest("[hidden]"));
  const here = shown.indexOf(items.get(active));
  const isOpen = items.get(active).getAttribute("aria-expanded") === "true";
  const go = (one) => one && activate(Number(one.dataset.place));
  if (event.key === "ArrowDown") go(shown[here + 1]);
  else if (event.key === "ArrowUp") go(shown[here - 1]);
  else if (event.key === "Home") go(shown[0]);
  else if (event.key === "End") go(shown.at(-1));
  else if (event.key === "ArrowRight") isOpen ? go(shown[here + 1]) : toggle(active, true);
  else if (event.key === "ArrowLeft") isOpen ? toggle(active, false) : go(items.get(tree.parent[active]));
  else if (event.key === "Enter" || event.key === " ")
    tree.first_block[active] >= 0 && select(tree.first_block[active], "tree");
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function unfoldTo(node) {
  if (!tree) return;
  const place = tree.node.indexOf(node);
  if (place < 0) return;
  const path = [];
  for (let up = tree.parent[place]; up >= 0; up = tree.parent[up]) path.unshift(up);
  for (const up of path) toggle(up, true);
  const made = items.get(place);
  if (made) reveal(made);
}

function paint() {
  if (!items) return;
  const { blocks } = state.found;
  for (const [place, made] of items) {
    const [first, last] = [tree.first_block[place], tree.last_block[place]];
    const own = first < 0 ? [] : blocks.slice(first, last + 1);
    const words = own.reduce((sum, block) => sum + block.words, 0);
    const kept = own.reduce((sum, block) => sum + block.words * block.share, 0);
    const share = words ? kept / words : 0;
    made.classList.toggle("kept", share > 0.5);
    made.classList.toggle("empty", first < 0);
    made.querySelector(".meter").style.setProperty("--share", share.toFixed(2));
    made.classList.toggle("lit", first >= 0 && first === last && state.lit.has(first));
    made.classList.toggle("selected", first >= 0 && first === last && state.selected === first);
  }
}
