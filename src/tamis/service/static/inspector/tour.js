// The tour: example pages to step through, each with what to look at. It is there at /demo alone.

import { get } from "./api.js";
import { $, el } from "./dom.js";
import { on, say, state } from "./state.js";

export const isHere = location.pathname === "/demo";

let pages = [];
let opened;

export async function start(whenOpened) {
  opened = whenOpened;
  pages = await get("/static/demo/tour.json");
  $("#tour-pages").append(
    ...pages.map((page) =>
      el(
        "li",
        {},
        el("button", { type: "button", "data-example": page.name, onclick: () => go(page) }, page.kind),
      ),
    ),
  );
  $("#tour").hidden = false;
  $("#open-example").hidden = true; // there are better ones
  on("source", paint);
}

// The example of this name; the first one if there is none.
export async function example(name) {
  const page = pages.find((one) => one.name === name) ?? pages[0];
  const html = await get(`/static/demo/${page.name}.html`);
  return { html, url: page.url, title: page.title, gold: null, origin: { x: page.name } };
}

export function step(by) {
  const found = pages.findIndex((page) => page.name === state.source?.origin.x);
  const place = found < 0 && by < 0 ? 0 : found; // from a page of one's own to the last or the first
  go(pages[(place + by + pages.length) % pages.length]);
}

async function go(page) {
  try {
    opened(await example(page.name));
  } catch (error) {
    say("problem", error);
  }
}

function paint() {
  const { x: name } = state.source.origin;
  const page = pages.find((one) => one.name === name);
  for (const button of $("#tour-pages").querySelectorAll("button")) {
    const isShown = button.dataset.example === name;
    button.setAttribute("aria-current", String(isShown));
    if (isShown) button.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  $("#tour-look").textContent = page?.look ?? "Your own page. The examples are still here.";
}
