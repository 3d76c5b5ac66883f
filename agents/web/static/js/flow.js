// How the game goes on: the next hand or game, watching it, and how fast the others play.

import { h, icon } from "./dom.js";

const PACES = [["slow", "Slow"], ["normal", "Normal"], ["fast", "Fast"], ["max", "Fastest"]];

/** All its buttons are always there, hidden or not: a click is lost with a button that goes away under it. */
export class Flow {
  /** `send(message)` is called with what the person wishes. */
  constructor(send) {
    this.send = send;
    this.start = this.button("Start now", () => ({ type: "start" }), { class: "primary" });
    this.words = h("span", {});
    this.onward = this.button([this.words, h("kbd", { "aria-hidden": "true" }, "Space")], () => ({ type: this.onward.dataset.space }), { class: "primary" });
    this.anew = this.button("New game", () => ({ type: "again" }), { class: "primary" });
    this.skip = this.button("Skip to the end (S)", () => ({ type: "skip" }));
    this.other = h("a", { class: "button", href: "#/" }, "Other table");
    this.pause = this.button("", () => ({ type: "pause", on: !this.paused }));
    this.step = this.button("Step (N)", () => ({ type: "step" }));
    this.auto = this.button("Deal automatically", () => ({ type: "auto", on: this.auto.getAttribute("aria-pressed") !== "true" }));
    this.paces = PACES.map(([pace, text]) => this.button(text, () => ({ type: "pace", pace })));
    this.spacer = h("span", { class: "spacer" });
    this.pace = h("div", { class: "pace", role: "group", "aria-label": "Pace of the players" }, ...this.paces);
    this.parts = [this.start, this.onward, this.anew, this.skip, this.other, this.pause, this.step, this.auto, this.spacer, this.pace];
    this.element = h("div", { class: "flow" }, ...this.parts);
    this.hide();
  }

  button(content, message, more = {}) {
    return h("button", { type: "button", onclick: () => this.send(message()), ...more }, content);
  }

  show(state) {
    const { phase, host, you } = state;
    const mine = Boolean(state.options);
    const watching = !state.people_playing;
    const ended = phase === "game over" || phase === "failed";
    const anew = host && state.may_begin_anew && !ended;
    const goesOn = host && !mine && phase !== "game over" && !state.waits;
    const shown = new Map([
      [this.start, host && state.waits],
      [this.onward, host && (ended || (phase === "hand over" && !watching))],
      [this.anew, anew],
      [this.skip, host && phase === "player" && you !== null && state.table.seats[you].state === "folded"],
      [this.other, anew || ended],
      [this.pause, goesOn && watching],
      [this.step, goesOn && watching && state.paused],
      [this.auto, goesOn && !watching],
      [this.spacer, goesOn],
      [this.pace, goesOn],
    ]);
    for (const part of this.parts) part.hidden = !shown.get(part);
    this.element.hidden = this.parts.every((part) => part.hidden);
    this.words.textContent = ended ? "Next game" : "Next hand";
    this.onward.dataset.space = ended ? "again" : "next";
    if (this.paused !== state.paused) {
      this.paused = state.paused;
      this.pause.replaceChildren(icon(state.paused ? "play" : "pause"), state.paused ? "Go on" : "Pause");
    }
    this.auto.setAttribute("aria-pressed", String(state.auto));
    this.paces.forEach((button, i) => button.setAttribute("aria-pressed", String(state.pace === PACES[i][0])));
  }

  hide() {
    for (const part of this.parts) part.hidden = true;
    this.element.hidden = true;
  }

  /** The button that Space presses; null if there is nothing to go on to. */
  next() {
    return this.onward.hidden ? null : this.onward;
  }
}
