// Tournaments of the whole population: places of champions and populations.

import { Z95, decimal, share, short } from "./format.js";
import { LineChart } from "./line_chart.js";

/** Values with their 95% intervals, from their standard errors, as a band. */
export function withError(values, errors) {
  return withBand(values, errors.map((error) => (error === null || error === undefined ? null : Z95 * error)), "95% interval");
}

/** Values with a band of so much to each side. */
export function withBand(values, reaches, bandName) {
  const known = (i) => reaches[i] !== null && reaches[i] !== undefined && values[i] !== null && values[i] !== undefined;
  return {
    values,
    low: values.map((value, i) => (known(i) ? value - reaches[i] : null)),
    high: values.map((value, i) => (known(i) ? value + reaches[i] : null)),
    bandName,
  };
}

/** Means over so many rows around each; nulls are left out. */
function smooth(values, rows) {
  return values.map((_, i) => {
    const around = values.slice(Math.max(0, i - rows), i + rows + 1).filter((value) => value !== null && value !== undefined);
    return around.length ? around.reduce((sum, value) => sum + value, 0) / around.length : null;
  });
}

export function placeCharts(feed) {
  const { config } = feed.parts;
  const column = (name) => feed.column("metrics", name);
  const fields = Number(config.sub_populations ?? 1);
  return [
    progressChart(),
    {
      chart: new LineChart({
        title: "Tournament places per generation", wide: true, height: 300, invert: true, yLabel: "share of the field ahead", format: share,
        note: "Mean place: 0% is first, 100% is last. All candidates improve together, so this does not show progress. The champion, as the best of many, is partly lucky.",
      }),
      has: (feed_) => feed_.has("metrics", "best_place"),
      update(feed_, axis) {
        const opponents = column("players").map((players) => players - 1);
        const known = (value) => value !== null && value !== undefined;
        const ahead = (name) => column(name).map((place, i) => (known(place) ? (place - 1) / opponents[i] : null));
        const error = column("best_place_error").map((value, i) => (known(value) ? value / opponents[i] : null));
        const series = [
          { name: fields > 1 ? "best champion" : "champion", style: "s1", ...withError(ahead("best_place"), error) },
          { name: "mean of the elites", style: "s2", values: ahead("elite_place") },
          { name: "population", style: "s5", values: ahead("quartile_places.1"), low: ahead("quartile_places.0"), high: ahead("quartile_places.2"), bandName: "middle half", symmetric: false },
        ];
        if (feed_.has("metrics", "hall_mean_place")) series.push({ name: "mean of the hall of fame", style: "s4", values: ahead("hall_mean_place") });
        this.chart.show({ ...axis(feed_, "metrics"), series });
      },
    },
    {
      chart: new LineChart({ title: `Champion fitness: ${config.fitness}`, yLabel: String(config.fitness), note: "In the unit of the fitness function." }),
      has: (feed_) => config.fitness !== "score" && feed_.has("metrics", "best_fitness"),
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "metrics"), series: [{ name: "champion", style: "s1", ...withError(column("best_fitness"), column("best_fitness_error")) }] });
      },
    },
    {
      chart: new LineChart({ title: "Sub-population champions", yLabel: "mean place (1 is best)", invert: true }),
      has: (feed_) => fields > 1 && feed_.has("metrics", "best_place"),
      update(feed_, axis) {
        const series = Array.from({ length: fields }, (_, i) => ({ name: `sub-population ${i + 1}`, style: `s${1 + (i % 6)}`, values: column(`sub_populations.${i}.best_place`) }));
        this.chart.show({ ...axis(feed_, "metrics"), series });
      },
    },
    {
      chart: new LineChart({
        title: "Elite overlap", yLabel: "share", format: share, range: [0, 1],
        note: "Share of elites that both halves of the tournaments select. The higher it is, the less selection depends on chance.",
      }),
      has: (feed_) => feed_.has("metrics", "elite_overlap"),
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "metrics"), series: [
          { name: "overlap", style: "s5", values: column("elite_overlap") },
          { name: "mean over 21 generations", style: "s3", values: smooth(column("elite_overlap"), 10) },
        ], lines: [{ value: config.elites / config.population, name: "by chance" }] });
      },
    },
    {
      chart: new LineChart({ title: "Hidden units", yLabel: "units", note: "Mean number of hidden units per network." }),
      has: (feed_) => feed_.has("metrics", "hidden_units"),
      update(feed_, axis) {
        this.chart.show({ ...axis(feed_, "metrics"), series: [{ name: "population", style: "s2", values: column("hidden_units") }] });
      },
    },
  ];
}

/** Hands a second of every generation. */
export function speedChart() {
  return {
    chart: new LineChart({ title: "Speed", yLabel: "hands per second", format: short, include: [0], note: "Total of all workers." }),
    has: (feed) => feed.rows("timings") > 0,
    update(feed, axis) {
      this.chart.show({ ...axis(feed, "timings"), series: [{ name: "hands per second", style: "s6", values: feed.column("timings", "hands_per_second") }] });
    },
  };
}

/** The closing tournaments: what says whether the run has learnt. */
function progressChart() {
  const chart = new LineChart({
    title: "Progress: champions of all generations against each other", wide: true, height: 300, invert: true, yLabel: "mean place (1 is best)",
    note: "Final tournaments after the last generation, together with fixed players. They measure progress.",
  });
  return {
    chart,
    has: (feed) => Boolean(feed.parts.progress),
    update(feed) {
      const { generations, places, errors, static_players: known } = feed.parts.progress;
      chart.show({
        x: generations, xLabel: "generation of the champion", xFormat: decimal,
        series: [{ name: "champion", style: "s1", marker: "circle", ...withError(places, errors) }],
        lines: Object.entries(known).map(([name, value]) => ({ name, value })),
      });
    },
  };
}
