// What the solver does on the turn and river of a hand that is over, on request.

import { drawActionGrid } from "./beliefs.js";
import { inline } from "./cards.js";
import { announce, fetchJson, chips, h, percent } from "./dom.js";

/** The streets of a hand on which two players, and no more, had decisions. */
export function solvableStreets(table, betting) {
  if (betting === "pot-limit") return [];
  const order = ["preflop", "flop", "turn", "river"];
  return ["turn", "river"].filter((street) => {
    const before = table.history.filter((event) => order.indexOf(event.street) < order.indexOf(street));
    const left = table.seats.filter((seat, i) => !["empty", "waiting"].includes(seat.state) && !before.some((event) => event.seat === i && event.action === "fold"));
    return left.length === 2 && !before.some((event) => event.all_in && left.includes(table.seats[event.seat])) && table.history.some((event) => event.street === street);
  });
}

export class SolverPanel {
  /** `address` returns where to ask for the hand that is offered. */
  constructor(address) {
    this.address = address;
    this.intro = h("p", { class: "fine" });
    this.buttons = h("div", { class: "row" });
    this.answer = h("div", {});
    this.element = h("div", {}, this.intro, this.buttons, this.answer);
    this.offer(null, []);
  }

  /** A hand that is over, by a key of its own, and the streets of it that can be solved. */
  offer(key, streets) {
    if (key !== null && key === this.key) return;
    this.key = key;
    this.intro.textContent = streets.length
      ? "Compare the hand with an equilibrium. The solver ignores the earlier betting: it takes any two cards as equally likely for both players."
      : "The solver is available after hands in which exactly two players had decisions on the turn or river.";
    this.buttons.replaceChildren(...streets.map((street) => h("button", { type: "button", onclick: () => this.solve(street) }, `Solve the ${street}`)));
    this.answer.replaceChildren();
  }

  async solve(street) {
    const { key } = this;
    const buttons = [...this.buttons.children];
    buttons.forEach((button) => { button.disabled = true; });
    this.answer.replaceChildren(h("p", { class: "fine" }, "Solving …"));
    let parts;
    try {
      parts = drawAnswer(await fetchJson(`${this.address()}?street=${street}`));
    } catch (error) {
      parts = [h("p", { class: "notice" }, error.message)];
    }
    buttons.forEach((button) => { button.disabled = false; });
    if (key !== this.key) return;
    this.answer.replaceChildren(...parts);
    announce(`The ${street} is solved.`);
  }
}

function drawAnswer(answer) {
  const { board, pot, stacks, sizes, iterations, exploitability } = answer;
  return [
    h("p", { class: "fine" }, `${inline(board)}, pot ${chips(pot)}, stacks ${stacks.map((stack) => chips(stack)).join(" and ")}. `
      + `Bet sizes: ${sizes}, and the actual bets. ${chips(iterations)} iterations; exploitability at most ${percent(exploitability, 1)} of the pot.`),
    ...answer.decisions.map(drawDecision),
  ];
}

/** The solver's answer to a decision. */
export function drawDecision({ name, street, cards, actions, grid }) {
  const own = cards.length > 0;
  const bars = actions.flatMap((action) => {
    const share = own ? action.own_probability : action.probability;
    const fill = h("span", { class: "fill" });
    fill.style.setProperty("--share", `${100 * share}%`);
    const title = action.taken ? h("b", {}, `${action.name} ✓`) : action.name;
    return [h("span", {}, title), h("span", { class: "track", "aria-hidden": "true" }, fill), h("span", { class: "value" }, percent(share))];
  });
  const all = actions.map((action) => `${action.name} ${percent(action.probability)}`).join(", ");
  return h("section", { class: "explanation" },
    h("h3", {}, `${name || "A player"}, ${street}${own ? `, with ${inline(cards)}` : ""}`),
    h("div", { class: "bars" }, ...bars),
    own ? h("p", { class: "fine" }, `Whole range: ${all}`) : null,
    h("details", {}, h("summary", {}, "All hands"), drawActionGrid(grid, `Solution for ${name || "a player"}, ${street}`)));
}
