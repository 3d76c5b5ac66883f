"""The exact value of solving the river, on rivers that a blueprint reaches in self-play.

    python tests/benchmarks/bench_resolving.py [NAME [RIVERS [BLINDS]]]

On every river both strategies are compared with all hands at once: how much best responses win of
each, and what the solution wins against the blueprint. The solution is asked once for the whole
river; at the table it is found anew for sizes that are not on its menu.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import agents
import nlhe_env
from agents.policy.hand_replay import HandReplay
from agents.solvers import RiverSolver, Solver
from agents.solvers.resolving import hands_at
from agents.solvers.subgame_from_hand import find_street
from agents.solvers.turn_to_hand import hand_from_turn
from nlhe_env.game.table import RIVER

sys.path.insert(0, str(Path(__file__).parents[1]))
from river_play import mixed, strategy_of

MENU = "50%, pot, all-in"


class Collecting(RiverSolver):
    """Plays the blueprint and keeps the rivers that it begins."""

    def __init__(self, blueprint) -> None:
        super().__init__(blueprint, iterations=1)
        self.rivers = []

    def decide(self, turn):
        if turn["street"] == "river" and turn["history"][-1]["street"] != "river":
            self.rivers.append(turn)
        return super().decide(turn)


def rivers_of(blueprint, game, count):
    """Turns at the beginning of a river."""
    first = 0
    rivers = []
    while len(rivers) < count:
        player = Collecting(blueprint)
        agents.play([player, blueprint], agents.Blocks(20, first=first), game, seed=1)
        rivers += player.rivers
        first += 20
    return rivers[:count]


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "equilibrium-nolimit"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    stack = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    blueprint = agents.make(name)
    betting = "fixed-limit" if blueprint.sections[0].stack == 0 else "no-limit"
    game = nlhe_env.Game.cash(
        num_hands=1, starting_stack=100 * stack, blinds=(50, 100), betting=betting
    )
    solver_of = RiverSolver(blueprint)
    rows = []
    for turn in rivers_of(blueprint, game, count):
        hand = hand_from_turn(turn, betting)
        street = find_street(hand, "river")
        observed_hand = HandReplay(blueprint, hand)
        ranges = tuple(hands_at(observed_hand.reach(seat, RIVER)) for seat in street.seats)
        spot = street.spot(hand, ranges, MENU, max_bets=4)
        public, plain = strategy_of(blueprint, hand, street, spot)
        begun = time.process_time()
        solver = Solver(public)
        solver.run(solver_of.iterations)
        took = time.process_time() - begun
        value = public.value(plain)
        gain = public.value(mixed(public, solver.strategy, plain)) - value
        gain += value - public.value(mixed(public, plain, solver.strategy))
        rows.append(
            (
                100 * public.exploitability(plain) / spot.pot,
                100 * public.exploitability(solver.strategy) / spot.pot,
                100 * gain / 2 / spot.pot,
                took,
                public.tree.rows,
            )
        )
    table = np.array(rows)
    mean, error = table.mean(axis=0), table.std(axis=0, ddof=1) / len(table) ** 0.5
    print(f"{name}, {stack} big blinds, {len(table)} rivers; shares of the pot of the river")
    for i, what in enumerate(("blueprint exploitable", "solution exploitable", "solution wins")):
        print(f"{what:24} {mean[i]:7.2f}% ± {error[i]:.2f}")
    print(f"{mean[3]:.3f} CPU s to solve, {table[:, 3].max():.3f} at most; {mean[4]:.0f} actions")
