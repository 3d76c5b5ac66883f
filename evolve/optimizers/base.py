"""Ask-and-tell optimizers of genomes with array states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np

from evolve.genomes.base import GenomeKind, Genomes
from evolve.optimizers.ask_tell import AskTell
from nlhe_env.jit.array_types import F32, F64, I64, AnyArray

Contest: TypeAlias = Callable[[Any, int, int, np.random.Generator], Any]
"""Selects the best children; its arguments are the children, the number to keep, the number of
their sub-population and a random generator."""


@dataclass(frozen=True, eq=False)
class CandidateScores:
    """Scores of the candidates from the games of a generation; larger is better.

    Attributes:
        fitness: ``(n,)`` fitness of every candidate.
        behaviour: ``(n, n_measures)`` behaviour of every candidate.
        picks: ``(n,)`` selection criterion of the champion; None for the fitness.
        chances: ``(n,)`` selection probabilities of parents; None if the elites breed.
        halls: Fitness of the hall-of-fame members of every sub-population.
    """

    fitness: F64
    behaviour: F64
    picks: F64 | None = None
    chances: F64 | None = None
    halls: Sequence[F64] = ()

    def ranking(self, rows: slice) -> I64:
        """Indices of some candidates, best first; ties keep their order."""
        return np.asarray(rows.start + np.argsort(-self.fitness[rows], kind="stable"))

    def champion(self, rows: slice) -> int:
        """Index of the champion among some candidates."""
        values = self.fitness if self.picks is None else self.picks
        return int(rows.start + np.argmax(values[rows]))


class Optimizer(ABC):
    """Base class of genome optimizers, which maximise fitness.

    One generation is one ``ask`` followed by one ``tell``.

    Attributes:
        population: Candidates of a generation.
        groups: Candidates of each sub-population; only these are compared with each other.
        n_survivors: Number of previous elites, which come first in every sub-population.
        n_elites: Number of elites of each sub-population.
        n_selected: Number of selected candidates of each sub-population.
        groups_are: Name of the groups in the metrics.
    """

    population: int
    groups: list[slice]
    n_survivors: int = 0
    n_elites: int
    n_selected: int
    groups_are: ClassVar[str] = "sub_populations"

    @abstractmethod
    def ask(self, *, halls: Sequence[Any] = (), contest: Contest | None = None) -> Any:
        """The candidates of the next generation, as genomes.

        Args:
            halls: Members of the hall of fame of every sub-population.
            contest: Selects among children when there are more than places.
        """

    @abstractmethod
    def tell(self, candidate_scores: CandidateScores) -> list[dict[str, Any]]:
        """Update the optimizer with the scores of the candidates.

        Returns:
            Metrics of every sub-population.
        """

    @abstractmethod
    def elites(self, group: int) -> Any:
        """The best genomes of the generation evaluated last, best first."""

    @abstractmethod
    def recommend(self, group: int = 0) -> Any:
        """The recommended genome, a batch of one."""

    @abstractmethod
    def initial_candidate(self, group: int = 0) -> Any:
        """Initial genome, a batch of one; empty if training starts from a population."""

    @abstractmethod
    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""

    @abstractmethod
    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state of an optimizer made with the same arguments.

        Raises:
            KeyError: An array is missing.
            ValueError: The state is from another optimizer.
        """

    def genealogy(self) -> list[dict[str, Any]]:
        """Parents and ranks of the generation evaluated last, by group.

        Returns:
            ``ranks`` of the candidates, and their ``parents`` as ranks in the previous generation;
            empty if the optimizer does not breed. See ``ParentLog``.
        """
        return []

    def files(self) -> dict[str, dict[str, AnyArray]]:
        """Arrays for other programs, by file name."""
        return {}


class BreedingOptimizer(Optimizer):
    """An optimizer that starts from a population of genomes, and varies them.

    Args:
        settings: Settings of the optimizer.
        kind: Kind of the genomes.
        variation: Variation that creates children.
        seed: Seed of all random choices.
    """

    def __init__(self, settings: Any, kind: GenomeKind, variation: Any, seed: int) -> None:
        self.population = settings.population
        self.groups = [slice(0, self.population)]
        self.generation = 0
        self._kind, self._variation, self._seed = kind, variation, seed
        self._champion: Any = kind.none()
        self._genealogy: list[dict[str, Any]] = []

    def genealogy(self) -> list[dict[str, Any]]:
        """Parents and ranks of the generation evaluated last."""
        return self._genealogy

    def recommend(self, group: int = 0) -> Any:
        """The champion of the generation evaluated last.

        Raises:
            RuntimeError: There has been no ``tell`` yet.
        """
        if not self.generation:
            raise RuntimeError("there is no champion before the first generation")
        return self._champion_of(group)

    def _champion_of(self, group: int) -> Any:
        """Champion of a group, a batch of one genome."""
        return self._champion

    def initial_candidate(self, group: int = 0) -> Any:
        """No genome: the first generation is a population."""
        return self._kind.none()


class NumberOptimizer(Optimizer):
    """A numeric optimizer over genomes that are rows of numbers."""

    def __init__(self, numbers: AskTell, kind: GenomeKind) -> None:
        self.numbers = numbers
        self.population = numbers.population
        self.groups = [slice(0, self.population)]
        self.n_selected = numbers.n_selected
        self.n_elites = max(1, self.population // 10)
        self._kind = kind
        self._elites: Genomes = kind.none()
        self._asked: Genomes = self._elites
        self._numbers: F32 = np.empty((0, 0), np.float32)

    def ask(self, *, halls: Sequence[Any] = (), contest: Contest | None = None) -> Any:
        """The candidates of the next generation, without breeding."""
        self._numbers = self.numbers.ask()
        self._asked = self._kind.of_numbers(self._numbers)
        return self._asked

    def tell(self, candidate_scores: CandidateScores) -> list[dict[str, Any]]:
        """Updates the numeric optimizer with the scores of its last candidates."""
        self.numbers.tell(candidate_scores.fitness, candidate_scores.behaviour)
        self._elites = self._asked[candidate_scores.ranking(self.groups[0])[: self.n_elites]]
        recommend = self.numbers.recommend().astype(np.float64)
        return [
            {
                # Root mean squares over the numbers.
                "spread": float(np.sqrt(np.var(self._numbers, axis=0, dtype=np.float64).mean())),
                "weight_size": float(np.sqrt(np.mean(np.square(recommend)))),
            }
        ]

    def elites(self, group: int) -> Any:
        """The best candidates of the generation evaluated last."""
        return self._elites

    def recommend(self, group: int = 0) -> Any:
        """The recommended genome; never merely the luckiest candidate."""
        return self._kind.of_numbers(self.numbers.recommend()[np.newaxis])

    def initial_candidate(self, group: int = 0) -> Any:
        """Genome of the optimizer's initial parameters."""
        return self._kind.of_numbers(self.numbers.init[np.newaxis])

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue."""
        return self.numbers.state()

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state."""
        self.numbers.restore(state)
