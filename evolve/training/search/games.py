"""The games of a search: candidates at duplicate tables, as a task for workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import agents
from evolve.workers import Workers
from evolve.workers.chunks import run_chunks
from nlhe_env.game.description import Game
from nlhe_env.game.style_counts import N_STYLE_COUNTS
from nlhe_env.machine.array_types import F64, I64


class Played(NamedTuple):
    """What some candidates came to in some blocks."""

    scores: F64
    """``(n,)`` chips won, or the mean place, of a candidate in a block."""
    losses: F64
    """``(n_blocks, n_opponents)`` candidates that did better than the opponent; a tie is half of
    one."""
    style_counts: I64
    """``(n_candidates, N_STYLE_COUNTS)`` what each candidate did."""
    hands: int
    decisions: int


@dataclass(frozen=True, eq=False)
class Games:
    """Blocks that candidates play; a task that can be sent to another process.

    Game ``i`` is the block ``blocks[i]`` of candidate ``candidates[i]``.

    Attributes:
        field: The candidates, then their opponents.
        n_candidates: How many of the field are candidates.
        opponents: ``(n_blocks, seats - 1)`` who is met in each block, as numbers in the field.
        candidates: ``(n,)``.
        blocks: ``(n,)``.
        game: Cash game or tournament.
        seed: Of the cards.
    """

    field: agents.Field
    n_candidates: int
    opponents: I64
    candidates: I64
    blocks: I64
    game: Game
    seed: int

    @classmethod
    def of_all(
        cls,
        candidates: agents.Field,
        opponents: agents.Field,
        met: I64,
        *,
        game: Game,
        seed: int,
    ) -> Games:
        """Every candidate in every block, candidate by candidate.

        Args:
            candidates: The candidates.
            opponents: Their opponents.
            met: ``(n_blocks, seats - 1)`` who is met in each block, as numbers in ``opponents``.
            game: Cash game or tournament.
            seed: Of the cards.
        """
        n, n_blocks = len(candidates), len(met)
        return cls(
            agents.join(candidates, opponents),
            n,
            met + n,
            np.arange(n).repeat(n_blocks),
            np.tile(np.arange(n_blocks), n),
            game,
            seed,
        )

    def __len__(self) -> int:
        return len(self.candidates)

    def __call__(self, first: int, count: int) -> Played:
        """Plays the games ``first`` to ``first + count - 1``."""
        candidates = self.candidates[first : first + count]
        blocks = self.blocks[first : first + count]
        line_ups = np.column_stack([candidates, self.opponents[blocks]])
        results = agents.play_matches(self.field, line_ups, blocks, game=self.game, seed=self.seed)
        scores = results.scores[:, 0]
        ahead = scores[:, np.newaxis] - results.scores[:, 1:]
        if self.game.lower_is_better:
            ahead = -ahead  # the first place is best
        losses = np.zeros(self.opponents.shape)
        np.add.at(losses, blocks, 0.5 * (1.0 + np.sign(ahead)))
        style_counts = np.zeros((self.n_candidates, N_STYLE_COUNTS), np.int64)
        np.add.at(style_counts, candidates, results.style_counts)
        return Played(
            scores, losses, style_counts, int(results.hands.sum()), int(results.decisions.sum())
        )

    def play(self, workers: Workers, on_progress: Callable[[int], None] | None = None) -> Played:
        """Plays all games.

        Args:
            workers: Who plays; their number does not change the result.
            on_progress: Called with the number of games that a chunk has finished.
        """
        parts = run_chunks(self, len(self), workers=workers, on_progress=on_progress)
        return Played(
            np.concatenate([part.scores for part in parts]),
            np.sum([part.losses for part in parts], axis=0),
            np.sum([part.style_counts for part in parts], axis=0),
            sum(part.hands for part in parts),
            sum(part.decisions for part in parts),
        )
