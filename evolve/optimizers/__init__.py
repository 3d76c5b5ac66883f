"""Optimizers that search for the parameters of players: ask, evaluate, tell.

Those of numbers (``AskTell``) know nothing of poker, have one shape, and maximise:

>>> import numpy as np
>>> optimizer = make_optimizer("cma-es", np.ones(5), population=12, step=0.5, seed=1)
>>> for _ in range(60):
...     candidates = optimizer.ask()
...     optimizer.tell(-np.square(candidates).sum(axis=1))
>>> bool(np.abs(optimizer.recommend()).max() < 0.01)
True

Runs train genomes by an ``Optimizer``: one of numbers over genomes that are rows of numbers, or one
that breeds genomes of any kind, as ``"elitist"`` does.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy.typing as npt

from evolve.optimizers.ask_tell import AskTell
from evolve.optimizers.base import CandidateScores, Optimizer
from evolve.optimizers.cma_es import CMAES, DiagonalCMAES
from evolve.optimizers.elitist import ElitistSettings
from evolve.optimizers.genetic import Genetic, Mutation
from evolve.optimizers.map_elites import MAPElites
from evolve.optimizers.openai_es import OpenAIES
from evolve.optimizers.settings import (
    COMMON,
    NumberSettings,
    OptimizerSettings,
    settings_of,
)
from evolve.optimizers.tiered import Tiered

__all__ = [
    "OPTIMIZERS",
    "AskTell",
    "CandidateScores",
    "Optimizer",
    "OptimizerSettings",
    "make_optimizer",
    "optimizer_names",
    "option_names",
    "register_optimizer",
]

OPTIMIZERS: dict[str, type[OptimizerSettings]] = {"elitist": ElitistSettings}
"""The values of every optimizer by the name that configurations give it."""


def register_optimizer(name: str, optimizer: type[AskTell] | type[OptimizerSettings]) -> None:
    """Makes an optimizer known to ``make_optimizer`` and to configurations.

    Args:
        name: Its name.
        optimizer: Either one of numbers, whose arguments become values of configurations, or the
            values of another one.

    Raises:
        ValueError: There is another optimizer of this name.
    """
    settings = settings_of(optimizer) if issubclass(optimizer, AskTell) else optimizer
    if OPTIMIZERS.setdefault(name, settings) is not settings:
        raise ValueError(f"there is an optimizer named {name!r} already")


_NUMBERS: dict[str, type[AskTell]] = {
    "genetic": Genetic,
    "mutation": Mutation,
    "cma-es": CMAES,
    "cma-es-diagonal": DiagonalCMAES,
    "openai-es": OpenAIES,
    "map-elites": MAPElites,
    "tiered": Tiered,
}
for _name, _optimizer in _NUMBERS.items():
    register_optimizer(_name, _optimizer)


def optimizer_names() -> list[str]:
    """The names that ``make_optimizer`` knows: the optimizers of numbers."""
    return [name for name, kind in OPTIMIZERS.items() if issubclass(kind, NumberSettings)]


def option_names(name: str) -> list[str]:
    """The options of an optimizer of numbers, besides the arguments they all have.

    >>> option_names("mutation")
    ['parents', 'elites', 'initial_deviation', 'novelty']

    Raises:
        ValueError: There is no such optimizer.
    """
    common = (*COMMON, "lineages")
    return [one.name for one in fields(_of_numbers(name)) if one.name not in common]


def make_optimizer(
    name: str, start: npt.ArrayLike, *, population: int, step: float, seed: int, **options: Any
) -> AskTell:
    """A new optimizer of numbers.

    Args:
        name: One of ``optimizer_names()``.
        start: ``(n_parameters,)`` finite; where the search starts.
        population: Candidates of a generation.
        step: Size of the first steps: the standard deviation of the noise, in the unit of the
            parameters.
        seed: Seed of all random choices, not negative. Equal arguments and equal fitness give
            equal candidates.
        **options: Options of the optimizer; the page ``docs/optimizers.md`` and its class list
            them with their defaults.

    Raises:
        ImportError: The optimizer needs a package that is not installed.
        ValueError: There is no such optimizer or option, or a value is out of its range.
    """
    settings, known = _of_numbers(name), option_names(name)
    for option in options:
        if option not in known:
            raise ValueError(f"{name!r} has no option {option!r}; it has {', '.join(known)}")
    settings.check_types(options)
    return settings.optimizer(start, population=population, step=step, seed=seed, **options)


def _of_numbers(name: str) -> type[NumberSettings]:
    settings = OPTIMIZERS.get(name)
    if settings is None or not issubclass(settings, NumberSettings):
        raise ValueError(
            f"there is no optimizer {name!r}; there are {', '.join(optimizer_names())}"
        )
    return settings
