// Lines over generations or hands, with bands for errors, a cursor, and a legend that hides lines.

import { h, svg } from "/static/js/dom.js";
import { Figure, mark, swatch } from "./figure.js";
import { decimal, round } from "./format.js";
import { bounds, scale, thin, ticks } from "./scales.js";

const LEFT = 58;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 34;

export class LineChart extends Figure {
  /**
   * `yLabel` is the axis with its unit; `format` writes a value; `invert` puts small values on top;
   * `include` are values that must be visible.
   */
  constructor(options) {
    super(options);
    const { yLabel, format = decimal, invert = false, include = [], range = null } = options;
    Object.assign(this, { yLabel, format, invert, include, range });
    this.hidden = new Set();
    this.data = null;
  }

  /**
   * `x` are values on the axis. A series has name, style (a class),
   * values, and perhaps low, high, marker and sparse; `lines` are { value, name }.
   */
  show({ x, xLabel, xFormat, series, lines = [] }) {
    this.data = { x, xLabel, xFormat, series, lines };
    this.drawLegend();
    this.draw();
    this.describe();
  }

  get shown() {
    return this.data.series.filter((item) => !this.hidden.has(item.name));
  }

  stops() {
    if (!this.data) return [];
    const { x } = this.data;
    return x.map((_, i) => i).filter((i) => this.shown.some((item) => item.values[i] !== null && item.values[i] !== undefined));
  }

  drawLegend() {
    const { series, lines } = this.data;
    const key = JSON.stringify([series.map((item) => [item.name, item.style]), lines.map((line) => line.name), [...this.hidden]]);
    if (key === this.legendKey) return;
    this.legendKey = key;
    const focused = this.legend.contains(document.activeElement) ? document.activeElement.textContent : null;
    this.legend.replaceChildren(...series.map((item) => h("li", {}, h("button", {
      type: "button", class: "quiet", "aria-pressed": String(!this.hidden.has(item.name)), title: "Show or hide this line",
      onclick: () => {
        if (!this.hidden.delete(item.name)) this.hidden.add(item.name);
        this.show(this.data);
      },
    }, swatch(item.style, { band: Boolean(item.low), marker: item.marker }), item.bandName ? `${item.name} (band: ${item.bandName})` : item.name))));
    if (focused) [...this.legend.querySelectorAll("button")].find((button) => button.textContent === focused)?.focus();
  }

  draw() {
    if (!this.data || !this.width) return;
    const { x, lines } = this.data;
    const series = this.shown;
    if (!this.stops().length) {
      this.emptyPlot("No data yet.");
      return;
    }
    const { width, height } = this;
    const yRange = this.range ?? bounds(series.flatMap((item) => [item.values, item.low ?? [], item.high ?? []]), { include: [...this.include, ...lines.map((line) => line.value)] });
    const xRange = x.length > 1 ? [x[0], x.at(-1)] : [x[0] - 1, x[0] + 1];
    this.x = scale(xRange, [LEFT, width - RIGHT]);
    this.y = scale(yRange, this.invert ? [TOP, height - BOTTOM] : [height - BOTTOM, TOP]);
    this.cursor = svg("g", { class: "cursor" });
    this.plot.replaceChildren(svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" },
      this.axes(xRange, yRange), ...lines.map(({ value }) => svg("line", { class: "reference", x1: LEFT, x2: width - RIGHT, y1: this.y(value), y2: this.y(value) })),
      ...series.map((item) => this.band(item)), ...series.map((item) => this.line(item)), ...this.references(), this.cursor));
    this.moveTo(this.at);
  }

  axes(xRange, yRange) {
    const { width, height } = this;
    const group = svg("g", { class: "axes" });
    for (const value of ticks(yRange, Math.floor(height / 50))) {
      const at = this.y(value);
      group.append(svg("line", { x1: LEFT, x2: width - RIGHT, y1: at, y2: at }), svg("text", { x: LEFT - 7, y: at + 4, "text-anchor": "end" }, this.format === decimal ? round(value) : this.format(value)));
    }
    for (const value of ticks(xRange, Math.floor(width / 70))) {
      if (this.data.whole !== false && !Number.isInteger(value)) continue;
      group.append(svg("text", { x: this.x(value), y: height - BOTTOM + 16, "text-anchor": "middle" }, this.data.xFormat(value)));
    }
    group.append(svg("line", { class: "base", x1: LEFT, x2: width - RIGHT, y1: height - BOTTOM, y2: height - BOTTOM }),
      svg("text", { class: "axis-label", x: (LEFT + width - RIGHT) / 2, y: height - 3, "text-anchor": "middle" }, this.data.xLabel),
      svg("text", { class: "axis-label", transform: `translate(12 ${(TOP + height - BOTTOM) / 2}) rotate(-90)`, "text-anchor": "middle" }, this.yLabel));
    return group;
  }

  /** Names of the lines that stand for a value; those at one height stand beside each other. */
  references() {
    let left = Infinity;
    let above = -Infinity;
    return [...this.data.lines].sort((a, b) => this.y(a.value) - this.y(b.value)).map(({ value, name }) => {
      const at = this.y(value) - 4;
      const crowded = at - above < 13;
      const right = crowded ? left - 12 : this.width - RIGHT - 3;
      left = right - 6.3 * name.length;
      if (!crowded) above = at;
      return svg("text", { class: "reference-name", x: right, y: at, "text-anchor": "end" }, name);
    });
  }

  band({ style, low, high }) {
    if (!low) return svg("g");
    const rows = this.rowsOf(low).filter((i) => low[i] !== null && high[i] !== null);
    if (rows.length < 2) {
      return svg("g", {}, ...rows.map((i) => svg("line", { class: `line ${style} solid`, x1: this.x(this.data.x[i]), x2: this.x(this.data.x[i]), y1: this.y(low[i]), y2: this.y(high[i]) })));
    }
    const point = (values) => (i) => `${this.x(this.data.x[i]).toFixed(1)} ${this.y(values[i]).toFixed(1)}`;
    return svg("path", { class: `band ${style}`, d: `M${rows.map(point(high)).join("L")}L${rows.reverse().map(point(low)).join("L")}z` });
  }

  line({ style, values, marker, sparse = false }) {
    const rows = this.rowsOf(values);
    let path = "";
    let pen = "M";
    for (const i of rows) {
      if (values[i] === null || values[i] === undefined) {
        if (!sparse) pen = "M"; // a sparse series goes on at its next value
        continue;
      }
      path += `${pen}${this.x(this.data.x[i]).toFixed(1)} ${this.y(values[i]).toFixed(1)}`;
      pen = "L";
    }
    const group = svg("g", {}, svg("path", { class: `line ${style}`, d: path || "M0 0" }));
    const some = rows.filter((i) => values[i] !== null && values[i] !== undefined);
    const step = marker ? Math.max(1, Math.ceil(some.length / 40)) : Infinity;
    some.forEach((i, number) => {
      if (some.length === 1 || (some.length - 1 - number) % step === 0) group.append(mark(marker || "circle", this.x(this.data.x[i]), this.y(values[i]), 3, `mark ${style}`));
    });
    return group;
  }

  rowsOf(values) {
    return thin(values, this.width - LEFT - RIGHT);
  }

  // --- the cursor ---------------------------------------------------------------------------------

  point(event) {
    const stops = this.stops();
    if (!this.x || !stops.length) return;
    const wanted = this.x.invert(event.clientX - this.plot.getBoundingClientRect().left);
    const { x } = this.data;
    this.moveTo(stops.reduce((best, i) => (Math.abs(x[i] - wanted) < Math.abs(x[best] - wanted) ? i : best)));
  }

  moveTo(row) {
    const known = row !== null && this.data && this.stops().includes(row);
    this.at = known ? row : null;
    this.cursor?.replaceChildren();
    if (!known) {
      this.showTip(null, this.lastText ?? "no data yet", []);
      return;
    }
    const { x, xFormat, xLabel } = this.data;
    const at = this.x(x[row]);
    this.cursor.append(svg("line", { x1: at, x2: at, y1: TOP, y2: this.height - BOTTOM }));
    const heading = `${xLabel} ${xFormat(x[row])}`;
    const lines = [h("b", {}, heading)];
    const words = [];
    const heights = [];
    for (const item of this.shown) {
      const value = item.values[row];
      if (value === null || value === undefined) continue;
      this.cursor.append(mark(item.marker || "circle", at, this.y(value), 4, `mark ${item.style}`));
      heights.push(this.y(value));
      const text = this.format(value) + this.spread(item, row);
      lines.push(h("span", {}, swatch(item.style, { marker: item.marker }), `${item.name} `, h("b", {}, text)));
      words.push(`${item.name} ${text}`);
    }
    // Where the lines are not.
    const high = Math.min(...heights) > this.height - BOTTOM - Math.max(...heights);
    this.showTip({ x: at, y: high ? TOP : this.height - BOTTOM - 12, above: !high }, `${heading}: ${words.join(", ")}`, lines);
  }

  spread({ low, high, values, symmetric = true }, row) {
    if (!low || low[row] === null || low[row] === undefined) return "";
    if (symmetric) return ` ± ${this.format(high[row] - values[row])}`;
    return ` (${this.format(low[row])} to ${this.format(high[row])})`;
  }

  // --- for those who do not see it ----------------------------------------------------------------

  describe() {
    const { x, xLabel, xFormat, series } = this.data;
    const stops = this.stops();
    const parts = series.map((item) => {
      const rows = stops.filter((i) => item.values[i] !== null && item.values[i] !== undefined);
      if (!rows.length) return "";
      return `${item.name}: ${this.format(item.values[rows[0]])} at ${xLabel} ${xFormat(x[rows[0]])}, ${this.format(item.values[rows.at(-1)])} at ${xFormat(x[rows.at(-1)])}.`;
    });
    this.summary.textContent = parts.join(" ");
    const last = stops.at(-1);
    this.lastText = last === undefined ? "no data yet" : `${xLabel} ${xFormat(x[last])}: ${series.filter((item) => item.values[last] !== null && item.values[last] !== undefined).map((item) => `${item.name} ${this.format(item.values[last])}`).join(", ")}`;
    if (this.at === null) this.showTip(null, this.lastText, []);
    const cell = (item, i) => (item.values[i] === null || item.values[i] === undefined ? "" : this.format(item.values[i]) + this.spread(item, i));
    this.showTable([xLabel, ...series.map((item) => item.name)], () => stops.map((i) => [xFormat(x[i]), ...series.map((item) => cell(item, i))]));
  }
}
