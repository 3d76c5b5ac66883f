// From numbers to pixels, and the numbers that axes show.

/** A linear scale from [low, high] to [from, to]. */
export function scale([low, high], [from, to]) {
  const size = high - low || 1;
  const map = (value) => from + ((value - low) / size) * (to - from);
  map.invert = (pixel) => low + ((pixel - from) / (to - from)) * size;
  return map;
}

/** Round numbers that divide [low, high] into about so many steps. */
export function ticks([low, high], count) {
  const size = high - low;
  if (!(size > 0)) return [low];
  const rough = size / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((multiple) => multiple >= rough * 0.999);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i += 1) found.push(Number((i * step).toPrecision(12)));
  return found;
}

/** The least and the largest of several lists, with some padding; a single value gets a margin as well. */
export function bounds(lists, { padding = 0.06, include = [] } = {}) {
  let low = Infinity;
  let high = -Infinity;
  for (const list of [...lists, include]) {
    for (const value of list) {
      if (value === null || value === undefined) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (low > high) return [0, 1];
  if (low === high) {
    const margin = Math.abs(low) * 0.1 || 1;
    return [low - margin, high + margin];
  }
  return [low - padding * (high - low), high + padding * (high - low)];
}

/** Rows to draw: of many that share a pixel, the first, the least, the largest and the last. */
export function thin(values, pixels) {
  const all = values.map((_, i) => i);
  const most = Math.max(50, 2 * pixels);
  if (values.length <= most) return all;
  const size = values.length / (most / 4);
  const kept = new Set();
  for (let start = 0; start < values.length; start += size) {
    const bucket = all.slice(Math.floor(start), Math.floor(start + size)).filter((i) => values[i] !== null);
    if (!bucket.length) continue;
    const by = (better) => bucket.reduce((best, i) => (better(values[i], values[best]) ? i : best));
    for (const i of [bucket[0], by((a, b) => a < b), by((a, b) => a > b), bucket.at(-1)]) kept.add(i);
  }
  return [...kept].sort((a, b) => a - b);
}
