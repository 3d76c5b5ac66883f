// Opening of a table at the server, also once more when the server has lost it.

import { fetchJson, storage } from "./dom.js";

/** Open a table and go there; `request` is what the server takes. */
export async function openGame(request) {
  const { game } = await fetchJson("/api/games", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
  });
  storage.set("opened", { game, request });
  location.hash = `#/game/${game}`;
}

/** The request with which this browser opened a table; null for tables of others. */
export function requestOf(game) {
  const opened = storage.get("opened");
  return opened?.game === game ? opened.request : null;
}
