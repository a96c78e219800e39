// Building elements. Words of inspected pages go in as text nodes only, never as markup.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

export function el(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

export function svg(name, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, name), properties, children);
}

function fill(element, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export function later(work, milliseconds) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}

// Scrolls inside the nearest scrolling panel only, never the whole window.
export function reveal(element) {
  const panel = element.closest(".panel");
  if (!panel || panel.hidden) return;
  const inner = element.getBoundingClientRect();
  const outer = panel.getBoundingClientRect();
  if (inner.top < outer.top + 8 || inner.bottom > outer.bottom - 8) {
    panel.scrollTop += inner.top - outer.top - Math.max(8, (outer.height - inner.height) / 3);
  }
}

export function save(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
