// Small helpers for building pages and sending requests.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, listeners (`onclick`), properties (`.value`) and children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  apply(element, attributes);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  apply(element, attributes);
  element.append(...children);
  return element;
}

function apply(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith(".")) element[name.slice(1)] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
}

/**
 * Give an element these children, and keep those that it has where they can become like them:
 * what is clicked, in focus or scrolled at this moment stays. For elements without listeners.
 */
export function update(element, ...children) {
  children.forEach((child, i) => {
    const before = element.childNodes[i];
    if (!before) element.append(child);
    else if (before.nodeName !== child.nodeName) before.replaceWith(child);
    else if (!before.isEqualNode(child)) morph(before, child);
  });
  while (element.childNodes.length > children.length) element.lastChild.remove();
}

function morph(node, other) {
  if (node.nodeType === Node.TEXT_NODE) {
    node.data = other.data;
    return;
  }
  for (const name of node.getAttributeNames()) if (!other.hasAttribute(name)) node.removeAttribute(name);
  for (const name of other.getAttributeNames()) if (node.getAttribute(name) !== other.getAttribute(name)) node.setAttribute(name, other.getAttribute(name));
  update(node, ...other.childNodes);
}

const whole = new Intl.NumberFormat("en-US");

const inBlinds = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 4, roundingMode: "trunc" });

/** A number as text, with a true minus sign and without a negative zero: "-0.0" is "0.0". */
export function withMinus(text) {
  return /^-[0.]+$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

/** Chips for people; `unit` chips make one unit of a file, or it is { bigBlind } for amounts in big blinds. */
export function chips(amount, unit = 1) {
  if (unit.bigBlind) return `${withMinus(inBlinds.format(amount / unit.bigBlind))} bb`;
  return withMinus(unit === 1 ? whole.format(amount) : (amount / unit).toFixed(2));
}

/** The same in a small space: "145k", "67.5k". */
export function shortChips(amount, unit = 1) {
  return unit === 1 && amount >= 10_000 ? short.format(amount).replace("K", "k") : chips(amount, unit).replace(" bb", "bb");
}

/** With a sign, as a gain or loss. */
export function signed(amount, unit = 1, format = chips) {
  return (amount > 0 ? "+" : amount < 0 ? "−" : "±") + format(Math.abs(amount), unit);
}

export function percent(share, digits = 0) {
  return `${(100 * share).toFixed(digits)}%`;
}

const ICONS = {
  play: "M7 4l14 8-14 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  first: "M5 4h3v16H5zM21 4v16L9 12z",
  back: "M16.5 3.5L8 12l8.5 8.5-2.5 2.5L3 12 14 1z",
  on: "M7.5 3.5L16 12l-8.5 8.5L10 23l11-11L10 1z",
  last: "M3 4l12 8-12 8zM16 4h3v16h-3z",
};

/** A small picture for a button that has a label of its own. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/** Finishing places as text: 1st, or of players who went out together, 2nd–10th. */
export function placeText([first, last]) {
  return first === last ? ordinal(first) : `${ordinal(first)}–${ordinal(last)}`;
}

function ordinal(place) {
  const suffix = place % 100 >= 11 && place % 100 <= 13 ? "th" : ["th", "st", "nd", "rd"][place % 10] ?? "th";
  return `${place}${suffix}`;
}

/** Announce a text to screen readers. */
export function announce(text) {
  document.getElementById("live").textContent = text;
}

/** A message that goes away by itself. */
export function toast(text) {
  const element = h("div", { class: "toast" }, text);
  const box = document.getElementById("toasts");
  while (box.childElementCount > 2) box.firstElementChild.remove();
  box.append(element);
  setTimeout(() => element.remove(), 5000);
}

/** Whether text is typed in an element, or something chosen from its list. */
export function isText(target) {
  return target.matches?.("input[type=text], input[type=search], input[type=number], input[type=file], select, textarea") ?? false;
}

/** Whether a key press belongs to the field that has the focus. */
export function isTyping(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  return document.querySelector("dialog[open]") !== null || isText(event.target);
}

/** A request in JSON; throws an Error with the server's message and the field of the form that they are about. */
export async function fetchJson(path, options = {}) {
  const response = await fetch(path, options);
  const answer = await response.json().catch(() => ({ error: `server error ${response.status}` }));
  if (!response.ok) throw Object.assign(new Error(answer.error), { field: answer.field });
  return answer;
}

/** Values that this browser keeps. */
export const storage = {
  get(name, fallback = null) {
    try {
      return JSON.parse(localStorage.getItem(`nlhe.${name}`)) ?? fallback;
    } catch {
      return fallback;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`nlhe.${name}`, JSON.stringify(value));
    } catch {
      // private windows remember nothing
    }
  },
};
