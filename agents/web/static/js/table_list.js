// The tables of the first page: one's own, to return to or to close, and those of others, to join or to watch.

import { fetchJson, chips, h, placeText, toast, update } from "./dom.js";

const PAUSE_MS = 3000;
const AT_ONCE = 3; // own tables; the others can be unfolded

export class TableList {
  constructor() {
    this.own = h("div", {});
    this.others = h("div", {});
    this.element = h("section", { class: "panel", "aria-label": "Running tables", hidden: true, onclick: (event) => this.clicked(event) }, this.own, this.others);
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
    const own = tables.filter((table) => table.own || table.can_close);
    const others = tables.filter((table) => !own.includes(table));
    const more = own.length - AT_ONCE;
    const unfolded = this.own.querySelector("details")?.open ?? false;
    update(this.own, ...(own.length ? [
      h("div", { class: "panel-head" }, h("h2", {}, "Your tables"),
        own.length > 1 ? h("button", { type: "button", class: "quiet", "data-close-all": "" }, `${own.every((table) => table.can_close) ? "Close" : "Leave"} all ${own.length}`) : null),
      rows(own.slice(0, AT_ONCE)),
      ...(more > 0 ? [h("details", { open: unfolded }, h("summary", {}, `${more} more`), rows(own.slice(AT_ONCE)))] : []),
    ] : []));
    update(this.others, ...(others.length ? [h("h2", {}, "Tables to join or watch"), rows(others)] : []));
  }

  /** Buttons are found by their data: `update` keeps elements, and their listeners would be those of other tables. */
  async clicked({ target }) {
    const one = target.closest("[data-close]")?.dataset.close;
    const all = target.closest("[data-close-all]") && [...this.own.querySelectorAll("[data-close]")].map((button) => button.dataset.close);
    const games = all || (one ? [one] : []);
    if (!games.length) return;
    try {
      for (const game of games) await fetchJson(`/api/games/${game}`, { method: "DELETE" });
    } catch (error) {
      toast(error.message);
    }
    this.draw((await fetchJson("/api/tables")).tables);
  }
}

function rows(tables) {
  return h("ul", { class: "table-list" }, ...tables.map((table) => h("li", {},
    h("a", { href: `#/game/${table.game}` }, h("b", {}, linkText(table)), h("span", {}, table.names.join(", "))),
    h("span", { class: "fine" }, statusText(table)),
    leaveButton(table))));
}

/** Those that one has opened are closed; at those of others, the seat is free again. */
function leaveButton({ can_close: canClose, own, game, names }) {
  const word = canClose ? "Close" : "Leave";
  return canClose || own ? h("button", { type: "button", class: "quiet", "data-close": game, "aria-label": `${word} the table of ${names.join(", ")}` }, word) : null;
}

function linkText({ own, over, open_seats: open }) {
  if (own) return over ? "Your last game" : "Back to your game";
  return open ? "Take a seat" : "Watch";
}

function statusText({ mode, hand, over, waits, own, own_turn: turn, open_seats: open, stack, place, opened_s: opened }) {
  const parts = [mode === "cash" ? "cash game" : "tournament"];
  if (over) parts.push("finished");
  else if (waits) parts.push("waiting for people");
  else parts.push(`hand ${chips(hand)}`);
  if (place) parts.push(`${placeText(place)} place`);
  else if (own) parts.push(`${chips(stack)} chips`);
  if (turn) parts.push("your turn");
  if (open) parts.push(open === 1 ? "one open seat" : `${open} open seats`);
  parts.push(`opened ${ago(opened)}`);
  return parts.join(" · ");
}

/** "5 minutes ago". */
function ago(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (!minutes) return "just now";
  const [count, unit] = minutes < 60 ? [minutes, "minute"] : [Math.floor(minutes / 60), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
