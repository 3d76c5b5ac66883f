// Counts as bars.

import { h, svg } from "/static/js/dom.js";
import { Figure } from "./figure.js";
import { count } from "./format.js";
import { scale, ticks } from "./scales.js";

const LEFT = 58;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 34;
const MOST_BARS = 40;

export class Histogram extends Figure {
  constructor(options) {
    super(options);
    Object.assign(this, { xLabel: options.xLabel, yLabel: options.yLabel });
    this.bars = [];
    this.legend.hidden = true;
  }

  /** Whole numbers from `low` to `high` are counted in bars of equal width. */
  show({ values, low, high }) {
    const wide = Math.max(1, Math.ceil((high - low + 1) / MOST_BARS));
    const n = Math.floor((high - low) / wide) + 1;
    this.bars = Array.from({ length: n }, (_, i) => ({ low: low + i * wide, high: Math.min(high, low + (i + 1) * wide - 1), count: 0 }));
    for (const value of values) {
      const bar = this.bars[Math.floor((value - low) / wide)];
      if (bar) bar.count += 1;
    }
    this.draw();
    this.summary.textContent = `${count(values.length)} in total.`;
    this.showTable([this.xLabel, this.yLabel], () => this.bars.map((bar) => [span(bar), count(bar.count)]));
  }

  stops() {
    return this.bars.map((_, i) => i);
  }

  draw() {
    if (!this.width) return;
    const most = Math.max(0, ...this.bars.map((bar) => bar.count));
    if (!most) {
      this.emptyPlot("No members yet.");
      return;
    }
    const { width, height } = this;
    const n = this.bars.length;
    this.x = scale([0, n], [LEFT, width - RIGHT]);
    this.y = scale([0, most * 1.08], [height - BOTTOM, TOP]);
    const group = svg("g", { class: "axes" });
    for (const value of ticks([0, most], Math.floor(height / 50)).filter(Number.isInteger)) {
      group.append(svg("line", { x1: LEFT, x2: width - RIGHT, y1: this.y(value), y2: this.y(value) }), svg("text", { x: LEFT - 7, y: this.y(value) + 4, "text-anchor": "end" }, count(value)));
    }
    const every = Math.ceil(n / Math.max(2, Math.floor(width / 80)));
    this.bars.forEach((bar, i) => {
      if (i % every === 0) group.append(svg("text", { x: this.x(i + 0.5), y: height - BOTTOM + 16, "text-anchor": "middle" }, count(bar.low)));
    });
    group.append(svg("line", { class: "base", x1: LEFT, x2: width - RIGHT, y1: height - BOTTOM, y2: height - BOTTOM }),
      svg("text", { class: "axis-label", x: (LEFT + width - RIGHT) / 2, y: height - 3, "text-anchor": "middle" }, this.xLabel),
      svg("text", { class: "axis-label", transform: `translate(12 ${(TOP + height - BOTTOM) / 2}) rotate(-90)`, "text-anchor": "middle" }, this.yLabel));
    const gap = Math.min(3, (this.x(1) - this.x(0)) * 0.15);
    this.shapes = this.bars.map((bar, i) => svg("rect", { class: "bar", x: this.x(i) + gap / 2, width: Math.max(1, this.x(1) - this.x(0) - gap), y: this.y(bar.count), height: Math.max(0, height - BOTTOM - this.y(bar.count)) }));
    this.plot.replaceChildren(svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" }, group, ...this.shapes));
    this.moveTo(this.at);
  }

  point(event) {
    if (!this.x) return;
    const i = Math.floor(this.x.invert(event.clientX - this.plot.getBoundingClientRect().left));
    this.moveTo(i >= 0 && i < this.bars.length ? i : null);
  }

  moveTo(i) {
    this.shapes?.forEach((shape, at) => shape.classList.toggle("chosen", at === i));
    const bar = i === null ? null : this.bars[i];
    this.at = bar ? i : null;
    if (!bar || !this.x) {
      this.showTip(null, this.summary.textContent, []);
      return;
    }
    const text = `${this.xLabel} ${span(bar)}`;
    this.showTip({ x: this.x(i + 0.5), y: TOP }, `${text}: ${count(bar.count)}`, [h("b", {}, text), h("span", {}, `${this.yLabel} `, h("b", {}, count(bar.count)))]);
  }
}

function span({ low, high }) {
  return low === high ? count(low) : `${count(low)} to ${count(high)}`;
}
