// What perfect play does on the turn and river of a hand that is over, if somebody asks.

import { inline } from "./cards.js";
import { announce, ask, chips, h, percent } from "./dom.js";

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

  /** A hand that is over, by a key of its own. */
  offer(key, board) {
    if (key !== null && key === this.key) return;
    this.key = key;
    const streets = [[4, "turn"], [5, "river"]].filter(([cards]) => board.length >= cards);
    this.intro.textContent = streets.length
      ? "What would perfect play have done? Both players are taken to hold any two cards, each as likely."
      : "After a hand that two players brought to the turn or river, the solver can be asked here.";
    this.buttons.replaceChildren(...streets.map(([, street]) => h("button", { type: "button", onclick: () => this.solve(street) }, `Solve the ${street}`)));
    this.answer.replaceChildren();
  }

  async solve(street) {
    const { key } = this;
    const buttons = [...this.buttons.children];
    buttons.forEach((button) => { button.disabled = true; });
    this.answer.replaceChildren(h("p", { class: "fine" }, "Solving …"));
    let parts;
    try {
      parts = drawAnswer(await ask(`${this.address()}?street=${street}`));
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
    h("p", { class: "fine" }, `${inline(board)}, pot ${chips(pot)}, behind ${stacks.map((stack) => chips(stack)).join(" and ")}. `
      + `Sizes: ${sizes}, and what was bet. ${chips(iterations)} iterations; at most ${percent(exploitability, 1)} of the pot can be won against this.`),
    ...answer.decisions.map(drawDecision),
  ];
}

/** What the solver says to a decision. */
export function drawDecision({ name, street, cards, actions }) {
  const own = cards.length > 0;
  const bars = actions.flatMap((action) => {
    const share = own ? action.own : action.chance;
    const fill = h("span", { class: "fill" });
    fill.style.setProperty("--share", `${100 * share}%`);
    const title = action.taken ? h("b", {}, `${action.name} ✓`) : action.name;
    return [h("span", {}, title), h("span", { class: "track", "aria-hidden": "true" }, fill), h("span", { class: "value" }, percent(share))];
  });
  const all = actions.map((action) => `${action.name} ${percent(action.chance)}`).join(", ");
  return h("section", { class: "mind" },
    h("h3", {}, `${name || "A player"}, ${street}${own ? `, with ${inline(cards)}` : ""}`),
    h("div", { class: "bars" }, ...bars),
    own ? h("p", { class: "fine" }, `With all hands: ${all}`) : null);
}
