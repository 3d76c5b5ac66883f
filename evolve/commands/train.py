"""``python -m evolve train``."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import tyro

import agents
from evolve.commands.common import (
    WorkersOption,
    draw_run_picture,
    run_usage_errors,
    saved_until_now,
)
from evolve.commands.describe import show_comparison
from evolve.commands.report import Reporter
from evolve.commands.run_reporter import RunReporter
from evolve.evaluation.collapse import warning
from evolve.evaluation.progress import measure_progress, save_progress
from evolve.files.lock import locked
from evolve.training import env_backend
from evolve.training.comparison_players import champion_importance, champion_style
from evolve.training.config import Config
from evolve.training.folder import RunFolder, check_same_experiment
from evolve.training.run import train
from evolve.training.schedules import Backend
from evolve.training.state import State
from evolve.workers import Workers, parse_workers, prepare_game

_SITUATIONS = 500
_BACKENDS: dict[str, Backend] = {"compiled": agents.play, "environment": env_backend.play}


@dataclass(frozen=True, kw_only=True)
class Train:
    """Train players; the run is stored in a folder, generation by generation.

    Every value of the configuration is a flag of its own that overrides the preset or the file.
    """

    preset: str = "quick"
    """Configuration to start from; the command "presets" lists them."""

    config: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """A TOML file to start from instead."""

    scale: Annotated[float | None, tyro.conf.arg(metavar="FACTOR")] = None
    """Multiply population, elites and hall of fame of the preset or file, before other flags."""

    resume: Annotated[Path | None, tyro.conf.arg(metavar="RUN")] = None
    """Run folder to continue instead, or "latest"."""

    runs: Path = Path("runs")
    """Folder in which to create run folders."""

    workers: WorkersOption = None

    verbose: bool = False
    """Print a line for every generation, instead of every tenth or only for tests."""

    backend: Literal["compiled", "environment"] = "compiled"
    """Play whole games compiled, or decision by decision through env.step with a Python
    object for each player: the same results, more than twenty times slower."""

    game: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Another game than the preset's, with values of its own: "tournament" or "cash"."""

    genomes: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Other genomes: "networks", "argmax-networks", which play their best output,
    "pot-sized-networks", which also bet by the pot, "topographies", "teams" of
    programs, "ashe" or "ashe-2"."""

    optimizer: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Another optimizer, with the values that suit it: "cma-es", "cma-es-diagonal", "openai-es",
    "genetic", "mutation", "map-elites", "tiered" or, of presets that are no games, "elitist"."""

    opponents: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Other opponents: "hall", "pool" or "self-play"."""

    schedule: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Another schedule: "tournaments" of all, duplicate "blocks" of one candidate each, or
    duplicate "tables" of many."""

    fitness: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Another fitness function: "score", "hands_won", "mean_money", "sharing", "normalised" or
    "square_root"."""

    settings: Annotated[Config, tyro.conf.arg(name="")] = field(default_factory=Config)

    def run(self, reporter: Reporter) -> None:
        """Trains, measures the progress and draws it.

        Raises:
            RuntimeError: A file could not be written, or the workers are gone; the message says how
                to go on.
        """
        with ExitStack() as held:
            with run_usage_errors():
                workers = parse_workers(self.workers)
                folder, state = self._folder_and_state(held, reporter)
            reporter.say(f"Run folder: {folder.path}")
            with saved_until_now(folder, reporter), workers:
                self._train(folder, state, workers, reporter)
        reporter.say(
            f"Compare the champion with other players:\n  python -m evolve evaluate {folder.path}"
        )
        reporter.say(f"Run folder: {folder.path}")

    def _folder_and_state(self, held: ExitStack, reporter: Reporter) -> tuple[RunFolder, State]:
        config = self.settings
        if self.resume is None:
            state = State.initial_state(config)  # checks the options of the optimizer
            return RunFolder.create(self.runs, config), state
        folder = RunFolder.find(self.resume, self.runs)
        held.enter_context(locked(folder.path))  # before its files are cut back to the checkpoint
        saved = folder.load_config()
        check_same_experiment(saved, config)
        state = folder.restore(config, say=reporter.say)
        if config.generations and config.generations < state.generation:
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
        with reporter.bar("games", config.schedule.n_games):
            train(
                folder,
                config,
                state,
                workers=workers,
                listener=RunReporter(reporter, verbose=self.verbose),
                backend=_BACKENDS[self.backend],
            )
        tournaments = config.progress.progress_tournaments
        if tournaments:
            of = f" of sub-population {state.best + 1}" if len(state.champions) > 1 else ""
            reporter.say(f"Measuring the progress: the champions of all generations{of} meet.")
            with reporter.bar("tournaments", tournaments):
                progress = measure_progress(
                    state.champions[state.best].pack(),
                    config.compared_in.make(),
                    seed=config.seed,
                    tournaments=tournaments,
                    most=config.progress.progress_champions,
                    workers=workers,
                    on_progress=reporter.advance,
                )
            save_progress(progress, folder.progress_file)
            reporter.say(
                f"mean place of {progress.players}: first champion {progress.places[0]:.2f}, "
                f"last {progress.places[-1]:.2f}"
            )
        draw_run_picture(folder, reporter)
        if state.generation:
            self._describe(folder, reporter)

    def _describe(self, folder: RunFolder, reporter: Reporter) -> None:
        """Says which inputs move the champion, and warns where it is blind or has collapsed."""
        importance = champion_importance(folder, count=_SITUATIONS)
        if importance is not None:
            reporter.say(f"What the champion sees (more: python -m evolve describe {folder.path}):")
            show_comparison(importance, reporter)
        collapsed = warning(champion_style(folder))
        if collapsed:
            reporter.say(collapsed)
