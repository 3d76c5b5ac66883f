"""Comparisons: variants of a run, trained with several seeds one after the other in one folder.

Every variant and seed has a run folder, for example ``cma-es-1``. All variants of a seed are
trained before the next seed, so that partial results are balanced. An interrupted comparison
resumes within its runs and has the same result.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from agents.match.workers.base import Workers
from evolve.training.config import Config
from evolve.training.folder import RunFolder
from evolve.training.run import RunCallback, finish_run
from evolve.training.state import State
from nlhe_env.arguments import whole_number
from nlhe_env.system.python_files import file_label


@dataclass(frozen=True, kw_only=True)
class Comparison(ABC):
    """Settings of a comparison.

    Attributes:
        preset: Preset of all runs.
        variants: Names of the variants.
        seeds: Number of seeds.
        changes: Values of all runs that replace those of the preset.
        first_seed: The smallest of the seeds; the others follow it.
        called: Plural noun for the variants in messages.

    Raises:
        ValueError: A configuration is impossible, or there are no variants or seeds.
    """

    called: ClassVar[str]

    preset: str
    variants: tuple[str, ...]
    seeds: int
    changes: Mapping[str, Any]
    first_seed: int = 1

    def __post_init__(self) -> None:
        whole_number("seeds", self.seeds, least=1)
        if not self.variants or len(set(self.variants)) < len(self.variants):
            raise ValueError(
                f"{self.called} must not be empty or repeat a name; got {self.variants}"
            )
        for _, _, config in self.runs():
            State.initial_state(config)  # checks the options of the optimizer

    @abstractmethod
    def config(self, variant: str, seed: int) -> Config:
        """The configuration of a run.

        Raises:
            ValueError: There is no such variant.
        """

    def runs(self) -> Iterator[tuple[str, int, Config]]:
        """Variant, seed and configuration of every run, seed by seed."""
        for seed in range(self.first_seed, self.first_seed + self.seeds):
            for variant in self.variants:
                yield variant, seed, self.config(variant, seed)


def run_name(variant: str, seed: int) -> str:
    """Name of the folder of a run.

    >>> run_name("cma-es", 1)
    'cma-es-1'
    """
    return f"{file_label(variant)}-{seed}"


def train_runs(
    out: Path,
    comparison: Comparison,
    *,
    workers: Workers,
    listener: RunCallback,
    say: Callable[[str], None],
) -> Iterator[tuple[str, int, RunFolder]]:
    """Trains the unfinished runs, and yields each run once it is finished.

    Args:
        out: Folder of the comparison, new or from an earlier call.
        comparison: Settings of the comparison.
        workers: Workers for the games; their number does not change the result.
        listener: Callback for the progress of each run.
        say: Called with messages about the start of each run and about damaged checkpoints.

    Yields:
        Variant, seed and folder of the run.

    Raises:
        ValueError: The folder holds runs of another comparison.
    """
    out.mkdir(parents=True, exist_ok=True)
    for variant, seed, config in comparison.runs():
        path = out / run_name(variant, seed)
        folder = finish_run(path, config, workers=workers, listener=listener, say=say)
        yield variant, seed, folder
