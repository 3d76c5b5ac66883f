"""Players by name."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from agents import dynamic, plugins, saved, static
from agents.external import ProcessPlayer
from agents.nlbot import VERSIONS, NLBot
from agents.players import Agent, CompiledPlayer
from nlhe_env.config import choice as one_of

_PROCESS = "process:"
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
    """The names that ``make`` knows, those of other packages last, besides paths and commands.

    Args:
        compiled: Only those of compiled players, which can take part in whole tournaments.

    >>> {"nlbot-1", "nlbot-2", "nlbot-3", "nlbot-4"} <= set(names()) - set(names(compiled=True))
    True
    """
    if compiled:
        return tuple(_COMPILED)
    ours = (*_COMPILED, *_OTHERS)
    return (*ours, *(name for name in plugins.plugin_names() if name not in ours))


def make(name: str) -> Agent:
    """A player by its name, a saved one by the path of its ``.npz`` file, or a program.

    A program is ``"process:COMMAND"``, such as ``"process:python bot.py"``: a ``ProcessPlayer``
    with the usual limits. Other packages add names as in ``agents.plugins``.

    Raises:
        ValueError: No player has this name (the message lists the names), or no program.
        RuntimeError: The player of another package fails to load.

    >>> make("caller").name
    'Caller'
    """
    if isinstance(name, str) and name.endswith(".npz"):
        return saved.load_player(Path(name))
    if isinstance(name, str) and name.startswith(_PROCESS):
        return ProcessPlayer(name.removeprefix(_PROCESS))
    one_of("a player", name, names())
    if name in _COMPILED:
        return _COMPILED[name]()
    return _OTHERS[name]() if name in _OTHERS else plugins.make_plugin(name)


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
