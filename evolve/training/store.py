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

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import agents
from evolve.files import safe as files
from evolve.genomes.networks import Networks
from evolve.training.config import RunConfig
from evolve.training.config_files import load_config, parse_config, to_toml
from evolve.training.run_folder import Folder, check_unchanged
from evolve.training.state import State
from nlhe_env.machine.array_types import I64, AnyArray

CHANGEABLE = ("generations", "progress_champions", "progress_tournaments")
"""What a resumed run may change: it can go on for longer, and be measured otherwise."""


@dataclass(frozen=True)
class RunFolder(Folder):
    """Reads and writes the files of one run."""

    command = "train"

    @classmethod
    def create(cls, runs: Path, config: RunConfig) -> RunFolder:
        """A new folder ``runs/<name>-<seed>-<time>`` that holds the configuration."""
        folder = cls.make(runs, config.name, config.seed)
        folder.save_config(config)
        return folder

    def load_config(self) -> RunConfig:
        """The configuration of the run."""
        return load_config(self.path / "config.toml")

    def comparison_config(self) -> RunConfig:
        """The configuration whose tournaments compare the champion with others."""
        return self.load_config()

    def generations(self) -> I64:
        """Numbers of the generations whose champions are kept: all of them.

        Raises:
            ValueError: No generation is finished.
        """
        return np.arange(1, 1 + len(self.champions()))

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
        self.save_checkpoint(state.generation, arrays)

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
            self.cut_back(file, state.generation)
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

    @property
    def progress_file(self) -> Path:
        """Result of the closing tournaments."""
        return self.path / "progress.json"

    def _newest_state(self, config: RunConfig, say: Callable[[str], None]) -> State:
        def read(arrays: Mapping[str, AnyArray], source: str) -> State:
            saved = parse_config(str(arrays["config"]), source=source, name="")
            check_same_experiment(saved, config)
            return State.from_arrays(arrays, config)

        return self.newest_checkpoint(read, say) or State.before_first(config)

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
    check_unchanged(saved, config, CHANGEABLE)
