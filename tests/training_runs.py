"""Training in a folder, gone on with and interrupted as a test asks for; exit codes of commands."""

from collections.abc import Callable
from typing import Any

import agents
from agents.match.workers.base import thread_workers
from evolve.commands.main import main
from evolve.training.config import Config
from evolve.training.folder import RunFolder
from evolve.training.run import RunCallback, train
from evolve.training.state import State


def evolve(*arguments: str) -> int:
    """The exit code of a command; its parser ends bad ones by itself."""
    try:
        return main(list(arguments))
    except SystemExit as end:
        return int(end.code or 0)


TOURNAMENTS = Config().with_values(
    inputs="features_scaled",
    population=12,
    elites=3,
    tournaments=3,
    generations=5,
    progress_tournaments=0,
)
"""A run that takes a moment."""

BLOCKS = Config().with_values(
    optimizer="cma-es",
    schedule="blocks",
    opponents="pool",
    game="cash",
    inputs="features_scaled",
    init="zeros",
    population=8,
    blocks=4,
    generations=6,
    num_hands=10,
    named=("caller", "raiser"),
    test_every=2,
    test_blocks=10,
)
"""A search of numbers in cash games that takes a moment."""


class Ending(RunCallback):
    """Ends the run in the games of a given generation."""

    def __init__(self, end_in: int | None = None) -> None:
        self.end_in = end_in
        self.generation = 0

    def on_start(self, config: Config, state: State) -> None:
        self.generation = state.generation + 1

    def on_games(self, count: int) -> None:
        if self.generation == self.end_in:
            raise KeyboardInterrupt

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        self.generation = metrics["generation"] + 1


def go_on(
    folder: RunFolder,
    config: Config,
    *,
    listener: RunCallback | None = None,
    threads: int = 2,
    say: Callable[[str], None] = print,
    backend: Any = agents.play,
) -> State:
    """Trains from where the folder stands."""
    state = folder.restore(config, say=say)
    with thread_workers(threads) as workers:
        return train(folder, config, state, workers=workers, listener=listener, backend=backend)
