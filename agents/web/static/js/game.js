// A table where a game is played: the state from the server is shown, the player's requests are sent.

import { Connection } from "./connection.js";
import { Controls, oddsText } from "./controls.js";
import { SeatForm } from "./seat_form.js";
import { AutoActions } from "./auto_actions.js";
import { Chat } from "./chat.js";
import { ClockView } from "./clock.js";
import { announce, chips, fetchJson, h, percent, placeText, toast } from "./dom.js";
import { GameControls } from "./game_controls.js";
import { Invitation } from "./invitation.js";
import { notify } from "./notification.js";
import { drawLog, drawExplanations, drawPlayers, standings, Tabs } from "./panels.js";
import { Rates } from "./rates.js";
import { onSettings, setting } from "./settings.js";
import { solvableStreets, SolverPanel } from "./solver.js";
import { sound } from "./sound.js";
import { TableView } from "./table.js";
import { tableEnd } from "./table_end.js";
import { blindsText, resultLines, verb, withArticle } from "./words.js";

const PLAYERS = 1; // tabs
const CHAT = 4;
const STYLE_HANDS = 20; // from which on seats show a player's style
const SENDING_MS = 500; // without an answer, until the page says that it is sending

export class GamePage {
  constructor({ page, status }, name) {
    this.status = status;
    this.name = name;
    this.table = new TableView();
    this.controls = new Controls((action, to) => this.act(action, to));
    this.turnLine = h("div", { class: "turn-line" });
    this.gameControls = new GameControls((message) => this.send(message));
    this.seatForm = new SeatForm((name) => this.send({ type: "sit", name }));
    this.invitation = new Invitation();
    this.autoActions = new AutoActions((message) => this.send(message));
    this.clock = new ClockView();
    this.chat = new Chat((text) => this.send({ type: "chat", text }), (lines) => this.tabs.addUnread(CHAT, lines));
    const between = h("div", { class: "between-turns" }, this.seatForm.element, this.autoActions.element, this.gameControls.element);
    this.bar = h("section", { class: "controls", "aria-label": "Your actions" }, this.turnLine, this.gameControls.paceElement, this.controls.element, between);
    this.bar.tabIndex = -1;
    this.bar.addEventListener("focusin", (event) => {
      this.inBar = true;
      if (event.target !== this.bar) this.lastFocus = event.target;
    });
    this.bar.addEventListener("focusout", (event) => { if (event.relatedTarget) this.inBar = false; });
    this.log = h("div", { class: "log" });
    this.extras = h("div", {});
    this.players = h("div", {});
    this.explanations = h("div", {});
    this.solver = new SolverPanel(() => `/api/games/${name}/solution`);
    this.tabs = new Tabs([
      ["Hand", h("div", {}, this.extras, this.log)], ["Players", this.players], ["Explain", this.explanations],
      ["Solver", this.solver.element], ["Chat", this.chat.element],
    ]);
    this.rates = new Rates(`/api/games/${name}/rates`, () => this.drawPlayers());
    this.tabs.onSelect = () => this.drawPlayers();
    this.endSettings = onSettings(() => this.state && this.show(this.state));
    page.append(h("div", { class: "game" }, h("div", { class: "play" }, this.table.element, this.bar), this.tabs.element));
    this.controls.element.hidden = true;
    this.equity = null;
    this.connection = new Connection(name, {
      onState: (state) => this.show(state),
      onMessage: (message) => this.receive(message),
      onChange: () => this.drawConnection(),
    });
  }

  close() {
    clearTimeout(this.sendingTimer);
    this.connection.close();
    this.clock.close();
    this.endSettings();
    document.title = "Poker table · nlhe-env";
  }

  send(message) {
    this.connection.request(message);
    return true;
  }

  act(action, to) {
    if (this.connection.decision === "offered" && !this.controls.isFresh) this.send({ type: "act", action, ...(to ? { to } : {}) });
  }

  receive(message) {
    if (message.type === "refused") {
      toast(message.text);
    } else if (message.type === "chat") {
      this.chat.receive(message.lines, message.earlier);
    } else if (message.type === "equity") {
      this.equity = isCurrent(message, this.state) ? message : null;
      this.drawExtras(this.state);
      announce(`Equity ${percent(message.equity)} against ${message.opponents} random hands`);
    }
  }

  /** Show a change of the connection or the decision, for which no new state of the table has come. */
  drawConnection() {
    const { connection } = this;
    const isSent = connection.decision === "sent";
    this.controls.element.classList.toggle("sent", isSent);
    clearTimeout(this.sendingTimer);
    this.isSending = false;
    if (isSent) {
      this.sendingTimer = setTimeout(() => {
        this.isSending = true;
        if (this.connection.state === "open") this.drawTurn(this.state);
      }, SENDING_MS);
    }
    if (connection.isFinal) {
      this.bar.replaceChildren(tableEnd(connection.state, this.name));
      this.bar.querySelector("button, a").focus({ preventScroll: true });
      this.extras.replaceChildren();
      this.table.element.classList.add("ended");
      this.chat.form.hidden = true;
      this.tabs.element.hidden = !this.state;
      document.title = "Poker table · nlhe-env";
    } else if (this.state) this.drawTurn(this.state);
    else this.turnLine.replaceChildren(connectionText(connection));
  }

  // --- showing ------------------------------------------------------------------------------------

  show(state) {
    const before = this.state;
    this.state = state;
    this.unit = setting("big-blinds") ? { bigBlind: state.table.blinds[1] } : 1;
    if (this.equity && !isCurrent(this.equity, state)) this.equity = null;
    this.drawStatus(state);
    this.bar.classList.toggle("watching", state.viewer === null || state.places[state.viewer] !== undefined);
    this.drawTurn(state);
    this.seatForm.show(state);
    this.autoActions.show(state, this.unit);
    this.chat.show(state);
    this.tabs.buttons[CHAT].hidden = Object.keys(state.participants).length < 2;
    this.gameControls.show(state);
    this.table.draw(state.table, {
      viewer: state.viewer, places: state.places, names: state.names, participants: state.participants, bots: state.bots, phase: state.phase,
      descriptions: state.descriptions, unit: this.unit, sitsOut: state.services.sits_out, pace: state.pace, styles: state.hands_played >= STYLE_HANDS ? state.styles : null, hands: state.hands_played,
      stackUnit: setting("stack-blinds") && !setting("big-blinds") ? { bigBlind: state.table.blinds[1] } : null,
    });
    this.keepFocus();
    this.drawExtras(state);
    drawLog(this.log, state.table, { summaries: state.summaries, names: state.names, unit: this.unit });
    if (state.table.over) this.solver.offer(`${state.table.hand} ${state.table.board}`, solvableStreets(state.table, state.setup.betting));
    this.drawPlayers();
    const isNext = before && state.open_cards && !state.table.explanations.length;
    if (!isNext) drawExplanations(this.explanations, state.table, { live: state.open_cards && !state.table.over }); // else the last one stays to be read
    this.announceChanges(before, state);
  }

  drawStatus(state) {
    const { setup, table } = state;
    const parts = [
      h("span", { class: "kind" }, h("strong", {}, setup.mode === "cash" ? "Cash game" : "Tournament"), setup.betting === "no-limit" ? "" : ` · ${setup.betting}`),
      h("span", {}, "Hand ", h("strong", {}, chips(table.hand + 1)), setup.num_hands ? ` of ${chips(setup.num_hands)}` : ""),
      h("span", {}, "Blinds ", h("strong", {}, blindsText(table))),
    ];
    if (state.hands_to_next_level && setup.mode === "tournament") {
      parts.push(h("span", {}, `Level ${state.level}, ${state.hands_to_next_level === 1 ? "last hand" : `${state.hands_to_next_level} hands left`}`));
    }
    if (setup.seed_chosen && Object.keys(state.participants).length > 1) parts.push(h("span", {}, "The host chose the card seed"));
    if (state.spectators > 0 && state.viewer !== null) parts.push(h("span", {}, `${state.spectators} watching`));
    this.status.replaceChildren(...parts);
  }

  drawTurn(state) {
    const { table, phase } = state;
    const mine = Boolean(state.options);
    this.controls.element.hidden = !mine;
    if (mine) this.controls.show(state, this.unit);
    if (this.connection.state !== "open" || this.isSending) {
      this.turnLine.replaceChildren(connectionText(this.connection));
      return;
    }
    const parts = [];
    const place = state.places[state.viewer];
    const own = table.own_hand ? h("span", { class: table.over ? "own late" : "own" }, `You have ${withArticle(table.own_hand)}`) : null;
    if (state.error) parts.push(h("span", {}, h("b", {}, "The game has stopped: "), state.error));
    else if (state.waits) parts.push(h("span", {}, h("b", {}, "Waiting for people to join."), state.viewer === null ? " Take the open seat, or watch." : " Send them the link next to the table."));
    else if (mine) {
      const call = state.options.to_call;
      parts.push(h("span", {}, h("b", {}, "Your turn. "), call ? `${chips(call, this.unit)} to call into a pot of ${chips(table.pot, this.unit)}` : `The pot is ${chips(table.pot, this.unit)}`,
        call ? h("span", { class: "odds" }, `, ${oddsText(call, table.pot)}`) : ""));
    } else if (phase === "game over") parts.push(h("b", { class: "late" }, gameOverText(state)));
    else if (place) {
      parts.push(h("span", { class: table.over ? "late" : "" }, h("b", {}, `You are out: ${placeText(place)} place of ${state.names.length}.`),
        state.controls && state.can_restart ? " Start a new game, or resume this one and watch." : " You can watch the others."));
    } else if (phase === "hand over") parts.push(h("b", { class: "late" }, handOverText(state, this.unit)));
    else {
      const { taken, connected } = state.participants[table.actor] ?? {};
      parts.push(h("span", {}, h("b", {}, table.seats[table.actor].name), taken && !connected
        ? " is to act but is away. The table checks or folds after a minute." : " is to act"));
    }
    if (own) parts.push(own);
    if (state.restored) parts.push(h("span", {}, "The server has restarted. An unfinished hand is dealt again with other cards."));
    if (state.not_saved) parts.push(h("span", {}, `This table cannot be saved: ${state.not_saved}`));
    const { clock } = state.services;
    this.clock.show(clock, clock && (clock.seat === state.viewer ? "Your time" : state.names[clock.seat]));
    parts.push(this.clock.element);
    this.turnLine.replaceChildren(...parts);
  }

  /** The players, and what they win; that is counted only while it is looked at. */
  drawPlayers() {
    if (!this.state || this.connection.isFinal) return;
    if (this.tabs.chosen === PLAYERS) this.rates.update(this.state.hands_played);
    drawPlayers(this.players, this.state, this.rates);
  }

  drawExtras(state) {
    const seated = state.viewer !== null;
    const inHand = seated && ["in", "all-in"].includes(state.table.seats[state.viewer].state) && !state.table.over;
    const key = JSON.stringify([this.equity, inHand, seated, state.phase, state.waits, state.participants, state.hands_played > 0, state.seed]);
    if (key === this.extrasKey) return;
    this.extrasKey = key;
    const parts = [];
    const open = Object.values(state.participants).some((participant) => !participant.taken);
    if (state.waits || open) parts.push(this.invitation.element);
    if (state.phase === "game over") {
      parts.push(h("div", { class: "box late" }, h("h3", {}, "Result"), standings(state), state.seed ? h("p", { class: "fine" }, `Card seed: ${state.seed}`) : ""));
    }
    if (this.equity && inHand) {
      const { equity, win, tie, error, exact, opponents } = this.equity;
      parts.push(h("div", { class: "equity" }, h("span", {}, "Your equity ", h("b", {}, percent(equity, 1))),
        h("span", { class: "fine" }, `wins ${percent(win, 1)}, ties ${percent(tie, 1)} against ${opponents} random ${opponents === 1 ? "hand" : "hands"}; `
          + (exact ? "exact" : `sampled, ± ${percent(error, 2)}`))));
    }
    const row = [];
    if (inHand) row.push(h("button", { type: "button", onclick: () => this.send({ type: "equity" }) }, "Equity (W)"));
    if (state.hands_played > 0) {
      row.push(h("button", { type: "button", onclick: () => this.replay() }, "Replay hands"));
      row.push(h("button", { type: "button", onclick: () => this.review("explain") }, "Explain the last hand (E)"));
      row.push(h("button", { type: "button", onclick: () => this.review("coach") }, "Coach (M)"));
      row.push(h("a", { class: "button", href: `/api/games/${this.name}/hands.phhs`, download: "hands.phhs" }, "Save as .phhs"));
      if (state.table.over && state.table.history.length) row.push(h("button", { type: "button", onclick: () => this.playAgain() }, "Play again"));
    }
    if (seated && Object.keys(state.participants).length > 1 && state.phase !== "game over") {
      row.push(h("button", { type: "button", class: "quiet", onclick: () => this.send({ type: "leave" }) }, "Leave seat"));
    }
    if (row.length) parts.push(h("div", { class: "box" }, h("div", { class: "row" }, ...row)));
    this.extras.replaceChildren(...parts);
  }

  /** Keeps the keyboard focus among the actions when the focused button is hidden. */
  keepFocus() {
    const active = document.activeElement;
    const gone = this.bar.contains(active) && !active.checkVisibility();
    if (!this.inBar || (!gone && active !== document.body && active !== this.bar)) return;
    const back = this.lastFocus?.checkVisibility() && !this.lastFocus.disabled ? this.lastFocus : null;
    (back ?? this.gameControls.next() ?? this.bar).focus({ preventScroll: true });
  }

  replay() {
    return this.recordTo((replay) => `#/replay/${replay}/last?table=${this.name}`);
  }

  /** Open the last hand with the explanation of its decisions, or with the coach. */
  review(tab) {
    this.recordTo((replay) => `#/replay/${replay}/last?tab=${tab}&table=${this.name}`);
    return true;
  }

  /** Set up the hand that is over, from the viewer's first decision. */
  playAgain() {
    const { table, viewer } = this.state;
    const step = Math.max(0, table.history.findIndex((event) => event.seat === viewer));
    return this.recordTo((replay) => `#/setup/${replay}/last/${step}`);
  }

  /** Make a replay of the hands so far, and go to the address with its name. */
  async recordTo(address) {
    try {
      const text = await (await fetch(`/api/games/${this.name}/hands.phhs`)).text();
      const { replay } = await fetchJson("/api/replays?title=This game", { method: "POST", body: text });
      location.hash = address(replay);
    } catch (error) {
      toast(error.message);
    }
  }

  announceChanges(before, state) {
    const { table } = state;
    const late = state.acted_for;
    if (before && late && late.turn !== before.acted_for?.turn && late.seat === state.viewer) toast("Your time ran out; the table checked or folded for you.");
    if (before && state.options && !before.options) {
      sound("turn");
      notify("Your turn", state.options.to_call ? `${chips(state.options.to_call, this.unit)} to call` : "You can check");
    }
    if (before && table.over && !before.table.over) sound("over");
    document.title = `${state.options ? "● Your turn" : "Poker table"} · nlhe-env`;
    if (!before || before.turn === state.turn || (state.pace === "max" && !state.humans_playing)) return;
    const parts = [];
    if (before.table.hand !== table.hand) parts.push(`Hand ${table.hand + 1}.`);
    const known = before.table.hand === table.hand ? before.table.history.length : 0;
    for (const event of table.history.slice(known)) parts.push(`${table.seats[event.seat].name} ${verb(event, table.seats[event.seat].name)}.`);
    if (table.over && !before.table.over) parts.push(...resultLines(table).map((line) => `${line.name} ${line.wins}${line.words ? ` with ${line.words}` : ""}.`));
    const place = state.places[state.viewer];
    if (place && !before.places[state.viewer]) parts.push(`You are out: ${placeText(place)} place of ${state.names.length}.`);
    if (state.options) parts.push(`Your turn, ${state.options.to_call ? `${state.options.to_call} to call` : "you can check"}.`);
    announce(parts.join(" "));
  }

  // --- keys ---------------------------------------------------------------------------------------

  key(event) {
    const { state } = this;
    if (!state || this.connection.isFinal) return false;
    const onButton = event.target.matches?.("button, a, summary, [role=tab]");
    if (event.key === " ") {
      const next = this.gameControls.next();
      if (next) {
        event.target.blur?.(); // a button would be pressed when the key is let go
        next.click();
        return true;
      }
      if (onButton) return false;
      if (!state.humans_playing && state.controls) this.send({ type: "pause", on: !state.paused });
      return true;
    }
    const letter = event.key.toLowerCase();
    if (letter === "n" && !state.humans_playing) return this.send({ type: "step" });
    if (letter === "s" && state.phase === "player") return this.send({ type: "skip" });
    if (letter === "e" && state.hands_played > 0) return this.review("explain");
    if (letter === "m" && state.hands_played > 0) return this.review("coach");
    if (letter === "w" && state.viewer !== null) return this.send({ type: "equity" });
    return state.options ? this.controls.key(event) : false;
  }
}

/** Whether an equity is of the cards and opponents that are there now. */
function isCurrent(result, { table, viewer }) {
  const opponents = table.seats.filter((seat, i) => i !== viewer && ["in", "all-in"].includes(seat.state)).length;
  return !table.over && result.hand === table.hand && result.cards === table.board.length && result.opponents === opponents;
}

/** Why nothing can be sent at the moment, and what becomes of a decision that has been taken. */
function connectionText({ state, decision }) {
  if (state === "open") return "Sending your action …";
  if (state === "opening") return "Connecting to the server …";
  const lost = navigator.onLine ? "Connection lost. Reconnecting …" : "You are offline.";
  const text = state === "stopped" ? "The server has stopped. Reconnecting …" : lost;
  return decision === "sent" ? `${text} Your action will be sent on reconnection.` : text;
}

function handOverText(state, unit) {
  return resultLines(state.table, unit).map((line) => `${line.name} ${line.wins}`).join(", ");
}

function gameOverText(state) {
  const place = state.places[state.viewer];
  if (state.viewer === null || state.setup.mode === "cash") return "The game is over.";
  const [first, last] = place;
  if (last === 1) return "You have won the tournament.";
  return `The tournament is over; you ${first === last ? "took" : "share"} ${placeText(place)} place.`;
}
