// A recorded hand explained: odds, equity, the value of each action, what other players would have done.

import { inline } from "./cards.js";
import { announce, fetchJson, chips, h, percent, storage, signed } from "./dom.js";
import { canBeAsked, playerGroups, suiteOf } from "./player_choice.js";
import { PlayerRanges } from "./player_ranges.js";
import { drawDecision, solvableStreets } from "./solver.js";

const SHOWN_FROM = 0.005; // probabilities below that are left out
const DOING = { fold: "folding", check: "checking", call: "calling", bet: "betting", raise: "raising" };
const LEAST_COST = 0.005; // of the pot, to be mentioned

export class ExplainPanel {
  /** `page` has `name`, `hand` (with `index`, `steps`, `unit`) and `at`; `changed` is called when players are added or removed. */
  constructor(page, { players, changed }) {
    this.page = page;
    this.changed = changed;
    this.players = players.length ? players : storage.get("asked", []);
    this.advice = new Map(); // of the hand: player -> options of each decision, or an Error
    this.solved = new Map(); // of the hand: street -> answer, or an Error
    this.ranges = new PlayerRanges(page);
    this.decision = h("div", {});
    this.advicePanels = h("div", { class: "advice" });
    this.hand = h("div", {});
    this.choice = h("select", { id: "ask-player" });
    this.element = h("div", { class: "explain" }, h("p", { class: "fine" }, "Analysing …"));
  }

  address(what) {
    return `/api/replays/${this.page.name}/hands/${this.page.hand.index}/${what}`;
  }

  /** Show the explanation of the step; what is not known yet is requested. */
  async show() {
    const { index } = this.page.hand;
    if (this.index !== index) {
      this.index = index;
      this.explanation = null;
      this.advice.clear();
      this.solved.clear();
      this.element.replaceChildren(h("p", { class: "fine" }, "Analysing …"));
      try {
        const explanation = await fetchJson(this.address("explanation"));
        if (this.index !== index) return;
        this.explanation = explanation;
      } catch (error) {
        if (this.index === index) this.element.replaceChildren(h("p", { class: "fine" }, error.message));
        this.index = null;
        return;
      }
      await this.fillChoice();
      this.element.replaceChildren(this.decision, this.askForm(), this.advicePanels, this.hand);
      this.drawHand();
      for (const player of this.players) this.askPlayer(player);
    }
    if (this.explanation) this.draw();
  }

  /** The players that know the game of this hand. */
  async fillChoice() {
    this.lobby ??= await fetchJson("/api/lobby");
    const { betting, steps } = this.page.hand;
    const players = steps[0].seats.filter((seat) => seat.state !== "empty").length;
    const chosen = this.choice.value;
    this.choice.replaceChildren(...playerGroups(this.lobby, (name) => canBeAsked(this.lobby, name, { betting, players }), chosen, suiteOf({ betting, players, mode: "cash" })));
  }

  askForm() {
    return h("form", {
      class: "ask", onsubmit: (event) => {
        event.preventDefault();
        this.add(this.choice.value);
      },
    }, h("label", { for: "ask-player" }, "What would other players have done?"), h("div", { class: "link" }, this.choice, h("button", { type: "submit" }, "Ask")));
  }

  // --- advice -------------------------------------------------------------------------------------

  add(player) {
    if (!this.players.includes(player)) this.players.push(player);
    storage.set("asked", this.players);
    this.changed();
    this.askPlayer(player, true);
  }

  remove(player) {
    this.players = this.players.filter((name) => name !== player);
    storage.set("asked", this.players);
    this.changed();
    this.drawAdvice();
    this.choice.focus();
  }

  async askPlayer(player, isNew = false) {
    const { index } = this;
    if (!this.advice.has(player)) {
      this.advice.set(player, null);
      this.drawAdvice();
      const answer = await fetchJson(this.address(`advice?player=${encodeURIComponent(player)}`)).catch((error) => error);
      if (this.index !== index) return;
      this.advice.set(player, answer);
    }
    this.drawAdvice();
    const panel = this.advicePanels.querySelector(`[data-player="${CSS.escape(player)}"]`);
    if (isNew && panel) announce(panel.dataset.words);
  }

  drawAdvice() {
    const decision = this.explanation?.steps[this.page.at]?.decision;
    const panels = this.players.map((player) => this.drawPlayer(player, decision));
    this.advicePanels.replaceChildren(...(decision ? panels : []), ...this.drawSolver(decision));
  }

  drawPlayer(player, decision) {
    const answer = this.advice.get(player);
    const remove = h("button", { type: "button", class: "quiet", "aria-label": `Remove ${player}`, onclick: () => this.remove(player) }, "×");
    const options = answer instanceof Error || !answer ? null : answer[this.page.at];
    let content = h("p", { class: "fine" }, "Computing …");
    let words = "";
    if (answer instanceof Error) content = h("p", { class: "fine" }, answer.message);
    else if (answer && !options) content = h("p", { class: "fine" }, "This player’s cards are not known.");
    else if (options) {
      const shown = options.filter(({ probability }) => probability >= SHOWN_FROM);
      words = shown.map((option) => `${option.words} ${percent(option.probability)}`).join(", ");
      const marked = shown.map((option) => ({ name: option.words, share: option.probability, taken: isTaken(option, decision) }));
      content = [bars(marked), decision && !marked.some(({ taken }) => taken) ? h("p", { class: "fine" }, `Played: ${this.nameOf(decision.taken, decision)}.`) : null];
    }
    return h("section", { class: "explanation", "data-player": player, "data-words": `${player}: ${words}` },
      h("div", { class: "panel-head" }, h("h3", {}, player), remove), content, answer instanceof Error || !decision ? null : this.ranges.draw(player));
  }

  // --- the solver ---------------------------------------------------------------------------------

  drawSolver(decision) {
    const table = this.page.hand.steps[this.page.at];
    const { street } = table;
    if (!decision || !solvableStreets(this.page.hand.steps.at(-1), this.page.hand.betting).includes(street)) return [];
    const answer = this.solved.get(street);
    if (answer === undefined) {
      return [h("button", { type: "button", class: "ask-solver", onclick: () => this.solve(street) }, `Solve the ${street}`)];
    }
    if (answer === null) return [h("p", { class: "fine" }, "Solving …")];
    if (answer instanceof Error) return [h("p", { class: "fine" }, answer.message)];
    const first = this.explanation.steps.findIndex((step, i) => step.decision && this.page.hand.steps[i].street === street);
    const solved = answer.decisions[this.page.at - first];
    return solved ? [h("h3", {}, "Solver, with any two cards for both players"), drawDecision(solved)] : [];
  }

  async solve(street) {
    const { index } = this;
    this.solved.set(street, null);
    this.drawAdvice();
    const answer = await fetchJson(this.address(`solution?street=${street}`)).catch((error) => error);
    if (this.index !== index) return;
    this.solved.set(street, answer);
    this.drawAdvice();
    announce(answer instanceof Error ? answer.message : `The ${street} is solved.`);
  }

  // --- the decision -------------------------------------------------------------------------------

  draw() {
    const { decision } = this.explanation.steps[this.page.at];
    this.decision.replaceChildren(...(decision ? this.drawDecision(decision) : [h("h3", {}, "The hand is over")]));
    this.drawAdvice();
  }

  drawDecision(decision) {
    const { unit, steps } = this.page.hand;
    const table = steps[this.page.at];
    const name = table.seats[decision.seat].name || `Seat ${decision.seat + 1}`;
    const { to_call: toCall, pot, odds, equity, random_equity: randomEquity } = decision;
    const facts = [["Pot", chips(pot, unit)]];
    if (toCall) facts.push(["To call", chips(toCall, unit)], ["Pot odds (equity needed to call)", percent(odds, 1)]);
    if (randomEquity !== null) facts.push(["Equity against random hands", percent(randomEquity, 1)]);
    if (equity !== null && this.knowsMore(decision.seat)) facts.push(["Equity against the known hands", percent(equity, 1)]);
    return [
      h("h3", {}, `${name} to act`),
      h("dl", { class: "figures" }, ...facts.flatMap(([label, value]) => [h("dt", {}, label), h("dd", {}, value)])),
      h("p", { class: "verdict" }, this.verdict(decision)),
      h("h4", {}, "With all hole cards known"),
      h("p", { class: "fine" }, "This uses all hole cards, which nobody knew. It shows what happened and does not judge how well anyone played."),
      this.drawValues(decision),
      h("p", { class: "fine" }, this.openVerdict(decision)),
    ];
  }

  /** Whether the cards of another player in the hand are known. */
  knowsMore(seat) {
    return this.page.hand.steps[this.page.at].seats.some((other, i) => i !== seat && ["in", "all-in"].includes(other.state) && other.cards?.[0]);
  }

  /** "raise to 120", with the amount that a decision has. */
  nameOf(action, { raise_to: to }) {
    const { unit } = this.page.hand;
    return { bet: `bet ${chips(to, unit)}`, raise: `raise to ${chips(to, unit)}` }[action] ?? action;
  }

  drawValues(decision) {
    const { values, taken } = decision;
    const { unit } = this.page.hand;
    return h("table", { class: "figures-table" }, h("caption", {}, "Chips won in the hand with no further betting, if all players call a raise"),
      h("tbody", {}, ...Object.entries(values).map(([action, value]) => h("tr", { class: action === taken ? "taken" : "" },
        h("th", { scope: "row" }, this.nameOf(action, decision) + (action === taken ? " (played)" : "")), h("td", {}, signed(whole(value, unit), unit))))));
  }

  /** What the player could know. */
  verdict({ random_equity: randomEquity, odds, to_call: toCall }) {
    if (!toCall || randomEquity === null) return "";
    return randomEquity >= odds ? "Against random hands, the pot odds justify a call." : "Against random hands, the pot odds do not justify a call.";
  }

  /** What another action was worth, with all cards open. */
  openVerdict({ cost, values, taken, pot }) {
    if (cost === null) return "";
    const [best] = Object.entries(values).sort((a, b) => b[1] - a[1])[0];
    if (cost <= LEAST_COST * pot) return "No other action was worth more.";
    return `${DOING[best][0].toUpperCase()}${DOING[best].slice(1)} was worth ${chips(whole(cost, this.page.hand.unit), this.page.hand.unit)} chips more than ${DOING[taken]}.`;
  }

  // --- the hand -----------------------------------------------------------------------------------

  drawHand() {
    const { streets, totals, divat } = this.explanation;
    const { unit, steps } = this.page.hand;
    const players = steps[0].seats.map((seat, i) => ({ name: seat.name || `Seat ${i + 1}`, i })).filter(({ i }) => streets[0].card_gains[i] !== null);
    const board = (street) => (street.board.length ? ` ${inline(street.board.slice(street.name === "flop" ? 0 : -1))}` : "");
    const heads = streets.map((street) => h("th", { scope: "col" }, street.name, h("small", {}, board(street))));
    const row = (name, cells) => h("tr", {}, h("th", { scope: "row" }, name), ...cells.map((cell) => h("td", {}, cell)));
    const equities = (street, i) => {
      const randomEquity = street.random_equities[i];
      if (!street.equities[i] && randomEquity === null) return "–";
      return [percent(street.equities[i]), randomEquity === null ? "" : h("small", {}, percent(randomEquity))];
    };
    const figure = (caption, head, rows, first = "Player") => h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption }, h("table", { class: "figures-table" },
      h("caption", {}, caption), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, first), ...head)), h("tbody", {}, ...rows)));
    const parts = [
      h("h3", {}, "The hand, street by street"),
      figure("Equity against the known hands (below: against random hands)", heads, players.map(({ name, i }) => row(name, streets.map((street) => equities(street, i))))),
    ];
    if (streets.length > 1) {
      parts.push(figure("Chips gained or lost through the cards dealt", heads.slice(1).map((head) => head.cloneNode(true)),
        players.map(({ name, i }) => row(name, streets.slice(1).map((street) => signed(whole(street.card_gains[i], unit), unit))))));
    }
    if (totals.length) {
      parts.push(figure("Winnings, raw and variance-reduced", totals.map(({ name, meaning }) => h("th", { scope: "col", title: meaning }, name)),
        players.map(({ name, i }) => row(name, totals.map(({ chips: won }) => signed(whole(won[i], unit), unit))))));
    }
    if (divat) {
      parts.push(figure(`DIVAT in chips: ${players.find(({ i }) => i === divat.seat).name}`, ["Baseline", "Cards", "DIVAT"].map((title) => h("th", { scope: "col" }, title)),
        divat.streets.map((street) => row(street.name, [street.baseline, signed(whole(street.card_gains, unit), unit), signed(whole(street.divat, unit), unit)])), "Street"));
    }
    parts.push(h("p", { class: "fine" }, "Equity is the expected share of the pots with no further betting. Unknown hands are random."));
    this.hand.replaceChildren(...parts);
  }
}

/** Whether an option is what was done; of several sizes the one that was bet. */
function isTaken({ action, words }, decision) {
  if (!decision || action !== decision.taken) return false;
  const amount = words.match(/\d+$/)?.[0];
  return !["bet", "raise"].includes(action) || Number(amount) === decision.raise_to;
}

/** To whole chips, or hundredths of a unit. */
function whole(value, unit) {
  return unit === 1 ? Math.round(value) : value;
}

function bars(options) {
  return h("div", { class: "bars" }, ...options.flatMap(({ name, share, taken }) => {
    const fill = h("span", { class: "fill" });
    fill.style.setProperty("--share", `${100 * share}%`);
    return [h("span", {}, taken ? h("b", {}, `${name} ✓`) : name), h("span", { class: "track", "aria-hidden": "true" }, fill), h("span", { class: "value" }, percent(share))];
  }));
}
