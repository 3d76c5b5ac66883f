"""The command line: ``python -m evolve train``, ``evaluate`` and ``plot``.

Exit codes: 0 done, 1 the run failed, 2 bad arguments, 130 interrupted.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro

import agents
from agents.network import N_WEIGHTS
from evolve import seeds
from evolve.chunks import Workers, thread_workers
from evolve.config import RunConfig
from evolve.config_files import load_config, load_preset
from evolve.duplicate import check_evaluation, evaluate, save_evaluation
from evolve.progress import STATIC_PLAYERS, measure_progress, save_progress
from evolve.report import Reporter
from evolve.run import train
from evolve.state import State
from evolve.store import RunFolder, check_same_experiment
from nlhe_env.equity import StrengthTables, load_tables

_LATEST = Path("latest")
_CHAMPION_OF = re.compile(r"generation-(\d+)")


class UsageError(Exception):
    """Arguments that cannot be followed; its text is all the user needs."""


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
        with _usage_errors():
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
            return RunFolder.create(self.runs, config), State.before_first(config)
        folder = _find_run(self.resume, self.runs)
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
        tables = _prepare_game()
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
        _draw(folder, reporter)


@dataclass(frozen=True, kw_only=True)
class Evaluate:
    """Compare the champion of a run with other players at duplicate tables."""

    run_folder: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="RUN")] = _LATEST
    """Run folder; default: the latest."""

    revolutions: int = 2000
    """Sequences of cards; each is played once for every player, everyone a seat further."""

    players: tuple[str, ...] = (*STATIC_PLAYERS, "generation-1")
    """Opponents: names of built-in players, player files (.npz), or generation-K for the best
    player of generation K of the run."""

    seed: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Seed of cards and decisions; default: that of the run."""

    runs: Path = Path("runs")
    """Where run folders are looked for."""

    threads: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Threads that play; default: one for each core. Their number does not change the result."""

    def run(self, reporter: Reporter) -> None:
        """Evaluates, prints the table and stores it in the run folder."""
        with _usage_errors():
            workers = thread_workers(self.threads)
            folder = _find_run(self.run_folder, self.runs)
            config = folder.load_config()
            names = ["champion", *(_player_name(text) for text in self.players)]
            check_evaluation(names, self.revolutions)
            players = [
                folder.champion(),
                *(_find_player(text, folder, config) for text in self.players),
            ]
            seed = config.seed if self.seed is None else self.seed
            if seed < 0:
                raise ValueError(f"seed must not be negative; got {seed}")
        reporter.say(f"Run folder: {folder.path}")
        tables = _prepare_game()
        with workers, reporter.bar("revolutions", self.revolutions):
            evaluation = evaluate(
                players,
                names,
                structure=config.structure(),
                revolutions=self.revolutions,
                seed=seeds.stream_seed(seed, seeds.EVALUATION),
                tables=tables,
                workers=workers,
                on_progress=reporter.advance,
            )
        reporter.show_evaluation(evaluation)
        json_file, csv_file = save_evaluation(evaluation, folder.path, seed=seed)
        reporter.say(f"Written: {json_file}, {csv_file.name}")


@dataclass(frozen=True, kw_only=True)
class Plot:
    """Draw a run again, also one that is not finished."""

    run_folder: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="RUN")] = _LATEST
    """Run folder; default: the latest."""

    runs: Path = Path("runs")
    """Where run folders are looked for."""

    def run(self, reporter: Reporter) -> None:
        """Draws."""
        with _usage_errors():
            folder = _find_run(self.run_folder, self.runs)
            if not folder.metrics_file.exists():
                raise ValueError(f"{folder.path} has nothing to draw: no generation is finished")
        _draw(folder, reporter)


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


def _parse(arguments: list[str]) -> Train | Evaluate | Plot:
    """The command with its flags; bad ones end the program with code 2."""
    subcommand = tyro.conf.subcommand
    with _usage_errors():
        config = _starting_config(arguments)
        command: Train | Evaluate | Plot = tyro.cli(
            Annotated[Train, subcommand("train", default=Train(settings=config))]
            | Annotated[Evaluate, subcommand("evaluate")]
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
        return _find_run(given.resume, given.runs).load_config()
    if given.config is not None:
        return load_config(given.config)
    return load_preset(given.preset)


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Turns a ValueError about arguments into one line for the user."""
    try:
        yield
    except ValueError as error:
        raise UsageError(str(error)) from error


def _find_run(path: Path, runs: Path) -> RunFolder:
    return RunFolder.latest(runs) if path == _LATEST else RunFolder.open(path)


def _player_name(text: str) -> str:
    return Path(text).stem if text.endswith(".npz") else text


def _find_player(text: str, folder: RunFolder, config: RunConfig) -> agents.CompiledPlayer:
    """The player that ``--players`` names.

    Raises:
        ValueError: There is no such player.
    """
    champion_of = _CHAMPION_OF.fullmatch(text)
    if champion_of is None:
        return agents.make(text)
    generation, champions = int(champion_of[1]), folder.champions()
    if not 1 <= generation <= len(champions):
        raise ValueError(f"players: the run has generations 1..{len(champions)}; got {text!r}")
    return champions.player(generation - 1, name=text)


def _prepare_game() -> StrengthTables:
    """Loads the strength tables and has the game compiled, outside the timing of a run."""
    tables = load_tables()
    agents.play_tournaments(
        agents.pack_networks(np.zeros((2, N_WEIGHTS), np.float32), inputs="features_scaled"),
        structure=agents.Structure(),
        seed=0,
        first=0,
        count=1,
        tables=tables,
    )
    return tables


def _draw(folder: RunFolder, reporter: Reporter) -> None:
    """Draws the run, or says what is missing for it."""
    try:
        from evolve.plots import draw_run

        reporter.say(f"Picture: {draw_run(folder)}")
    except ImportError:
        reporter.say(
            "No picture, since Matplotlib is not installed. To draw the run:\n"
            f"  pip install 'nlhe-env[plot]' && python -m evolve plot {folder.path}"
        )
