// Light, dark, or as the system says; remembered.

import { $ } from "./dom.js";

const ORDER = ["system", "light", "dark"];
const SIGNS = { system: "◐", light: "○", dark: "●" };

export function start() {
  set(stored());
  $("#theme-button").addEventListener("click", turn);
}

export function turn() {
  set(ORDER[(ORDER.indexOf(stored()) + 1) % ORDER.length]);
}

function set(name) {
  document.documentElement.dataset.theme = name;
  const button = $("#theme-button");
  button.textContent = SIGNS[name];
  button.setAttribute("aria-label", `Colours: ${name}`);
  button.title = `Colours: ${name}`;
  try {
    localStorage.setItem("theme", name);
  } catch {
    /* storage may be forbidden; the choice lasts for this page */
  }
}

function stored() {
  const here = document.documentElement.dataset.theme;
  if (here) return here;
  try {
    return ORDER.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "system";
  } catch {
    return "system";
  }
}
