// The felt with seats, cards, bets and pots. It shows views, live ones and those of replays alike.

import { showCards } from "./cards.js";
import { chips, h, percent, placeText, shortChips, signed } from "./dom.js";
import { betPosition, isTight, seatPositions } from "./layout.js";
import { payPots, stopPayment } from "./pot_payment.js";
import { seatPosition } from "./positions.js";
import { dealTimes, sharesAt, sharesPlayedFor } from "./run_out.js";
import { SeatTip } from "./seat_tip.js";
import { botProblem, handWords, label, resultLines, shortLabel } from "./words.js";

const CARD_MS = 150; // between cards that are dealt together
const RESULT_MS = 250; // from the last card to the result
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export class TableView {
  constructor() {
    this.pot = h("div", { class: "pot" });
    this.board = h("div", { class: "board", role: "group", "aria-label": "Board" });
    this.secondBoard = h("div", { class: "board", role: "group", "aria-label": "Second board", hidden: true });
    this.banner = h("div", { class: "banner" });
    this.middle = h("div", { class: "middle" }, h("h2", { class: "sr" }, "Board and pot"), this.pot, this.board, this.secondBoard, this.banner);
    this.element = h("section", { class: "stage", "aria-label": "Table" },
      h("h1", { class: "sr" }, "Table"), h("div", { class: "felt" }), this.middle);
    this.seats = [];
    this.bets = [];
    this.size = "";
    this.moments = []; // when cards of a run-out come, and at last the result
    showResult(true);
    new ResizeObserver(() => this.last && this.draw(...this.last)).observe(this.element);
  }

  /** Show a view; `context` has viewer, phase, places, names, participants, bots, unit, stackUnit, styles, hands, pace. */
  draw(table, context = {}) {
    const [shown] = this.last ?? [];
    this.last = [table, context];
    this.makeSeats(table.seats.length, context.viewer ?? 0);
    const unit = context.unit ?? 1;
    const best = table.over ? this.bestCards(table, context.viewer) : new Set();
    const settled = this.drawBoards(table, shown, context.pace);
    const showdown = settled && table.over && table.result.showdown;
    this.mark(this.board, best, showdown);
    this.mark(this.secondBoard, best, showdown);
    this.drawPots(table, unit);
    this.drawBanner(table, settled, unit);
    const shares = settled ? null : this.shares(table);
    table.seats.forEach((seat, i) => this.drawSeat(table, context, i, seat, best, unit, settled, shares));
    this.payPots(table, settled, context.pace);
  }

  /** Deal the boards; whether all their cards have been seen, so that the result may be shown. */
  drawBoards(table, shown, pace) {
    const open = this.board.querySelectorAll(".card").length;
    const isSame = table.board.slice(0, open).every((code, i) => this.board.children[i].dataset.card === code);
    const known = isSame ? open : 0;
    const isRunOut = table.over && (table.run_out.length > 0 || table.board.length - known > 1);
    const times = isRunOut ? dealTimes(known, table.board.length, pace) : table.board.slice(known).map((_, i) => i * CARD_MS);
    let fresh = showCards(this.board, table.board, { slots: 5, times });
    const second = table.over ? table.result.second_board : [];
    const from = (times.at(-1) ?? 0) + CARD_MS;
    this.secondBoard.hidden = !second.length;
    this.middle.classList.toggle("twice", second.length > 0);
    fresh += showCards(this.secondBoard, second, { times: second.map((_, i) => from + i * CARD_MS) });
    const now = performance.now();
    const waits = table.over && fresh && shown && !reducedMotion.matches;
    if (waits || !table.over || shown?.hand !== table.hand) {
      const wait = waits ? from + second.length * CARD_MS + RESULT_MS : 0;
      this.openBefore = known;
      this.moments = waits ? [...times, wait].map((time) => now + time) : [];
    }
    clearTimeout(this.timer);
    const next = this.moments.find((moment) => moment > now);
    if (next) this.timer = setTimeout(() => this.draw(...this.last), next - now + 20);
    showResult(!next);
    return !next;
  }

  /** The shares of the pots with the cards of the board that have been dealt so far. */
  shares(table) {
    const now = performance.now();
    const open = this.openBefore + this.moments.slice(0, -1).filter((moment) => moment <= now).length;
    return sharesPlayedFor(table.result.pots, sharesAt(table.run_out, open));
  }

  /** Let the chips of the pots move, once, when the result of the hand is seen. */
  payPots(table, settled, pace) {
    const isPaid = table.over && settled;
    const wasPaid = this.isPaid ?? true;
    this.isPaid = isPaid;
    if (!isPaid) stopPayment(this.element);
    else if (!wasPaid && pace !== "max" && !reducedMotion.matches) {
      const parts = this.pot.querySelectorAll("[data-pot]");
      const pots = table.result.pots.map((_, i) => parts[i] ?? this.pot.firstElementChild);
      payPots(this.element, table.result, pots, this.seats.map((seat) => seat.pod));
    }
  }

  /** Seats in their positions; `own` sits at the bottom. */
  makeSeats(count, own) {
    const { clientWidth: width, clientHeight: height } = this.element;
    const size = `${count} ${own} ${width} ${height}`;
    if (size === this.size || !(width && height)) return; // a page that is left has no size
    this.size = size;
    if (this.seats.length !== count) {
      for (const seat of this.seats) seat.element.remove();
      for (const bet of this.bets) bet.remove();
      this.seats = Array.from({ length: count }, () => newSeat());
      this.bets = Array.from({ length: count }, () => h("span", { class: "bet", hidden: true }));
      this.element.append(...this.bets, ...this.seats.map((seat) => seat.element));
    }
    // Style sheets say how large everything is in a window of this size.
    const style = getComputedStyle(this.element);
    const above = (name) => 1.4 * parseFloat(style.getPropertyValue(name)) - parseFloat(style.getPropertyValue("--lap"));
    const { offsetWidth, offsetHeight } = this.seats[0].pod;
    const sizes = { width, height, pod: { width: offsetWidth, height: offsetHeight }, cards: above("--hole-w") };
    const positions = seatPositions(count, sizes);
    this.tight = isTight(count, sizes);
    this.element.classList.toggle("tight", this.tight);
    this.seats.forEach((seat, i) => {
      const position = positions[(i - own + count) % count];
      moveTo(seat.element, position);
      seat.right = position.x > width / 2 + 1;
      seat.left = position.x < width / 2 - 1;
      seat.low = position.y > height / 2;
      moveTo(this.bets[i], betPosition(position, { ...sizes, cards: i === own ? above("--own-w") : sizes.cards }));
    });
  }

  drawSeat(table, context, i, seat, best, unit, settled, shares) {
    const view = this.seats[i];
    const { result } = table;
    const out = seat.state === "empty";
    const place = settled ? context.places?.[i] : null;
    const participant = context.participants?.[i];
    const turn = table.actor === i;
    const won = settled ? result?.won[i] : 0;
    const classes = ["seat"];
    if (i === context.viewer) classes.push("mine");
    if (out) classes.push("out");
    if (participant && !participant.taken && !out) classes.push("vacant");
    if (seat.state === "folded") classes.push("folded");
    if (turn) classes.push("turn");
    if (won) classes.push("winner");
    if (seat.cards?.[0]) classes.push("open-hand");
    for (const side of ["left", "right", "low"]) if (view[side]) classes.push(side);
    view.element.className = classes.join(" ");
    const name = out ? context.names?.[i] ?? "" : seat.name;
    drawName(view.name, name || "empty");
    const behind = settled ? seat.stack : seat.stack - (result?.won[i] ?? 0); // the pot is paid when the board lies open
    const inBlinds = context.stackUnit && !out ? ` (${chips(behind, context.stackUnit)})` : "";
    view.stack.textContent = out ? (place ? placeText(place) : "") : (this.tight && behind >= 1_000_000 ? shortChips : chips)(behind, unit) + inBlinds;
    const hands = settled && result ? [result.hands[i], result.second_hands?.[i]].filter(Boolean).map(({ words }) => shortHand(words)) : [];
    const about = hands.length ? [[...new Set(hands)].join(" / ")] : [seatPosition(table, i), styleText(context, i)];
    view.style.textContent = out ? "" : about.filter(Boolean).join(" · ");
    view.act.replaceChildren(...this.actText(table, context, i, seat, unit, settled, shares));
    showCards(view.hole, out ? [] : seat.cards, { from: seat.cards?.[0] ? 60 : 0 });
    this.mark(view.hole, best, Boolean(settled && result?.showdown && seat.cards?.[0]), Boolean(won));
    view.dealer.hidden = table.button !== i;
    const problem = out ? "" : botProblem(context.bots?.[i]);
    view.problem.hidden = !problem;
    view.problem.textContent = problem;
    view.place.hidden = !place || out;
    if (place) view.place.textContent = placeText(place);
    view.element.setAttribute("aria-label", this.describe(table, context, i, seat, unit));
    view.tip.show(i === context.viewer ? "" : name, context.descriptions?.[i]);
    const bet = this.bets[i];
    const amount = out ? 0 : seat.bet;
    const text = shortChips(amount, unit);
    if (amount && bet.dataset.amount !== text) {
      bet.replaceChildren(h("span", { class: "chip", "aria-hidden": "true" }), text);
    }
    bet.dataset.amount = text;
    bet.hidden = !amount || this.tight;
  }

  actText(table, context, i, seat, unit, settled, shares) {
    const { result } = table;
    if (seat.state === "empty") return [];
    if (settled && result && String(i) in result.net) {
      const net = result.net[i];
      const change = h("span", { class: net > 0 ? "plus" : net < 0 ? "minus" : "" }, net ? signed(net, unit, this.tight ? shortChips : chips) : "±0");
      return [change];
    }
    if (shares && i in shares) return [h("b", { class: "share" }, percent(shares[i], 1))];
    const participant = context.participants?.[i];
    if (participant && !participant.taken) return ["open seat"];
    if (context.sitsOut?.includes(i)) return ["sitting out"];
    if (table.actor === i) return [h("b", {}, i === context.viewer ? "your turn" : isAway(participant) ? "to act, away" : "to act …")];
    if (this.tight && seat.bet) {
      // There is no room on the felt: what lies before the seat, the same for a call as for a raise.
      const front = h("span", { class: "front" }, h("span", { class: "chip", "aria-hidden": "true" }), shortChips(seat.bet, unit));
      return [seat.last ? h("b", {}, shortLabel(seat.last)) : "", front];
    }
    if (seat.last) return [h("b", {}, this.tight ? shortLabel(seat.last) : label(seat.last, unit))];
    if (seat.state === "all-in") return [h("b", {}, "All-in")];
    if (seat.state === "waiting") return ["waiting"];
    if (isAway(participant)) return ["away"];
    return [];
  }

  describe(table, context, i, seat, unit) {
    if (seat.state === "empty") return `Seat ${i + 1}: empty`;
    const parts = [`${seat.name}${i === context.viewer ? ", you" : ""}: ${chips(seat.stack, unit)} chips`];
    if (table.button === i) parts.push("dealer button");
    if (seat.bet) parts.push(`bet ${chips(seat.bet, unit)}`);
    if (seat.state !== "in") parts.push(seat.state);
    if (table.actor === i) parts.push("to act");
    if (isAway(context.participants?.[i])) parts.push("away");
    const problem = botProblem(context.bots?.[i]);
    if (problem) parts.push(`program: ${problem}`);
    return parts.join(", ");
  }

  drawPots(table, unit) {
    const total = table.over ? table.result.pots.reduce((sum, pot) => sum + pot.size, 0) : table.pot;
    const parts = (table.over ? table.result.pots : table.pots);
    const children = [h("span", { class: "sum" }, h("span", { class: "chip", "aria-hidden": "true" }), `Pot ${chips(total, unit)}`)];
    if (parts.length > 1) {
      parts.forEach((pot, i) => children.push(h("span", { class: "part", "data-pot": String(i) },
        i === 0 ? "Main" : "Side", h("span", { class: "word" }, " pot"), ` ${i > 0 && parts.length > 2 ? `${i} ` : ""}${chips(pot.size, unit)}`)));
    }
    const rake = table.over ? table.result.rake : 0;
    if (rake) children.push(h("span", { class: "part" }, `Rake ${chips(rake, unit)}`));
    const key = children.map((child) => child.textContent).join();
    if (this.pot.dataset.key !== key) this.pot.replaceChildren(...children);
    this.pot.dataset.key = key;
  }

  drawBanner(table, settled, unit) {
    if (!table.over || !settled) {
      this.banner.replaceChildren();
      this.banner.dataset.key = "";
      return;
    }
    const lines = resultLines(table, unit).map(({ name, wins, words }) => h("div", {},
      h("strong", {}, name), ` ${wins}`, words ? h("span", { class: "fine" }, ` with ${words}`) : ""));
    const key = `${table.hand} ${lines.map((line) => line.textContent)}`;
    if (this.banner.dataset.key !== key) this.banner.replaceChildren(...lines);
    this.banner.dataset.key = key;
  }

  /** The cards that make the winning hands. */
  bestCards(table, viewer) {
    const { result } = table;
    const best = new Set();
    for (const seat of Object.keys(result.won)) {
      for (const hands of [result.hands, result.second_hands ?? {}]) {
        for (const code of hands[seat]?.cards ?? []) best.add(code);
      }
    }
    return best;
  }

  mark(box, best, showdown, winner = true) {
    for (const element of box.querySelectorAll(".card")) {
      const used = best.has(element.dataset.card);
      element.classList.toggle("best", showdown && used && winner);
      element.classList.toggle("dim", showdown && !(used && winner));
    }
  }
}

/** Show, or keep back, what says how a hand has ended: parts of class "late". They may lie anywhere on the page. */
function showResult(isShown) {
  document.documentElement.classList.toggle("running-out", !isShown);
}

function newSeat() {
  const hole = h("div", { class: "hole" });
  const name = h("span", { class: "name" });
  const stack = h("span", { class: "stack" });
  const act = h("span", { class: "act" });
  const style = h("span", { class: "style" });
  const place = h("span", { class: "place", hidden: true });
  const dealer = h("span", { class: "dealer", title: "Dealer button", hidden: true }, "D");
  const problem = h("span", { class: "problem", title: "The Players tab lists the faults of this program", hidden: true });
  const pod = h("div", { class: "pod" }, name, stack, act, style, place, problem, dealer);
  const element = h("div", { class: "seat", role: "group" }, hole, pod);
  return { element, pod, hole, name, stack, act, style, place, problem, dealer, tip: new SeatTip(element, pod), left: false, right: false, low: false };
}

/** Whether a person who sits there has no connection. */
function isAway(participant) {
  return Boolean(participant?.taken && !participant.connected);
}

/** A name, in small type if it is long; where even that is too wide, its beginning and its number: "LooseP… 3". */
function drawName(element, text) {
  if (element.textContent === text) return;
  const [, base, end] = text.match(/^(.+?)( \d+)?$/);
  element.replaceChildren(h("span", { class: "base" }, base), ...(end ? [h("span", {}, end)] : []));
  element.style.setProperty("--letters", text.length);
}

/** VPIP and PFR in percent and the number of hands, as "24/18 (57)", once there are enough of them. */
function styleText({ styles, hands }, i) {
  if (!styles) return "";
  const [vpip, pfr] = ["VPIP", "PFR"].map((label) => styles[i].find((row) => row.label === label).value.replace("%", ""));
  return `${vpip}/${pfr} (${hands})`;
}

function moveTo(element, { x, y }) {
  element.style.setProperty("--x", `${x.toFixed(1)}px`);
  element.style.setProperty("--y", `${y.toFixed(1)}px`);
}

/** "two pair, aces and fours, queen kicker" -> "two pair". */
function shortHand(words) {
  return handWords(words).split(",")[0];
}
