// The service, with its problem documents as errors.

export class Problem extends Error {}

async function read(response) {
  const isJson = (response.headers.get("content-type") ?? "").includes("json");
  const body = isJson ? await response.json() : await response.text();
  if (!response.ok) throw new Problem(body.detail ?? body.title ?? `the service answered ${response.status}`);
  return body;
}

async function ask(path, request) {
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("the service cannot be reached: is it still running?");
  }
  return read(response);
}

export const get = (path) => ask(path, {});

export function post(path, value, signal) {
  const body = JSON.stringify(value);
  return ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal });
}

export function postPage(path, bytes) {
  return ask(path, { method: "POST", headers: { "Content-Type": "text/html" }, body: bytes });
}
