// Winnings of all players in the hands of a file, raw and variance-reduced: a graph, and the sums as a table.

import { fetchJson, chips, h, signed } from "./dom.js";
import { drawLines } from "./graph.js";
import { rateText } from "./rates.js";

export class SessionPanel {
  constructor(replay) {
    this.replay = replay;
    this.picture = h("div", {});
    this.choice = h("select", { id: "session-player", onchange: () => this.draw() });
    this.element = h("div", { class: "session" }, h("p", { class: "fine" }, "Computing …"));
  }

  /** Request it once; then only the mark moves. */
  async show(hand) {
    this.hand = hand;
    if (this.session) {
      this.draw();
      return;
    }
    if (this.requested) return;
    this.requested = true;
    let answer;
    try {
      do {
        answer = await fetchJson(`/api/replays/${this.replay}/session`);
        if (!this.element.isConnected) return;
        if (answer.done) this.element.firstElementChild.textContent = `Computing … ${chips(answer.done)} of ${chips(answer.total)} hands`;
      } while (answer.done);
    } catch (error) {
      this.element.replaceChildren(h("p", { class: "fine" }, error.message));
      this.requested = false;
      return;
    }
    this.session = answer;
    const { players, left_out: leftOut, hands } = this.session;
    if (!players.length) {
      this.element.replaceChildren(h("p", { class: "fine" }, "All hands are incomplete, so there are no winnings."));
      return;
    }
    this.choice.replaceChildren(...players.map(({ name }, i) => h("option", { value: String(i) }, name)));
    this.element.replaceChildren(
      h("h3", {}, "Winnings, raw and variance-reduced"),
      h("div", { class: "field" }, h("label", { for: "session-player" }, "Player"), this.choice),
      this.picture,
      this.table("Total winnings (chips)", (player, measure) => this.amount(player[measure].at(-1))),
      this.table("Big blinds per 100 hands, with 95% intervals", (player, measure) => player.rates[measure] ? rateText(player.rates[measure]) : ""),
      h("p", { class: "fine" }, `${hands.length ? `${chips(hands.at(-1))} hands. ` : ""}`
        + (leftOut ? `${chips(leftOut)} incomplete hands are excluded. ` : "")
        + "All-in EV: all-in pots count at the exact equities of the hands. "
        + (players[0].adjusted ? "Variance-reduced: AIVAT removes the effect of hole cards and board." : "Variance reduction needs the hole cards of all players.")));
    this.draw();
  }

  get lines() {
    const player = this.session.players[Number(this.choice.value) || 0];
    return Object.entries(this.session.measures).filter(([measure]) => player[measure]).map(([measure, name]) => ({ kind: measure, name, values: player[measure] }));
  }

  /** Winnings in the unit of the file, which may have cents. */
  amount(value) {
    const { unit } = this.session;
    return signed(Math.round(value * unit), unit);
  }

  draw() {
    const { lines } = this;
    const { name } = this.session.players[Number(this.choice.value) || 0];
    const label = `${name}, hand by hand. ${lines.map((line) => `${line.name}: ${this.amount(line.values.at(-1))}`).join("; ")}.`;
    this.picture.replaceChildren(
      drawLines({ at: this.session.hands, lines, mark: this.hand, label, unit: "hands" }),
      h("ul", { class: "legend" }, ...lines.map((line) => h("li", {}, h("span", { class: `swatch ${line.kind}`, "aria-hidden": "true" }), line.name))));
  }

  table(title, cell) {
    const measures = Object.entries(this.session.measures).filter(([measure]) => this.session.players[0][measure]);
    return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": title }, h("table", { class: "figures-table" }, h("caption", {}, title),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Player"), ...measures.map(([, name]) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...this.session.players.map((player) => h("tr", {}, h("th", { scope: "row" }, player.name),
        ...measures.map(([measure]) => h("td", {}, cell(player, measure))))))));
  }
}
