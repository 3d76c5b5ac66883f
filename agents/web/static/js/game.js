// A table where a game is played: what the server tells is shown, what the player wants is sent.

import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { Door } from "./door.js";
import { Beforehand } from "./beforehand.js";
import { Chat } from "./chat.js";
import { ClockView } from "./clock.js";
import { announce, chips, h, ordinal, percent, toast } from "./dom.js";
import { Flow } from "./flow.js";
import { Invitation } from "./invitation.js";
import { drawLog, drawMinds, drawPlayers, standings, Tabs } from "./panels.js";
import { onSettings, setting } from "./settings.js";
import { SolverPanel } from "./solver.js";
import { sound } from "./sound.js";
import { TableView } from "./table.js";
import { blindsText, resultLines, verb, withArticle } from "./words.js";

export class GamePage {
  constructor({ page, status }, name) {
    this.status = status;
    this.name = name;
    this.table = new TableView();
    this.controls = new Controls((action, to) => this.act(action, to));
    this.turnLine = h("div", { class: "turn-line" });
    this.flow = new Flow((message) => this.send(message));
    this.door = new Door((name) => this.send({ type: "sit", name }));
    this.invitation = new Invitation();
    this.beforehand = new Beforehand((message) => this.send(message));
    this.clock = new ClockView();
    this.chat = new Chat((text) => this.send({ type: "say", text }));
    this.bar = h("section", { class: "controls", "aria-label": "Your actions" }, this.turnLine, this.door.element, this.controls.element, this.beforehand.element, this.flow.element);
    this.bar.tabIndex = -1;
    this.bar.addEventListener("focusin", (event) => {
      this.inBar = true;
      if (event.target !== this.bar) this.lastFocus = event.target;
    });
    this.bar.addEventListener("focusout", (event) => { if (event.relatedTarget) this.inBar = false; });
    this.log = h("div", { class: "log" });
    this.extras = h("div", {});
    this.players = h("div", {});
    this.minds = h("div", {});
    this.solver = new SolverPanel(() => `/api/games/${name}/solution`);
    this.tabs = new Tabs([
      ["Hand", h("div", {}, this.extras, this.log)], ["Players", this.players], ["Minds", this.minds],
      ["Solver", this.solver.element], ["Chat", this.chat.element],
    ]);
    this.endSettings = onSettings(() => this.state && this.show(this.state));
    page.append(h("div", { class: "game" }, h("div", { class: "play" }, this.table.element, this.bar), this.tabs.element));
    this.controls.element.hidden = true;
    this.chance = null;
    this.connection = new Connection(name, {
      onState: (state) => this.show(state),
      onMessage: (message) => this.hear(message),
      onLine: (line) => this.line(line),
    });
  }

  close() {
    this.connection.close();
    this.clock.close();
    this.endSettings();
    document.title = "The table · nlhe-env";
  }

  send(message) {
    return this.connection.send(message);
  }

  act(action, to) {
    const { state } = this;
    if (!state?.options || this.sent === state.turn) return;
    this.sent = state.turn;
    this.send({ type: "act", turn: state.turn, action, ...(to ? { to } : {}) });
  }

  hear(message) {
    if (message.type === "refused") {
      this.sent = null;
      toast(message.text);
    } else if (message.type === "said") {
      this.chat.hear(message.lines);
    } else if (message.type === "chance") {
      this.chance = isOf(message, this.state) ? message : null;
      this.drawExtras(this.state);
      announce(`Win chance ${percent(message.equity)} against ${message.opponents} random hands`);
    }
  }

  line(line) {
    if (line === "open") {
      this.lost = false;
      return;
    }
    if (!this.lost) {
      this.lost = true;
      this.turnLine.replaceChildren("The line to the server is lost; trying again …");
      // A table that is gone closes at once; ask whether it is still there.
      fetch(`/api/games/${this.name}/hands.phhs`).then((answer) => {
        if (answer.status === 404) this.gone();
      }).catch(() => {});
    }
  }

  gone() {
    this.connection.close();
    this.turnLine.replaceChildren(h("span", {}, "This table is closed. ", h("a", { href: "#/" }, "Open a new one")));
    this.controls.element.hidden = true;
    this.flow.hide();
  }

  // --- showing ------------------------------------------------------------------------------------

  show(state) {
    const before = this.state;
    this.state = state;
    this.unit = setting("big-blinds") ? { bigBlind: state.table.blinds[1] } : 1;
    if (this.chance && !isOf(this.chance, state)) this.chance = null;
    this.drawStatus(state);
    this.drawTurn(state);
    this.door.show(state);
    this.beforehand.show(state, this.unit);
    this.chat.show(state);
    this.tabs.buttons.at(-1).hidden = Object.keys(state.people).length < 2;
    this.flow.show(state);
    // After the actions: how tall they are decides how much room there is for the table.
    this.table.draw(state.table, {
      you: state.you, places: state.places, names: state.names, people: state.people, bots: state.bots, phase: state.phase,
      about: state.about, unit: this.unit, sitsOut: state.house.sits_out,
    });
    this.keepFocus();
    this.drawExtras(state);
    drawLog(this.log, state.table, { summaries: state.summaries, names: state.names, unit: this.unit });
    if (state.table.over) this.solver.offer(`${state.table.hand} ${state.table.board}`, state.table.board);
    drawPlayers(this.players, state);
    drawMinds(this.minds, state.table, { live: state.open_cards && !state.table.over });
    this.tell(before, state);
  }

  drawStatus(state) {
    const { setup, table } = state;
    const parts = [
      h("span", { class: "kind" }, h("strong", {}, setup.mode === "cash" ? "Cash game" : "Tournament"), setup.betting === "no-limit" ? "" : ` · ${setup.betting}`),
      h("span", {}, "Blinds ", h("strong", {}, blindsText(table))),
      h("span", {}, "Hand ", h("strong", {}, chips(table.hand + 1)), setup.hands ? ` of ${chips(setup.hands)}` : ""),
    ];
    if (state.hands_to_next_level && setup.mode === "tournament") {
      parts.push(h("span", {}, `Level ${state.level}, ${state.hands_to_next_level === 1 ? "last hand" : `${state.hands_to_next_level} more hands`}`));
    }
    if (setup.seed_chosen && Object.keys(state.people).length > 1) parts.push(h("span", {}, "The host has chosen the seed of the cards"));
    if (state.watching > 0 && state.you !== null) parts.push(h("span", {}, `${state.watching} watching`));
    this.status.replaceChildren(...parts);
  }

  drawTurn(state) {
    const { table, phase } = state;
    const mine = Boolean(state.options);
    this.controls.element.hidden = !mine;
    if (mine) this.controls.show(state, this.unit);
    else this.sent = this.controls.shownFor = null; // a new game counts its turns anew
    const parts = [];
    const own = table.own_hand ? h("span", { class: table.over ? "own late" : "own" }, `You have ${withArticle(table.own_hand)}`) : null;
    if (state.error) parts.push(h("span", {}, h("b", {}, "The game has stopped: "), state.error));
    else if (state.waits) parts.push(h("span", {}, h("b", {}, "Waiting for the other people."), state.you === null ? " Take the open seat, or watch." : " Send them the link beside the table."));
    else if (mine) {
      const call = state.options.to_call;
      parts.push(h("span", {}, h("b", {}, "Your turn. "), call ? `${chips(call, this.unit)} to call into a pot of ${chips(table.pot, this.unit)}` : `The pot is ${chips(table.pot, this.unit)}`));
    } else if (phase === "game over") parts.push(h("b", { class: "late" }, gameOverText(state)));
    else if (phase === "hand over") parts.push(h("b", { class: "late" }, handOverText(state, this.unit)));
    else parts.push(h("span", {}, h("b", {}, table.seats[table.actor].name), " is to act"));
    if (own) parts.push(own);
    const { clock } = state.house;
    this.clock.show(clock, clock && (clock.seat === state.you ? "Your time" : state.names[clock.seat]));
    parts.push(this.clock.element);
    this.turnLine.replaceChildren(...parts);
  }

  drawExtras(state) {
    const seated = state.you !== null;
    const inHand = seated && ["in", "all-in"].includes(state.table.seats[state.you].state) && !state.table.over;
    const key = JSON.stringify([this.chance, inHand, seated, state.phase, state.waits, state.people, state.hands_played > 0, state.seed]);
    if (key === this.extrasKey) return;
    this.extrasKey = key;
    const parts = [];
    const open = Object.values(state.people).some((person) => !person.taken);
    if (state.waits || open) parts.push(this.invitation.element);
    if (state.phase === "game over") {
      parts.push(h("div", { class: "box late" }, h("h3", {}, "Result"), standings(state), state.seed ? h("p", { class: "fine" }, `Seed of the cards: ${state.seed}`) : ""));
    }
    if (this.chance && inHand) {
      const { equity, win, tie, error, exact, opponents } = this.chance;
      parts.push(h("div", { class: "chance" }, h("span", {}, "Your share of the pot on average ", h("b", {}, percent(equity, 1))),
        h("span", { class: "fine" }, `wins ${percent(win, 1)}, ties ${percent(tie, 1)} against ${opponents} random ${opponents === 1 ? "hand" : "hands"}; `
          + (exact ? "counted exactly" : `drawn, ± ${percent(error, 2)}`))));
    }
    const row = [];
    if (inHand) row.push(h("button", { type: "button", onclick: () => this.send({ type: "chance" }) }, "Win chance (W)"));
    if (state.hands_played > 0) {
      row.push(h("button", { type: "button", onclick: () => this.replay() }, "Replay the hands"));
      row.push(h("a", { class: "button", href: `/api/games/${this.name}/hands.phhs`, download: "hands.phhs" }, "Save as .phhs"));
    }
    if (seated && Object.keys(state.people).length > 1 && state.phase !== "game over") {
      row.push(h("button", { type: "button", class: "quiet", onclick: () => this.send({ type: "leave" }) }, "Leave the seat"));
    }
    if (row.length) parts.push(h("div", { class: "box" }, h("div", { class: "row" }, ...row)));
    this.extras.replaceChildren(...parts);
  }

  /** Who goes from button to button stays among the actions when one of them goes away. */
  keepFocus() {
    const active = document.activeElement;
    const gone = this.bar.contains(active) && !active.checkVisibility();
    if (!this.inBar || (!gone && active !== document.body && active !== this.bar)) return;
    const back = this.lastFocus?.checkVisibility() && !this.lastFocus.disabled ? this.lastFocus : null;
    (back ?? this.flow.next() ?? this.bar).focus({ preventScroll: true });
  }

  async replay() {
    try {
      const text = await (await fetch(`/api/games/${this.name}/hands.phhs`)).text();
      const answer = await fetch("/api/replays?title=This game", { method: "POST", body: text });
      const { replay, error } = await answer.json();
      if (error) throw new Error(error);
      open(`#/replay/${replay}`, "_blank", "noopener");
    } catch (error) {
      toast(error.message);
    }
  }

  tell(before, state) {
    const { table } = state;
    if (before && state.options && !before.options) sound("turn");
    if (before && table.over && !before.table.over) sound("over");
    document.title = `${state.options ? "● Your turn" : "The table"} · nlhe-env`;
    if (!before || before.turn === state.turn || (state.pace === "max" && !state.people_playing)) return;
    const parts = [];
    if (before.table.hand !== table.hand) parts.push(`Hand ${table.hand + 1}.`);
    const known = before.table.hand === table.hand ? before.table.history.length : 0;
    for (const event of table.history.slice(known)) parts.push(`${table.seats[event.seat].name} ${verb(event, table.seats[event.seat].name)}.`);
    if (table.over && !before.table.over) parts.push(...resultLines(table).map((line) => `${line.name} ${line.wins}${line.words ? ` with ${line.words}` : ""}.`));
    if (state.options) parts.push(`Your turn, ${state.options.to_call ? `${state.options.to_call} to call` : "you can check"}.`);
    announce(parts.join(" "));
  }

  // --- keys ---------------------------------------------------------------------------------------

  key(event) {
    const { state } = this;
    if (!state) return false;
    const onButton = event.target.matches?.("button, a, summary, [role=tab]");
    if (event.key === " ") {
      const next = this.flow.next();
      if (next) {
        event.target.blur?.(); // a button would be pressed when the key is let go
        next.click();
        return true;
      }
      if (onButton) return false;
      if (!state.people_playing && state.host) this.send({ type: "pause", on: !state.paused });
      return true;
    }
    const letter = event.key.toLowerCase();
    if (letter === "n" && !state.people_playing) return this.send({ type: "step" });
    if (letter === "s" && state.phase === "player") return this.send({ type: "skip" });
    if (letter === "w" && state.you !== null) return this.send({ type: "chance" });
    return state.options ? this.controls.key(event) : false;
  }
}

/** Whether a win chance is of the cards and opponents that are there now. */
function isOf(chance, { table, you }) {
  const opponents = table.seats.filter((seat, i) => i !== you && ["in", "all-in"].includes(seat.state)).length;
  return !table.over && chance.hand === table.hand && chance.cards === table.board.length && chance.opponents === opponents;
}

function handOverText(state, unit) {
  return resultLines(state.table, unit).map((line) => `${line.name} ${line.wins}`).join(", ");
}

function gameOverText(state) {
  const place = state.places[state.you];
  if (state.you === null || state.setup.mode === "cash") return "The game is over.";
  return place === 1 ? "You have won the tournament." : `The tournament is over; you ${Number.isInteger(place) ? "took" : "share"} ${ordinal(place)} place.`;
}
