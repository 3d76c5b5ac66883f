"""Prints how fast hands and boards are assessed, in processor time, medians of many calls.

Run ``python tests/benchmarks/bench_assessment.py``.
"""

from __future__ import annotations

import time

import numpy as np
from harness import median_seconds

from nlhe_env import Range, equities, potential
from nlhe_env.assessment import potential_kernels as assessment_kernels
from nlhe_env.assessment import texture_kernels
from nlhe_env.assessment.income_rates import income_rates
from nlhe_env.assessment.texture import texture_tables
from nlhe_env.cards import parse_cards
from nlhe_env.evaluator import rank_cards

HOLE = "AdQc"
BOARDS = {"flop": "Jh4c3h", "turn": "Jh4c3h9d", "river": "Jh4c3h9d2s"}


def microseconds(call, n_calls=60):
    """Median processor time of a call."""
    return 1e6 * median_seconds(call, n_calls, time.thread_time)


def report(what, elapsed_us):
    print(f"{what:<52}{elapsed_us:>11.2f} us{1e6 / elapsed_us:>14,.0f} per second", flush=True)


def bench_kernels():
    scratch = np.zeros((), assessment_kernels.SCRATCH)[()]
    hole = parse_cards(HOLE)
    table = Range.parse("22+, A2+, KT+, T9s").table
    for street, text in BOARDS.items():
        board = np.array(parse_cards(text))
        n = len(board)
        for name, weights in (("equal weights", None), ("a range", table)):
            report(
                f"hand strength, {street}, {name}",
                microseconds(
                    lambda: assessment_kernels.hand_strength(*hole, board, n, weights)  # noqa: B023
                ),
            )
        for n_cards in range(1, 6 - n):
            report(
                f"potential, {street}, {n_cards} ahead, a range",
                microseconds(
                    lambda: assessment_kernels.potential(
                        *hole,
                        board,  # noqa: B023
                        n,  # noqa: B023
                        n_cards,  # noqa: B023
                        table,
                        scratch,
                    )
                ),
            )
    report(
        "the same count for other weights",
        microseconds(lambda: assessment_kernels.transitions(table, scratch)),
    )
    report(
        "potential() on the flop, 2 ahead", microseconds(lambda: potential(HOLE, BOARDS["flop"]))
    )
    report(
        "for comparison: the equity alone, by equities()",
        microseconds(lambda: equities([HOLE, "*"], BOARDS["flop"], threads=1), 10),
    )
    seven = np.array(parse_cards(HOLE + BOARDS["river"]))
    report("for comparison: one call of rank_cards", microseconds(lambda: rank_cards(seven), 1000))


def bench_texture():
    tables = texture_tables()
    rng = np.random.default_rng(0)
    for n_board in (3, 5):
        boards = np.array([rng.choice(52, n_board, replace=False) for _ in range(10_000)])
        features = np.empty((len(boards), texture_kernels.N_FEATURES))
        clusters = np.empty(len(boards), np.int64)
        elapsed_us = microseconds(
            lambda: texture_kernels.write_many(boards, tables, features, clusters)  # noqa: B023
        )
        report(f"features and cluster of {n_board} cards", elapsed_us / len(boards))


def bench_income_rates():
    for n_players in (2, 10):
        n_games = 100_000
        elapsed_us = microseconds(
            lambda: assess(n_players, n_games),  # noqa: B023
            n_calls=5,
        )
        report(f"a game of {n_players} players to the showdown", elapsed_us / n_games)


def assess(n_players, n_games):
    """Income rates whose work is done in this thread, so that its clock sees it."""
    return income_rates(n_players, n_games=n_games, threads=1)


def main():
    bench_kernels()
    bench_texture()
    bench_income_rates()


if __name__ == "__main__":
    main()
