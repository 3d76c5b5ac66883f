"""Registry of observations by name."""

from __future__ import annotations

import copyreg
import importlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from nlhe_env.arguments import one_of
from nlhe_env.spaces.cards_observation import CARDS
from nlhe_env.spaces.cash_features import CASH_VECTOR
from nlhe_env.spaces.core_features import CORE_VECTOR
from nlhe_env.spaces.features import FEATURE_VECTORS
from nlhe_env.spaces.observation import Layout, Observation, parts_of
from nlhe_env.spaces.unit_features import UNIT_VECTOR
from nlhe_env.system.python_files import find_in_file, read_form

_observations: dict[str, Observation] = {
    one.name: one for one in (CARDS, *FEATURE_VECTORS, UNIT_VECTOR, CORE_VECTOR, CASH_VECTOR)
}


def observation_names(*, of_fixed_size: bool = False) -> tuple[str, ...]:
    """Names of all observations, or of those with a fixed size for networks."""
    return tuple(
        name
        for name, observation in _observations.items()
        if observation.size is not None or not of_fixed_size
    )


def find_observation(
    name: Any, *, argument: str = "observation", of_fixed_size: bool = False
) -> Observation:
    """Find an observation by name.

    Args:
        name: Name of the observation, or ``FILE.py:NAME`` for one registered by a file.
        argument: Name of the argument, for the message.
        of_fixed_size: Whether its size must be fixed, as for networks.

    Raises:
        ValueError: The name is unknown; the message lists the known names.
        RuntimeError: The file raises an error.
    """
    known = _observations.get(name) if isinstance(name, str) else None
    if known is not None and not (of_fixed_size and known.size is None):
        return known
    found = find_in_file(name, "an observation", lambda value: isinstance(value, Observation))
    if found is not None:
        return _renamed(found, name)
    return _observations[one_of(argument, name, observation_names(of_fixed_size=of_fixed_size))]


@cache
def _renamed(observation: Observation, name: str) -> Observation:
    return replace(observation, name=name)


def register_observation(
    name: str,
    write: Callable[..., Any],
    parts: Layout,
    *,
    looks_up: bool = False,
) -> Observation:
    """Register an observation for environments and networks.

    Args:
        name: Name for ``observation=`` and ``inputs=``.
        write: A kernel ``write(table, players, seat, strength_tables, out)`` that writes all of
            ``out``, float32: see ``nlhe_env.spaces.observation.WRITER``.
        parts: Name, size, maximum and meaning of each field in order, and its minimum if not 0.
        looks_up: Whether the kernel uses the exact strength tables, which are then loaded.

    Raises:
        ValueError: An observation of another module has this name, or there are no parts.
    """
    found = parts_of(parts)
    if not found:
        raise ValueError(f"the observation {name!r} needs at least one part")
    known = _observations.get(name)
    if known is not None and known.write.__module__ != write.__module__:
        raise ValueError(
            f"an observation {name!r} already exists, in {known.write.__module__}; "
            f"{write.__module__} needs another name"
        )
    observation = Observation(
        name, write, lambda _game, _players: found, size=found[-1].stop, looks_up=looks_up
    )
    _observations[name] = observation
    return observation


def import_observation(name: str, module: str) -> Observation:
    """Observation from a pickle: importing the module of its kernel registers it."""
    if read_form(name) is not None:
        return find_observation(name)
    importlib.import_module(module)
    return find_observation(name)


def _reduce(observation: Observation) -> tuple[Any, ...]:
    """Pickle by name, because another process has its own kernels and addresses."""
    return import_observation, (observation.name, observation.write.__module__)


copyreg.pickle(Observation, _reduce)
