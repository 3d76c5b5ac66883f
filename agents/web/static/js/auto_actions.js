// What a person may do between turns: choose to check, fold or call at the next one, sit out, rebuy, show cards.

import { chips, h } from "./dom.js";

const ACTIONS = [["check or fold", "Check or fold"], ["call any", "Call any"]];

export class AutoActions {
  /** `send(message)` is called with each request. */
  constructor(send) {
    this.send = send;
    this.actions = ACTIONS.map(([action, text]) => this.toggle(text, (on) => send({ type: "auto action", action: on ? action : null })));
    this.out = this.toggle("Sit out", (on) => send({ type: "sit out", on }));
    this.rebuy = h("button", { type: "button", class: "quiet", onclick: () => send({ type: "rebuy" }) });
    this.showCards = h("button", { type: "button", class: "quiet", onclick: () => send({ type: "show" }) }, "Show cards");
    this.element = h("div", { class: "auto-actions", role: "group", "aria-label": "Actions for your next turn" }, this.out, ...this.actions, this.rebuy, this.showCards);
  }

  toggle(text, change) {
    return h("button", {
      type: "button", class: "quiet", "aria-pressed": "false",
      onclick: (event) => change(event.currentTarget.getAttribute("aria-pressed") !== "true"),
    }, text);
  }

  show({ viewer, table, options, services, phase, waits, net }, unit) {
    const over = phase === "failed" || (phase === "game over" && !services.can_show);
    this.element.hidden = viewer === null || over || waits || Boolean(options);
    if (this.element.hidden) return;
    const seat = table.seats[viewer];
    const out = services.sits_out.includes(viewer);
    const waiting = !out && !options && !table.over && seat.state === "in";
    // Folded and all-in there is nothing to sit out, and out of the game neither.
    this.out.hidden = phase === "game over" || (!out && !waiting && !(table.over && seat.stack > 0) && seat.state !== "waiting");
    this.actions.forEach((button, i) => {
      button.hidden = !waiting;
      button.setAttribute("aria-pressed", String(services.auto_action === ACTIONS[i][0]));
    });
    this.out.setAttribute("aria-pressed", String(out));
    // When a result is shown, the next hand is dealt already: with the chips bought and won so far.
    const stack = table.over && services.buy_in !== null ? services.bought[viewer] + net[viewer] : seat.stack ?? 0;
    this.rebuy.hidden = waiting || phase === "game over" || services.buy_in === null || stack >= services.buy_in;
    this.rebuy.disabled = services.rebuys;
    this.showCards.hidden = !services.can_show;
    const text = services.rebuys ? "Will rebuy" : `Rebuy to ${chips(services.buy_in ?? 0, unit)}`;
    this.rebuy.textContent = table.over ? `${text} after the next hand` : text;
  }
}
