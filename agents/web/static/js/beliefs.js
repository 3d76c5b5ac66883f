// What players believe: estimates, opponent models, and weight tables as 13 x 13 hands.

import { h, percent } from "./dom.js";

const RANKS = "AKQJT98765432";

/** The name of a class by its row and column: aces are row and column 0, suited hands stand above the diagonal. */
export function className(row, column) {
  const [high, low] = [Math.min(row, column), Math.max(row, column)];
  return RANKS[high] + RANKS[low] + (row === column ? "" : row < column ? "s" : "o");
}

function figure({ value, unit }) {
  if (unit === "share") return percent(value);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
}

export function drawEstimates(estimates) {
  return h("dl", { class: "figures" }, ...estimates.flatMap((estimate) => [h("dt", {}, estimate.label), h("dd", {}, figure(estimate))]));
}

/** Opponent models, learnt from public events; what was unfolded stays so. */
export function drawOpponentModels(models, box) {
  if (!models.length) return [];
  const closed = new Set([...box.querySelectorAll("details.opponent-model:not([open])")].map((element) => element.dataset.key));
  return [h("h3", { class: "opponent-models-title" }, "Opponent models"),
    ...models.map(({ name, opponent, estimates }) => h("details", { class: "player-card opponent-model", "data-key": `${name} ${opponent}`, open: !closed.has(`${name} ${opponent}`) },
      h("summary", {}, h("span", {}, `${name}’s model of ${opponent}`)), drawEstimates(estimates)))];
}

/**
 * What is done with each class of hands, as colours, in a square: cells are filled as far as the range has the class.
 * The numbers of the class under the pointer or in focus stand below; arrows lead from class to class.
 */
export function drawActionGrid({ actions, colours, weights, chances }, label) {
  const words = (i, j) => (weights[i][j] ? `${className(i, j)}: ${actions.map((action, a) => `${action} ${percent(chances[a][i][j])}`).join(", ")}; ${percent(weights[i][j])} of its holdings are in the range`
    : `${className(i, j)}: not in the range`);
  const numbers = h("p", { class: "fine", role: "status" }, "Point at a class of hands, or move to it by the arrow keys.");
  const cells = weights.map((row, i) => row.map((weight, j) => {
    let end = 0;
    const stops = actions.map((_, a) => `${colours[a]} ${(100 * end).toFixed(1)}% ${(100 * (end += chances[a][i][j])).toFixed(1)}%`);
    const cell = h("td", { class: weight ? "" : "none", tabindex: i + j ? "-1" : "0", "aria-label": words(i, j), onpointerenter: () => { numbers.textContent = words(i, j); }, onfocus: () => { numbers.textContent = words(i, j); } }, h("span", {}, className(i, j)));
    if (weight) cell.style.backgroundImage = `linear-gradient(to right, ${stops.join(", ")})`;
    cell.style.setProperty("--weight", String(Math.min(1, weight)));
    return cell;
  }));
  const move = (event) => {
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [];
    if (down === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const row = cells.findIndex((some) => some.includes(event.target));
    const next = cells[row + down]?.[cells[row].indexOf(event.target) + right];
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };
  return h("figure", { class: "range actions" },
    h("ul", { class: "legend" }, ...actions.map((action, a) => {
      const swatch = h("span", { class: "patch", "aria-hidden": "true" });
      swatch.style.background = colours[a];
      return h("li", {}, swatch, action);
    })),
    h("table", { role: "grid", "aria-label": label, onkeydown: move }, h("tbody", {}, ...cells.map((row) => h("tr", {}, ...row)))), numbers);
}

/** The weight of each hand of an opponent, the likeliest 1. */
export function drawRange({ name, grid, share }, believer) {
  const cells = grid.flatMap((row, i) => row.map((weight, j) => ({ weight, hand: className(i, j) })));
  const best = [...cells].sort((a, b) => b.weight - a.weight).slice(0, 8).map(({ hand, weight }) => `${hand} ${percent(weight)}`);
  const rows = grid.map((row, i) => h("tr", {}, ...row.map((weight, j) => {
    const cell = h("td", { title: `${className(i, j)} ${percent(weight)}` }, className(i, j));
    cell.style.setProperty("--weight", String(weight));
    return cell;
  })));
  return h("figure", { class: "range" },
    h("figcaption", {}, h("b", {}, `${believer}’s range for ${name}`), h("span", { class: "fine" }, `${percent(share)} of all hands remain. Most likely: ${best.join(", ")}.`)),
    h("table", { "aria-label": `Range of ${name}; fuller cells are more likely` }, h("tbody", {}, ...rows)));
}
