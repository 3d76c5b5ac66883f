// Names of the positions at a table, from the button on.

const EARLY = ["UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4"];
const LATE = ["LJ", "HJ", "CO"];

/** Names of the positions of so many players in the order of dealing: the button is last, heads-up it is the small blind. */
export function positionNames(players) {
  if (players === 2) return ["BB", "BTN"];
  const others = players - 3;
  const late = LATE.slice(LATE.length - Math.min(LATE.length, Math.max(0, others - 1)));
  return ["SB", "BB", ...EARLY.slice(0, others - late.length), ...late, "BTN"];
}

/** The position of a seat of a table; "" for one that is not dealt in. */
export function seatPosition(table, seat) {
  const { seats, button } = table;
  const order = seats.map((_, i) => (button + 1 + i) % seats.length).filter((i) => !["empty", "waiting"].includes(seats[i].state));
  return order.at(-1) === button && order.includes(seat) ? positionNames(order.length)[order.indexOf(seat)] : "";
}
