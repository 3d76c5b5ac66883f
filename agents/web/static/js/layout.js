// Positions of seats around the felt.

const EDGE = 6; // pixels between a pod and the edge of the stage

/** Whether the table stands upright, or nearly: seats need the corners then. */
function isNarrow(width, height) {
  return height > 0.85 * width;
}

/** Whether there is no room for bets on the felt: they are written on the seats then. */
export function isTight(count, { width, height }) {
  return width < 340 || height < 380 || (count > 6 && (width < 480 || height < 560));
}

/**
 * Positions around a rounded rectangle, evenly spaced along it, the first at the bottom, clockwise.
 *
 * `pod` is the size of a seat, `cards` what stands above it. Returns pixels.
 */
export function seatPositions(count, { width, height, pod, cards }) {
  const narrow = isNarrow(width, height);
  const power = narrow ? 3.4 : 2.5;
  const radiusX = (width - pod.width) / 2 - (narrow ? 3 : 10);
  const top = EDGE + cards + pod.height / 2;
  const bottom = height - EDGE - pod.height / 2 - 6;
  const radiusY = (bottom - top) / 2;
  const middle = { x: width / 2, y: (top + bottom) / 2 };
  const steps = 720;
  const points = [];
  let length = 0;
  let last = null;
  for (let i = 0; i <= steps; i += 1) {
    const angle = Math.PI / 2 + (2 * Math.PI * i) / steps;
    const x = superellipse(Math.cos(angle), power) * radiusX;
    const y = superellipse(Math.sin(angle), power) * radiusY;
    if (last) length += Math.hypot(x - last.x, y - last.y);
    last = { x, y, length };
    points.push(last);
  }
  return Array.from({ length: count }, (_, seat) => {
    const wanted = (length * seat) / count;
    const point = points.find((candidate) => candidate.length >= wanted - 1e-6);
    return { x: middle.x + point.x, y: middle.y + point.y };
  });
}

function superellipse(value, power) {
  return Math.sign(value) * Math.abs(value) ** (2 / power);
}

/** Position of the bet of a seat: just outside its pod, and its cards, on the way to the middle. */
export function betPosition(seat, { width, height, pod, cards }) {
  const dx = width / 2 - seat.x;
  const dy = 0.46 * height - seat.y;
  if (isNarrow(width, height)) {
    // A narrow table: bets lie above or below their seats, so that the board has the middle.
    const down = dy > 0 ? pod.height / 2 + 15 : -(pod.height / 2 + cards + 10);
    return { x: seat.x + Math.sign(Math.round(dx / 20)) * 20, y: seat.y + down };
  }
  const reach = { x: pod.width / 2 + 34, y: pod.height / 2 + 18 + (dy < 0 ? cards : 0) };
  const share = Math.min(reach.x / (Math.abs(dx) + 1e-6), reach.y / (Math.abs(dy) + 1e-6), 0.62);
  return { x: seat.x + share * dx, y: seat.y + share * dy };
}
