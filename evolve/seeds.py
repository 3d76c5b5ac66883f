"""The random streams of a run.

Every random choice of a run has a purpose and a number (usually the generation), and its generator
depends only on the run's seed, the purpose and the number. No generator state is saved, and a
resumed run draws the same random numbers as an uninterrupted run.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

NEWCOMERS = 0
"""Weights of a generation's new networks."""
TOURNAMENTS = 1
"""Cards and seats of a generation's tournaments."""
PROGRESS = 2
"""The closing tournaments between the champions of all generations."""
EVALUATION = 3
"""Duplicate tables."""
BROOD = 4
"""Tables at which children of a generation compete for a place."""
LEAGUE = 5
"""Matches of a league."""
OPTIMIZER = 6
"""Candidates of an optimizer's generation."""
SEARCH_START = 7
"""Weights from which a search starts."""
SEARCH_OPPONENTS = 8
"""Opponents of the candidates of a generation of a search."""
SEARCH_GAMES = 9
"""Cards and seats of a generation of a search."""
SEARCH_TEST = 10
"""Opponents and cards of the tests of a search, the same ones every time."""
SEARCH_PROBES = 11
"""Situations by which a search compares players."""
LINEAGES = 12
"""Lineages after the first, which has the streams of the run itself."""
CHOICE = 13
"""The meetings at which one of several lineages is chosen."""

SYMBIOSIS = 14
"""Symbiotic evolution; its numbers are a generation and a ``SymbiosisPart``."""
INCLINATIONS = 15
"""Biased players of a checkpoint pool that take part, and their biases."""


class SymbiosisPart(IntEnum):
    """What the random choices of a generation of symbiotic evolution are for."""

    POINTS = 0
    VALIDATION = 1
    TEAMS = 2
    CHILDREN = 3
    HALL = 4
    SAMPLE = 5


def generator(seed: int, purpose: int, number: int = 0, *more: int) -> np.random.Generator:
    """NumPy generator for a purpose and a number, which may have several parts."""
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
