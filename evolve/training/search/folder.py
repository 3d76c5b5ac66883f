"""The folder of a search.

=================  ==============================================================================
``config.toml``    the resolved configuration
``about.json``     versions and machine
``metrics.jsonl``  one line per generation; equal searches have equal bytes
``tests.jsonl``    one line per test of the deployable player, the first before any training
``timings.jsonl``  one line per generation: seconds and speed
``checkpoints/``   the last two states, ``000012.npz`` after generation 12
``champion.npz``   the deployable player, a player file of ``agents``
``champions.npz``  the players that were tested, and after which generations
``pool.npz``       the players of the pool and the results against them, where there is a pool
=================  ==============================================================================

Scores are in big blinds won in 100 hands, or mean places, as the configuration's game has them. A
line of ``metrics.jsonl``:

- ``generation``, ``hands`` (all so far), ``generation_hands``, ``decisions``
- ``best_score``, ``best_score_error``: best candidate; it has been lucky, and scores worse with
  fresh cards. The errors are those of what is not common to all candidates, who share cards and
  opponents.
- ``mean_score``, ``score_deviation``: over all candidates; ``score_error``: root mean square of
  their errors. Deviations that do not exceed it are noise.
- ``style_spread``: standard deviation of the candidates' behaviour
  (``agents.play.style.behaviours``),
  root mean square over its measures
- ``spread``: standard deviation of the candidates' weights, root mean square over the weights;
  ``weight_size``: root mean square of the weights of the deployable player
- ``raced``, ``racing_hands``: candidates that played on in each round, and what that took
- ``pool``, ``pool_hardest``: players in the pool, and the least share of games won against one

A line of ``tests.jsonl`` has ``score`` and ``error`` of the deployable player, ``generation`` and
``hands`` of training, ``test_hands``, and ``style``, see ``agents.play.style``.

A checkpoint is written every five seconds, at the end and on Ctrl-C; on resume everything else is
cut back to it. So a search that is killed loses a few seconds, and comes to the same result.
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
from evolve.training.config_files import to_toml
from evolve.training.run_folder import Folder, check_unchanged
from evolve.training.search.config import SearchConfig
from evolve.training.search.presets import load_search_config, parse_search_config
from evolve.training.search.state import SearchState, as_networks
from evolve.training.search.trial import Trial
from nlhe_env.machine.array_types import I64, AnyArray

CHANGEABLE = ("hands", "generations")
"""What a resumed search may change: it can go on for longer."""


@dataclass(frozen=True)
class SearchFolder(Folder):
    """Reads and writes the files of one search."""

    command = "optimize"

    @classmethod
    def create(cls, runs: Path, config: SearchConfig) -> SearchFolder:
        """A new folder ``runs/<name>-<seed>-<time>`` that holds the configuration."""
        folder = cls.make(runs, config.name, config.seed)
        folder.save_config(config)
        return folder

    @classmethod
    def at(cls, path: Path, config: SearchConfig) -> SearchFolder:
        """The folder at a path, made if it is not there.

        Raises:
            ValueError: It is there and holds something else than this search.
        """
        if path.exists():
            folder = cls.open(path)
            check_same_search(folder.load_config(), config)
        else:
            folder = cls.make_at(path)
        folder.save_config(config)
        return folder

    def load_config(self) -> SearchConfig:
        """The configuration of the search."""
        return load_search_config(self.path / "config.toml")

    def comparison_config(self) -> RunConfig:
        """A configuration whose tournaments compare the player with others.

        They are those of the search, or the published ones if it trains for cash games.
        """
        config = self.load_config()
        common: dict[str, Any] = {"name": config.name, "seed": config.seed, "inputs": config.inputs}
        if config.is_cash:
            return RunConfig(**common)
        return RunConfig(**common, starting_stack=config.starting_stack, blinds=config.blinds)

    def save_config(self, config: SearchConfig) -> None:
        """Writes the configuration of the search."""
        files.write_whole(self.path / "config.toml", to_toml(config).encode())

    def append(self, metrics: Mapping[str, Any], timings: Mapping[str, Any]) -> None:
        """Writes the lines of a generation."""
        files.append_line(self.metrics_file, files.without_infinities(metrics))
        files.append_line(self.timings_file, timings)

    def append_trial(self, trial: Trial) -> None:
        """Writes the line of a test."""
        files.append_line(self.tests_file, trial.as_dict())

    def save(self, config: SearchConfig, state: SearchState) -> None:
        """Writes what others read, and the checkpoint last."""
        self._save_results(config, state)
        arrays = {"config": np.array(to_toml(config)), **state.to_arrays()}
        self.save_checkpoint(state.generation, arrays)

    def restore(self, config: SearchConfig, *, say: Callable[[str], None]) -> SearchState:
        """The state of the newest sound checkpoint, with all other files cut back to it.

        Args:
            config: The configuration with which the search goes on.
            say: Told about a checkpoint that is damaged.

        Raises:
            DamagedFileError: Checkpoints exist, but none is sound, or the newest sound one is of
                another version, or the metrics do not reach it.
            ValueError: The checkpoint is of another configuration.
        """

        def read(arrays: Mapping[str, AnyArray], source: str) -> SearchState:
            saved = parse_search_config(str(arrays["config"]), source=source, name="")
            check_same_search(saved, config)
            return SearchState.from_arrays(arrays, config)

        state = self.newest_checkpoint(read, say) or SearchState.before_first(config)
        for file in (self.metrics_file, self.timings_file):
            self.cut_back(file, state.generation)
        self.cut_back(self.tests_file, len(state.tested))
        if len(state.tested):
            self._save_results(config, state)
        return state

    @property
    def sub_populations(self) -> int:
        """A search has one population."""
        return 1

    def champion(self, sub_population: int | None = None) -> agents.CompiledPlayer:
        """The deployable player.

        Raises:
            ValueError: The search has not begun.
        """
        return agents.load_player(self._finished("champion.npz"))

    def champions(self, sub_population: int = 0) -> Networks:
        """The players that were tested, the last one the deployable player.

        Raises:
            ValueError: The search has not begun.
        """
        return as_networks(self._champions()["weights"], self.load_config())

    def generations(self) -> I64:
        """Generations after which the champions were tested; the first is 0, before training."""
        return np.asarray(self._champions()["generations"], np.int64)

    def trials(self) -> list[dict[str, Any]]:
        """The lines of the tests so far."""
        return files.read_lines(self.tests_file)

    @property
    def tests_file(self) -> Path:
        """One line per test of the deployable player."""
        return self.path / "tests.jsonl"

    def _champions(self) -> dict[str, AnyArray]:
        return files.read_arrays(self._finished("champions.npz"))

    def _save_results(self, config: SearchConfig, state: SearchState) -> None:
        """Writes what others read; a resumed search writes these files again."""
        sync = not config.goes_on(state.generation, state.hands)
        champions: dict[str, AnyArray] = {
            "weights": state.champions.weights,
            "generations": state.tested,
        }
        files.write_arrays(self.path / "champions.npz", champions, sync=sync)
        if config.pool_share:
            files.write_arrays(self.path / "pool.npz", state.pool.to_arrays(), sync=sync)
        origin = {
            "experiment": config.name,
            "seed": config.seed,
            "optimizer": config.optimizer,
            "generation": state.generation,
            "hands": state.hands,
        }
        present = as_networks(state.optimizer.deployable(), config)
        player = present.player(0, name="champion", origin=origin)
        agents.save_player(self.path / "champion.npz", player)


def check_same_search(saved: SearchConfig, config: SearchConfig) -> None:
    """Checks that two configurations differ at most in what a resumed search may change.

    Raises:
        ValueError: They differ in something else.
    """
    check_unchanged(saved, config, CHANGEABLE)
