"""Players in files: ``my_bot.py:Careful`` is what ``Careful()`` makes in the file ``my_bot.py``."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import io
import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from agents.external.player_factory import PlayerFactory, describe_error
from nlhe_env.arguments import one_of

_FORM = re.compile(r"((?:[A-Za-z]:)?[^:]+\.py)(?::([A-Za-z_]\w*))?(?::(.*))?", re.DOTALL)


class PlayerInFile(NamedTuple):
    """Parsed name of a player in a file."""

    path: str
    name: str | None
    """Name of the class or function; ``None`` for the only class of players there."""
    options: str | None


def read_form(text: str) -> PlayerInFile | None:
    """The parts of ``FILE.py``, ``FILE.py:NAME`` or ``FILE.py:NAME:option=value``; else ``None``.

    >>> read_form("bots/my_bot.py:Careful:bet_from=0.9")
    PlayerInFile(path='bots/my_bot.py', name='Careful', options='bet_from=0.9')
    """
    parts = _FORM.fullmatch(text)
    return None if parts is None else PlayerInFile(*parts.groups())


def load_player_file(path: str, name: str | None) -> PlayerFactory:
    """Factory of a player in a file.

    The file is run as a module, once for each content. Its folder is added to the end of
    ``sys.path``, so that it can import what lies beside it.

    Args:
        path: Path of the file.
        name: Name of a class or function in it; ``None`` for the only class there that has ``act``.

    Raises:
        ValueError: There is no such file, or no such name in it.
        RuntimeError: The file fails; the message says in which line.
    """
    module = _load(Path(path))
    classes = [name for name, value in _own(module).items() if _is_player_class(value)]
    if name is None:
        if len(classes) != 1:
            has = f"several players, {', '.join(classes)}" if classes else "no class with act"
            lines = "" if classes else f'; a program that speaks lines is "process:python {path}"'
            raise ValueError(f'{path} has {has}: name what makes the player, "{path}:NAME"{lines}')
        name = classes[0]
    elif not callable(getattr(module, name, None)):
        makers = [key for key, value in _own(module).items() if callable(value)]
        if not makers:
            raise ValueError(f"{path} has no class or function {name!r}, nor any other")
        one_of(f"a player of {path}", name, makers)
    return PlayerFactory(getattr(module, name), origin=f"the player {name} of {path}")


def _load(path: Path) -> ModuleType:
    try:
        source = path.read_bytes()
    except OSError as error:
        raise ValueError(f"the player file {path} cannot be read: {error.strerror}") from None
    whole = path.resolve()
    digest = hashlib.sha256(str(whole).encode() + b"\0" + source).hexdigest()
    # Named by its content: a file that has changed is another module, and stored results of its
    # players are those of other players.
    name = f"{path.stem}_{digest[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    if str(whole.parent) not in sys.path:
        sys.path.append(str(whole.parent))
    module = ModuleType(name)
    module.__file__ = str(whole)
    sys.modules[name] = module  # dataclasses and pickles look for it there
    try:
        with _no_input():
            exec(compile(source, str(whole), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise RuntimeError(f"{path}{_line_of(error, whole)}: {describe_error(error)}") from error
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextlib.contextmanager
def _no_input() -> Iterator[None]:
    """A program that speaks lines, taken for a file with a player, must not wait for some."""
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        yield
    finally:
        sys.stdin = before


def _line_of(error: BaseException, path: Path) -> str:
    """The last line of a file that led to an exception, in words."""
    if isinstance(error, SyntaxError):
        return ""  # says it itself
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""


def _own(module: ModuleType) -> dict[str, Any]:
    """Objects that a module defines itself."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    }


def _is_player_class(value: Any) -> bool:
    return inspect.isclass(value) and hasattr(value, "act") and not inspect.isabstract(value)
