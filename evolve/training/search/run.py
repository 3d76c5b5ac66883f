"""The loop of a search."""

from __future__ import annotations

import time
from typing import Any, Protocol

from evolve import seeds
from evolve.files.interrupts import interrupts_wait
from evolve.opponents.probes import Probes
from evolve.training.search.config import SearchConfig
from evolve.training.search.folder import SearchFolder
from evolve.training.search.generation import learn_from, play_generation
from evolve.training.search.state import SearchState
from evolve.training.search.trial import Trial, play_trial
from evolve.workers import Workers, WorkersError

CHECKPOINT_S = 5.0
"""Seconds between checkpoints, the most that is lost when a search is killed. One that is
interrupted loses nothing but the generation it was in."""


class SearchListener(Protocol):
    """Who wants to know how a search goes on; see also ``Quiet``."""

    def on_start(self, config: SearchConfig, state: SearchState) -> None:
        """The search starts, or goes on, after the generation of ``state``."""

    def on_games(self, count: int) -> None:
        """Some games of the present generation are finished."""

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """A generation is finished."""

    def on_trial(self, trial: Trial) -> None:
        """The deployable player has been tested."""


class Quiet:
    """A listener that does nothing."""

    def on_start(self, config: SearchConfig, state: SearchState) -> None:
        """Does nothing."""

    def on_games(self, count: int) -> None:
        """Does nothing."""

    def on_generation(self, metrics: dict[str, Any], timings: dict[str, Any]) -> None:
        """Does nothing."""

    def on_trial(self, trial: Trial) -> None:
        """Does nothing."""


def search(
    folder: SearchFolder,
    config: SearchConfig,
    state: SearchState,
    *,
    workers: Workers,
    listener: SearchListener | None = None,
) -> SearchState:
    """Runs the generations that are left, with trials in between.

    Args:
        folder: Where the search is stored.
        config: Its configuration.
        state: Where it stands.
        workers: Who plays; their number does not change the result.
        listener: Told about the progress.

    Returns:
        The state after the last generation.
    """
    probes = None
    if config.pool_share:
        rng = seeds.generator(config.seed, seeds.SEARCH_PROBES)
        probes = Probes.draw(config.inputs, rng, players=config.seats)
    listener = listener or Quiet()
    listener.on_start(config, state)
    saved, saved_s = state, time.monotonic()
    try:
        while True:
            if config.trial_is_due(state.generation, state.hands, state.tested):
                tested, trial = play_trial(state, config, workers=workers)
                with interrupts_wait():
                    folder.append_trial(trial)
                    state = tested
                listener.on_trial(trial)
            last = not config.goes_on(state.generation, state.hands)
            due = last or not state.generation or time.monotonic() - saved_s > CHECKPOINT_S
            if due and state is not saved:
                folder.save(config, state)
                saved, saved_s = state, time.monotonic()
            if last:
                return state
            start, cpu, hands = time.perf_counter(), time.process_time(), state.hands
            played = play_generation(
                state, config, probes=probes, workers=workers, on_progress=listener.on_games
            )
            # Optimizer and files change in place: a state in between could not be saved.
            with interrupts_wait():
                state, metrics = learn_from(state, config, played)
                seconds = time.perf_counter() - start
                timings = {
                    "generation": state.generation,
                    "seconds": round(seconds, 3),
                    "hands_per_second": round((state.hands - hands) / seconds),
                    "cpu_seconds": round(time.process_time() - cpu, 3),
                }
                folder.append(metrics, timings)
            listener.on_generation(metrics, timings)
    except (KeyboardInterrupt, WorkersError):
        if state is not saved:
            with interrupts_wait():
                folder.save(config, state)
        raise
