// A form made from the schema of a method's options; only what differs from the defaults is sent.

import { $, el, later } from "./dom.js";

const COMMON = {
  keep: {
    type: ["string", "null"],
    default: null,
    description: "CSS selector of elements to keep in any case",
  },
  drop: {
    type: ["string", "null"],
    default: null,
    description: "CSS selector of elements to drop in any case",
  },
};

// All methods of a kind to choose from, the default before the others.
export function choices({ methods, default: usual }) {
  const groups = { Default: methods.filter(({ name }) => name === usual), Others: methods.filter(({ name }) => name !== usual) };
  return Object.entries(groups).map(([label, some]) =>
    el(
      "optgroup",
      { label },
      some.map(({ name, summary }) => el("option", { value: name, title: summary }, name)),
    ),
  );
}

export function show(method, values, changed) {
  const form = $("#options");
  const properties = { ...(method.options.properties ?? {}), ...COMMON };
  const fields = Object.entries(properties).map(([name, schema]) =>
    field(name, schema, name in values ? values[name] : schema.default),
  );
  const reset = el("button", { type: "button", class: "plain" }, "Reset");
  reset.addEventListener("click", () => {
    show(method, {}, changed);
    changed({});
  });
  form.replaceChildren(
    el("p", { class: "about-line" }, method.summary),
    el("div", { class: "fields" }, fields),
    el("p", { class: "row end" }, reset),
  );
  form.onsubmit = (event) => event.preventDefault();
  form.oninput = later(() => {
    const found = read(properties);
    if (found) changed(found);
  }, 250);
}

function field(name, schema, value) {
  const id = `option-${name}`;
  const label = el("label", { for: id }, name.replaceAll("_", " "));
  const note = schema.description && el("small", { id: `${id}-note` }, schema.description);
  const about = { id, name, "aria-describedby": note ? `${id}-note` : undefined };
  let control;
  if (schema.enum) {
    control = el(
      "select",
      about,
      schema.enum.map((choice) => el("option", { value: choice, selected: choice === value }, choice)),
    );
  } else if (schema.type === "boolean") {
    control = el("input", { ...about, type: "checkbox", checked: Boolean(value) });
  } else if (schema.type === "number" || schema.type === "integer") {
    control = el("input", {
      ...about,
      type: "number",
      step: schema.type === "integer" ? "1" : "any",
      value: String(value),
    });
  } else {
    const text =
      value === null
        ? ""
        : Array.isArray(value)
          ? value.join(", ")
          : typeof value === "object"
            ? JSON.stringify(value)
            : String(value);
    control = el("input", {
      ...about,
      type: "text",
      value: text,
      spellcheck: "false",
      autocomplete: "off",
      placeholder: value === null ? "none" : "",
    });
  }
  return el("div", { class: `option${schema.type === "boolean" ? " check" : ""}` }, label, control, note);
}

function read(properties) {
  const found = {};
  for (const [name, schema] of Object.entries(properties)) {
    const control = $(`#option-${name}`);
    const value = valueOf(control, schema);
    control.toggleAttribute("aria-invalid", value === undefined);
    if (value === undefined) return null;
    if (JSON.stringify(value) !== JSON.stringify(schema.default)) found[name] = value;
  }
  return found;
}

function valueOf(control, schema) {
  const types = schema.anyOf ? schema.anyOf.flatMap((one) => one.type ?? "string") : [schema.type ?? "string"].flat();
  if (control.type === "checkbox") return control.checked;
  if (control.tagName === "SELECT") return control.value;
  const text = control.value.trim();
  if (text === "" && types.includes("null")) return null;
  if (types.includes("array"))
    return text
      ? text
          .split(",")
          .map((one) => one.trim())
          .filter(Boolean)
          .map((one) => (schema.items?.type === "string" ? one : Number(one)))
      : [];
  if (types.includes("number") || types.includes("integer")) {
    if (text !== "" && Number.isFinite(Number(text))) return Number(text);
    return types.includes("string") && text ? text : undefined;
  }
  return text;
}
