"""Provider of the opponents of Gymnasium learners.

This package has no players. One that has some registers them with ``provide_opponents`` when it is
imported. Where none has done so, the packages named by entry points of the group
``nlhe_env.opponents`` are imported; ``agents`` is one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any, NamedTuple, Protocol

from nlhe_env.envs.aec import raw_env
from nlhe_env.envs.learner_kernels import Learners
from nlhe_env.equity import StrengthTables
from nlhe_env.extras import check_agents
from nlhe_env.game.description import GameArrays
from nlhe_env.jit.array_types import I8, I64

GROUP = "nlhe_env.opponents"


class LineUp(Protocol):
    """Opponents of one environment, each in the place of an agent."""

    compiled: frozenset[str]
    """The agents that kernels play."""

    def sit_down(self) -> None:
        """Observe the events of the environment from now on, if a player remembers them."""

    def action(self) -> int:
        """The id of the action that the player to act chooses."""

    def play_on(self, arrays: GameArrays, mask: I8, facts: I64) -> int:
        """Act for compiled players until another player is to act; for ``raw_env.play_on``."""


class Crew(Protocol):
    """Compiled players around the learners of many tables."""

    strength_tables: StrengthTables
    """Strength tables that the players look up."""

    def play(self, of: Learners) -> None:
        """Do at every table what ``of.todo`` says, up to the learner's next turn or its end."""

    def close(self) -> None:
        """End the threads; the players are not needed any more."""


class Provider(NamedTuple):
    """Factory functions for opponents."""

    as_player: Callable[[Any], Any]
    """Makes a player from a name, a path or an object; raises ValueError if it cannot."""
    line_up: Callable[[raw_env, Mapping[str, Any]], LineUp]
    """Seats players by agent name."""
    crew: Callable[[Sequence[Sequence[Any]], int, int], Crew]
    """Seats players at many tables. Arguments: one line-up, or one for every number of the learner,
    each with the players by number and None for the learner; number of tables; threads."""


_provider: Provider | None = None


def provide_opponents(
    as_player: Callable[[Any], Any],
    line_up: Callable[[raw_env, Mapping[str, Any]], LineUp],
    crew: Callable[[Sequence[Sequence[Any]], int, int], Crew],
) -> None:
    """Register the factory functions for opponents; see ``Provider`` for the arguments."""
    global _provider
    _provider = Provider(as_player, line_up, crew)


def provider() -> Provider:
    """The registered factory functions for opponents.

    Raises:
        ImportError: ``agents`` is missing, or another package has its name.
        RuntimeError: No package provides opponents.
    """
    if _provider is None:
        for point in entry_points(group=GROUP):
            point.load()  # its import provides
    if _provider is None:
        check_agents()
        raise RuntimeError(
            "no package provides opponents: import agents, which comes with nlhe-env, before the "
            "environment is made, or install nlhe-env anew"
        )
    return _provider
