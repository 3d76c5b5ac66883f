"""Tiered survival and elite reproduction."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from evolve.genomes import operators
from evolve.optimizers.ask_tell import AskTell
from nlhe_env.arguments import number, share, whole_number
from nlhe_env.jit.array_types import F32, F64, I64

_LEAST_ELITES = 2


class Tiered(AskTell):
    """The genetic algorithm of ASHE: elites survive unchanged and breed; others survive mutated.

    X. Li, *Opponent Modeling and Exploitation in Poker Using Evolved Recurrent Neural Networks*
    (PhD thesis, University of Texas at Austin, 2018), sections 4.2.2 and 4.3.1. The best share of
    the population survives. Survivors whose fitness is above the mean of the survivors, at least
    two, are elites: they come first in the next generation, unchanged. The other survivors come
    next, mutated. Children fill the remaining places: the genes at odd and even positions of two
    different elites, mutated. All are evaluated anew in every generation.

    For genomes of many numbers whose fitness is the outcome of a few games.

    Args:
        init: ``(n_parameters,)`` around which the first generation is drawn.
        population: Candidates of a generation, at least 4.
        sigma: Initial standard deviation of mutations (published: 0.5).
        seed: Seed of all random choices.
        survival: Share of the population that survives.
        final_sigma: Final standard deviation of mutations; by default a fifth of ``sigma``.
        mutation_rate: Initial probability of each gene to mutate.
        final_mutation_rate: Final probability of each gene to mutate.
        decline: Generations over which both fall, linearly.
        initial_sigma: Standard deviation around ``init`` in the first generation.
        parts: Lengths of the parts of the genome that evolve in turn, such as several networks; by
            default one part.
        turn: Generations of a turn. Each turn begins with copies of the last champion, mutated in
            the part whose turn it is; nothing else changes.
        turns: Generations of each part's turn, if the turns have different lengths.

    Raises:
        ValueError: An argument is out of its range.
    """

    least_population = 4
    state_arrays = ("survivors", "n_elites")
    growing = ("survivors",)
    constants = ("survival", "mutation_rate", "final_mutation_rate")

    def __init__(
        self,
        init: npt.ArrayLike,
        *,
        population: int,
        sigma: float,
        seed: int,
        survival: float = 0.3,
        final_sigma: float | None = None,
        mutation_rate: float = 0.25,
        final_mutation_rate: float = 0.05,
        decline: int = 250,
        initial_sigma: float = 0.5,
        parts: tuple[int, ...] = (),
        turn: int = 50,
        turns: tuple[int, ...] = (),
    ) -> None:
        super().__init__(init, population=population, sigma=sigma, seed=seed)
        self.survival = share("survival", survival)
        last = sigma / 5 if final_sigma is None else final_sigma
        self.final_sigma = number("final_sigma", last, least=0.0, above=True)
        self.mutation_rate = share("mutation_rate", mutation_rate)
        self.final_mutation_rate = share("final_mutation_rate", final_mutation_rate)
        self.decline = whole_number("decline", decline, least=1)
        self.initial_sigma = number("initial_sigma", initial_sigma, least=0.0, above=True)
        self.turn = whole_number("turn", turn, least=1)
        self.parts = tuple(parts) or (self.n_parameters,)
        if sum(self.parts) != self.n_parameters or min(self.parts) < 1:
            raise ValueError(
                f"parts must be lengths that sum to {self.n_parameters}; got {tuple(parts)}"
            )
        self.turns = tuple(turns) or (self.turn,) * len(self.parts)
        if len(self.turns) != len(self.parts) or min(self.turns) < 1:
            raise ValueError(
                f"turns must be a number of generations for each of {len(self.parts)} parts; got "
                f"{self.turns}"
            )
        self._survivors: F32 = np.tile(self.init, (1, 1))
        self._n_elites = 0

    @property
    def n_selected(self) -> int:
        """Number of surviving candidates."""
        least = min(_LEAST_ELITES, self.population)
        return min(max(least, round(self.survival * self.population)), self.population - 1)

    @property
    def n_elites(self) -> int:
        """Number of elites of the generation evaluated last."""
        return int(self._n_elites)

    def mutation_after(self, generations: int) -> tuple[float, float]:
        """Probability and standard deviation of mutations after so many generations."""
        done = min(generations / max(self.decline - 1, 1), 1.0)
        return (
            self.mutation_rate + (self.final_mutation_rate - self.mutation_rate) * done,
            self.sigma + (self.final_sigma - self.sigma) * done,
        )

    def evolved_part(self, generation: int) -> slice:
        """Slice of the genes that change after a generation, counted from 0."""
        done, i = generation % sum(self.turns), 0
        while done >= self.turns[i]:
            done -= self.turns[i]
            i += 1
        first = sum(self.parts[:i])
        return slice(first, first + self.parts[i])

    def recommend(self) -> F32:
        """The best candidate of the generation evaluated last, as published."""
        best: F32 = self._survivors[0].copy()
        return best

    def _sample(self, rng: np.random.Generator) -> F32 | F64:
        if self.generation == 0:
            noise = rng.standard_normal((self.population, self.n_parameters))
            return self.init + self.initial_sigma * noise
        genes = self.evolved_part(self.generation)
        if genes != self.evolved_part(self.generation - 1):
            kept = self._survivors[:1]
            changed = np.repeat(kept, self.population - 1, axis=0)
        else:
            kept, changing = self._survivors[: self.n_elites], self._survivors[self.n_elites :]
            n_children = self.population - len(self._survivors)
            pairs = operators.choose_parents(np.full(n_children, 2), len(kept), rng=rng)
            children = kept[pairs[:, 0]]
            mates = kept[pairs[:, 1]]
            children[:, genes] = operators.cross_odd_even(children[:, genes], mates[:, genes])
            changed = np.concatenate([changing, children])
        mutation_rate, deviation = self.mutation_after(self.generation)
        changed[:, genes] = operators.mutate(
            changed[:, genes].astype(np.float64),
            mutation_rate=mutation_rate,
            deviation=deviation,
            rng=rng,
        ).astype(np.float32)
        return np.concatenate([kept, changed])

    def _learn(self, candidates: F32, fitness: F64, behaviour: F64 | None) -> None:
        order: I64 = np.argsort(-fitness, kind="stable")[: self.n_selected]
        self._survivors = candidates[order]
        above = int(np.count_nonzero(fitness[order] > fitness[order].mean()))
        self._n_elites = max(above, _LEAST_ELITES)
