// Duplicate blocks and tests: scores of candidates and of the deployable player.

import { share, short } from "./format.js";
import { LineChart } from "./line_chart.js";
import { withBand, withError } from "./place_charts.js";

export function blockCharts(feed) {
  const { config } = feed.parts;
  const column = (name) => feed.column("metrics", name);
  const test = (name) => feed.column("tests", name);
  const cash = config.game === "cash";
  const yLabel = cash ? "big blinds per 100 hands" : "mean place (1 is best)";
  const score = { yLabel, invert: !cash };
  const even = cash ? [{ value: 0, name: "break even" }] : [];
  const opponents = (config.test_players?.length ? config.test_players : config.named ?? []).join(", ");
  return [
    {
      chart: new LineChart({
        title: "Tests of the recommended player", wide: true, height: 300, ...score,
        note: `Every test uses the same cards, which training never uses, against ${opponents}.`,
      }),
      has: (feed_) => feed_.rows("tests") > 0,
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "tests"), series: [{ name: "score", style: "s1", marker: "circle", ...withError(test("score"), test("error")) }], lines: even });
      },
    },
    {
      chart: new LineChart({
        title: "Local best response", wide: true, height: 260, yLabel: "mbb per hand", include: [0],
        note: "Its winnings against the recommended player: a lower bound of the exploitability.",
      }),
      has: (feed_) => feed_.rows("bounds") > 0,
      update(feed_, axis) {
        const bound = (name) => feed_.column("bounds", name);
        this.chart.show({ ...axis(feed_, "bounds"), series: [{ name: "lower bound", style: "s4", marker: "circle", ...withError(bound("bound"), bound("error")) }] });
      },
    },
    {
      chart: new LineChart({
        title: "Candidates per generation", wide: true, height: 260, ...score,
        note: "Scores against the opponents of each generation, which change with the pool. The best candidate is partly lucky.",
      }),
      has: (feed_) => feed_.has("metrics", "mean_score"),
      update(feed_, axis) {
        const mean = column("mean_score");
        const spread = column("score_deviation");
        this.chart.show({
          ...axis(feed_, "metrics"), lines: even, series: [
            { name: "mean", style: "s2", ...withBand(mean, spread, "± standard deviation of the candidates") },
            { name: "best candidate", style: "s5", values: column("best_score") },
          ],
        });
      },
    },
    {
      chart: new LineChart({
        title: "Signal and noise", yLabel: cash ? "standard deviation (bb per 100 hands)" : "standard deviation (places)", include: [0],
        note: "If the two are equal, the differences between the candidates are due to chance.",
      }),
      has: (feed_) => feed_.has("metrics", "score_error"),
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "metrics"), series: [
          { name: "standard deviation of the candidates", style: "s2", values: column("score_deviation") },
          { name: "standard error of one candidate", style: "s5", values: column("score_error") },
        ] });
      },
    },
    {
      chart: new LineChart({ title: "Weights", yLabel: "root mean square", include: [0], note: "Spread of the candidates’ weights, and size of the recommended player’s weights." }),
      has: (feed_) => feed_.has("metrics", "spread"),
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "metrics"), series: [
          { name: "spread of the candidates", style: "s3", values: column("spread") },
          { name: "size of the weights", style: "s4", values: column("weight_size") },
        ] });
      },
    },
    {
      chart: new LineChart({ title: "Racing", yLabel: "hands", format: short, include: [0], note: "Extra hands, played because selection could not separate the candidates." }),
      has: (feed_) => feed_.has("metrics", "racing_hands"),
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "metrics"), series: [{ name: "racing hands", style: "s3", values: column("racing_hands") }] });
      },
    },
    {
      chart: new LineChart({
        title: "Scores of the teams", wide: true, height: 260, yLabel: "score, 0 to 1",
        note: "In the matches of each generation. A champion’s score is from separate validation matches.",
      }),
      has: (feed_) => feed_.has("metrics", "mean_fitness"),
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "metrics"), lines: [{ value: 0.5, name: "even" }], series: [
          { name: "mean", style: "s2", values: column("mean_fitness") },
          { name: "best team", style: "s5", values: column("best_fitness") },
          { name: "champion", style: "s1", marker: "circle", sparse: true, values: column("champion") },
        ] });
      },
    },
    {
      chart: new LineChart({ title: "Hardest opponent in the pool", yLabel: "games won", format: share, range: [0, 1], note: "Lowest share of games won against any player in the pool." }),
      has: (feed_) => feed_.has("metrics", "pool_hardest"),
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "metrics"), series: [{ name: "games won", style: "s4", values: column("pool_hardest") }], lines: [{ value: 0.5, name: "even" }] });
      },
    },
  ];
}

