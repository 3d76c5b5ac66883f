// The amounts on the buttons beside the slider: what a person may choose, in words, and in chips.

export const MOST_PRESETS = 5; // one key each
const KINDS = "min, pot, all-in, a share of the pot such as 33%, or a multiple of the bet such as 2.5x";

export const DEFAULT_PRESETS = {
  preflop: "min, 2.5x, 3x, pot, all-in",
  postflop: "min, 50%, 75%, pot, all-in",
};

/** The amounts of a text such as "33%, 2.5x, all-in"; throws an Error that says what is wrong with it. */
export function parsePresets(text) {
  const words = text.split(",").map((word) => word.trim().toLowerCase()).filter(Boolean);
  if (!words.length || words.length > MOST_PRESETS) throw new Error(`Enter 1 to ${MOST_PRESETS} sizes, separated by commas; got ${words.length}.`);
  return words.map(parseAmount);
}

function parseAmount(word) {
  if (word === "min") return { label: "Min", kind: "min" };
  if (word === "pot") return { label: "Pot", kind: "pot", size: 1 };
  if (word === "all-in") return { label: "All-in", kind: "all-in" };
  const [, digits, sign] = word.match(/^(\d{1,4}(?:\.\d{1,2})?) ?([%x])$/) ?? [];
  const size = Number(digits);
  if (sign === "%" && size > 0 && size <= 1000) return { label: { 25: "¼ pot", 50: "½ pot", 75: "¾ pot", 100: "Pot" }[size] ?? `${size}%`, kind: "pot", size: size / 100 };
  if (sign === "x" && size > 1 && size <= 100) return { label: `${size}x`, kind: "bet", size };
  throw new Error(`“${word}” is not ${KINDS}.`);
}

/** What a preset is to raise to, in chips; null if it is not possible here. */
export function presetAmount({ kind, size }, { least, most, current, pot, toCall }) {
  if (kind === "min") return least;
  if (kind === "all-in") return most;
  const wanted = kind === "bet" ? size * current : current + size * (pot + toCall);
  const to = Math.floor(wanted + 0.5);
  return to < least || to > most || wanted === 0 ? null : to;
}
