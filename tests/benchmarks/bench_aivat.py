"""How much variance AIVAT removes, what it costs, and that it is unbiased.

    python tests/benchmarks/bench_aivat.py [HANDS]          # the table of variance-reduction.md
    python tests/benchmarks/bench_aivat.py --fair [HANDS]     # 20 pairs, AIVAT against the money

The tables of values are fitted to 300,000 hands of the same players with other cards, before.
"""

from __future__ import annotations

import math
import sys
import time
from itertools import combinations

import numpy as np

import agents
import nlhe_env

NO_LIMIT = nlhe_env.Game.cash(num_hands=1, score="big_blinds")
LIMIT = nlhe_env.Game.cash(betting="fixed-limit", num_hands=1, score="big_blinds")
SETTINGS = [
    ("no-limit", NO_LIMIT, ("random", "random")),
    ("no-limit", NO_LIMIT, ("old-best", "tight-aggressive")),
    ("no-limit", NO_LIMIT, ("old-best", "random")),
    ("fixed-limit", LIMIT, ("call-or-raise", "call-or-raise")),
    ("fixed-limit", LIMIT, ("old-best", "pot-odds")),
    ("four players", NO_LIMIT, ("old-best", "random", "tight-aggressive", "loose-passive")),
]
WAYS: dict[str, dict[str, object]] = {
    "cards": {"known": ()},
    "one side": {"known": (0,)},
    "all sides": {},
    "16 hands": {"imagined": 0, "hands": 16},
}
"""What AIVAT knows, beside all-in equity as another way."""
FIT_SEED, SEED = 77, 1
PAIRED = ("random", "old-best", "tight-aggressive", "loose-passive", "pot-odds")
BATCHES = 20


def evaluate(
    names: tuple[str, ...],
    game: nlhe_env.Game,
    hands: int,
    variance_reduction: object,
    first: int = 0,
):
    """The tally of some hands, and CPU microseconds a hand."""
    players = [agents.make(name) for name in names]
    start = time.process_time()
    tally = agents.play(
        players,
        agents.Tournaments(hands, first),
        game,
        seed=SEED,
        variance_reduction=variance_reduction,
    )
    return tally, 1e6 * (time.process_time() - start) / hands


def show_table(hands: int) -> None:
    """Deviations of the first player, in big blinds a hand."""
    print(f"{hands:,} hands; standard deviation of a hand (share of hands needed, CPU µs per hand)")
    for label, game, names in SETTINGS:
        players = [agents.make(name) for name in names]
        value = agents.fit_value_function(players, game, seed=FIT_SEED)
        ways = {"all-in": "all-in", "equity": agents.Aivat()}
        ways |= {name: agents.Aivat(value=value, **options) for name, options in WAYS.items()}
        evaluate(names, game, 50, "none")
        plain, cost = evaluate(names, game, hands, "none")
        print(f"{label}: {', '.join(names)}; {value}")
        print(f"  plain      {plain.deviations[0]:7.3f}  ({cost:.1f} µs)")
        for name, variance_reduction in ways.items():
            evaluate(names, game, 50, variance_reduction)
            tally, cost = evaluate(names, game, hands, variance_reduction)
            share = (tally.deviations[0] / plain.deviations[0]) ** 2
            print(
                f"  {name:10} {tally.deviations[0]:7.3f}  ({share:.1%}, {cost:.1f} µs)  "
                f"{tally.scores[0]:+.3f} ± {tally.errors[0]:.3f}",
                flush=True,
            )


def show_fairness(hands: int) -> None:
    """Mean of AIVAT less the money, over its error, for 20 pairs in two games."""
    pairs = list(combinations(PAIRED, 2))
    worst, total = 0.0, 0.0
    for game in (NO_LIMIT, LIMIT):
        for names in pairs:
            each = max(100, hands // (2 * len(pairs) * BATCHES))
            batches = [
                evaluate(names, game, each, agents.Aivat(), first=i * each)[0]
                for i in range(BATCHES)
            ]
            found = np.array([tally.scores[0] - tally.plain.scores[0] for tally in batches])
            money = np.mean([tally.plain.scores[0] for tally in batches])
            error = found.std(ddof=1) / math.sqrt(BATCHES)
            worst = max(worst, abs(found.mean() / error))
            total += (found.mean() / error) ** 2
            print(
                f"{game.betting:12} {' - '.join(names):34} money {money:+.4f}, "
                f"AIVAT less money {found.mean():+.4f} ± {error:.4f}",
                flush=True,
            )
    print(f"worst: {worst:.2f} errors; sum of squares {total:.1f} of {2 * len(pairs)} expected")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    numbers = [int(argument) for argument in arguments if argument.isdigit()]
    if "--fair" in arguments:
        show_fairness(*(numbers or [200_000]))
    else:
        show_table(*(numbers or [20_000]))
