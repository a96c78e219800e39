// Tries the API: forms and examples come from the OpenAPI document, so that nothing is said twice.

import { $, el } from "/static/inspector/dom.js";

const MOST = 200_000; // characters of an answer that are shown
const EXAMPLES = {
  html: "<nav><a href='/'>Home</a></nav><article><h1>Tides</h1><p>The height of the sea was written down each day.</p></article>",
  gold: "The height of the sea was written down each day.",
  extracted: "Tides. The height of the sea was written down.",
};

let operations = [];

async function start() {
  const answer = await fetch("/api/openapi.json");
  const told = await answer.json();
  if (!answer.ok) {
    $("#status").textContent = told.detail;
    return;
  }
  operations = Object.entries(told.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, about]) => !about.parameters?.some((one) => one.required)) // there is no field for them here
      .map(([method, about]) => read(told, path, method.toUpperCase(), about)),
  );
  $("#operation").append(...operations.map((one, place) => el("option", { value: place }, `${one.method} ${one.path}`)));
  $("#operation").addEventListener("change", choose);
  $("#body").addEventListener("input", command);
  $("#body").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) $("#request").requestSubmit();
  });
  $("#request").addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  choose();
}

function read(told, path, method, about) {
  const [type = "", content = {}] = Object.entries(about.requestBody?.content ?? {})[0] ?? [];
  const schema = told.components.schemas[content.schema?.$ref?.split("/").at(-1)];
  const fields = Object.entries(schema?.properties ?? {});
  const known = Object.fromEntries(fields.filter(([name]) => name in EXAMPLES).map(([name]) => [name, EXAMPLES[name]]));
  const lines = [{ html: EXAMPLES.html, format: "text" }, { html: EXAMPLES.html, method: "bte", format: "markdown" }];
  const example = schema ? JSON.stringify(known, null, 2) : lines.map((line) => JSON.stringify(line)).join("\n");
  return { path, method, type, fields, summary: about.summary, example: type && example };
}

const chosen = () => operations[$("#operation").value];

function choose() {
  const { summary, example, type, fields } = chosen();
  $("#summary").textContent = summary;
  $("#body").value = example;
  $("#body").hidden = $("label[for=body]").hidden = $("#keys").hidden = !type;
  $("#fields").replaceChildren(
    ...fields.flatMap(([name, about]) => [
      el("dt", {}, el("code", {}, name), " ", kind(about)),
      el("dd", {}, about.description ?? "", about.enum ? el("small", {}, about.enum.join(", ")) : null),
    ]),
  );
  command();
}

function kind({ type, default: usual }) {
  const types = [type].flat().filter((one) => one !== "null");
  const isTold = usual !== null && usual !== "" && JSON.stringify(usual).length > 2;
  return el("span", {}, types.join(" or "), isTold ? `, ${usual} unless said` : "");
}

function command() {
  const { path, method, type } = chosen();
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = ['curl -H "Authorization: Bearer $TOKEN"'];
  if (type) parts.push(`-H 'Content-Type: ${type}'`, `--data-binary ${quoted($("#body").value)}`);
  parts.push(`${location.origin}${path}`);
  $("#command").textContent = parts.join(" \\\n  ");
}

async function send() {
  const { path, method, type } = chosen();
  const begin = performance.now();
  $("#status").textContent = "Waiting …";
  try {
    const request = type ? { method, headers: { "Content-Type": type }, body: $("#body").value } : { method };
    const answer = await fetch(path, request);
    const text = await answer.text();
    const answered = answer.headers.get("content-type") ?? "";
    const took = Math.round(performance.now() - begin);
    $("#status").textContent = `${answer.status} · ${answered} · ${text.length.toLocaleString("en")} characters · ${took} ms`;
    $("#answer").textContent = shown(text, answered);
    $("#answer").hidden = false;
  } catch {
    $("#status").textContent = "The service cannot be reached: is it still running?";
    $("#answer").hidden = true;
  }
}

function shown(text, type) {
  const isObject = /json(;|$)/.test(type);
  const all = isObject ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return all.length > MOST ? `${all.slice(0, MOST)}\n… (${all.length - MOST} characters more)` : all;
}

start();
