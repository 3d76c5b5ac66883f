"""Numeric ask-and-tell optimizers with array states."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from evolve import seeds
from nlhe_env.arguments import number
from nlhe_env.jit.array_types import F32, F64, AnyArray


class AskTell(ABC):
    """Base class of numeric optimizers, which maximise fitness.

    One generation is one ``ask`` followed by one ``tell``. A subclass samples candidates, learns
    from them, and names its arrays. Generation ``g`` uses a random generator seeded by ``(seed,
    g)`` alone (``evolve.seeds``), so states hold no generator state.

    Attributes:
        n_parameters: Parameters of a candidate.
        population: Candidates per generation.

    Args:
        init: ``(n_parameters,)`` finite initial parameters.
        population: Candidates per generation.
        sigma: Initial standard deviation, above 0.
        seed: Non-negative seed of all random choices.

    Raises:
        TypeError: ``population`` or ``seed`` is not an integer.
        ValueError: An argument is out of range.
    """

    least_population = 2
    """Minimum number of candidates."""
    least_parameters = 1
    """Minimum number of parameters."""
    racing = True
    """Whether a selection threshold separates candidates."""
    constants: tuple[str, ...] = ()
    """Names of arguments that configurations leave at their defaults."""
    state_arrays: tuple[str, ...]
    """Names of the state arrays, attributes with an underscore before, unless a subclass overrides
    ``_arrays`` and ``_put``."""
    growing: tuple[str, ...] = ()
    """Names of the state arrays without a fixed shape."""

    def __init__(self, init: npt.ArrayLike, *, population: int, sigma: float, seed: int) -> None:
        with np.errstate(over="ignore"):  # checked below
            self.init: F32 = np.array(init, np.float32)
        if self.init.ndim != 1 or len(self.init) < self.least_parameters:
            raise ValueError(
                "init must be one row of at least "
                f"{self.least_parameters} parameter(s); got shape {self.init.shape}"
            )
        _check_finite("init", self.init)
        self.n_parameters = len(self.init)
        self.population = operator.index(population)
        if self.population < self.least_population:
            raise ValueError(
                f"population must be at least {self.least_population}; got {population}"
            )
        self.sigma = number("sigma", sigma, least=0.0, above=True)
        self.seed = operator.index(seed)
        if self.seed < 0:
            raise ValueError(f"seed must not be negative; got {seed}")
        self.generation = 0
        self._asked: F32 | None = None

    def ask(self) -> F32:
        """The candidates of the next generation, ``(population, n_parameters)``, read-only.

        The optimizer learns from exactly these numbers.

        Raises:
            RuntimeError: The previous ``ask`` had no ``tell``.
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
        """Learn from the fitness of the candidates.

        Args:
            fitness: ``(population,)`` finite; larger is better.
            behaviour: ``(population, n_measures)`` behaviour of the candidates, for optimizers that
                use diversity.

        Raises:
            RuntimeError: There was no ``ask``.
            ValueError: The number of values is wrong, or a value is not finite; ``tell`` can be
                repeated.
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

        Restored from a state between ``ask`` and ``tell``, ``ask`` returns the same candidates.
        """
        arrays = {name: np.array(array) for name, array in self._arrays().items()}
        return {"generation": np.array(self.generation, np.int64), **arrays}

    def restore(self, state: Mapping[str, AnyArray]) -> None:
        """Continue from a state of an optimizer with the same arguments.

        Raises:
            ValueError: The state does not fit.
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
                    f"expected {name} of shape {np.shape(array)}; got {given[name].shape}: the "
                    "state is for a different population or number of parameters"
                )
            if not np.can_cast(given[name].dtype, np.asarray(array).dtype, "same_kind"):
                raise ValueError(
                    f"expected {name} of type {np.asarray(array).dtype}; got {given[name].dtype}"
                )
            given[name] = given[name].astype(np.asarray(array).dtype)
        self.generation = int(given.pop("generation"))
        self._asked = None
        self._put(given)

    @property
    def n_selected(self) -> int:
        """Number of candidates that selection favours."""
        return self.population // 2

    @abstractmethod
    def recommend(self) -> F32:
        """``(n_parameters,)`` recommended parameters, never just the luckiest candidate."""

    @abstractmethod
    def _sample(self, rng: np.random.Generator) -> F32 | F64:
        """``(population, n_parameters)`` candidates; repeated calls must return equal ones."""

    @abstractmethod
    def _learn(self, candidates: F32, fitness: F64, behaviour: F64 | None) -> None:
        """Updates the optimizer with the validated fitness of the candidates."""

    def _arrays(self) -> dict[str, AnyArray]:
        """All arrays that change; their shapes are fixed, except for those in ``growing``."""
        return {name: getattr(self, f"_{name}") for name in self.state_arrays}

    def _put(self, arrays: dict[str, AnyArray]) -> None:
        """Restores arrays with the names, shapes and types of ``_arrays``."""
        for name, array in arrays.items():
            setattr(self, f"_{name}", array)


def _check_finite(name: str, values: AnyArray) -> None:
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        place = ", ".join(map(str, wrong[0]))
        raise ValueError(
            f"{name} must be finite; got {values[tuple(wrong[0])]} at index {place} "
            f"({len(wrong)} such value(s))"
        )
