// The range of the player to act in a replay, if it were another one, and what that one does with each hand.

import { drawActionGrid } from "./beliefs.js";
import { fetchJson, h } from "./dom.js";

export class PlayerRanges {
  /** `page` has `name`, `hand` (with `index` and `steps`) and `at`. */
  constructor(page) {
    this.page = page;
    this.grids = new Map(); // of the hand, by player and step
    this.isOpen = false;
  }

  /** The grid, computed once it is unfolded. */
  draw(player) {
    const { name: replay, hand: { index, steps }, at } = this.page;
    if (this.index !== index) this.grids.clear();
    this.index = index;
    const { name } = steps[at].seats[steps[at].actor];
    const box = h("div", {});
    return h("details", { class: "player-range", ontoggle: async ({ target }) => {
      this.isOpen = target.open;
      if (!target.open || box.childElementCount) return;
      box.replaceChildren(h("p", { class: "fine" }, "Computing …"));
      const key = `${player} ${at}`;
      const address = `/api/replays/${replay}/hands/${index}/range?player=${encodeURIComponent(player)}&step=${at}`;
      const grid = this.grids.get(key) ?? await fetchJson(address).catch((error) => error);
      if (this.index !== index) return;
      if (!(grid instanceof Error)) this.grids.set(key, grid);
      box.replaceChildren(grid instanceof Error ? h("p", { class: "fine" }, grid.message) : drawActionGrid(grid, `Range of ${name || "the player"} by ${player}`));
    }, open: this.isOpen }, h("summary", {}, `The range of ${name || "this player"}, by ${player}`), box);
  }
}
