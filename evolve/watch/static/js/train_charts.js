// What a run of `train` shows.

import { decimal, share, short } from "./format.js";
import { LineChart } from "./line_chart.js";

/** Values with their standard errors as a band. */
export function withError(values, errors) {
  const known = (i) => errors[i] !== null && errors[i] !== undefined && values[i] !== null && values[i] !== undefined;
  return {
    values,
    low: values.map((value, i) => (known(i) ? value - errors[i] : null)),
    high: values.map((value, i) => (known(i) ? value + errors[i] : null)),
    bandName: "± standard error",
  };
}

export function learningCharts(feed) {
  const { config } = feed.parts;
  const column = (name) => feed.column("metrics", name);
  const fields = Number(config.sub_populations ?? 1);
  return [
    progressChart(),
    {
      chart: new LineChart({
        title: "Places in the tournaments of each generation", wide: true, height: 300, invert: true, yLabel: "mean place (1 is best)",
        note: "All play each other, so the mean of the population hardly moves. The champion is the best of many and has been lucky: the band is the error of one of them.",
      }),
      has: () => true,
      update(feed_, axis) {
        const series = [
          { name: fields > 1 ? "best champion" : "champion", look: "s1", ...withError(column("best_place"), column("best_place_error")) },
          { name: "mean of the elites", look: "s2", values: column("elite_place") },
          { name: "population", look: "s5", values: column("quartile_places.1"), low: column("quartile_places.0"), high: column("quartile_places.2"), bandName: "middle half", symmetric: false },
        ];
        if (feed_.has("metrics", "hall_mean_place")) series.push({ name: "mean of the hall of fame", look: "s4", values: column("hall_mean_place") });
        this.chart.show({ ...axis(feed_, "metrics"), series });
      },
    },
    {
      chart: new LineChart({ title: `Fitness of the champion: ${config.fitness}`, yLabel: String(config.fitness), note: "In the unit of the fitness function." }),
      has: (feed_) => config.fitness !== "place" && feed_.has("metrics", "best_fitness"),
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "metrics"), series: [{ name: "champion", look: "s1", ...withError(column("best_fitness"), column("best_fitness_error")) }] });
      },
    },
    {
      chart: new LineChart({ title: "Champions of the sub-populations", yLabel: "mean place (1 is best)", invert: true }),
      has: () => fields > 1,
      update(feed_, axis) {
        const series = Array.from({ length: fields }, (_, i) => ({ name: `sub-population ${i + 1}`, look: `s${1 + (i % 6)}`, values: column(`sub_populations.${i}.best_place`) }));
        this.chart.show({ ...axis(feed_, "metrics"), series });
      },
    },
    {
      chart: new LineChart({
        title: "Elite overlap", yLabel: "share", format: share, range: [0, 1],
        note: "Elites on which the two halves of the tournaments agree: the higher, the less is luck.",
      }),
      has: (feed_) => feed_.has("metrics", "elite_overlap"),
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "metrics"), series: [{ name: "overlap", look: "s3", values: column("elite_overlap") }], lines: [{ value: config.elites / config.population, name: "by chance" }] });
      },
    },
    {
      chart: new LineChart({ title: "Hidden units", yLabel: "mean number", note: "Of the networks, which grow and shrink." }),
      has: (feed_) => feed_.has("metrics", "hidden_units"),
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "metrics"), series: [{ name: "population", look: "s2", values: column("hidden_units") }] });
      },
    },
    speedChart(),
  ];
}

/** Hands a second of every generation. */
export function speedChart() {
  return {
    chart: new LineChart({ title: "Speed", yLabel: "hands a second", format: short, include: [0], note: "Hands played in a second, all workers together." }),
    has: (feed) => feed.rows("timings") > 0,
    update(feed, axis) {
      this.chart.show({ ...axis(feed, "timings"), series: [{ name: "hands a second", look: "s6", values: feed.column("timings", "hands_per_second") }] });
    },
  };
}

/** The closing tournaments: what says whether the run has learnt. */
function progressChart() {
  const chart = new LineChart({
    title: "Progress: champions of the generations against each other", wide: true, height: 300, invert: true, yLabel: "mean place (1 is best)",
    note: "Played after the last generation, together with static players; this is the measure of learning.",
  });
  return {
    chart,
    has: (feed) => Boolean(feed.parts.progress),
    update(feed) {
      const { generations, places, errors, static_players: known } = feed.parts.progress;
      chart.show({
        x: generations, xLabel: "generation of the champion", xFormat: decimal,
        series: [{ name: "champion", look: "s1", marker: "circle", ...withError(places, errors) }],
        lines: Object.entries(known).map(([name, value]) => ({ name, value })),
      });
    },
  };
}
