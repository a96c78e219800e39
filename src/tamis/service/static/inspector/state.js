// What is shown, in one place; the panes listen and never talk to each other.

const listeners = {};

export const state = {
  source: null, // { html, url, name, gold, origin }
  method: "",
  options: {},
  rival: "",
  gold: "",
  found: null, // what /api/inspect answered
  layout: null, // what /api/inspect/layout answered, for this source
  selected: -1,
  lit: new Set(),
};

export function on(name, listener) {
  (listeners[name] ??= []).push(listener);
}

export function say(name, value) {
  for (const listener of listeners[name] ?? []) listener(value);
}

// Blocks under the pointer, in any pane.
export function light(blocks) {
  const next = new Set(blocks);
  if (next.size === state.lit.size && [...next].every((block) => state.lit.has(block))) return;
  const before = state.lit;
  state.lit = next;
  say("lit", { before, now: next });
}

// The one block whose details are shown.
export function select(block, origin = "") {
  const count = state.found?.blocks.length ?? 0;
  if (!count) return;
  const before = state.selected;
  state.selected = Math.max(-1, Math.min(block, count - 1));
  say("selected", { before, now: state.selected, origin });
}
