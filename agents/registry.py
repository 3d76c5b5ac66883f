"""Players by name, with options; a package can add some by entry points.

A package that has, in its ``pyproject.toml``::

    [project.entry-points."nlhe_env.players"]
    shark = "my_bots:Shark"

adds the name ``shark`` to ``agents.names()``; ``agents.make("shark:bite=0.9")`` calls
``my_bots.Shark(bite=0.9)``, a class or function that returns a player. The names of this package
cannot be taken.
"""

from __future__ import annotations

import inspect
import os
import re
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

from agents.external.player_factory import PlayerFactory
from agents.external.process import ProcessPlayer
from agents.player_records import PLAYERS, REMOTE, find_record, installed_records
from agents.policy import player_io
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.rooms import PlayerRecord
from nlhe_env.arguments import one_of, shown
from nlhe_env.system.part_names import allow_in_files, may_name
from nlhe_env.system.python_files import describe_error, load_file, read_form

_GROUP = "nlhe_env.players"
"""Entry points of players of other packages."""
_PROCESS = "process:"
_ADDRESSES = ("http", "https")
_NAMED = re.compile(r"([\w.+-]+)=(.+)")
_SECRETS = re.compile(r"(?<=://)[^,/]*@|[?#][^,]*|(?<=key=)(?!\w*(?:,|$))[^,]*")
"""Parts of a chat player's options that are refused, since they may be secrets."""


def names(*, compiled: bool = False, plugins: bool = True) -> tuple[str, ...]:
    """Player names for ``make``, without files and commands; names of other packages are last.

    Args:
        compiled: Only names of fast compiled players for tournaments; ``player_records`` has
            the traits of all.
        plugins: Include names of other packages.

    >>> {"nlbot-1", "nlbot-2", "nlbot-3", "nlbot-4"} <= set(names()) - set(names(compiled=True))
    True
    """
    if compiled:
        return tuple(name for name, one in PLAYERS.items() if one.plays_whole_tournaments)
    ours = tuple(PLAYERS)
    plugin_players = (*installed_records(), *_plugin_names()) if plugins else ()
    return (*ours, *(name for name in plugin_players if name not in ours))


def split_name(text: str) -> tuple[str | None, str]:
    """Split ``PLAYER`` or ``NAME=PLAYER`` into the optional name and the player.

    >>> split_name("mine=process:./bot"), split_name("pot-odds:margin=0.1")
    (('mine', 'process:./bot'), (None, 'pot-odds:margin=0.1'))
    """
    named = _NAMED.fullmatch(text)
    return (named[1], named[2]) if named else (None, text)


def make(name: str) -> Player:
    """Create a player by name, or from a file, a program or an address.

    ==============================  ================================================================
    ``"pot-odds"``                  a player of ``names()``, ours or of another package
    ``"pot-odds:margin=0.1"``       the same with options, see ``options``; several with commas
    ``"my_bot.py:Careful"``         what ``Careful()`` makes in this file, with options as before;
                                    the name is not needed where there is one class with ``act``
    ``"process:python bot.py"``     a program, as a ``ProcessPlayer`` with the usual limits
    ``"http://host:8080/act"``      an agent behind an address, as an ``HttpPlayer``; with options
                                    after a comma, ``"http://host:8080/act,key=NAME"``
    ``"chat:model=gpt-5,..."``      a chat model, as a ``ChatPlayer`` with these options
    ``"champion.npz"``              a saved player
    ==============================  ================================================================

    Raises:
        ValueError: The name or an option is unknown, a value is invalid, or the file or program
            does not exist.
        RuntimeError: A file, or the player of another package, fails to load.

    >>> make("caller").name
    'caller'
    >>> make("tight-aggressive:threshold=0.6,size=1").name
    'tight-aggressive:threshold=0.6,size=1'
    """
    if isinstance(name, str) and not may_name(name):
        allow_in_files(name)
    if isinstance(name, str) and name.startswith(_PROCESS):
        return ProcessPlayer(name.removeprefix(_PROCESS))
    if _is_saved(name):
        return player_io.load_player(Path(name))
    maker, text = _find(name)
    try:
        return maker.player(text)
    except ValueError as error:
        raise ValueError(f"{_SECRETS.sub('...', name)!r}: {error}") from error


def name_of_play(name: str) -> str:
    """Name of a player without the options that do not change its play, such as an address.

    >>> name_of_play("chat:model=qwen3,url=http://127.0.0.1:8080,answer=distribution,log=m.jsonl")
    'chat:model=qwen3,answer=distribution'
    """
    base, colon, text = name.partition(":")
    if not colon or base not in REMOTE:
        return name
    return f"{base}:{_factory(REMOTE[base]).options_of_play(text)}"


def short_name(name: str) -> str:
    """Short name of a player for tables, without the folders of a file, and as ``name_of_play``.

    >>> short_name("runs/one/champion.npz"), short_name("bots/my_bot.py:Careful")
    ('champion', 'my_bot.py:Careful')
    """
    if _is_saved(name):
        return Path(name).stem
    in_file = read_form(name)
    if in_file is None:
        return name_of_play(name)
    return Path(in_file.path).name + name[len(in_file.path) :]


def _is_saved(name: object) -> bool:
    """Whether this is the path of a saved player; an option may end like one."""
    if not isinstance(name, str) or not name.endswith(".npz") or name.startswith(_PROCESS):
        return False
    return read_form(name) is None and name.partition(":")[0] not in (*REMOTE, *names())


def options(name: str) -> dict[str, Any]:
    """Options of a player with their defaults.

    Args:
        name: As for ``make``; options in it are ignored.

    Returns:
        Defaults by name; ``inspect.Parameter.empty`` for a required option.

    Raises:
        ValueError: No player has this name.
        RuntimeError: A file, or the player of another package, fails to load.

    >>> options("pot-odds")
    {'margin': 0.2, 'all_in_margin': 0.0}
    """
    return _find(name)[0].options()


def given_options(name: str) -> dict[str, Any]:
    """Options of a player with the values in its name, else their defaults.

    Raises:
        ValueError: As for ``options``; or an option in the name is unknown or invalid.
        RuntimeError: As for ``options``.
    """
    factory, text = _find(name)
    return factory.options() | ({} if text is None else factory.read(text))


def describe(name: str) -> str:
    """Description of a player, in one line; of other packages' players their docstring's first.

    Raises:
        ValueError: No player has this name.
        RuntimeError: A file, or the player of another package, fails to load.

    >>> describe("caller")
    'always calls or checks'
    """
    record = find_record(name.partition(":")[0]) if isinstance(name, str) else None
    return _find(name)[0].description if record is None else record.does


def _find(name: str) -> tuple[PlayerFactory, str | None]:
    """Factory of a player, and the options that were typed."""
    if not isinstance(name, str):
        _check_name(name)
    in_file = read_form(name)
    if in_file is not None:
        return _load_player_file(in_file.path, in_file.name), in_file.options
    base, colon, text = name.partition(":")
    record = find_record(base)
    if base in _ADDRESSES and text.startswith("//"):
        text = f"url={name}"
    if record is None:
        _check_name(base)
    factory = _load_plugin(base) if record is None else _factory(record)
    return replace(factory, name=base), text if colon else None


def _check_name(name: Any) -> None:
    """Check that a player has this name.

    Raises:
        ValueError: None has; the message suggests the most similar name.
    """
    known = names()
    if not isinstance(name, str) or name not in known:
        near = get_close_matches(shown(name).strip("'"), known, n=1)
        hint = f'did you mean "{near[0]}"?' if near else "nlhe players lists all"
        raise ValueError(f"there is no player {shown(name)}; {hint}")


@cache
def _factory(record: PlayerRecord) -> PlayerFactory:
    if record.make.endswith(".npz"):
        package, _, path = record.make.partition(":")
        made: Any = partial(player_io.load_player, Path(str(files(package))) / path)
    else:
        made = resolve_name(record.make)
    factory = made(record.name) if record.by_name else PlayerFactory(made)
    return replace(factory, does=record.does)


def _plugin_names() -> tuple[str, ...]:
    """Names provided by other packages, in alphabetical order."""
    return tuple(sorted(entry_points(group=_GROUP).names))


def _load_plugin(name: str) -> PlayerFactory:
    """Factory provided by another package under a name."""
    # A package found twice on the path counts once.
    points = {point.value: point for point in entry_points(group=_GROUP, name=name)}
    if len(points) > 1:
        listed = " and ".join(_package(point) for point in points.values())
        raise RuntimeError(f"the player {name!r} is provided by {listed}: uninstall all but one")
    (point,) = points.values()
    origin = f"the player {name!r} of {_package(point)}"
    try:
        make = point.load()
    except Exception as error:
        raise RuntimeError(f"{origin} cannot be made: {describe_error(error)}") from error
    if not callable(make):
        raise RuntimeError(f"{origin} must be a class or function that makes it; got {make!r}")
    return PlayerFactory(make, origin=origin)


def _package(point: EntryPoint) -> str:
    package = point.dist
    by = f"{package.name} {package.version}" if package is not None else "a package"
    return f"{by} ({point.name} = {point.value})"


def _load_player_file(path: str, name: str | None) -> PlayerFactory:
    """Factory of a player in a file.

    The file is run as a module, once for each version of its content. Its folder is appended to
    ``sys.path``, so that it can import its neighbours.

    Args:
        path: Path of the file.
        name: Name of a class or function in the file; ``None`` for its only class with ``act``.

    Raises:
        ValueError: The file or the name in it does not exist.
        RuntimeError: The file fails; the message names the line.
    """
    module = load_file(Path(path))
    classes = [name for name, value in _own(module).items() if _is_player_class(value)]
    if name is None:
        if len(classes) != 1:
            has = f"several players, {', '.join(classes)}" if classes else "no class with act"
            lines = "" if classes else f'; a program that speaks lines is "process:python {path}"'
            if not classes and any(hasattr(each, "decide") for each in _own(module).values()):
                lines = "; a class with decide must derive from agents.ChipPlayer"
            raise ValueError(f'{path} has {has}: name what makes the player, "{path}:NAME"{lines}')
        name = classes[0]
    elif not callable(getattr(module, name, None)):
        makers = [key for key, value in _own(module).items() if callable(value)]
        if not makers:
            raise ValueError(f"{path} has no class or function {name!r}; it defines none")
        one_of(f"a player of {path}", name, makers)
    return PlayerFactory(getattr(module, name), origin=f"the player {name} of {path}")


def _own(module: ModuleType) -> dict[str, Any]:
    """Objects defined by a module itself."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    }


def _is_player_class(value: Any) -> bool:
    return inspect.isclass(value) and hasattr(value, "act") and not inspect.isabstract(value)


def make_compiled(name: str) -> CompiledPlayer:
    """``make`` for compiled players only.

    Raises:
        ValueError: The name is unknown, or the player is not compiled.

    >>> make_compiled("nlbot-1")
    Traceback (most recent call last):
        ...
    ValueError: 'nlbot-1' decides in Python and cannot take part in compiled tournaments
    """
    player = make(name)
    if not isinstance(player, CompiledPlayer):
        raise ValueError(f"{name!r} decides in Python and cannot take part in compiled tournaments")
    return player


def as_player(player: str | os.PathLike[str] | Player) -> Player:
    """Return a player object unchanged, or create it from a name or path, as in ``make``.

    Raises:
        ValueError: The value is not a player, name or path.

    >>> as_player("caller").name
    'caller'
    """
    if isinstance(player, (str, os.PathLike)):
        return make(os.fspath(player))
    if isinstance(player, type):
        raise ValueError(f"a player must be an object, not a class; got {player!r}: create one")
    if not isinstance(player, Player):
        raise ValueError(
            "a player must be a name, the path of a saved player, or an object with "
            f"act(observation, info); got {player!r}"
        )
    return player
