// Groups of players in lists to choose from, by the games that they know, the strongest first.

import { h } from "./dom.js";

/**
 * Option groups of the players of a lobby for which `isShown(name)`; `chosen` is selected. Built-in players are sorted by
 * their bench ratings in a suite, those without one after them by name; the user's own keep their order, the newest first.
 */
export function playerGroups(lobby, isShown, chosen, suite = null) {
  const bound = new Set(Object.values(lobby.heads_up).flat());
  const sorted = (names) => [...names].sort((a, b) => strength(lobby, suite, b) - strength(lobby, suite, a) || a.localeCompare(b));
  const groups = [
    ["Your players and champions", lobby.offered],
    ["Any table size", sorted(lobby.players.filter((name) => !bound.has(name)))],
    ...Object.entries(lobby.heads_up).map(([betting, names]) => [`Heads-up ${betting} only`, sorted(names)]),
  ];
  return groups.map(([label, names]) => [label, names.filter(isShown)]).filter(([, names]) => names.length)
    .map(([label, names]) => h("optgroup", { label }, ...names.map((name) => option(lobby, suite, name, chosen))));
}

function option(lobby, suite, name, chosen) {
  const rating = lobby.ratings[suite]?.[name];
  return h("option", { value: name, selected: name === chosen, title: ratingText(lobby, suite, name) }, rating ? `${name} (${whole(rating[0])})` : name);
}

function strength(lobby, suite, name) {
  return lobby.ratings[suite]?.[name]?.[0] ?? -1e9;
}

/** The suite of the bench that is nearest to a game, null for a kind of game that it does not have. */
export function suiteOf({ betting, mode, players }) {
  if (players === 2) return { "no-limit": "heads-up", "fixed-limit": "limit" }[betting] ?? null;
  if (betting !== "no-limit") return null;
  return mode === "cash" ? "six-max" : "tournament";
}

/** The bench rating of a player and its standard error; null for one that has none. */
export function ratingText(lobby, suite, name) {
  const rating = lobby.ratings[suite]?.[name];
  return rating ? `Bench rating ${whole(rating[0])} ± ${whole(Math.max(1, rating[1]))} (standard error)` : null;
}

/** What the numbers behind the names are. */
export function ratingNote(lobby, suite) {
  if (!suite) return "Players have no ratings for this game, because the bench has no suite for it.";
  return `In brackets: rating in the bench suite ${suite} (${lobby.suites[suite]}), where 0 is “random” and 100 the best reference player.`;
}

function whole(value) {
  return String(Math.round(value)).replace("-", "−");
}

/** Whether a player can be asked about a hand of so many players; of those that the user has named it is not known. */
export function canBeAsked(lobby, name, { betting, players }) {
  if (lobby.players.includes(name) && !lobby.compiled.includes(name)) return false;
  const game = Object.entries(lobby.heads_up).find(([, names]) => names.includes(name));
  return !game || (players === 2 && game[0] === betting);
}
