// The hands of a file as a list: cards, result and pot, sorted and filtered.

import { suited } from "./cards.js";
import { chips, h, signed } from "./dom.js";
import { positionNames } from "./positions.js";

const LEAST_MISTAKE = 0.1; // big blinds, to be marked
const AT_ONCE = 200; // rows; the rest on request
const ORDERS = {
  played: ["Oldest first", (a, b) => a.index - b.index],
  newest: ["Newest first", (a, b) => b.index - a.index],
  pot: ["Biggest pot", (a, b) => (b.pot ?? 0) - (a.pot ?? 0)],
  won: ["Biggest win", (a, b) => (b.net ?? 0) - (a.net ?? 0)],
  lost: ["Biggest loss", (a, b) => (a.net ?? 0) - (b.net ?? 0)],
};
const FILTERS = {
  all: ["All hands", () => true],
  won: ["Won", ({ net }) => net > 0],
  lost: ["Lost", ({ net }) => net < 0],
  board: ["With a flop", ({ board }) => board.length > 0],
};

export class HandList {
  /** `open(index)` is called with the hand that is chosen. */
  constructor(hands, open) {
    this.hands = hands;
    this.open = open;
    this.shown = AT_ONCE;
    const choice = (label, options) => h("select", { "aria-label": label, onchange: () => { this.shown = AT_ONCE; this.draw(); } },
      ...Object.entries(options).map(([value, [text]]) => h("option", { value }, text)));
    this.player = choice("Player", Object.fromEntries(playersOf(hands).map((name) => [name, [name]])));
    this.order = choice("Order", ORDERS);
    this.filter = choice("Filter", FILTERS);
    this.rows = h("div", { class: "hands" });
    this.element = h("div", {}, h("div", { class: "hand-choice" }, this.player, this.order, this.filter), this.rows);
    this.draw();
  }

  /** Mark the hands with mistakes: their cost in big blinds, from the coach. */
  markMistakes(decisions) {
    this.costs = new Map();
    for (const { hand, cost } of decisions) this.costs.set(hand, (this.costs.get(hand) ?? 0) + cost);
    this.draw();
  }

  /** Mark the hand that is open. */
  mark(index) {
    this.current = index;
    for (const row of this.rows.querySelectorAll("[data-hand]")) {
      if (Number(row.dataset.hand) === index) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  draw() {
    const name = this.player.value;
    const rows = this.hands.map((hand, index) => {
      const seat = hand.names.indexOf(name);
      return { ...hand, index, position: positionNames(hand.players)[seat] ?? "", cards: hand.cards[seat] ?? [], net: seat < 0 || !hand.net ? null : hand.net[seat] };
    });
    const found = rows.filter(FILTERS[this.filter.value][1]).sort(ORDERS[this.order.value][1]);
    const more = found.length - this.shown;
    this.rows.replaceChildren(
      ...found.slice(0, this.shown).map((row) => this.row(row)),
      ...(found.length ? [] : [h("p", { class: "fine" }, "No matching hands.")]),
      ...(more > 0 ? [h("button", { type: "button", class: "more", onclick: () => { this.shown += AT_ONCE; this.draw(); } }, `Show ${chips(more)} more`)] : []));
    this.mark(this.current);
  }

  row({ index, number, position, cards, board, net, pot, unit }) {
    const cost = this.costs?.get(index) ?? 0;
    return h("button", { type: "button", "data-hand": String(index), onclick: () => this.open(index) },
      h("span", { class: "number" }, h("span", { class: "sr" }, "Hand "), chips(number), h("small", {}, position)),
      h("span", { class: "cards" }, h("span", {}, cards.length ? suited(cards) : "–"), board.length ? h("small", {}, suited(board)) : null),
      h("span", { class: "result" }, h("b", { class: net > 0 ? "plus" : net < 0 ? "minus" : "" }, net === null ? "–" : signed(net, unit)),
        h("small", {}, pot === null ? "incomplete" : `pot ${chips(pot, unit)}`),
        cost >= LEAST_MISTAKE ? h("small", { class: "minus" }, `mistakes ${cost.toFixed(1)} bb`) : null));
  }
}

/** All players; first those whose cards are known in most hands. */
function playersOf(hands) {
  const counts = new Map();
  for (const { names, cards } of hands) names.forEach((name, i) => counts.set(name, (counts.get(name) ?? 0) + (cards[i].length ? 1000 : 1)));
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}
