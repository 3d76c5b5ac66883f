"""The genetic algorithm of ``evolve.optimizers.elitist`` for numbers: ask, evaluate, tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evolve.genomes.base import GenomeKind
from evolve.genomes.network_kind import NetworkVariation
from evolve.genomes.networks import Networks
from evolve.optimizers.ask_tell import AskTell
from evolve.optimizers.base import CandidateScores, EliteRecords
from evolve.optimizers.elitist import Elitist, ElitistSettings, SubPopulation
from evolve.optimizers.rollback import Rollback
from nlhe_env.arguments import number, whole_number
from nlhe_env.jit.array_types import F32, F64, AnyArray, Bool


class _Rows(Networks):
    """Rows of numbers, which breed as networks without hidden layers do."""

    @property
    def used(self) -> Bool:
        """All numbers."""
        return np.ones(self.weights.shape, bool)


def _rows(numbers: npt.ArrayLike) -> Networks:
    return _Rows.of_shape(np.asarray(numbers, np.float32), (), "")


@dataclass(frozen=True, eq=False)
class _Start(GenomeKind):
    """Numbers that start from one row, and copies of it with normal noise."""

    init: F32
    deviation: float

    def none(self) -> Networks:
        """No rows."""
        return _rows(np.empty((0, len(self.init))))

    def first(self, n: int, variation: Any, *, rng: np.random.Generator) -> Networks:
        """The start, and copies of it with noise on every number."""
        noise = rng.standard_normal((n - 1, len(self.init)))
        return _rows(np.vstack([self.init, self.init + self.deviation * noise]))

    def from_arrays(self, arrays: Mapping[str, AnyArray]) -> Networks:
        """Rows from the arrays of ``to_arrays``."""
        return _rows(arrays["weights"])


class Genetic(AskTell):
    """The published genetic algorithm: weighted means of elites, and noise on some weights.

    G. Nicolai (MSc thesis, University of Regina, 2008), section 4.1.6: ``"elitist"`` for rows of
    numbers that start from one row. For good solutions far from ``init``, and as a baseline: the
    first evolved poker networks used it.

    With ``parents_mean=0`` and ``mutation_rate=1`` it is ``"mutation"``, the simple genetic
    algorithm of F. P. Such et al., "Deep Neuroevolution: Genetic Algorithms Are a Competitive
    Alternative for Training Deep Neural Networks for Reinforcement Learning" (2017,
    arXiv:1712.06567), algorithm 1: each child is a uniformly drawn parent plus noise on every
    weight. The paper evaluates the ten best of its twenty parents more often to find its one elite;
    here they survive, and the next generation is their further evaluation.

    Args:
        init: ``(n_parameters,)`` where the search starts.
        population: Candidates of a generation, at least 2.
        sigma: Standard deviation of a mutation (published: 0.1).
        seed: Seed of all random choices.
        elites: Candidates that survive unchanged and come first in the next generation. By default
            all parents, or half of them if each child has one; at least one.
        parents: Candidates that breed. By default as many as ``elites``, or a tenth of the
            population (published), at least one.
        parents_mean: Mean of the exponential number of parents beyond the first; 0 for one parent.
        mutation_rate: Chance of each weight of a child to mutate.
        initial_sigma: Standard deviation around ``init`` in the first generation. By default 0.5
            (published, around zero), or ``sigma`` if each child has one parent.
        novelty: Whether parents are selected by fitness and novelty of behaviour. ``tell`` then
            needs the behaviour. By default fitness alone selects them.

    Raises:
        ValueError: An argument is out of its range.
    """

    growing = ("archive",)
    _records: EliteRecords
    """Re-evaluations of the elites."""

    def __init__(
        self,
        init: npt.ArrayLike,
        *,
        population: int,
        sigma: float,
        seed: int,
        elites: int | None = None,
        parents: int | None = None,
        parents_mean: float = 1.5,
        mutation_rate: float = 0.1,
        initial_sigma: float | None = None,
        novelty: bool = False,
    ) -> None:
        super().__init__(init, population=population, sigma=sigma, seed=seed)
        crosses, most = parents_mean != 0, self.population - 1
        if elites is not None:
            whole_number("elites", elites, least=1, most=most)
        if parents is None:
            parents = elites if elites is not None and crosses else max(1, population // 10)
        n_parents = whole_number("parents", parents, least=1, most=most)
        if elites is None:
            elites = parents if crosses else max(1, parents // 2)
        if initial_sigma is None:
            initial_sigma = 0.5 if crosses else sigma
        self.novelty = bool(novelty)
        self._search = Elitist(
            ElitistSettings(
                population=self.population,
                elites=elites,
                parents_by="novelty" if novelty else "elites",
            ),
            _Start(self.init, number("initial_sigma", initial_sigma, least=0.0, above=True)),
            NetworkVariation(
                parents_mean=parents_mean, mutation_rate=mutation_rate, mutation_std=self.sigma
            ),
            self.seed,
            n_parents,
        )
        self._put(
            {
                "elites": np.tile(self.init, (elites, 1)),
                "elite_rank_sums": np.zeros(elites),
                "elite_evaluations": np.zeros(elites, np.int64),
                "parents": np.tile(self.init, (n_parents, 1)),
                "archive": np.empty((0, 0)),
            }
        )

    @property
    def n_selected(self) -> int:
        """Number of parents; with novelty, of elites: fitness alone selects only these."""
        return self._search.n_elites if self.novelty else self._search.n_parents

    def recommend(self) -> F32:
        """The elite with the best re-evaluations.

        The criterion is the mean of centred ranks, shrunk towards the population's as if by one
        additional average evaluation. So one good re-evaluation counts less than many. While no
        elite has been re-evaluated, the first is deployed.
        """
        scores = np.where(self._records.generations > 0, self._records.fitness, -np.inf)
        best: F32 = self._arrays()["elites"][int(np.argmax(scores))].copy()
        return best

    def _sample(self, rng: np.random.Generator) -> F32 | F64:
        candidates: F32 = self._search.draw(rng).weights
        return candidates

    def _learn(self, candidates: F32, fitness: F64, behaviour: F64 | None) -> None:
        if behaviour is None:
            if self.novelty:
                raise ValueError("novelty needs the behaviour of the candidates; got none")
            behaviour = np.empty((self.population, 0))
        scores = CandidateScores(fitness, behaviour)
        self._search.tell(scores)
        known = self._records if self.generation else EliteRecords.none()
        order = scores.ranking(slice(0, self.population))[: self._search.n_elites]
        self._records = known.after_generation(fitness, first_counts=False)[order]

    def _arrays(self) -> dict[str, AnyArray]:
        sub = self._search.sub_populations[0]
        return {
            "elites": sub.elites.weights,
            "elite_rank_sums": self._records.rank_sums,
            "elite_evaluations": self._records.generations,
            "parents": sub.genomes[sub.parents].weights,
            "archive": sub.archive,
        }

    def _put(self, arrays: dict[str, AnyArray]) -> None:
        elites, parents = _rows(arrays["elites"]), _rows(arrays["parents"])
        self._records = EliteRecords(arrays["elite_rank_sums"], arrays["elite_evaluations"])
        sub = SubPopulation(
            genomes=Networks.join(elites, parents),
            chances=np.empty(0),
            elites=elites,
            champion=elites[:1],
            retreat=Rollback.none(elites),
            parents=len(elites) + np.arange(len(parents)),
            archive=arrays["archive"],
        )
        self._search.sub_populations = (sub,)
        self._search.generation = self.generation
