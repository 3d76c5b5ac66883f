"""Opponent provider for Gymnasium learners.

This package has no players. A player package registers itself with ``provide_opponents`` on import.
Without a registered provider, the packages of the entry-point group ``nlhe_env.opponents`` are
imported, such as ``agents``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from nlhe_env.extras import check_packages

if TYPE_CHECKING:  # a package that provides opponents imports this module at once
    from nlhe_env.envs.aec import raw_env
    from nlhe_env.envs.learner_kernels import Learners
    from nlhe_env.equity import StrengthTables
    from nlhe_env.game.description import GameArrays
    from nlhe_env.jit.array_types import I8, I64

GROUP = "nlhe_env.opponents"


class SeatedOpponents(Protocol):
    """Opponents of one environment, by agent."""

    compiled: frozenset[str]
    """Agents played by kernels."""

    def sit_down(self) -> None:
        """Observe the environment's events from now on, for players with memory."""

    def action(self) -> int:
        """Action id chosen by the player to act."""

    def play_on(self, arrays: GameArrays, mask: I8, facts: I64) -> int:
        """Act for compiled players until another player is to act; for ``raw_env.play_on``."""


class OpponentGroup(Protocol):
    """Compiled players around the learners of many tables."""

    strength_tables: StrengthTables
    """Strength tables for the players."""

    def play(self, of: Learners) -> None:
        """Execute ``of.todo`` at every table, up to the learner's next turn or final step."""

    def close(self) -> None:
        """Stop the threads and release the players."""


class Provider(NamedTuple):
    """Factory functions for opponents."""

    as_player: Callable[[Any], Any]
    """Creates a player from a name, a path or an object; raises ValueError otherwise."""
    lineup: Callable[[raw_env, Mapping[str, Any]], SeatedOpponents]
    """Seats players by agent name."""
    opponent_group: Callable[[Sequence[Sequence[Any]], int, int], OpponentGroup]
    """Seats players at many tables. Arguments: one lineup, or one per player number of the learner,
    each with the players by number and None for the learner; number of tables; threads."""


_provider: Callable[[], Provider] | None = None


def provide_opponents(provider: Callable[[], Provider]) -> None:
    """Register the factory functions for opponents.

    Args:
        provider: Returns them; called when the first opponents are needed.
    """
    global _provider
    _provider = provider


def provider() -> Provider:
    """The registered factory functions for opponents.

    Raises:
        ImportError: ``agents`` is missing, or another package has its name.
        RuntimeError: No package provides opponents.
    """
    if _provider is None:
        for point in entry_points(group=GROUP):
            try:
                point.load()  # its import registers the provider
            except ImportError:
                check_packages("agents")  # another package may have its name
                raise
    if _provider is None:
        check_packages("agents")
        raise RuntimeError(
            "no package provides opponents: import agents, which comes with nlhe-env, before the "
            "environment is made, or reinstall nlhe-env"
        )
    return _provider()
