"""Behaviours as text: those that the search for novelty remembers, and those of a hall of fame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evolve.optimizers.symbiosis.diversity import sparseness
from nlhe_env.jit.array_types import F64, I64, AnyArray


@dataclass(eq=False)
class BehaviourArchive:
    """Texts, with which their teams entered, and the distances between them.

    Attributes:
        texts: Behaviours.
        distances: ``(n, n)`` between them.
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
        """The most novel behaviours of a generation enter; when full, the least novel leave.

        Section 4.3.4 of the thesis.

        Args:
            texts: Texts of the generation.
            distances: ``(n, n + m)`` between them, and to those that are here.
            novelty: ``(n,)``.
            size: Most texts.
            turnover: How many enter.
            k: Neighbours that make the novelty of those here, which is found anew.
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
            # Those here by their distances to each other and to the generation.
            around = np.concatenate([self.distances, distances[:, n:].T], axis=1)
            least = np.argsort(sparseness(around, k), kind="stable")[:surplus]
            stay = np.setdiff1d(stay, least)
        self.texts, self.distances = everything, whole
        self.keep(stay)

    def keep(self, stay: I64) -> None:
        """Only some behaviours stay."""
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
        """The archive that ``to_arrays`` wrote."""
        text, ends = arrays["texts"].tobytes(), np.cumsum(arrays["lengths"]).tolist()
        texts = [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        return cls(texts, arrays["distances"])
