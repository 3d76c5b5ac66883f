"""The folder of a run.

====================  ============================================================================
``config.toml``       the resolved configuration
``about.json``        versions and machine
``metrics.jsonl``     one line per generation; equal runs have equal bytes
``tests.jsonl``       one line per test of the deployable player, if there are tests
``timings.jsonl``     one line per generation: seconds and speed
``checkpoints/``      the last two states, ``000012.npz`` after generation 12
``champions.npz``     champions of all generations, or of the tested ones, with these generations
``champion.npz``      the player to use, a player file of ``agents``
``champion-1.npz``    the player of each sub-population, if there are several;
                      ``champion.npz`` is the best of them
``hall_of_fame.npz``  the members of the halls of fame, if there are any
``pool.npz``          the players of the pool and the results against them, if there is a pool
``parents.jsonl``     one line per generation: parents of the candidates, if they are logged
``bounds.jsonl``      one line per local best response to the deployable player, if logged
``teams.npz``         surviving teams of symbiotic evolution after the last generation
====================  ============================================================================

For the lines of ``metrics.jsonl`` see ``evolve.training.run.learn_from`` and the schedules; for
those of ``tests.jsonl`` see ``evolve.training.candidate_test``.

The checkpoint is written last and is authoritative: on resume, all other files are reset to its
state. It also holds copies of all lines so far, which replace damaged ones. Checkpoints are written
at the end, on Ctrl-C, and after every generation, unless they would take more than a twentieth of
the time. So a killed run loses about one generation, and has the same result once resumed.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import agents
import nlhe_env
from evolve.files import safe as files
from evolve.files.safe import DamagedFileError, part, prefixed
from evolve.training.config import Config
from evolve.training.config_files import load_config, parse_config, to_toml
from evolve.training.state import State
from nlhe_env.extras import package_versions
from nlhe_env.jit.array_types import I64, AnyArray
from nlhe_env.system.cores import n_cores
from nlhe_env.system.folder_lock import LOCK_FILE, locked

CHANGEABLE = ("generations", "hands", "progress_champions", "progress_tournaments")
"""Values that may change when a run is resumed: its length and final measurements."""

LATEST = Path("latest")
"""Path of the newest run."""

RUNS = Path("runs")
"""Default folder of runs."""

_KEPT_CHECKPOINTS = 2


def is_latest(path: Path) -> bool:
    """Whether a path is ``latest`` or ``FOLDER/latest``.

    >>> is_latest(Path("latest")), is_latest(Path("runs/latest")), is_latest(Path("runs/quick-1"))
    (True, True, False)
    """
    return path.name == LATEST.name and not path.is_dir()


@dataclass(frozen=True)
class RunFolder:
    """Reads and writes the files of a run."""

    path: Path

    @classmethod
    def create(cls, runs: Path, config: Config) -> RunFolder:
        """Creates a folder ``runs/<name>-<seed>-<time>`` with the configuration."""
        base = f"{config.name}-{config.seed}-{time.strftime('%Y%m%d-%H%M%S')}"
        path, number = runs / base, 1
        while True:
            try:
                path.mkdir(parents=True)
            except FileExistsError:
                number += 1
                path = runs / f"{base}-{number}"
            else:
                return cls._make(path, config)

    @classmethod
    def at(cls, path: Path, config: Config) -> RunFolder:
        """Opens the folder at a path, or creates it.

        Raises:
            FolderInUseError: Another process or thread trains in this folder.
            ValueError: It holds another run, or other files.
        """
        path.mkdir(parents=True, exist_ok=True)
        if all(file.name == LOCK_FILE for file in path.iterdir()):
            return cls._make(path, config)
        with locked(path):
            folder = cls.open(path)
            check_same_experiment(folder.load_config(), config)
            folder.save_config(config)
            return folder

    @classmethod
    def _make(cls, path: Path, config: Config) -> RunFolder:
        files.write_json(path / "about.json", _about())
        folder = cls(path)
        folder.save_config(config)
        return folder

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Opens the folder of an existing run.

        Raises:
            ValueError: ``path`` is not a run folder.
        """
        if not (path / "config.toml").is_file():
            reason = "it has no config.toml" if path.exists() else "there is no such folder"
            raise ValueError(f"{path} is not a run folder: {reason}")
        return cls(path)

    @classmethod
    def latest(cls, runs: Path) -> RunFolder:
        """Opens the newest run in a folder of runs.

        Raises:
            ValueError: There is none.
        """
        found = list(runs.glob("*/config.toml"))
        if not found:
            raise ValueError(f"there is no run in {runs}/ yet; start one with: nlhe train")
        return cls(max(found, key=lambda file: file.stat().st_mtime_ns).parent)

    @classmethod
    def find(cls, path: Path, runs: Path = RUNS) -> RunFolder:
        """Opens the run folder at a path, or the newest run for ``latest``.

        Args:
            path: Path of a run folder, ``latest``, or ``FOLDER/latest``.
            runs: Folder of runs for ``latest`` without a folder.

        Raises:
            ValueError: There is none.
        """
        if path == LATEST:
            return cls.latest(runs)
        return cls.latest(path.parent) if is_latest(path) else cls.open(path)

    def load_config(self) -> Config:
        """The configuration of the run, for reading.

        Sections that name code, programs or other files are unresolved, unless the user has named
        these too, see ``agents.allow_in_files``.
        """
        return load_config(self.path / "config.toml", for_reading=True)

    def save_config(self, config: Config) -> None:
        """Writes the configuration of the run."""
        files.write_whole(self.path / "config.toml", to_toml(config).encode())

    # Results.

    @property
    def metrics_file(self) -> Path:
        """File with one line per generation, equal for equal runs."""
        return self.path / "metrics.jsonl"

    @property
    def timings_file(self) -> Path:
        """File with the time of each generation, one per line."""
        return self.path / "timings.jsonl"

    @property
    def tests_file(self) -> Path:
        """File with one line per test of the deployable player."""
        return self.path / "tests.jsonl"

    @property
    def parents_file(self) -> Path:
        """File with the parents of the candidates of each generation."""
        return self.path / "parents.jsonl"

    @property
    def bounds_file(self) -> Path:
        """File with one line per local best response against the deployable player."""
        return self.path / "bounds.jsonl"

    @property
    def plot_file(self) -> Path:
        """File of the picture of the run."""
        return self.path / "progress.png"

    @property
    def progress_file(self) -> Path:
        """File with the result of the closing tournaments."""
        return self.path / "progress.json"

    @property
    def sub_populations(self) -> int:
        """Number of sub-populations."""
        return self.load_config().optimizer.n_sub_populations

    def metrics(self) -> list[dict[str, Any]]:
        """Metrics of the generations so far.

        Raises:
            DamagedFileError: A line is damaged; the message has its number.
        """
        return self._sound_lines(self.metrics_file)

    def trials(self) -> list[dict[str, Any]]:
        """Tests so far.

        Raises:
            DamagedFileError: A line is damaged; the message has its number.
        """
        return self._sound_lines(self.tests_file)

    def _sound_lines(self, file: Path) -> list[dict[str, Any]]:
        """Lines of a file, checked against the newest sound checkpoint."""
        for checkpoint in self._checkpoints():
            try:
                kept = part("lines", files.read_arrays(checkpoint))
            except DamagedFileError:
                continue  # damaged, or just removed by a running process
            number = files.damaged_line(file, kept[file.stem]) if file.stem in kept else None
            if number is not None:
                raise DamagedFileError(
                    f"{file} is damaged in line {number}; repair it with: nlhe train --resume "
                    f"{self.path}"
                )
            break
        return files.read_lines(file)

    def champion_file(self, sub_population: int | None = None) -> Path:
        """File of the player to use.

        Args:
            sub_population: Index of the sub-population; None for the best of all.

        Raises:
            ValueError: There is no champion yet.
        """
        name = "champion.npz"
        if sub_population is not None and self.sub_populations > 1:
            name = f"champion-{sub_population + 1}.npz"
        return self._finished(name)

    def champion(self, sub_population: int | None = None) -> agents.CompiledPlayer:
        """The player to use; see ``champion_file``."""
        return agents.load_player(self.champion_file(sub_population))

    def champions(self, sub_population: int = 0) -> Any:
        """Genomes of the kept champions of a sub-population, counted from 0.

        Raises:
            DamagedFileError: The file of champions lacks an array.
            ValueError: There is no champion yet, or there is no such sub-population.
        """
        count = self.sub_populations
        if not 0 <= sub_population < count:
            raise ValueError(f"sub_population must be in 0..{count - 1}; got {sub_population}")
        arrays, prefix = self._champion_arrays(), str(sub_population + 1)
        try:
            return self.load_config().genomes.from_arrays(part(prefix, arrays))
        except KeyError as error:
            raise self._no_array(f"{prefix}_{error.args[0]}") from error

    def generations(self) -> I64:
        """Generations with a kept champion; 0 is before training.

        Raises:
            DamagedFileError: The file of champions lacks an array.
            ValueError: There is no champion yet.
        """
        arrays = self._champion_arrays()
        if "generations" not in arrays:
            raise self._no_array("generations")
        return np.asarray(arrays["generations"], np.int64)

    def _champion_arrays(self) -> dict[str, AnyArray]:
        return files.read_arrays(self._finished("champions.npz"))

    def _no_array(self, name: str) -> DamagedFileError:
        """Error for a file of champions that lacks an array."""
        return DamagedFileError(
            f"{self.path / 'champions.npz'} does not contain champions that this version can read: "
            f"it has no array {name}"
        )

    def _finished(self, name: str) -> Path:
        """Path of a result file.

        Raises:
            ValueError: There is no champion yet.
        """
        file = self.path / name
        if not file.is_file():
            raise ValueError(f"{self.path} has no champion yet: no generation is finished")
        return file

    # Writing and resuming.

    def save_choice(self, choice: Any) -> None:
        """Writes the results of the last selection among lineages."""
        files.write_json(self.path / "choice.json", choice.as_dict())

    def append(self, metrics: Mapping[str, Any], timings: Mapping[str, Any]) -> None:
        """Appends the metrics and timings of a generation.

        A power failure may damage them: a resumed run has the metrics from its checkpoint.
        """
        files.append_line(self.metrics_file, files.without_infinities(metrics), sync=False)
        files.append_line(self.timings_file, timings, sync=False)

    def append_trial(self, trial: Any) -> None:
        """Appends a test."""
        files.append_line(self.tests_file, trial.as_dict())

    def save(self, config: Config, state: State) -> None:
        """Writes the results, then the checkpoint."""
        self._save_results(config, state)
        lines = {file.stem: files.lines_so_far(file) for file in self._kept_in_checkpoints}
        arrays = {"config": np.array(to_toml(config)), **state.to_arrays()}
        arrays |= prefixed("lines", lines)
        self._checkpoint_folder.mkdir(exist_ok=True)
        files.write_arrays(self._checkpoint_folder / f"{state.generation:06d}.npz", arrays)
        for old in self._checkpoints()[_KEPT_CHECKPOINTS:]:
            old.unlink()

    def newest_saved(self) -> int:
        """Generation of the newest checkpoint; 0 without one."""
        found = self._checkpoints()
        return int(found[0].stem) if found else 0

    def check_newest(self, generation: int) -> None:
        """Check that no sound checkpoint is of a later generation.

        Raises:
            ValueError: One is.
        """
        for file in self._checkpoints():
            saved = int(file.stem)
            if saved <= generation:
                return
            try:
                files.read_arrays(file)
            except DamagedFileError:
                continue  # the run goes on from the checkpoint before it
            raise ValueError(
                f"{self.path} has a run with {saved} generations, the state has {generation}: "
                "continue with the state of RunFolder.restore"
            )

    def restore(self, config: Config, *, say: Callable[[str], None]) -> State:
        """State of the newest sound checkpoint; resets all other files to it.

        Args:
            config: Configuration of the continued run.
            say: Called with a message for each damaged checkpoint and for mended lines.

        Raises:
            DamagedFileError: Checkpoints exist, but none is sound, or the newest sound one lacks
                an array.
            FolderInUseError: Another process or thread trains in this folder.
            ValueError: The checkpoint has another configuration, or a file of the run is a
                symbolic link.
        """
        with locked(self.path):
            # Writing follows links, and a folder from somebody else must not choose the files.
            for file in (*self.path.iterdir(), *self._checkpoints()):
                if file.is_symlink():
                    raise ValueError(
                        f"{file} is a symbolic link; to resume the run, put the file that it names "
                        "in its place"
                    )
            return self._restore(config, say)

    def _restore(self, config: Config, say: Callable[[str], None]) -> State:
        state, lines = self._newest_state(config, say)
        for file in self._kept_in_checkpoints:
            files.mend_lines(file, lines[file.stem], say=say)
        files.keep_lines(
            self.timings_file, lambda line: line["generation"] <= state.generation, say=say
        )
        if state.generation:
            state.metrics = files.read_lines(self.metrics_file)[-1]
        if state.generation or state.kept:
            self._save_results(config, state)
        return state

    def _newest_state(
        self, config: Config, say: Callable[[str], None]
    ) -> tuple[State, dict[str, AnyArray]]:
        """State of the newest sound checkpoint, and the lines of each file at that time."""
        found = self._checkpoints()
        for file in found:
            try:
                arrays = files.read_arrays(file)
            except DamagedFileError as error:
                say(f"{error}; trying the checkpoint before it.")
                continue
            try:
                saved = parse_config(str(arrays["config"]), source=str(file), name="")
                check_same_experiment(saved, config)
                state = State.from_arrays(arrays, config)
                names = [each.stem for each in self._kept_in_checkpoints]
                lines = {name: arrays[f"lines_{name}"] for name in names}
                if state.generation and not lines[self.metrics_file.stem].size:
                    raise IndexError("it has no metrics")
                return state, lines
            except (KeyError, IndexError, TypeError) as error:
                is_missing = isinstance(error, KeyError)
                why = f"it has no array {error.args[0]}" if is_missing else str(error)
                raise DamagedFileError(
                    f"{file} is not a checkpoint that this version can read: {why}; "
                    f"{self._start_again}"
                ) from error
        if found:
            raise DamagedFileError(
                f"no checkpoint in {self._checkpoint_folder} can be read; {self._start_again}"
            )
        nothing = np.zeros(0, np.uint8)
        return State.initial_state(config), {
            each.stem: nothing for each in self._kept_in_checkpoints
        }

    @property
    def _kept_in_checkpoints(self) -> tuple[Path, ...]:
        """JSON Lines files in checkpoints. No timings, so equal runs have equal checkpoints."""
        return self.metrics_file, self.tests_file

    @property
    def _start_again(self) -> str:
        return f"start again with: nlhe train --preset {self.path / 'config.toml'}"

    @property
    def _checkpoint_folder(self) -> Path:
        return self.path / "checkpoints"

    def _checkpoints(self) -> list[Path]:
        """Checkpoint files, newest first."""
        return sorted(self._checkpoint_folder.glob("*.npz"), reverse=True)

    def _save_results(self, config: Config, state: State) -> None:
        """Writes the results: champions, halls and pools.

        A resumed run writes these files again, so until the end they need not survive a power
        failure.
        """
        sync = not config.goes_on(state.generation, state.hands)
        if state.kept:
            # Only the champions of the selected lineage are kept.
            groups = [state.best] if config.lineages > 1 else None
            champions = state.champion_arrays(groups)
            files.write_arrays(self.path / "champions.npz", champions, sync=sync)
        for name, arrays in (state.optimizer.files() | state.opponents.files()).items():
            files.write_arrays(self.path / name, arrays, sync=sync)
        for name, group in _champion_names(config, state):
            champion = state.present(group)
            if len(champion):
                player = champion.player(0, name=name, origin=_origin(config, state, group))
                agents.save_player(self.path / f"{name}.npz", player)


def _champion_names(config: Config, state: State) -> Iterator[tuple[str, int]]:
    """File names of champions, with their sub-populations."""
    if config.lineages == 1 and len(state.champions) > 1:
        for i in range(len(state.champions)):
            yield f"champion-{i + 1}", i
    yield "champion", state.best


def _origin(config: Config, state: State, group: int) -> dict[str, Any]:
    """Origin of a champion: experiment, seed, generation and results."""
    origin: dict[str, Any] = {"experiment": config.name, "seed": config.seed}
    origin |= {"generation": state.generation, "hands": state.hands}
    line = dict(state.metrics)
    if config.lineages > 1:
        origin["lineage"] = group + 1
    elif len(state.champions) > 1:
        origin["sub_population"] = group + 1
        line |= line.get("sub_populations", [{}] * (group + 1))[group]
    if "best_place" in line:
        # A champion that has moved towards its challenger has not played yet.
        moved = getattr(config.optimizer, "champion_step", 1.0) < 1
        origin["mean_place"] = None if moved else line["best_place"]
        origin |= {key: line[key] for key in ("players", "tournaments")}
    return origin


def check_same_experiment(saved: Config, config: Config) -> None:
    """Checks that two configurations differ only in values that a resumed run may change.

    Raises:
        ValueError: Another value differs.
    """
    before, now = saved.values(), config.values()
    for key in before | now:
        if key not in CHANGEABLE and before.get(key) != now.get(key):
            raise ValueError(
                f"{key} is {before.get(key)!r} in the run and {now.get(key)!r} now; a resumed run "
                f"may only change {', '.join(CHANGEABLE)}"
            )


def _about() -> dict[str, Any]:
    return {
        "started": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "python": platform.python_version(),
        "packages": {"nlhe-env": nlhe_env.__version__, **package_versions()},
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cores": n_cores(),
    }
