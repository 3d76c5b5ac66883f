// Recorded hands, leafed through step by step.

import { announce, ask, chips, h, icon, toast } from "./dom.js";
import { drawLog, Tabs } from "./panels.js";
import { SolverPanel } from "./solver.js";
import { TableView } from "./table.js";
import { resultLines, verb } from "./words.js";

const STEP_MS = 900;

export class ReplayPage {
  constructor({ page, status }, name) {
    this.page = page;
    this.status = status;
    this.name = name;
    this.load();
  }

  close() {
    this.stop();
    this.closed = true;
  }

  async load() {
    try {
      this.contents = await ask(`/api/replays/${this.name}`);
    } catch (error) {
      this.page.replaceChildren(h("p", { class: "notice" }, `These hands are not here any more. `, h("a", { href: "#/" }, "Back to the tables")));
      return;
    }
    if (this.closed) return;
    this.build();
    await this.open(0);
  }

  build() {
    this.table = new TableView();
    const button = (name, title, action) => h("button", { type: "button", title, "aria-label": title, onclick: action }, icon(name));
    this.playButton = button("play", "Play", () => this.toggle());
    this.progress = h("input", { type: "range", class: "progress", min: 0, "aria-label": "Step", oninput: () => this.go(Number(this.progress.value)) });
    this.counter = h("output", {});
    this.line = h("div", { class: "turn-line" });
    const bar = h("div", { class: "replay-bar" },
      button("first", "The deal", () => this.go(0)), button("back", "A step back", () => this.go(this.at - 1)), this.playButton,
      button("on", "A step on", () => this.go(this.at + 1)), button("last", "The end of the hand", () => this.go(Infinity)),
      this.progress, this.counter);
    this.log = h("div", { class: "log" });
    this.handList = h("div", { class: "hands" }, ...this.contents.hands.map((hand, i) => h("button", {
      type: "button", onclick: () => this.open(i),
    }, h("span", {}, `Hand ${hand.number}`), h("span", { class: "fine" }, `${hand.players} players · ${hand.blinds.slice(0, 2).map((blind) => chips(blind)).join("/")}`))));
    this.solver = new SolverPanel(() => `/api/replays/${this.name}/hands/${this.hand.index}/solution`);
    this.tabs = new Tabs([["Hand", this.log], ["Solver", this.solver.element], [`All ${this.contents.hands.length} hands`, this.handList]]);
    this.page.replaceChildren(h("div", { class: "game" },
      h("div", { class: "play" }, this.table.element, h("section", { class: "controls", "aria-label": "Replay" }, this.line, bar)),
      this.tabs.element));
  }

  async open(index) {
    if (index < 0 || index >= this.contents.hands.length) return;
    try {
      this.hand = await ask(`/api/replays/${this.name}/hands/${index}`);
    } catch (error) {
      toast(error.message);
      return;
    }
    this.solver.offer(index, this.hand.steps.at(-1).board);
    this.progress.max = this.hand.steps.length - 1;
    [...this.handList.children].forEach((button, i) => {
      if (i === index) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    const level = this.hand.level ? ` · level ${this.hand.level}` : "";
    this.status.replaceChildren(h("strong", {}, this.contents.title || "Replay"),
      h("span", {}, `Hand ${this.contents.hands[index].number} (${index + 1} of ${this.contents.hands.length})${level}`));
    this.go(0);
  }

  go(step) {
    const { steps, unit } = this.hand;
    this.at = Math.max(0, Math.min(steps.length - 1, step));
    const table = steps[this.at];
    this.table.draw(table, { unit, you: null });
    drawLog(this.log, table, { unit });
    this.progress.value = this.at;
    this.counter.textContent = `${this.at} of ${steps.length - 1}`;
    const event = table.history.at(-1);
    const parts = [];
    if (event) parts.push(`${table.seats[event.seat].name} ${verb(event, table.seats[event.seat].name, unit)}.`);
    else parts.push("The cards are dealt.");
    if (table.over) parts.push(...resultLines(table, unit).map((line) => `${line.name} ${line.wins}${line.words ? ` with ${line.words}` : ""}.`));
    this.line.replaceChildren(h("b", {}, parts.join(" ")));
    announce(parts.join(" "));
    if (this.at === steps.length - 1) this.stop();
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.hand.steps.length - 1) this.go(0);
    this.timer = setInterval(() => this.go(this.at + 1), STEP_MS);
    this.playButton.replaceChildren(icon("pause"));
    this.playButton.setAttribute("aria-label", "Stop");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.playButton) {
      this.playButton.replaceChildren(icon("play"));
      this.playButton.setAttribute("aria-label", "Play");
    }
  }

  key(event) {
    if (!this.hand) return false;
    if (event.target === this.progress && event.key !== " ") return false;
    switch (event.key) {
      case "ArrowRight": this.go(this.at + 1); return true;
      case "ArrowLeft": this.go(this.at - 1); return true;
      case "Home": this.go(0); return true;
      case "End": this.go(Infinity); return true;
      case "PageDown": this.open(this.hand.index + 1); return true;
      case "PageUp": this.open(this.hand.index - 1); return true;
      case " ":
        if (event.target.matches?.("button, a, [role=tab]")) return false;
        this.toggle();
        return true;
      default: return false;
    }
  }
}
