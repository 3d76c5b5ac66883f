// What everybody won in the hands of a file, with and without luck: a graph, and the sums as a table.

import { ask, chips, h, signed } from "./dom.js";
import { drawLines } from "./graph.js";

export class SessionPanel {
  constructor(replay) {
    this.replay = replay;
    this.picture = h("div", {});
    this.choice = h("select", { id: "session-player", onchange: () => this.draw() });
    this.element = h("div", { class: "session" }, h("p", { class: "fine" }, "Counting …"));
  }

  /** Ask once; then only the mark moves. */
  async show(hand) {
    this.hand = hand;
    if (this.told) {
      this.draw();
      return;
    }
    if (this.asked) return;
    this.asked = true;
    try {
      this.told = await ask(`/api/replays/${this.replay}/session`);
    } catch (error) {
      this.element.replaceChildren(h("p", { class: "fine" }, error.message));
      this.asked = false;
      return;
    }
    const { players, left_out: leftOut, hands } = this.told;
    if (!players.length) {
      this.element.replaceChildren(h("p", { class: "fine" }, "These hands break off: nothing was won."));
      return;
    }
    this.choice.replaceChildren(...players.map(({ name }, i) => h("option", { value: String(i) }, name)));
    this.element.replaceChildren(
      h("h3", {}, "What was won, with and without luck"),
      h("div", { class: "field" }, h("label", { for: "session-player" }, "Player"), this.choice),
      this.picture,
      this.sums(),
      h("p", { class: "fine" }, `${hands.length ? `${chips(hands.at(-1))} hands. ` : ""}`
        + (leftOut ? `${chips(leftOut)} that break off are left out. ` : "")
        + "All-in pots are expected to pay the exact shares of the hands. "
        + (players[0].fair ? "Without luck: AIVAT takes out what hole cards and board brought." : "Where all hole cards are known, the luck of all cards is taken out as well.")));
    this.draw();
  }

  get lines() {
    const player = this.told.players[Number(this.choice.value) || 0];
    return Object.entries(this.told.ways).filter(([way]) => player[way]).map(([way, name]) => ({ kind: way, name, values: player[way] }));
  }

  draw() {
    const { lines } = this;
    const { name } = this.told.players[Number(this.choice.value) || 0];
    const label = `${name}, hand after hand. ${lines.map((line) => `${line.name}: ${signed(Math.round(line.values.at(-1)))}`).join("; ")}.`;
    this.picture.replaceChildren(
      drawLines({ at: this.told.hands, lines, mark: this.hand, label, unit: "hands" }),
      h("ul", { class: "legend" }, ...lines.map((line) => h("li", {}, h("span", { class: `swatch ${line.kind}`, "aria-hidden": "true" }), line.name))));
  }

  sums() {
    const ways = Object.entries(this.told.ways).filter(([way]) => this.told.players[0][way]);
    return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Chips at the end" }, h("table", { class: "figures-table" }, h("caption", {}, "Chips at the end"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Player"), ...ways.map(([, name]) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...this.told.players.map((player) => h("tr", {}, h("th", { scope: "row" }, player.name),
        ...ways.map(([way]) => h("td", {}, signed(Math.round(player[way].at(-1))))))))));
  }
}
