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

import inspect
from typing import Any

import numpy.typing as npt

from evolve.optimizers.ask_tell import AskTell
from evolve.optimizers.base import CandidateScores, Optimizer
from evolve.optimizers.cma_es import CMAES, DiagonalCMAES
from evolve.optimizers.elitist import ElitistSettings
from evolve.optimizers.genetic import Genetic
from evolve.optimizers.map_elites import MAPElites
from evolve.optimizers.neat import NeatSettings
from evolve.optimizers.openai_es import OpenAIES
from evolve.optimizers.settings import (
    COMMON,
    NumberSettings,
    OptimizerSettings,
    settings_of,
)
from evolve.parts import Register

__all__ = [
    "CMAES",
    "OPTIMIZERS",
    "AskTell",
    "CandidateScores",
    "DiagonalCMAES",
    "Genetic",
    "MAPElites",
    "OpenAIES",
    "Optimizer",
    "OptimizerSettings",
    "make_optimizer",
    "optimizer_names",
    "option_names",
    "register_optimizer",
]


def _settings(optimizer: type[AskTell] | type[OptimizerSettings]) -> type[OptimizerSettings]:
    return settings_of(optimizer) if issubclass(optimizer, AskTell) else optimizer


OPTIMIZERS: Register[OptimizerSettings] = Register(
    "optimizer",
    "an optimizer",
    {
        "elitist": ElitistSettings,
        "neat": NeatSettings,
        "genetic": settings_of(Genetic, parents=None),
        "mutation": settings_of(Genetic, parents_mean=0.0, mutation_rate=1.0),
        "cma-es": settings_of(CMAES),
        "cma-es-diagonal": settings_of(DiagonalCMAES),
        "openai-es": settings_of(OpenAIES),
        "map-elites": settings_of(MAPElites),
    },
    AskTell,
    OptimizerSettings,
    convert=_settings,
)
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
    OPTIMIZERS.register(name, optimizer)


def optimizer_names() -> list[str]:
    """Names of the numeric optimizers for ``make_optimizer``."""
    return [name for name, kind in OPTIMIZERS.items() if issubclass(kind, NumberSettings)]


def option_names(name: str) -> list[str]:
    """Options of a numeric optimizer, besides the common arguments.

    >>> option_names("mutation")
    ['elites', 'parents', 'initial_sigma', 'novelty']

    Raises:
        ValueError: There is no such optimizer.
    """
    settings = _of_numbers(name)
    arguments = inspect.signature(settings.optimizer).parameters
    return [each for each in arguments if each not in (*COMMON, *settings.fixed)]


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
        MissingExtraError: A required package is not installed.
        ValueError: The optimizer or option is unknown, or a value is out of range.
    """
    settings, known = _of_numbers(name), option_names(name)
    for option in options:
        if option not in known:
            raise ValueError(f"{name!r} has no option {option!r}; it has {', '.join(known)}")
    settings.check_types(options)
    return settings.optimizer(
        init, population=population, sigma=sigma, seed=seed, **settings.fixed, **options
    )


def _of_numbers(name: str) -> type[NumberSettings]:
    OPTIMIZERS.load(name)
    settings = OPTIMIZERS.get(name)
    if settings is None or not issubclass(settings, NumberSettings):
        raise ValueError(
            f"there is no optimizer {name!r}; there are {', '.join(optimizer_names())}"
        )
    return settings
