"""Compare two players, saved or by name, at heads-up duplicate tables until the result is clear.

Every block is a session played from both seats with the same cards, and is one observation.

Usage: python examples/compare_players.py [FIRST SECOND] [--half-width 20] [--blocks 100000]
       FIRST and SECOND: player files such as runs/RUN/champion.npz, or names such as old-best
"""

from __future__ import annotations

import argparse
import math

import agents
import nlhe_env
from evolve import t_interval

STEP = 500  # blocks between checks of the interval


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="*", default=["old-best", "tight-aggressive"])
    parser.add_argument("--half-width", type=float, default=20.0, help="of the 95%% interval")
    parser.add_argument("--blocks", type=int, default=100_000, help="at most")
    parser.add_argument("--starting-stack", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.blocks < 1:
        parser.error(f"--blocks must be at least 1; got {options.blocks}")
    if len(options.players) != 2:
        parser.error(f"two players are compared; got {len(options.players)}")

    players = [agents.make(name) for name in options.players]
    game = nlhe_env.Game.cash(
        starting_stack=options.starting_stack, blinds=(50, 100), num_hands=20, score="big_blinds"
    )
    tally = agents.play(players, agents.Blocks(0), game, seed=options.seed)
    half_width = math.inf
    # Repeated checks with early stopping make the interval slightly too narrow. Here its width
    # decides, not the sign, so this favours neither player.
    while tally.count < options.blocks and not half_width <= options.half_width:
        more = agents.Blocks(min(STEP, options.blocks - tally.count), first=tally.count)
        tally += agents.play(players, more, game, seed=options.seed)
        hands = tally.hands / tally.count
        mean, error = 100 * tally.scores[0] / hands, 100 * tally.errors[0] / hands
        low, high = t_interval(mean, error, tally.count - 1)
        half_width = (high - low) / 2

    first, second = options.players
    print(f"{tally.hands:,} hands, big blinds per 100 hands of {first}:")
    print(f"{mean:+z.1f}, 95% interval {low:+z.1f} .. {high:+z.1f}")
    if low > 0 or high < 0:
        print(f"{first if low > 0 else second} is better")
    else:
        print("no difference shown")


if __name__ == "__main__":
    main()
