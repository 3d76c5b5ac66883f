"""The random streams of a run.

Every random choice of a run has a purpose and a number (usually the generation), and its generator
depends only on the run's seed, the purpose and the number. No generator state is saved, and a
resumed run draws the same random numbers as an uninterrupted run.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

NEWCOMERS = 0
"""Weights of new networks of a generation."""
TOURNAMENTS = 1
"""Cards and seats of the tournaments of a generation."""
PROGRESS = 2
"""Closing tournaments between the champions of all generations."""
EVALUATION = 3
"""Duplicate tables."""
BROOD = 4
"""Tables for selecting children of broods."""
LEAGUE = 5
"""Matches of a league, which ``agents.measure`` draws."""
OPTIMIZER = 6
"""Candidates of a generation of an optimizer."""
SEARCH_START = 7
"""Initial weights of a search."""
SEARCH_OPPONENTS = 8
"""Opponents of the candidates of a generation of a search."""
SEARCH_GAMES = 9
"""Cards and seats of a generation of a search."""
SEARCH_TEST = 10
"""Opponents and cards of the tests of a search, constant for a run."""
SEARCH_PROBES = 11
"""Probe situations for comparing the players of a search."""
LINEAGES = 12
"""Lineages after the first, which has the streams of the run itself."""
CHOICE = 13
"""Games for selecting one of several lineages."""

SYMBIOSIS = 14
"""Symbiotic evolution; its numbers are a generation and a ``SymbiosisPart``."""
INCLINATIONS = 15
"""Selection of biased players from a checkpoint pool, and their biases."""


class SymbiosisPart(IntEnum):
    """Purpose of random choices in a generation of symbiotic evolution."""

    POINTS = 0
    VALIDATION = 1
    TEAMS = 2
    CHILDREN = 3
    HALL = 4
    SAMPLE = 5


def generator(seed: int, purpose: int, number: int = 0, *more: int) -> np.random.Generator:
    """NumPy generator for a purpose and a number, or several numbers."""
    return np.random.default_rng(_sequence(seed, purpose, number, *more))


def stream_seed(seed: int, purpose: int, number: int = 0, *more: int) -> int:
    """64-bit seed for the compiled game, for a purpose and a number.

    >>> stream_seed(1, TOURNAMENTS, 5) == stream_seed(1, TOURNAMENTS, 5)
    True
    >>> stream_seed(1, TOURNAMENTS, 5) == stream_seed(1, TOURNAMENTS, 6)
    False
    """
    return int(_sequence(seed, purpose, number, *more).generate_state(1, np.uint64)[0])


def _sequence(seed: int, purpose: int, number: int = 0, *more: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=(purpose, number, *more))
