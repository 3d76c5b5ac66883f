"""The command line of ``python -m evolve``: the table of commands, and ``train``.

Exit codes: 0 done, 1 the run failed, 2 bad arguments, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeAlias

import tyro

from agents.network import N_WEIGHTS
from evolve.chunks import Workers, thread_workers
from evolve.commands.common import (
    UsageError,
    draw_run_picture,
    find_run,
    prepare_game,
    usage_errors,
)
from evolve.commands.evaluate import Evaluate
from evolve.commands.plot import Plot
from evolve.commands.progress import ProgressCommand
from evolve.commands.study import StudyCommand
from evolve.commands.summary import Summary
from evolve.config import RunConfig, load_config, load_preset
from evolve.progress import measure_progress, save_progress
from evolve.report import Reporter
from evolve.run import train
from evolve.state import State
from evolve.store import RunFolder, check_same_experiment


@dataclass(frozen=True, kw_only=True)
class Train:
    """Evolve a population; the run is stored in a folder, generation by generation.

    Every value of the configuration is a flag of its own that overrides the preset or the file.
    """

    preset: str = "quick"
    """Configuration to start from: baseline, baseline-small, large-hof, large-hof-small, quick."""

    config: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """A TOML file to start from instead."""

    resume: Annotated[Path | None, tyro.conf.arg(metavar="RUN")] = None
    """Run folder to go on with instead, or "latest"."""

    runs: Path = Path("runs")
    """Where run folders are made."""

    threads: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Threads that play; default: one for each core. Their number does not change the result."""

    settings: Annotated[RunConfig, tyro.conf.arg(name="")] = field(default_factory=RunConfig)

    def run(self, reporter: Reporter) -> None:
        """Trains, measures the progress and draws it."""
        with usage_errors():
            workers = thread_workers(self.threads)
            folder, state = self._folder_and_state(reporter)
        reporter.say(f"Run folder: {folder.path}")
        try:
            with workers:
                self._train(folder, state, workers, reporter)
        except KeyboardInterrupt:
            reporter.say(
                "Interrupted; every finished generation is saved. Go on with:\n"
                f"  python -m evolve train --resume {folder.path}"
            )
            raise
        reporter.say(
            f"Compare the champion with other players:\n  python -m evolve evaluate {folder.path}"
        )
        reporter.say(f"Run folder: {folder.path}")

    def _folder_and_state(self, reporter: Reporter) -> tuple[RunFolder, State]:
        config = self.settings
        if self.resume is None:
            return RunFolder.create(self.runs, config), State.before_first(N_WEIGHTS)
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
        tables = prepare_game()
        with reporter.bar("tournaments", config.tournaments):
            state = train(folder, config, state, tables=tables, workers=workers, listener=reporter)
        if config.progress_tournaments:
            reporter.say("Measuring the progress: the champions of all generations meet.")
            with reporter.bar("tournaments", config.progress_tournaments):
                progress = measure_progress(
                    state.champions,
                    config,
                    tables=tables,
                    workers=workers,
                    on_progress=reporter.advance,
                )
            save_progress(progress, folder)
            reporter.say(
                f"mean place of {progress.players}: first champion {progress.places[0]:.2f}, "
                f"last {progress.places[-1]:.2f}"
            )
        draw_run_picture(folder, reporter)


Command: TypeAlias = Train | Evaluate | ProgressCommand | Summary | StudyCommand | Plot


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code."""
    try:
        command = _parse(sys.argv[1:] if arguments is None else list(arguments))
        command.run(Reporter())
    except KeyboardInterrupt:
        return 130
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except (OSError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _parse(arguments: list[str]) -> Command:
    """The command with its flags; bad ones end the program with code 2."""
    subcommand = tyro.conf.subcommand
    with usage_errors():
        config = _starting_config(arguments)
        command: Command = tyro.cli(
            Annotated[Train, subcommand("train", default=Train(settings=config))]
            | Annotated[Evaluate, subcommand("evaluate")]
            | Annotated[ProgressCommand, subcommand("progress")]
            | Annotated[Summary, subcommand("summary")]
            | Annotated[StudyCommand, subcommand("study")]
            | Annotated[Plot, subcommand("plot")],
            prog="python -m evolve",
            description="Evolve players of No-Limit Texas Hold'em and compare them.",
            args=arguments,
        )
    return command


def _starting_config(arguments: list[str]) -> RunConfig:
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
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    try:
        given, _ = parser.parse_known_args(arguments)
    except argparse.ArgumentError as error:
        raise ValueError(str(error)) from error
    if given.command != "train":
        return RunConfig()
    if given.resume is not None:
        return find_run(given.resume, given.runs).load_config()
    if given.config is not None:
        return load_config(given.config)
    return load_preset(given.preset)
