"""Brood selection: of several children for each place, the best at single tables are kept.

Described but not used in G. Nicolai's thesis (University of Regina, 2008, section 4.2.4), because
ranking children takes about as many games as a generation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import agents
from agents.match.playing import PlayTask, play_all
from agents.match.workers.base import Workers
from nlhe_env import Game
from nlhe_env.jit.array_types import F64, I64


def draw_tables(n: int, table_size: int, rounds: int, *, rng: np.random.Generator) -> list[I64]:
    """Random tables of several rounds, with every player at one table per round.

    Tables of a round have nearly equal sizes of at most ``table_size`` seats. A player without
    opponents (tables of two, an odd number of players) sits out.
    """
    n_tables = -(-n // table_size)
    return [
        table
        for _ in range(rounds)
        for table in np.array_split(rng.permutation(n), n_tables)
        if len(table) > 1
    ]


def relative_places(seated: list[I64], places: list[F64], n: int) -> F64:
    """``(n,)`` mean relative place of each player: 0 is first, 1 is last, 0.5 without a table.

    Args:
        seated: Players of each table.
        places: Places of these players.
        n: Number of players.
    """
    totals, counts = np.zeros(n), np.zeros(n)
    for players, here in zip(seated, places, strict=True):
        totals[players] += (here - 1.0) / (len(players) - 1)
        counts[players] += 1
    return np.where(counts > 0, totals / np.maximum(counts, 1), 0.5)


def select_children(
    children: Any,
    n_kept: int,
    *,
    game: Game,
    rounds: int,
    seed: int,
    rng: np.random.Generator,
    workers: Workers,
) -> Any:
    """The children with the best results against each other at single tables, best first.

    Args:
        children: At least two, as genomes.
        n_kept: Number of children to keep.
        game: Tournament to play.
        rounds: Number of tables per child.
        seed: Seed of cards and decisions.
        rng: Random generator for the tables.
        workers: Workers for the games.
    """
    seated = draw_tables(len(children), game.table_size, rounds, rng=rng)
    plays = [
        PlayTask(children[table].pack(), agents.Tournaments(1, first=i), game, seed)
        for i, table in enumerate(seated)
    ]
    places = [tally.scores for tally in play_all(workers, plays)]
    order = np.argsort(relative_places(seated, places, len(children)), kind="stable")
    return children[order[:n_kept]]
