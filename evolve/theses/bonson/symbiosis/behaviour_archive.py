"""Archives of behaviours as text, for novelty search and for a hall of fame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evolve.theses.bonson.symbiosis.diversity import sparseness
from nlhe_env.jit.array_types import F64, I64, AnyArray


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
