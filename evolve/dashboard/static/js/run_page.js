// One run: its status, curves, its players, its configuration.

import { announce, fetchJson, h, storage } from "/static/js/dom.js";
import { blockCharts } from "./block_charts.js";
import { Feed } from "./feed.js";
import { Z95, count, decimal, duration, setting, share, short, when } from "./format.js";
import { hallCharts, poolTable } from "./members.js";
import { SeatPanel } from "./seat_panel.js";
import { badge, progressBar, progressText } from "./stages.js";
import { progressTile } from "./progress_tile.js";
import { stylePoints, styleCharts } from "./style_charts.js";
import { StyleMap } from "./style_map.js";
import { placeCharts, speedChart } from "./place_charts.js";

export class RunPage {
  constructor(page, run) {
    this.page = page;
    this.run = run;
    this.axisName = storage.get("runs.axis", "generation");
    this.panels = [];
    page.append(h("p", { class: "notice" }, "Loading run …"));
    document.title = `${run} · nlhe-env`;
    this.feed = new Feed(run, { onUpdate: (changed) => this.update(changed), onError: (text, gone) => this.showError(text, gone) });
  }

  close() {
    this.feed.close();
    for (const { chart } of this.panels) chart.close();
  }

  // --- the skeleton -------------------------------------------------------------------------------

  build() {
    const { feed, run } = this;
    for (const { chart } of this.panels) chart.close();
    const config = feed.parts.config ?? {};
    const blocks = ["blocks", "tables"].includes(config.schedule);
    this.built = { config: JSON.stringify(config) };
    const learning = [...placeCharts(feed), ...blockCharts(feed), speedChart()];
    const sources = blocks
      ? [{ name: "recommended player", style: "s1", table: "tests", prefix: "style", marker: "circle" }]
      : [{ name: "champion", style: "s1", table: "metrics", prefix: "best_style" }, { name: "population", style: "s2", table: "metrics", prefix: "mean_style" }];
    this.seat = new SeatPanel(run);
    const map = new StyleMap({
      title: "Map of styles",
      note: blocks ? "The recommended player in its tests, from first to last." : "Champions and populations in their tournaments, from the first to the last generation.",
      onChoose: (generation) => this.seat.choose(generation),
    });
    this.map = map;
    const mapPanel = {
      chart: map, has: (feed_) => stylePoints(feed_, sources[0].table, sources[0].prefix).length > 0,
      update: (feed_) => map.show({ champions: stylePoints(feed_, sources[0].table, sources[0].prefix), means: blocks ? [] : stylePoints(feed_, "metrics", "mean_style") }),
    };
    const styles = styleCharts(sources);
    const halls = blocks ? [] : hallCharts();
    this.panels = [...learning, mapPanel, ...styles, ...halls];
    this.head = h("header", { class: "run-head" });
    this.notices = h("div", { class: "notices", role: "status" });
    this.tiles = h("dl", { class: "tiles" });
    this.members = h("div", { class: "members" });
    this.settings = h("div", { class: "settings" });
    this.tests = h("div", { class: "tests" });
    const grid = (panels) => h("div", { class: "charts" }, ...panels.map(({ chart }) => chart.element));
    this.sections = [
      this.section("learning", "Learning", this.axisChoice(), grid(learning), this.tests),
      this.section("style", "Playing style", null, grid([mapPanel]), grid(styles)),
      this.section("members", blocks ? "Opponents" : "Hall of fame", null, grid(halls), this.members),
      this.section("play", "At the table", null, this.seat.element),
      this.section("settings", "Configuration", null, this.settings),
    ];
    this.nav = h("nav", { class: "sections", "aria-label": "Sections of this page" }, ...this.sections.map((section) => h("button", {
      type: "button", class: "quiet", "data-for": section.id, onclick: () => {
        section.scrollIntoView({ block: "start" });
        section.querySelector("h2").focus({ preventScroll: true });
      },
    }, section.querySelector("h2").textContent)));
    this.page.replaceChildren(h("article", { class: "sheet run" }, this.head, this.seat.playRow, this.notices, this.tiles, this.nav, ...this.sections));
    fetchJson(`/learning/api/runs/${encodeURIComponent(run)}/landmarks`).then((found) => this.map === map && map.showLandmarks(found)).catch(() => {});
  }

  section(id, title, extra, ...children) {
    return h("section", { id: `part-${id}`, class: "part", "aria-labelledby": `title-${id}` },
      h("div", { class: "part-head" }, h("h2", { id: `title-${id}`, tabindex: "-1" }, title), extra), ...children);
  }

  axisChoice() {
    const choices = [["generation", "Generations"], ["hands", "Hands"]];
    return h("div", { class: "axis-choice", role: "group", "aria-label": "Horizontal axis" }, ...choices.map(([name, text]) => h("button", {
      type: "button", class: "quiet", "aria-pressed": String(this.axisName === name), onclick: (event) => {
        this.axisName = name;
        storage.set("runs.axis", name);
        for (const button of event.target.parentElement.children) button.setAttribute("aria-pressed", String(button === event.target));
        this.drawPanels();
      },
    }, text)));
  }

  /** Positions of the rows of a table on the axis. */
  axis(feed, table) {
    const generations = feed.column(table, "generation");
    if (this.axisName !== "hands") return { x: generations, xLabel: "generation", xFormat: decimal };
    const hands = this.handsUntil(feed);
    return { x: generations.map((generation) => hands.get(generation) ?? 0), xLabel: "hands", xFormat: short };
  }

  /** Hands of training after each generation. */
  handsUntil(feed) {
    const hands = feed.column("metrics", "hands");
    return new Map(feed.column("metrics", "generation").map((generation, i) => [generation, hands[i]]));
  }

  // --- what changes -------------------------------------------------------------------------------

  update(changed) {
    const { feed } = this;
    const { config } = feed.parts;
    if (!this.built || this.built.config !== JSON.stringify(config ?? {})) {
      this.build();
      changed = true;
    }
    this.drawHead(feed.status);
    if (!changed) return;
    this.drawTiles();
    this.drawPanels();
    this.drawTests();
    this.drawMembers();
    this.drawSettings();
    this.seat.update(feed);
    const generation = feed.status.generation;
    if (this.announced !== undefined && this.announced !== generation) announce(`Generation ${generation}`);
    this.announced = generation;
    this.nav.querySelector("[data-for=part-members]").hidden = this.sections[2].hidden = !this.hasMembers();
    this.nav.querySelector("[data-for=part-play]").hidden = this.sections[3].hidden = this.seat.element.hidden;
    const styled = this.panels.some(({ chart, has }) => chart === this.map && has(feed));
    this.nav.querySelector("[data-for=part-style]").hidden = this.sections[1].hidden = !styled;
  }

  hasMembers() {
    const { hall, pool } = this.feed.parts;
    return Boolean(pool?.length) || (hall ?? []).some((members) => members.length > 0);
  }

  showError(text, gone) {
    if (!this.built) {
      const title = gone ? "Run not found" : "The server is not responding";
      this.page.replaceChildren(h("div", { class: "notice" }, h("h1", {}, title), h("p", {}, text), h("p", {}, h("a", { href: "#/" }, "All runs"))));
      return;
    }
    const { status } = this.feed;
    this.drawHead(gone ? { ...status, stage: "gone" } : status, gone
      ? "The folder of this run is gone. The page shows the last known data and updates if the folder returns."
      : `The server is not responding (${text}). The page updates when it responds again.`);
  }

  drawHead(status, notice = "") {
    const { feed } = this;
    const { config, about } = feed.parts;
    const facts = [`trained by ${config?.optimizer ?? "elitist"}`, `seed ${config?.seed}`, about?.started ? `started ${when(about.started)}` : ""];
    const key = JSON.stringify([status.stage, status.generation, status.hands, progressText(status), facts]);
    if (key !== this.headKey || !this.head.childElementCount) {
      this.headKey = key;
      this.head.replaceChildren(
        h("div", { class: "run-title" }, h("h1", {}, config?.name ?? this.run), badge(status.stage)),
        h("p", { class: "fine" }, [this.run, ...facts].filter(Boolean).join(" · ")),
        progressBar(status), h("p", { class: "run-progress" }, progressText(status)));
    }
    const lines = [notice, ...(feed.problems ?? [])];
    if (status.stage === "quiet") {
      lines.push(`No update for ${duration(status.silent_s)}: the run may have been interrupted. Finished generations are saved. Resume with: nlhe train --resume ${feed.folder}/${this.run}`);
    }
    if (status.stage === "waiting") lines.push("No generation has finished yet.");
    const texts = lines.filter(Boolean);
    if (JSON.stringify(texts) !== this.noticeKey) {
      this.noticeKey = JSON.stringify(texts);
      this.notices.replaceChildren(...texts.map((text) => h("p", {}, text)));
    }
  }

  drawTiles() {
    const { feed } = this;
    const { config } = feed.parts;
    const last = (name, table = "metrics") => feed.last(table, name);
    const tiles = [];
    const add = (name, value, extra = "") => tiles.push([name, value, extra]);
    const unit = config.game === "cash" ? "bb/100" : `mean place among ${config.table_size}`;
    add(...progressTile({ parts: feed.parts, column: (table, name) => feed.column(table, name), rows: (table) => feed.rows(table) }));
    if (last("mean_score") !== null) add("Candidates", decimal(last("mean_score")), `${unit}, standard deviation ${decimal(last("score_deviation"))}`);
    if (last("best_place") !== null) {
      const error = last("best_place_error");
      add("Champion’s place in its field", decimal(last("best_place")), `${error === null ? "" : `± ${decimal(Z95 * error)} `}of ${count(last("players"))}`);
      if (last("elite_overlap") !== null) add("Elite overlap", share(last("elite_overlap")), `by chance ${share(config.elites / config.population)}`);
    }
    if (last("hands_per_second", "timings") !== null) add("Speed", short(last("hands_per_second", "timings")), "hands per second");
    const hands = [...this.handsUntil(feed).values()].at(-1);
    if (hands) add("Hands", short(hands), "played in training");
    if (feed.rows("timings")) add("Time", duration(feed.column("timings", "seconds").reduce((sum, seconds) => sum + seconds, 0)), "in finished generations");
    this.tiles.replaceChildren(...tiles.map(([name, value, extra]) => h("div", { class: "tile" }, h("dt", {}, name), h("dd", {}, h("b", {}, value), h("span", { class: "fine" }, extra)))));
  }

  drawPanels() {
    for (const panel of this.panels) {
      const shown = this.feed.rows("metrics") + this.feed.rows("tests") > 0 && panel.has(this.feed);
      panel.chart.element.hidden = !shown;
      if (shown) panel.update(this.feed, (feed, table) => this.axis(feed, table));
    }
  }

  drawTests() {
    const { evaluation } = this.feed.parts;
    this.tests.hidden = !evaluation;
    if (!evaluation) return;
    const folds = evaluation.players.some((row) => row.player === "folder");
    this.tests.replaceChildren(h("table", { class: "plain" },
      h("caption", {}, `Evaluation: ${count(evaluation.blocks)} duplicate blocks against a fixed field, best first`),
      h("thead", {}, h("tr", {}, ...["player", "mean place", "95% interval", "champion’s result"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...[...evaluation.players].sort((a, b) => a.mean_place - b.mean_place).map((row) => h("tr", { class: row.evaluated ? "judged" : "" },
        h("th", { scope: "row" }, row.player), h("td", {}, row.mean_place.toFixed(3)), h("td", {}, `${row.low?.toFixed(3)} to ${row.high?.toFixed(3)}`), h("td", {}, row.evaluated ? "–" : { better: "better", worse: "worse" }[row.verdict] ?? "no clear difference"))))),
    folds ? h("p", { class: "fine" }, "“folder” folds every hand and so outlasts many players: its place can be good though it wins no showdown.") : "");
  }

  drawMembers() {
    const { pool } = this.feed.parts;
    this.members.replaceChildren(...(pool?.length ? [poolTable(pool, this.feed.status.generation)] : []));
  }

  drawSettings() {
    const { config, about } = this.feed.parts;
    const table = (caption, entries) => h("table", { class: "plain config" }, h("caption", {}, caption),
      h("tbody", {}, ...entries.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, setting(value))))));
    const machine = about ? [["started", when(about.started)], ["python", about.python], ...Object.entries(about.packages ?? {}), ["platform", about.platform], ["cores", about.cores]] : [];
    const files = ["metrics", "tests", "bounds", "timings"].filter((name) => this.feed.rows(name));
    const downloads = h("p", { class: "downloads" }, "Download as CSV: ", ...files.flatMap((name, i) => [i ? ", " : "", h("a", {
      href: `/learning/api/runs/${encodeURIComponent(this.run)}/${name}.csv`, download: `${this.run}-${name}.csv`,
    }, name)]));
    this.settings.replaceChildren(files.length ? downloads : "", table("config.toml", Object.entries(config ?? {})), ...(machine.length ? [table("Environment", machine)] : []));
  }
}
