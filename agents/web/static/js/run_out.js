// The board after an all-in: when each card is dealt, and the shares of the pots until then.

const FLOP_MS = 120; // between the cards of the flop
const STREET_MS = { slow: 1400, normal: 700, fast: 350, max: 150 };

/** The street, from 0 for the flop, on which a card of the board is dealt. */
function streetOf(card) {
  return Math.max(0, card - 2);
}

/** When the cards of a board are dealt that are not open yet, in milliseconds; `open` are. */
export function dealTimes(open, cards, pace = "normal") {
  return Array.from({ length: cards - open }, (_, i) => {
    const card = open + i;
    return (streetOf(card) - streetOf(open) + 1) * STREET_MS[pace] + (card < 3 ? card * FLOP_MS : 0);
  });
}

/** Of several pots, the shares by seat of those that each plays for: a small stack cannot win a side pot. */
export function sharesPlayedFor(pots, shares) {
  if (!shares || pots.length < 2) return shares;
  const total = pots.reduce((sum, { size }) => sum + size, 0);
  const playedFor = (seat) => pots.filter(({ seats }) => seats.includes(Number(seat))).reduce((sum, { size }) => sum + size, 0);
  return Object.fromEntries(Object.entries(shares).map(([seat, share]) => [seat, (share * total) / playedFor(seat)]));
}

/** The shares of the pots with so many cards on the board, by seat; null if they are not known. */
export function sharesAt(runOut, cards) {
  return runOut.findLast((street) => street.cards <= cards)?.shares ?? null;
}
