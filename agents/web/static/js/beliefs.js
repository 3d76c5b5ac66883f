// What players believe: estimates, what they have learnt of others, and weight tables as 13 x 13 hands.

import { h, percent } from "./dom.js";

const RANKS = "AKQJT98765432";

/** The name of a class by its place: aces are row and column 0, suited hands stand above the diagonal. */
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

/** What players have learnt of others, from what everybody has seen; what was unfolded before stays so. */
export function drawLearnt(learnt, box) {
  if (!learnt.length) return [];
  const shut = new Set([...box.querySelectorAll("details.learnt:not([open])")].map((element) => element.dataset.key));
  return [h("h3", { class: "learnt-title" }, "What has been learnt"),
    ...learnt.map(({ name, of, estimates }) => h("details", { class: "player-card learnt", "data-key": `${name} ${of}`, open: !shut.has(`${name} ${of}`) },
      h("summary", {}, h("span", {}, `${name} about ${of}`)), drawEstimates(estimates)))];
}

/** How likely each hand of somebody is found, the likeliest 1. */
export function drawRange({ name, grid, share }, believer) {
  const cells = grid.flatMap((row, i) => row.map((weight, j) => ({ weight, hand: className(i, j) })));
  const best = [...cells].sort((a, b) => b.weight - a.weight).slice(0, 8).map(({ hand, weight }) => `${hand} ${percent(weight)}`);
  const rows = grid.map((row, i) => h("tr", {}, ...row.map((weight, j) => {
    const cell = h("td", { title: `${className(i, j)} ${percent(weight)}` }, className(i, j));
    cell.style.setProperty("--weight", String(weight));
    return cell;
  })));
  return h("figure", { class: "range" },
    h("figcaption", {}, h("b", {}, `What ${believer} believes ${name} holds`), h("span", { class: "fine" }, `${percent(share)} of all hands are left. Likeliest: ${best.join(", ")}.`)),
    h("table", { "aria-label": `Hands of ${name}, the fuller the likelier` }, h("tbody", {}, ...rows)));
}
