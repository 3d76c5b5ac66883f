"""Run callbacks: several at once, a log of parents, a local best response, TensorBoard.

A callback only watches: it changes neither the configuration nor the result of a run. Its files lie
beside those of the run, and lines after the generation from which a run goes on are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents.exploitability import Menu
from evolve.evaluation.exploitability import gives_chances, local_exploitability
from evolve.files import safe as files
from evolve.training.candidate_test import Trial
from evolve.training.champion_selection import Choice
from evolve.training.config import Config
from evolve.training.run import RunCallback
from evolve.training.state import State
from evolve.workers import Workers
from nlhe_env.arguments import whole_number
from nlhe_env.extras import install_command


class Callbacks(RunCallback):
    """Several callbacks, called one after the other.

    Args:
        *callbacks: They.
    """

    def __init__(self, *callbacks: RunCallback) -> None:
        self.callbacks = callbacks

    def on_start(self, config: Config, state: State) -> None:
        """The run starts or goes on."""
        for each in self.callbacks:
            each.on_start(config, state)

    def on_games(self, count: int) -> None:
        """Games of the present generation are finished."""
        for each in self.callbacks:
            each.on_games(count)

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """A generation is finished."""
        for each in self.callbacks:
            each.on_generation(metrics, timings)

    def on_choice(self, choice: Choice) -> None:
        """One of several lineages has been chosen."""
        for each in self.callbacks:
            each.on_choice(choice)

    def on_trial(self, trial: Trial) -> None:
        """The deployable player has been tested."""
        for each in self.callbacks:
            each.on_trial(trial)


class _Log(RunCallback):
    """A file with a line for some generations."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def on_start(self, config: Config, state: State) -> None:
        """Leaves out lines after the generation from which the run goes on."""
        if self.path.exists():
            files.keep_lines(
                self.path, lambda line: line["generation"] <= state.generation, say=print
            )


class ParentLog(_Log):
    """Writes who the parents of every candidate were.

    A line has the ``generation`` and its ``groups``: ``parents`` has for every candidate the ranks
    of its parents in the generation before (0 is the best; below 0 a member of the hall of fame, or
    of another species), none where they are not known; ``ranks`` has the rank of every candidate.

    Args:
        path: The file, such as ``RunFolder.parents_file``.

    Raises:
        ValueError: In ``on_start``: the optimizer does not breed.
    """

    def on_start(self, config: Config, state: State) -> None:
        """The run starts or goes on."""
        if not config.optimizer.breeds:
            raise ValueError("a log of parents needs an optimizer that breeds, such as elitist")
        super().on_start(config, state)
        self._state = state

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """Writes a line."""
        groups = self._state.optimizer.genealogy()
        files.append_line(self.path, {"generation": metrics["generation"], "groups": groups})


class BoundLog(_Log):
    """Lets a local best response meet the player that would be deployed.

    A line has ``generation``, ``hands`` of training until then, ``bound``, thousandths of a big
    blind a hand that the response wins, which is a lower bound of what the player can lose, and its
    standard ``error``. Its hands are not counted as training.

    Args:
        path: The file, such as ``RunFolder.bounds_file``.
        workers: Workers that play.
        every: Generations between measurements.
        blocks: Duplicate blocks of a measurement, always on the same cards.
        menu: Raises of the response.

    Raises:
        ValueError: In ``on_start``: the game is no cash game for two, or the players give no
            chances.
    """

    def __init__(
        self,
        path: Path,
        workers: Workers,
        *,
        every: int = 10,
        blocks: int = 500,
        menu: str = "fcpa",
    ) -> None:
        super().__init__(path)
        self._workers, self._menu = workers, Menu.of(menu)
        self._every = whole_number("every", every, least=1)
        self._blocks = whole_number("blocks", blocks, least=2)

    def on_start(self, config: Config, state: State) -> None:
        """The run starts or goes on."""
        game = config.make_game()
        if not game.is_cash or config.game.table_size != 2:
            raise ValueError("a local best response needs a cash game with a table_size of 2")
        super().on_start(config, state)
        self._config, self._state = config, state
        self._game = replace(game, table_size=2, score="big_blinds")

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """Measures, if it is time to."""
        generation, hands = metrics["generation"], metrics["hands"]
        if generation % self._every and self._config.goes_on(generation, hands):
            return
        player = self._state.champion.player(0, name="deployable player")
        if not gives_chances(player):
            raise ValueError("a local best response needs players whose chances can be asked")
        (found,) = local_exploitability(
            player,
            self._game,
            [self._menu],
            blocks=self._blocks,
            seed=self._config.seed,
            workers=self._workers,
        )
        line = {"generation": generation, "hands": hands}
        files.append_line(self.path, {**line, "bound": found.value, "error": found.error})


class TensorBoard(RunCallback):
    """Shows the numbers of metrics, timings and tests in TensorBoard, over the hands of training.

    Args:
        path: Folder of the event files.

    Raises:
        ImportError: TensorBoard or PyTorch is not installed.
    """

    def __init__(self, path: Path) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            raise ImportError(
                f"tracking by TensorBoard needs PyTorch and tensorboard: {install_command('track')}"
            ) from error
        self._writer: Any = SummaryWriter(str(path))

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """Adds the numbers of a generation."""
        hands = metrics["hands"]
        self._add(scalars(metrics, "metrics") | scalars(timings, "timings"), hands)

    def on_trial(self, trial: Trial) -> None:
        """Adds the numbers of a test."""
        self._add(scalars(trial.as_dict(), "tests"), trial.hands)

    def _add(self, values: Mapping[str, float], hands: int) -> None:
        for name, value in values.items():
            self._writer.add_scalar(name, value, hands)
        self._writer.flush()


def scalars(line: Mapping[str, Any], prefix: str) -> dict[str, float]:
    """The finite numbers of a line by ``prefix/key``, those of mappings and lists in it, too.

    For trackers, which show single numbers.

    >>> scalars({"generation": 2, "style": {"showdown": 0.5}, "parts": [{"x": 1}]}, "metrics")
    {'metrics/generation': 2.0, 'metrics/style/showdown': 0.5, 'metrics/parts/1/x': 1.0}
    """
    found: dict[str, float] = {}
    for key, value in line.items():
        name = f"{prefix}/{key}"
        if isinstance(value, Mapping):
            found |= scalars(value, name)
        elif isinstance(value, (list, tuple)):
            found |= scalars({str(i): each for i, each in enumerate(value, 1)}, name)
        elif isinstance(value, (int, float)) and math.isfinite(value):
            found[name] = float(value)
    return found
