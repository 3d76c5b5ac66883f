"""Players by name, with options."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from agents.compiled import saved, static
from agents.compiled import topography_players as dynamic
from agents.compiled.players import Agent, CompiledPlayer
from agents.compiled.rules import rule_players
from agents.compiled.rules.ashe_opponents import PROFILES
from agents.outside import plugins
from agents.outside.nlbot import VERSIONS, NLBot
from agents.outside.process import ProcessPlayer
from nlhe_env.arguments import one_of

_PROCESS = "process:"
_NAMED = re.compile(r"([\w.+-]+)=(.+)")
_DATA = Path(__file__).parent / "data"


def _shipped(name: str) -> Callable[[], CompiledPlayer]:
    """A maker of the player in a file that comes with the package."""
    return lambda: saved.load_player(_DATA / f"{name}.npz")


_COMPILED: dict[str, Callable[..., CompiledPlayer]] = {
    "random": static.random_player,
    "folder": static.folder,
    "caller": static.caller,
    "raiser": static.raiser,
    "call-or-raise": static.call_or_raise,
    "old-start": dynamic.old_start,
    "old-best": _shipped("old-best"),
    "old-scratch": _shipped("old-scratch"),
    "tight-passive": rule_players.tight_passive,
    "tight-aggressive": rule_players.tight_aggressive,
    "loose-passive": rule_players.loose_passive,
    "loose-aggressive": rule_players.loose_aggressive,
    "pot-odds": rule_players.pot_odds_player,
    "formula": rule_players.formula_player,
    "push-or-fold": rule_players.push_or_fold_player,
    "scared-limper": rule_players.scared_limper,
    **{name: partial(rule_players.profile_player, name) for name in PROFILES},
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


def split_name(text: str) -> tuple[str | None, str]:
    """A player as typed, ``PLAYER`` or ``NAME=PLAYER``: the name, if one is given, and the player.

    >>> split_name("mine=process:./bot"), split_name("pot-odds:margin=0.1")
    (('mine', 'process:./bot'), (None, 'pot-odds:margin=0.1'))
    """
    named = _NAMED.fullmatch(text)
    return (named[1], named[2]) if named else (None, text)


def make(name: str) -> Agent:
    """A player by its name, a saved one by the path of its ``.npz`` file, or a program.

    A program is ``"process:COMMAND"``, such as ``"process:python bot.py"``: a ``ProcessPlayer``
    with the usual limits. Other packages add names as in ``agents.outside.plugins``.

    Args:
        name: ``"name"``, or ``"name:option=value,option=value"`` with options that ``options`` or
            the documentation of players lists.

    Raises:
        ValueError: No player has this name, it has no such option, the value is not possible, or
            there is no program; the message says what is.
        RuntimeError: The player of another package fails to load.

    >>> make("caller").name
    'Caller'
    >>> make("tight-aggressive:threshold=0.6,size=1").name
    'TightAggressive(threshold=0.6,size=1)'
    """
    if isinstance(name, str) and name.endswith(".npz"):
        return saved.load_player(Path(name))
    if isinstance(name, str) and name.startswith(_PROCESS):
        return ProcessPlayer(name.removeprefix(_PROCESS))
    base, colon, text = name.partition(":") if isinstance(name, str) else (name, "", "")
    _check_known(base)
    if not colon:
        if name in _COMPILED:
            return _COMPILED[name]()
        return _OTHERS[name]() if name in _OTHERS else plugins.make_plugin(name)
    try:
        values = _parse(text, options(base))
        player = _COMPILED[base](**values)
    except ValueError as error:
        raise ValueError(f"{name!r}: {error}") from None
    player.name = f"{player.name}({text})"
    return player


def options(name: str) -> dict[str, float]:
    """The options of a player and what they are when not given.

    Raises:
        ValueError: No player has this name.

    >>> options("pot-odds")
    {'margin': 0.2, 'caution': 0.0}
    """
    _check_known(name)
    if name not in _COMPILED:
        return {}
    if name in PROFILES:
        return rule_players.profile_options(name)
    arguments = inspect.signature(_COMPILED[name]).parameters
    return {key: argument.default for key, argument in arguments.items()}


def _check_known(name: str) -> None:
    # Last of all in other packages: looking through all that are installed takes milliseconds.
    if name not in (*_COMPILED, *_OTHERS):
        one_of("a player", name, names())


def _parse(text: str, known: Mapping[str, float]) -> dict[str, float]:
    """The options in ``option=value,option=value``."""
    if not known:
        raise ValueError("this player has no options")
    found: dict[str, float] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f'options must be "option=value,option=value"; got {text!r}')
        if one_of("an option", key, tuple(known)) in found:
            raise ValueError(f"option {key} is given twice")
        try:
            found[key] = float(value)
        except ValueError:
            raise ValueError(f"{key} must be a number; got {value!r}") from None
    return found


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
