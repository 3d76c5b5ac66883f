// The clock of the player to act. The server keeps the time; the page counts down between its messages.

import { h } from "./dom.js";

const TICK_MS = 200;

export class ClockView {
  constructor() {
    this.element = h("span", { class: "clock", role: "timer", hidden: true });
  }

  close() {
    clearInterval(this.timer);
  }

  show(clock, name) {
    clearInterval(this.timer);
    this.element.hidden = !clock;
    if (!clock) return;
    const end = performance.now() + 1000 * clock.left;
    const draw = () => {
      const left = Math.max(0, (end - performance.now()) / 1000);
      const inBank = left <= clock.bank;
      const text = inBank ? `${Math.ceil(left)} s (time bank)` : `${Math.ceil(left - clock.bank)} s`;
      this.element.classList.toggle("short", inBank || left - clock.bank < 5);
      const shown = `${name}: ${text}`;
      if (this.element.textContent !== shown) this.element.textContent = shown;
    };
    draw();
    this.timer = setInterval(draw, TICK_MS);
  }
}
