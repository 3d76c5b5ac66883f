// Groups of players in lists to choose from, by the games that they know.

import { h } from "./dom.js";

/** Option groups of the players of a lobby for which `isShown(name)`; `chosen` is selected. */
export function playerGroups(lobby, isShown, chosen) {
  const bound = new Set(Object.values(lobby.heads_up).flat());
  const groups = [
    ["Yours and champions", lobby.offered],
    ["Any table", lobby.players.filter((name) => !bound.has(name))],
    ...Object.entries(lobby.heads_up).map(([betting, names]) => [`Heads-up ${betting} only`, names]),
  ];
  return groups.map(([label, names]) => [label, names.filter(isShown)]).filter(([, names]) => names.length)
    .map(([label, names]) => h("optgroup", { label }, ...names.map((name) => h("option", { value: name, selected: name === chosen }, name))));
}

/** Whether a player can be asked about a hand of so many players; of those that the user has named it is not known. */
export function canBeAsked(lobby, name, { betting, players }) {
  if (lobby.players.includes(name) && !lobby.compiled.includes(name)) return false;
  const game = Object.entries(lobby.heads_up).find(([, names]) => names.includes(name));
  return !game || (players === 2 && game[0] === betting);
}
