"""``nlhe train``."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import tyro

import agents
from agents.match.playing import prepare_game
from agents.match.style import Style
from agents.match.workers.base import Workers
from agents.match.workers.parsing import parse_workers
from evolve.commands.behaviour import show_comparison
from evolve.commands.common import (
    TRAIN,
    WorkersOption,
    draw_run_picture,
    saved_until_now,
    starting_config,
)
from evolve.commands.report import Reporter
from evolve.commands.run_reporter import RunReporter
from evolve.compatibility import can_play
from evolve.evaluation.progress import measure_progress, save_progress
from evolve.training import env_backend
from evolve.training.callbacks import BoundLog, Callbacks, ParentLog, TensorBoard, summary_writer
from evolve.training.comparison_players import champion_importance, champion_style
from evolve.training.config import Config
from evolve.training.folder import RUNS, RunFolder, check_same_experiment
from evolve.training.run import RunCallback, check_backend, train
from evolve.training.schedules import Backend
from evolve.training.state import State
from nlhe_env.arguments import whole_number
from nlhe_env.jit.compile_ahead import compile_ahead
from nlhe_env.system.folder_lock import locked

_SITUATIONS = 500
_HARDLY_EVER = 0.01
"""Share of hands or decisions below which an action counts as never taken."""
_NEARLY_ALWAYS = 0.9
"""Share of hands above which a player counts as raising all of them. In the rest even such a player
cannot raise, because the others are all-in or it has too few chips."""
_BACKENDS: dict[str, Backend] = {"compiled": agents.play, "environment": env_backend.play}


@dataclass(frozen=True, kw_only=True)
class Train:
    """Train players, and save the run in a folder after every generation.

    The options after the first group are configuration values, by section. Each shows the value of
    the preset, file or run, and overrides it.
    """

    preset: Annotated[str, tyro.conf.arg(metavar="PRESET|FILE.toml")] = TRAIN
    """Initial configuration: a preset from "nlhe presets", or a file."""

    resume: Annotated[Path | None, tyro.conf.arg(metavar="RUN")] = None
    """Run folder to resume instead, or "latest"."""

    scale: Annotated[float | None, tyro.conf.arg(metavar="FACTOR")] = None
    """Factor for population, elites and hall of fame, applied before other options (default: 1)."""

    runs: Annotated[Path, tyro.conf.arg(metavar="FOLDER")] = RUNS
    """Parent folder of new run folders."""

    workers: WorkersOption = None

    backend: Literal["compiled", "environment"] = "compiled"
    """"compiled" games, or the "environment": one env.step and a Python object per player, with the
    same results, more than twenty times slower."""

    track: Annotated[tuple[str, ...], tyro.conf.arg(metavar="LOG ...")] = ()
    """Further logs, which do not change the run: "tensorboard" (metrics, timings and tests by
    training hands; needs the extra "track"); "parents" of all candidates, for a picture of the
    champion's ancestors; "bounds:N", a local best response against the recommended player
    every N generations, in a heads-up cash game."""

    game: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Game: "tournament" or "cash" (default: the preset's)."""

    genomes: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Genomes: "networks"; "argmax-networks", which play their largest output;
    "pot-sized-networks", which also bet fractions of the pot; "neat", whose structure evolves;
    "topographies"; "teams" of programs; "limit-teams" for heads-up limit; "ashe"; "ashe-2"; or
    FILE.py:NAME (default: the preset's)."""

    optimizer: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Optimizer, with suitable values: "cma-es", "cma-es-diagonal", "openai-es", "genetic",
    "mutation", "map-elites", "tiered" or FILE.py:NAME; with presets of published experiments also
    "elitist", "neat" and "symbiosis" (default: the preset's)."""

    opponents: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Opponents: "hall", "pool", "self-play", "points" or FILE.py:NAME (default: the preset's)."""

    schedule: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Schedule: "tournaments" of all candidates, duplicate "blocks" of one candidate each,
    duplicate "tables" of several, predealt "matches", or FILE.py:NAME (default: the preset's)."""

    fitness: Annotated[str | None, tyro.conf.arg(metavar="KIND")] = None
    """Fitness function: "score", "hands_won", "mean_money", "sharing", "normalised", "square_root"
    or FILE.py:NAME (default: the preset's)."""

    settings: Annotated[Config, tyro.conf.arg(name="")] = field(default_factory=Config)

    @classmethod
    def starting_from(cls, arguments: Sequence[str]) -> Train:
        """The command with the defaults of the configuration that the arguments name."""
        return cls(settings=starting_config(arguments))

    def run(self, reporter: Reporter) -> None:
        """Trains, measures the progress and draws it.

        Raises:
            RuntimeError: A file could not be written, or the workers are gone; the message says how
                to resume.
        """
        compile_ahead("train")
        with ExitStack() as held:
            workers = parse_workers(self.workers)
            folder, state = self._folder_and_state(held, reporter)
            reporter.say(f"Run folder: {folder.path}")
            with saved_until_now(folder, reporter), workers:
                self._train(folder, state, workers, reporter)
        if state.generation and _can_be_evaluated(folder):
            path = shlex.quote(str(folder.path))
            reporter.say(f"Compare the champion with other players:\n  nlhe evaluate {path}")
        reporter.say(f"Run folder: {folder.path}")

    def _folder_and_state(self, held: ExitStack, reporter: Reporter) -> tuple[RunFolder, State]:
        config = self.settings
        check_backend(config, _BACKENDS[self.backend])
        for log, every in self._logs().items():
            if log == "tensorboard":
                summary_writer()  # fails before the folder is created
            elif log == "parents":
                ParentLog.check(config)
            else:
                whole_number("bounds", every, least=1)
                BoundLog.check(config)
        if self.resume is None:
            state = State.initial_state(config)  # checks the options of the optimizer
            return RunFolder.create(self.runs, config), state
        folder = RunFolder.find(self.resume, self.runs)
        held.enter_context(locked(folder.path))  # before its files are reset to the checkpoint
        saved = folder.load_config()
        check_same_experiment(saved, config)
        state = folder.restore(config, say=reporter.say)
        if config.generations and config.generations < state.generation:
            raise ValueError(
                f"generations must be at least {state.generation}, the number already finished; "
                f"got {config.generations}"
            )
        # The last generation of a finished run may have exceeded its own number of hands.
        if config.hands != saved.hands and 0 < config.hands < state.hands:
            raise ValueError(
                f"hands must be at least {state.hands}, the number already played; "
                f"got {config.hands}"
            )
        if config != saved:
            folder.save_config(config)
        return folder, state

    def _train(self, folder: RunFolder, state: State, workers: Workers, reporter: Reporter) -> None:
        config = self.settings
        with reporter.bar("games", config.schedule.n_games):
            prepare_game()
            train(
                folder,
                config,
                state,
                workers=workers,
                listener=self._listener(folder, workers, reporter),
                backend=_BACKENDS[self.backend],
            )
        tournaments = config.progress.progress_tournaments
        if tournaments:
            of = f" of sub-population {state.best + 1}" if len(state.champions) > 1 else ""
            reporter.say(
                f"Measuring progress: the champions of all generations{of} play each other."
            )
            with reporter.bar("tournaments", tournaments):
                progress = measure_progress(
                    state.champions[state.best].pack(),
                    config.compared_in.make(),
                    seed=config.seed,
                    tournaments=tournaments,
                    generations=state.kept,
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

    def _listener(self, folder: RunFolder, workers: Workers, reporter: Reporter) -> RunCallback:
        """Callbacks of the run: output, and callbacks from flags."""
        callbacks: list[RunCallback] = [RunReporter(reporter)]
        # Bounds last: they take long, and what comes after an interrupted one is not logged.
        for log, every in sorted(self._logs().items(), key=lambda one: one[0] == "bounds"):
            if log == "tensorboard":
                callbacks.append(TensorBoard(folder.path / "tensorboard"))
            elif log == "parents":
                callbacks.append(ParentLog(folder.parents_file))
            else:
                callbacks.append(BoundLog(folder.bounds_file, workers, every=every))
        return Callbacks(*callbacks)

    def _logs(self) -> dict[str, int]:
        """The further logs, with the number of generations between bounds.

        Raises:
            ValueError: There is no such log.
        """
        logs = {}
        for text in self.track:
            log, colon, every = text.partition(":")
            known = ("tensorboard", "parents") if not colon else ("bounds",)
            if log not in known or (colon and not every.isdecimal()):
                raise ValueError(f'track must be tensorboard, parents or "bounds:N"; got {text!r}')
            logs[log] = int(every or 0)
        return logs

    def _describe(self, folder: RunFolder, reporter: Reporter) -> None:
        """Prints the champion's input importance, and warns if it is blind or has collapsed."""
        importance = champion_importance(folder, count=_SITUATIONS)
        if importance is not None:
            path = shlex.quote(str(folder.path))
            reporter.say(f"What the champion sees (more: nlhe evaluate behaviour {path}):")
            show_comparison(importance, reporter)
        collapse = collapse_of(champion_style(folder))
        if collapse:
            reporter.say(
                f"Warning: training has collapsed. The champion {collapse}. Most mutants of such a "
                "player play alike and win alike, so more generations hardly change it. Train "
                "again with another seed, with more lineages, or against other opponents."
            )


def _can_be_evaluated(folder: RunFolder) -> bool:
    """Whether a run's champion can play the tournaments for comparing players."""
    game = folder.load_config().compared_in
    return can_play(folder.champion(), game.make(), seats=game.table_size)


def collapse_of(style: Style) -> str:
    """Sentence about a player that does the same in nearly every hand; empty for other players.

    Training results alone may not show such a collapse. Training rarely recovers from it, because
    most mutants play and score alike, so selection has no effect.

    Args:
        style: Style of the player, from some hundred hands or more.

    >>> nan = float("nan")
    >>> collapse_of(Style(1.0, 0.977, 0.93, 0.0, 0.97, 3.2))
    'raises before the flop in 98% of hands and hardly ever folds to a raise'
    >>> collapse_of(Style(0.001, 0.0, nan, 1.0, nan, nan))
    'folds nearly everything: it enters 0.1% of hands'
    >>> collapse_of(Style(0.85, 0.8, 0.7, 0.1, 0.5, 0.6))
    ''
    """
    if style.voluntarily_in_pot <= _HARDLY_EVER:
        return f"folds nearly everything: it enters {style.voluntarily_in_pot:.1%} of hands"
    # A statistic without opportunities is nan, which compares as False.
    if style.fold_to_raise > _HARDLY_EVER:
        return ""
    if style.preflop_raise >= _NEARLY_ALWAYS:
        raised = f"{style.preflop_raise:.0%}"
        return f"raises before the flop in {raised} of hands and hardly ever folds to a raise"
    if style.preflop_raise <= _HARDLY_EVER and not style.aggression > _HARDLY_EVER:
        return "calls everything: it hardly ever raises, or folds to a raise"
    return ""
