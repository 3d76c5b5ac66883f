"""``python -m evolve optimize``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro

from evolve.commands.common import (
    WorkersOption,
    draw_run_picture,
    saved_until_now,
    search_usage_errors,
)
from evolve.commands.report import Reporter
from evolve.training.runs import LATEST
from evolve.training.search.config import SearchConfig
from evolve.training.search.folder import SearchFolder, check_same_search
from evolve.training.search.presets import load_search_config, load_search_preset
from evolve.training.search.report import SearchReporter
from evolve.training.search.run import search
from evolve.training.search.state import SearchState
from evolve.workers import Workers, parse_workers


@dataclass(frozen=True, kw_only=True)
class Optimize:
    """Train a player by an optimizer, on the same cards for all candidates.

    Every value of the configuration is a flag of its own that overrides the preset or the file.
    """

    preset: str = "heads-up"
    """Configuration to start from, GAME or GAME-OPTIMIZER; the command "presets" lists them."""

    config: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """A TOML file to start from instead."""

    resume: Annotated[Path | None, tyro.conf.arg(metavar="RUN")] = None
    """Run folder to go on with instead, or "latest"."""

    runs: Path = Path("runs")
    """Where run folders are made."""

    workers: WorkersOption = None

    settings: Annotated[SearchConfig, tyro.conf.arg(name="")] = field(default_factory=SearchConfig)

    def run(self, reporter: Reporter) -> None:
        """Searches and draws the learning curve.

        Raises:
            RuntimeError: A file could not be written; the message says how to go on.
        """
        with search_usage_errors():
            workers = parse_workers(self.workers)
            folder, state = self._folder_and_state(reporter)
        reporter.say(f"Run folder: {folder.path}")
        saved = "all but the last seconds is saved"
        with saved_until_now("optimize", folder.path, reporter, unless_written=saved), workers:
            self._search(folder, state, workers, reporter)
        reporter.say(
            "Compare the player with others:\n"
            f"  python -m evolve league {folder.path} old-best caller"
        )

    def _folder_and_state(self, reporter: Reporter) -> tuple[SearchFolder, SearchState]:
        config = self.settings
        if self.resume is None:
            state = SearchState.before_first(config)  # checks the options of the optimizer
            return SearchFolder.create(self.runs, config), state
        folder = _find(self.resume, self.runs)
        saved = folder.load_config()
        check_same_search(saved, config)
        state = folder.restore(config, say=reporter.say)
        if config != saved:
            folder.save_config(config)
        return folder, state

    def _search(
        self, folder: SearchFolder, state: SearchState, workers: Workers, reporter: Reporter
    ) -> None:
        search(folder, self.settings, state, workers=workers, listener=SearchReporter(reporter))
        draw_run_picture(folder, reporter)


def _find(path: Path, runs: Path) -> SearchFolder:
    return SearchFolder.latest(runs) if path == LATEST else SearchFolder.open(path)


def starting_search(arguments: Sequence[str]) -> SearchConfig:
    """The configuration that the flags of ``optimize`` override; it is read before all others.

    Raises:
        ValueError: It does not exist or cannot be used.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("command", nargs="?")
    sources = parser.add_mutually_exclusive_group()
    sources.add_argument("--preset", default="heads-up")
    sources.add_argument("--config", type=Path)
    sources.add_argument("--resume", type=Path)
    parser.add_argument("--optimizer")
    parser.add_argument("--optimizers", nargs="+", default=[None])
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    try:
        given, _ = parser.parse_known_args(arguments)
    except argparse.ArgumentError as error:
        raise ValueError(str(error)) from error
    if given.command not in ("optimize", "compare"):
        return SearchConfig()
    if given.resume is not None:
        return _find(given.resume, given.runs).load_config()
    if given.config is not None:
        return load_search_config(given.config)
    # Another optimizer comes with the values that suit it; "compare" has several.
    return load_search_preset(given.preset, given.optimizer or given.optimizers[0])
