"""The exact value of solving the river, on rivers that a blueprint reaches in self-play.

    python tests/benchmarks/bench_resolving.py [NAME [RIVERS [BLINDS [SEED]]]]

On every river both strategies are compared with all hands at once: how much best responses win of
each, and what the solution wins against the blueprint. The solution is asked once for the whole
river; at the table it is found anew for sizes that are not on its menu.

Of its menu, the blueprint does not know a raise of half the pot. What this costs is shown by other
readings of it, and by best responses that have only sizes that the blueprint knows. What merging
hands costs is shown by the solution for these sizes, in which all hands of a bucket of the
blueprint play as they do on average.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import agents
import nlhe_env
from agents.books.blueprint.abstraction import Abstraction
from agents.players.blueprint.card_buckets import measures
from agents.policy.hand_replay import HandReplay
from agents.solvers import RiverSolver, Solver
from agents.solvers.public_tree import DECISION
from agents.solvers.resolving import hands_at
from agents.solvers.subgame_from_hand import find_street
from agents.solvers.turn_to_hand import hand_from_turn
from nlhe_env.equity import load_tables
from nlhe_env.game.table import RIVER
from nlhe_env.jit.compilation import kernel

sys.path.insert(0, str(Path(__file__).parents[1]))
from river_play import mixed, strategy_of

MENU = "50%, pot, all-in"
RESPONSES = (
    "to the blueprint",
    "to it, with small raises called",
    "to it, with small raises read as the smallest",
    "to it, with fewer folds to small raises",
    "to it, with its sizes only",
    "to the solution",
    "to the solution for its sizes",
    "to that, averaged over its buckets",
)


class Collecting(RiverSolver):
    """Plays the blueprint and keeps the rivers that it begins."""

    def __init__(self, blueprint) -> None:
        super().__init__(blueprint, iterations=1)
        self.rivers = []

    def decide(self, turn):
        if turn["street"] == "river" and turn["history"][-1]["street"] != "river":
            self.rivers.append(turn)
        return super().decide(turn)


@kernel
def write_equities(cards, tables, found):
    """Equities on the river, with the hand and the board in every row."""
    for i in range(len(cards)):
        found[i] = measures(cards[i, 0], cards[i, 1], cards[i, 2:], 5, tables)[0]


def buckets_of(blueprint, stack, spot, player):
    """Number of the bucket of each hand of a player, with so many big blinds."""
    section = min(blueprint.sections, key=lambda one: abs(one.stack - stack))
    hands = spot.hands(player)
    cards = np.hstack([hands, np.tile(spot.cards, (len(hands), 1))]).astype(np.int64)
    found = np.empty(len(hands))
    write_equities(cards, load_tables(), found)
    edges = section.buckets.edges[-1][: section.buckets.steps[-1].main - 1]
    return np.searchsorted(edges, found.astype(np.float32), side="right")


def averaged(game, strategy, buckets):
    """A strategy in which all hands of a bucket play as they do on average."""
    tree = game.tree
    found = np.array(strategy)
    for node in np.flatnonzero(tree.kind == DECISION):
        player = int(tree.actor[node])
        of = buckets[player]
        weights = game.reaches(strategy, int(node))[player][: len(of)].astype(np.float64) + 1e-9
        total = np.bincount(of, weights)
        for row in range(tree.row[node], tree.row[node] + tree.branches[node]):
            chances = strategy[row, : len(of)]
            mean = np.bincount(of, weights * chances) / np.where(total > 0, total, 1)
            found[row, : len(of)] = mean[of]
    return game.normalised(found)


def rivers_of(blueprint, game, count, seed):
    """Turns at the beginning of a river."""
    first = 0
    rivers = []
    while len(rivers) < count:
        player = Collecting(blueprint)
        agents.play([player, blueprint], agents.Blocks(20, first=first), game, seed=seed)
        rivers += player.rivers
        first += 20
    return rivers[:count]


def main():
    """Measure rivers."""
    name = sys.argv[1] if len(sys.argv) > 1 else "equilibrium-nolimit"
    count, stack, seed = (
        int(sys.argv[i]) if len(sys.argv) > i else usual for i, usual in ((2, 40), (3, 200), (4, 1))
    )
    blueprint = agents.make(name)
    betting = "fixed-limit" if blueprint.sections[0].stack == 0 else "no-limit"
    game = nlhe_env.Game.cash(
        num_hands=1, starting_stack=100 * stack, blinds=(50, 100), betting=betting
    )
    solver_of = RiverSolver(blueprint)
    rows, loss = [], []
    for turn in rivers_of(blueprint, game, count, seed):
        hand = hand_from_turn(turn, betting)
        street = find_street(hand, "river")
        observed_hand = HandReplay(blueprint, hand)
        ranges = tuple(hands_at(observed_hand.reach(seat, RIVER)) for seat in street.seats)
        spot = street.spot(hand, ranges, MENU, max_bets=4)
        public, plain = strategy_of(blueprint, hand, street, spot)
        others = [
            strategy_of(blueprint, hand, street, spot, small_raises=way)[1]
            for way in ("call", "raise", "less folding")
        ]
        known = street.spot(hand, ranges, Abstraction().bets, Abstraction().raises, max_bets=4)
        smaller, own = strategy_of(blueprint, hand, street, known)
        begun = time.process_time()
        solver = Solver(public)
        solver.run(solver_of.iterations)
        took = time.process_time() - begun
        within = Solver(smaller)
        within.run(solver_of.iterations)
        buckets = [buckets_of(blueprint, stack, known, player) for player in range(2)]
        alike = averaged(smaller, within.strategy, buckets)
        value = public.value(plain)
        gain = public.value(mixed(public, solver.strategy, plain)) - value
        gain += value - public.value(mixed(public, plain, solver.strategy))
        lost = [public.exploitability(found) for found in (plain, *others)]
        lost += [smaller.exploitability(own), public.exploitability(solver.strategy)]
        lost += [smaller.exploitability(found) for found in (within.strategy, alike)]
        loss.append([100 * chips / spot.pot for chips in lost])
        rows.append((100 * gain / 2 / spot.pot, took, public.tree.rows))
    report(f"{name}, {stack} big blinds, seed {seed}", np.array(loss), np.array(rows))


def report(what, loss, rows):
    """Print means with standard errors, and differences from the first row."""
    root = len(loss) ** 0.5
    print(f"{what}, {len(loss)} rivers; best responses win, in shares of the pot of the river")
    for i, response in enumerate(RESPONSES):
        of, less = loss[:, i], loss[:, 0] - loss[:, i]
        print(
            f"{response:46} {of.mean():6.2f}% ± {of.std(ddof=1) / root:.2f}"
            f"   less than the first by {less.mean():6.2f} ± {less.std(ddof=1) / root:.2f}"
        )
    wins, seconds, actions = rows.T
    print(f"the solution wins {wins.mean():.2f}% ± {wins.std(ddof=1) / root:.2f} of the blueprint")
    print(
        f"{seconds.mean():.3f} CPU s to solve, {seconds.max():.3f} at most; "
        f"{actions.mean():.0f} actions"
    )


if __name__ == "__main__":
    main()
