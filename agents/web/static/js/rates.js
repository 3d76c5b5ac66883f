// What every seat of a table wins in 100 hands, counted by the server now and then while someone looks.

import { chips, fetchJson, signed } from "./dom.js";

const LEAST_PAUSE_MS = 1000;
const PAUSE_FACTOR = 5; // counting takes at most a sixth of the time

export class Rates {
  /** `changed()` is called when there are new rates, or they may be requested again. */
  constructor(address, changed) {
    this.address = address;
    this.changed = changed;
    this.found = null;
    this.hands = 0;
    this.isBusy = false;
  }

  /** Request the rates after so many hands, unless they are known or being counted. */
  async update(hands) {
    if (hands < this.hands) this.found = null; // a new game
    if (hands < this.hands || !hands) this.hands = 0;
    if (!hands || hands === this.hands || this.isBusy) return;
    this.isBusy = true;
    this.hands = hands;
    const start = performance.now();
    this.found = await fetchJson(this.address).catch(() => this.found);
    this.changed();
    setTimeout(() => {
      this.isBusy = false;
      this.changed();
    }, Math.max(LEAST_PAUSE_MS, PAUSE_FACTOR * (performance.now() - start)));
  }

  /** Rows of label, value and meaning for a seat. */
  rows(seat) {
    const rates = this.found?.seats[seat];
    if (!rates) return [];
    return Object.entries(this.found.measures).filter(([measure]) => rates[measure]).map(([measure, name]) => ({
      label: measure === "won" ? "bb/100" : `bb/100, ${name.charAt(0).toLowerCase()}${name.slice(1)}`,
      value: rateText(rates[measure]),
      meaning: `big blinds won per 100 hands with a 95% interval, over ${this.found.hands} hands at this table`,
    }));
  }
}

/** "+12.5 ± 40": a mean and half of its interval, which a single hand does not have. */
export function rateText([mean, half]) {
  return half === null ? signed(mean) : `${signed(mean)} \u00B1 ${chips(half)}`;
}
