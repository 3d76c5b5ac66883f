"""The configuration that the options of ``train`` and ``study compare`` override."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from evolve.training.config import CHOICES, Config
from evolve.training.config_files import ConfigDraft, load_config, start_from_preset
from evolve.training.folder import CHANGEABLE, RunFolder

TRAIN, COMPARE = "quick", "heads-up"
"""Default presets of the commands."""


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
