"""Objective functions for optimizers of other libraries."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

import agents
from agents.match.style import behaviour_descriptors
from agents.match.workers.base import Workers, thread_workers
from agents.variance_reduction.methods import check_variance_reduction
from evolve import seeds
from evolve.genomes.base import GenomeKind
from evolve.genomes.network_kind import NetworkKind
from evolve.opponents.opponent_sampling import Opponents
from evolve.training.block_schedule import (
    RaceStanding,
    block_scores,
    play_blocks,
    score_per_block,
    score_unit,
)
from nlhe_env import Game
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.game.table import MAX_SEATS, MIN_SEATS
from nlhe_env.jit.array_types import F32, F64

Sense = Literal["minimize", "maximize"]


@dataclass(frozen=True, eq=False)
class EvaluationResult:
    """Results of candidates.

    Attributes:
        values: ``(n,)`` values with the sign of the objective's ``sense``.
        scores: ``(n,)`` big blinds won per 100 hands; in tournaments mean places, or the mean of
            the chips or big blinds won, by the game's ``score``.
        errors: ``(n,)`` standard errors of both, without the variance common to all candidates
            with the same cards; for a single candidate, the error of its mean over the blocks.
        behaviour: ``(n, n_measures)`` how they played, see ``STYLE_STATS``.
        hands: Total hands of all candidates.
    """

    values: F64
    scores: F64
    errors: F64
    behaviour: F64
    hands: int


class Objective:
    """Winnings of candidates as a pure function ``(n, n_parameters) -> (n,)``.

    All candidates of a call play the same opponents with the same cards in the same seats, as in
    training by ``schedule = "blocks"``: in a duplicate block each plays every seat once. The cards
    depend only on ``seed`` and ``generation``, so calls are reproducible. Use
    ``objective.at(generation)`` for other cards; otherwise an optimizer overfits to the cards of
    one generation.

    Args:
        game: The game; its table size is ignored.
        opponents: Names, files or compiled players, with equal shares of the other seats.
        seats: Players per table, including the candidate, 2 to 10; default: the candidate and all
            opponents.
        genomes: A genome kind of number rows, such as networks.
        sense: ``"minimize"`` (smaller values are better) or ``"maximize"``.
        blocks: Duplicate blocks per candidate, at least 2.
        seed: Seed of cards, opponents and the initial parameters, at least 0.
        bound: Half the width of ``bounds``.
        variance_reduction: Variance reduction method, see ``agents.play``.
        workers: Workers, whose number does not affect the result; default: one thread per core.

    Raises:
        ValueError: An argument is out of range, an opponent is not compiled, or genomes of this
            kind are not rows of numbers.

    >>> import nlhe_env
    >>> with Objective(nlhe_env.Game.cash(), ["caller"], blocks=2, seed=1) as objective:
    ...     objective(np.zeros((3, objective.n_parameters))).shape
    (3,)
    """

    def __init__(
        self,
        game: Game,
        opponents: Sequence[str | agents.Player],
        *,
        seats: int | None = None,
        genomes: GenomeKind | None = None,
        sense: Sense = "minimize",
        blocks: int = 100,
        seed: int = 0,
        bound: float = 3.0,
        variance_reduction: agents.VarianceReduction = "none",
        workers: Workers | None = None,
    ) -> None:
        if isinstance(opponents, str) or not opponents:
            raise ValueError(f"opponents must be a list of at least one player; got {opponents!r}")
        seats = len(opponents) + 1 if seats is None else seats
        seats = whole_number("seats", seats, least=MIN_SEATS, most=MAX_SEATS)
        self.game = replace(game, table_size=seats)
        self.genomes = NetworkKind(inputs="features_unit") if genomes is None else genomes
        one_of("sense", sense, get_args(Sense))
        self.sense: Sense = sense
        self.blocks = whole_number("blocks", blocks, least=2)
        self.seed = whole_number("seed", seed, least=0)
        self.generation = 0
        """Generation whose cards are played; see ``at``."""
        if not 0.0 < bound < np.inf:
            raise ValueError(f"bound must be finite and above 0; got {bound!r}")
        self.bound = float(bound)
        check_variance_reduction(variance_reduction, game, seats)
        self.variance_reduction: agents.VarianceReduction = variance_reduction
        self._opponents = Opponents.all_players(
            agents.pack_players([agents.as_player(player) for player in opponents])
        )
        self._start = self.genomes.first_numbers(self.seed)
        self._is_ours = workers is None
        self._workers = thread_workers() if workers is None else workers

    @property
    def n_parameters(self) -> int:
        """Number of parameters of a candidate."""
        return len(self._start)

    @property
    def start(self) -> F64:
        """``(n_parameters,)`` initial parameters of a search."""
        return self._start.astype(np.float64)

    def bounds(self) -> tuple[F64, F64]:
        """Lower and upper bounds around the start, ``(n_parameters,)`` each.

        They are for optimizers that need a box; values outside are allowed.
        """
        return self.start - self.bound, self.start + self.bound

    @property
    def unit(self) -> str:
        """Unit of scores: ``"bb/100"``, or the ``Game.unit`` of a tournament."""
        return score_unit(self.game)

    def at(self, generation: int) -> Objective:
        """The objective with the cards and opponents of another generation, at least 0."""
        other = copy.copy(self)
        other.generation = whole_number("generation", generation, least=0)
        other._is_ours = False  # the owner of the workers closes them
        return other

    def __call__(self, candidates: npt.ArrayLike) -> F64:
        """``(n,)`` values of ``(n, n_parameters)`` candidates, with the sign of ``sense``.

        Raises:
            ValueError: The candidates have the wrong shape or are not finite.
        """
        return self.measure(candidates).values

    def measure(self, candidates: npt.ArrayLike) -> EvaluationResult:
        """Values with their standard errors, and the candidates' behaviour.

        Raises:
            ValueError: The candidates have the wrong shape or are not finite.
        """
        rows = self._rows(candidates)
        rng = seeds.generator(self.seed, seeds.SEARCH_OPPONENTS, self.generation)
        met = self._opponents.lineups(self.blocks, self.game.table_size - 1, rng)
        tally = play_blocks(
            self.genomes.of_numbers(rows),
            self._opponents,
            met,
            self.game,
            seed=self.seed,
            generation=self.generation,
            variance_reduction=self.variance_reduction,
            workers=self._workers,
        )
        scores = block_scores(tally, len(rows)) * score_per_block(self.game)
        standing = RaceStanding.of(scores)
        merits = standing.means  # larger is better
        n = len(rows)
        if n > 1:  # deviations from their own mean lack 1 / n of each one's variance
            errors = standing.errors * np.sqrt(n / (n - 1))
        else:
            errors = scores.std(axis=1, ddof=1) / np.sqrt(self.blocks)
        return EvaluationResult(
            values=merits if self.sense == "maximize" else -merits,
            scores=self.game.sign * merits,
            errors=errors,
            behaviour=behaviour_descriptors(tally.style_counts[: len(rows)]),
            hands=tally.hands,
        )

    def player(self, candidate: npt.ArrayLike, *, name: str = "found") -> agents.CompiledPlayer:
        """A candidate as a player, for games and ``agents.save_player``."""
        rows = self._rows(np.asarray(candidate)[np.newaxis])
        made: agents.CompiledPlayer = self.genomes.of_numbers(rows).player(0, name=name)
        return made

    def _rows(self, candidates: npt.ArrayLike) -> F32:
        given = np.asarray(candidates, np.float32)
        if given.ndim != 2 or given.shape[1] != self.n_parameters or not len(given):
            raise ValueError(
                f"candidates must be (n, {self.n_parameters}) numbers, a row each; "
                f"got shape {given.shape}"
            )
        if not np.isfinite(given).all():
            raise ValueError("candidates must be finite numbers")
        return np.ascontiguousarray(given)

    def close(self) -> None:
        """Stop the default threads."""
        if self._is_ours:
            self._workers.close()

    def __enter__(self) -> Objective:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return (
            f"<evolve.Objective: {self.sense} over {self.n_parameters} numbers, {self.blocks} "
            f"blocks, generation {self.generation}>"
        )
