// Everything that can be seen can be taken away.

import { post } from "./api.js";
import { chart } from "./curves.js";
import { $, el, save } from "./dom.js";
import { say, state } from "./state.js";

const CHOICES = [
  ["Text", () => ["txt", "text/plain", state.found.outputs.text.text]],
  ["Markdown", () => ["md", "text/markdown", state.found.outputs.markdown.text]],
  ["HTML", () => ["html", "text/html", state.found.outputs.html.text]],
  ["TEI", async () => ["xml", "application/xml", await written("tei")]],
  ["JSON", () => ["json", "application/json", JSON.stringify(state.found.result, null, 2)]],
  ["Blocks as CSV", () => ["csv", "text/csv", csv()]],
  ["First curve as SVG", () => ["svg", "image/svg+xml", chart()]],
  ["The whole inspection as JSON", () => ["inspection.json", "application/json", JSON.stringify(state.found)]],
];

export function start(share) {
  const button = $("#export-button"),
    menu = $("#export-menu");
  const close = () => {
    menu.hidden = true;
    button.setAttribute("aria-expanded", "false");
  };
  menu.append(
    el(
      "li",
      {},
      el(
        "button",
        {
          type: "button",
          onclick: () => {
            close();
            button.focus();
            share();
          },
        },
        "Link to what is shown",
      ),
    ),
    ...CHOICES.map(([name, make]) =>
      el(
        "li",
        {},
        el(
          "button",
          {
            type: "button",
            onclick: async () => {
              close();
              button.focus();
              await give(make);
            },
          },
          name,
        ),
      ),
    ),
  );
  button.addEventListener("click", () => {
    menu.hidden = !menu.hidden;
    button.setAttribute("aria-expanded", String(!menu.hidden));
    if (!menu.hidden) menu.querySelector("button").focus();
  });
  menu.addEventListener("keydown", (event) => {
    const items = [...menu.querySelectorAll("button")],
      here = items.indexOf(document.activeElement);
    if (event.key === "Escape") {
      close();
      button.focus();
    } else if (event.key === "ArrowDown") items[(here + 1) % items.length].focus();
    else if (event.key === "ArrowUp") items[(here + items.length - 1) % items.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".menu")) close();
  });
}

async function give(make) {
  if (!state.found) return;
  try {
    const [ending, type, text] = await make();
    const name =
      (state.source.name || "page")
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "")
        .slice(0, 40) || "page";
    save(`${name}.${state.method}.${ending}`, text, type);
  } catch (error) {
    say("problem", error);
  }
}

function written(format) {
  const { keep = null, drop = null, ...options } = state.options;
  return post("/api/extract", {
    html: state.source.html,
    url: state.source.url,
    method: state.method,
    options,
    keep,
    drop,
    format,
  });
}

function csv() {
  const columns = ["number", "kept", "score", "share", "name", "words", "link_words", "depth", "reason", "text"];
  const cell = (value) =>
    `"${String(value ?? "")
      .replaceAll('"', '""')
      .replace(/^([=+\-@])/, "'$1")}"`;
  return (
    [columns.join(","), ...state.found.blocks.map((block) => columns.map((name) => cell(block[name])).join(","))].join(
      "\r\n",
    ) + "\r\n"
  );
}
