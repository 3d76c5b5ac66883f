"""Players by name."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from agents import dynamic, saved, static
from agents.nlbot import VERSIONS, NLBot
from agents.players import Agent, CompiledPlayer
from nlhe_env.config import choice as one_of

_DATA = Path(__file__).parent / "data"


def _shipped(name: str) -> Callable[[], CompiledPlayer]:
    """A maker of the player in a file that comes with the package."""
    return lambda: saved.load_player(_DATA / f"{name}.npz")


_COMPILED: dict[str, Callable[[], CompiledPlayer]] = {
    "random": static.random_player,
    "folder": static.folder,
    "caller": static.caller,
    "raiser": static.raiser,
    "call-or-raise": static.call_or_raise,
    "old-start": dynamic.old_start,
    "old-best": _shipped("old-best"),
    "old-scratch": _shipped("old-scratch"),
}

_OTHERS: dict[str, Callable[[], Agent]] = {
    f"nlbot-{version}": partial(NLBot, version) for version in VERSIONS
}


def names(*, compiled: bool = False) -> tuple[str, ...]:
    """The names that ``make`` knows, besides paths of saved players.

    Args:
        compiled: Only those of compiled players, which can take part in whole tournaments.

    >>> set(names()) - set(names(compiled=True)) == {"nlbot-1", "nlbot-2", "nlbot-3", "nlbot-4"}
    True
    """
    return tuple(_COMPILED) if compiled else (*_COMPILED, *_OTHERS)


def make(name: str) -> Agent:
    """A player by its name, or a saved one by the path of its ``.npz`` file.

    Raises:
        ValueError: No player has this name; the message lists the names.

    >>> make("caller").name
    'Caller'
    """
    if isinstance(name, str) and name.endswith(".npz"):
        return saved.load_player(Path(name))
    one_of("a player", name, names())
    return _OTHERS[name]() if name in _OTHERS else _COMPILED[name]()


def make_compiled(name: str) -> CompiledPlayer:
    """``make`` for a player that is to take part in compiled tournaments.

    Raises:
        ValueError: No player has this name, or it decides in Python.

    >>> make_compiled("nlbot-1")
    Traceback (most recent call last):
        ...
    ValueError: 'nlbot-1' decides in Python and cannot take part in compiled tournaments
    """
    player = make(name)
    if not isinstance(player, CompiledPlayer):
        raise ValueError(f"{name!r} decides in Python and cannot take part in compiled tournaments")
    return player


def as_agent(player: str | os.PathLike[str] | Agent) -> Agent:
    """An agent itself, or the one that a name or a path stands for, as in ``make``.

    Raises:
        ValueError: It is neither; the message says what is.

    >>> as_agent("caller").name
    'Caller'
    """
    if isinstance(player, (str, os.PathLike)):
        return make(os.fspath(player))
    if isinstance(player, type):
        raise ValueError(f"a player must be an object, not a class; got {player!r}: make one of it")
    if not isinstance(player, Agent):
        raise ValueError(
            "a player must be a name, the path of a saved player, or an object with "
            f"act(observation, info); got {player!r}"
        )
    return player
