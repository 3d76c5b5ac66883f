// Progress of the server that has just been started: it loads, or compiles, the game.

import { fetchJson, h } from "./dom.js";

const PAUSE_MS = 700;

export class Preparation {
  constructor() {
    this.bar = h("progress", { "aria-label": "Preparing the game" });
    this.text = h("span", { class: "fine" });
    this.element = h("div", { class: "preparation", hidden: true }, this.bar, this.text);
    this.load();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  async load() {
    const state = await fetchJson("/api/preparation").catch(() => null); // a busy server may be slow to answer
    if (this.closed) return;
    if (state) this.draw(state);
    if (!state?.ready) this.timer = setTimeout(() => this.load(), PAUSE_MS);
  }

  draw({ ready, done, stages, doing, kernels, seconds }) {
    this.element.hidden = ready || (seconds < 2 && !kernels);
    if (ready) return;
    this.bar.max = stages;
    this.bar.value = done + 0.5;
    this.text.textContent = kernels
      ? `Compiling ${doing} (${done + 1} of ${stages}): ${kernels} functions in ${seconds} s. The result is cached, so later starts take seconds.`
      : `Loading ${doing} (${done + 1} of ${stages}) …`;
  }
}
