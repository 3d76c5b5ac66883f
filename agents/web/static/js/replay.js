// Recorded hands, leafed through step by step.

import { CoachPanel } from "./coach.js";
import { announce, fetchJson, h, icon, toast } from "./dom.js";
import { ExplainPanel } from "./explain.js";
import { HandList } from "./hand_list.js";
import { addressOf, pack, unpack } from "./links.js";
import { drawLog, Tabs } from "./panels.js";
import { SessionPanel } from "./session.js";
import { solvableStreets, SolverPanel } from "./solver.js";
import { TableView } from "./table.js";
import { resultLines, verb } from "./words.js";

const STEP_MS = 900;

const TABS = ["hand", "explain", "session", "coach", "solver", "hands"];

export class ReplayPage {
  /** `address` is what follows the "#", see `links.js`: it reopens the view that it is of. */
  constructor({ page, status }, address) {
    this.page = page;
    this.status = status;
    this.address = address;
    this.load();
  }

  close() {
    this.stop();
    this.closed = true;
  }

  async load() {
    const { kind, name, rest } = this.address;
    const [hand, step] = kind === "hand" ? [1, rest[0]] : rest;
    try {
      this.name = kind === "hand" ? await keep(name) : name;
      this.contents = await fetchJson(`/api/replays/${this.name}`);
    } catch (error) {
      const words = kind === "hand" ? `The hand in this link cannot be read: ${error.message}. ` : "These hands are no longer on the server. ";
      this.page.replaceChildren(h("p", { class: "notice" }, words, h("a", { href: "#/" }, "Back to the tables")));
      return;
    }
    if (this.closed) return;
    this.build();
    const { length } = this.contents.hands;
    await this.open(hand === "last" ? length - 1 : Math.min(number(hand, 1), length) - 1, number(step, 0));
  }

  build() {
    this.table = new TableView();
    const button = (name, title, action) => h("button", { type: "button", title, "aria-label": title, onclick: action }, icon(name));
    this.playButton = button("play", "Play", () => this.toggle());
    this.progress = h("input", { type: "range", class: "progress", min: 0, "aria-label": "Step", oninput: () => this.go(Number(this.progress.value)) });
    this.counter = h("output", {});
    this.playOn = h("a", { class: "button" }, "Play from here");
    this.line = h("div", { class: "turn-line" });
    const bar = h("div", { class: "replay-bar" },
      button("first", "Start of the hand", () => this.go(0)), button("back", "Previous step", () => this.go(this.at - 1)), this.playButton,
      button("on", "Next step", () => this.go(this.at + 1)), button("last", "End of the hand", () => this.go(Infinity)),
      this.progress, this.counter, this.backLink(), this.playOn, h("button", { type: "button", onclick: () => this.copyLink() }, "Copy link"));
    this.log = h("div", { class: "log" });
    this.handList = new HandList(this.contents.hands, (index) => this.open(index));
    const leftOut = this.contents.left_out.map((line) => h("p", { class: "fine" }, line));
    this.solver = new SolverPanel(() => `/api/replays/${this.name}/hands/${this.hand.index}/solution`);
    this.explain = new ExplainPanel(this, { players: this.address.players, changed: () => this.updateAddress() });
    this.session = new SessionPanel(this.name);
    this.coach = new CoachPanel(this, { found: (decisions) => this.handList.markMistakes(decisions) });
    this.tabs = new Tabs([["Hand", this.log], ["Explain", this.explain.element], ["Session", this.session.element],
      ["Coach", this.coach.element],
      ["Solver", this.solver.element], ["Hands", h("div", {}, ...leftOut, this.handList.element)]], { arrows: false });
    this.tabs.select(Math.max(0, TABS.indexOf(this.address.tab)));
    this.tabs.onSelect = () => this.updateAddress();
    this.page.replaceChildren(h("div", { class: "game" },
      h("div", { class: "play" }, this.table.element, h("section", { class: "controls replaying", "aria-label": "Replay" }, this.line, bar)),
      this.tabs.element));
  }

  /** The way back to the table whose hands these are. */
  backLink() {
    const { table } = this.address;
    return table ? h("a", { class: "button", href: `#/game/${table}` }, "Back to the table") : null;
  }

  /** Update the address of the view, and show the open tab. */
  updateAddress() {
    if (!this.hand) return;
    const { name, kind } = this.address;
    const base = kind === "hand" ? `#/hand/${name}` : `#/replay/${this.name}/${this.hand.index + 1}`;
    const tab = TABS[this.tabs.chosen];
    history.replaceState(null, "", addressOf(base, this.at, { table: this.address.table, tab: tab === "hand" ? "" : tab, players: tab === "explain" ? this.explain.players : [] }));
    if (tab === "explain") this.explain.show();
    if (tab === "coach") this.coach.show();
    if (tab === "session") this.session.show(this.hand.index + 1);
  }

  /** A link that holds the hand itself: it can be opened at any table, also when this one is gone. */
  async copyLink() {
    const text = await (await fetch(`/api/replays/${this.name}/hands/${this.hand.index}/hand.phhs`)).text();
    const view = location.hash.split("?")[1];
    const link = `${location.origin}${location.pathname}#/hand/${await pack(text)}/${this.at}${view ? `?${view}` : ""}`;
    try {
      await navigator.clipboard.writeText(link);
      announce("The link was copied.");
      this.line.append(h("span", { class: "fine" }, " Link copied."));
    } catch {
      prompt("Link to this view", link);
    }
  }

  async open(index, step = 0) {
    if (index < 0 || index >= this.contents.hands.length) return;
    this.wanted = index;
    const request = (this.request = {});
    let hand;
    try {
      hand = await fetchJson(`/api/replays/${this.name}/hands/${index}`);
    } catch (error) {
      if (!this.closed) toast(error.message);
      return;
    }
    if (this.closed || this.request !== request) return; // a hand has been chosen meanwhile
    this.hand = hand;
    this.solver.offer(index, solvableStreets(this.hand.steps.at(-1), this.hand.betting));
    this.progress.max = this.hand.steps.length - 1;
    this.handList.mark(index);
    const level = this.hand.level ? ` · level ${this.hand.level}` : "";
    this.status.replaceChildren(h("strong", {}, this.contents.title || "Replay"),
      h("span", {}, `Hand ${this.contents.hands[index].number} (${index + 1} of ${this.contents.hands.length})${level}`));
    this.go(step);
  }

  go(step) {
    const { steps, unit } = this.hand;
    this.at = Math.max(0, Math.min(steps.length - 1, step));
    const table = steps[this.at];
    this.table.draw(table, { unit, viewer: null });
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
    this.playOn.hidden = table.actor === null;
    this.playOn.href = `#/setup/${this.name}/${this.hand.index + 1}/${this.at}`;
    this.updateAddress();
    if (this.at === steps.length - 1) this.stop();
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.hand.steps.length - 1) this.go(0);
    this.timer = setInterval(() => this.go(this.at + 1), STEP_MS);
    this.playButton.replaceChildren(icon("pause"));
    this.playButton.setAttribute("aria-label", "Pause");
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
      case "PageDown": this.open(this.wanted + 1); return true;
      case "PageUp": this.open(this.wanted - 1); return true;
      case " ":
        if (event.target.matches?.("button, a, [role=tab]")) return false;
        this.toggle();
        return true;
      default: return false;
    }
  }
}

/** Keep the hand of a link at this server, and return its name there. */
async function keep(packed) {
  const text = await unpack(packed).catch(() => { throw new Error("the link is damaged"); });
  const { replay } = await fetchJson("/api/replays?title=A hand from a link", { method: "POST", body: text });
  return replay;
}

/** A whole number from an address. */
function number(text, otherwise) {
  return /^\d{1,6}$/.test(text) ? Math.max(Number(text), otherwise) : otherwise;
}
