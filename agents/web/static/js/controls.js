// Actions at the turn: fold, check or call, and an amount to raise to.

import { chips, h, percent } from "./dom.js";
import { MOST_PRESETS, presetAmount } from "./presets.js";
import { presetsOf } from "./preset_settings.js";

const FRESH_MS = 250; // of a new turn, in which no action is taken

/** "pot odds 25%": the equity that a call needs. */
export function oddsText(toCall, pot) {
  return `pot odds ${percent(toCall / (pot + toCall))}`;
}

export class Controls {
  /** `act(action, to)` is called with the chosen action. */
  constructor(act) {
    this.act = act;
    this.fold = this.button("fold", "Fold", "F", () => this.act("fold"));
    this.call = this.button("call", "Check", "C", () => this.act("call"));
    this.raise = this.button("raise primary", "Raise", "R", () => this.submit());
    this.slider = h("input", { type: "range", "aria-label": "Amount", oninput: () => this.set(Number(this.slider.value), "slider") });
    this.field = h("input", {
      type: "number", inputmode: "decimal", step: "any",
      oninput: () => this.set(Number(this.field.value) * this.scale, "field"),
      onchange: () => this.set(this.amount),
      onkeydown: (event) => { if (event.key === "Enter" && !event.repeat) this.submit(); },
    });
    this.presets = Array.from({ length: MOST_PRESETS }, (_, i) => h("button", {
      type: "button", title: `Key ${i + 1}`, onclick: () => this.set(this.presetAmounts[i]),
    }));
    this.sizing = h("div", { class: "sizing" },
      h("div", { class: "sizing-row" }, this.slider, this.field),
      h("div", { class: "fractions", role: "group", "aria-label": "Bet sizes" }, ...this.presets));
    this.element = h("div", { class: "buttons" }, this.fold.element, this.call.element, this.raise.element, this.sizing);
    this.shownFor = null;
  }

  button(kind, text, key, onclick) {
    const words = h("span", {}, text);
    const amount = h("small", {});
    const element = h("button", { type: "button", class: `act-button ${kind}`, onclick, "aria-keyshortcuts": key },
      h("span", {}, words, " ", h("kbd", { "aria-hidden": "true" }, key)), amount);
    return { element, words, amount };
  }

  /** The options of a new turn. */
  show(state, unit = 1) {
    const { table, options, viewer, turn } = state;
    this.guard(turn);
    const seat = table.seats[viewer];
    const { to_call: toCall, min_raise_to: least, max_raise_to: most } = options;
    const presets = presetsOf(table.street);
    const key = JSON.stringify([turn, unit, presets]);
    if (this.shownFor === key) return;
    this.shownFor = key;
    this.unit = unit;
    this.scale = unit.bigBlind ?? 1;
    this.field.setAttribute("aria-label", unit.bigBlind ? "Raise to (big blinds)" : "Raise to (chips)");
    this.least = least;
    this.most = most;
    this.bigBlind = table.blinds[1];
    this.pot = table.pot;
    this.toCall = toCall;
    this.current = seat.bet + toCall;
    this.stack = seat.stack;
    this.bet = seat.bet;
    this.fold.element.disabled = toCall === 0;
    this.call.words.textContent = toCall ? "Call" : "Check";
    this.call.amount.textContent = toCall ? `${chips(toCall, unit)}${toCall === seat.stack ? " · all-in" : ""}` : "";
    this.call.element.title = toCall ? oddsText(toCall, table.pot) : "";
    const can = most > 0;
    this.raise.element.disabled = !can;
    this.sizing.hidden = !can || least === most; // fixed-limit has one size
    this.isBet = this.current === 0;
    if (can) {
      this.slider.min = least;
      this.slider.max = most;
      this.slider.step = 1;
      this.presetAmounts = presets.map((preset) => presetAmount(preset, this));
      this.presets.forEach((button, i) => {
        button.hidden = i >= presets.length;
        button.disabled = button.hidden || this.presetAmounts[i] === null;
        button.textContent = presets[i]?.label ?? "";
      });
      this.set(least);
    } else {
      this.raise.words.textContent = "Raise";
      this.raise.amount.textContent = "not possible";
    }
  }

  /** The amount to raise to; what stands in the field may be out of range while it is typed. */
  set(amount, source = "") {
    if (!this.most) return;
    const inside = Math.max(this.least, Math.min(this.most, Math.round(amount) || this.least));
    this.amount = inside;
    if (source !== "field") this.field.value = Number((inside / this.scale).toFixed(2));
    if (source !== "slider") this.slider.value = inside;
    const allIn = inside - this.bet === this.stack;
    this.raise.words.textContent = this.isBet ? "Bet" : "Raise to";
    const share = (inside - this.current) / (this.pot + this.toCall); // of the pot after a call
    this.raise.amount.textContent = `${chips(inside, this.unit)} · ${allIn ? "all-in" : `${percent(share)} pot`}`;
    this.slider.setAttribute("aria-valuetext", `${chips(inside)} chips${allIn ? ", all-in" : ""}`);
  }

  /** Take no action just after a turn has come: it would be meant for what the person saw before. */
  guard(turn) {
    if (turn === this.turn) return;
    this.turn = turn;
    this.element.classList.add("fresh");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.element.classList.remove("fresh"), FRESH_MS);
  }

  get isFresh() {
    return this.element.classList.contains("fresh");
  }

  submit() {
    if (this.most) this.act("raise", this.amount);
  }

  /** A key press at the player's turn; true if it was used. */
  key(event) {
    const number = Number(event.key);
    if (event.target === this.slider && event.key.startsWith("Arrow")) return false;
    switch (event.key.toLowerCase()) {
      case "f":
        if (!this.fold.element.disabled) this.act("fold");
        return true;
      case "c":
      case "k":
        this.act("call");
        return true;
      case "r":
        this.submit();
        return true;
      case "a":
        this.set(this.most);
        return true;
      case "arrowup":
        this.set(this.amount + this.bigBlind);
        return true;
      case "arrowdown":
        this.set(this.amount - this.bigBlind);
        return true;
      default:
        if (!(number >= 1 && number <= MOST_PRESETS) || this.presets[number - 1].disabled) return false;
        this.presets[number - 1].click();
        return true;
    }
  }
}
