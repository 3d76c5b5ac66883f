"""A library of deals with their metrics: 100,000 matches, each in one of nine categories.

Every deal yields two matches, one for each side, so that neither side has better cards overall. The
category of a match depends on its two preflop hands, which are strong, intermediate or weak by the
percentile of hand strength (section 4.2.3 of the thesis).
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from agents.exploitability.hand_metrics import (
    DEAL,
    classes_of,
    hand_metrics,
    preflop_metrics,
)
from nlhe_env.arguments import whole_number
from nlhe_env.assessment.potential_kernels import SCRATCH
from nlhe_env.evaluator import evaluate
from nlhe_env.game.table import PREFLOP
from nlhe_env.jit.array_types import F32, I64, AnyArray, Int, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.system.cores import n_cores
from nlhe_env.system.files import cache_folder, is_ours, load_npz, replacing
from nlhe_env.system.threads import thread_map

N_DEALS = 50_000
CATEGORIES = 9
"""Names of the categories, ``3 * own class + opponent's class``; classes are strong, intermediate
and weak."""

SMALLEST_CATEGORY = 1156
"""Matches in the smallest category of ``load_matches``."""

_VERSION = 1  # raised whenever the meaning of a number changes


@kernel
def _measure(deals: Records, first: Int, last: Int, preflop: F32, scratch: Records) -> None:
    """Compute the strengths and potentials of deals with given cards."""
    for i in range(first, last):
        deal = deals[i]
        for side in range(2):
            hole_0, hole_1 = np.int64(deal.hole[side, 0]), np.int64(deal.hole[side, 1])
            for street in range(4):
                strength, potential = hand_metrics(
                    hole_0, hole_1, deal.board, street, preflop, scratch[0]
                )
                deal.strength[side, street] = strength
                deal.potential[side, street] = potential


def make_deals(holes: AnyArray, boards: AnyArray, *, threads: int | None = None) -> Records:
    """Create deals with metrics from cards.

    Args:
        holes: ``(n, 2, 2)`` card codes: two cards for each side.
        boards: ``(n, 5)`` card codes.
        threads: Number of threads, which does not affect the result; default: one per core.

    Returns:
        ``(n,)`` records of dtype ``DEAL``.
    """
    deals = np.zeros(len(holes), DEAL)
    deals["hole"], deals["board"] = holes, boards
    preflop = preflop_metrics().ravel()

    def work(first: int) -> None:
        last = min(first + 500, len(deals))
        _measure(deals, first, last, preflop, np.zeros(1, SCRATCH))

    list(thread_map(work, range(0, len(deals), 500), threads or n_cores()))
    button, other = (evaluate(np.concatenate([deals["board"], holes[:, i]], 1)) for i in (0, 1))
    deals["result"] = np.sign(button - other)
    classes = classes_of(deals["strength"][:, :, PREFLOP])
    deals["category"] = 3 * classes + classes[:, ::-1]
    return deals


@dataclass(frozen=True, eq=False)
class MatchLibrary:
    """Library of matches: ``2 * deal`` is the button's side of a deal, ``2 * deal + 1`` the other.

    Attributes:
        deals: ``(n,)`` records of dtype ``DEAL``.
    """

    deals: Records

    @property
    def categories(self) -> I64:
        """``(2 n,)`` category of each match."""
        return np.asarray(self.deals["category"].reshape(-1), np.int64)

    def __len__(self) -> int:
        return 2 * len(self.deals)

    def draw(self, n: int, rng: np.random.Generator, *, balanced: bool) -> I64:
        """Draw numbers of distinct matches, in random order.

        Args:
            n: Number of matches.
            rng: Source of randomness.
            balanced: Whether to draw equally many from each of the 9 categories.

        Raises:
            ValueError: There are too few matches, or ``n`` is not a multiple of 9.
        """
        whole_number("n", n, least=1, most=len(self))
        if not balanced:
            return np.asarray(rng.choice(len(self), n, replace=False), np.int64)
        if n % CATEGORIES:
            raise ValueError(f"n must be a multiple of {CATEGORIES} if balanced; got {n}")
        each = [self.draw_of(category, n // CATEGORIES, rng) for category in range(CATEGORIES)]
        return np.asarray(rng.permutation(np.concatenate(each)), np.int64)

    def draw_of(self, category: int, n: int, rng: np.random.Generator) -> I64:
        """Draw numbers of distinct matches of a category.

        Raises:
            ValueError: The category has too few matches.
        """
        of_category = np.flatnonzero(self.categories == category)
        if n > len(of_category):
            raise ValueError(
                f"n must be at most {len(of_category)}, the matches of category {category}; got {n}"
            )
        return np.asarray(rng.choice(of_category, n, replace=False), np.int64)


def make_matches(n_deals: int = N_DEALS, *, seed: int = 0) -> MatchLibrary:
    """Create a library of random deals."""
    rng = np.random.default_rng(seed)
    cards = np.argpartition(rng.random((n_deals, 52)), 9, axis=1)[:, :9].astype(np.int8)
    return MatchLibrary(make_deals(cards[:, :4].reshape(-1, 2, 2), cards[:, 4:]))


@lru_cache(maxsize=1)
def load_matches() -> MatchLibrary:
    """Load the library of 100,000 matches from the user's cache folder, or create it there.

    Without write access to the folder, it stays in memory.
    """
    path = _file()
    try:
        if not is_ours(path.stat(), or_of_root=True):
            return make_matches()  # others can write it, and kernels trust the deals
        deals = load_npz(path)["deals"]
        if deals.shape == (N_DEALS,) and deals.dtype == DEAL:
            return MatchLibrary(deals)
    except (OSError, KeyError, ValueError):
        pass  # missing or damaged: created again
    library = make_matches()
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            os.chmod(file.name, 0o644)
            np.savez(file, deals=library.deals)
    return library


def _file() -> Path:
    return cache_folder() / f"matches-v{_VERSION}.npz"
