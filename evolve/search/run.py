"""The loop of a search."""

from __future__ import annotations

import time
from typing import Any, Protocol

from evolve import seeds
from evolve.probes import Probes
from evolve.search.config import SearchConfig
from evolve.search.folder import SearchFolder
from evolve.search.generation import next_generation
from evolve.search.state import SearchState
from evolve.search.trial import Trial, play_trial
from evolve.workers import Workers

CHECKPOINT_S = 5.0
"""Seconds between checkpoints, the most that is lost when a search is killed."""


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
    if not len(state.tested):
        state = _tested(folder, config, state, workers, listener)
        folder.save(config, state)
    saved = time.monotonic()
    while config.goes_on(state.generation, state.hands):
        start, cpu = time.perf_counter(), time.process_time()
        hands = state.hands
        state, metrics = next_generation(
            state, config, probes=probes, workers=workers, on_progress=listener.on_games
        )
        seconds = time.perf_counter() - start
        timings = {
            "generation": state.generation,
            "seconds": round(seconds, 3),
            "hands_per_second": round((state.hands - hands) / seconds),
            "cpu_seconds": round(time.process_time() - cpu, 3),
        }
        folder.append(metrics, timings)
        listener.on_generation(metrics, timings)
        last = not config.goes_on(state.generation, state.hands)
        if last or (config.test_every and state.generation % config.test_every == 0):
            state = _tested(folder, config, state, workers, listener)
        if last or time.monotonic() - saved > CHECKPOINT_S:
            folder.save(config, state)
            saved = time.monotonic()
    return state


def _tested(
    folder: SearchFolder,
    config: SearchConfig,
    state: SearchState,
    workers: Workers,
    listener: SearchListener,
) -> SearchState:
    state, trial = play_trial(state, config, workers=workers)
    folder.append_trial(trial)
    listener.on_trial(trial)
    return state
