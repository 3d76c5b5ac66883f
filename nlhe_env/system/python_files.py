"""Objects in Python files: ``my_file.py:Careful`` is the object ``Careful`` in ``my_file.py``."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from inspect import isabstract
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from nlhe_env.arguments import one_of

_FORM = re.compile(r"((?:[A-Za-z]:)?[^:]+\.py)(?::([A-Za-z_]\w*))?(?::(.*))?", re.DOTALL)


_loaded: dict[str, Path] = {}
"""Files that were loaded, by the names of their modules."""


class NameInFile(NamedTuple):
    """Parsed name of an object in a file."""

    path: str
    name: str | None
    """Name of the object; ``None`` for the only object of its sort in the file."""
    options: str | None


def read_form(text: str) -> NameInFile | None:
    """The parts of ``FILE.py``, ``FILE.py:NAME`` or ``FILE.py:NAME:option=value``; else ``None``.

    >>> read_form("bots/my_bot.py:Careful:bet_from=0.9")
    NameInFile(path='bots/my_bot.py', name='Careful', options='bet_from=0.9')
    """
    parts = _FORM.fullmatch(text)
    return None if parts is None else NameInFile(*parts.groups())


def file_label(text: str) -> str:
    """Name of an object in a file, in characters valid for folder names.

    >>> file_label("lab/climb.py:Climb"), file_label("cma-es")
    ('climb-Climb', 'cma-es')
    """
    form = read_form(text)
    if form is None:
        return text
    return "-".join(filter(None, (Path(form.path).stem, form.name)))


def find_in_file(text: str, sort: str, fits: Callable[[Any], bool]) -> Any | None:
    """Object of ``FILE.py:NAME`` or ``FILE.py``; ``None`` for another text.

    Args:
        text: The name as typed.
        sort: What it must be, for messages: "an optimizer".
        fits: Whether an object is of that sort. A single such object in a file needs no name.

    Raises:
        ValueError: There is no such file, no such name in it, or the name is of another sort.
        RuntimeError: The file fails; the message says in which line.
    """
    form = read_form(text) if isinstance(text, str) else None
    if form is None:
        return None
    if form.options is not None:
        raise ValueError(f"{sort} in a file takes no options in its name; got {text!r}")
    module = load_file(Path(form.path))
    found = {
        name: value
        for name, value in vars(module).items()
        # Excludes imported base classes.
        if fits(value)
        and getattr(value, "__module__", None) in (module.__name__, type(value).__module__)
    }
    if not found:
        raise ValueError(f"{form.path} does not define {sort}")
    if form.name is None and len(found) > 1:
        raise ValueError(
            f"{form.path} defines {', '.join(found)}: name one, such as {form.path}:{min(found)}"
        )
    name = min(found) if form.name is None else form.name
    return found[one_of(f"{sort} in {form.path}", name, found)]


def register_from_file(
    known: MutableMapping[str, Any],
    text: str,
    sort: str,
    *bases: type,
    convert: Callable[[Any], Any] = lambda kind: kind,
) -> None:
    """Registers the class of ``FILE.py:NAME`` under this text.

    Args:
        known: Registered classes by name; unchanged for another text.
        text: The name as typed.
        sort: What it must be, for messages: "an optimizer".
        *bases: The class must be derived from one of these.
        convert: Converts the class to the registered object.

    Raises:
        ValueError: There is no such file, no such name in it, or the name is of another sort.
        RuntimeError: The file fails.
    """
    found = find_in_file(text, sort, lambda value: _is_kind(value, bases))
    if found is not None:
        known[text] = convert(found)


def _is_kind(value: Any, bases: tuple[type, ...]) -> bool:
    return isinstance(value, type) and issubclass(value, bases) and not isabstract(value)


def load_file(path: Path) -> ModuleType:
    """Module of a file, run once per content.

    The folder of the file is appended to ``sys.path``, so that the file can import its neighbours.

    Raises:
        ValueError: The file cannot be read.
        RuntimeError: The file fails; the message says in which line.
    """
    try:
        source = path.read_bytes()
    except OSError as error:
        raise ValueError(f"the file {path} cannot be read: {error.strerror}") from None
    whole = path.resolve()
    digest = hashlib.sha256(str(whole).encode() + b"\0" + source).hexdigest()
    # Named by its content: a changed file is another module, and stored results of its old players
    # belong to other players.
    name = f"{path.stem}_{digest[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    if str(whole.parent) not in sys.path:
        sys.path.append(str(whole.parent))
    module = ModuleType(name)
    module.__file__ = str(whole)
    _loaded[name] = path.absolute()
    sys.modules[name] = module  # dataclasses and pickle look it up there
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


def files_in_pickle(pickled: bytes) -> dict[str, Path]:
    """Files with objects of a pickle, by the names of their modules."""
    return {
        name: path
        for name, path in _loaded.items()
        if name.encode(errors="surrogatepass") in pickled
    }


def load_same_files(files: Mapping[str, Path]) -> None:
    """Load files in another process, before objects in them are unpickled.

    Args:
        files: Files by the names of their modules, as of ``files_in_pickle``.

    Raises:
        ValueError: A file cannot be read, or has changed.
        RuntimeError: A file fails.
    """
    for name, path in files.items():
        if name not in sys.modules and load_file(path).__name__ != name:
            raise ValueError(f"the file {path} has changed since it was loaded: start again")


def describe_error(error: BaseException) -> str:
    """An exception in one line."""
    return f"{type(error).__name__}: {error}"


@contextlib.contextmanager
def _no_input() -> Iterator[None]:
    """A program with a line protocol that is loaded by mistake must not wait for input."""
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        yield
    finally:
        sys.stdin = before


def _line_of(error: BaseException, path: Path) -> str:
    """Text about the last line of a file in an exception's traceback."""
    if isinstance(error, SyntaxError):
        return ""  # has its own line number
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""
