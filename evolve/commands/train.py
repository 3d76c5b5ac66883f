"""``python -m evolve train``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import tyro

import agents
from agents.commands.common import usage_errors
from evolve.commands.common import (
    WorkersOption,
    draw_run_picture,
    find_run,
    saved_until_now,
)
from evolve.commands.report import Reporter
from evolve.evaluation.progress import measure_progress, save_progress
from evolve.evaluation.series import Play
from evolve.training import environment_door
from evolve.training.config import RunConfig
from evolve.training.config_files import load_config, load_preset
from evolve.training.run import train
from evolve.training.state import State
from evolve.training.store import RunFolder, check_same_experiment
from evolve.workers import Workers, parse_workers, prepare_game

_DOORS: dict[str, Play] = {
    "compiled": agents.play_tournaments,
    "environment": environment_door.play_tournaments,
}


@dataclass(frozen=True, kw_only=True)
class Train:
    """Evolve a population; the run is stored in a folder, generation by generation.

    Every value of the configuration is a flag of its own that overrides the preset or the file.
    """

    preset: str = "quick"
    """Configuration to start from; the command "presets" lists them."""

    config: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """A TOML file to start from instead."""

    scale: Annotated[float | None, tyro.conf.arg(metavar="FACTOR")] = None
    """Multiply population, elites and hall of fame of the preset or file, before other flags."""

    resume: Annotated[Path | None, tyro.conf.arg(metavar="RUN")] = None
    """Run folder to go on with instead, or "latest"."""

    runs: Path = Path("runs")
    """Where run folders are made."""

    workers: WorkersOption = None

    door: Literal["compiled", "environment"] = "compiled"
    """Play whole tournaments compiled, or decision by decision through env.step with a Python
    object for each player: the same results, more than twenty times slower."""

    settings: Annotated[RunConfig, tyro.conf.arg(name="")] = field(default_factory=RunConfig)

    def run(self, reporter: Reporter) -> None:
        """Trains, measures the progress and draws it.

        Raises:
            RuntimeError: A file could not be written, or the workers are gone; the message says how
                to go on.
        """
        with usage_errors():
            if self.door == "environment":
                environment_door.check_config(self.settings)
            workers = parse_workers(self.workers)
            folder, state = self._folder_and_state(reporter)
        reporter.say(f"Run folder: {folder.path}")
        with saved_until_now("train", folder.path, reporter), workers:
            self._train(folder, state, workers, reporter)
        reporter.say(
            f"Compare the champion with other players:\n  python -m evolve evaluate {folder.path}"
        )
        reporter.say(f"Run folder: {folder.path}")

    def _folder_and_state(self, reporter: Reporter) -> tuple[RunFolder, State]:
        config = self.settings
        if self.resume is None:
            return RunFolder.create(self.runs, config), State.before_first(config)
        folder = find_run(self.resume, self.runs)
        saved = folder.load_config()
        check_same_experiment(saved, config)
        state = folder.restore(config, say=reporter.say)
        if config.generations < state.generation:
            raise ValueError(
                f"generations must be at least {state.generation}, which are finished; "
                f"got {config.generations}"
            )
        if config != saved:
            folder.save_config(config)
        return folder, state

    def _train(self, folder: RunFolder, state: State, workers: Workers, reporter: Reporter) -> None:
        config = self.settings
        prepare_game()
        with reporter.bar("tournaments", config.tournaments):
            state = train(
                folder,
                config,
                state,
                workers=workers,
                listener=reporter,
                play=_DOORS[self.door],
            )
        if config.progress_tournaments:
            of = f" of sub-population {state.best + 1}" if config.sub_populations > 1 else ""
            reporter.say(f"Measuring the progress: the champions of all generations{of} meet.")
            with reporter.bar("tournaments", config.progress_tournaments):
                progress = measure_progress(
                    state.sub_populations[state.best].champions.pack(),
                    config.make_game(),
                    seed=config.seed,
                    tournaments=config.progress_tournaments,
                    most=config.progress_champions,
                    workers=workers,
                    on_progress=reporter.advance,
                )
            save_progress(progress, folder.progress_file)
            reporter.say(
                f"mean place of {progress.players}: first champion {progress.places[0]:.2f}, "
                f"last {progress.places[-1]:.2f}"
            )
        draw_run_picture(folder, reporter)


def starting_config(arguments: Sequence[str]) -> RunConfig:
    """The configuration that the flags of ``train`` override; it is read before all other flags.

    Raises:
        ValueError: It does not exist or cannot be used.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("command", nargs="?")
    sources = parser.add_mutually_exclusive_group()
    sources.add_argument("--preset", default="quick")
    sources.add_argument("--config", type=Path)
    sources.add_argument("--resume", type=Path)
    parser.add_argument("--scale", type=float)
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    try:
        given, _ = parser.parse_known_args(arguments)
    except argparse.ArgumentError as error:
        raise ValueError(str(error)) from error
    if given.command != "train":
        return RunConfig()
    if given.resume is not None:
        if given.scale is not None:
            raise ValueError("--scale cannot be used with --resume: a run keeps its sizes")
        return find_run(given.resume, given.runs).load_config()
    config = load_preset(given.preset) if given.config is None else load_config(given.config)
    return config if given.scale is None else config.scaled(given.scale)
