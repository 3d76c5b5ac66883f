// Halls of fame, and the pool of opponents.

import { h } from "/static/js/dom.js";
import { count, share } from "./format.js";
import { Histogram } from "./histogram.js";
import { LineChart } from "./line_chart.js";

/** Ages of the members of the halls of fame, and their number over the run. */
export function hallCharts() {
  const ages = new Histogram({
    title: "Ages of the members", note: "Generations since a member entered the hall of fame.", xLabel: "age in generations", yLabel: "members",
  });
  const entered = new Histogram({
    title: "Entry generations of the members", note: "Current members only.", xLabel: "generation", yLabel: "members",
  });
  const size = new LineChart({ title: "Size and newcomers", yLabel: "networks", include: [0], note: "Members that took part in a generation, and networks added after it." });
  const has = (feed) => (feed.parts.hall ?? []).some((hall) => hall.length > 0);
  const bars = (chart, value) => ({
    chart, has,
    update(feed) {
      const all = feed.parts.hall.flat();
      const now = feed.last("metrics", "generation") ?? Math.max(...all);
      const values = all.map((at) => value(at, now));
      chart.show({ values, low: Math.min(...values), high: Math.max(...values) });
    },
  });
  return [
    bars(ages, (at, now) => Math.max(0, now - at)),
    bars(entered, (at) => at),
    {
      chart: size, has,
      update: (feed, axis) => size.show({ ...axis(feed, "metrics"), series: [
        { name: "members", style: "s4", values: feed.column("metrics", "hall_size") },
        { name: "newcomers", style: "s2", values: feed.column("metrics", "hall_entered") },
      ] }),
    },
  ];
}

/** The opponents of a search, the hardest first. */
export function poolTable(pool, generation) {
  const rows = [...pool].sort((a, b) => a.win_rate - b.win_rate).map((member) => {
    const fill = h("span", { class: "fill" });
    fill.style.setProperty("--share", `${100 * member.win_rate}%`);
    return h("tr", {},
      h("th", { scope: "row" }, member.name ?? `generation ${count(member.entered)}`),
      h("td", {}, member.name ? "named" : count(Math.max(0, generation - member.entered))),
      h("td", {}, h("span", { class: "rate" }, h("span", { class: "track", "aria-hidden": "true" }, fill), share(member.win_rate))),
      h("td", {}, member.games.toFixed(1)));
  });
  return h("table", { class: "plain" },
    h("caption", {}, "Opponents, hardest first. Games won is the share that the search wins; older games count less, and without games it is 50%."),
    h("thead", {}, h("tr", {}, ...["opponent", "age in generations", "games won", "effective games"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...rows));
}
