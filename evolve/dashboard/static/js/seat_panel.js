// Seats a champion of the run at the table in the browser, among known players.

import { fetchJson, h, toast } from "/static/js/dom.js";
import { openGame } from "/static/js/open_game.js";
import { count } from "./format.js";

const COMMON = ["tight-aggressive", "loose-aggressive", "formula", "pot-odds", "old-best", "tight-passive", "loose-passive", "caller", "raiser"];
const USUAL = ["tight-aggressive", "loose-aggressive", "formula", "pot-odds"];

export class SeatPanel {
  constructor(run) {
    this.run = run;
    this.generation = h("select", { id: "seat-generation", onchange: () => { this.follows = this.generation.selectedIndex === 0; } });
    this.sub = h("select", { id: "seat-sub" });
    this.subField = h("div", { class: "field" }, h("label", { for: "seat-sub" }, "Sub-population"), this.sub);
    this.opponents = h("div", { class: "choices" });
    this.error = h("p", { class: "form-error", role: "alert" });
    this.human = h("input", { type: "checkbox", id: "seat-human" });
    this.button = h("button", { type: "submit", class: "primary" }, "Watch");
    this.follows = true;
    this.playButton = h("button", { type: "button", class: "primary", onclick: () => this.playPresent() }, "Play against the champion");
    this.playRow = h("p", { class: "play-present", hidden: true }, this.playButton);
    this.human.addEventListener("change", () => { this.button.textContent = this.human.checked ? "Play" : "Watch"; });
    this.element = h("form", { class: "panel seat-panel", onsubmit: (event) => this.open(event) },
      h("div", { class: "seat-fields" },
        h("div", { class: "field" }, h("label", { for: "seat-generation" }, "Champion of generation"), this.generation), this.subField),
      h("fieldset", {}, h("legend", {}, "Against"), this.opponents),
      h("label", { class: "check" }, this.human, "Take a seat myself"),
      h("div", { class: "seat-go" }, this.button, h("span", { class: "fine" }, "Opens a table that shows the inputs and action probabilities of the network.")),
      this.error);
  }

  update(feed) {
    const { champions, config } = feed.parts;
    this.config = config;
    this.element.hidden = this.playRow.hidden = !champions?.generations?.length;
    if (this.element.hidden) return;
    const { generations, sub_populations: subs } = champions;
    const key = `${generations.length} ${generations.at(-1)} ${subs}`;
    if (key === this.key) return;
    this.key = key;
    const chosen = this.generation.value;
    const options = [...generations].reverse();
    this.generation.replaceChildren(...options.map((generation, i) => h("option", { value: generation }, `${count(generation)}${i === 0 ? " (latest)" : ""}`)));
    if (!this.follows && options.includes(Number(chosen))) this.generation.value = chosen;
    this.subField.hidden = subs < 2;
    if (this.sub.childElementCount !== subs) this.sub.replaceChildren(...Array.from({ length: subs }, (_, i) => h("option", { value: i + 1 }, String(i + 1))));
    this.drawOpponents(generations);
  }

  drawOpponents(generations) {
    if (this.opponents.childElementCount) return;
    const named = (this.config.named ?? []).filter((name) => !name.endsWith(".npz"));
    const headsUp = this.config.table_size === 2;
    const usual = new Set(headsUp ? [named[0] ?? "caller"] : USUAL);
    const names = [...new Set([...named, ...COMMON])];
    const choices = names.map((name) => [name, name]);
    for (const generation of spread(generations)) choices.push([`champion 1 of generation ${generation} of ${this.run}`, `this run, generation ${count(generation)}`]);
    this.opponents.replaceChildren(...choices.map(([value, text]) => h("label", { class: "check" },
      h("input", { type: "checkbox", value, checked: usual.has(value) }), text)));
  }

  choose(generation) {
    this.generation.value = String(generation);
    this.follows = this.generation.selectedIndex === 0;
    this.element.scrollIntoView({ block: "center" });
    this.generation.focus();
  }

  async open(event) {
    event.preventDefault();
    this.error.textContent = "";
    const chosen = [...this.opponents.querySelectorAll("input:checked")].map((input) => input.value);
    const seats = [`champion ${this.sub.value || 1} of generation ${this.generation.value} of ${this.run}`, ...chosen];
    if (this.human.checked) seats.unshift("human");
    await this.openTable(seats, this.button);
  }

  /** A table against the present champion, of a run with more than two players at a table with the usual opponents besides. */
  async playPresent() {
    const others = this.config.table_size === 2 ? [] : USUAL;
    await this.openTable(["human", `champion of ${this.run}`, ...others], this.playButton);
  }

  /** Open a table for the game of the run, which links back to the run. */
  async openTable(seats, button) {
    const { config } = this;
    const schedule = config.blinds === "pokerstars" ? "" : config.blinds;
    const request = {
      seats, mode: config.game === "cash" ? "cash" : "tournament", starting_stack: config.starting_stack ?? 1000, blinds: schedule ?? "",
      name: "You",
    };
    const origin = { path: `/learning#/run/${encodeURIComponent(this.run)}`, text: "Back to run", title: `Back to ${this.run}` };
    button.disabled = true;
    try {
      if (seats.length < 2) throw new Error("choose at least one opponent");
      if (seats.length > 10) throw new Error("a table has ten seats; choose fewer opponents");
      const { game_options: options } = await fetchJson("/api/lobby");
      for (const name of Object.keys(options)) if (name in config) request[name] = config[name];
      await openGame(request, origin);
    } catch (error) {
      this.error.textContent = error.message;
      toast(error.message);
    }
    button.disabled = false;
  }
}

/** Four generations or fewer, the first and others as far apart from each other as from the last. */
function spread(generations) {
  const rows = [0, 0.25, 0.5, 0.75].map((share) => Math.floor(share * (generations.length - 1)));
  return [...new Set(rows)].map((i) => generations[i]);
}
