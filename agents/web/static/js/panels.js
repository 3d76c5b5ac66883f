// The tabs beside the table: the log, the players, and explanations of their decisions.

import { drawEstimates, drawOpponentModels, drawRange } from "./beliefs.js";
import { suited } from "./cards.js";
import { chips, h, percent, placeText, signed, update, withMinus } from "./dom.js";
import { sharesPlayedFor } from "./run_out.js";
import { blindsText, botProblem, handWords, resultLines, streetTitle, verb } from "./words.js";

let tabGroups = 0;

export class Tabs {
  /** `tabs` is a list of [title, element]; without `arrows` every tab is a stop of the Tab key, and the page has the arrows. */
  constructor(tabs, { arrows = true } = {}) {
    this.arrows = arrows;
    tabGroups += 1;
    const prefix = `tabs-${tabGroups}`;
    this.unread = {};
    this.buttons = tabs.map(([title], i) => h("button", {
      type: "button", role: "tab", id: `${prefix}-tab-${i}`, "aria-controls": `${prefix}-panel-${i}`, onclick: () => this.select(i),
    }, title));
    this.panels = tabs.map(([, content], i) => h("div", {
      class: "tab-panel", role: "tabpanel", id: `${prefix}-panel-${i}`, "aria-labelledby": `${prefix}-tab-${i}`, tabindex: "0",
    }, content));
    const list = h("div", { class: "tabs", role: "tablist", "aria-label": "Game information", onkeydown: (event) => this.key(event) }, ...this.buttons);
    this.element = h("aside", { class: "side", "aria-label": "Game information" }, list, ...this.panels);
    this.select(0);
  }

  /** Mark a tab with the number of new lines in it, unless it is open. */
  addUnread(tab, lines) {
    if (tab === this.chosen) return;
    this.unread[tab] = (this.unread[tab] ?? 0) + lines;
    this.drawUnread(tab);
  }

  drawUnread(tab) {
    this.buttons[tab].querySelector(".unread")?.remove();
    const lines = this.unread[tab];
    if (lines) this.buttons[tab].append(h("span", { class: "unread" }, String(lines), h("span", { class: "sr" }, " new")));
  }

  select(chosen) {
    this.chosen = chosen;
    this.unread[chosen] = 0;
    this.drawUnread(chosen);
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosen));
      button.tabIndex = i === chosen || !this.arrows ? 0 : -1;
      this.panels[i].hidden = i !== chosen;
    });
    this.onSelect?.(chosen);
  }

  key(event) {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!move || !this.arrows) return;
    event.preventDefault();
    event.stopPropagation();
    const shown = this.buttons.map((button, i) => i).filter((i) => !this.buttons[i].hidden);
    const next = shown[(shown.indexOf(this.chosen) + move + shown.length) % shown.length];
    this.select(next);
    this.buttons[next].focus();
  }
}

/** The hand that is played, street by street, and how earlier ones ended. */
export function drawLog(box, table, { summaries = [], names = [], unit = 1 } = {}) {
  const children = [h("h3", {}, `Hand ${table.hand + 1}`)];
  children.push(h("p", { class: "fine" }, `Blinds ${blindsText(table, unit)}`));
  let street = "";
  for (const event of table.history) {
    if (event.street !== street) {
      street = event.street;
      const { title, cards } = streetTitle(street, table.board);
      children.push(h("h3", {}, title, " ", ...cards));
    }
    children.push(h("p", {}, h("span", {}, table.seats[event.seat]?.name || `Seat ${event.seat + 1}`), h("span", {}, verb(event, table.seats[event.seat]?.name, unit))));
  }
  if (!table.over && table.street !== street) {
    const { title, cards } = streetTitle(table.street, table.board);
    children.push(h("h3", {}, title, " ", ...cards));
  }
  if (table.over) {
    const { result } = table;
    children.push(h("h3", { class: "late" }, "Summary ", ...suited(table.board)));
    const addHands = (hands) => {
      for (const [seat, hand] of Object.entries(hands)) {
        children.push(h("p", { class: "late" }, h("span", {}, table.seats[seat].name), h("span", {}, ...suited(table.seats[seat].cards), `: ${handWords(hand.words)}`)));
      }
    };
    addHands(result.hands);
    if (result.second_board.length) {
      children.push(h("h3", { class: "late" }, "Second board ", ...suited(result.second_board)));
      addHands(result.second_hands);
    }
    children.push(...shareLines(table));
    if (result.rake) children.push(h("p", { class: "late" }, h("span", {}, "Rake"), h("b", {}, chips(result.rake, unit))));
    for (const line of resultLines(table, unit)) {
      children.push(h("p", { class: "late" }, h("span", {}, line.name), h("b", {}, line.wins)));
    }
  }
  const earlier = summaries.filter((summary) => summary.hand < table.hand).reverse();
  if (earlier.length) {
    children.push(h("h3", {}, "Previous hands"));
    for (const summary of earlier) {
      const winners = summary.winners.map((winner) => `${names[winner.seat]} won ${chips(winner.won, unit)}${winner.with ? `, ${handWords(winner.with)}` : ""}`);
      children.push(h("p", { class: "summary" }, h("b", {}, `${summary.hand + 1} `), winners.join(" · ")));
    }
  }
  box.replaceChildren(...children);
}

/** The shares of the pots after an all-in, street by street. */
function shareLines(table) {
  const { run_out: runOut, result } = table;
  if (!runOut.length) return [];
  const byStreet = runOut.map(({ shares }) => sharesPlayedFor(result.pots, shares));
  const streets = runOut.map(({ cards }) => ({ 0: "before the flop", 3: "flop", 4: "turn", 5: "river" })[cards]);
  const title = result.pots.length > 1 ? "All-in equity in the pots played for" : "All-in equity";
  return [h("h3", { class: "late" }, title), ...Object.keys(runOut[0].shares).map((seat) => h("p", { class: "late" },
    h("span", {}, table.seats[seat].name),
    h("span", {}, byStreet.map((shares, i) => `${streets[i]} ${percent(shares[seat], 1)}`).join(", "))))];
}

/** The style of every player, to unfold, with `rates` of winning. */
export function drawPlayers(box, state, rates) {
  const open = new Set([...box.querySelectorAll("details[open]")].map((element) => element.dataset.seat));
  const rows = state.names.map((name, seat) => {
    const at = state.table.seats[seat];
    const place = state.places[seat];
    const amount = state.setup.mode === "cash" ? signed(state.net[seat]) : place ? placeText(place) : chips(at.stack ?? 0);
    return h("details", { class: "player-card", "data-seat": String(seat), open: open.has(String(seat)) },
      h("summary", {}, h("span", {}, seat === state.viewer && name !== "You" ? `${name} (you)` : name), h("span", {}, amount),
        h("small", {}, state.styles[seat].slice(0, 3).map((row) => `${row.label} ${row.value}`).join(" · "))),
      state.descriptions[seat] ? h("p", { class: "fine" }, state.descriptions[seat]) : "",
      state.services.bought.length ? h("p", { class: "fine" }, `Total buy-in: ${chips(state.services.bought[seat])} chips.`) : "",
      h("dl", { class: "figures" }, ...[...rates.rows(seat), ...state.styles[seat]].flatMap((row) => [
        h("dt", { title: row.meaning }, row.label), h("dd", {}, row.value)])),
      ...botParts(state.bots[seat]));
  });
  update(box, h("p", { class: "fine" }, state.setup.mode === "cash"
    ? `Chips won or lost in this game; stacks are ${state.services.buy_in === null ? "reset before every hand" : "carried over from hand to hand"}.`
    : "Chips, or the place of players who are out."), ...rows);
}

/** How a program has done, and its output before it failed. */
function botParts(bot) {
  if (!bot) return [];
  const figures = [
    ["Decisions", bot.decisions], ["Without a valid answer", bot.failed], ["Mean answer time", `${bot.milliseconds} ms`],
    ["Restarts", bot.restarts], ...Object.entries(bot.strikes).map(([reason, count]) => [`Strikes: ${reason}`, count]),
  ];
  const parts = [h("h4", {}, botProblem(bot) ? `Program: ${botProblem(bot)}` : "Program"),
    h("dl", { class: "figures" }, ...figures.flatMap(([label, value]) => [h("dt", {}, label), h("dd", {}, String(value))]))];
  if (bot.last) parts.push(h("p", { class: "fine" }, `Last strike: ${bot.last}`));
  if (bot.error_output) parts.push(h("p", { class: "fine" }, "End of its error output:"), h("pre", { class: "error-output", tabindex: "0" }, bot.error_output));
  if (botProblem(bot) && bot.last === undefined) parts.push(h("p", { class: "fine" }, "Its output may reveal its cards, so it is shown only after a forfeit or when the game is over."));
  return parts;
}

/** Decisions explained, the newest first: inputs of networks, values of searches, action probabilities. */
export function drawExplanations(box, table, { live = false } = {}) {
  const all = [...table.explanations].reverse();
  const explanations = live ? all.slice(0, 1) : all;
  const models = drawOpponentModels(table.opponent_models ?? [], box);
  if (!explanations.length) {
    box.replaceChildren(...models, h("p", { class: "fine" }, "The reasons for each decision and the probability of each action appear here: "
      + "immediately if no people play, otherwise after the hand for players that showed their cards."));
    return;
  }
  box.replaceChildren(...explanations.map((explanation, i) => drawExplanation(explanation, i === 0)), ...models);
}

function drawExplanation(explanation, withInputs) {
  const bars = explanation.actions.flatMap((action) => {
    const fill = h("span", { class: "fill" });
    fill.style.setProperty("--share", `${100 * action.probability}%`);
    return [
      h("span", { class: action.legal ? "" : "illegal" }, action.name, expected(action)),
      h("span", { class: "track", "aria-hidden": "true" }, fill),
      h("span", { class: "value" }, action.legal ? percent(action.probability) : "–"),
    ];
  });
  const parts = [h("h3", {}, explanation.name), h("div", { class: "bars" }, ...bars)];
  parts.push(...explanation.ballots.map(drawBallot));
  if (explanation.estimates.length) parts.push(drawEstimates(explanation.estimates));
  parts.push(...explanation.ranges.map((range) => drawRange(range, explanation.name)));
  if (withInputs && explanation.n_inputs) parts.push(drawInputs(explanation));
  return h("section", { class: "explanation" }, ...parts);
}

/** What every program of a team bids or every team votes, and its text; what won first stands open. */
function drawBallot({ title, votes }) {
  const heading = title ? [h("p", { class: "fine" }, title)] : [];
  return h("div", { class: "bids" }, ...heading, ...votes.map(({ label, bid, legal, won, lines }, i) => {
    const note = won ? " (won)" : legal ? "" : " (illegal)";
    const program = h("pre", {}, lines.length ? lines.join("\n") : "always bids 0");
    const details = h("details", { class: won ? "won" : "" }, h("summary", {}, `${label}: ${number(bid)}${note}`), program);
    details.open = i === 0;
    return details;
  }));
}

/** Big blinds that a search expects to win in the hand by an action. */
function expected(action) {
  return action.value === null ? "" : `: ${action.value > 0 ? "+" : ""}${withMinus(action.value.toFixed(2))} bb`;
}

function drawInputs(explanation) {
  const rows = explanation.inputs.flatMap((input) => {
    if (!input.players) return [h("tr", {}, h("th", { scope: "row" }, input.label, h("small", {}, formula(input.unit))), h("td", {}, input.values.map(number).join(", ")))];
    const used = input.values.map((value, i) => [input.players[i], value]).filter(([name]) => name);
    const unused = input.values.length - used.length;
    return [
      h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: "2" }, input.label, h("small", {}, formula(input.unit)),
        unused ? h("span", { class: "note" }, ` (${unused} unused)`) : "")),
      ...used.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name === explanation.name ? `${name} (itself)` : name), h("td", {}, number(value)))),
    ];
  });
  return h("table", { class: "inputs" }, h("caption", {}, `${explanation.n_inputs} inputs`), h("tbody", {}, ...rows));
}

/** A formula with true minus signs. */
function formula(text) {
  return text.replace(/(^|[ (])-(?=[ \d])/g, "$1−");
}

function number(value) {
  return withMinus(Number.isInteger(value) ? String(value) : value.toFixed(3));
}

/** Places at the end of a tournament, or gains of a cash game. */
export function standings(state) {
  const cash = state.setup.mode === "cash";
  const order = state.names.map((name, seat) => ({ name, seat, place: state.places[seat], net: state.net[seat] }));
  order.sort((a, b) => (cash ? b.net - a.net : a.place[0] - b.place[0]));
  return h("table", { class: "standings" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, cash ? "" : "Place"), h("th", { scope: "col" }, "Player"), h("th", { scope: "col" }, "Chips"))),
    h("tbody", {}, ...order.map(({ name, seat, place, net }, i) => h("tr", { class: seat === state.viewer ? "me" : "" },
      h("td", {}, cash ? `${i + 1}` : placeText(place)), h("td", {}, name), h("td", {}, signed(net))))));
}
