"""Schedules of a run: the games of a generation, and the scores of candidates from them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from agents.match.tally import Tally
from agents.match.workers.base import Workers
from evolve.optimizers.base import CandidateScores, Optimizer
from evolve.parts import Part
from evolve.training.fitness import FitnessSettings
from nlhe_env import Game
from nlhe_env.jit.array_types import F64

Progress = Callable[[int], None]


Backend = Callable[..., Tally]
"""Function that plays a schedule: ``agents.play`` or an equivalent."""


@dataclass(frozen=True, eq=False)
class Generation:
    """A generation to play.

    Attributes:
        number: Number of the generation, from 1.
        seed: Seed of the run.
        game: Game that is played.
        candidates: Genomes of the candidates.
        optimizer: Optimizer of these candidates.
        opponents: Their opponents, in the form of the opponent policy; None if they play only each
            other.
        halls: Number of hall-of-fame members among the opponents, per sub-population.
        counts_wins: Whether the opponent policy needs the wins against each opponent.
        fitness: Fitness function that ranks the candidates.
        workers: Workers for the games; their number changes only the time.
        backend: Function that plays the games.
        on_progress: Called with numbers of finished games.
        is_last: Whether this is the last generation of the run.
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
    """Results of the games of a generation.

    Attributes:
        candidate_scores: Scores for the optimizer.
        wins: ``(n,)`` games that candidates won against each of the n opponents.
        games: ``(n,)`` games against each opponent; empty if not counted.
        hands: Number of hands in all games.
        decisions: Number of decisions in all games.
        line: Metrics of the games.
        groups: Metrics of every sub-population, if there are several.
        best: Index of the sub-population with the best champion; None if not determined.
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
class ScheduleSettings(Part):
    """The games of a generation, as a section of configurations.

    Attributes:
        every_s: Seconds between printed lines of a run.
        only_compiled: Whether the environment backend is not supported.
        whole_field: Whether all candidates and opponents play every game together, without a draw.
        needs_opponents: Whether every game needs opponents that are not candidates.
        pools_apart: Whether lineages can meet different opponents.
    """

    section = "schedule"
    every_s: ClassVar[float] = 0.0
    only_compiled: ClassVar[bool] = False
    whole_field: ClassVar[bool] = False
    needs_opponents: ClassVar[bool] = False
    pools_apart: ClassVar[bool] = False

    @property
    def by_opponent(self) -> bool:
        """Whether fitness functions can weight its results by opponent."""
        return False

    @property
    def n_games(self) -> int:
        """Games of a generation in units of the progress; 0 if unknown."""
        return 0

    @abstractmethod
    def evaluate(self, generation: Generation) -> GenerationResults:
        """Plays a generation and reads its tallies."""

    def describe(self, line: dict[str, Any], game: Game) -> str:
        """Summary of the metrics in words."""
        return ""


def best_group(
    candidate_scores: CandidateScores,
    optimizer: Optimizer,
    together: Callable[[], F64] | None = None,
) -> int | None:
    """The sub-population with the best champion, for ``GenerationResults.best``.

    Args:
        candidate_scores: Scores that decide the champions.
        optimizer: Optimizer with the sub-populations; for lineages see
            ``evolve.training.champion_selection``.
        together: Returns ``(n,)`` scores for comparing candidates of all sub-populations, if not
            their fitness. Called only if there are several.
    """
    if optimizer.groups_are == "lineages":
        return None
    if len(optimizer.groups) == 1:
        return 0
    champions = [candidate_scores.champion(rows) for rows in optimizer.groups]
    compared = candidate_scores.fitness if together is None else together()
    return int(np.argmax(compared[champions]))


def finite(value: float) -> float | None:
    """A number for JSON, with None for nan.

    >>> finite(2.5), finite(float("nan"))
    (2.5, None)
    """
    return float(value) if abs(value) < float("inf") else None
