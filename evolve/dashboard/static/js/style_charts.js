// How champions and populations play, over the run: a small chart for every measure, and the map.

import { LineChart } from "./line_chart.js";
import { decimal, share } from "./format.js";

const MEASURES = [
  ["voluntarily_in_pot", "Hands entered (VPIP)", "Share of hands with a call or raise before the flop, among hands with a decision there."],
  ["preflop_raise", "Raises before the flop (PFR)", "Share of hands with a raise before the flop, among the same hands."],
  ["aggression", "Aggression", "Share of bets and raises among bets, raises and calls after the flop."],
  ["fold_to_raise", "Folds to a bet or raise", "Share of folds among decisions facing a bet or raise on the same street."],
  ["showdown", "Showdowns (WTSD)", "Share of showdowns among hands in which the player saw the flop."],
  ["bet_over_pot", "Mean bet", "Chips beyond the call, divided by the pot after calling; 1 is a pot-sized bet."],
];

/** The charts of the measures; `sources` are { name, style, table, prefix, marker }. */
export function styleCharts(sources) {
  return MEASURES.map(([measure, title, note]) => {
    const shares = measure !== "bet_over_pot";
    const chart = new LineChart({
      title, note, height: 190, yLabel: shares ? "share" : "pots", format: shares ? share : decimal,
      range: shares ? [0, 1] : null, include: shares ? [] : [0],
    });
    return {
      chart,
      has: (feed) => sources.some(({ table, prefix }) => feed.has(table, `${prefix}.${measure}`)),
      update: (feed, axis) => chart.show({
        ...axis(feed, sources[0].table),
        series: sources.filter(({ table, prefix }) => feed.has(table, `${prefix}.${measure}`))
          .map(({ name, style, table, prefix, marker }) => ({ name, style, marker, values: feed.column(table, `${prefix}.${measure}`) })),
      }),
    };
  });
}

/** The points of the map: rows of a table where both measures are known. */
export function stylePoints(feed, table, prefix) {
  const x = feed.column(table, `${prefix}.voluntarily_in_pot`);
  const y = feed.column(table, `${prefix}.aggression`);
  const generations = feed.column(table, "generation");
  return generations.map((generation, i) => ({ generation, x: x[i], y: y[i] }))
    .filter((point) => point.x !== null && point.x !== undefined && point.y !== null && point.y !== undefined);
}
