"""Trials of the player that a search would deploy: its learning curve.

A trial is no part of training: it has opponents and cards of its own, the same ones every time and
for every optimizer with the same seed, and its hands are not counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agents.play.style import Style
from evolve import seeds
from evolve.genomes.networks import Networks
from evolve.opponents.line_ups import OpponentMix, Opponents
from evolve.opponents.pool import OpponentPool
from evolve.training.search.config import SearchConfig
from evolve.training.search.games import Games
from evolve.training.search.state import SearchState, as_networks
from evolve.workers import Workers


@dataclass(frozen=True)
class Trial:
    """What the player of a generation came to.

    Attributes:
        generation: After which.
        hands: Played in training until then.
        score: In the unit of the configuration.
        error: Its standard error.
        test_hands: Hands of the trial.
        style: How the player plays, measures of ``agents.play.style`` by name.
    """

    generation: int
    hands: int
    score: float
    error: float
    test_hands: int
    style: dict[str, float | None]

    def as_dict(self) -> dict[str, Any]:
        """The line of ``tests.jsonl``."""
        return {
            "generation": self.generation,
            "hands": self.hands,
            "score": self.score,
            "error": self.error,
            "test_hands": self.test_hands,
            "style": self.style,
        }


def play_trial(
    state: SearchState,
    config: SearchConfig,
    *,
    workers: Workers,
    on_progress: Callable[[int], None] | None = None,
) -> tuple[SearchState, Trial]:
    """Tests the deployable player of a state.

    Returns:
        The state with the player among its champions, and the result.
    """
    player = as_networks(state.optimizer.deployable(), config)
    pool = OpponentPool.empty(player, named=config.tested_against)
    mix = OpponentMix(pool=0.0, population=0.0, named=1.0, priority="uniform")
    opponents = Opponents.gather(pool, player[:0], mix)
    rng = seeds.generator(config.seed, seeds.SEARCH_TEST)
    met = opponents.line_ups(config.test_blocks, config.seats - 1, rng)
    games = Games.of_all(
        player.pack(),
        opponents.field,
        met,
        game=config.make_game(),
        seed=seeds.stream_seed(config.seed, seeds.SEARCH_TEST, 1),
    )
    played = games.play(workers, on_progress)
    scores = config.per_block * played.scores
    trial = Trial(
        state.generation,
        state.hands,
        score=float(scores.mean()),
        error=float(scores.std(ddof=1) / np.sqrt(len(scores))),
        test_hands=played.hands,
        style=Style.of(played.style_counts).as_dict(),
    )
    champions = Networks.join(state.champions, player) if len(state.champions) else player
    tested = np.append(state.tested, state.generation)
    return replace(state, champions=champions, tested=tested), trial
