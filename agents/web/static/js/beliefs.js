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
