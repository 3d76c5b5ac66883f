"""The published experiments at a chosen scale, over several seeds.

A study is a folder: ``study.json`` holds its scale, every run has a folder inside, and
``times.jsonl`` holds the time of each step. All experiments of a seed are finished before the next
seed, so that partial results are balanced. Every step is on disk before the next begins, and an
interrupted run is resumed at its last generation, so an interrupted study has the same result.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

import agents
from agents.match.workers.base import Workers, thread_workers
from agents.measure.duplicate import evaluate
from agents.players.networks import pack_networks
from agents.players.networks.network import N_WEIGHTS
from agents.policy.action_interpretation import DEFAULT_INTERPRETATION
from evolve import seeds
from evolve.evaluation.behaviour.permutation_importance import load_importance
from evolve.evaluation.evaluation_files import (
    ALIKE,
    MeanPlaces,
    evaluation_stems,
    load_places,
    save_evaluation,
)
from evolve.evaluation.progress import load_fields, measure_progress, save_fields
from evolve.files import safe as files
from evolve.files.safe import DamagedFileError
from evolve.studies import run_name
from evolve.theses.nicolai.published import load_published
from evolve.theses.nicolai.summary import is_evaluated
from evolve.training.comparison_players import (
    champion_importance,
    control,
    control_name,
    known_field,
)
from evolve.training.config import Config
from evolve.training.config_files import load_preset, preset_names
from evolve.training.folder import RunFolder
from evolve.training.run import RunCallback, finish_run

Step = Literal["train", "evaluate", "progress"]
STEPS: tuple[Step, ...] = ("train", "evaluate", "progress")

SECOND_FOLDER = "second-folder"
"""Name of the Folder that takes the place of a champion."""

_PROBE_S = 0.5  # seconds spent on measuring the speed of each kind of table
_MOST_GENERATIONS = 500
_LEAST_GENERATIONS = 10


def study_presets() -> tuple[str, ...]:
    """Published experiments that have a preset."""
    known = preset_names()
    return tuple(one.name for one in load_published().experiments if one.name in known)


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Size of a study.

    Raises:
        ValueError: A number is impossible, or an experiment does not exist or is repeated.
    """

    experiments: tuple[str, ...]
    """Presets to run."""
    seeds: int
    """Runs of each."""
    first_seed: int = 1
    """The smallest of their seeds; the others follow it."""
    population: int
    """Networks of the baseline; elites, halls and other experiments are scaled in proportion."""
    generations: int
    tournaments: int
    """Tournaments per generation."""
    blocks: int
    """Blocks of duplicate tables in the evaluation of every champion."""
    progress_tournaments: int
    """Tournaments of every progress field; 0 for no fields."""

    def __post_init__(self) -> None:
        least = {
            "seeds": 1,
            "first_seed": 1,
            "generations": 2,
            "tournaments": 1,
            "blocks": 2,
            "population": 2,
        }
        for key, smallest in {**least, "progress_tournaments": 0}.items():
            if getattr(self, key) < smallest:
                raise ValueError(f"{key} must be at least {smallest}; got {getattr(self, key)}")
        if not self.experiments or len(set(self.experiments)) < len(self.experiments):
            raise ValueError(
                f"experiments must not be empty or repeat a name; got {self.experiments}"
            )
        for name in self.experiments:
            self.config(name, 1)

    def config(self, experiment: str, seed: int) -> Config:
        """Configuration of one run: the preset at this scale."""
        scaled = load_preset(experiment).scaled(self.population / load_published().population)
        return scaled.with_values(
            name=experiment,
            seed=seed,
            generations=self.generations,
            tournaments=self.tournaments,
            progress_tournaments=0,  # the study plays its own fields
        )


@dataclass(frozen=True)
class Unit:
    """One run of a study."""

    experiment: str
    seed: int


@dataclass(frozen=True)
class Speeds:
    """Seconds of a tournament and of a block on this machine, measured with random networks."""

    tournament: dict[int, float]
    """Seconds by number of players."""
    block: float


class QuietListener(RunCallback):
    """Callback of a run that reports only the number of finished games."""

    def __init__(self, on_games: Callable[[int], None]) -> None:
        self._on_games = on_games

    def on_games(self, count: int) -> None:
        """Reports finished games."""
        self._on_games(count)


@dataclass(frozen=True)
class Study:
    """A study on disk."""

    path: Path
    scale: Scale

    @classmethod
    def open(cls, path: Path, *, say: Callable[[str], None] = print) -> Study | None:
        """The study in a folder; None if there is none yet.

        Args:
            path: The folder.
            say: Called with a message for every damaged line of times, which is dropped.

        Raises:
            DamagedFileError: The scale cannot be read.
        """
        file = path / "study.json"
        if not file.exists():
            return None
        try:
            values = dict(files.read_json(file))
            names = {one.name for one in dataclasses.fields(Scale)}
            if values.keys() != names:
                raise ValueError(
                    f"it has the keys {', '.join(sorted(values))}; this version reads "
                    f"{', '.join(sorted(names))}"
                )
            study = cls(path, Scale(**{**values, "experiments": tuple(values["experiments"])}))
        except (TypeError, ValueError) as error:
            raise DamagedFileError(f"{file} is not the scale of a study: {error}") from error
        files.keep_lines(study.times_file, lambda line: True, say=say)
        return study

    @classmethod
    def create(cls, path: Path, scale: Scale) -> Study:
        """Creates a study without playing anything."""
        path.mkdir(parents=True, exist_ok=True)
        files.write_json(path / "study.json", dataclasses.asdict(scale))
        return cls(path, scale)

    def units(self) -> Iterator[Unit]:
        """All runs in the order of training, seed by seed."""
        first = self.scale.first_seed
        for seed in range(first, first + self.scale.seeds):
            for experiment in self.scale.experiments:
                yield Unit(experiment, seed)

    def run_folder(self, unit: Unit) -> RunFolder | None:
        """The folder of a run; None before its start."""
        path = self._run_path(unit)
        return RunFolder.open(path) if (path / "config.toml").is_file() else None

    def _run_path(self, unit: Unit) -> Path:
        return self.path / run_name(unit.experiment, unit.seed)

    def finished_runs(self) -> list[RunFolder]:
        """The runs with evaluated champions and played progress fields."""
        folders = [self.run_folder(unit) for unit in self.units()]
        return [
            folder
            for unit, folder in zip(self.units(), folders, strict=True)
            if folder and not any(self.is_open(unit, step) for step in STEPS)
        ]

    def is_open(self, unit: Unit, step: Step) -> bool:
        """Whether a step of a run is unfinished."""
        if step == "progress" and not self.scale.progress_tournaments:
            return False
        folder = self.run_folder(unit)
        if folder is None:
            return True
        # The checkpoint of a generation is written last.
        if not (folder.path / "checkpoints" / f"{self.scale.generations:06d}.npz").exists():
            return True
        if step == "train":
            return False
        if step == "evaluate":
            return not self._is_judged(folder)
        fields = load_fields(folder.path)
        return len(fields) != folder.sub_populations or any(
            field.tournaments != self.scale.progress_tournaments for field in fields
        )

    def _is_judged(self, folder: RunFolder) -> bool:
        """Whether every champion has played all blocks against the current opponents."""
        if not is_evaluated(folder):
            return False
        count = folder.sub_populations
        alike = reads_differently(folder.load_config())
        stems = [stem for i in range(count) for stem in evaluation_stems(i, count, alike=alike)]
        for stem in stems:
            file = folder.path / f"{stem}.json"
            if not file.exists():
                return False
            stored = files.read_json(file)
            try:
                names = {row["player"] for row in stored["players"] if not row["evaluated"]}
                blocks = stored["blocks"]
            except (KeyError, TypeError) as error:
                raise DamagedFileError(
                    f"{file} is not an evaluation that this version can read: {error!r}"
                ) from error
            if blocks != self.scale.blocks or names != set(known_field()):
                return False
        return True

    def work(
        self,
        unit: Unit,
        step: Step,
        *,
        workers: Workers,
        on_progress: Callable[[int], None],
    ) -> None:
        """Performs a step of a run and records its time.

        Args:
            unit: The run.
            step: The step.
            workers: Workers for the games.
            on_progress: Called with the number of newly finished tournaments or blocks.
        """
        config = self.scale.config(unit.experiment, unit.seed)
        start = time.perf_counter()
        try:
            if step == "train":
                finish_run(
                    self._run_path(unit),
                    config,
                    workers=workers,
                    listener=QuietListener(on_progress),
                    say=lambda _: None,
                )
            elif step == "evaluate":
                self._evaluate(RunFolder.open(self._run_path(unit)), config, workers, on_progress)
            else:
                folder = RunFolder.open(self._run_path(unit))
                self._measure_fields(folder, config, workers, on_progress)
        finally:
            seconds = time.perf_counter() - start
            entry = {**dataclasses.asdict(unit), "step": step, "seconds": round(seconds, 3)}
            files.append_line(self.times_file, entry)

    def measure_rest(self) -> MeanPlaces:
        """Measures permutation importance of the champions, and places with a second Folder.

        Returns:
            Places of the published players and of a second Folder, which takes the place of a
            champion.
        """
        for folder in self.finished_runs():
            if load_importance(folder.path) is None:
                champion_importance(folder)
        file = self.path / f"{SECOND_FOLDER}.json"
        if not file.exists():
            names = [SECOND_FOLDER, *known_field()]
            players = [agents.make("folder"), *map(agents.make, known_field())]
            seed = seeds.stream_seed(1, seeds.EVALUATION)
            game = self.scale.config(self.scale.experiments[0], 1).compared_in.make()
            with thread_workers(1) as workers:
                evaluation = evaluate(
                    players, names, game=game, blocks=self.scale.blocks, seed=seed, workers=workers
                )
            save_evaluation(evaluation, self.path, stem=SECOND_FOLDER)
        return load_places(file)

    @property
    def times_file(self) -> Path:
        """File with the seconds of each step or part of a step, one per line."""
        return self.path / "times.jsonl"

    def seconds_spent(self) -> dict[Step, float]:
        """Time spent on each kind of step so far."""
        spent: dict[Step, float] = dict.fromkeys(STEPS, 0.0)
        for line in files.read_lines(self.times_file):
            spent[line["step"]] += line["seconds"]
        return spent

    def _evaluate(
        self,
        folder: RunFolder,
        config: Config,
        workers: Workers,
        on_progress: Callable[[int], None],
    ) -> None:
        names, count = known_field(), folder.sub_populations
        alike = reads_differently(config)
        for i in range(count):
            champion = control(folder, i)
            for stem in evaluation_stems(i, count, alike=alike):
                opponents = [agents.make_compiled(name) for name in names]
                if stem.endswith(ALIKE):
                    for opponent in opponents:
                        opponent.interpretation = champion.interpretation
                evaluation = evaluate(
                    [champion, *opponents],
                    [control_name(i, count), *names],
                    game=config.compared_in.make(),
                    blocks=self.scale.blocks,
                    seed=seeds.stream_seed(config.seed, seeds.EVALUATION),
                    workers=workers,
                    on_progress=on_progress,
                )
                about = {"experiment": config.name, "seed": config.seed}
                save_evaluation(evaluation, folder.path, stem=stem, about=about)

    def _measure_fields(
        self,
        folder: RunFolder,
        config: Config,
        workers: Workers,
        on_progress: Callable[[int], None],
    ) -> None:
        fields = [
            measure_progress(
                folder.champions(i).pack(),
                config.compared_in.make(),
                seed=config.seed,
                tournaments=self.scale.progress_tournaments,
                workers=workers,
                sub_population=i,
                on_progress=on_progress,
            )
            for i in range(folder.sub_populations)
        ]
        save_fields(fields, folder.path)


def reads_differently(config: Config) -> bool:
    """Whether networks of a run and of the field interpret illegal actions differently."""
    return (
        getattr(config.genomes, "interpretation", DEFAULT_INTERPRETATION) != DEFAULT_INTERPRETATION
    )


def players_of(config: Config) -> int:
    """Players in the tournaments of a generation with a full hall."""
    return config.optimizer.population + int(getattr(config.opponents, "hall_of_fame", 0))


def measure_speeds(sizes: set[int], config: Config, *, workers: Workers) -> Speeds:
    """Speeds of tournaments of these sizes and of duplicate tables, with random networks."""
    rng = np.random.default_rng(1)
    game, inputs = config.make_game(), config.values()["inputs"]
    networks = rng.normal(0.0, 0.5, (max(sizes), N_WEIGHTS)).astype(np.float32)

    def play(size: int, count: int) -> None:
        field = pack_networks(networks[:size], inputs=inputs)
        agents.play(field, agents.Tournaments(count), game, seed=1, workers=workers)

    def play_blocks(count: int) -> None:
        count = max(2, count)
        names = ["network", *known_field()]
        network = agents.NetworkPlayer(networks[0], inputs=inputs)
        evaluate(
            [network, *(agents.make_compiled(name) for name in names[1:])],
            names,
            game=game,
            blocks=count,
            seed=1,
            workers=workers,
        )

    tournament = {
        size: _seconds_each(lambda count, size=size: play(size, count), 2 * workers.count)  # type: ignore[misc]
        for size in sorted(sizes)
    }
    return Speeds(tournament, _seconds_each(play_blocks, 50 * workers.count))


def _seconds_each(play: Callable[[int], None], count: int) -> float:
    """Seconds of one game, averaged over enough games for a stable measurement."""
    play(1)  # compiles missing kernels
    while True:
        start = time.perf_counter()
        play(count)
        seconds = time.perf_counter() - start
        if seconds >= _PROBE_S:
            return seconds / count
        count = max(2 * count, int(1.2 * count * _PROBE_S / max(seconds, 1e-6)))


def projected_seconds(scale: Scale, unit: Unit, step: Step, speeds: Speeds) -> float:
    """Expected seconds of a step, from the speed of random networks."""
    config = scale.config(unit.experiment, unit.seed)
    parts = config.optimizer.n_sub_populations
    if step == "train":
        each = _at_size(speeds, players_of(config))
        return scale.generations * scale.tournaments * each
    if step == "evaluate":
        return (1 + reads_differently(config)) * parts * scale.blocks * speeds.block
    return parts * scale.progress_tournaments * _at_size(speeds, scale.generations)


def _at_size(speeds: Speeds, players: int) -> float:
    """Seconds of a tournament: those of the nearest measured size, in proportion to the players."""
    nearest = min(speeds.tournament, key=lambda size: abs(size - players))
    return speeds.tournament[nearest] * players / nearest


def projected_total(scale: Scale, speeds: Speeds) -> float:
    """Expected seconds of a whole study."""
    return scale.seeds * math.fsum(
        projected_seconds(scale, Unit(name, 1), step, speeds)
        for name in scale.experiments
        for step in STEPS
    )


def fitting_generations(scale: Scale, speeds: Speeds, seconds: float) -> int:
    """Largest multiple of ten generations that a study can finish in so many seconds."""
    fitting = _LEAST_GENERATIONS
    for generations in range(_LEAST_GENERATIONS, _MOST_GENERATIONS + 1, 10):
        larger = dataclasses.replace(scale, generations=generations)
        if projected_total(larger, speeds) <= seconds:
            fitting = generations
    return fitting
