"""The configuration that the flags of ``train`` and ``compare`` override."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from evolve.training.config import CHOICES, Config, kind_of
from evolve.training.config_files import Draft, load_config, start_from_preset
from evolve.training.folder import CHANGEABLE, RunFolder

_PRESETS = {"train": "quick", "compare": "heads-up"}
"""Configuration that the commands start from when nothing is named."""


def starting_config(arguments: Sequence[str]) -> Config:
    """The configuration that flags override; it is read before all other flags.

    Its parts are of the kinds that flags name and need not fit each other before the flags with
    their values are read too: making another ``Config`` of it checks them.

    Raises:
        ValueError: It does not exist or cannot be used.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("command", nargs="?")
    sources = parser.add_mutually_exclusive_group()
    sources.add_argument("--preset")
    sources.add_argument("--config", type=Path)
    sources.add_argument("--resume", type=Path)
    parser.add_argument("--scale", type=float)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--optimizers", nargs="+", default=[None])
    for section in CHOICES:
        parser.add_argument(f"--{section}")
    try:
        given, _ = parser.parse_known_args(arguments)
    except argparse.ArgumentError as error:
        raise ValueError(str(error)) from error
    if given.command not in _PRESETS:
        return Config()
    kinds = {name: kind for name in CHOICES if (kind := getattr(given, name)) is not None}
    if given.resume is not None:
        if given.scale is not None:
            raise ValueError("--scale cannot be used with --resume: a run keeps its sizes")
        config = RunFolder.find(given.resume, given.runs).load_config()
        _check_same_kinds(config, kinds)
        return config
    if given.config is not None:
        draft = Draft.of(load_config(given.config)).with_values(**kinds)
    else:
        if "optimizer" not in kinds and given.optimizers[0] is not None:
            kinds["optimizer"] = given.optimizers[0]  # "compare" has several
        draft = start_from_preset(given.preset or _PRESETS[given.command], kinds)
    return (draft if given.scale is None else draft.scaled(given.scale)).unchecked()


def _check_same_kinds(saved: Config, kinds: Mapping[str, str]) -> None:
    """Check that a run which goes on keeps its parts.

    Raises:
        ValueError: A flag names another one.
    """
    for section, kind in kinds.items():
        if kind != kind_of(saved, section):
            raise ValueError(
                f"{section} is {kind_of(saved, section)!r} in the run and {kind!r} now; a resumed "
                f"run may only change {', '.join(CHANGEABLE)}"
            )
