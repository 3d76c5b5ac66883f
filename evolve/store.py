"""The folder of a run.

====================  ============================================================================
``config.toml``       the resolved configuration
``about.json``        versions and machine
``metrics.jsonl``     one line per generation; equal runs have equal bytes
``timings.jsonl``     one line per generation: seconds and speed
``checkpoints/``      the last two states, ``000012.npz`` after generation 12
``champions.npz``     champion of every generation
``champion.npz``      champion of the last generation, a player file of ``agents``
``champion-1.npz``    the same of each sub-population, where there are several;
                      ``champion.npz`` is the best of them
``hall_of_fame.npz``  the members of the halls of fame
====================  ============================================================================

The checkpoint is written last and decides: on resume, everything else is cut back to it. So a run
that is killed loses at most the generation it was in.
"""

from __future__ import annotations

import dataclasses
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

import agents
import nlhe_env
from evolve import files
from evolve.config import RunConfig
from evolve.config_files import load_config, parse_config, to_toml
from evolve.files import DamagedFileError
from evolve.networks import Networks
from evolve.state import State
from nlhe_env._cores import n_cores
from nlhe_env._types import AnyArray

CHANGEABLE = ("generations", "progress_champions", "progress_tournaments")
"""What a resumed run may change: it can go on for longer, and be measured otherwise."""

_KEPT_CHECKPOINTS = 2


@dataclass(frozen=True)
class RunFolder:
    """Reads and writes the files of one run."""

    path: Path

    @classmethod
    def create(cls, runs: Path, config: RunConfig) -> RunFolder:
        """A new folder ``runs/<name>-<seed>-<time>`` that holds the configuration."""
        base = f"{config.name}-{config.seed}-{time.strftime('%Y%m%d-%H%M%S')}"
        path, number = runs / base, 1
        while True:
            try:
                path.mkdir(parents=True)
                break
            except FileExistsError:
                number += 1
                path = runs / f"{base}-{number}"
        folder = cls(path)
        folder.save_config(config)
        files.write_json(path / "about.json", _about())
        return folder

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """The folder of an earlier run.

        Raises:
            ValueError: ``path`` is no run folder.
        """
        if not (path / "config.toml").is_file():
            raise ValueError(f"{path} is not a run folder: it has no config.toml")
        return cls(path)

    @classmethod
    def latest(cls, runs: Path) -> RunFolder:
        """The newest run in a folder of runs.

        Raises:
            ValueError: There is none.
        """
        found = [file.parent for file in runs.glob("*/config.toml")]
        if not found:
            raise ValueError(f"there is no run in {runs}/ yet; start one with: train")
        return cls(max(found, key=lambda path: (path / "config.toml").stat().st_mtime_ns))

    def load_config(self) -> RunConfig:
        """The configuration of the run."""
        return load_config(self.path / "config.toml")

    def save_config(self, config: RunConfig) -> None:
        """Writes the configuration of the run."""
        files.write_whole(self.path / "config.toml", to_toml(config).encode())

    def commit(
        self,
        config: RunConfig,
        state: State,
        metrics: Mapping[str, Any],
        timings: Mapping[str, Any],
    ) -> None:
        """Writes all files of a finished generation, the checkpoint last.

        Args:
            config: The configuration of the run.
            state: The run after the generation.
            metrics: The line for ``metrics.jsonl``.
            timings: The line for ``timings.jsonl``.
        """
        files.append_line(self.metrics_file, metrics)
        files.append_line(self.timings_file, timings)
        self._save_results(config, state, metrics)
        arrays = {
            "config": np.array(to_toml(config)),
            **state.to_arrays(),
        }
        self._checkpoint_folder.mkdir(exist_ok=True)
        files.write_arrays(self._checkpoint_folder / f"{state.generation:06d}.npz", arrays)
        for old in self._checkpoints()[_KEPT_CHECKPOINTS:]:
            old.unlink()

    def restore(self, config: RunConfig, *, say: Callable[[str], None]) -> State:
        """The state of the newest sound checkpoint, with all other files cut back to it.

        Args:
            config: The configuration with which the run goes on.
            say: Told about a checkpoint that is damaged.

        Raises:
            DamagedFileError: Checkpoints exist, but none is sound, or the newest sound one is of
                another version, or the metrics do not reach it.
            ValueError: The checkpoint is of another configuration.
        """
        state = self._newest_state(config, say)
        for file in (self.metrics_file, self.timings_file):
            lines = files.keep_lines(file, state.generation)
            if lines < state.generation:
                raise DamagedFileError(
                    f"{file} has {lines} whole lines, but the checkpoint is of generation "
                    f"{state.generation}; start again with --config {self.path / 'config.toml'}"
                )
        if state.generation:
            self._save_results(config, state, files.read_lines(self.metrics_file)[-1])
        return state

    @property
    def sub_populations(self) -> int:
        """Number of sub-populations."""
        return self.load_config().sub_populations

    def champion(self, sub_population: int | None = None) -> agents.CompiledPlayer:
        """The champion of the last finished generation.

        Args:
            sub_population: Of which, from 0; None for the best of all.

        Raises:
            ValueError: No generation is finished.
        """
        name = "champion.npz"
        if sub_population is not None and self.sub_populations > 1:
            name = f"champion-{sub_population + 1}.npz"
        return agents.load_player(self._finished(name))

    def champions(self, sub_population: int = 0) -> Networks:
        """The champion of every finished generation of a sub-population, counted from 0.

        Raises:
            ValueError: No generation is finished, or there is no such sub-population.
        """
        arrays = files.read_arrays(self._finished("champions.npz"))
        if not 0 <= sub_population < self.sub_populations:
            raise ValueError(
                f"sub_population must be in 0..{self.sub_populations - 1}; got {sub_population}"
            )
        i = sub_population + 1
        return Networks(
            np.asarray(arrays[f"{i}_weights"], np.float32),
            arrays[f"{i}_hidden"],
            self.load_config().inputs,
        )

    def _finished(self, name: str) -> Path:
        """A file of the results, which is there once a generation is finished."""
        file = self.path / name
        if not file.exists():
            raise ValueError(f"{self.path} has no champion yet: no generation is finished")
        return file

    @property
    def metrics_file(self) -> Path:
        """One line per generation, equal for equal runs."""
        return self.path / "metrics.jsonl"

    @property
    def timings_file(self) -> Path:
        """One line per generation with its time."""
        return self.path / "timings.jsonl"

    @property
    def progress_file(self) -> Path:
        """Result of the closing tournaments."""
        return self.path / "progress.json"

    @property
    def plot_file(self) -> Path:
        """The picture of the run."""
        return self.path / "progress.png"

    @property
    def _checkpoint_folder(self) -> Path:
        return self.path / "checkpoints"

    def _checkpoints(self) -> list[Path]:
        """Checkpoints, newest first."""
        return sorted(self._checkpoint_folder.glob("*.npz"), reverse=True)

    def _newest_state(self, config: RunConfig, say: Callable[[str], None]) -> State:
        found = self._checkpoints()
        for file in found:
            try:
                arrays = files.read_arrays(file)
            except DamagedFileError as error:
                say(f"{error}; trying the checkpoint before it.")
                continue
            saved = parse_config(str(arrays["config"]), source=str(file), name="")
            check_same_experiment(saved, config)
            try:
                return State.from_arrays(arrays, config)
            except KeyError as error:
                raise DamagedFileError(
                    f"{file} was written by another version of this program: it has no "
                    f"{error.args[0]}"
                ) from error
        if found:
            raise DamagedFileError(
                f"no checkpoint in {self._checkpoint_folder} can be read; start again with "
                f"--config {self.path / 'config.toml'}"
            )
        return State.before_first(config)

    def _save_results(self, config: RunConfig, state: State, metrics: Mapping[str, Any]) -> None:
        """Writes what others read: champions and halls of fame.

        A resumed run writes these files again, so they need not be safe from a power cut until the
        run is finished.
        """
        sync = state.generation >= config.generations
        champions: dict[str, AnyArray] = {}
        halls: dict[str, AnyArray] = {}
        for i, sub in enumerate(state.sub_populations, 1):
            champions[f"{i}_weights"] = sub.champions.weights
            champions[f"{i}_hidden"] = sub.champions.hidden
            halls[f"{i}_weights"] = sub.hall.networks.weights
            halls[f"{i}_hidden"] = sub.hall.networks.hidden
            halls[f"{i}_entered"] = sub.hall.entered
        files.write_arrays(self.path / "champions.npz", champions, sync=sync)
        files.write_arrays(self.path / "hall_of_fame.npz", halls, sync=sync)
        if config.sub_populations > 1:
            for i, part in enumerate(metrics["sub_populations"]):
                self._save_champion(f"champion-{i + 1}", config, state, i, {**metrics, **part})
        self._save_champion("champion", config, state, state.best, metrics)

    def _save_champion(
        self, name: str, config: RunConfig, state: State, sub: int, metrics: Mapping[str, Any]
    ) -> None:
        origin = {
            "experiment": config.name,
            "seed": config.seed,
            "generation": state.generation,
            # A champion that has moved towards its challenger has not played yet.
            "mean_place": metrics["best_place"] if config.champion_step == 1 else None,
            "players": metrics["players"],
            "tournaments": metrics["tournaments"],
        }
        if config.sub_populations > 1:
            origin["sub_population"] = sub + 1
        champions = state.sub_populations[sub].champions
        player = champions.player(len(champions) - 1, name=name, origin=origin)
        agents.save_player(self.path / f"{name}.npz", player)


def check_same_experiment(saved: RunConfig, config: RunConfig) -> None:
    """Checks that two configurations differ at most in what a resumed run may change.

    Raises:
        ValueError: They differ in something else.
    """
    for field in dataclasses.fields(RunConfig):
        before, now = getattr(saved, field.name), getattr(config, field.name)
        if field.name not in CHANGEABLE and before != now:
            raise ValueError(
                f"{field.name} is {before!r} in the run and {now!r} now; a resumed run may "
                f"only change {', '.join(CHANGEABLE)}"
            )


def _about() -> dict[str, Any]:
    versions = {name: metadata.version(name) for name in ("numpy", "numba", "scipy")}
    return {
        "started": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "python": platform.python_version(),
        "packages": {"nlhe-env": nlhe_env.__version__, **versions},
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cores": n_cores(),
    }
