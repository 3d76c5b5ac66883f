// What may be said beforehand: what to do at the next turn, to sit out, to buy in.

import { chips, h } from "./dom.js";

const WISHES = [["check or fold", "Check or fold"], ["call any", "Call any"]];

export class Beforehand {
  /** `send(message)` is called with what the person wishes. */
  constructor(send) {
    this.send = send;
    this.wishes = WISHES.map(([wish, text]) => this.toggle(text, (on) => send({ type: "beforehand", wish: on ? wish : null })));
    this.out = this.toggle("Sit out", (on) => send({ type: "sit out", on }));
    this.buy = h("button", { type: "button", class: "quiet", onclick: () => send({ type: "buy" }) });
    this.element = h("div", { class: "beforehand", role: "group", "aria-label": "Beforehand" }, this.out, ...this.wishes, this.buy);
  }

  toggle(text, change) {
    return h("button", {
      type: "button", class: "quiet", "aria-pressed": "false",
      onclick: (event) => change(event.currentTarget.getAttribute("aria-pressed") !== "true"),
    }, text);
  }

  show({ you, table, options, house, phase, waits }, unit) {
    const over = ["game over", "failed"].includes(phase);
    this.element.hidden = you === null || over || waits;
    if (this.element.hidden) return;
    const seat = table.seats[you];
    const out = house.sits_out.includes(you);
    const waiting = !out && !options && !table.over && seat.state === "in";
    this.wishes.forEach((button, i) => {
      button.hidden = !waiting;
      button.setAttribute("aria-pressed", String(house.beforehand === WISHES[i][0]));
    });
    this.out.setAttribute("aria-pressed", String(out));
    this.buy.hidden = house.buy_in === null || (seat.stack ?? 0) >= house.buy_in;
    this.buy.textContent = `Rebuy to ${chips(house.buy_in ?? 0, unit)}`;
  }
}
