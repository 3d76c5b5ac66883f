"""Brood selection: several children for each place, of which the best at single tables are kept.

Described and not used in G. Nicolai's thesis (University of Regina, 2008, section 4.2.4): to tell
children apart takes about as many games as a generation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import agents
from evolve.genomes.networks import Networks
from evolve.training.config import RunConfig
from evolve.workers import Workers
from evolve.workers.chunks import run_chunks
from nlhe_env import Game
from nlhe_env.machine.array_types import F64, I64


def draw_tables(n: int, table_size: int, rounds: int, *, rng: np.random.Generator) -> list[I64]:
    """Players of the tables of some rounds, in each of which everybody sits at one table.

    The tables of a round are as equal as possible and have at most ``table_size`` seats. Who would
    sit alone (tables of two, an odd number of players) sits out.
    """
    n_tables = -(-n // table_size)
    return [
        table
        for _ in range(rounds)
        for table in np.array_split(rng.permutation(n), n_tables)
        if len(table) > 1
    ]


def relative_places(seated: list[I64], places: list[F64], n: int) -> F64:
    """Mean place of each player over its tables: 0 is first, 1 is last, 0.5 without a table.

    Args:
        seated: Players of each table.
        places: Their places at it.
        n: Number of players.
    """
    totals, counts = np.zeros(n), np.zeros(n)
    for players, here in zip(seated, places, strict=True):
        totals[players] += (here - 1.0) / (len(players) - 1)
        counts[players] += 1
    return np.where(counts > 0, totals / np.maximum(counts, 1), 0.5)


@dataclass(frozen=True, eq=False)
class SingleTables:
    """Tournaments at single tables, as a task for workers.

    Attributes:
        children: Who plays.
        seated: Players of each table.
        game: The form of the tournaments.
        seed: Of cards and decisions.
    """

    children: Networks
    seated: list[I64]
    game: Game
    seed: int

    def __call__(self, first: int, count: int) -> list[F64]:
        """The places at each of the tables."""
        return [
            agents.play_tournaments(
                self.children[self.seated[i]].pack(),
                game=self.game,
                seed=self.seed,
                first=i,
                count=1,
            ).places[0]
            for i in range(first, first + count)
        ]


def select_children(
    children: Networks,
    n_kept: int,
    *,
    config: RunConfig,
    seed: int,
    rng: np.random.Generator,
    workers: Workers,
) -> Networks:
    """The children that did best at single tables against each other, best first.

    Args:
        children: At least two.
        n_kept: How many to keep.
        config: Gives the number and the form of the tables.
        seed: Of cards and decisions.
        rng: Draws who meets whom.
        workers: Who plays.
    """
    seated = draw_tables(len(children), config.table_size, config.brood_tournaments, rng=rng)
    task = SingleTables(children, seated, config.make_game(), seed)
    places = [here for part in run_chunks(task, len(seated), workers=workers) for here in part]
    order = np.argsort(relative_places(seated, places, len(children)), kind="stable")
    return children[order[:n_kept]]
