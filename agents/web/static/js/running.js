// The tables that run, in the list of the first page: to go back to, to join or to watch.

import { ask, chips, h, update } from "./dom.js";

const PAUSE_MS = 3000;

export class RunningTables {
  constructor() {
    this.list = h("ul", { class: "running" });
    this.element = h("section", { class: "panel", "aria-label": "Running tables", hidden: true }, h("h2", {}, "Running tables"), this.list);
    this.load();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  async load() {
    try {
      if (!document.hidden) this.draw((await ask("/api/tables")).tables);
    } catch {
      // the next time perhaps
    }
    if (!this.closed) this.timer = setTimeout(() => this.load(), PAUSE_MS);
  }

  draw(tables) {
    this.element.hidden = !tables.length;
    update(this.list, ...tables.map((table) => h("li", {},
      h("a", { href: `#/game/${table.game}` }, h("b", {}, wayIn(table)), h("span", {}, table.names.join(", "))),
      h("span", { class: "fine" }, howItStands(table)))));
  }
}

function wayIn({ yours, over, open_seats: open }) {
  if (yours) return over ? "Your last game" : "Back to your game";
  return open ? "Take a seat" : "Watch";
}

function howItStands({ mode, hand, over, waits, your_turn: turn, open_seats: open }) {
  const parts = [mode === "cash" ? "cash game" : "tournament"];
  if (over) parts.push("over");
  else if (waits) parts.push("waits for people");
  else parts.push(`hand ${chips(hand)}`);
  if (turn) parts.push("it is your turn");
  if (open) parts.push(open === 1 ? "one open seat" : `${open} open seats`);
  return parts.join(" · ");
}
