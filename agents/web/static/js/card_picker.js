// A grid of all cards below a field in which cards are typed: it fills the field that has the focus.

import { cardName, inline } from "./cards.js";
import { h } from "./dom.js";

const SUITS = ["s", "h", "d", "c"];
const RANKS = [..."AKQJT98765432"];
const DECK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
const CARD = /(10|[2-9TJQKA])([cdhs])/gi;
const MARGIN = 8; // pixels to the edges of the window

/** The cards that a field names: "as 10d" -> ["As", "Td"]. */
function cardsOf(field) {
  return [...field.value.matchAll(CARD)].map(([, rank, suit]) => rank.toUpperCase().replace("10", "T") + suit.toLowerCase());
}

export class CardPicker {
  /** Serves the fields of a form that have `data-cards`, the number of cards that they may have. */
  constructor(form) {
    this.form = form;
    this.buttons = DECK.map((code) => h("button", { type: "button", tabindex: -1, "aria-label": cardName(code), "data-code": code, onclick: () => this.toggle(code) },
      h("span", { class: `ink-${code[1]}`, "aria-hidden": "true" }, inline([code]))));
    const rows = SUITS.map((_, row) => h("div", { class: "picker-suit" }, ...this.buttons.slice(13 * row, 13 * row + 13)));
    this.element = h("div", { class: "card-picker", popover: "manual", role: "group", "aria-label": "Card picker" }, ...rows);
    this.element.addEventListener("keydown", (event) => this.key(event));
    form.addEventListener("focusin", ({ target }) => {
      if (target.matches("[data-cards]")) this.open(target);
      else if (!this.element.contains(target)) this.close();
    });
    form.addEventListener("input", () => this.draw());
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.field) this.finish();
      else if (event.key === "ArrowDown" && event.target.matches("[data-cards]")) {
        event.preventDefault();
        this.open(event.target);
        this.buttons.find((button) => button.tabIndex === 0)?.focus();
      }
    });
    form.addEventListener("click", ({ target }) => { if (target.matches("[data-cards]")) this.open(target); });
    this.outside = new AbortController();
    document.addEventListener("pointerdown", ({ target }) => {
      if (target !== this.field && !this.element.contains(target)) this.close();
    }, { signal: this.outside.signal });
  }

  /** The form is left. */
  end() {
    this.outside.abort();
  }

  open(field) {
    if (this.field === field) return;
    this.close();
    this.field = field;
    field.after(this.element); // the next stop of the Tab key
    this.element.showPopover();
    const { left, bottom } = field.getBoundingClientRect();
    const most = document.documentElement.clientWidth - this.element.offsetWidth - MARGIN;
    this.element.style.left = `${Math.max(MARGIN, Math.min(left, most)) + scrollX}px`;
    this.element.style.top = `${bottom + scrollY + 4}px`;
    this.draw();
  }

  close() {
    if (!this.field) return;
    this.field = null;
    this.element.hidePopover();
    this.element.remove();
  }

  /** Go back to the field, and give free what lies below the grid. */
  finish() {
    this.field.focus();
    this.close();
  }

  draw() {
    if (!this.field) return;
    const own = cardsOf(this.field);
    const full = own.length >= Number(this.field.dataset.cards);
    const others = [...this.form.querySelectorAll("[data-cards]")].filter((field) => field !== this.field);
    const taken = new Set(others.flatMap(cardsOf));
    for (const button of this.buttons) {
      const { code } = button.dataset;
      const chosen = own.includes(code);
      button.setAttribute("aria-pressed", String(chosen));
      button.disabled = !chosen && (full || taken.has(code));
      button.title = taken.has(code) ? "Used in another field" : "";
    }
    this.makeStop(this.buttons.find((button) => button === document.activeElement) ?? this.buttons.find((button) => !button.disabled));
  }

  /** Let the Tab key stop at one button of the grid; arrows lead to the others. */
  makeStop(stop) {
    for (const button of this.buttons) button.tabIndex = button === stop ? 0 : -1;
  }

  toggle(code) {
    const own = cardsOf(this.field);
    const cards = own.includes(code) ? own.filter((other) => other !== code) : [...own, code];
    this.field.value = cards.join(" ");
    this.field.dispatchEvent(new Event("input", { bubbles: true }));
    if (cards.length === Number(this.field.dataset.cards)) this.finish();
  }

  key(event) {
    const move = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 13, ArrowUp: -13 }[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.buttons.indexOf(event.target);
    let next = at;
    do next = (next + move + DECK.length) % DECK.length; while (this.buttons[next].disabled && next !== at);
    this.makeStop(this.buttons[next]);
    this.buttons[next].focus();
  }
}
