// The felt with seats, cards, bets and pots. It shows views, live ones and those of replays alike.

import { showCards } from "./cards.js";
import { chips, h, ordinal, signed } from "./dom.js";
import { betPlace, seatPlaces } from "./layout.js";
import { botTrouble, label, resultLines } from "./words.js";

const STREET_MS = 150;
const RUN_OUT_MS = 420; // a card, when nobody can bet any more
const still = matchMedia("(prefers-reduced-motion: reduce)");

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
    this.settleAt = 0;
    new ResizeObserver(() => this.last && this.draw(...this.last)).observe(this.element);
  }

  /** Show a view; `about` has you, phase, places, net, people, unit. */
  draw(table, about = {}) {
    const first = !this.last;
    this.last = [table, about];
    this.makeSeats(table.seats.length, about.you ?? 0);
    const unit = about.unit ?? 1;
    const best = table.over ? this.bestCards(table, about.you) : new Set();
    const before = this.board.querySelectorAll(".card").length;
    const gap = table.over && table.board.length - before > 1 ? RUN_OUT_MS : STREET_MS;
    let fresh = showCards(this.board, table.board, { slots: 5, gap });
    fresh += this.drawSecondBoard(table.over ? table.result.second_board : [], fresh, gap);
    // The result waits until the last card has been seen.
    const wait = table.over && fresh && !first && !still.matches ? fresh * gap + 250 : 0;
    const now = performance.now();
    if (wait || !table.over) {
      this.settleAt = wait ? now + wait : 0;
      document.documentElement.style.setProperty("--wait", `${wait}ms`);
    }
    const settled = now >= this.settleAt;
    clearTimeout(this.timer);
    if (!settled) this.timer = setTimeout(() => this.draw(...this.last), this.settleAt - now + 20);
    const showdown = settled && table.over && table.result.showdown;
    this.mark(this.board, best, showdown);
    this.mark(this.secondBoard, best, showdown);
    this.drawPots(table, unit);
    this.drawBanner(table, settled, unit);
    table.seats.forEach((seat, i) => this.drawSeat(table, about, i, seat, best, unit, settled));
  }

  /** The second board of a hand that was run twice, after the first; the number of new cards. */
  drawSecondBoard(cards, fresh, gap) {
    this.secondBoard.hidden = !cards.length;
    this.middle.classList.toggle("twice", cards.length > 0);
    return showCards(this.secondBoard, cards, { from: fresh * gap, gap });
  }

  /** Seats in their places; `own` sits at the bottom. */
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
    const room = { width, height, pod: { width: offsetWidth, height: offsetHeight }, cards: above("--hole-w") };
    const around = seatPlaces(count, room);
    this.seats.forEach((seat, i) => {
      const place = around[(i - own + count) % count];
      put(seat.element, place);
      seat.right = place.x > width / 2 + 1;
      seat.left = place.x < width / 2 - 1;
      seat.low = place.y > height / 2;
      put(this.bets[i], betPlace(place, { ...room, cards: i === own ? above("--own-w") : room.cards }));
    });
  }

  drawSeat(table, about, i, seat, best, unit, settled) {
    const view = this.seats[i];
    const { result } = table;
    const out = seat.state === "empty";
    const place = settled ? about.places?.[i] : null;
    const person = about.people?.[i];
    const turn = table.actor === i;
    const won = settled ? result?.won[i] : 0;
    const classes = ["seat"];
    if (i === about.you) classes.push("mine");
    if (out) classes.push("out");
    if (person && !person.taken && !out) classes.push("vacant");
    if (seat.state === "folded") classes.push("folded");
    if (turn) classes.push("turn");
    if (won) classes.push("winner");
    if (seat.cards?.[0]) classes.push("open-hand");
    for (const side of ["left", "right", "low"]) if (view[side]) classes.push(side);
    view.element.className = classes.join(" ");
    const name = out ? about.names?.[i] ?? "" : seat.name;
    drawName(view.name, i === about.you && !out && name !== "You" ? `${name} (you)` : name || "empty");
    if (settled) view.stack.textContent = out ? (place ? ordinal(place) : "") : chips(seat.stack, unit);
    view.act.replaceChildren(...this.actText(table, about, i, seat, unit, settled));
    showCards(view.hole, out ? [] : seat.cards, { from: seat.cards?.[0] ? 60 : 0 });
    this.mark(view.hole, best, Boolean(settled && result?.showdown && seat.cards?.[0]), Boolean(won));
    view.dealer.hidden = table.button !== i;
    const trouble = out ? "" : botTrouble(about.bots?.[i]);
    view.trouble.hidden = !trouble;
    view.trouble.textContent = trouble;
    view.place.hidden = !place || out;
    if (place) view.place.textContent = ordinal(place);
    view.element.setAttribute("aria-label", this.describe(table, about, i, seat, unit));
    this.drawAbout(view, i === about.you ? "" : name, about.about?.[i]);
    const bet = this.bets[i];
    const amount = out ? 0 : seat.bet;
    const text = chips(amount, unit);
    if (amount && bet.dataset.amount !== text) {
      bet.replaceChildren(h("span", { class: "chip", "aria-hidden": "true" }), text);
    }
    bet.dataset.amount = text;
    bet.hidden = !amount;
  }

  /** The whole name, and what this player does; by keys one comes to those seats alone that say more. */
  drawAbout(view, name, text) {
    const key = `${name} ${text ?? ""}`;
    if (view.about.dataset.key === key) return;
    view.about.dataset.key = key;
    view.about.replaceChildren(...(name ? [h("b", {}, name), text ?? ""] : []));
    if (text) view.element.tabIndex = 0;
    else view.element.removeAttribute("tabindex");
  }

  actText(table, about, i, seat, unit, settled) {
    const { result } = table;
    if (seat.state === "empty") return [];
    if (settled && result && String(i) in result.net) {
      const net = result.net[i];
      const hand = result.hands[i];
      const change = h("span", { class: net > 0 ? "plus" : net < 0 ? "minus" : "" }, net ? signed(net, unit) : "±0");
      return hand ? [change, h("span", { class: "made" }, ` ${shortHand(hand.words)}`)] : [change];
    }
    const person = about.people?.[i];
    if (person && !person.taken) return ["open seat"];
    if (about.sitsOut?.includes(i)) return ["sits out"];
    if (table.actor === i) return [h("b", {}, i === about.you ? "your turn" : "to act …")];
    if (seat.last) return [h("b", {}, label(seat.last, unit))];
    if (seat.state === "all-in") return [h("b", {}, "All-in")];
    if (seat.state === "waiting") return ["waits"];
    if (person && !person.here) return ["away"];
    return [];
  }

  describe(table, about, i, seat, unit) {
    if (seat.state === "empty") return `Seat ${i + 1}: empty`;
    const parts = [`${seat.name}${i === about.you ? ", you" : ""}: ${chips(seat.stack, unit)} chips`];
    if (table.button === i) parts.push("dealer button");
    if (seat.bet) parts.push(`bet ${chips(seat.bet, unit)}`);
    if (seat.state !== "in") parts.push(seat.state);
    if (table.actor === i) parts.push("to act");
    const trouble = botTrouble(about.bots?.[i]);
    if (trouble) parts.push(`program: ${trouble}`);
    return parts.join(", ");
  }

  drawPots(table, unit) {
    const total = table.over ? table.result.pots.reduce((sum, pot) => sum + pot.size, 0) : table.pot;
    const parts = (table.over ? table.result.pots : table.pots);
    const children = [h("span", { class: "sum" }, h("span", { class: "chip", "aria-hidden": "true" }), `Pot ${chips(total, unit)}`)];
    if (parts.length > 1) {
      parts.forEach((pot, i) => children.push(h("span", { class: "part" },
        `${i === 0 ? "Main pot" : parts.length > 2 ? `Side pot ${i}` : "Side pot"} ${chips(pot.size, unit)}`)));
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
    if (this.banner.dataset.key !== key) this.banner.replaceChildren(...lines.slice(0, 3));
    this.banner.dataset.key = key;
  }

  /** The cards that make the winning hands. */
  bestCards(table, you) {
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

let podNumber = 0;

function newSeat() {
  const hole = h("div", { class: "hole" });
  const name = h("span", { class: "name" });
  const stack = h("span", { class: "stack" });
  const act = h("span", { class: "act" });
  const place = h("span", { class: "place", hidden: true });
  const dealer = h("span", { class: "dealer", title: "Dealer button", hidden: true }, "D");
  podNumber += 1;
  const about = h("span", { class: "about", role: "tooltip", id: `about-seat-${podNumber}` });
  const trouble = h("span", { class: "trouble", title: "What this program did wrong stands under Players", hidden: true });
  const pod = h("div", { class: "pod" }, name, stack, act, place, trouble, dealer);
  const element = h("div", { class: "seat", role: "group", "aria-describedby": about.id }, hole, pod, about);
  return { element, pod, hole, name, stack, act, place, trouble, dealer, about, left: false, right: false, low: false };
}

/** A name; where it is too long, its beginning and what tells it from others: "LooseP… 3", "Theod… (you)". */
function drawName(element, text) {
  if (element.textContent === text) return;
  const [, base, end] = text.match(/^(.+?)( \d+| \(you\))?$/);
  element.replaceChildren(h("span", { class: "base" }, base), ...(end ? [h("span", {}, end)] : []));
  element.classList.toggle("long", text.length > 9);
}

function put(element, { x, y }) {
  element.style.setProperty("--x", `${x.toFixed(1)}px`);
  element.style.setProperty("--y", `${y.toFixed(1)}px`);
}

/** "two pair, aces and fours, queen kicker" -> "two pair". */
function shortHand(words) {
  return words.split(",")[0];
}
