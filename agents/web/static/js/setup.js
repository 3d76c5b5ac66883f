// A hand that is set up: any cards, board, stacks and betting, from nothing or from a recorded hand.

import { CardPicker } from "./card_picker.js";
import { fetchJson, h, storage, toast } from "./dom.js";
import { openGame } from "./open_game.js";
import { playerGroups, ratingNote, suiteOf } from "./player_choice.js";

const EMPTY = {
  seats: ["human", "formula"], betting: "no-limit", blinds: "5/10", hands: 1,
  position: { button: 0, stacks: [1000, 1000], hole_cards: ["", ""], board: "", street: "", betting: "", actor: "" },
};
const STREETS = [["", "from the board"], ["preflop", "before the flop"], ["flop", "flop"], ["turn", "turn"], ["river", "river"]];

export class SetupPage {
  /** An address with the name of a replay, a hand (or "last") and a step sets up that moment. */
  constructor({ page }, { name, rest }) {
    this.page = page;
    this.recorded = name ? { name, hand: rest[0], step: rest[1] } : null;
    this.load();
  }

  close() {
    this.closed = true;
    this.picker?.end();
  }

  async load() {
    try {
      this.lobby = await fetchJson("/api/lobby");
      this.spot = this.recorded ? await this.fromReplay() : storage.get("spot", EMPTY);
    } catch (error) {
      this.page.replaceChildren(h("p", { class: "notice" }, `${error.message}. `, h("a", { href: "#/" }, "Back to the tables")));
      return;
    }
    if (!this.closed) this.draw();
  }

  async fromReplay() {
    const { name, hand, step } = this.recorded;
    const index = hand === "last" ? (await fetchJson(`/api/replays/${name}`)).hands.length - 1 : hand - 1;
    const spot = await fetchJson(`/api/replays/${name}/hands/${index}/position?step=${step}`);
    const known = [...this.lobby.offered, ...this.lobby.players];
    const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
    // A recorded name such as "TightAggressive 2" is that of a player here.
    const seats = spot.players.map((player, seat) => (seat === spot.position.actor ? "human"
      : known.find((other) => plain(other) === plain(player.replace(/ \d+$/, ""))) ?? "formula"));
    return { ...EMPTY, ...spot, seats };
  }

  draw() {
    this.error = h("p", { class: "form-error", role: "alert" });
    this.rows = h("tbody", {});
    this.ratingLine = h("p", { class: "fine rating-note" });
    this.actor = h("select", { id: "spot-actor", onchange: () => { this.spot.position.actor = this.actor.value === "" ? "" : Number(this.actor.value); } });
    const field = (label, name, target, attributes = {}) => h("div", { class: "field wide" },
      h("label", { for: `spot-${name}` }, label),
      h("input", { id: `spot-${name}`, type: "text", autocomplete: "off", ".value": String(target[name]), oninput: (event) => { target[name] = event.target.value; }, ...attributes }));
    const choice = (label, name, target, options, changed = () => {}) => h("div", { class: "field" }, h("label", { for: `spot-${name}` }, label),
      h("select", { id: `spot-${name}`, onchange: (event) => {
        target[name] = event.target.value;
        changed();
      } },
        ...options.map(([value, text]) => h("option", { value, selected: value === target[name] }, text))));
    const { position } = this.spot;
    const form = h("form", { class: "lobby spot", onsubmit: (event) => this.play(event) },
      h("div", { class: "lobby-head" },
        h("div", {}, h("h1", {}, "Set up a hand"), h("p", {}, "Cards that you leave empty are dealt at random. Choose cards, or type rank and suit: As, Td, 7h, 2c.")),
        h("button", { type: "submit", class: "primary" }, "Play")),
      this.error,
      h("section", { class: "panel", "aria-label": "Seats" }, h("h2", {}, "Seats"),
        h("div", { class: "scroll" }, h("table", { class: "spot-seats" },
          h("thead", {}, h("tr", {}, ...["Seat", "Player", "Chips", "Cards", "Button", ""].map((title) => h("th", { scope: "col" }, title || h("span", { class: "sr" }, "Remove"))))), this.rows)),
        h("button", { type: "button", class: "seat-add", onclick: () => this.add() }, "+ Add seat"), this.ratingLine),
      h("section", { class: "panel", "aria-label": "Starting position" }, h("h2", {}, "Starting position"),
        h("div", { class: "fields" },
          field("Blinds and ante", "blinds", this.spot),
          choice("Betting", "betting", this.spot, this.lobby.game_options.betting.choices, () => this.drawRows()),
          h("div", { class: "field" }, h("label", { for: "spot-hands" }, "Hands"), h("input", {
            id: "spot-hands", type: "text", inputmode: "numeric", ".value": String(this.spot.hands), oninput: (event) => { this.spot.hands = event.target.value; } })),
          this.boardField(position),
          choice("Street", "street", position, STREETS),
          h("div", { class: "field" }, h("label", { for: "spot-actor" }, "Player to act"), this.actor),
          h("div", { class: "field wide" }, h("label", { for: "spot-played" }, "Betting so far"),
            h("input", { id: "spot-played", type: "text", autocomplete: "off", placeholder: "call, raise 60, fold / bet 40", ".value": position.betting, oninput: (event) => { position.betting = event.target.value; } }),
            h("p", { class: "fine" }, "Actions in order: fold, check, call, bet 60, raise 120 (total on this street), all-in. Actions that you leave out before the starting position are checks and calls.")))));
    this.page.replaceChildren(form);
    this.picker = new CardPicker(form);
    this.drawRows();
  }

  boardField(position) {
    return h("div", { class: "field wide" }, h("label", { for: "spot-board" }, "Board (if a street is chosen, it may include later cards)"),
      h("input", { id: "spot-board", type: "text", "data-cards": 5, inputmode: cardKeys(), autocomplete: "off", placeholder: "2s 7h 9d", ".value": position.board, oninput: (event) => { position.board = event.target.value; } }));
  }

  drawRows() {
    const { seats, position } = this.spot;
    const suite = suiteOf({ betting: this.spot.betting, mode: "cash", players: seats.length });
    this.ratingLine.textContent = ratingNote(this.lobby, suite);
    const text = (label, list, seat, attributes) => h("input", {
      type: "text", "aria-label": `${label} of seat ${seat + 1}`, autocomplete: "off", ".value": String(list[seat]), oninput: (event) => { list[seat] = event.target.value; }, ...attributes });
    this.rows.replaceChildren(...seats.map((name, seat) => h("tr", {},
      h("th", { scope: "row" }, String(seat + 1)),
      h("td", {}, h("select", { "aria-label": `Player of seat ${seat + 1}`, onchange: (event) => { seats[seat] = event.target.value; } },
        h("optgroup", { label: "People" }, h("option", { value: "human", selected: name === "human" }, "You or another person")),
        ...playerGroups(this.lobby, () => true, name, suite))),
      h("td", { "data-label": "Chips" }, text("Chips", position.stacks, seat, { inputmode: "numeric" })),
      h("td", { "data-label": "Cards" }, text("Cards", position.hole_cards, seat, { placeholder: "any", "data-cards": 2, inputmode: cardKeys() })),
      h("td", { "data-label": "Button" }, h("input", { type: "radio", name: "button", "aria-label": `Button at seat ${seat + 1}`, checked: position.button === seat, onchange: () => { position.button = seat; } })),
      h("td", {}, h("button", { type: "button", class: "quiet remove", "aria-label": `Remove seat ${seat + 1}`, disabled: seats.length <= 2, onclick: () => this.remove(seat) }, "×")))));
    if (position.actor >= seats.length) position.actor = "";
    this.actor.replaceChildren(h("option", { value: "" }, "next in turn"),
      ...seats.map((_, seat) => h("option", { value: String(seat), selected: seat === position.actor }, `seat ${seat + 1}`)));
  }

  add() {
    const { seats, position } = this.spot;
    if (seats.length === 10) return;
    seats.push("formula");
    position.stacks.push(position.stacks.at(-1));
    position.hole_cards.push("");
    this.drawRows();
    this.rows.lastElementChild.querySelector("select").focus();
  }

  remove(seat) {
    const { seats, position } = this.spot;
    for (const list of [seats, position.stacks, position.hole_cards]) list.splice(seat, 1);
    // The players behind the removed one move up, and their marks with them.
    if (position.button > seat || position.button === seats.length) position.button -= 1;
    if (position.actor === seat) position.actor = "";
    else if (position.actor > seat) position.actor -= 1;
    this.drawRows();
    this.page.querySelector(".seat-add").focus();
  }

  async play(event) {
    event.preventDefault();
    this.error.textContent = "";
    const { seats, blinds, betting, hands, position } = this.spot;
    const name = storage.get("name", "") || "You";
    const humans = seats.filter((player) => player === "human").length;
    if (!this.recorded) storage.set("spot", this.spot);
    try {
      await openGame({ seats, blinds, betting, num_hands: hands, position, mode: "cash", name: humans > 1 && name === "You" ? null : name });
    } catch (error) {
      this.error.textContent = error.message;
      toast(error.message);
    }
  }
}

/** The keyboard of a touch screen would cover the cards to choose from. */
function cardKeys() {
  return matchMedia("(pointer: coarse)").matches ? "none" : "text";
}
