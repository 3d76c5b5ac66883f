// Addresses of recorded hands: #/replay/NAME/HAND/STEP on this server (HAND may be "last"), #/hand/TEXT/STEP with the hand in it.

/** The parts after the "#" of an address. */
export function parseAddress(hash) {
  const [path, search = ""] = hash.split("?");
  const [, kind = "", name = "", ...rest] = path.split("/");
  const query = new URLSearchParams(search);
  return { kind, name, rest, tab: query.get("tab"), table: query.get("table"), players: (query.get("ask") ?? "").split(",").filter(Boolean) };
}

/** The address of a view of a recorded hand. */
export function addressOf(base, step, { tab, players, table }) {
  const query = new URLSearchParams();
  if (tab) query.set("tab", tab);
  if (players.length) query.set("ask", players.join(","));
  if (table) query.set("table", table);
  return `${base}/${step}${query.size ? `?${query}` : ""}`;
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
