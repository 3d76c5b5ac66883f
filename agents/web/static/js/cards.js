// Cards, drawn.

import { h, svg } from "./dom.js";

const GAP_MS = 170;
const RANKS = { 2: "deuce", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
  T: "ten", J: "jack", Q: "queen", K: "king", A: "ace" };
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

/** "As" -> "ace of spades". */
export function cardName(code) {
  return code ? `${RANKS[code[0]]} of ${SUITS[code[1]]}` : "card face down";
}

/** A card: face up by its code, face down for "". */
export function card(code) {
  const picture = svg("svg", { viewBox: "0 0 60 84", class: "card", role: "img", "aria-label": cardName(code) });
  picture.append(svg("rect", { class: "paper", x: 0.5, y: 0.5, width: 59, height: 83, rx: 6.5 }));
  picture.dataset.card = code;
  if (!code) {
    picture.append(svg("rect", { x: 4, y: 4, width: 52, height: 76, rx: 4, fill: "url(#back)" }));
    return picture;
  }
  const [rank, suit] = code;
  const group = svg("g", { class: `suit-${suit}` });
  const label = svg("text", { x: rank === "T" ? 4 : 6, y: 32 });
  label.textContent = rank === "T" ? "10" : rank;
  group.append(
    label,
    svg("use", { href: `#suit-${suit}`, x: 7, y: 38, width: 14, height: 14 }),
    svg("use", { href: `#suit-${suit}`, x: 23, y: 46, width: 32, height: 32 }),
  );
  picture.append(group);
  return picture;
}

const MARKS = { c: "♣", d: "♦", h: "♥", s: "♠" };

/** Cards side by side in one line of text. */
export function inline(codes) {
  return codes.map((code) => code[0].replace("T", "10") + MARKS[code[1]]).join(" ");
}

/** The same as elements, in the colours of the suits. */
export function suited(codes) {
  return codes.flatMap((code, i) => [i ? " " : null, h("span", { class: `ink-${code[1]}` }, inline([code]))]);
}

/**
 * Show these cards in a box; only what has changed is drawn anew, and dealt in: the first new card at
 * the first of the `times` in milliseconds, or all after `from`, one after the other.
 */
export function showCards(box, codes, { slots = 0, from = 0, times = [] } = {}) {
  const present = [...box.querySelectorAll(".card")];
  const kept = [];
  let fresh = 0;
  codes.forEach((code, i) => {
    const old = present[i];
    if (old && old.dataset.card === code) {
      old.classList.remove("best", "dim"); // not "new": the card may still have to be dealt
      kept.push(old);
      return;
    }
    const element = card(code);
    element.classList.add("new");
    element.onanimationend = () => element.classList.remove("new");
    element.style.setProperty("--delay", `${times[fresh] ?? from + GAP_MS * fresh}ms`);
    fresh += 1;
    kept.push(element);
  });
  const wanted = [...kept];
  for (let i = codes.length; i < slots; i += 1) wanted.push(h("span", { class: "slot", "aria-hidden": "true" }));
  const same = box.childElementCount === wanted.length && wanted.every((element, i) => box.children[i] === element
    || (element.classList.contains("slot") && box.children[i].classList.contains("slot")));
  if (!same) {
    for (const old of present) old.classList.remove("new"); // it would be dealt again
    box.replaceChildren(...wanted);
  }
  return fresh;
}
