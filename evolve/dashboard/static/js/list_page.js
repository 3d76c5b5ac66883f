// The runs to choose from.

import { fetchJson, h } from "/static/js/dom.js";
import { duration, when } from "./format.js";
import { sparkline } from "./sparkline.js";
import { badge, progressBar, progressText } from "./stages.js";

const PAUSE_MS = 2000;

export class ListPage {
  constructor(page) {
    this.box = h("div", { class: "runs" });
    this.note = h("p", { class: "fine", role: "status" });
    this.chosen = new Set();
    this.compare = h("button", { type: "button", class: "compare", disabled: true, onclick: () => {
      location.hash = `#/compare/${[...this.chosen].map(encodeURIComponent).join("/")}`;
    } }, "Compare runs");
    page.append(h("div", { class: "sheet" }, h("h1", {}, "Runs"), this.note, this.compare, this.box));
    document.title = "Training runs · nlhe-env";
    this.load();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  async load() {
    try {
      this.draw(await fetchJson("/learning/api/runs"));
    } catch (error) {
      this.note.textContent = `The server is not responding: ${error.message}`;
    }
    if (!this.closed) this.timer = setTimeout(() => this.load(), PAUSE_MS);
  }

  draw({ folder, count, runs }) {
    const text = runs.length < count ? `The newest ${runs.length} of ${count} in ${folder}.` : `The runs in ${folder}, the newest first.`;
    const shown = count ? text : `There are no runs in ${folder} yet. Start one with: nlhe train`;
    if (this.note.textContent !== shown) this.note.textContent = shown;
    // All that is drawn; seconds of silence count only as the text that shows them.
    const silence = ({ stage, silent_s: seconds }) => (stage === "quiet" ? duration(seconds) : "");
    const key = JSON.stringify(runs.map((run) => ({ ...run, changed: 0, status: { ...run.status, silent_s: silence(run.status) } })));
    if (key === this.key) return;
    this.key = key;
    const name = (element) => element?.getAttribute("href") ?? element?.getAttribute("aria-label");
    const focused = this.box.contains(document.activeElement) ? name(document.activeElement) : null;
    this.compare.hidden = runs.length < 2;
    this.box.replaceChildren(...runs.map((run) => h("div", { class: "run-box" }, h("label", { class: "check", hidden: runs.length < 2 }, this.choice(run.run), "Compare"), h("a", { class: "run-card", href: `#/run/${encodeURIComponent(run.run)}` },
      h("span", { class: "run-name" }, h("b", {}, run.name || run.run), badge(run.status.stage)),
      h("span", { class: "fine" }, [run.optimizer ?? "", run.seed === null ? "" : `seed ${run.seed}`, when(run.started)].filter(Boolean).join(" · ")),
      progressBar(run.status),
      h("span", { class: "fine" }, progressText(run.status), run.status.stage === "quiet" ? ` · no update for ${silence(run.status)}` : ""),
      run.curve ? sparkline(run.curve) : null))));
    if (focused) [...this.box.querySelectorAll("a, input")].find((element) => name(element) === focused)?.focus();
  }

  choice(run) {
    return h("input", { type: "checkbox", "aria-label": `Compare ${run}`, checked: this.chosen.has(run), onchange: (event) => {
      if (event.target.checked) this.chosen.add(run);
      else this.chosen.delete(run);
      this.compare.disabled = this.chosen.size < 2;
    } });
  }
}
