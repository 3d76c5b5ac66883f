"""Names of parts in files: who may choose what.

A file may come from somebody else. The names of built-in parts, and of those that installed
packages register, are only looked up. ``FILE.py:NAME``, ``process:COMMAND``, ``chat:...``,
``http://...``, ``FILE.npz`` and options with paths are choices of the user alone: a file may
contain them, but they mean something only if the user has given the same text, on the command line
or in Python.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlhe_env.system.python_files import read_form

PART_OPTION = "--part"
"""Option of every command that gives a text which files may then contain."""
PART_HELP = f"{PART_OPTION} FILE.py:NAME lets the files that a command reads name this part."

_OUTSIDE = ("process:", "chat:", "http:", "https:")
_OPTIONS = re.compile(r"[\w.+-]+:(.*=.*)", re.DOTALL)
_PLAIN_OPTION = re.compile(r"\w+=[\w+-]*(\.\d+([eE][+-]?\d+)?)?")
_MOST_SHOWN, _LONGEST_SHOWN = 3, 200

_allowed: set[str] = set()


def allow_in_files(*texts: str) -> None:
    """Let files name parts that are code, programs, addresses or other files.

    Commands do this for their arguments, and ``agents.make`` and ``Config.with_values`` for what
    they are given in Python.

    Args:
        *texts: Names as they are in the files: ``FILE.py:NAME``, ``FILE.npz``,
            ``process:COMMAND``, ``chat:OPTIONS``, ``http://ADDRESS``. Other texts need no
            permission. One permission covers all names in a Python file.
    """
    _allowed.update(texts)
    _allowed.update(map(_file_of, texts))


def is_given(text: str) -> bool:
    """Whether the user has given a text, or another name of the same file."""
    # With "..", what a path means depends on links, which a stranger's folder may contain.
    return text in _allowed or (".." not in text and _file_of(text) in _allowed)


def may_name(text: str) -> bool:
    """Whether a file may contain a name, so that it is looked up and used.

    >>> [may_name(text) for text in ("pot-odds:margin=0.1", "bot.py:Bot", "process:./bot")]
    [True, False, False]
    """
    return not _is_foreign(text) or is_given(text)


def foreign_names(values: Any) -> list[str]:
    """All texts in nested values that a file may not contain as names, without repetitions."""
    return list(dict.fromkeys(text for text in texts_of(values) if not may_name(text)))


def check_names(values: Any, source: str) -> None:
    """Check that a file's values name only what a file may name.

    Args:
        values: A text, or nested mappings and sequences.
        source: The file, for the message.

    Raises:
        ValueError: They name something else; the message says what the user can type to allow it.
    """
    found = foreign_names(values)
    if found:
        raise ValueError(f"{source} names {shown(found)}, {refusal(found)}")


def shown(texts: Sequence[str]) -> str:
    """Texts of a file for a message, without control characters and of limited length."""
    words = [repr(text[:_LONGEST_SHOWN]) for text in texts[:_MOST_SHOWN]]
    more = [f"{len(texts) - _MOST_SHOWN} more"] if len(texts) > _MOST_SHOWN else []
    return ", ".join(words + more)


def refusal(texts: Sequence[str]) -> str:
    """Why a file may not name these texts, and what the user can type to allow them."""
    typed = [
        f"{PART_OPTION} {shlex.quote(text)}"
        for text in texts
        if text.isprintable() and len(text) <= _LONGEST_SHOWN
    ]
    allow = f"; if you trust it, add: {' '.join(typed)}" if typed else ""
    return f"but a file may not choose code, programs, addresses or other files{allow}"


def _is_foreign(text: str) -> bool:
    if text.startswith(_OUTSIDE) or text.endswith(".npz") or read_form(text) is not None:
        return True
    options = _OPTIONS.fullmatch(text)
    return options is not None and not all(map(_PLAIN_OPTION.fullmatch, options[1].split(",")))


def _file_of(text: str) -> str:
    """Absolute path of the file that a text names, without options; any other text as it is."""
    in_file = read_form(text)
    if in_file is not None:
        return os.path.abspath(in_file.path) if in_file.options is None else text
    is_path = text.endswith(".npz") and ":" not in os.path.splitdrive(text)[1]
    return os.path.abspath(text) if is_path else text


def texts_of(values: Any) -> Iterator[str]:
    """All texts in nested values, keys included, without recursion."""
    waiting = [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
            waiting += value
