"""Opponent policies: the opponents of a run's candidates and their replacement."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from evolve.genomes.base import GenomeKind
from evolve.optimizers.base import CandidateScores, Optimizer
from evolve.parts import Part
from nlhe_env.jit.array_types import F64, AnyArray


@dataclass(frozen=True, eq=False)
class OpponentResults:
    """Results of a generation for the opponent policy.

    Attributes:
        candidates: Genomes of the candidates.
        candidate_scores: Scores of the candidates, and the fitness of hall members ranked with
            them.
        wins: ``(n,)`` games that candidates won against each opponent of the policy.
        games: ``(n,)`` games against each opponent.
    """

    candidates: Any
    candidate_scores: CandidateScores
    wins: F64
    games: F64


class OpponentPolicy(ABC):
    """Opponents of the candidates; changes in place after every generation."""

    @abstractmethod
    def select(self, candidates: Any, optimizer: Optimizer, generation: int) -> Any:
        """The opponents of a generation; None if candidates meet only each other.

        Most policies return ``Opponents``; others are for one schedule. Repeated calls before
        ``learn`` return the same opponents.
        """

    def learn(  # noqa: B027  (fixed opponents do not learn)
        self, results: OpponentResults, optimizer: Optimizer, generation: int
    ) -> None:
        """Updates the opponents with the results of a generation, after the optimizer."""

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""
        return {}

    def restore(self, state: Mapping[str, AnyArray]) -> None:  # noqa: B027
        """Continues from a state of a policy with the same settings.

        Raises:
            KeyError: An array is missing.
        """

    def halls(self) -> Sequence[Any]:
        """Genomes of the hall of fame of every sub-population; empty without halls."""
        return ()

    def entered(self, generation: int) -> list[int]:
        """Number of players that entered each sub-population's hall after a generation."""
        return []

    def describe(self) -> dict[str, Any]:
        """Metrics of the opponents."""
        return {}

    def files(self) -> dict[str, dict[str, AnyArray]]:
        """Arrays for other programs, by file name."""
        return {}


@dataclass(frozen=True, kw_only=True)
class OpponentSettings(Part):
    """Settings of a policy, as a section of configurations.

    Attributes:
        ranked: Whether members are ranked with the candidates in common tournaments.
        drawing: Values that affect only the draw of opponents.
    """

    section = "opponents"
    ranked: ClassVar[bool]
    drawing: ClassVar[tuple[str, ...]] = ()

    def check_partners(self, config: Any) -> None:
        """Check that members are ranked if they must be, and that values have an effect."""
        super().check_partners(config)
        if self.ranked and not config.schedule.whole_field:
            raise ValueError(
                f'opponents "{config.kind("opponents")}" are ranked with the candidates and need '
                'schedule "tournaments"'
            )
        defaults = {one.name: one.default for one in fields(self)}
        for key in self.drawing if config.schedule.whole_field else ():
            if getattr(self, key) != defaults[key]:
                raise ValueError(
                    f'{key} has no effect with schedule "{config.kind("schedule")}", where all '
                    f"opponents play every tournament: leave it at {defaults[key]!r}; got "
                    f"{getattr(self, key)!r}"
                )

    @abstractmethod
    def make(self, kind: GenomeKind, n_groups: int, *, seats: int, seed: int) -> OpponentPolicy:
        """Creates the policy in its initial state.

        Args:
            kind: Kind of the genomes.
            n_groups: Number of sub-populations.
            seats: Seats of a table.
            seed: Seed of the run.
        """

    def scaled(self, scale: Any) -> OpponentSettings:
        """Settings with all sizes mapped by a function."""
        return self


def no_games() -> tuple[F64, F64]:
    """Empty wins and games, where they are not counted."""
    return np.empty(0), np.empty(0)
