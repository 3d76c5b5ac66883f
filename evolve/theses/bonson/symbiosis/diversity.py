"""Diversity of teams by programs, actions, and compression of these, and archives of behaviours.

Source: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS thesis, Dalhousie
University, 2016), sections 3.2, 3.3 and 4.3; Euclidean distance, entropy and sharing are in the
code published with it. All distances lie between 0 and 1.
"""

from __future__ import annotations

import bz2
import zlib
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evolve.theses.bonson.symbiosis.selection import Compressor
from nlhe_env.jit.array_types import F64, I64, U8, AnyArray, Records
from nlhe_env.system.threads import thread_map

_LEAST_OF_CALLS, _MOST_OF_CALLS = 0.33, 0.66
_LARGEST_SYMBOL = 2
_NEVER = 1e-12  # replaces a share of zero, which has no logarithm
_LARGEST_NCD = 1.2  # largest distance of unrelated texts

_COMPRESS: dict[Compressor, Callable[[bytes], bytes]] = {
    "bz2": bz2.compress,
    "zlib": zlib.compress,
}


def sparseness(distances: F64, k: int) -> F64:
    """``(n,)`` mean distance of each team to its ``k`` nearest neighbours (equation 3.1).

    Args:
        distances: ``(n, m)`` distances of n teams to m teams, of which the first n are the n teams
            themselves, which do not count.
        k: Number of neighbours; if there are fewer, all count.

    >>> sparseness(np.array([[0.0, 0.2, 0.8], [0.2, 0.0, 0.4], [0.8, 0.4, 0.0]]), 1)
    array([0.2, 0.2, 0.4])
    """
    to_references = distances.copy()
    np.fill_diagonal(to_references, np.inf)
    k = min(k, to_references.shape[1] - 1)
    if k < 1:
        return np.zeros(len(to_references))
    return np.asarray(np.partition(to_references, k - 1, axis=1)[:, :k].mean(axis=1))


def genotypic_distances(active: Sequence[AbstractSet[Any]]) -> F64:
    """``(n, n)`` one minus the share of programs common to two teams (equation 4.7).

    Args:
        active: Programs of each team with at least one winning bid.

    >>> genotypic_distances([{1, 2}, {2, 3}]).round(3)
    array([[0.   , 0.667],
           [0.667, 0.   ]])
    """
    n = len(active)
    distances = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            union = len(active[i] | active[j])
            shared = len(active[i] & active[j]) / union if union else 1.0
            distances[i, j] = distances[j, i] = 1.0 - shared
    return distances


def hamming_symbols(outcomes: Records) -> U8:
    """``(..., n)`` main action of a team in each match: 0 fold, 1 call, 2 raise.

    Binned mean action, with fold as 0, call as 0.5 and raise as 1; matches without a decision count
    as calls.
    """
    calls, raises = outcomes["calls"].astype(np.float64), outcomes["raises"]
    n = outcomes["folds"] + calls + raises
    means = np.where(n > 0, (0.5 * calls + raises) / np.maximum(n, 1), 0.5)
    symbols = (means >= _LEAST_OF_CALLS).astype(np.uint8) + (means > _MOST_OF_CALLS)
    return np.asarray(symbols, np.uint8)


def hamming_distances(symbols: U8) -> F64:
    """``(n, n)`` shares of matches with different symbols, from ``(n, matches)`` symbols."""
    return np.array([(symbols != row).mean(axis=1) for row in symbols])


def euclidean_distances(symbols: U8) -> F64:
    """``(n, n)`` Euclidean distances of ``(n, matches)`` symbols, divided by the maximum.

    >>> euclidean_distances(np.array([[0, 0, 2, 2], [2, 0, 2, 2]], np.uint8))[0].tolist()
    [0.0, 0.5]
    """
    points = symbols.astype(np.float64)
    squares = np.array([((points - row) ** 2).mean(axis=1) for row in points])
    return np.asarray(np.sqrt(squares) / _LARGEST_SYMBOL)


SYMBOL_DISTANCES: dict[str, Callable[[U8], F64]] = {
    "hamming": hamming_distances,
    "euclidean": euclidean_distances,
}
"""Distance functions of ``hamming_symbols``, by measure."""


def action_shares_of(outcomes: Records) -> F64:
    """``(n, 3)`` shares of folds, calls and raises of ``(n, matches)`` outcomes."""
    counts = np.stack([outcomes[name].sum(axis=1) for name in ("folds", "calls", "raises")], axis=1)
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1), np.float64)


def entropy_distances(shares: F64) -> F64:
    """``(n, n)`` symmetric relative entropies of ``(n, 3)`` action shares.

    Two teams that each have a single, different action have distance 1.

    >>> entropy_distances(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0]])).round(2)
    array([[0.  , 1.  , 0.25],
           [1.  , 0.  , 0.25],
           [0.25, 0.25, 0.  ]])
    """
    likely = np.maximum(shares, _NEVER)
    logs = np.log(likely)
    differences = likely[:, np.newaxis] - likely, logs[:, np.newaxis] - logs
    return np.asarray((differences[0] * differences[1]).sum(axis=2) / (-2.0 * np.log(_NEVER)))


def shared_fitness(scores: F64) -> F64:
    """``(n,)`` mean of ``(n, matches)`` scores, each shared among all teams that score.

    >>> shared_fitness(np.array([[1.0, 0.0], [1.0, 1.0]])).round(3)
    array([0.167, 0.417])
    """
    return np.asarray((scores / (1.0 + scores.sum(axis=0))).mean(axis=1))


class CompressionDistance:
    """Normalised compression distance of texts (equation 3.3), scaled by 1.2.

    Args:
        compressor: Name of the compressor.
        threads: Number of threads; compressors release the GIL.
    """

    def __init__(self, compressor: Compressor = "bz2", threads: int = 1) -> None:
        self._compress, self._threads = _COMPRESS[compressor], threads
        self._sizes: dict[bytes, int] = {}

    def __call__(self, first: bytes, second: bytes) -> float:
        """The distance of two texts; 0 for equal texts.

        >>> CompressionDistance()(b"call", b"call")
        0.0
        """
        if first == second:
            return 0.0
        one, other = sorted((self._size(first), self._size(second)))
        joint = len(self._compress(min(first, second) + max(first, second)))
        return float(np.clip((joint - one) / other / _LARGEST_NCD, 0.0, 1.0))

    def _size(self, text: bytes) -> int:
        if text not in self._sizes:
            self._sizes[text] = len(self._compress(text))
        return self._sizes[text]

    def distances(self, texts: Sequence[bytes], references: Sequence[bytes] = ()) -> F64:
        """``(n, n + m)`` distances of n texts to each other and to m others, once per pair."""
        self._sizes = {}
        n = len(texts)
        everything = [*texts, *references]
        for text in everything:
            self._size(text)
        pairs = [(i, j) for i in range(n) for j in range(i + 1, len(everything))]
        found = np.zeros((n, len(everything)))

        def work(pair: tuple[int, int]) -> float:
            return self(everything[pair[0]], everything[pair[1]])

        for (i, j), value in zip(pairs, thread_map(work, pairs, self._threads), strict=True):
            found[i, j] = value
            if j < n:
                found[j, i] = value
        return found


@dataclass(eq=False)
class BehaviourArchive:
    """Behaviours of teams as texts, and the distances between them.

    Attributes:
        texts: Behaviours of the teams when they entered.
        distances: ``(n, n)`` distances between them.
    """

    texts: list[bytes] = field(default_factory=list)
    distances: F64 = field(default_factory=lambda: np.zeros((0, 0)))

    def extend(
        self,
        texts: Sequence[bytes],
        distances: F64,
        novelty: F64,
        *,
        size: int,
        turnover: int,
        k: int,
    ) -> None:
        """Adds the most novel behaviours of a generation; a full archive drops the least novel.

        Section 4.3.4 of the thesis.

        Args:
            texts: Texts of the generation.
            distances: ``(n, n + m)`` distances between them, and to the archived ones.
            novelty: ``(n,)`` novelty of the texts.
            size: Largest number of texts in the archive.
            turnover: Number of texts to add.
            k: Number of neighbours for the novelty of the archived texts, which is computed anew.
        """
        n, m = len(texts), len(self.texts)
        enter = np.argsort(-novelty, kind="stable")[:turnover]
        whole = np.zeros((m + len(enter), m + len(enter)))
        whole[:m, :m] = self.distances
        whole[:m, m:] = distances[enter, n:].T
        whole[m:, :m] = distances[enter, n:]
        whole[m:, m:] = distances[np.ix_(enter, enter)]
        everything = [*self.texts, *(texts[i] for i in enter)]
        surplus = max(0, len(everything) - size)
        stay = np.arange(len(everything))
        if surplus:
            # Novelty of the archived texts, by distances to each other and to the generation.
            around = np.concatenate([self.distances, distances[:, n:].T], axis=1)
            least = np.argsort(sparseness(around, k), kind="stable")[:surplus]
            stay = np.setdiff1d(stay, least)
        self.texts, self.distances = everything, whole
        self.keep(stay)

    def keep(self, stay: I64) -> None:
        """Keeps only the given behaviours."""
        self.texts = [self.texts[i] for i in stay]
        self.distances = self.distances[np.ix_(stay, stay)]

    def to_arrays(self) -> dict[str, AnyArray]:
        """The archive as named arrays."""
        return {
            "texts": np.frombuffer(b"".join(self.texts), np.uint8),
            "lengths": np.array(list(map(len, self.texts)), np.int64),
            "distances": self.distances,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray]) -> BehaviourArchive:
        """Archive from the arrays of ``to_arrays``."""
        text, ends = arrays["texts"].tobytes(), np.cumsum(arrays["lengths"]).tolist()
        texts = [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        return cls(texts, arrays["distances"])
