"""Optimizers that search for the parameters of players: ask, evaluate, tell.

They know nothing of poker, and all have one shape (``Optimizer``). They maximise:

>>> import numpy as np
>>> optimizer = make_optimizer("cma-es", np.ones(5), population=12, step=0.5, seed=1)
>>> for _ in range(60):
...     candidates = optimizer.ask()
...     optimizer.tell(-np.square(candidates).sum(axis=1))
>>> bool(np.abs(optimizer.deployable()).max() < 0.01)
True
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy.typing as npt

from evolve.optimizers.base import AskTell, Optimizer
from evolve.optimizers.cma_es import CMAES, DiagonalCMAES
from evolve.optimizers.genetic import Genetic, Mutation
from evolve.optimizers.map_elites import MAPElites
from evolve.optimizers.openai_es import OpenAIES

__all__ = ["Optimizer", "make_optimizer", "optimizer_names", "option_names"]

_OPTIMIZERS: dict[str, type[AskTell]] = {
    "genetic": Genetic,
    "mutation": Mutation,
    "cma-es": CMAES,
    "cma-es-diagonal": DiagonalCMAES,
    "openai-es": OpenAIES,
    "map-elites": MAPElites,
}
_COMMON = ("start", "population", "step", "seed")


def optimizer_names() -> list[str]:
    """The names that ``make_optimizer`` knows."""
    return list(_OPTIMIZERS)


def option_names(name: str) -> list[str]:
    """The options of an optimizer, besides the arguments they all have.

    >>> option_names("mutation")
    ['parents', 'elites', 'initial_deviation']

    Raises:
        ValueError: There is no such optimizer.
    """
    return [
        option for option in inspect.signature(_class(name)).parameters if option not in _COMMON
    ]


def make_optimizer(
    name: str, start: npt.ArrayLike, *, population: int, step: float, seed: int, **options: Any
) -> Optimizer:
    """A new optimizer.

    Args:
        name: ``"genetic"``, ``"mutation"``, ``"cma-es"``, ``"cma-es-diagonal"``, ``"openai-es"`` or
            ``"map-elites"``.
        start: ``(n_parameters,)`` finite; where the search starts.
        population: Candidates of a generation.
        step: Size of the first steps: the standard deviation of the noise, in the unit of the
            parameters.
        seed: Seed of all random choices, not negative. Equal arguments and equal fitness give
            equal candidates.
        **options: Options of the optimizer; the page ``docs/optimizers.md`` and its class tell
            them with their defaults.

    Raises:
        ImportError: The optimizer needs a package that is not installed.
        ValueError: There is no such optimizer or option, or a value is out of its range.
    """
    kind = _class(name)
    known = option_names(name)
    for option in options:
        if option not in known:
            raise ValueError(f"{name!r} has no option {option!r}; it has {', '.join(known)}")
    return kind(start, population=population, step=step, seed=seed, **options)


def _class(name: str) -> type[AskTell]:
    if name not in _OPTIMIZERS:
        raise ValueError(f"there is no optimizer {name!r}; there are {', '.join(_OPTIMIZERS)}")
    return _OPTIMIZERS[name]
