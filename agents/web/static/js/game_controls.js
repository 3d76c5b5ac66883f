// Controls of the game: the next hand or game, pause and step, and the pace of the other players.

import { h, icon } from "./dom.js";

const PACES = [["slow", "Slow"], ["normal", "Normal"], ["fast", "Fast"], ["max", "Fastest"]];

/**
 * All its buttons are always there, hidden or not: a click is lost with a button that goes away under it. Each has one
 * place: the main ones share the first, and after it no two that are shown together change places.
 */
export class GameControls {
  /** `send(message)` is called with each request. */
  constructor(send) {
    this.send = send;
    this.start = this.button("Start now", () => ({ type: "start" }), { class: "primary" });
    this.words = h("span", {});
    this.nextButton = this.button([this.words, h("kbd", { "aria-hidden": "true" }, "Space")], () => ({ type: this.nextButton.dataset.space }), { class: "primary" });
    this.restart = this.button("New game", () => ({ type: "new game" }), { class: "primary" });
    this.skip = this.button(["Skip to end", h("kbd", { "aria-hidden": "true" }, "S")], () => ({ type: "skip" }));
    this.lobbyLink = h("a", { class: "button", href: "#/" }, "All tables");
    this.pause = this.button("", () => ({ type: "pause", on: !this.paused }));
    this.step = this.button("Step (N)", () => ({ type: "step" }));
    this.auto = this.button("Auto deal", () => ({ type: "auto deal", on: this.auto.getAttribute("aria-pressed") !== "true" }));
    this.paces = PACES.map(([pace, text]) => this.button(text, () => ({ type: "pace", pace })));
    this.pace = h("div", { class: "pace", role: "group", "aria-label": "Playing speed" }, ...this.paces);
    // The same in a small space: each press takes the next pace.
    this.chevrons = h("span", { "aria-hidden": "true" });
    this.nextPace = this.button(this.chevrons, () => ({ type: "pace", pace: PACES[(this.paceAt + 1) % PACES.length][0] }), { class: "next-pace" });
    this.parts = [this.start, this.nextButton, this.restart, this.auto, this.pause, this.lobbyLink, this.step, this.skip, this.pace, this.nextPace];
    const main = h("span", { class: "main-place" }, this.start, this.nextButton, this.restart);
    this.element = h("div", { class: "game-controls" }, main, this.auto, this.pause, this.lobbyLink, this.step, this.skip);
    this.paceElement = h("div", { class: "pace-place" }, this.pace, this.nextPace);
    for (const part of this.parts) part.hidden = true;
  }

  button(content, message, more = {}) {
    return h("button", { type: "button", onclick: () => this.send(message()), ...more }, content);
  }

  show(state) {
    const { phase, controls, viewer } = state;
    const mine = Boolean(state.options);
    const watching = !state.humans_playing;
    const ended = phase === "game over" || phase === "failed";
    const restart = controls && state.can_restart && !ended;
    const isPlayed = phase !== "game over" && !state.waits;
    const hasPace = isPlayed && state.sets_pace;
    const isRunning = isPlayed && !mine;
    const shown = new Map([
      [this.start, controls && state.waits],
      [this.nextButton, controls && (ended || (phase === "hand over" && !watching))],
      [this.restart, restart],
      [this.skip, controls && phase === "player" && viewer !== null && state.table.seats[viewer].state === "folded"],
      [this.lobbyLink, restart || ended],
      [this.pause, controls && isRunning && watching],
      [this.step, controls && isRunning && watching && state.paused],
      [this.auto, hasPace && isRunning && !watching],
      [this.pace, hasPace],
      [this.nextPace, hasPace],
    ]);
    for (const part of this.parts) part.hidden = !shown.get(part);
    this.element.hidden = mine;
    this.words.textContent = ended ? "Next game" : "Next hand";
    this.nextButton.dataset.space = ended ? "new game" : "next hand";
    if (this.paused !== state.paused) {
      this.paused = state.paused;
      this.pause.replaceChildren(icon(state.paused ? "play" : "pause"), state.paused ? "Resume" : "Pause");
    }
    this.auto.setAttribute("aria-pressed", String(state.auto_deal));
    this.paceAt = PACES.findIndex(([pace]) => pace === state.pace);
    this.chevrons.textContent = "›".repeat(this.paceAt + 1);
    this.nextPace.title = `Playing speed: ${PACES[this.paceAt][1]}`;
    this.nextPace.setAttribute("aria-label", this.nextPace.title);
    this.paces.forEach((button, i) => button.setAttribute("aria-pressed", String(state.pace === PACES[i][0])));
  }

  /** The button that Space presses; null if it is hidden. */
  next() {
    return this.nextButton.hidden ? null : this.nextButton;
  }
}
