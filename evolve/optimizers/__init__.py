"""Optimizers that search for the parameters of players: ask, evaluate, tell.

Numeric optimizers (``AskTell``) are independent of poker, share one interface, and maximise:

>>> import numpy as np
>>> optimizer = make_optimizer("cma-es", np.ones(5), population=12, sigma=0.5, seed=1)
>>> for _ in range(60):
...     candidates = optimizer.ask()
...     optimizer.tell(-np.square(candidates).sum(axis=1))
>>> bool(np.abs(optimizer.recommend()).max() < 0.01)
True

Runs train genomes by an ``Optimizer``: either a numeric optimizer of genomes that are rows of
numbers, or one that breeds genomes of any kind, such as ``"elitist"``.
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
from evolve.optimizers.neat import NeatSettings
from evolve.optimizers.openai_es import OpenAIES
from evolve.optimizers.settings import (
    COMMON,
    NumberSettings,
    OptimizerSettings,
    settings_of,
)
from evolve.optimizers.symbiosis.optimizer import SymbiosisSettings
from evolve.optimizers.tiered import Tiered
from nlhe_env.system.python_files import register_from_file

__all__ = [
    "OPTIMIZERS",
    "AskTell",
    "CandidateScores",
    "Optimizer",
    "OptimizerSettings",
    "load_optimizer",
    "make_optimizer",
    "optimizer_names",
    "option_names",
    "register_optimizer",
]

OPTIMIZERS: dict[str, type[OptimizerSettings]] = {
    "elitist": ElitistSettings,
    "symbiosis": SymbiosisSettings,
    "neat": NeatSettings,
}
"""Settings class of every optimizer by its name in configurations."""


def register_optimizer(name: str, optimizer: type[AskTell] | type[OptimizerSettings]) -> None:
    """Register an optimizer for ``make_optimizer`` and configurations.

    Args:
        name: Name of the optimizer.
        optimizer: A numeric optimizer, whose arguments become configuration values, or the settings
            of another optimizer.

    Raises:
        ValueError: Another optimizer has this name.
    """
    settings = _settings(optimizer)
    if OPTIMIZERS.setdefault(name, settings) is not settings:
        raise ValueError(f"an optimizer named {name!r} already exists")


def load_optimizer(name: str) -> None:
    """Registers the optimizer of a ``FILE.py:NAME`` under that name; ignores other names.

    Raises:
        ValueError: The file does not exist, or has no such optimizer.
        RuntimeError: The file raises an error.
    """
    bases = (AskTell, OptimizerSettings)
    register_from_file(OPTIMIZERS, name, "an optimizer", *bases, convert=_settings)


def _settings(optimizer: type[AskTell] | type[OptimizerSettings]) -> type[OptimizerSettings]:
    return settings_of(optimizer) if issubclass(optimizer, AskTell) else optimizer


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
    """Names of the numeric optimizers for ``make_optimizer``."""
    return [name for name, kind in OPTIMIZERS.items() if issubclass(kind, NumberSettings)]


def option_names(name: str) -> list[str]:
    """Options of a numeric optimizer, besides the common arguments.

    >>> option_names("mutation")
    ['parents', 'elites', 'initial_sigma', 'novelty']

    Raises:
        ValueError: There is no such optimizer.
    """
    common = (*COMMON, "lineages")
    return [one.name for one in fields(_of_numbers(name)) if one.name not in common]


def make_optimizer(
    name: str, init: npt.ArrayLike, *, population: int, sigma: float, seed: int, **options: Any
) -> AskTell:
    """Create a numeric optimizer.

    Args:
        name: One of ``optimizer_names()``, or ``FILE.py:NAME``.
        init: ``(n_parameters,)`` finite initial parameters.
        population: Candidates per generation.
        sigma: Initial standard deviation, in parameter units.
        seed: Non-negative seed; equal arguments and fitness give equal candidates.
        **options: Options of the optimizer, with defaults as in its class and in
            ``docs/optimizers.md``.

    Raises:
        ImportError: A required package is not installed.
        ValueError: The optimizer or option is unknown, or a value is out of range.
    """
    settings, known = _of_numbers(name), option_names(name)
    for option in options:
        if option not in known:
            raise ValueError(f"{name!r} has no option {option!r}; it has {', '.join(known)}")
    settings.check_types(options)
    return settings.optimizer(init, population=population, sigma=sigma, seed=seed, **options)


def _of_numbers(name: str) -> type[NumberSettings]:
    load_optimizer(name)
    settings = OPTIMIZERS.get(name)
    if settings is None or not issubclass(settings, NumberSettings):
        raise ValueError(
            f"there is no optimizer {name!r}; there are {', '.join(optimizer_names())}"
        )
    return settings
