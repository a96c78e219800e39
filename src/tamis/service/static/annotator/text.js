// The page as text: what is selected in it is main content, or not, letter by letter.

import { $, $$, el } from "/static/inspector/dom.js";

let blocks = [];

export function fillText(found) {
  blocks = found;
}

// Texts of main elements are tinted as a whole, passages by themselves; lookOf(node) names the class of an element.
export function showText(passages, lookOf) {
  $("#text").replaceChildren(
    ...blocks.map(({ node, pieces }) => el("p", { "data-node": node, class: lookOf(node) }, pieces.flatMap((piece) => parts(...piece, passages)))),
  );
}

function parts(start, text, passages) {
  const letters = [...text]; // places in a page count letters, not the halves that strings here are made of
  const inside = passages.filter(([from, to]) => from < start + letters.length && to > start);
  const cuts = [0, ...inside.flat().map((place) => Math.min(Math.max(place - start, 0), letters.length)), letters.length];
  return cuts.slice(1).map((end, number) => {
    const name = number % 2 ? "mark" : "span";
    return el(name, { "data-start": start + cuts[number] }, letters.slice(cuts[number], end).join(""));
  });
}

// What is selected, as ranges of the text of the page.
export function selection() {
  const chosen = document.getSelection();
  if (!chosen.rangeCount || chosen.isCollapsed) return [];
  const range = chosen.getRangeAt(0);
  const length = (text) => [...text].length;
  return $$("#text [data-start]").flatMap((piece) => {
    const text = piece.firstChild;
    if (!text || !range.intersectsNode(text)) return [];
    const from = range.startContainer === text ? range.startOffset : 0;
    const to = range.endContainer === text ? range.endOffset : text.length;
    const start = Number(piece.dataset.start) + length(text.data.slice(0, from));
    return from < to ? [[start, start + length(text.data.slice(from, to))]] : [];
  });
}
