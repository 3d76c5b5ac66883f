"""Nanoseconds of a decision in the games of self-play, by networks of several shapes.

    python tests/benchmarks/bench_small_networks.py [--rounds 5]

Sixty-four random networks at tables of their own kind: pot-sized networks of the presets for cash
games, argmax networks of those for tournaments, and networks of other shapes, as users choose
them. CPU seconds of the thread, the least of several rounds. Run it in two checkouts to compare
them: the digests of equal games are equal.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from functools import partial

import numpy as np
from harness import in_turn, options, seconds

import agents
import nlhe_env
from agents.players.networks.argmax_networks import ARGMAX_NETWORK, POT_SIZED_NETWORK
from agents.players.networks.network import count_inputs, count_weights
from agents.players.networks.networks import NETWORK, pack_networks
from agents.policy.kinds import Kind
from nlhe_env.equity import load_tables

_CASH, _TOURNAMENT = nlhe_env.Game.cash(), nlhe_env.Game.tournament()
FIELDS = (
    (
        "pot-sized networks of the presets, six seats",
        POT_SIZED_NETWORK,
        "features_cash",
        (8,),
        _CASH,
        6,
    ),
    ("argmax networks of the presets", ARGMAX_NETWORK, "features_core", (4,), _TOURNAMENT, 10),
    (
        "argmax networks, 12 hidden units, six seats",
        ARGMAX_NETWORK,
        "features_cash",
        (12,),
        _CASH,
        6,
    ),
    ("networks, 12 hidden units", NETWORK, "features_unit", (12,), _TOURNAMENT, 10),
    ("networks, 40 and 10 hidden units", NETWORK, "features_unit", (40, 10), _TOURNAMENT, 10),
)
N_NETWORKS = 64
HANDS = 40_000  # roughly, in a round


def field_of(kind: Kind, inputs: str, hidden: Sequence[int]) -> agents.PlayerBatch:
    """Random networks whose weights have a root mean square of about 1."""
    shape = N_NETWORKS, count_weights(count_inputs(inputs), hidden)
    return pack_networks(np.random.default_rng(3).normal(size=shape), inputs, hidden, kind=kind)


def lineups(n: int, seats: int) -> agents.LineupBlocks:
    """The same lineups for every call with the same number."""
    rng = np.random.default_rng(4)
    met = [rng.permutation(N_NETWORKS)[:seats] for _ in range(n)]
    return agents.LineupBlocks(np.array(met), np.arange(n))


def main() -> None:
    given = options(__doc__, rounds=5)
    tables = load_tables()
    for name, kind, inputs, hidden, game, seats in FIELDS:
        batch = field_of(kind, inputs, hidden)
        a_few = agents.play(batch, lineups(10, seats), game, seed=1, tables=tables)
        schedule = lineups(max(1, round(10 * HANDS / a_few.hands)), seats)
        play = partial(agents.play, batch, schedule, game, seed=1, tables=tables)
        tally = play()
        digest = hashlib.blake2b(tally.totals.tobytes(), digest_size=4).hexdigest()
        measure = {name: partial(seconds, play, time.thread_time)}
        least = min(in_turn(measure, given.rounds)[name]) / tally.decisions
        print(f"{name:45} {least * 1e9:6.0f} ns   {digest}")


if __name__ == "__main__":
    main()
