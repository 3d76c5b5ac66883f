// Addresses of recorded hands: #/replay/NAME/HAND/STEP on this server, #/hand/TEXT/STEP with the hand in it.

/** What stands behind the "#" of an address. */
export function parseAddress(hash) {
  const [path, query = ""] = hash.split("?");
  const [, kind = "", name = "", ...rest] = path.split("/");
  const wishes = new URLSearchParams(query);
  return { kind, name, rest, tab: wishes.get("tab"), asked: (wishes.get("ask") ?? "").split(",").filter(Boolean) };
}

/** The address of a view of a recorded hand. */
export function addressOf(base, step, { tab, asked }) {
  const wishes = new URLSearchParams();
  if (tab) wishes.set("tab", tab);
  if (asked.length) wishes.set("ask", asked.join(","));
  return `${base}/${step}${wishes.size ? `?${wishes}` : ""}`;
}

/** A text, packed so that it fits into an address. */
export async function pack(text) {
  const bytes = await through(new Blob([text]), new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The text again; throws what is no such text. */
export async function unpack(packed) {
  const letters = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new Blob([bytes]), new DecompressionStream("deflate-raw")));
}

async function through(blob, stream) {
  return new Uint8Array(await new Response(blob.stream().pipeThrough(stream)).arrayBuffer());
}
