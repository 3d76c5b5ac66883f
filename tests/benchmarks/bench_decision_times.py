"""CPU seconds of the decisions of a player that solves while it plays.

    python tests/benchmarks/bench_decision_times.py [NAME [DECISIONS]] [--into FILE]

Decisions on the turn and the river, in hands against players with other bet sizes than its own. A
file keeps a line of JSON for each block of hands: a run that broke off goes on where it was.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

import agents
import nlhe_env

OPPONENTS = ("equilibrium-nolimit", "pot-odds", "loose-aggressive", "opponent-frequency")
STREETS = ("turn", "river")


def time_decisions(player):
    """CPU seconds of a player's decisions from now on, by street."""
    seconds = {street: [] for street in STREETS}
    decide = player.decide

    def timed(turn):
        began = time.process_time()
        action = decide(turn)
        if turn["street"] in STREETS:
            seconds[turn["street"]].append(time.process_time() - began)
        return action

    player.decide = timed
    return seconds


def main():
    """Play blocks until there are enough decisions, and print what they took."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name", nargs="?", default="equilibrium-nolimit:resolve=turn")
    parser.add_argument("decisions", type=int, nargs="?", default=200)
    parser.add_argument("--into", type=Path)
    args = parser.parse_args()
    game = nlhe_env.Game.cash(num_hands=1, starting_stack=20_000, blinds=(50, 100))
    kept = []
    if args.into is not None and args.into.exists():
        kept = [json.loads(line) for line in args.into.read_text().splitlines()]
    opponents = [agents.make(name) for name in OPPONENTS]
    warm = agents.make(args.name)
    agents.play([warm, opponents[0]], agents.Blocks(4, first=10_000), game, seed=2)  # compiled
    while sum(len(block[street]) for block in kept for street in STREETS) < args.decisions:
        player = agents.make(args.name)
        seconds = time_decisions(player)
        opponent = opponents[len(kept) % len(opponents)]
        agents.play([player, opponent], agents.Blocks(1, first=len(kept)), game, seed=1)
        kept.append(seconds)
        if args.into is not None:
            with args.into.open("a") as file:
                file.write(json.dumps(seconds) + "\n")
    for street in STREETS:
        seconds = np.array([each for block in kept for each in block[street]])
        middle, high = np.quantile(seconds, [0.5, 0.95])
        print(
            f"{street}: {len(seconds)} decisions, CPU s {middle:.2f} at the median, "
            f"{high:.2f} at 95%, at most {seconds.max():.2f}; mean {seconds.mean():.2f}"
        )


if __name__ == "__main__":
    main()
