// The runs to choose from.

import { ask, h } from "/static/js/dom.js";
import { duration, when } from "./format.js";
import { badge, progressBar, progressWords } from "./stages.js";

const PAUSE_MS = 2000;

export class ListPage {
  constructor(page) {
    this.box = h("div", { class: "runs" });
    this.note = h("p", { class: "fine", role: "status" });
    page.append(h("div", { class: "sheet" }, h("h1", {}, "Runs"), this.note, this.box));
    document.title = "Learning runs · nlhe-env";
    this.load();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  async load() {
    try {
      this.draw(await ask("/learning/api/runs"));
    } catch (error) {
      this.note.textContent = `The server does not answer: ${error.message}`;
    }
    if (!this.closed) this.timer = setTimeout(() => this.load(), PAUSE_MS);
  }

  draw({ folder, count, runs }) {
    const text = runs.length < count ? `The newest ${runs.length} of ${count} in ${folder}.` : `Newest first, in ${folder}.`;
    const shown = count ? text : `There is no run in ${folder} yet. Start one: python -m evolve train.`;
    if (this.note.textContent !== shown) this.note.textContent = shown;
    const key = JSON.stringify(runs.map((run) => [run.run, { ...run.status, silent_s: 0 }]));
    if (key === this.key) return;
    this.key = key;
    const focused = document.activeElement?.getAttribute("href");
    this.box.replaceChildren(...runs.map((run) => h("a", { class: "run-card", href: `#/run/${encodeURIComponent(run.run)}` },
      h("span", { class: "run-name" }, h("b", {}, run.name || run.run), badge(run.status.stage)),
      h("span", { class: "fine" }, [run.optimizer ?? "", run.seed === null ? "" : `seed ${run.seed}`, when(run.started)].filter(Boolean).join(" · ")),
      progressBar(run.status),
      h("span", { class: "fine" }, progressWords(run.status), run.status.stage === "quiet" ? ` · no news for ${duration(run.status.silent_s)}` : ""))));
    if (focused) [...this.box.children].find((link) => link.getAttribute("href") === focused)?.focus();
  }
}
