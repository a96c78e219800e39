// The state in the address: behind the hash, so that it is never sent to anyone.

const MOST = 24_000; // characters of a page that travels in the link itself, compressed

export async function write({ source, method, options, rival }, tabs) {
  const parts = new URLSearchParams();
  if (method) parts.set("m", method);
  if (Object.keys(options).length) parts.set("o", JSON.stringify(options));
  if (rival) parts.set("r", rival);
  if (tabs.length) parts.set("v", tabs.join("."));
  for (const [name, value] of Object.entries(source?.origin ?? {})) parts.set(name, value);
  if (source && !Object.keys(source.origin).length) {
    const packed = await pack(source.html);
    if (packed.length <= MOST) parts.set("z", packed);
  }
  return `#${parts}`;
}

export async function read(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  let options = {};
  try {
    options = JSON.parse(parts.get("o") ?? "{}");
  } catch {
    /* a link that was cut: the defaults will do */
  }
  const packed = parts.get("z");
  let html = null;
  try {
    html = packed ? await unpack(packed) : null;
  } catch {
    /* likewise */
  }
  return {
    method: parts.get("m") ?? "",
    options: options && typeof options === "object" ? options : {},
    rival: parts.get("r") ?? "",
    tabs: (parts.get("v") ?? "").split(".").filter(Boolean),
    url: parts.get("u"),
    dataset: parts.get("d"),
    example: parts.get("x"),
    html,
  };
}

// Whether a page that was pasted or opened from a file is in the link.
export const isWhole = (hash, source) =>
  Boolean(source && (Object.keys(source.origin).length || new URLSearchParams(hash.slice(1)).get("z")));

async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}
