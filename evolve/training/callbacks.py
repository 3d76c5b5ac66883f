"""Run callbacks: several at once, a log of parents, a local best response, TensorBoard.

A callback changes neither the configuration nor the result of a run. Its files lie beside those of
the run; when a run resumes, lines after the resumed generation are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents.exploitability import Menu
from agents.match.workers.base import Workers
from agents.measure.exploitability_bounds import gives_chances, local_exploitability
from evolve.files import safe as files
from evolve.training.candidate_test import Trial
from evolve.training.champion_selection import Choice
from evolve.training.config import Config
from evolve.training.run import RunCallback
from evolve.training.state import State
from nlhe_env.arguments import whole_number
from nlhe_env.extras import needs_extra


class Callbacks(RunCallback):
    """Several callbacks, called one after the other.

    Args:
        *callbacks: Callbacks in the order of the calls.
    """

    def __init__(self, *callbacks: RunCallback) -> None:
        self.callbacks = callbacks

    def on_start(self, config: Config, state: State) -> None:
        """Called when the run starts or resumes."""
        for each in self.callbacks:
            each.on_start(config, state)

    def on_games(self, count: int) -> None:
        """Called when games of the present generation are finished."""
        for each in self.callbacks:
            each.on_games(count)

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """Called when a generation is finished."""
        for each in self.callbacks:
            each.on_generation(metrics, timings)

    def on_choice(self, choice: Choice) -> None:
        """Called when one of several lineages has been chosen."""
        for each in self.callbacks:
            each.on_choice(choice)

    def on_trial(self, trial: Trial) -> None:
        """Called when the deployable player has been tested."""
        for each in self.callbacks:
            each.on_trial(trial)


class _Log(RunCallback):
    """A file with one line per logged generation."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def on_start(self, config: Config, state: State) -> None:
        """Drops lines after the generation from which the run resumes."""
        if self.path.exists():
            files.keep_lines(
                self.path, lambda line: line["generation"] <= state.generation, say=print
            )


class ParentLog(_Log):
    """Writes the parents of every candidate.

    A line has the ``generation`` and its ``groups``, each with the ``ranks`` of the candidates and
    their ``parents``: the ranks of each candidate's parents in the previous generation (0 is the
    best; negative for a member of the hall of fame or of another species), empty if unknown.

    Args:
        path: The file, such as ``RunFolder.parents_file``.

    Raises:
        ValueError: In ``on_start``: the optimizer does not breed.
    """

    @staticmethod
    def check(config: Config) -> None:
        """Check that the log suits a run; see the class."""
        if not config.optimizer.breeds:
            raise ValueError("a log of parents needs an optimizer that breeds, such as elitist")

    def on_start(self, config: Config, state: State) -> None:
        """Called when the run starts or resumes."""
        self.check(config)
        super().on_start(config, state)
        self._state = state

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """Writes a line."""
        groups = self._state.optimizer.genealogy()
        files.append_line(self.path, {"generation": metrics["generation"], "groups": groups})


class BoundLog(_Log):
    """Plays a local best response against the deployable player.

    A line has ``generation``, training ``hands`` so far, ``bound`` and its standard ``error``. The
    bound is the response's winnings in thousandths of a big blind per hand, a lower bound on the
    player's exploitability. These hands do not count as training.

    Args:
        path: The file, such as ``RunFolder.bounds_file``.
        workers: Workers for the games.
        every: Generations between measurements.
        blocks: Duplicate blocks of a measurement, always on the same cards.
        menu: Raises of the response.

    Raises:
        ValueError: In ``on_start``: the game is not a heads-up cash game, or the players give no
            action probabilities.
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

    @staticmethod
    def check(config: Config) -> None:
        """Check that the log suits a run; see the class."""
        if not config.make_game().is_cash or config.game.table_size != 2:
            raise ValueError("a log of bounds needs a cash game with a table_size of 2")

    def on_start(self, config: Config, state: State) -> None:
        """Called when the run starts or resumes; measures a bound that is due and missing."""
        self.check(config)
        game = config.make_game()
        super().on_start(config, state)
        self._config, self._state = config, state
        self._game = replace(game, table_size=2, score="big_blinds")
        logged = [line["generation"] for line in files.read_lines(self.path)]
        if state.generation and state.generation not in logged:
            # The run may have been interrupted during this measurement.
            self.on_generation({"generation": state.generation, "hands": state.hands}, {})

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """Measures the bound if it is due."""
        generation, hands = metrics["generation"], metrics["hands"]
        if generation % self._every and self._config.goes_on(generation, hands):
            return
        player = self._state.champion.player(0, name="deployable player")
        if not gives_chances(player):
            raise ValueError("a local best response needs players that report action probabilities")
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


def summary_writer() -> Any:
    """PyTorch's class that writes event files of TensorBoard.

    Raises:
        MissingExtraError: TensorBoard or PyTorch is not installed.
    """
    with needs_extra("track", "tracking by TensorBoard"):
        from torch.utils.tensorboard import SummaryWriter
    return SummaryWriter


class TensorBoard(RunCallback):
    """Logs metrics, timings and tests to TensorBoard, by training hands.

    Args:
        path: Folder of the event files.

    Raises:
        MissingExtraError: TensorBoard or PyTorch is not installed.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._writer_class = path, summary_writer()

    def on_start(self, config: Config, state: State) -> None:
        """Drops points after the generation from which the run resumes."""
        has_points = state.generation or state.tests
        self._writer: Any = self._writer_class(
            str(self._path), purge_step=state.hands + 1 if has_points else 0
        )

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
    """Finite numbers of a line by ``prefix/key``, including nested mappings and lists.

    For experiment trackers, which log single numbers.

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
