// Chips that move from each pot to its winners. They are a picture only: nothing waits for them.

import { h } from "./dom.js";

const FLIGHT_MS = 650;
const NEXT_POT_MS = 180;

/** Move chips from the pots to the seats that won them; `pots` and `seats` are elements. */
export function payPots(stage, result, pots, seats) {
  result.pots.forEach((pot, i) => {
    const from = centre(pots[i], stage);
    for (const seat of new Set([...pot.winners, ...pot.second_winners])) {
      const to = centre(seats[seat], stage);
      const chips = h("span", { class: "paid", "aria-hidden": "true", "data-pot": String(i), "data-seat": String(seat) },
        ...Array.from({ length: 3 }, () => h("span", { class: "chip" })));
      chips.style.left = `${from.x}px`;
      chips.style.top = `${from.y}px`;
      stage.append(chips);
      const path = [
        { transform: "translate(-50%, -50%)", opacity: 1 },
        { transform: `translate(calc(-50% + ${to.x - from.x}px), calc(-50% + ${to.y - from.y}px))`, opacity: 1, offset: 0.9 },
        { transform: `translate(calc(-50% + ${to.x - from.x}px), calc(-50% + ${to.y - from.y}px)) scale(0.6)`, opacity: 0 },
      ];
      chips.animate(path, { duration: FLIGHT_MS, delay: i * NEXT_POT_MS, easing: "cubic-bezier(.4, 0, .3, 1)", fill: "both" }).onfinish = () => chips.remove();
    }
  });
}

/** Remove chips that are on their way. */
export function stopPayment(stage) {
  for (const chips of stage.querySelectorAll(".paid")) chips.remove();
}

function centre(element, stage) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const origin = stage.getBoundingClientRect();
  return { x: left + width / 2 - origin.left, y: top + height / 2 - origin.top };
}
