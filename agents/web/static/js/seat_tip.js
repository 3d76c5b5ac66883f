// Who sits at a seat, in a box that waits a moment before it opens, and lies where it covers no cards.

import { h } from "./dom.js";

const WAIT_MS = 500;
const GRID = 8; // pixels between the places that are tried
let number = 0;

export class SeatTip {
  constructor(seat, pod) {
    this.seat = seat;
    this.pod = pod;
    number += 1;
    this.element = h("span", { class: "tooltip", role: "tooltip", id: `tooltip-seat-${number}`, hidden: true });
    seat.setAttribute("aria-describedby", this.element.id);
    seat.append(this.element);
    seat.addEventListener("pointerenter", () => { this.timer = setTimeout(() => this.open(), WAIT_MS); });
    seat.addEventListener("pointerleave", () => this.close());
    seat.addEventListener("focus", () => { if (seat.matches(":focus-visible")) this.open(); });
    seat.addEventListener("blur", () => this.close());
  }

  /** The whole name, and what this player does; seats with a description can be focused. */
  show(name, text) {
    const key = `${name} ${text ?? ""}`;
    if (this.key === key) return;
    this.key = key;
    this.element.replaceChildren(...(name ? [h("b", {}, name), text ?? ""] : []));
    if (text) this.seat.tabIndex = 0;
    else this.seat.removeAttribute("tabindex");
  }

  close() {
    clearTimeout(this.timer);
    this.element.hidden = true;
  }

  open() {
    if (!this.element.childNodes.length) return;
    this.element.hidden = false;
    const stage = this.seat.parentElement;
    const area = stage.getBoundingClientRect();
    const pod = this.pod.getBoundingClientRect();
    const cards = [...stage.querySelectorAll(".card:not([data-card=''])")].map((card) => card.getBoundingClientRect());
    const { width, height } = this.element.getBoundingClientRect();
    let best = null;
    for (let left = area.left + 2; left + width < area.right; left += GRID) {
      for (let top = area.top + 2; top + height < area.bottom; top += GRID) {
        const box = { left, top, right: left + width, bottom: top + height };
        const covered = cards.reduce((sum, card) => sum + overlap(box, card), 0);
        const way = Math.hypot(left + width / 2 - (pod.left + pod.right) / 2, top + height / 2 - (pod.top + pod.bottom) / 2);
        const cost = 1000 * covered + 0.2 * overlap(box, pod) + way;
        if (!best || cost < best.cost) best = { left, top, cost };
      }
    }
    const origin = this.seat.getBoundingClientRect();
    this.element.style.left = `${(best?.left ?? area.left) - origin.left}px`;
    this.element.style.top = `${(best?.top ?? area.top) - origin.top}px`;
  }
}

/** The area that two boxes share. */
function overlap(a, b) {
  return Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
}
