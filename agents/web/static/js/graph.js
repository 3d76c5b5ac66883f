// Lines over numbers, as SVG: winnings, hand after hand.

import { chips, svg } from "./dom.js";

const BOX = { width: 340, height: 220, left: 48, right: 10, top: 8, bottom: 32 };

/** A round number of steps between two numbers. */
export function ticks(least, most, count = 4) {
  const span = most - least || 1;
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw);
  const found = [];
  for (let at = Math.ceil(least / step) * step; at <= most + step * 1e-6; at += step) found.push(Math.round(at / step) * step);
  return found;
}

/**
 * A picture of lines. `lines` are { name, kind, values }, all as long as `at`, which are the x values; `mark` is
 * one of them to mark. All lines begin at 0.
 */
export function drawLines({ at, lines, mark, label, unit }) {
  const values = [0, ...lines.flatMap((line) => line.values)];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const last = at.at(-1);
  const x = (value) => BOX.left + (value / last) * (BOX.width - BOX.left - BOX.right);
  const y = (value) => BOX.top + (1 - (value - least) / (most - least || 1)) * (BOX.height - BOX.top - BOX.bottom);
  const picture = svg("svg", { class: "graph", viewBox: `0 0 ${BOX.width} ${BOX.height}`, role: "img", "aria-label": label });
  for (const value of ticks(least, most)) {
    picture.append(
      svg("line", { class: value === 0 ? "zero" : "grid", x1: BOX.left, x2: BOX.width - BOX.right, y1: y(value), y2: y(value) }),
      text(BOX.left - 6, y(value) + 4, chips(value), "end"));
  }
  for (const value of ticks(0, last, 5).filter((tick) => Number.isInteger(tick) && tick > 0)) {
    picture.append(text(x(value), BOX.height - 17, chips(value), "middle"));
  }
  picture.append(text((BOX.left + BOX.width) / 2, BOX.height - 2, unit, "middle"));
  for (const { kind, values: line } of lines) {
    const points = [[0, 0], ...line.map((value, i) => [at[i], value])];
    picture.append(svg("path", { class: `line ${kind}`, d: `M${points.map(([hand, value]) => `${x(hand).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}` }));
    if (line.length === 1) picture.append(svg("circle", { class: `dot ${kind}`, cx: x(at[0]), cy: y(line[0]), r: 3 }));
  }
  if (mark) picture.append(svg("line", { class: "mark", x1: x(mark), x2: x(mark), y1: BOX.top, y2: BOX.height - BOX.bottom }));
  return picture;
}

function text(x, y, words, anchor) {
  const element = svg("text", { x, y, "text-anchor": anchor });
  element.textContent = words;
  return element;
}
