// The frame of every chart: title, legend, an area to draw, and the numbers behind it as a table.

import { h, svg } from "/static/js/dom.js";

const MOST_ROWS = 400;
let figures = 0;

export class Figure {
  /** `note` says what is shown; `label` names the cursor that keys move. */
  constructor({ title, note = "", wide = false, height = 230 }) {
    figures += 1;
    this.title = title;
    this.height = height;
    this.id = `figure-${figures}`;
    this.legend = h("ul", { class: "legend" });
    this.plot = h("div", {
      class: "plot", role: "slider", tabindex: "0", "aria-label": `${title}: cursor`,
      "aria-valuemin": "0", "aria-valuemax": "0", "aria-valuenow": "0", "aria-valuetext": "no data yet",
    });
    this.plot.style.setProperty("height", `${height}px`);
    this.tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    this.summary = h("p", { class: "sr" });
    this.table = h("div", { class: "numbers-table", tabindex: "0", role: "region", "aria-label": `${title}: data table` });
    this.numbers = h("details", { class: "numbers" }, h("summary", {}, "Data table"), this.table);
    this.numbers.addEventListener("toggle", () => this.drawTable());
    this.note = h("p", { class: "note" }, note);
    this.element = h("figure", { class: wide ? "chart wide" : "chart", "aria-labelledby": `${this.id}-title` },
      h("figcaption", {}, h("h3", { id: `${this.id}-title` }, title), this.note),
      this.legend, h("div", { class: "plot-box" }, this.plot, this.tip), this.summary, this.numbers);
    this.at = null;
    this.plot.addEventListener("pointermove", (event) => this.point(event));
    this.plot.addEventListener("pointerdown", (event) => this.point(event));
    this.plot.addEventListener("pointerleave", () => document.activeElement !== this.plot && this.moveTo(null));
    this.plot.addEventListener("blur", () => this.moveTo(null));
    this.plot.addEventListener("keydown", (event) => this.key(event));
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.plot);
  }

  close() {
    this.observer.disconnect();
  }

  resized() {
    const width = Math.floor(this.plot.clientWidth);
    if (width === this.width || width < 50) return;
    this.width = width;
    this.draw();
  }

  /** Keys move the cursor from value to value. */
  key(event) {
    const stops = this.stops();
    if (!stops.length) return;
    const here = this.at === null ? stops.length - 1 : stops.indexOf(this.at);
    const page = Math.max(1, Math.round(stops.length / 10));
    const moves = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: page, PageDown: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in moves)) {
      if (event.key === "Escape") this.moveTo(null);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const next = this.at === null ? here : Math.min(stops.length - 1, Math.max(0, here + moves[event.key]));
    this.moveTo(stops[next]);
  }

  /** Show the values at the cursor; without a position the tip is hidden. */
  showTip(position, text, lines) {
    const stops = this.stops();
    this.plot.setAttribute("aria-valuemax", String(Math.max(0, stops.length - 1)));
    this.plot.setAttribute("aria-valuenow", String(Math.max(0, stops.indexOf(this.at))));
    this.plot.setAttribute("aria-valuetext", text);
    this.tip.hidden = !position;
    if (!position) return;
    this.tip.replaceChildren(...lines);
    const left = position.x + 14 + this.tip.offsetWidth > this.width ? position.x - 14 - this.tip.offsetWidth : position.x + 14;
    this.tip.style.setProperty("left", `${Math.max(0, left)}px`);
    const top = position.above ? position.y - this.tip.offsetHeight : position.y;
    this.tip.style.setProperty("top", `${Math.max(0, Math.min(top, this.height - this.tip.offsetHeight))}px`);
  }

  /** `rows()` gives a list of lists once the table is open; the newest stand first, and of many only some are shown. */
  showTable(head, rows) {
    this.tableContent = { head, rows };
    this.drawTable();
  }

  drawTable() {
    if (!this.numbers.open || !this.tableContent) return;
    const { head } = this.tableContent;
    const rows = this.tableContent.rows();
    const every = Math.ceil(rows.length / MOST_ROWS);
    const shown = rows.filter((_, i) => (rows.length - 1 - i) % every === 0).reverse();
    const top = this.table.scrollTop;
    this.table.replaceChildren(h("table", {},
      h("caption", { class: every > 1 ? "" : "sr" }, every > 1 ? `One row in ${every}` : this.title),
      h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...shown.map((row) => h("tr", {}, ...row.map((text, i) => h(i ? "td" : "th", i ? {} : { scope: "row" }, text)))))));
    this.table.scrollTop = top;
  }

  emptyPlot(text) {
    this.plot.replaceChildren(h("p", { class: "empty" }, text));
  }
}

/** A short piece of a line as a legend shows it. */
export function swatch(style, { band = false, marker = "" } = {}) {
  const parts = [];
  if (band) parts.push(svg("rect", { class: `band ${style}`, x: 1, y: 3, width: 26, height: 10 }));
  parts.push(svg("line", { class: `line ${style}`, x1: 1, x2: 27, y1: 8, y2: 8 }));
  if (marker) parts.push(mark(marker, 14, 8, 3.5, `mark ${style}`));
  return svg("svg", { class: "swatch", width: 28, height: 16, "aria-hidden": "true" }, ...parts);
}

const SHAPES = {
  circle: (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  square: (r) => `M${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
  diamond: (r) => `M0 ${-1.3 * r}L${1.3 * r} 0L0 ${1.3 * r}L${-1.3 * r} 0z`,
  triangle: (r) => `M0 ${-1.2 * r}L${1.1 * r} ${0.9 * r}H${-1.1 * r}z`,
};

/** A mark of some shape. */
export function mark(shape, x, y, r, className) {
  return svg("path", { class: className, d: SHAPES[shape](r), transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
}
