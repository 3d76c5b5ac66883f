// Opening of a table at the server, also once more when the server has lost it.

import { fetchJson, storage } from "./dom.js";

const MOST_ORIGINS = 20;

/**
 * Open a table and go there; `request` is what the server takes. Where another page opens it, `origin` is that page: its
 * `path` and the `text` and `title` of the link to it.
 */
export async function openGame(request, origin = null) {
  const { game } = await fetchJson("/api/games", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
  });
  storage.set("opened", { game, request });
  if (origin) storage.set("origins", [...origins(), { game, ...origin }].slice(-MOST_ORIGINS));
  location.href = `/#/game/${game}`;
}

/** The request with which this browser opened a table; null for tables of others. */
export function requestOf(game) {
  const opened = storage.get("opened");
  return opened?.game === game ? opened.request : null;
}

/** The page from which this browser opened a table; null if that was the first page. */
export function originOf(game) {
  return origins().find((origin) => origin.game === game) ?? null;
}

function origins() {
  return storage.get("origins", []);
}
