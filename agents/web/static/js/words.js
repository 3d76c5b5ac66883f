// What happens at the table, in words.

import { chips } from "./dom.js";
import { suited } from "./cards.js";

const VERBS = { fold: "folds", check: "checks", call: "calls", bet: "bets", raise: "raises to" };
const YOURS = { fold: "fold", check: "check", call: "call", bet: "bet", raise: "raise to" };
const SHORT = { fold: "Fold", check: "Check", call: "Call", bet: "Bet", raise: "Raise to" };

/** "raises to 120, all-in", and of you, "raise to 120". */
export function verb(event, name, unit = 1) {
  let text = (name === "You" ? YOURS : VERBS)[event.action];
  if (event.action === "call") text += ` ${chips(event.chips, unit)}`;
  if (event.to) text += ` ${chips(event.to, unit)}`;
  return event.all_in ? `${text}, all-in` : text;
}

/** For the seat at the table: "Raise to 120". */
export function label(event, unit = 1) {
  const amount = event.to ?? (event.action === "call" ? event.chips : null);
  return (event.all_in ? "All-in" : SHORT[event.action]) + (amount ? ` ${chips(amount, unit)}` : "");
}

/** The same in a word, where the amount stands beside it. */
export function shortLabel(event) {
  return event.all_in ? "All-in" : SHORT[event.action].replace(" to", "");
}

const BOARDS = [["winners", "hands", "first board"], ["second_winners", "second_hands", "second board"]];

/** Who won a hand, one line a winner: name, "wins 120 on the first board, with a split pot", words of the hands that won it. */
export function resultLines(table, unit = 1) {
  const { result } = table;
  const isTwice = result.second_board.length > 0;
  return Object.entries(result.won).map(([seat, won]) => {
    const name = table.seats[seat].name || "A player";
    const boards = BOARDS.slice(0, isTwice ? 2 : 1).filter(([winners]) => result.pots.some((pot) => pot[winners].includes(Number(seat))));
    const split = boards.filter(([winners]) => result.pots.some((pot) => pot[winners].length > 1 && pot[winners].includes(Number(seat))));
    const on = boards.length > 1 ? " on both boards" : isTwice ? ` on the ${boards[0][2]}` : "";
    const alone = boards.some(([winners]) => result.pots.some((pot) => pot[winners].length === 1 && pot[winners][0] === Number(seat)));
    const splits = !split.length ? "" : !alone ? ", split pot" : isTwice && split.length < boards.length ? `, split on the ${split[0][2]}` : ", in part of a split pot";
    const hands = boards.map(([, all]) => result[all]?.[seat]?.words).filter(Boolean);
    return { name, wins: `${name === "You" ? "win" : "wins"} ${chips(won, unit)}${on}${splits}`, words: [...new Set(hands)].map(withArticle).join(" / ") };
  });
}

/** A hand as people say it: "high card, ace" is "ace high". */
export function handWords(words) {
  return words.replace(/^high card, (\w+)/, "$1 high");
}

/** "a pair of tens", "two pair", "ace high". */
export function withArticle(words) {
  return /^(pair|straight|flush|full)/.test(words) ? `a ${words}` : handWords(words);
}

/** "10/20, ante 20 by the big blind, straddle 40". */
export function blindsText(table, unit = 1) {
  const [small, big, ante] = table.blinds;
  const parts = [`${chips(small, unit)}/${chips(big, unit)}`];
  if (ante) parts.push(`ante ${chips(ante, unit)}${table.ante_by === "big blind" ? " (big blind)" : ""}`);
  if (table.straddle) parts.push(`straddle ${chips(table.straddle, unit)}`);
  return parts.join(", ");
}

/** The street and its cards, as a heading of the log. */
export function streetTitle(street, board) {
  const open = { preflop: 0, flop: 3, turn: 4, river: 5 }[street];
  const cards = open ? suited(board.slice(0, open)) : [];
  return { title: { preflop: "Before the flop", flop: "Flop", turn: "Turn", river: "River" }[street], cards };
}

/** What is wrong with a program, in a word or two; nothing if all is well. */
export function botProblem(bot) {
  if (!bot) return "";
  if (bot.forfeited) return "forfeited";
  const count = Object.values(bot.strikes).reduce((sum, number) => sum + number, 0);
  return count ? `${count} ${count === 1 ? "strike" : "strikes"}` : "";
}
