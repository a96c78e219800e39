// How the text differs from that of another method, and from the gold text.

import { post } from "./api.js";
import { $, el, later } from "./dom.js";
import { on, say, state } from "./state.js";

let against = "rival",
  asked = 0;

export function start() {
  const panel = $("#panel-compare");
  const choice = (value, text) =>
    el(
      "label",
      { class: "choice" },
      el("input", { type: "radio", name: "against", value, checked: value === against }),
      el("span", {}, text),
    );
  const choices = el(
    "fieldset",
    { class: "filters" },
    el("legend", { class: "unseen" }, "Compare with"),
    choice("rival", "the other method"),
    choice("gold", "a gold text"),
  );
  choices.addEventListener("change", (event) => {
    against = event.target.value;
    show();
  });
  const gold = el("textarea", {
    id: "gold",
    rows: "5",
    placeholder: "Paste the correct text",
    spellcheck: "false",
  });
  gold.addEventListener(
    "input",
    later(() => {
      state.gold = gold.value;
      show();
    }, 300),
  );
  panel.append(
    choices,
    el("div", { class: "gold-box" }, el("label", { for: "gold" }, "Gold text"), gold),
    el("div", { id: "difference", "aria-live": "polite" }),
  );
  on("found", show);
  on("tab", (name) => name === "compare" && show());
  on("source", () => {
    gold.value = state.gold;
    if (state.gold) {
      against = "gold";
      $("[name=against][value=gold]").checked = true;
    }
  });
}

async function show() {
  if ($("#panel-compare").hidden || !state.found) return;
  const box = $("#difference");
  $(".gold-box").hidden = against !== "gold";
  const number = (asked += 1);
  const { rival, result } = state.found;
  if (against === "rival" && !rival) {
    box.replaceChildren(el("p", { class: "hint" }, "Choose a second method at the top, under “Compare with”."));
    return;
  }
  if (against === "gold" && !state.gold.trim()) {
    box.replaceChildren(el("p", { class: "hint" }, "Paste a gold text, or open a page of a dataset."));
    return;
  }
  const left = against === "gold" ? state.gold : rival.text;
  const name = against === "gold" ? "gold" : rival.method;
  try {
    const { pieces, scores } = await post("/api/inspect/difference", {
      left,
      right: result.text,
      is_gold: against === "gold",
    });
    if (number !== asked) return;
    const count = (sign) =>
      pieces
        .filter(([one]) => one === sign)
        .reduce((sum, [, text]) => sum + (text.match(/[\p{L}\p{N}]+/gu) ?? []).length, 0);
    box.replaceChildren(
      el(
        "p",
        { class: "legend" },
        el("del", {}, `${count("-")} words only in ${name}`),
        el("ins", {}, `${count("+")} words only in ${result.method}`),
        el("span", {}, `${count("=")} in both`),
      ),
      against === "gold" ? table(scores) : "",
      el(
        "div",
        { class: "prose diff" },
        pieces.map(([sign, text]) => (sign === "=" ? same(text) : changed(sign, text))),
      ),
    );
  } catch (error) {
    if (number === asked) say("problem", error);
  }
}

// The white space around a change is not marked.
function changed(sign, text) {
  const [, before, words, after] = /^(\s*)(.*?)(\s*)$/s.exec(text);
  return [before, el(sign === "-" ? "del" : "ins", {}, words), after];
}

// Long stretches that both have are folded; they can be opened.
function same(text) {
  if (text.length < 900) return document.createTextNode(text);
  const start = text.slice(0, 300).replace(/\S*$/, ""),
    end = text.slice(-300).replace(/^\S*/, "");
  const fold = el(
    "button",
    { type: "button", class: "fold", title: "Show what both have here" },
    `${(text.length - start.length - end.length).toLocaleString("en")} characters in both`,
  );
  const whole = el("span", {}, start, fold, end);
  fold.addEventListener("click", () => whole.replaceChildren(text));
  return whole;
}

function table(scores) {
  const names = {
    bag: "bag of words",
    words: "words in order",
    set: "set of words",
    characters: "characters",
    shingles: "shingles",
  };
  const columns = ["precision", "recall", "f1"];
  return el(
    "table",
    { class: "scores" },
    el("caption", { class: "unseen" }, "Scores against the gold text"),
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, "measure"),
        columns.map((name) => el("th", { scope: "col" }, name === "f1" ? "F1" : name)),
      ),
    ),
    el(
      "tbody",
      {},
      Object.entries(scores).map(([name, score]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, names[name] ?? name),
          columns.map((column) => el("td", {}, score[column].toFixed(3))),
        ),
      ),
    ),
  );
}
