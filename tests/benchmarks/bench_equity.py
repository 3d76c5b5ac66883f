"""Prints how fast the equity calculator answers, beside eval7 where both count all deals.

Run ``python tests/benchmarks/bench_equity.py``; ``pip install eval7`` for the comparison.
"""

from __future__ import annotations

import time

from nlhe_env.equity import equity

QUESTIONS = [
    ("hand against hand, preflop", ["AhKc", "QsJd"], ""),
    ("range against range, preflop", ["QQ+, AKs", "TT+, AQ+"], ""),
    ("any against any hand, flop", ["*", "*"], "Qs7h2h"),
    ("hand against any hand, river", ["AhKh", "*"], "Qs7h2h3c4d"),
]


def seconds(call, least_s=1.0):
    """Mean time of calls, after one that compiles."""
    call()
    n_calls = 0
    started = time.perf_counter()
    while time.perf_counter() - started < least_s:
        call()
        n_calls += 1
    return (time.perf_counter() - started) / n_calls


def report(what, elapsed_s):
    print(f"{what:<44}{elapsed_s * 1e3:>12.2f} ms{1 / elapsed_s:>12.1f} a second", flush=True)


def bench_eval7(hole, board):
    try:
        import eval7
    except ImportError:
        return
    cards = [eval7.Card(hole[i : i + 2]) for i in (0, 2)]
    table = [eval7.Card(board[i : i + 2]) for i in range(0, 10, 2)]
    # Its range has no name for any two cards.
    ranks = "23456789TJQKA"
    anything = eval7.HandRange("22+," + ",".join(f"{rank}2+" for rank in ranks[1:]))
    call = lambda: eval7.py_hand_vs_range_exact(cards, anything, table)  # noqa: E731
    report("the same in eval7", seconds(call))
    ours = equity([hole, "*"], board).equity[0]
    assert abs(ours - call()) < 1e-6, (ours, call())  # eval7 answers in float32


def main():
    for what, players, board in QUESTIONS:
        report(what, seconds(lambda: equity(players, board)))  # noqa: B023
    bench_eval7("AhKh", "Qs7h2h3c4d")


if __name__ == "__main__":
    main()
