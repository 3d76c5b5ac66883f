"""Schedules of a run: which games a generation plays, and what they say about the candidates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from agents.match.tally import Tally
from evolve.optimizers.base import CandidateScores, Optimizer
from evolve.training.fitness import FitnessSettings
from evolve.workers import Workers
from nlhe_env import Game
from nlhe_env.jit.array_types import F64

Progress = Callable[[int], None]


Backend = Callable[..., Tally]
"""Plays a schedule: ``agents.play``, or another way to the same tallies."""


@dataclass(frozen=True, eq=False)
class Generation:
    """A generation that is to be played.

    Attributes:
        number: Counted from 1.
        seed: Seed of the run.
        game: Game that is played.
        candidates: The genomes.
        optimizer: Optimizer that asked for them.
        opponents: Opponents that they meet, as their policy gives them to its schedules; None for
            each other alone.
        halls: Members of the halls of fame among the opponents, counted for every sub-population.
        counts_wins: Whether the policy of the opponents wants to know who beat whom.
        fitness: Fitness that ranks the candidates.
        workers: Workers that play; their number changes nothing but the time.
        backend: How they play.
        on_progress: Called with the number of games that are finished.
        is_last: Whether the run ends after so many generations.
    """

    number: int
    seed: int
    game: Game
    candidates: Any
    optimizer: Optimizer
    opponents: Any
    halls: tuple[int, ...]
    counts_wins: bool
    fitness: FitnessSettings
    workers: Workers
    backend: Backend
    on_progress: Progress | None = None
    is_last: bool = False


@dataclass(frozen=True, eq=False)
class GenerationResults:
    """The results of the games of a generation.

    Attributes:
        candidate_scores: For the optimizer.
        wins: ``(n,)`` games that candidates won against each opponent of the policy.
        games: ``(n,)`` games against each; empty where they are not counted.
        hands: Hands of all games.
        decisions: Decisions in them.
        line: Values about the games for a line of metrics.
        groups: Values for every sub-population, where there are several.
        best: The sub-population with the best champion; None where the schedule does not say.
    """

    candidate_scores: CandidateScores
    wins: F64
    games: F64
    hands: int
    decisions: int
    line: dict[str, Any]
    groups: tuple[dict[str, Any], ...] = ()
    best: int | None = None


@dataclass(frozen=True, kw_only=True)
class ScheduleSettings(ABC):
    """The games of a generation, as a section of configurations.

    Attributes:
        every_s: Seconds between the lines that a run prints.
        only_compiled: Whether the environment cannot play the games.
    """

    every_s: ClassVar[float] = 0.0
    only_compiled: ClassVar[bool] = False

    @property
    @abstractmethod
    def n_games(self) -> int:
        """Games of a generation, as progress counts them; 0 if that is not known before."""

    @abstractmethod
    def evaluate(self, generation: Generation) -> GenerationResults:
        """Plays a generation and reads its tallies."""

    @abstractmethod
    def describe(self, line: dict[str, Any], game: Game) -> str:
        """A line of metrics in words."""


def best_group(
    candidate_scores: CandidateScores,
    optimizer: Optimizer,
    together: Callable[[], F64] | None = None,
) -> int | None:
    """The sub-population with the best champion, for ``GenerationResults.best``.

    Args:
        candidate_scores: Says who its champion is.
        optimizer: Whose; among lineages others choose, see ``evolve.training.champion_selection``.
        together: Gives what candidates of all sub-populations are compared by, ``(n,)``, if that is
            not their fitness. Called only where there are several.
    """
    if optimizer.groups_are == "lineages":
        return None
    if len(optimizer.groups) == 1:
        return 0
    champions = [candidate_scores.champion(rows) for rows in optimizer.groups]
    compared = candidate_scores.fitness if together is None else together()
    return int(np.argmax(compared[champions]))


def finite(value: float) -> float | None:
    """A number for JSON, which has no nan.

    >>> finite(2.5), finite(float("nan"))
    (2.5, None)
    """
    return float(value) if abs(value) < float("inf") else None
