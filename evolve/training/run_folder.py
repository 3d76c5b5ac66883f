"""What the folders of all kinds of runs share: names, checkpoints, and cutting back to them."""

from __future__ import annotations

import dataclasses
import platform
import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import nlhe_env
from evolve.files import safe as files
from evolve.files.safe import DamagedFileError
from nlhe_env.machine.array_types import AnyArray
from nlhe_env.machine.cores import n_cores

_KEPT_CHECKPOINTS = 2

_State = TypeVar("_State")


@dataclass(frozen=True)
class Folder:
    """The folder of a run, which a command of ``python -m evolve`` has made."""

    path: Path

    command: ClassVar[str]

    @classmethod
    def make(cls, runs: Path, name: str, seed: int) -> Self:
        """A new folder ``runs/<name>-<seed>-<time>`` that says on which machine."""
        base = f"{name}-{seed}-{time.strftime('%Y%m%d-%H%M%S')}"
        path, number = runs / base, 1
        while True:
            try:
                return cls.make_at(path)
            except FileExistsError:
                number += 1
                path = runs / f"{base}-{number}"

    @classmethod
    def make_at(cls, path: Path) -> Self:
        """A new folder at a path, where there must be none."""
        path.mkdir(parents=True)
        files.write_json(path / "about.json", _about())
        return cls(path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """The folder of an earlier run.

        Raises:
            ValueError: ``path`` is no run folder, or one of another command.
        """
        made_by = command_of(path)
        if made_by is None:
            raise ValueError(f"{path} is not a run folder: it has no config.toml")
        if made_by != cls.command:
            raise ValueError(f"{path} is a run of {made_by!r}, not of {cls.command!r}")
        return cls(path)

    @classmethod
    def latest(cls, runs: Path) -> Self:
        """The newest run of this kind in a folder of runs.

        Raises:
            ValueError: There is none.
        """
        return cls(newest_run(runs, cls.command))

    @property
    def metrics_file(self) -> Path:
        """One line per generation, equal for equal runs."""
        return self.path / "metrics.jsonl"

    @property
    def timings_file(self) -> Path:
        """One line per generation with its time."""
        return self.path / "timings.jsonl"

    @property
    def plot_file(self) -> Path:
        """The picture of the run."""
        return self.path / "progress.png"

    def save_checkpoint(self, generation: int, arrays: Mapping[str, AnyArray]) -> None:
        """Writes the checkpoint of a generation; the last two are kept."""
        self._checkpoint_folder.mkdir(exist_ok=True)
        files.write_arrays(self._checkpoint_folder / f"{generation:06d}.npz", arrays)
        for old in self._checkpoints()[_KEPT_CHECKPOINTS:]:
            old.unlink()

    def newest_checkpoint(
        self,
        read: Callable[[Mapping[str, AnyArray], str], _State],
        say: Callable[[str], None],
    ) -> _State | None:
        """The state of the newest sound checkpoint; None if there is no checkpoint yet.

        Args:
            read: Makes a state of the arrays of a checkpoint; its second argument is the file.
            say: Told about a checkpoint that is damaged.

        Raises:
            DamagedFileError: Checkpoints exist, but none is sound, or the newest sound one is of
                another version.
        """
        found = self._checkpoints()
        for file in found:
            try:
                arrays = files.read_arrays(file)
            except DamagedFileError as error:
                say(f"{error}; trying the checkpoint before it.")
                continue
            try:
                return read(arrays, str(file))
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
        return None

    def cut_back(self, file: Path, lines: int) -> None:
        """Cuts a file back to the lines that a checkpoint stands for.

        Raises:
            DamagedFileError: It has fewer.
        """
        found = files.keep_lines(file, lines)
        if found < lines:
            raise DamagedFileError(
                f"{file} has {found} whole lines, but the checkpoint stands for {lines}; start "
                f"again with --config {self.path / 'config.toml'}"
            )

    def _finished(self, name: str) -> Path:
        """A file of the results, which is there once a generation is finished."""
        file = self.path / name
        if not file.exists():
            raise ValueError(f"{self.path} has no champion yet: no generation is finished")
        return file

    @property
    def _checkpoint_folder(self) -> Path:
        return self.path / "checkpoints"

    def _checkpoints(self) -> list[Path]:
        """Checkpoints, newest first."""
        return sorted(self._checkpoint_folder.glob("*.npz"), reverse=True)


def command_of(path: Path) -> str | None:
    """The command that made a run folder, ``"train"`` or ``"optimize"``; None if it is none."""
    try:
        values = tomllib.loads((path / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        # A file that cannot be read is for its reader to complain about.
        return "train" if (path / "config.toml").is_file() else None
    return "optimize" if "optimizer" in values else "train"


def newest_run(runs: Path, command: str | None = None) -> Path:
    """The newest run in a folder of runs, made by a command or by any.

    Raises:
        ValueError: There is none.
    """
    found = [
        file.parent
        for file in runs.glob("*/config.toml")
        if command is None or command_of(file.parent) == command
    ]
    if not found:
        raise ValueError(
            f"there is no run in {runs}/ yet; start one with: {command or 'train or optimize'}"
        )
    return max(found, key=lambda path: (path / "config.toml").stat().st_mtime_ns)


def check_unchanged(saved: Any, config: Any, changeable: tuple[str, ...]) -> None:
    """Checks that two configurations differ at most in what a resumed run may change.

    Raises:
        ValueError: They differ in something else.
    """
    for field in dataclasses.fields(saved):
        before, now = getattr(saved, field.name), getattr(config, field.name)
        if field.name not in changeable and before != now:
            raise ValueError(
                f"{field.name} is {before!r} in the run and {now!r} now; a resumed run may "
                f"only change {', '.join(changeable)}"
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
