// A learning curve as small as a word.

import { h, svg } from "/static/js/dom.js";
import { Z95, decimal } from "./format.js";

const WIDTH = 300;
const HEIGHT = 34;

/** A curve as text; better is always up in the picture. */
export function curveText({ values, errors, unit, measure }) {
  const known = values.filter((value) => value !== null);
  const error = errors.at(-1);
  const reach = error === null || error === undefined ? "" : ` ± ${(Z95 * error).toFixed(2)}`;
  const [before, after] = unit.startsWith("place") ? ["place ", unit.slice("place".length)] : ["", ` ${unit}`];
  return `${measure}: ${before}${decimal(known.at(-1))}${reach}${after}, initially ${decimal(known[0])}`;
}

export function sparkline(curve) {
  const points = curve.generations.map((generation, i) => [generation, curve.values[i]]).filter(([, value]) => value !== null);
  if (points.length < 2) return null;
  const ys = points.map(([, value]) => (curve.lower_is_better ? -value : value));
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const [first, last] = [points[0][0], points.at(-1)[0]];
  const position = ([generation], i) => {
    const x = 3 + ((WIDTH - 6) * (generation - first)) / (last - first || 1);
    const y = HEIGHT - 4 - ((HEIGHT - 8) * (ys[i] - low)) / (high - low || 1);
    return [x.toFixed(1), y.toFixed(1)];
  };
  const positions = points.map(position);
  const [x, y] = positions.at(-1);
  return h("span", { class: "spark" },
    svg("svg", { width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", focusable: "false" },
      svg("path", { class: "line s1", d: `M${positions.map((point) => point.join(" ")).join("L")}` }), svg("circle", { class: "mark s1", cx: x, cy: y, r: 3 })),
    h("span", { class: "fine" }, curveText(curve)));
}
