"""The genetic algorithms: Nicolai's with crossover, and one of mutation alone.

Both can choose parents by novelty besides fitness, see ``evolve.optimizers.novelty``.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import numpy.typing as npt

from evolve import seeds
from evolve.genomes import operators
from evolve.optimizers.ask_tell import AskTell, check_chance, check_count, check_positive
from evolve.optimizers.elites import Elites
from evolve.optimizers.novelty import novelty, nsga2_rank, update_novelty_archive
from nlhe_env.jit.array_types import F32, F64, I64, AnyArray

NEIGHBOURS = 15
"""Number of nearest behaviours over which novelty averages the distance."""
ARCHIVE_CHANCE = 0.05
"""Probability that a behaviour enters the archive."""
ARCHIVE_CAPACITY = 1000
"""Largest size of the archive; random behaviours leave beyond it."""


class _Elitist(AskTell):
    """Elites survive unchanged and come first in the generation; children fill the rest.

    The first generation is ``init`` and copies of it with normal noise on every parameter. Elites
    are the candidates with the largest fitness. So are parents, unless novelty is the second
    objective: then ``evolve.optimizers.novelty.nsga2_rank`` selects the parents.
    """

    growing = ("archive",)

    def __init__(
        self,
        init: npt.ArrayLike,
        *,
        population: int,
        sigma: float,
        seed: int,
        elites: int,
        parents: int,
        initial_sigma: float,
        novelty: bool,
    ) -> None:
        super().__init__(init, population=population, sigma=sigma, seed=seed)
        self.initial_sigma = check_positive("initial_sigma", initial_sigma)
        self.novelty = bool(novelty)
        self._elites = Elites(check_count("elites", elites, self.population - 1), self.init)
        n_parents = check_count("parents", parents, self.population - 1)
        self._parents: F32 = np.tile(self.init, (n_parents, 1))
        self._archive: F64 = np.empty((0, 0))

    @property
    def n_selected(self) -> int:
        """Number of parents; with novelty, of elites: fitness alone selects only these."""
        return len(self._elites) if self.novelty else len(self._parents)

    def recommend(self) -> F32:
        """The elite with the best re-evaluations; see ``Elites.recommend``."""
        return self._elites.recommend()

    def _sample(self, rng: np.random.Generator) -> F32 | F64:
        if self.generation == 0:
            noise = rng.standard_normal((self.population - 1, self.n_parameters))
            return np.vstack([self.init, self.init + self.initial_sigma * noise])
        elites = self._elites.weights
        return np.vstack([elites, self._children(self.population - len(elites), rng)])

    @abstractmethod
    def _children(self, n: int, rng: np.random.Generator) -> F64:
        """``(n, n_parameters)`` children of the best candidates of the last generation."""

    def _learn(self, candidates: F32, fitness: F64, behaviour: F64 | None) -> None:
        order = np.argsort(-fitness, kind="stable")
        if self.novelty:
            order = self._rank_with_novelty(fitness, behaviour)
        self._elites.select(candidates, fitness, first_generation=self.generation == 0)
        self._parents = candidates[order[: len(self._parents)]]

    def _rank_with_novelty(self, fitness: F64, behaviour: F64 | None) -> I64:
        """Candidates by both objectives, best first; adds some of them to the archive."""
        if behaviour is None:
            raise ValueError("novelty needs the behaviour of the candidates; got none")
        archive = self._archive if len(self._archive) else np.empty((0, behaviour.shape[1]))
        order = nsga2_rank(fitness, novelty(behaviour, archive, k=NEIGHBOURS))
        rng = seeds.generator(self.seed, seeds.OPTIMIZER, self.generation, 1)
        archive = update_novelty_archive(archive, behaviour, chance=ARCHIVE_CHANCE, rng=rng)
        self._archive = archive[np.sort(rng.permutation(len(archive))[:ARCHIVE_CAPACITY])]
        return order

    def _arrays(self) -> dict[str, AnyArray]:
        return {**self._elites.arrays(), "parents": self._parents, "archive": self._archive}

    def _put(self, arrays: dict[str, AnyArray]) -> None:
        self._elites.put(arrays)
        self._parents = arrays["parents"].astype(np.float32)
        self._archive = arrays["archive"].astype(np.float64)


class Genetic(_Elitist):
    """The published genetic algorithm: weighted means of elites, and noise on some weights.

    G. Nicolai (MSc thesis, University of Regina, 2008), section 4.1.6; the operators are those of
    ``evolve.genomes.operators``. For good solutions far from ``init``, and as a baseline: the first
    evolved poker networks used it.

    Args:
        init: ``(n_parameters,)`` where the search starts.
        population: Candidates of a generation, at least 2.
        sigma: Standard deviation of a mutation (published: 0.1).
        seed: Seed of all random choices.
        elites: Candidates that survive and breed. By default a tenth of the population
            (published), at least one.
        parents_mean: Mean of the exponential number of parents beyond the first.
        mutation_rate: Chance of each weight of a child to mutate.
        initial_sigma: Standard deviation around ``init`` in the first generation (published:
            0.5 around zero).
        novelty: Whether parents, as many as elites, are selected by fitness and novelty of
            behaviour. ``tell`` then needs the behaviour. By default the elites are the parents.

    Raises:
        ValueError: An argument is out of its range.
    """

    def __init__(
        self,
        init: npt.ArrayLike,
        *,
        population: int,
        sigma: float,
        seed: int,
        elites: int | None = None,
        parents_mean: float = 1.5,
        mutation_rate: float = 0.1,
        initial_sigma: float = 0.5,
        novelty: bool = False,
    ) -> None:
        if elites is None:
            elites = max(1, population // 10)
        super().__init__(
            init,
            population=population,
            sigma=sigma,
            seed=seed,
            elites=elites,
            parents=elites,
            initial_sigma=initial_sigma,
            novelty=novelty,
        )
        self.parents_mean = check_positive("parents_mean", parents_mean)
        self.mutation_rate = check_chance("mutation_rate", mutation_rate)

    def _children(self, n: int, rng: np.random.Generator) -> F64:
        most = len(self._parents)
        counts = operators.parent_counts(n, mean=self.parents_mean, most=most, rng=rng)
        parents = operators.choose_parents(counts, most, rng=rng)
        shares = operators.draw_shares(counts, parents.shape[1], rng=rng)
        return operators.mutate(
            operators.cross(self._parents, parents, shares),
            mutation_rate=self.mutation_rate,
            deviation=self.sigma,
            rng=rng,
        )


class Mutation(_Elitist):
    """The simple genetic algorithm: no crossover, noise on every weight.

    F. P. Such et al., "Deep Neuroevolution: Genetic Algorithms Are a Competitive Alternative for
    Training Deep Neural Networks for Reinforcement Learning" (2017, arXiv:1712.06567), algorithm 1:
    truncation selection; each child is a uniformly drawn parent plus normal noise. The paper
    evaluates the ten best of its twenty parents more often to find its one elite. Here the best
    half of the parents survive, and the next generation is their further evaluation.

    Args:
        init: ``(n_parameters,)`` where the search starts.
        population: Candidates of a generation, at least 2.
        sigma: Standard deviation of a mutation.
        seed: Seed of all random choices.
        parents: Candidates that breed, at most one less than the population. By default a tenth of
            the population, at least one.
        elites: Candidates that survive, at most as many as ``parents``. By default half as many, at
            least one.
        initial_sigma: Standard deviation around ``init`` in the first generation. By default
            ``sigma``.
        novelty: Whether parents are selected by fitness and novelty of behaviour. ``tell`` then
            needs the behaviour. By default fitness alone selects them.

    Raises:
        ValueError: An argument is out of its range.
    """

    def __init__(
        self,
        init: npt.ArrayLike,
        *,
        population: int,
        sigma: float,
        seed: int,
        parents: int | None = None,
        elites: int | None = None,
        initial_sigma: float | None = None,
        novelty: bool = False,
    ) -> None:
        if parents is None:
            parents = max(1, population // 10)
        if elites is None:
            elites = max(1, parents // 2)
        super().__init__(
            init,
            population=population,
            sigma=sigma,
            seed=seed,
            elites=elites,
            parents=parents,
            initial_sigma=sigma if initial_sigma is None else initial_sigma,
            novelty=novelty,
        )
        check_count("elites", elites, parents)

    def _children(self, n: int, rng: np.random.Generator) -> F64:
        chosen = self._parents[rng.integers(len(self._parents), size=n)]
        return operators.mutate(
            chosen.astype(np.float64), mutation_rate=1.0, deviation=self.sigma, rng=rng
        )
