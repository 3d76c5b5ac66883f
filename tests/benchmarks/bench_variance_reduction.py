"""Prints how much variance every method removes from results, and what it costs.

Run ``python tests/benchmarks/bench_variance_reduction.py [HANDS]``. A cell of the first table is
the deviation of a hand of the first player in big blinds, the share of the hands that it saves for
the same standard error, and the processor time of a hand, play included: of one thread, the methods
in turns, medians of several calls. Tables of values are fitted to other hands. The second table is
about logs: hands a second from the file to the judged numbers.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from harness import medians, seconds

import agents
import nlhe_env
from agents.variance_reduction.aivat_logs import AivatEvaluator
from evolve import reduce_variance
from nlhe_env.hand_history import Hand, stream_hands, write_hands

LIMIT = nlhe_env.Game.cash(betting="fixed-limit", num_hands=1, score="big_blinds")
NO_LIMIT = nlhe_env.Game.cash(num_hands=1, score="big_blinds")
SIX = ("old-best", "tight-aggressive", "loose-passive", "pot-odds", "old-start", "push-or-fold")

SETTINGS = [
    (("caller", "hothead-maniac"), LIMIT),
    (("formula", "formula"), LIMIT),
    (("pot-odds", "call-or-raise"), LIMIT),
    (("old-best", "pot-odds"), LIMIT),
    (("push-or-fold", "old-best"), NO_LIMIT),
    (("old-best", "tight-aggressive"), NO_LIMIT),
    (SIX, NO_LIMIT),
]
METHODS = ("money", "all-in", "divat", "divat-roe", "AIVAT by equity", "AIVAT by a table")
FITTED_TO = 30_000
"""Hands that tables of values are fitted to."""

TURNS = 5


def fitted(names, game):
    """A table of values, of other hands of the same players."""
    players = [agents.make(name) for name in names]
    return agents.fit_value_function(players, game, hands=FITTED_TO, seed=9)


def lucks(names, game):
    """The methods of ``agents.play`` that the game allows; in limit no player is all-in."""
    found = {"money": "none"}
    if game.betting == "fixed-limit":
        found |= {"divat": "divat", "divat-roe": "divat-roe"}
    else:
        found["all-in"] = "all-in"
    found["AIVAT by equity"] = agents.Aivat()
    found["AIVAT by a table"] = agents.Aivat(value=fitted(names, game))
    return found


def play(names, game, variance_reduction, schedule):
    """The tally, and processor seconds."""
    players = [agents.make(name) for name in names]
    started = time.thread_time()
    tally = agents.play(players, schedule, game, seed=7, variance_reduction=variance_reduction)
    return tally, time.thread_time() - started


def in_turns(names, game, methods, schedule):
    """Tallies by method, and the median seconds of each."""
    short = schedule.part(0, max(2, len(schedule) // TURNS))
    for variance_reduction in methods.values():  # compiles
        play(names, game, variance_reduction, schedule.part(0, 2))
    seconds = {method: [] for method in methods}
    for _ in range(TURNS):
        for method, variance_reduction in methods.items():
            tally, spent = play(names, game, variance_reduction, short)
            seconds[method].append(spent / tally.hands)
    tallies = {
        method: play(names, game, variance_reduction, schedule)[0]
        for method, variance_reduction in methods.items()
    }
    return tallies, {method: statistics.median(spent) for method, spent in seconds.items()}


def bench_playing(n_hands):
    print("| players | table | hands |", " | ".join(METHODS), "|")
    print("| --- " * (3 + len(METHODS)) + "|")
    for names, game in SETTINGS:
        methods = lucks(names, game)
        for kind, schedule in (
            ("single", agents.Tournaments(n_hands)),
            ("duplicate", agents.Blocks(n_hands // len(names))),
        ):
            tallies, seconds = in_turns(names, game, methods, schedule)
            plain = tallies["money"]
            cells = [f"{game.betting}: {', '.join(names)}", kind, f"{plain.hands:,}"]
            for method in METHODS:
                if method not in tallies:
                    cells.append("")
                    continue
                # The mean of a block's hands, as Billings' thesis has it.
                spread = tallies[method].deviations[0] / schedule.rotations(len(names))
                saves = ""
                if method != "money" and plain.deviations[0] > 0:
                    saved = 1 - (tallies[method].deviations[0] / plain.deviations[0]) ** 2
                    saves = f"{saved:.0%}, "
                cost = 1e6 * seconds[method]
                cells.append(f"{spread:.3g}; {saves}{cost:.{0 if cost >= 10 else 1}f} µs")
            print("|", " | ".join(cells), "|", flush=True)


def recorded(names, game, n_hands):
    hands: list[Hand] = []
    players = [agents.make(name) for name in names]
    agents.play(players, agents.Tournaments(n_hands), game, seed=7, record=hands)
    return hands


def bench_logs(n_hands):
    print(
        "\n| log, hands a second | read and checked | judged by all there is | AIVAT by a table |"
    )
    print("| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.phhs"
        for names, game in (
            (("old-best", "pot-odds"), LIMIT),
            (("push-or-fold", "old-best"), NO_LIMIT),
            (SIX, NO_LIMIT),
        ):
            hands = recorded(names, game, n_hands)
            works = (read, reduce_variance, aivat_by(fitted(names, game)))
            path.write_text(write_hands(hands))
            measures = {
                work: partial(seconds, lambda work=work: work(stream_hands(path)), time.thread_time)
                for work in works
            }
            speeds = [f"{len(hands) / taken:,.0f}" for taken in medians(measures, TURNS).values()]
            what = f"{game.betting}, {len(names)} players"
            print("|", what, "|", " | ".join(speeds), "|", flush=True)


def read(hands):
    """Read all hands."""
    for _ in hands:
        pass


def aivat_by(value):
    """Judge by AIVAT alone."""
    evaluate = AivatEvaluator(agents.Aivat(value=value))
    return lambda hands: reduce_variance(hands, divat=False, aivat=evaluate)


def main():
    n_hands = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    bench_playing(n_hands)
    bench_logs(min(n_hands, 4_000))


if __name__ == "__main__":
    main()
