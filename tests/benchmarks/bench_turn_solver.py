"""What best responses win of the solver of the turn and of the blueprint, with other sizes, too.

    python tests/benchmarks/bench_turn_solver.py [TURNS [FIRST]] [--into FILE]

On turns that the blueprint reaches in self-play, all hands at once, in both seats: a player that
knows the solutions best responds to the solver, which solves the turn anew when the first bet is
of a size that its menu does not have. Rivers are those of the solution of the turn. Winnings are
compared with what the same player wins by following the solution. A local best response, which
values actions as if both checked and called from then on, has the sizes of the menu.

The same responses, with the same ranges and sizes, play against the blueprint on the turn and the
river, which bets in its own sizes. As the mean over both seats, all are half of what the responses
win together: that is what they win more than players who follow one strategy in both seats.

A file keeps a line of JSON for each turn: a run that broke off goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

import agents
import nlhe_env
from agents.books.blueprint.abstraction import Abstraction
from agents.exploitability import local_best_response
from agents.policy.hand_replay import HandReplay
from agents.solvers import TurnSolver
from agents.solvers.bet_sizes import BetSizes
from agents.solvers.resolving import hands_at
from agents.solvers.subgame_from_hand import find_street
from agents.solvers.subgames import Subgame
from agents.solvers.turn_to_hand import hand_from_turn
from agents.solvers.walk import AS_IS, BEST
from nlhe_env.game.table import CHECK_OR_CALL, TURN
from nlhe_env.hand_history.record import CALL, RAISE, Action

sys.path.insert(0, str(Path(__file__).parents[1]))
from river_play import strategy_of

OFF_MENU = (0.33, 2.0)
RESPONSES = (
    "a best response with the sizes of the menu",
    "with a first bet of other sizes, too",
    "a local best response",
)


class Collecting(TurnSolver):
    """Plays the blueprint and keeps the turns that it begins."""

    def __init__(self, blueprint) -> None:
        super().__init__(blueprint)
        self.turns = []

    def _find(self, turn, hand, replay):
        if turn["street"] == "turn" and turn["history"][-1]["street"] != "turn":
            self.turns.append(turn)
        return


class SizesOfPlayers(NamedTuple):
    """Sizes of bets that depend on who bets; they stand in the place of ``BetSizes``."""

    of: tuple[BetSizes, BetSizes]

    def amounts(self, table):
        """As of ``BetSizes``."""
        return self.of[int(table[0]["actor"])].amounts(table)


@dataclass(frozen=True)
class AgainstBlueprint(Subgame):
    """A subgame in which one player has the sizes of the menu, the other those of the blueprint."""

    responder: int = 0
    also: tuple[float, ...] = ()
    """Further sizes of the responder's first bet on the first street, in pots."""

    def rules(self):
        """As of ``Subgame``."""
        rules = super().rules()
        usual = rules.bets[0]
        more = usual._replace(fractions=(*usual.fractions, *self.also))
        book = Abstraction()  # to which the player adds a raise of half the pot by equity

        def sizes(own, known):
            pair = (own, BetSizes.of(known))
            return SizesOfPlayers(pair if self.responder == 0 else pair[::-1])

        return replace(
            rules,
            bets=(sizes(more, book.bets), sizes(usual, book.bets)),
            raises=(sizes(rules.raises[0], book.bets),) * 2,
        )


def with_bet(hand, street, before, to):
    """The hand with a bet of a player after what was done on the turn before."""
    steps = [Action(street.seats[i], CALL, 0, 4) for i in range(len(before))]
    bet = Action(street.seats[len(before)], RAISE, to, 4)
    return replace(hand, actions=(*hand.actions, *steps, bet))


def shares_off_menu(hand, spot):
    """Sizes of first bets in pots that the menu does not have, and that are possible."""
    return [s for s in OFF_MENU if hand.big_blind <= int(s * spot.pot + 0.5) < min(spot.stacks)]


def winnings_from_blueprint(blueprint, hand, street, spot):
    """Big blinds that responses win of the blueprint, by seat."""
    found = []
    for player in range(2):
        given = {name: getattr(spot, name) for name in Subgame.__dataclass_fields__}
        few = AgainstBlueprint(**given, responder=player)
        off = tuple(shares_off_menu(hand, spot))
        many = replace(few, also=off)
        whole, strategy = strategy_of(blueprint, hand, street, many, of=(1 - player,))
        game = few.game()
        before = (CHECK_OR_CALL,) * player
        node, same = whole.tree.after(before), game.tree.after(before)
        steps = {int(game.tree.step[child]) for child in game.tree.children(same)}
        left_out = []
        for child in whole.tree.children(node):
            if int(whole.tree.step[child]) not in steps:
                left_out.append(int(whole.tree.row[node] + whole.tree.branch[child]))
                rows = whole.rows_below(child)
                left_out += range(rows.start, rows.stop)
        usual = game.normalised(np.delete(strategy, left_out, axis=0))
        found.append(
            [
                game.best_response(usual, player) / hand.big_blind,
                whole.best_response(strategy, player) / hand.big_blind,
                local_best_response(game, usual, player) / hand.big_blind,
            ]
        )
    return np.array(found)


def values(game, strategy, node, player, reach_of_other, mode):
    """Counterfactual values of a player's hands at a node."""
    reaches = [game.cards.weights[p].copy() for p in range(2)]
    reaches[1 - player] = reach_of_other
    here = game.subgame(node, reaches)
    return here.values(strategy[game.rows_below(node)], player, mode).astype(np.float64)


def winnings(turn, solver):
    """Big blinds that responses win more than the solution, and of the blueprint; CPU seconds."""
    hand = hand_from_turn(turn, "no-limit")
    street = find_street(hand, "turn")
    replay = HandReplay(solver._blueprint, hand)
    first, second = (
        hands_at(replay.reach(seat, TURN, solver.tremble), solver.least) for seat in street.seats
    )
    seconds = []

    def solved(hand, me):
        began = time.process_time()
        turn = solver._solve_turn(hand, find_street(hand, "turn"), (first, second), me)
        seconds.append(time.process_time() - began)
        return turn

    spot, solution, _ = solved(hand, 1)
    game, strategy = solution.game, solution.strategy
    off: dict[int, list] = {0: [], 1: []}
    for player in range(2):
        for share in shares_off_menu(hand, spot):
            to = int(share * spot.pot + 0.5)
            before = (CHECK_OR_CALL,) * player
            another = solved(with_bet(hand, street, before, to), 1 - player)
            off[player].append((another, another.after((*before, to))))
    found = []
    for player in range(2):
        own = game.cards.weights[player, : game.cards.n_hands[player]]
        other = game.cards.weights[1 - player]
        weight = game.weight
        plain = own @ game.values(strategy, player, AS_IS) / weight
        usual = game.values(strategy, player, BEST).astype(np.float64)
        checked, reach = 0, other
        if player == 1:
            checked = game.tree.after((CHECK_OR_CALL,))
            reach = game.reaches(strategy, checked)[0]
        here = values(game, strategy, checked, player, reach, BEST)
        best = here.copy()
        for (_, its, _), node in off[player]:
            best = np.maximum(best, values(its.game, its.strategy, node, player, reach, BEST))
        found.append(
            [
                (own @ usual / weight - plain) / hand.big_blind,
                (own @ (usual - here + best) / weight - plain) / hand.big_blind,
                (local_best_response(game, strategy, player) - plain) / hand.big_blind,
            ]
        )
    blueprint = winnings_from_blueprint(solver._blueprint, hand, street, spot)
    return np.array(found), blueprint, seconds, spot


def report(rows, times):
    """Print the means."""
    both = np.array(rows)
    print(f"{len(both)} turns, gain over following the strategy in big blinds per turn")
    by_strategy = both[:, 0], both[:, 1], both[:, 1] - both[:, 0]
    for who, of in zip(("solution", "blueprint", "difference"), by_strategy, strict=True):
        errors = of.std(axis=0, ddof=1) / len(of) ** 0.5
        for name, mean, error in zip(RESPONSES, of.mean(0), errors, strict=True):
            print(f"{who:10} {name}: {mean:.3f} ± {error:.3f}")
    middle, high = np.quantile(times, [0.5, 0.95])
    print(
        f"{len(times)} solutions: {middle:.1f} CPU s at the median, {high:.1f} at 95%, "
        f"at most {max(times):.1f}"
    )


def main():
    """Measure turns, and report all that a file has."""
    parser = argparse.ArgumentParser()
    parser.add_argument("turns", type=int, nargs="?", default=60)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("--into", type=Path)
    args = parser.parse_args()
    rows, times = [], []
    if args.into is not None and args.into.exists():
        for line in args.into.read_text().splitlines():
            kept = json.loads(line)
            rows.append([kept["wins"], kept["blueprint"]])
            times += kept["seconds"]
    blueprint = agents.make("equilibrium-nolimit")
    game = nlhe_env.Game.cash(num_hands=1, starting_stack=20_000, blinds=(50, 100))
    solver, first = Collecting(blueprint), args.first
    while len(solver.turns) < args.turns:
        agents.play([solver, blueprint], agents.Blocks(20, first=first), game, seed=1)
        first += 20
    for turn in solver.turns[len(rows) : args.turns]:
        found, blueprint, seconds, spot = winnings(turn, solver)
        rows.append([found.mean(axis=0).tolist(), blueprint.mean(axis=0).tolist()])
        times += seconds
        print(
            f"{spot.board} pot {spot.pot} {spot.bets}/{spot.raises} {seconds[0]:.1f} s "
            f"{np.round(rows[-1], 3).tolist()}",
            flush=True,
        )
        if args.into is not None:
            with args.into.open("a") as file:
                kept = {"wins": rows[-1][0], "blueprint": rows[-1][1], "seconds": seconds}
                file.write(json.dumps(kept) + "\n")
    report(rows, times)


if __name__ == "__main__":
    main()
