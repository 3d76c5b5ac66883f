"""Policies of opponents: whom the candidates of a run meet, and who enters and leaves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evolve.genomes.base import GenomeKind
from evolve.optimizers.base import CandidateScores, Optimizer
from nlhe_env.jit.array_types import F64, AnyArray


@dataclass(frozen=True, eq=False)
class Results:
    """The results of a generation, as far as its opponents need them.

    Attributes:
        candidates: Candidates that met them, as genomes.
        candidate_scores: About the candidates; has the fitness of members that were ranked with
            them.
        wins: ``(n,)`` games that candidates won against each opponent of the policy.
        games: ``(n,)`` games against each.
    """

    candidates: Any
    candidate_scores: CandidateScores
    wins: F64
    games: F64


class OpponentPolicy(ABC):
    """Opponents that the candidates meet; changes in place from generation to generation."""

    @abstractmethod
    def meet(self, candidates: Any, optimizer: Optimizer, generation: int) -> Any:
        """The opponents of a generation; None if candidates meet only each other.

        Most policies give ``Opponents``; others are for one schedule. Asked again before ``learn``,
        it returns the same.
        """

    @abstractmethod
    def learn(self, results: Results, optimizer: Optimizer, generation: int) -> None:
        """Takes in the results of a generation, after the optimizer."""

    @abstractmethod
    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""

    @abstractmethod
    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state of a policy with the same values.

        Raises:
            KeyError: An array is missing.
        """

    def halls(self) -> Sequence[Any]:
        """Members of the hall of fame of every sub-population, as genomes; empty without halls."""
        return ()

    def entered(self, generation: int) -> list[int]:
        """Numbers of players that entered the hall of every sub-population after a generation."""
        return []

    def describe(self) -> dict[str, Any]:
        """Values about the opponents for a line of metrics."""
        return {}

    def files(self) -> dict[str, dict[str, AnyArray]]:
        """Arrays that others read, by the name of their file."""
        return {}


@dataclass(frozen=True, kw_only=True)
class OpponentSettings(ABC):
    """The values of a policy, as a section of configurations.

    Attributes:
        ranked: Whether members are ranked with the candidates, in tournaments of all together.
    """

    ranked: ClassVar[bool]

    @abstractmethod
    def make(self, kind: GenomeKind, n_groups: int, *, seats: int, seed: int) -> OpponentPolicy:
        """The policy before the first generation.

        Args:
            kind: Kind of the genomes.
            n_groups: Sub-populations.
            seats: At a table.
            seed: Seed of the run.
        """

    def scaled(self, scale: Any) -> OpponentSettings:
        """Settings with sizes multiplied, by a function of a size."""
        return self


def no_games() -> tuple[F64, F64]:
    """Wins and games where they are not counted."""
    return np.empty(0), np.empty(0)
