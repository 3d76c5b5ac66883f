// The list of running tables on the first page: to return to, to join or to watch.

import { fetchJson, chips, h, toast, update } from "./dom.js";

const PAUSE_MS = 3000;

export class TableList {
  constructor() {
    this.list = h("ul", { class: "table-list", onclick: (event) => this.clicked(event) });
    this.element = h("section", { class: "panel", "aria-label": "Running tables", hidden: true }, h("h2", {}, "Running tables"), this.list);
    this.load();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  async load() {
    try {
      if (!document.hidden) this.draw((await fetchJson("/api/tables")).tables);
    } catch {
      // the next time perhaps
    }
    if (!this.closed) this.timer = setTimeout(() => this.load(), PAUSE_MS);
  }

  draw(tables) {
    this.element.hidden = !tables.length;
    update(this.list, ...tables.map((table) => h("li", {},
      h("a", { href: `#/game/${table.game}` }, h("b", {}, linkText(table)), h("span", {}, table.names.join(", "))),
      h("span", { class: "fine" }, statusText(table)),
      ...(table.can_close ? [h("button", { type: "button", class: "quiet", "data-close": table.game, "aria-label": `Close the table of ${table.names.join(", ")}` }, "Close")] : []))));
  }

  /** Buttons are found by their data: `update` keeps elements, and their listeners would be those of other tables. */
  async clicked(event) {
    const game = event.target.closest("[data-close]")?.dataset.close;
    if (!game) return;
    try {
      await fetchJson(`/api/games/${game}`, { method: "DELETE" });
    } catch (error) {
      toast(error.message);
    }
    this.draw((await fetchJson("/api/tables")).tables);
  }
}

function linkText({ own, over, open_seats: open }) {
  if (own) return over ? "Your last game" : "Back to your game";
  return open ? "Take a seat" : "Watch";
}

function statusText({ mode, hand, over, waits, own_turn: turn, open_seats: open }) {
  const parts = [mode === "cash" ? "cash game" : "tournament"];
  if (over) parts.push("finished");
  else if (waits) parts.push("waiting for people");
  else parts.push(`hand ${chips(hand)}`);
  if (turn) parts.push("your turn");
  if (open) parts.push(open === 1 ? "one open seat" : `${open} open seats`);
  return parts.join(" · ");
}
