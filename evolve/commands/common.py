"""Functions shared by several commands."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import tyro

from agents.commands.common import in_words
from agents.match.workers.base import WorkersError
from agents.match.workers.parsing import ALLOWED
from evolve.commands.report import Reporter
from evolve.training.folder import RunFolder
from nlhe_env.extras import install_command
from nlhe_env.system.command_interrupts import last_words

WorkersOption: TypeAlias = Annotated[
    str | None,
    tyro.conf.arg(
        metavar="WORKERS",
        help=f"Execution backend: {ALLOWED}; default: one thread for each core. It does not change "
        "the result.",
    ),
]
"""Type of the option ``--workers``; ``parse_workers`` reads it."""

SeedsOption: TypeAlias = Annotated[str, tyro.conf.arg(metavar="N|FIRST-LAST")]
"""Type of the option ``--seeds``."""


def parse_seeds(text: str) -> tuple[int, int]:
    """The first seed and the number of seeds of the option ``--seeds``.

    Raises:
        ValueError: It is neither a number of seeds nor a range.

    >>> parse_seeds("3"), parse_seeds("201-208")
    ((1, 3), (201, 8))
    """
    first, dash, last = text.partition("-")
    if not dash:
        first, last = "1", first
    if not (first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
        raise ValueError(f"seeds must be a number such as 3, or a range such as 4-6; got {text!r}")
    return int(first), int(last) - int(first) + 1


def read_variance_reduction(text: str) -> tuple[str, str | None]:
    """The method of an option ``--variance-reduction``, and its value function, if it has one.

    Raises:
        ValueError: It has another option than ``value``.

    >>> read_variance_reduction("divat"), read_variance_reduction("aivat:value=before.npz")
    (('divat', None), ('aivat', 'before.npz'))
    """
    method, colon, option = text.partition(":")
    value = option.removeprefix("value=")
    if colon and (method != "aivat" or value in (option, "")):
        raise ValueError(f"variance_reduction has options only as aivat:value=FILE; got {text!r}")
    return method, value or None


@contextmanager
def saved_until_now(folder: RunFolder, reporter: Reporter) -> Iterator[None]:
    """Print how to continue a run after an interruption or a write error.

    Args:
        folder: Folder of the run.
        reporter: Reporter for the message.

    Raises:
        RuntimeError: A file could not be written, or no workers are left.
    """
    go_on = f"Continue with:\n  nlhe train --resume {folder.path}"
    with last_words(f"Interrupted twice. {go_on}"):  # until the message is printed
        try:
            yield
        except KeyboardInterrupt:
            reporter.say(f"Interrupted; {_what_is_saved(folder)}. {go_on}")
            raise
        except WorkersError as error:
            raise RuntimeError(f"{error}; {_what_is_saved(folder)}. {go_on}") from error
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            raise RuntimeError(
                f"{in_words(error)}; all but the last generations are saved. "
                f"{'Free disk space, then c' if full else 'C'}{go_on.removeprefix('C')}"
            ) from error


def _what_is_saved(folder: RunFolder) -> str:
    """Sentence about the saved part of an interrupted run."""
    count = folder.newest_saved()
    if count == 0:
        return "no generation was finished yet"
    return f"{count} finished generation{'s are' if count > 1 else ' is'} saved"


def draw(picture: Callable[[], Path], reporter: Reporter, *, again: str) -> None:
    """Draw a picture, or name the missing dependency.

    Args:
        picture: Function that draws the picture and returns its path.
        reporter: Reporter for the path.
        again: Arguments of ``nlhe`` for drawing the picture later.
    """
    try:
        reporter.say(f"Picture: {picture()}")
    except ImportError:
        reporter.say(
            "No picture, since Matplotlib is not installed. To draw it:\n"
            f"  {install_command('plot')} && nlhe {again}"
        )


def draw_run_picture(folder: RunFolder, reporter: Reporter) -> None:
    """Draws the picture of a run."""

    def picture() -> Path:
        from evolve.training.plots import draw_run

        return draw_run(folder)

    draw(picture, reporter, again=f"evaluate plot {folder.path}")
