"""Prints how fast strength tables are built, opened and read.

Run ``python tests/benchmarks/bench_strength.py``. Building cold includes compilation; it and the
warm build run in fresh processes with a cache folder of their own. Peers that are not installed
(``pip install pokerfast xiapl eval7``) are left out. CPU seconds of the thread and medians, except
for building.
"""

import importlib
import os
import subprocess
import sys
import tempfile
import time
from functools import partial

import numpy as np
from harness import median_seconds, seconds

from nlhe_env import equity
from nlhe_env.cards import format_cards
from nlhe_env.equity.tables import lookup, store
from nlhe_env.jit.compilation import kernel

N_HANDS = 1_000_000
N_PEER = 500  # hands given to peers
N_WARM = 200  # different hands that fit in the processor's caches
STREETS = (("preflop", 0), ("flop", 3), ("turn", 4), ("river", 5))
_BUILD = [sys.executable, "-c", "import nlhe_env; nlhe_env.rebuild_tables()"]


@kernel
def sum_chances(cards, n_board, n_opponents, tables):
    total = 0.0
    for i in range(cards.shape[0]):
        total += lookup.win_or_tie_probability(
            cards[i, 0], cards[i, 1], cards[i, 2:], n_board, n_opponents, tables
        )
    return total


@kernel
def sum_shares(cards, n_board, n_opponents, tables):
    total = 0.0
    for i in range(cards.shape[0]):
        total += lookup.hand_equity(
            cards[i, 0], cards[i, 1], cards[i, 2:], n_board, n_opponents, tables
        )
    return total


def median_of_five(call, clock=time.thread_time):
    """Median seconds of a call."""
    return median_seconds(call, 5, clock)


def report(what, figure):
    print(f"{what:<44}{figure:>20}", flush=True)


def bench_building():
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NLHE_ENV_CACHE": folder}
        for kind in "cold", "warm":
            build = partial(
                subprocess.run, _BUILD, env=environment, check=True, capture_output=True
            )
            elapsed_s = seconds(build, time.perf_counter)
            report(f"build all tables, {kind}, whole process", f"{elapsed_s:.2f} s")


def bench_lookups(cards):
    tables = equity.load_tables()
    elapsed_s = median_of_five(
        lambda: store.open_tables(equity.tables_file()), clock=time.perf_counter
    )
    report("open tables, checksums included, wall time", f"{elapsed_s * 1e3:.1f} ms")
    few = np.ascontiguousarray(np.tile(cards[:N_WARM], (N_HANDS // N_WARM, 1)))
    for what, add_up in ("win chance", sum_chances), ("pot share", sum_shares):
        for street, n_board in STREETS:
            for kind, hands in ("random", cards), ("warm", few):
                elapsed_s = median_of_five(lambda: add_up(hands, n_board, 3, tables))  # noqa: B023
                report(f"{what}, {street}, {kind}", f"{elapsed_s / N_HANDS * 1e9:.1f} ns")


def pokerfast_equity(hole, board):
    from pokerfast.equity import equity_vs_random

    return lambda: equity_vs_random(hole, board)


def xiapl_equity(hole, board):
    import xiapl

    options = xiapl.simulation.SimulationOptions.exact()
    options.threads = 1
    cards = [xiapl.card.Card.from_string(board[i : i + 2]) for i in range(0, 10, 2)]
    mask = xiapl.utils.cards_to_mask(cards)
    own, every = xiapl.range.Range.from_string(hole), xiapl.range.Range.all()
    simulate = xiapl.simulation.calculate_range_equity
    return lambda: simulate(own, every, mask, options).hero_aggregate_equity


def eval7_equity(hole, board):
    import eval7

    own = [eval7.Card(hole[i : i + 2]) for i in (0, 2)]
    common = [eval7.Card(board[i : i + 2]) for i in range(0, 10, 2)]
    ranks = "AKQJT98765432"
    names = [a + b for i, a in enumerate(ranks) for b in ranks[i:]]
    every = eval7.HandRange(
        ",".join(name if name[0] == name[1] else f"{name}s,{name}o" for name in names)
    )
    return lambda: eval7.py_hand_vs_range_exact(own, every, common)


def bench_peers(cards):
    """River against one random hand, exact, beside the calculators on PyPI; answers compared."""
    holes = np.ascontiguousarray(cards[:, :2])
    boards = np.ascontiguousarray(cards[:, 2:7])
    ours = equity.hand_equities(holes, boards)
    rate = N_HANDS / median_of_five(lambda: equity.win_or_tie_probabilities(holes, boards))
    report("river, ours, win chances from arrays", f"{rate:,.0f} /s")
    share_rate = N_HANDS / median_of_five(lambda: equity.hand_equities(holes, boards))
    report("river, ours, pot shares from arrays", f"{share_rate:,.0f} /s")
    for name, prepare in (
        ("pokerfast", pokerfast_equity),
        ("xiapl", xiapl_equity),
        ("eval7", eval7_equity),
    ):
        try:
            importlib.import_module(name)
        except ImportError:
            report(f"river, {name}", "not installed")
            continue
        calls = [
            prepare(format_cards(h), format_cards(b))
            for h, b in zip(holes[:N_PEER], boards[:N_PEER], strict=True)
        ]
        answers = [call() for call in calls]
        apart = np.abs(np.array(answers) - ours[:N_PEER]).max()
        peer_rate = N_PEER / median_of_five(lambda: [call() for call in calls])  # noqa: B023
        report(f"river, {name}", f"{peer_rate:,.0f} /s")
        report(
            "  ours to theirs, win chances and pot shares",
            f"{rate / peer_rate:,.0f}, {share_rate / peer_rate:,.0f}",
        )
        report(f"  largest difference of {N_PEER} equities", f"{apart:.1e}")


def main():
    rng = np.random.default_rng(0)
    cards = np.argsort(rng.random((N_HANDS, 52)), axis=1)[:, :7].astype(np.int8)
    bench_lookups(cards)
    bench_peers(cards)
    bench_building()


if __name__ == "__main__":
    main()
