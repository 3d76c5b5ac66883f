// Champions of all generations in the plane of two measures, with known players as landmarks.

import { h, svg } from "/static/js/dom.js";
import { Figure, mark } from "./figure.js";
import { share } from "./format.js";
import { bounds, scale, ticks } from "./scales.js";

const LEFT = 58;
const RIGHT = 16;
const TOP = 12;
const BOTTOM = 38;
const MOST_POINTS = 120;
const LABELS = 5;
const STEPS = 12;
const OFFSETS = [[9, 4, "start"], [-9, 4, "end"], [0, -9, "middle"], [0, 18, "middle"], [9, -8, "start"], [-9, -8, "end"], [9, 16, "start"], [-9, 16, "end"]];

export class StyleMap extends Figure {
  constructor({ onChoose, ...options }) {
    super({ wide: true, height: 420, ...options });
    this.onChoose = onChoose;
    this.landmarks = {};
    this.champions = [];
    this.means = [];
    this.legend.replaceChildren(...[
      ["champion", "circle", "champion of a generation; later ones are lighter and larger"],
      ["mean", "square", "population, all games"],
      ["landmark", "diamond", "known players against each other"],
    ].map(([kind, shape, text]) => {
      const item = h("li", { "data-kind": kind }, svg("svg", { width: 18, height: 16, "aria-hidden": "true" }, mark(shape, 9, 8, 4.5, `point ${kind} ${kind === "champion" ? "age-9" : ""}`)), text);
      return item;
    }));
    this.whole = true;
    this.zoom = h("div", { class: "map-choice", role: "group", "aria-label": "Map view" }, ...[[true, "Full map"], [false, "Zoom to champions"]].map(([whole, text]) => h("button", {
      type: "button", class: "quiet", "aria-pressed": String(whole === this.whole), onclick: (event) => {
        this.whole = whole;
        for (const button of this.zoom.children) button.setAttribute("aria-pressed", String(button === event.target));
        this.draw();
      },
    }, text)));
    this.element.querySelector("figcaption").append(this.zoom);
    this.choose = h("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.onChoose(this.champions[this.chosen].generation) });
    this.element.querySelector(".plot-box").after(this.choose);
    this.plot.addEventListener("click", () => this.at !== null && this.pick());
    this.plot.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && this.at !== null) this.pick();
    });
  }

  pick() {
    this.chosen = this.at;
    this.choose.hidden = false;
    this.choose.textContent = `Seat the champion of generation ${this.champions[this.chosen].generation} at the table`;
  }

  /** Lists of { generation, x, y }, shares from 0 to 1; means may be empty. */
  show({ champions, means }) {
    const every = Math.ceil(champions.length / MOST_POINTS);
    const some = (list) => list.filter((_, i) => (list.length - 1 - i) % every === 0);
    this.champions = some(champions);
    this.means = some(means);
    if (this.chosen >= this.champions.length) this.choose.hidden = true;
    this.legend.querySelector("[data-kind=mean]").hidden = !means.length;
    this.all = champions;
    this.allMeans = means;
    this.draw();
    this.describe();
  }

  showLandmarks(landmarks) {
    this.landmarks = Object.fromEntries(Object.entries(landmarks).filter(([, style]) => style.voluntarily_in_pot !== null && style.aggression !== null));
    this.draw();
    this.describe();
  }

  stops() {
    return this.champions.map((_, i) => i);
  }

  draw() {
    if (!this.width) return;
    if (!this.champions.length && !Object.keys(this.landmarks).length) {
      this.emptyPlot("No data yet.");
      return;
    }
    const { width, height } = this;
    const close = !this.whole && this.champions.length > 1;
    const points = [...this.champions, ...this.means];
    this.xRange = close ? bounds([points.map((point) => point.x)], { padding: 0.12 }) : [0, 1.01];
    this.yRange = close ? bounds([points.map((point) => point.y)], { padding: 0.25 }) : [-0.03, 1.1];
    this.x = scale(this.xRange, [LEFT, width - RIGHT]);
    this.y = scale(this.yRange, [height - BOTTOM, TOP]);
    this.cursor = svg("g", { class: "cursor" });
    this.boxes = Object.values(this.landmarks).map((style) => {
      const at = { x: this.x(style.voluntarily_in_pot), y: this.y(style.aggression) };
      return [at.x - 6, at.y - 6, at.x + 6, at.y + 6];
    });
    const trail = this.champions.map((item, i) => `${i ? "L" : "M"}${this.x(item.x).toFixed(1)} ${this.y(item.y).toFixed(1)}`).join("");
    this.plot.replaceChildren(svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" },
      this.axes(), svg("path", { class: "trail", d: trail || "M0 0" }),
      ...this.means.map((item, i) => mark("square", this.x(item.x), this.y(item.y), this.size(i, this.means) * 0.8, "point mean")),
      ...this.champions.map((item, i) => mark("circle", this.x(item.x), this.y(item.y), this.size(i, this.champions), `point champion age-${this.age(i)}`)),
      ...this.numbered(), ...this.named(), this.cursor));
    this.moveTo(this.at);
  }

  size(i, list) {
    return 3 + (2.5 * i) / Math.max(1, list.length - 1);
  }

  age(i) {
    return this.champions.length > 1 ? Math.round(((STEPS - 1) * i) / (this.champions.length - 1)) : STEPS - 1;
  }

  axes() {
    const { width, height } = this;
    const group = svg("g", { class: "axes" });
    const possible = ([low, high]) => [Math.max(0, low), Math.min(1, high)];
    for (const value of ticks(possible(this.yRange), 5)) {
      group.append(svg("line", { x1: LEFT, x2: width - RIGHT, y1: this.y(value), y2: this.y(value) }),
        svg("text", { x: LEFT - 7, y: this.y(value) + 4, "text-anchor": "end" }, share(value)));
    }
    for (const value of ticks(possible(this.xRange), Math.min(5, Math.floor(width / 75)))) {
      group.append(svg("line", { x1: this.x(value), x2: this.x(value), y1: TOP, y2: height - BOTTOM }),
        svg("text", { x: this.x(value), y: height - BOTTOM + 16, "text-anchor": "middle" }, share(value)));
    }
    const narrow = width < 520;
    group.append(
      svg("text", { class: "axis-label", x: (LEFT + width - RIGHT) / 2, y: height - 5, "text-anchor": "middle" }, narrow ? "tight ←  hands entered (VPIP)  → loose" : "tight ←  hands entered before the flop (VPIP)  → loose"),
      svg("text", { class: "axis-label", transform: `translate(12 ${(TOP + height - BOTTOM) / 2}) rotate(-90)`, "text-anchor": "middle" }, "passive ←  aggression after the flop  → aggressive"));
    return group;
  }

  /** Generations written beside some of the champions. */
  numbered() {
    const last = this.champions.length - 1;
    const rows = [...new Set(Array.from({ length: LABELS }, (_, i) => Math.round((last * (LABELS - 1 - i)) / (LABELS - 1))))].filter((i) => i >= 0);
    return rows.map((i) => {
      const item = this.champions[i];
      const at = { x: this.x(item.x), y: this.y(item.y) };
      const text = this.label(item, String(item.generation), "age-label", [-14, 24, -28, 38, -42, 52, -56].map((dy) => [0, dy, "middle"]));
      if (!text) return null;
      const to = Number(text.getAttribute("y"));
      return svg("g", {}, svg("line", { class: "leader", x1: at.x, x2: at.x, y1: at.y, y2: to > at.y ? to - 11 : to + 2 }), text);
    }).filter(Boolean);
  }

  named() {
    const parts = [];
    for (const [name, style] of Object.entries(this.landmarks)) {
      const point = { x: style.voluntarily_in_pot, y: style.aggression };
      if (point.x < this.xRange[0] || point.x > this.xRange[1] || point.y < this.yRange[0] || point.y > this.yRange[1]) continue;
      parts.push(mark("diamond", this.x(point.x), this.y(point.y), 5, "point landmark"));
      const text = this.label(point, name, "landmark-label");
      if (text) parts.push(text);
    }
    return parts;
  }

  /** A text beside a point, where there is room for it. */
  label(point, text, className, offsets = OFFSETS) {
    const at = { x: this.x(point.x), y: this.y(point.y) };
    const wide = 6.6 * text.length;
    for (const [dx, dy, anchor] of offsets) {
      const left = at.x + dx - (anchor === "end" ? wide : anchor === "middle" ? wide / 2 : 0);
      const box = [left, at.y + dy - 11, left + wide, at.y + dy + 3];
      const inside = box[0] > LEFT && box[2] < this.width - 2 && box[1] > 0 && box[3] < this.height - BOTTOM;
      if (!inside || this.boxes.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
      this.boxes.push(box);
      return svg("text", { class: className, x: at.x + dx, y: at.y + dy, "text-anchor": anchor }, text);
    }
    return null;
  }

  // --- the cursor ---------------------------------------------------------------------------------

  point(event) {
    if (!this.x || !this.champions.length) return;
    const box = this.plot.getBoundingClientRect();
    const distance = (item) => (this.x(item.x) - (event.clientX - box.left)) ** 2 + (this.y(item.y) - (event.clientY - box.top)) ** 2;
    const nearest = this.stops().reduce((best, i) => (distance(this.champions[i]) < distance(this.champions[best]) ? i : best));
    this.moveTo(distance(this.champions[nearest]) < 900 ? nearest : null);
  }

  moveTo(i) {
    const item = i === null ? null : this.champions[i];
    this.at = item ? i : null;
    this.cursor?.replaceChildren();
    if (!item) {
      this.showTip(null, this.lastText ?? "no data yet", []);
      return;
    }
    const text = describePoint(item);
    this.cursor.append(svg("circle", { cx: this.x(item.x), cy: this.y(item.y), r: 9 }));
    this.showTip({ x: this.x(item.x), y: this.y(item.y) }, text, [h("b", {}, `Generation ${item.generation}`), h("span", {}, `VPIP ${share(item.x)}`), h("span", {}, `aggression ${share(item.y)}`)]);
  }

  describe() {
    const last = this.champions.at(-1);
    this.lastText = last ? describePoint(last) : "no data yet";
    this.summary.textContent = last ? `First ${describePoint(this.champions[0])}; last ${describePoint(last)}.` : "";
    if (this.at === null) this.showTip(null, this.lastText, []);
    this.showTable(["player", "VPIP", "aggression", "population: VPIP", "aggression"], () => this.rows());
  }

  rows() {
    const means = new Map((this.allMeans ?? []).map((item) => [item.generation, item]));
    const known = Object.entries(this.landmarks).map(([name, style]) => [name, share(style.voluntarily_in_pot), share(style.aggression), "", ""]);
    return known.concat((this.all ?? []).map((item) => {
      const mean = means.get(item.generation);
      return [`generation ${item.generation}`, share(item.x), share(item.y), mean ? share(mean.x) : "", mean ? share(mean.y) : ""];
    }));
  }
}

function describePoint(item) {
  return `generation ${item.generation}: VPIP ${share(item.x)}, aggression ${share(item.y)}`;
}
