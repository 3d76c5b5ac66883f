// Numbers and times for people.

const whole = new Intl.NumberFormat("en-US");

/** Standard errors to each side of a value in its 95% interval: all bands and all figures after "±" are such intervals. */
export const Z95 = 1.96;

/** With thousands separated. */
export function count(value) {
  return whole.format(value);
}

/** In short: 950, 12.3k, 4.56M. */
export function short(value) {
  const size = Math.abs(value);
  if (size >= 1e9) return `${trim(value / 1e9)}G`;
  if (size >= 1e6) return `${trim(value / 1e6)}M`;
  if (size >= 1e4) return `${trim(value / 1e3)}k`;
  return decimal(value);
}

function trim(value) {
  return minus(String(Number(value.toPrecision(3))));
}

/** Three or four digits that matter. */
export function decimal(value) {
  const size = Math.abs(value);
  if (Number.isInteger(value)) return minus(whole.format(value));
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3;
  return minus(value.toFixed(digits));
}

/** A round number, as axes have them, without needless digits. */
export function round(value) {
  return minus(new Intl.NumberFormat("en-US", { maximumSignificantDigits: 6 }).format(value));
}

export function share(value) {
  const digits = value !== 0 && Math.abs(value) < 0.1 ? 1 : 0;
  return `${(100 * value).toFixed(digits).replace(/\.0$/, "")}%`;
}

/** What rounds to zero has no sign. */
export function minus(text) {
  return text.replace(/^-/, /[1-9]/.test(text) ? "−" : "");
}

/** Seconds in words. */
export function duration(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${(seconds / 3600).toFixed(1)} h`;
  return `${Math.round(seconds / 86400)} days`;
}

/** A value of a configuration. */
export function setting(value) {
  if (Array.isArray(value)) return value.length ? value.map(setting).join(", ") : "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return Number.isInteger(value) ? count(value) : String(value);
  return value === "" ? "none" : String(value);
}

/** The time of `about.json` on this machine's clock. */
export function when(text) {
  const time = new Date(String(text ?? "").replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  if (Number.isNaN(time.getTime())) return "";
  return time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
