// Runs side by side: their learning curves in one chart, what they came to, and where their settings differ.

import { fetchJson, h } from "/static/js/dom.js";
import { Z95, decimal, setting, short } from "./format.js";
import { LineChart } from "./line_chart.js";
import { withError } from "./place_charts.js";

const MOST = 6; // as many as there are looks of lines

export class ComparePage {
  constructor(page, runs) {
    this.page = page;
    this.charts = [];
    page.append(h("p", { class: "notice" }, "Loading runs …"));
    document.title = "Run comparison · nlhe-env";
    this.load(runs.slice(0, MOST));
  }

  close() {
    this.closed = true;
    for (const chart of this.charts) chart.close();
  }

  async load(names) {
    const answers = await Promise.allSettled(names.map((name) => fetchJson(`/learning/api/runs/${encodeURIComponent(name)}/comparison`)));
    if (this.closed) return;
    const runs = answers.filter((answer) => answer.status === "fulfilled").map((answer) => answer.value);
    const missing = names.filter((_, i) => answers[i].status === "rejected");
    // Places of five players and of fifty are no one measure: a chart for each.
    const groups = Map.groupBy(runs.filter((run) => run.curve), ({ curve }) => `${curve.measure}, ${curve.unit}`);
    this.charts = [...groups].map(([title, members]) => drawCurves(title, members));
    this.page.replaceChildren(h("article", { class: "sheet" }, h("h1", {}, "Run comparison"), h("p", { class: "fine" }, h("a", { href: "#/" }, "All runs")),
      missing.length ? h("p", { class: "fine" }, `Not found: ${missing.join(", ")}`) : null,
      h("h2", { class: "sr" }, "Learning curves"), h("div", { class: "charts" }, ...this.charts.map((chart) => chart.element)),
      h("div", { class: "tests" }, results(runs)), h("div", { class: "tests" }, differences(runs))));
  }
}

function titleOf({ name, run }) {
  return name && name !== run ? `${name} (${run})` : run;
}

function drawCurves(title, runs) {
  const lower = runs[0].curve.lower_is_better;
  const chart = new LineChart({
    title: `Learning curves: ${title}`, wide: true, height: 320, invert: lower, yLabel: lower ? "mean place (1 is best)" : "big blinds per 100 hands",
    note: "Up is better. Curves are comparable if the runs were tested against the same players on the same cards.",
  });
  const x = [...new Set(runs.flatMap(({ curve }) => curve.generations))].sort((a, b) => a - b);
  const series = runs.map((run, i) => {
    const at = new Map(run.curve.generations.map((generation, row) => [generation, row]));
    const pick = (values) => x.map((generation) => (at.has(generation) ? values[at.get(generation)] : null));
    return { name: titleOf(run), style: `s${i + 1}`, marker: "circle", sparse: true, ...withError(pick(run.curve.values), pick(run.curve.errors)) };
  });
  chart.show({ x, xLabel: "generation", xFormat: decimal, series });
  return chart;
}

function results(runs) {
  const cell = (value, format = decimal) => h("td", {}, value === null || value === undefined ? "–" : format(value));
  return h("table", { class: "plain" }, h("caption", {}, "Results"),
    h("thead", {}, h("tr", {}, ...["run", "measure", "first", "last", "± 95% interval", "hands"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...runs.map((run) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: `#/run/${encodeURIComponent(run.run)}` }, titleOf(run))),
      h("td", {}, run.curve ? `${run.curve.measure}, ${run.curve.unit}` : "no results yet"), cell(run.curve?.values[0]), cell(run.curve?.values.at(-1)),
      cell(run.curve?.errors.at(-1), (error) => decimal(Z95 * error)), cell(run.hands, short)))));
}

function differences(runs) {
  const names = [...new Set(runs.flatMap(({ config }) => Object.keys(config)))];
  const text = (run, name) => (name in run.config ? setting(run.config[name]) : "–");
  const differing = names.filter((name) => new Set(runs.map((run) => text(run, name))).size > 1);
  return h("table", { class: "plain config" }, h("caption", {}, differing.length ? "Different settings" : "All settings are equal"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "setting"), ...runs.map((run) => h("th", { scope: "col" }, titleOf(run))))),
    h("tbody", {}, ...differing.map((name) => h("tr", {}, h("th", { scope: "row" }, name), ...runs.map((run) => h("td", {}, text(run, name)))))));
}
