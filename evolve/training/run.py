"""The training loop, and single generations."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import agents
from agents.match.workers.base import Workers, WorkersError
from evolve import seeds
from evolve.opponents.policies import OpponentResults
from evolve.training.brood_selection import select_children
from evolve.training.candidate_test import Trial, play_trial
from evolve.training.champion_selection import Choice, choose_lineage
from evolve.training.config import Config
from evolve.training.folder import RunFolder
from evolve.training.schedules import Backend, Generation, GenerationResults, Progress
from evolve.training.state import State
from nlhe_env.system.command_interrupts import interrupts_wait
from nlhe_env.system.folder_lock import locked

_Lines = tuple[dict[str, Any], dict[str, Any]]
"""Metrics and timings of a generation."""

CHECKPOINT_PAUSE = 20.0
"""Pause between checkpoints, in units of the time for writing one. A killed run loses at most this
much, besides its current generation. An interrupted run loses only that generation.
"""


class RunCallback:
    """Callback base class of a run; all methods are no-ops."""

    def on_start(self, config: Config, state: State) -> None:
        """Called when the run starts or continues after the generation of ``state``."""

    def on_games(self, count: int) -> None:
        """Called when games of the current generation are finished."""

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """Called when a generation is finished, after a due checkpoint."""

    def on_choice(self, choice: Choice) -> None:
        """Called when one of several lineages is selected."""

    def on_trial(self, trial: Trial) -> None:
        """Called when the recommended player has been tested."""


def train(
    folder: RunFolder,
    config: Config,
    state: State,
    *,
    workers: Workers,
    listener: RunCallback | None = None,
    backend: Backend = agents.play,
) -> State:
    """Train the remaining generations of a run, with tests in between.

    Args:
        folder: Folder of the run, without other writing processes.
        config: Configuration of the run.
        state: Current state, changed in place.
        workers: Workers, whose number does not affect the result.
        listener: Callback for the progress.
        backend: Function that plays games; it does not affect the results.

    Returns:
        The state after the last generation.

    Raises:
        FolderInUseError: Another process trains in this folder.
        ValueError: The folder has later generations than the state.
    """
    listener = listener or RunCallback()
    with locked(folder.path):
        folder.check_newest(state.generation)
        listener.on_start(config, state)
        checkpoints = _Checkpoints(folder, config, state)
        lines: list[_Lines] = []  # of a generation that the listener has not got yet
        try:
            while True:
                at = state.generation, state.hands, state.tested
                if config.selection_is_due(*at):
                    _choose(folder, config, state, workers, listener)
                    checkpoints.saved = None
                if config.test_is_due(*at):
                    _test(folder, config, state, workers, listener)
                    checkpoints.saved = None
                checkpoints.save_if_due()
                if not config.goes_on(state.generation, state.hands):
                    return state
                _train_generation(folder, config, state, workers, listener, backend, lines)
                checkpoints.save_if_due()
                listener.on_generation(*lines.pop())
        except (KeyboardInterrupt, WorkersError):
            with interrupts_wait():
                checkpoints.save()
            if lines:
                listener.on_generation(*lines.pop())
            raise


def finish_run(
    path: Path,
    config: Config,
    *,
    workers: Workers,
    listener: RunCallback,
    say: Callable[[str], None],
) -> RunFolder:
    """Trains the rest of a run.

    Args:
        path: Folder of the run, new or from an earlier call.
        config: Configuration of the run.
        workers: Workers for the games; their number does not change the result.
        listener: Callback for the progress.
        say: Called with messages about the start or continuation, and about damaged checkpoints.

    Raises:
        FolderInUseError: Another process or thread trains in this folder, which stays as it is.
        ValueError: The folder holds another run.
    """
    path.mkdir(parents=True, exist_ok=True)
    with locked(path):
        folder = RunFolder.at(path, config)
        state = folder.restore(config, say=say)
        at = state.generation, state.hands
        if config.goes_on(*at) or config.test_is_due(*at, state.tested):
            length = (
                f"{config.hands:,} hands" if config.hands else f"{config.generations} generations"
            )
            say(f"{path.name}: {length}")
            train(folder, config, state, workers=workers, listener=listener)
    return folder


class _Checkpoints:
    """Saves a run from time to time."""

    def __init__(self, folder: RunFolder, config: Config, state: State) -> None:
        self._folder, self._config, self._state = folder, config, state
        self._next_s = 0.0
        self.saved: int | None = folder.newest_saved()

    def save_if_due(self) -> None:
        """Saves at the end, and when the last checkpoint is old enough."""
        state, is_due = self._state, time.monotonic() >= self._next_s
        if is_due or not self._config.goes_on(state.generation, state.hands):
            self.save()

    def save(self) -> None:
        """Saves if the state has changed."""
        if self.saved == self._state.generation:
            return
        start_s = time.monotonic()
        self._folder.save(self._config, self._state)
        end_s = time.monotonic()
        self.saved = self._state.generation
        self._next_s = end_s + CHECKPOINT_PAUSE * (end_s - start_s)


def _choose(
    folder: RunFolder, config: Config, state: State, workers: Workers, listener: RunCallback
) -> None:
    """Selects the lineage of the deployable player."""
    choice = choose_lineage(state, config, workers=workers)
    if choice is None:
        return
    with interrupts_wait():
        state.best = choice.lineage
        folder.save_choice(choice)
    listener.on_choice(choice)


def _test(
    folder: RunFolder, config: Config, state: State, workers: Workers, listener: RunCallback
) -> None:
    """Tests the deployable player, if there is one yet."""
    if not len(state.champion):
        return
    trial = play_trial(state, config, workers=workers)
    with interrupts_wait():
        folder.append_trial(trial)
        state.tests.append(state.generation)
        if not state.kept or state.kept[-1] != state.generation:
            state.keep_champions()
    listener.on_trial(trial)


def _train_generation(
    folder: RunFolder,
    config: Config,
    state: State,
    workers: Workers,
    listener: RunCallback,
    backend: Backend,
    lines: list[_Lines],
) -> None:
    """Trains one generation, writes its metrics and timings, and adds them to ``lines``."""
    start, cpu = time.perf_counter(), time.process_time()
    played = play_generation(
        state, config, workers=workers, on_progress=listener.on_games, backend=backend
    )
    # Optimizer and files change in place, so an intermediate state could not be saved.
    with interrupts_wait():
        metrics = learn_from(state, config, *played)
        seconds = time.perf_counter() - start
        timings = {
            "generation": state.generation,
            "seconds": round(seconds, 3),
            "hands_per_second": round(metrics["generation_hands"] / seconds),
            "decisions_per_second": round(metrics["decisions"] / seconds),
            "cpu_seconds": round(time.process_time() - cpu, 3),
        }
        folder.append(metrics, timings)
        lines.append((metrics, timings))


def check_backend(config: Config, backend: Backend) -> None:
    """Check that a backend can play the games of a configuration.

    Raises:
        ValueError: The schedule supports only the compiled backend, and this is another.
    """
    if config.schedule.only_compiled and backend is not agents.play:
        raise ValueError(
            f'backend must be "compiled" with schedule "{config.kind("schedule")}", whose '
            "hands the environment cannot play"
        )


def step_generation(
    state: State,
    config: Config,
    *,
    workers: Workers,
    on_progress: Progress | None = None,
    backend: Backend = agents.play,
) -> tuple[State, dict[str, Any]]:
    """Train one generation: ask for candidates, play their games, and learn from the results.

    Args:
        state: State before the generation, changed in place.
        config: Configuration of the run.
        workers: Workers, whose number does not affect the result.
        on_progress: Callback with numbers of finished games.
        backend: Function that plays games.

    Returns:
        The state after the generation, and its line of metrics.
    """
    played = play_generation(
        state, config, workers=workers, on_progress=on_progress, backend=backend
    )
    return state, learn_from(state, config, *played)


def play_generation(
    state: State,
    config: Config,
    *,
    workers: Workers,
    on_progress: Progress | None = None,
    backend: Backend = agents.play,
) -> tuple[Any, GenerationResults]:
    """Candidates of the next generation, as genomes, and the results of their games.

    Raises:
        ValueError: The backend cannot play the games of the schedule.
    """
    check_backend(config, backend)
    number, game = state.generation + 1, config.make_game()

    def contest(children: Any, n_kept: int, group: int, rng: np.random.Generator) -> Any:
        """Selects the children of a brood by games."""
        return select_children(
            children,
            n_kept,
            game=game,
            rounds=getattr(config.optimizer, "brood_tournaments", 1),
            seed=seeds.stream_seed(config.seed, seeds.BROOD, number, group),
            rng=rng,
            workers=workers,
        )

    halls = state.opponents.halls()
    asked = state.optimizer.ask(halls=halls, contest=contest)
    champion = state.champion if state.generation else None
    candidates = config.genomes.prepared(asked, number, workers, champion)
    generation = Generation(
        number=number,
        seed=config.seed,
        game=game,
        candidates=candidates,
        optimizer=state.optimizer,
        opponents=state.opponents.select(candidates, state.optimizer, number),
        halls=tuple(map(len, halls)),
        counts_wins=not config.opponents.ranked,
        fitness=config.fitness,
        workers=workers,
        backend=backend,
        on_progress=on_progress,
        is_last=not config.goes_on(number, state.hands),
    )
    return candidates, config.schedule.evaluate(generation)


def learn_from(
    state: State, config: Config, candidates: Any, evaluation: GenerationResults
) -> dict[str, Any]:
    """Update optimizer and opponents with the results of a generation.

    Args:
        state: State before the generation, changed in place.
        config: Configuration of the run.
        candidates: Candidates that played, as genomes.
        evaluation: Results of the generation.

    Returns:
        The metrics: values of the schedule, the optimizer and the opponents, ``generation``,
        ``hands`` (all so far), ``generation_hands``, ``decisions``, and ``hall_entered``, the
        number of new members of the hall of fame.
    """
    lines = state.optimizer.tell(evaluation.candidate_scores)
    state.generation += 1
    state.hands += evaluation.hands
    if evaluation.best is not None:
        state.best = evaluation.best
    results = OpponentResults(
        candidates, evaluation.candidate_scores, evaluation.wins, evaluation.games
    )
    state.opponents.learn(results, state.optimizer, state.generation)
    if config.keeps_every_champion:
        state.keep_champions()
    entered = state.opponents.entered(state.generation)
    line = {
        "generation": state.generation,
        "hands": state.hands,
        "generation_hands": evaluation.hands,
        "decisions": evaluation.decisions,
        **evaluation.line,
        **state.opponents.describe(),
    }
    if entered:
        line["hall_entered"] = sum(entered)
    if len(lines) == 1:
        line |= lines[0]
    else:
        line[state.optimizer.groups_are] = [
            part | extras | ({"hall_entered": entered[i]} if entered else {})
            for i, (part, extras) in enumerate(zip(evaluation.groups, lines, strict=True))
        ]
    state.metrics = line
    return line
