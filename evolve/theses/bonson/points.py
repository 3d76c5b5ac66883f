"""Points: the matches of a generation, which age and are replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agents import CompiledPlayer
from agents.theses.bonson.dealt import CATEGORIES, MatchLibrary
from agents.theses.bonson.dealt.sessions import Session
from nlhe_env.jit.array_types import I64, AnyArray


@dataclass(eq=False)
class Points:
    """A population of matches.

    Attributes:
        matches: ``(9, n)`` numbers of matches, a row for each category. Column j belongs to the
            opponent in slot ``j % slots``.
        slots: Number of opponents.
        oldest: Column of the oldest match of each category.
    """

    matches: I64
    slots: int
    oldest: int = 0

    @classmethod
    def draw(cls, library: MatchLibrary, n: int, slots: int, rng: np.random.Generator) -> Points:
        """At most ``n`` matches, in equal numbers for each category and slot."""
        each = n // (CATEGORIES * slots) * slots
        rows = [library.draw_of(category, each, rng) for category in range(CATEGORIES)]
        return cls(np.array(rows), slots)

    def refresh(self, library: MatchLibrary, share: float, rng: np.random.Generator) -> None:
        """Replaces the oldest share of each category by matches not yet included."""
        n = self.matches.shape[1]
        columns = (self.oldest + np.arange(round(share * n))) % n
        if not len(columns):
            return
        for category, row in enumerate(self.matches):
            drawn = library.draw_of(category, n + len(columns), rng)
            row[columns] = drawn[~np.isin(drawn, row)][: len(columns)]
        self.oldest = int((self.oldest + len(columns)) % n)

    def sessions(self, opponents: Sequence[CompiledPlayer]) -> list[Session]:
        """The matches against the opponent of each slot, alternating between categories."""
        return [
            Session(player, np.ascontiguousarray(self.matches[:, slot :: self.slots].T.ravel()))
            for slot, player in enumerate(opponents)
        ]

    def to_arrays(self) -> dict[str, AnyArray]:
        """The points as named arrays."""
        return {"matches": self.matches.copy(), "oldest": np.array(self.oldest)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, AnyArray], slots: int) -> Points:
        """Points from the arrays of ``to_arrays``."""
        return cls(arrays["matches"].copy(), slots, int(arrays["oldest"]))
