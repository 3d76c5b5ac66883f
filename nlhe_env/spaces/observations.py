"""Registry of the observations by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from nlhe_env.arguments import one_of
from nlhe_env.spaces.cards_observation import CARDS
from nlhe_env.spaces.cash_features import CASH_VECTOR
from nlhe_env.spaces.core_features import CORE_VECTOR
from nlhe_env.spaces.features import FEATURE_VECTORS
from nlhe_env.spaces.observation import Layout, Observation, parts_of
from nlhe_env.spaces.unit_features import UNIT_VECTOR

_observations: dict[str, Observation] = {
    one.name: one for one in (CARDS, *FEATURE_VECTORS, UNIT_VECTOR, CORE_VECTOR, CASH_VECTOR)
}


def observation_names(*, of_fixed_size: bool = False) -> tuple[str, ...]:
    """The names of all observations, or of those that networks can take as inputs."""
    return tuple(
        name
        for name, observation in _observations.items()
        if observation.size is not None or not of_fixed_size
    )


def find_observation(name: Any, *, argument: str = "observation") -> Observation:
    """The observation of a name.

    Args:
        name: Name of the observation.
        argument: Name of the argument, for the message.

    Raises:
        ValueError: No observation has this name; the message says which have.
    """
    return _observations[one_of(argument, name, tuple(_observations))]


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
        parts: Name, size, highest value and meaning of its parts, in order, and their lowest value
            where it is not 0.
        looks_up: Whether the kernel looks up the exact strength tables, which are loaded then.

    Raises:
        ValueError: Another module has an observation of this name, or there are no parts.
    """
    found = parts_of(parts)
    if not found:
        raise ValueError(f"the observation {name!r} needs at least one part")
    known = _observations.get(name)
    if known is not None and known.write.__module__ != write.__module__:
        raise ValueError(
            f"there is an observation {name!r} already, in {known.write.__module__}; "
            f"{write.__module__} needs another name"
        )
    observation = Observation(
        name, write, lambda _game, _players: found, size=found[-1].stop, looks_up=looks_up
    )
    _observations[name] = observation
    return observation


def import_observation(name: str, module: str) -> Observation:
    """Observation from a pickle: importing the module of its kernel registers it."""
    importlib.import_module(module)
    return find_observation(name)
