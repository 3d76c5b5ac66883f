"""Trials of the deployable player of a run, which give the learning curve.

A trial is not part of training: it has its own opponents and cards, the same in every trial and for
every optimizer with the same seed, and its hands do not count.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import agents
from agents.match.style import Style
from agents.match.workers.base import Workers
from evolve import seeds
from evolve.opponents.opponent_sampling import OpponentMix, Opponents
from evolve.opponents.pool import OpponentPool
from evolve.training.block_schedule import blocks_of_all, score_per_block
from evolve.training.config import Config
from evolve.training.state import State


@dataclass(frozen=True)
class Trial:
    """Result of the deployable player after a generation.

    Attributes:
        generation: Number of the generation.
        hands: Training hands so far.
        score: Big blinds won per 100 hands, or the mean place.
        error: Standard error of the score.
        test_hands: Hands of the trial.
        style: Style statistics of ``Style`` by name.
    """

    generation: int
    hands: int
    score: float
    error: float
    test_hands: int
    style: dict[str, float | None]

    def as_dict(self) -> dict[str, Any]:
        """The line of ``tests.jsonl``."""
        return asdict(self)


def play_trial(state: State, config: Config, *, workers: Workers) -> Trial:
    """Tests the deployable player of a state."""
    player, game = state.champion, config.make_game()
    pool = OpponentPool.empty(player, named=config.tested_against)
    mix = OpponentMix(pool=0.0, population=0.0, named=1.0, priority="uniform")
    opponents = Opponents.gather(pool, player[:0], mix)
    rng = seeds.generator(config.seed, seeds.SEARCH_TEST)
    met = opponents.lineups(config.test.test_blocks, game.table_size - 1, rng)
    batch, schedule = blocks_of_all(player.pack(), opponents.batch, met)
    seed = seeds.stream_seed(config.seed, seeds.SEARCH_TEST, 1)
    variance_reduction = config.test.test_variance_reduction
    tally = agents.play(
        batch,
        schedule,
        game,
        seed=seed,
        variance_reduction=variance_reduction,
        workers=workers,
    )
    per_block = score_per_block(game)
    return Trial(
        state.generation,
        state.hands,
        score=float(tally.scores[0]) * per_block,
        error=float(tally.errors[0]) * per_block,
        test_hands=tally.hands,
        style=Style.of(tally.style_counts[0]).as_dict(),
    )
