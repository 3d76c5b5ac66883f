// A player's decisions in all hands of a replay, the most expensive first; each leads to its place in the replay.

import { announce, fetchJson, chips, h } from "./dom.js";
import { PlayerRanges } from "./player_ranges.js";

const MOST_ROWS = 50;
const tenths = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export class CoachPanel {
  /** `page` is the replay: `page.open(hand, step)` shows a decision in it. `found(decisions)` is told of all that have been analysed. */
  constructor(page, { found }) {
    this.page = page;
    this.replay = page.name;
    this.ranges = new PlayerRanges(page);
    this.found = found;
    this.player = h("select", { id: "coach-player" });
    this.model = h("select", { id: "coach-model", onchange: () => this.drawRange() });
    this.range = h("div", {});
    this.button = h("button", { type: "button", onclick: () => this.toggle() }, "Find mistakes");
    this.progress = h("p", { class: "fine" });
    this.list = h("div", {});
    this.element = h("div", { class: "coach" }, h("p", { class: "fine" }, "Loading …"));
  }

  /** Request the players once; then only the range is of another decision. */
  async show() {
    this.drawRange();
    if (this.requested) return;
    this.requested = true;
    try {
      const [{ players }, { players: models }] = await Promise.all(
        [fetchJson(`/api/replays/${this.replay}/coach/players`), fetchJson("/api/lobby")]);
      if (!players.length) throw new Error("These hands have no named player with known cards.");
      this.player.replaceChildren(...players.map(option));
      this.model.replaceChildren(...models.map(option));
      if (models.includes("formula")) this.model.value = "formula";
    } catch (error) {
      this.requested = false;
      this.element.replaceChildren(h("p", { class: "notice" }, error.message));
      return;
    }
    this.element.replaceChildren(
      h("p", { class: "fine" }, "For every decision, each action is played out many times. The model represents all players: "
        + "it gives the opponents’ ranges and plays the rest of the hand."),
      h("div", { class: "fields" },
        h("div", { class: "field" }, h("label", { for: "coach-player" }, "Player"), this.player),
        h("div", { class: "field" }, h("label", { for: "coach-model" }, "Model"), this.model)),
      this.button, this.progress, this.list, this.range); // which moves nothing as it unfolds
    this.drawRange();
  }

  /** The range of the player to act, as the model has it. */
  drawRange() {
    const decides = this.model.value && this.page.hand.steps[this.page.at].actor !== null;
    this.range.replaceChildren(...(decides ? [this.ranges.draw(this.model.value)] : []));
  }

  toggle() {
    if (this.run) this.stop();
    else this.start();
  }

  stop() {
    this.run = null;
    this.button.textContent = "Find mistakes";
  }

  async start() {
    const run = this.run = {};
    this.button.textContent = "Stop";
    this.list.replaceChildren();
    const player = this.player.value;
    const decisions = [];
    let first = 0;
    while (first !== null && run === this.run) {
      const query = new URLSearchParams({ player, model: this.model.value, first });
      let answer;
      try {
        answer = await fetchJson(`/api/replays/${this.replay}/coach?${query}`);
      } catch (error) {
        if (run !== this.run) return;
        this.stop();
        this.progress.textContent = error.message;
        return;
      }
      if (run !== this.run) return;
      decisions.push(...answer.decisions);
      first = answer.next;
      this.progress.textContent = summary(player, decisions, first);
      this.draw(decisions);
    }
    this.stop();
    announce(this.progress.textContent);
  }

  draw(decisions) {
    this.found(decisions);
    const worst = decisions.filter(({ cost }) => cost > 0).sort((a, b) => b.cost - a.cost).slice(0, MOST_ROWS);
    this.list.replaceChildren(h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Decisions" },
      h("table", { class: "figures-table" }, h("caption", {}, "Most expensive decisions (bb, ± one standard error)"),
        h("thead", {}, h("tr", {}, ...["Hand", "Cost", "Taken", "Better"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...worst.map((one) => this.row(one))))));
  }

  row({ hand, step, street, taken, best, cost, error }) {
    const link = h("button", { type: "button", title: "Show this decision", onclick: () => this.page.open(hand, step) }, `${hand + 1} ${street}`);
    return h("tr", {}, h("th", { scope: "row" }, link), h("td", {}, cost.toFixed(1), h("small", {}, `± ${error.toFixed(1)}`)),
      h("td", {}, taken), h("td", {}, best));
  }
}

function option(name) {
  return h("option", { value: name }, name);
}

function summary(player, decisions, next) {
  const total = decisions.reduce((sum, { cost }) => sum + cost, 0);
  const done = next === null ? "" : ` ${chips(next)} hands analysed so far.`;
  return `${player}: ${chips(decisions.length)} decisions, total cost ${tenths.format(total)} bb.${done}`;
}
