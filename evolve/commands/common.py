"""Functions shared by several commands."""

from __future__ import annotations

import argparse
import errno
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import tyro

from agents.match.workers.base import WorkersError
from agents.match.workers.parsing import ALLOWED
from evolve.commands.report import Reporter
from evolve.training.config import CHOICES, Config
from evolve.training.config_files import ConfigDraft, load_config, start_from_preset
from evolve.training.folder import CHANGEABLE, RunFolder
from nlhe_env.extras import install_command
from nlhe_env.system.command_interrupts import last_words
from nlhe_env.system.command_line import in_words

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
TRAIN, COMPARE = "quick", "heads-up"
"""Default presets of the commands."""


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
    go_on = f"Continue with:\n  nlhe train --resume {shlex.quote(str(folder.path))}"
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


def starting_config(arguments: Sequence[str]) -> Config:
    """The configuration overridden by options; it is read before all other options.

    It already has the kinds of parts named by options. The parts need not be compatible until the
    options with their values are read too: creating another ``Config`` from it checks them.

    Args:
        arguments: The command and its options.

    Raises:
        ValueError: The configuration does not exist or is invalid.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    sources = parser.add_mutually_exclusive_group()
    sources.add_argument("--preset")
    sources.add_argument("--resume", type=Path)
    parser.add_argument("--scale", type=float)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--variants", nargs="+", default=[None])
    for section in CHOICES:
        parser.add_argument(f"--{section}")
    try:
        given, _ = parser.parse_known_args(list(arguments))
    except argparse.ArgumentError as error:
        raise ValueError(str(error)) from error
    kinds = {name: kind for name in CHOICES if (kind := getattr(given, name)) is not None}
    if given.resume is not None:
        if given.scale is not None:
            raise ValueError("--scale cannot be used with --resume: a run keeps its sizes")
        config = load_config(RunFolder.find(given.resume, given.runs).path / "config.toml")
        _check_same_kinds(config, kinds)
        return config
    usual = TRAIN if arguments[0] == "train" else COMPARE
    if given.preset is not None and given.preset.endswith(".toml"):
        draft = ConfigDraft.of(load_config(Path(given.preset))).with_values(**kinds)
    else:
        preset = given.preset or usual
        draft = start_from_preset(preset, kinds)
        if given.variants[0] is not None and draft.kind("optimizer") != "symbiosis":
            # "compare" takes several optimizers, or models of symbiosis.
            draft = start_from_preset(preset, {"optimizer": given.variants[0], **kinds})
    return (draft if given.scale is None else draft.scaled(given.scale)).unchecked()


def _check_same_kinds(saved: Config, kinds: Mapping[str, str]) -> None:
    """Check that a continued run keeps its kinds of parts.

    Raises:
        ValueError: A flag names another kind.
    """
    for section, kind in kinds.items():
        if kind != saved.kind(section):
            raise ValueError(
                f"{section} is {saved.kind(section)!r} in the run and {kind!r} now; a resumed "
                f"run may only change {', '.join(CHANGEABLE)}"
            )
