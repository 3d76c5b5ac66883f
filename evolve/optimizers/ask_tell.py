"""Optimizers of numbers, by ask and tell; their states are arrays."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from evolve import seeds
from nlhe_env.jit.array_types import F32, F64, AnyArray


class AskTell(ABC):
    """Searches for parameters with the largest fitness.

    One generation is one ``ask`` and one ``tell``, in this order. A subclass samples candidates,
    learns from them, and names its arrays. Generation ``g`` draws from a generator made of
    ``(seed, g)`` alone (``evolve.seeds``), so a state holds no state of a generator.

    Attributes:
        n_parameters: Numbers of a candidate.
        population: Candidates of a generation.

    Args:
        start: ``(n_parameters,)`` finite; where the search starts.
        population: Candidates of a generation.
        step: Size of the first steps, above 0.
        seed: Seed of all random choices, not negative.

    Raises:
        TypeError: ``population`` or ``seed`` is no integer.
        ValueError: An argument is out of its range.
    """

    least_population = 2
    """The fewest candidates the optimizer works with."""
    least_parameters = 1
    """The fewest numbers of a candidate it works with."""
    racing = True
    """Whether there is a border of selection that candidates could be separated by."""
    growing: tuple[str, ...] = ()
    """Arrays of the state whose sides may have any length."""

    def __init__(self, start: npt.ArrayLike, *, population: int, step: float, seed: int) -> None:
        with np.errstate(over="ignore"):  # checked below
            self.start: F32 = np.array(start, np.float32)
        if self.start.ndim != 1 or len(self.start) < self.least_parameters:
            raise ValueError(
                "start must be one row of at least "
                f"{self.least_parameters} parameter(s); got shape {self.start.shape}"
            )
        _check_finite("start", self.start)
        self.n_parameters = len(self.start)
        self.population = operator.index(population)
        if self.population < self.least_population:
            raise ValueError(
                f"population must be at least {self.least_population}; got {population}"
            )
        self.step = check_positive("step", step)
        self.seed = operator.index(seed)
        if self.seed < 0:
            raise ValueError(f"seed must not be negative; got {seed}")
        self.generation = 0
        self._asked: F32 | None = None

    def ask(self) -> F32:
        """The candidates of the next generation, ``(population, n_parameters)``, read-only.

        These very numbers are the ones to play with, and those the optimizer learns from.

        Raises:
            RuntimeError: There has been no ``tell`` for the candidates asked for before.
        """
        if self._asked is not None:
            raise RuntimeError(
                f"ask was called twice: tell the fitness of generation {self.generation} first"
            )
        rng = seeds.generator(self.seed, seeds.OPTIMIZER, self.generation)
        candidates = np.ascontiguousarray(self._sample(rng), np.float32)
        candidates.flags.writeable = False
        self._asked = candidates
        return candidates

    def tell(self, fitness: npt.ArrayLike, behaviour: npt.ArrayLike | None = None) -> None:
        """Learns from the candidates asked for.

        Args:
            fitness: ``(population,)`` finite, larger is better.
            behaviour: ``(population, n_measures)`` what the candidates did, for optimizers that
                look for diversity; the others ignore it.

        Raises:
            RuntimeError: No candidates have been asked for.
            ValueError: A wrong number of values, or one that is not finite. The candidates are
                still waiting for ``tell``.
        """
        if self._asked is None:
            raise RuntimeError("tell was called without ask: there are no candidates to learn from")
        fitness = np.asarray(fitness, np.float64)
        if fitness.shape != (self.population,):
            raise ValueError(
                f"expected the fitness of {self.population} candidates, shape "
                f"({self.population},); got shape {fitness.shape}"
            )
        _check_finite("fitness", fitness)
        if behaviour is not None:
            behaviour = np.asarray(behaviour, np.float64)
            if behaviour.ndim != 2 or len(behaviour) != self.population:
                raise ValueError(
                    f"expected the behaviour of {self.population} candidates, shape "
                    f"({self.population}, n_measures); got shape {behaviour.shape}"
                )
            _check_finite("behaviour", behaviour)
        self._learn(self._asked, fitness, behaviour)
        self._asked = None
        self.generation += 1

    def state(self) -> dict[str, AnyArray]:
        """Copies of all arrays needed to continue.

        A state taken between ``ask`` and ``tell`` asks for the same candidates again.
        """
        arrays = {name: np.array(array) for name, array in self._arrays().items()}
        return {"generation": np.array(self.generation, np.int64), **arrays}

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continues from a state of an optimizer made with the same arguments.

        Raises:
            ValueError: The state is not one of such an optimizer.
        """
        expected = {"generation": np.array(self.generation, np.int64), **self._arrays()}
        if set(state) != set(expected):
            raise ValueError(
                f"the state of {type(self).__name__} has the arrays {', '.join(sorted(expected))}; "
                f"got {', '.join(sorted(state)) or 'none'}"
            )
        given = {name: np.array(state[name]) for name in expected}
        for name, array in expected.items():
            if name in self.growing:
                fits = given[name].ndim == np.ndim(array)
            else:
                fits = given[name].shape == np.shape(array)
            if not fits:
                raise ValueError(
                    f"expected {name} of shape {np.shape(array)}; got {given[name].shape}: "
                    "the state is one of another population or number of parameters"
                )
            if not np.can_cast(given[name].dtype, np.asarray(array).dtype, "same_kind"):
                raise ValueError(
                    f"expected {name} of type {np.asarray(array).dtype}; got {given[name].dtype}"
                )
        self.generation = int(given.pop("generation"))
        self._asked = None
        self._put(given)

    @property
    def n_selected(self) -> int:
        """Candidates that selection sets apart from the others."""
        return self.population // 2

    @abstractmethod
    def recommend(self) -> F32:
        """``(n_parameters,)`` the parameters to use; never merely the luckiest candidate."""

    @abstractmethod
    def _sample(self, rng: np.random.Generator) -> F32 | F64:
        """Candidates ``(population, n_parameters)``; drawn again, they must be the same."""

    @abstractmethod
    def _learn(self, candidates: F32, fitness: F64, behaviour: F64 | None) -> None:
        """Takes in the checked fitness of the candidates."""

    @abstractmethod
    def _arrays(self) -> dict[str, AnyArray]:
        """All arrays that change, of shapes that do not but for those in ``growing``."""

    @abstractmethod
    def _put(self, arrays: dict[str, AnyArray]) -> None:
        """Takes over arrays of the names and shapes of ``_arrays``."""


def check_positive(name: str, value: float) -> float:
    """The value, if it is finite and above 0."""
    if not 0.0 < value < np.inf:
        raise ValueError(f"{name} must be finite and above 0; got {value}")
    return float(value)


def check_chance(name: str, value: float) -> float:
    """The value, if it is from 0 to 1."""
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"{name} must be from 0 to 1; got {value}")
    return float(value)


def check_count(name: str, value: int, most: int) -> int:
    """The value, if it is an integer from 1 to ``most``."""
    if not 1 <= operator.index(value) <= most:
        raise ValueError(f"{name} must be from 1 to {most}; got {value}")
    return operator.index(value)


def _check_finite(name: str, values: AnyArray) -> None:
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        place = ", ".join(map(str, wrong[0]))
        raise ValueError(
            f"{name} must be finite; got {values[tuple(wrong[0])]} at index {place} "
            f"({len(wrong)} such value(s))"
        )
