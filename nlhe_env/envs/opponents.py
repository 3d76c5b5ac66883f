"""Who plays the other seats around Gymnasium learners.

Players are not the business of this package: one that has some says so by ``provide_opponents``
when it is imported. Where none has been, those named by entry points of the group
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
    """Players of an environment, each in the place of an agent."""

    compiled: frozenset[str]
    """The agents that kernels play."""

    def sit_down(self) -> None:
        """Hear what happens in the environment from now on, if a player remembers it."""

    def action(self) -> int:
        """The id of the action that the player to act chooses."""

    def play_on(self, arrays: GameArrays, mask: I8, facts: I64) -> int:
        """Acts for compiled players until somebody else is to; for ``raw_env.play_on``."""


class Crew(Protocol):
    """Compiled players around the learners of many tables."""

    strength_tables: StrengthTables
    """What they look things up in."""

    def play(self, of: Learners) -> None:
        """Do at every table what ``of.todo`` says, up to the learner's next turn or its end."""

    def close(self) -> None:
        """They are not needed any more."""


class Provider(NamedTuple):
    """What makes opponents."""

    as_player: Callable[[Any], Any]
    """A player from a name, a path or an object; a ValueError says what is wrong with it."""
    line_up: Callable[[raw_env, Mapping[str, Any]], LineUp]
    """Seats players by agent name."""
    crew: Callable[[Sequence[Sequence[Any]], int, int], Crew]
    """Seats players at many tables: who plays by number, None for the learner, in one line-up or
    in one for every number of the learner; the number of tables; threads that share them."""


_provider: Provider | None = None


def provide_opponents(
    as_player: Callable[[Any], Any],
    line_up: Callable[[raw_env, Mapping[str, Any]], LineUp],
    crew: Callable[[Sequence[Sequence[Any]], int, int], Crew],
) -> None:
    """Say who makes players from now on; see ``Provider`` for the arguments."""
    global _provider
    _provider = Provider(as_player, line_up, crew)


def provider() -> Provider:
    """Who makes players.

    Raises:
        ImportError: ``agents`` is missing, or another package has its name.
        RuntimeError: Nobody does.
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
