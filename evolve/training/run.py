"""The training loop, and one generation of it."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import agents
from evolve import seeds
from evolve.files.lock import locked
from evolve.opponents.policies import Results
from evolve.training.brood_selection import select_children
from evolve.training.candidate_test import Trial, play_trial
from evolve.training.champion_selection import Choice, choose_lineage
from evolve.training.config import Config
from evolve.training.folder import RunFolder
from evolve.training.schedules import Backend, Evaluation, Generation, Progress
from evolve.training.state import State
from evolve.workers import Workers, WorkersError
from nlhe_env.jit.interrupts import interrupts_wait

CHECKPOINT_PAUSE = 20.0
"""A run goes on this many times as long as the last checkpoint took before it writes the next: the
most that is lost when it is killed, beside the generation it was in. An interrupted run loses only
that generation.
"""


class RunCallback:
    """Methods that a run calls as it goes on; these do nothing."""

    def on_start(self, config: Config, state: State) -> None:
        """The run starts, or goes on, after the generation of ``state``."""

    def on_games(self, count: int) -> None:
        """Some games of the present generation are finished."""

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """A generation is finished, and saved if a checkpoint was due."""

    def on_choice(self, choice: Choice) -> None:
        """One of several lineages has been chosen."""

    def on_trial(self, trial: Trial) -> None:
        """The deployable player has been tested."""


def train(
    folder: RunFolder,
    config: Config,
    state: State,
    *,
    workers: Workers,
    listener: RunCallback | None = None,
    backend: Backend = agents.play,
) -> State:
    """Runs the generations that are left, with trials in between.

    Args:
        folder: Where the run is stored; no other process may write to it meanwhile.
        config: Its configuration.
        state: Where it stands; it changes in place.
        workers: Workers that play; their number does not change the result.
        listener: Run callback that is called with the progress.
        backend: Plays some games; another way to the same results changes only the time.

    Returns:
        The state after the last generation.

    Raises:
        FolderInUseError: Another process trains in this folder.
    """
    listener = listener or RunCallback()
    with locked(folder.path):
        listener.on_start(config, state)
        checkpoints = _Checkpoints(folder, config, state)
        try:
            while True:
                if config.selection_is_due(state.generation, state.hands, state.tested):
                    _choose(folder, config, state, workers, listener)
                    checkpoints.saved = None
                if config.test_is_due(state.generation, state.hands, state.tested):
                    _test(folder, config, state, workers, listener)
                    checkpoints.saved = None
                checkpoints.save_if_due()
                if not config.goes_on(state.generation, state.hands):
                    return state
                lines = _train_generation(folder, config, state, workers, listener, backend)
                checkpoints.save_if_due()
                listener.on_generation(*lines)
        except (KeyboardInterrupt, WorkersError):
            with interrupts_wait():
                checkpoints.save()
            raise


class _Checkpoints:
    """When a run is saved."""

    def __init__(self, folder: RunFolder, config: Config, state: State) -> None:
        self._folder, self._config, self._state = folder, config, state
        self._next_s = 0.0
        self.saved: int | None = folder.newest_saved()

    def save_if_due(self) -> None:
        """Saves at the end, and when the last time is long enough ago."""
        last = not self._config.goes_on(self._state.generation, self._state.hands)
        if last or time.monotonic() >= self._next_s:
            self.save()

    def save(self) -> None:
        """Saves what is not saved yet."""
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
    """Chooses the lineage whose player would be deployed now."""
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
    """Tests the player that would be deployed now, if there is one yet."""
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
) -> tuple[dict[str, Any], dict[str, Any]]:
    """One generation, with its lines of metrics and timings in the folder."""
    start, cpu = time.perf_counter(), time.process_time()
    played = play_generation(
        state, config, workers=workers, on_progress=listener.on_games, backend=backend
    )
    # Optimizer and files change in place: a state in between could not be saved.
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
    return metrics, timings


def step_generation(
    state: State,
    config: Config,
    *,
    workers: Workers,
    on_progress: Progress | None = None,
    backend: Backend = agents.play,
) -> tuple[State, dict[str, Any]]:
    """Asks for candidates, lets them play, and learns from it.

    Args:
        state: Before the generation; it changes in place.
        config: Configuration of the run.
        workers: Workers that play; their number does not change the result.
        on_progress: Called with numbers of finished games.
        backend: Plays some games.

    Returns:
        The state after it, and its line of metrics.
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
) -> tuple[Any, Evaluation]:
    """The candidates of the next generation, as genomes, and the results of their games."""
    number, game = state.generation + 1, config.make_game()

    def contest(children: Any, n_kept: int, group: int, rng: np.random.Generator) -> Any:
        """Lets children of a brood compete for their places."""
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
        opponents=state.opponents.meet(candidates, state.optimizer, number),
        halls=tuple(map(len, halls)),
        counts_wins=not config.opponents.ranked,
        fitness=config.fitness,
        workers=workers,
        backend=backend,
        on_progress=on_progress,
    )
    return candidates, config.schedule.evaluate(generation)


def learn_from(
    state: State, config: Config, candidates: Any, evaluation: Evaluation
) -> dict[str, Any]:
    """Lets optimizer and opponents learn from a generation.

    Args:
        state: Before the generation; it changes in place.
        config: Configuration of the run.
        candidates: Candidates that played, as genomes.
        evaluation: Its results.

    Returns:
        The line of metrics. Beside the values of the schedule it has ``generation``, ``hands`` (all
        so far), ``generation_hands``, ``decisions``, those of the optimizer and the opponents, and
        ``hall_entered``: how many entered the hall of fame afterwards.
    """
    lines = state.optimizer.tell(evaluation.candidate_scores)
    state.generation += 1
    state.hands += evaluation.hands
    if evaluation.best is not None:
        state.best = evaluation.best
    results = Results(candidates, evaluation.candidate_scores, evaluation.wins, evaluation.games)
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
