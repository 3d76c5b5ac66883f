// A recorded hand explained: odds, shares, what each action was worth, what others would have done.

import { inline } from "./cards.js";
import { announce, ask, chips, h, percent, remembered, signed } from "./dom.js";
import { drawDecision } from "./solver.js";

const SHOWN_FROM = 0.005; // chances below that are left out
const DOING = { fold: "folding", check: "checking", call: "calling", bet: "betting", raise: "raising" };
const LEAST_COST = 0.005; // of the pot, to be worth a word

export class ExplainPanel {
  /** `page` has `name`, `hand` (with `index`, `steps`, `unit`) and `at`; `changed` is called when others are asked. */
  constructor(page, { asked, changed }) {
    this.page = page;
    this.changed = changed;
    this.asked = asked.length ? asked : remembered.get("asked", []);
    this.advice = new Map(); // of the hand: player -> options of each decision, or an Error
    this.solved = new Map(); // of the hand: street -> answer, or an Error
    this.decision = h("div", {});
    this.others = h("div", { class: "others" });
    this.hand = h("div", {});
    this.choice = h("select", { id: "ask-player" });
    this.element = h("div", { class: "explain" }, h("p", { class: "fine" }, "Explaining …"));
  }

  address(what) {
    return `/api/replays/${this.page.name}/hands/${this.page.hand.index}/${what}`;
  }

  /** Show what there is to say about the step; what is not known yet is asked for. */
  async show() {
    const { index } = this.page.hand;
    if (this.index !== index) {
      this.index = index;
      this.told = null;
      this.advice.clear();
      this.solved.clear();
      this.element.replaceChildren(h("p", { class: "fine" }, "Explaining …"));
      try {
        const told = await ask(this.address("explanation"));
        if (this.index !== index) return;
        this.told = told;
      } catch (error) {
        if (this.index === index) this.element.replaceChildren(h("p", { class: "fine" }, error.message));
        this.index = null;
        return;
      }
      await this.fillChoice();
      this.element.replaceChildren(this.decision, this.askForm(), this.others, this.hand);
      this.drawHand();
      for (const player of this.asked) this.query_policy(player);
    }
    if (this.told) this.draw();
  }

  async fillChoice() {
    if (this.choice.childElementCount) return;
    const { players, offered } = await ask("/api/lobby");
    this.choice.replaceChildren(...[...offered, ...players].map((name) => h("option", { value: name }, name)));
  }

  askForm() {
    return h("form", {
      class: "ask", onsubmit: (event) => {
        event.preventDefault();
        this.add(this.choice.value);
      },
    }, h("label", { for: "ask-player" }, "What would others have done?"), h("div", { class: "link" }, this.choice, h("button", { type: "submit" }, "Ask")));
  }

  // --- others -------------------------------------------------------------------------------------

  add(player) {
    if (!this.asked.includes(player)) this.asked.push(player);
    remembered.set("asked", this.asked);
    this.changed();
    this.query_policy(player, true);
  }

  remove(player) {
    this.asked = this.asked.filter((other) => other !== player);
    remembered.set("asked", this.asked);
    this.changed();
    this.drawOthers();
    this.choice.focus();
  }

  async query_policy(player, tell = false) {
    const { index } = this;
    if (!this.advice.has(player)) {
      this.advice.set(player, null);
      this.drawOthers();
      const answer = await ask(this.address(`advice?player=${encodeURIComponent(player)}`)).catch((error) => error);
      if (this.index !== index) return;
      this.advice.set(player, answer);
    }
    this.drawOthers();
    const said = this.others.querySelector(`[data-player="${CSS.escape(player)}"]`);
    if (tell && said) announce(said.dataset.words);
  }

  drawOthers() {
    const decision = this.told?.steps[this.page.at]?.decision;
    const others = this.asked.map((player) => this.drawOther(player, decision));
    this.others.replaceChildren(...(decision ? others : []), ...this.drawSolver(decision));
  }

  drawOther(player, decision) {
    const answer = this.advice.get(player);
    const remove = h("button", { type: "button", class: "quiet", "aria-label": `Do not ask ${player}`, onclick: () => this.remove(player) }, "×");
    const options = answer instanceof Error || !answer ? null : answer[this.page.at];
    let content = h("p", { class: "fine" }, "Asking …");
    let words = "";
    if (answer instanceof Error) content = h("p", { class: "fine" }, answer.message);
    else if (answer && !options) content = h("p", { class: "fine" }, "The cards of this player are not known.");
    else if (options) {
      const shown = options.filter(({ chance }) => chance >= SHOWN_FROM);
      words = shown.map((option) => `${option.words} ${percent(option.chance)}`).join(", ");
      content = bars(shown.map((option) => ({ name: option.words, share: option.chance, taken: option.action === decision?.taken })));
    }
    return h("section", { class: "mind", "data-player": player, "data-words": `${player}: ${words}` },
      h("div", { class: "panel-head" }, h("h3", {}, player), remove), content);
  }

  // --- the solver ---------------------------------------------------------------------------------

  drawSolver(decision) {
    const table = this.page.hand.steps[this.page.at];
    const { street } = table;
    const live = table.seats.filter((seat) => ["in", "all-in"].includes(seat.state)).length;
    if (!decision || live !== 2 || !["turn", "river"].includes(street)) return [];
    const answer = this.solved.get(street);
    if (answer === undefined) {
      return [h("button", { type: "button", class: "ask-solver", onclick: () => this.solve(street) }, `Ask the solver about the ${street}`)];
    }
    if (answer === null) return [h("p", { class: "fine" }, "Solving …")];
    if (answer instanceof Error) return [h("p", { class: "fine" }, answer.message)];
    const first = this.told.steps.findIndex((step, i) => step.decision && this.page.hand.steps[i].street === street);
    const said = answer.decisions[this.page.at - first];
    return said ? [h("h3", {}, "Perfect play"), drawDecision(said)] : [];
  }

  async solve(street) {
    const { index } = this;
    this.solved.set(street, null);
    this.drawOthers();
    const answer = await ask(this.address(`solution?street=${street}`)).catch((error) => error);
    if (this.index !== index) return;
    this.solved.set(street, answer);
    this.drawOthers();
    announce(answer instanceof Error ? answer.message : `The ${street} is solved.`);
  }

  // --- the decision -------------------------------------------------------------------------------

  draw() {
    const { decision } = this.told.steps[this.page.at];
    this.decision.replaceChildren(...(decision ? this.drawDecision(decision) : [h("h3", {}, "The hand is over")]));
    this.drawOthers();
  }

  drawDecision(decision) {
    const { unit, steps } = this.page.hand;
    const table = steps[this.page.at];
    const name = table.seats[decision.seat].name || `Seat ${decision.seat + 1}`;
    const { to_call: toCall, pot, odds, known, seen } = decision;
    const facts = [["Pot", chips(pot, unit)]];
    if (toCall) facts.push(["To call", chips(toCall, unit)], ["Pot odds: share that a call must win", percent(odds, 1)]);
    if (seen !== null) facts.push(["Share against random hands", percent(seen, 1)]);
    if (known !== null && this.knowsMore(decision.seat)) facts.push(["Share of the pot, cards open", percent(known, 1)]);
    return [
      h("h3", {}, `${name} to act`),
      h("dl", { class: "figures" }, ...facts.flatMap(([label, value]) => [h("dt", {}, label), h("dd", {}, value)])),
      this.drawWorth(decision),
      h("p", { class: "verdict" }, this.verdict(decision)),
    ];
  }

  /** Whether the cards of somebody else in the hand are known. */
  knowsMore(seat) {
    return this.page.hand.steps[this.page.at].seats.some((other, i) => i !== seat && ["in", "all-in"].includes(other.state) && other.cards?.[0]);
  }

  drawWorth({ worth, taken, raise_to: to }) {
    const { unit } = this.page.hand;
    const named = (action) => ({ bet: `bet ${chips(to, unit)}`, raise: `raise to ${chips(to, unit)}` })[action] ?? action;
    return h("table", { class: "figures-table" }, h("caption", {}, "Chips won in the hand if nobody bet any more, and all called a raise"),
      h("tbody", {}, ...Object.entries(worth).map(([action, value]) => h("tr", { class: action === taken ? "taken" : "" },
        h("th", { scope: "row" }, named(action) + (action === taken ? ", as it was done" : "")), h("td", {}, signed(whole(value, unit), unit))))));
  }

  verdict({ cost, worth, taken, pot, seen, odds, to_call: toCall }) {
    const { unit } = this.page.hand;
    const parts = [];
    if (cost !== null) {
      const [best] = Object.entries(worth).sort((a, b) => b[1] - a[1])[0];
      parts.push(cost <= LEAST_COST * pot ? "With all cards open nothing was worth more."
        : `With all cards open, ${DOING[best]} was worth ${chips(whole(cost, unit), unit)} chips more than ${DOING[taken]}.`);
    }
    if (toCall && seen !== null) {
      parts.push(seen >= odds ? "Against random hands a call pays by the pot odds." : "Against random hands a call does not pay by the pot odds.");
    }
    return parts.join(" ");
  }

  // --- the hand -----------------------------------------------------------------------------------

  drawHand() {
    const { streets, totals, divat } = this.told;
    const { unit, steps } = this.page.hand;
    const players = steps[0].seats.map((seat, i) => ({ name: seat.name || `Seat ${i + 1}`, i })).filter(({ i }) => streets[0].luck[i] !== null);
    const board = (street) => (street.board.length ? ` ${inline(street.board.slice(street.name === "flop" ? 0 : -1))}` : "");
    const heads = streets.map((street) => h("th", { scope: "col" }, street.name, h("small", {}, board(street))));
    const row = (name, cells) => h("tr", {}, h("th", { scope: "row" }, name), ...cells.map((cell) => h("td", {}, cell)));
    const share = (street, i) => {
      const seen = street.seen[i];
      if (!street.shares[i] && seen === null) return "–";
      return [percent(street.shares[i]), seen === null ? "" : h("small", {}, percent(seen))];
    };
    const figure = (caption, head, rows, first = "Player") => h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption }, h("table", { class: "figures-table" },
      h("caption", {}, caption), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, first), ...head)), h("tbody", {}, ...rows)));
    const parts = [
      h("h3", {}, "The hand, street by street"),
      figure("Share of the pot, cards open; below, against random hands", heads, players.map(({ name, i }) => row(name, streets.map((street) => share(street, i))))),
    ];
    if (streets.length > 1) {
      parts.push(figure("Luck: chips that the cards brought", heads.slice(1).map((head) => head.cloneNode(true)),
        players.map(({ name, i }) => row(name, streets.slice(1).map((street) => signed(whole(street.luck[i], unit), unit))))));
    }
    if (totals.length) {
      parts.push(figure("What was won, and less luck", totals.map(({ name, meaning }) => h("th", { scope: "col", title: meaning }, name)),
        players.map(({ name, i }) => row(name, totals.map(({ chips: won }) => signed(whole(won[i], unit), unit))))));
    }
    if (divat) {
      parts.push(figure(`DIVAT: chips of ${players.find(({ i }) => i === divat.seat).name}`, ["Baseline", "Luck", "Play"].map((title) => h("th", { scope: "col" }, title)),
        divat.streets.map((street) => row(street.name, [street.baseline, signed(whole(street.luck, unit), unit), signed(whole(street.divat, unit), unit)])), "Street"));
    }
    parts.push(h("p", { class: "fine" }, "Shares count as if nobody bet any more. Hands that nobody knows are random ones. "
      + "Who plays well against hidden cards loses something with open ones: this tells what happened, and is no judge of players."));
    this.hand.replaceChildren(...parts);
  }
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
