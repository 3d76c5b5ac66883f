"""Duplicate blocks: all candidates play against the same opponents with the same cards.

In a block a candidate takes every seat once, with the same cards as all other candidates there. So
few hands suffice to rank candidates, and those that selection cannot separate yet may race on.
Metrics, with scores in big blinds won per 100 hands, or mean places in tournaments:

- ``best_score``, ``best_score_error``: best candidate; it has been lucky, and scores worse with
  fresh cards. The errors exclude the variance common to all candidates, which share cards and
  opponents.
- ``mean_score``, ``score_deviation``: over all candidates; ``score_error``: root mean square of
  their errors. Deviations that do not exceed it are noise.
- ``lineages``: ``mean_score`` and ``score_deviation`` of each lineage, if there are several
- ``style_spread``: standard deviation of the candidates' behaviour (``agents.match.style``), root
  mean square over its measures
- ``best_fitness``, ``best_earnings``: with fitness "normalised" or "square_root", the champion's
  fitness, and its score against each opponent in order
- ``raced``, ``racing_hands``: candidates in each further round, and the hands of these rounds
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np

import agents
from agents.match.playing import PlayTask, play_all
from agents.match.style import behaviour_descriptors
from agents.match.tally import Tally
from agents.match.workers.base import Workers
from evolve import seeds
from evolve.genomes.base import Genomes
from evolve.opponents.opponent_sampling import Opponents
from evolve.optimizers.base import CandidateScores
from evolve.training.fitness import OpponentsFitness, earnings_by_opponent
from evolve.training.schedules import (
    Backend,
    Generation,
    GenerationResults,
    Progress,
    ScheduleSettings,
    best_group,
)
from nlhe_env import Game
from nlhe_env.arguments import one_of, whole_number
from nlhe_env.jit.array_types import F64, I64, Bool


@dataclass(frozen=True, eq=False)
class RaceStanding:
    """Results of candidates so far, to find those that selection cannot separate yet.

    Larger is better. Sources of racing, for selection among candidates with noisy evaluations: O.
    Maron and A. Moore, "Hoeffding Races" (NIPS 6, 1993); V. Heidrich-Meisner and C. Igel,
    "Hoeffding and Bernstein Races for Selecting Policies in Evolutionary Direct Policy Search"
    (ICML 2009). They compare the candidates' own intervals. Here candidates have the same cards, so
    paired differences are compared, which vary less.

    Attributes:
        scores: ``(n_candidates, n_blocks)`` scores; nan where a candidate has not played the block.
        means: ``(n_candidates,)`` mean score. Blocks that only some have played are adjusted to the
            difficulty of the earlier blocks, so that none gains by its cards.
        racers: ``(n,)`` indices of the candidates that have played all blocks.
        groups: Candidates of each lineage or sub-population. Each has its own selection threshold,
            and a lineage may have its own opponents.
    """

    scores: F64
    means: F64
    racers: I64
    groups: tuple[slice, ...]

    @classmethod
    def of(cls, scores: F64, groups: Sequence[slice] = ()) -> RaceStanding:
        """The standing after blocks of all candidates.

        Args:
            scores: ``(n_candidates, n_blocks)``.
            groups: See ``RaceStanding``; by default all candidates are one group.
        """
        n = len(scores)
        return cls(scores, scores.mean(axis=1), np.arange(n), tuple(groups) or (slice(0, n),))

    def after_round(self, racers: I64, scores: F64) -> RaceStanding:
        """The standing after another round of some candidates.

        Args:
            racers: ``(n,)`` candidates of the round, all of them among the previous ``racers``.
            scores: ``(n, n_blocks)`` scores of these candidates.
        """
        all_scores = np.full((len(self.means), scores.shape[1]), np.nan)
        all_scores[racers] = scores
        before, now = self.means[racers], scores.mean(axis=1)
        adjusted = now.copy()
        for rows in self.groups:
            own = (rows.start <= racers) & (racers < rows.stop)
            if own.any():
                adjusted[own] = now[own] - now[own].mean() + before[own].mean()
        share = scores.shape[1] / (self.scores.shape[1] + scores.shape[1])
        means = self.means.copy()
        means[racers] = (1.0 - share) * before + share * adjusted
        scores = np.concatenate([self.scores, all_scores], axis=1)
        return RaceStanding(scores, means, racers, self.groups)

    @property
    def errors(self) -> F64:
        """``(n_candidates,)`` standard errors, without the variance common to the same cards.

        Deviations are from the candidates' own mean, so with few of them the errors are too small:
        by ``sqrt(1 - 1 / n)`` for ``n`` independent candidates.
        """
        residuals = self.scores - np.nanmean(self.scores, axis=0)
        counts = np.isfinite(residuals).sum(axis=1)
        errors: F64 = np.nanstd(residuals, axis=1, ddof=1) / np.sqrt(counts)
        return errors

    def undecided(self, n_selected: int, errors: float) -> I64:
        """Candidates that may be on the wrong side of the selection threshold.

        Args:
            n_selected: Number of candidates to select from each group.
            errors: Standard errors of the paired difference to the next candidate on the other
                side within which a candidate is undecided.

        Returns:
            Sorted indices. They include the two candidates at the threshold of each group, but none
            of a group in which all are decided or selected.
        """
        racing = np.zeros(len(self.means), np.bool_)
        racing[self.racers] = True
        found = [
            rows.start
            + _undecided(self.scores[rows], self.means[rows], racing[rows], n_selected, errors)
            for rows in self.groups
        ]
        return np.concatenate(found)


def _undecided(scores: F64, means: F64, racing: Bool, n_selected: int, errors: float) -> I64:
    """Indices within one group of its undecided candidates."""
    if n_selected >= len(means):
        return np.empty(0, np.int64)
    order = np.argsort(-means, kind="stable")
    worst_in, best_out = order[n_selected - 1], order[n_selected]
    across = np.full(len(order), worst_in)
    across[order[:n_selected]] = best_out
    differences = scores - scores[across]
    counts = np.isfinite(differences).sum(axis=1)
    deviations = np.nanstd(differences, axis=1, ddof=1) / np.sqrt(counts)
    close = np.abs(np.nanmean(differences, axis=1)) < errors * deviations
    close &= racing
    if close.any():
        # Candidates that left the race are decided; the others need one for comparison.
        close |= racing & np.isin(np.arange(len(order)), (worst_in, best_out))
    found = np.flatnonzero(close)
    return found if len(found) > 1 else found[:0]


@dataclass(frozen=True, kw_only=True)
class BlockSchedule(ScheduleSettings):
    """Blocks of one candidate against drawn opponents."""

    every_s = 5.0
    needs_opponents = True
    pools_apart = True

    blocks: int = 100
    """Duplicate blocks per candidate and generation. A block has every seat once, with the same
    cards as for all other candidates."""

    common_random_numbers: int = 0
    """Number of initial blocks that have the same opponent in all other seats."""

    racing_rounds: int = 0
    """Extra rounds in which candidates near the selection threshold play as many blocks again."""

    racing_std_errors: ClassVar[float] = 2.0
    """Distance from the selection threshold, in standard errors of the difference, beyond which a
    candidate is not played again."""

    standardised_after: int = 0
    """Generation after which block scores are divided by their standard deviation over the
    candidates, so that opponents who lose little count as much as those who lose much; 0 for
    never."""

    variance_reduction: agents.VarianceReduction = "none"
    """Variance reduction for the results that rank candidates, in games scored in chips: "all-in"
    pays the expectation of pots whose betting is over; "divat" is for heads-up fixed-limit and
    biased, the slower "divat-roe" is unbiased; "aivat" removes the luck of all cards and of the
    players' random choices."""

    def __post_init__(self) -> None:
        one_of("variance_reduction", self.variance_reduction, get_args(agents.VarianceReduction))
        whole_number("blocks", self.blocks, least=2)
        whole_number("common_random_numbers", self.common_random_numbers, least=0, most=self.blocks)
        whole_number("racing_rounds", self.racing_rounds, least=0)
        whole_number("standardised_after", self.standardised_after, least=0)
        if self.standardised_after and self.racing_rounds:
            raise ValueError(
                "standardised_after must be 0 when candidates race (racing_rounds "
                f"{self.racing_rounds}); got {self.standardised_after}"
            )

    def check_partners(self, config: Any) -> None:
        """Check that races have a boundary."""
        super().check_partners(config)
        if self.racing_rounds and not config.optimizer.racing:
            raise ValueError(
                f"racing_rounds must be 0 with optimizer {config.kind('optimizer')!r}: it has no "
                "selection boundary to separate candidates by"
            )

    @property
    def by_opponent(self) -> bool:
        """Whether blocks have equal weights and equal numbers."""
        return not self.racing_rounds and not self.standardised_after

    def evaluate(self, generation: Generation) -> GenerationResults:
        """Plays all candidates, then those that selection cannot separate."""
        if generation.opponents is None:
            raise ValueError("blocks need opponents")
        opponents, game, n = generation.opponents, generation.game, len(generation.candidates)
        groups, n_opponents = generation.optimizer.groups, game.table_size - 1
        rng = seeds.generator(generation.seed, seeds.SEARCH_OPPONENTS, generation.number)
        met = self._lineups(opponents, n_opponents, rng)
        row = np.zeros(n, np.int64)
        for i, rows in enumerate(groups):
            row[rows] = i % len(met)
        first = self._play(generation, np.arange(n), met[row], 0)
        scores = block_scores(first, n)
        found = _Found.of(first, scores, groups)
        for round_ in range(1, self.racing_rounds + 1):
            racers = found.standing.undecided(
                generation.optimizer.n_selected, self.racing_std_errors
            )
            if not len(racers):
                break
            again = self._lineups(opponents, n_opponents, rng)
            found.add(racers, self._play(generation, racers, again[row[racers]], round_))
        means, behaviour = found.standing.means, behaviour_descriptors(found.style_counts)
        line = _line_of(found.standing, behaviour, game)
        if self.racing_rounds:
            line |= {"raced": found.raced, "racing_hands": found.hands - first.hands}
        is_standardised = 0 < self.standardised_after < generation.number

        def together() -> F64:
            """Scores for comparing candidates of different sub-populations."""
            if is_standardised:
                standardised: F64 = standard_scores(scores).mean(axis=1)
                return standardised
            if isinstance(generation.fitness, OpponentsFitness):
                return fitness_by_opponent(generation.fitness, scores, met[0, :, 0], game)[0]
            return found.standing.means

        if isinstance(generation.fitness, OpponentsFitness):
            parts = [
                fitness_by_opponent(generation.fitness, scores[rows], met[0, :, 0], game)
                for rows in groups
            ]
            means, earnings = (np.concatenate(part) for part in zip(*parts, strict=True))
            best = int(np.argmax(means))
            line |= {"best_fitness": float(means[best]), "best_earnings": earnings[best].tolist()}
        if is_standardised:
            means = np.concatenate([standard_scores(scores[rows]).mean(axis=1) for rows in groups])
        wins, games = opponents.results(
            met.reshape(-1, n_opponents), _losses(first, row, len(met)).reshape(-1, n_opponents)
        )
        return GenerationResults(
            CandidateScores(means, behaviour),
            wins,
            games,
            hands=found.hands,
            decisions=found.decisions,
            line=line,
            groups=tuple(over_all(found.standing.means[rows], game) for rows in groups),
            best=best_group(CandidateScores(means, behaviour), generation.optimizer, together),
        )

    def _lineups(self, opponents: Opponents, seats: int, rng: np.random.Generator) -> I64:
        """``(k, blocks, seats)`` opponents in every block, for each row of probabilities."""
        met = np.stack([one.lineups(self.blocks, seats, rng) for one in opponents.apart])
        met[:, : self.common_random_numbers] = met[:, : self.common_random_numbers, :1]
        return met

    def _play(self, generation: Generation, players: I64, met: I64, round_: int) -> Tally:
        if generation.opponents is None:
            raise RuntimeError("blocks need opponents")
        return play_blocks(
            generation.candidates[players],
            generation.opponents,
            met,
            generation.game,
            seed=generation.seed,
            generation=generation.number,
            round_=round_,
            backend=generation.backend,
            variance_reduction=self.variance_reduction,
            workers=generation.workers,
            on_progress=generation.on_progress,
        )

    def describe(self, line: dict[str, Any], game: Game) -> str:
        """Summary of the candidates' scores."""
        digits = 1 if game.is_cash else 3
        return (
            f"candidates {line['mean_score']:z.{digits}f}"
            f" (spread {line['score_deviation']:.{digits}f},"
            f" error {line['score_error']:.{digits}f}) {score_unit(game)}"
        )


@dataclass
class _Found:
    """Results of the candidates in all rounds so far."""

    standing: RaceStanding
    style_counts: I64
    """``(n_candidates, n_counts)``"""
    hands: int
    decisions: int
    raced: list[int]
    """Candidates of every round after the first."""

    @classmethod
    def of(cls, tally: Tally, scores: F64, groups: Sequence[slice]) -> _Found:
        """Results after the first round, in which all play."""
        counts = tally.style_counts[: len(scores)].copy()
        return cls(RaceStanding.of(scores, groups), counts, tally.hands, tally.decisions, [])

    def add(self, racers: I64, tally: Tally) -> None:
        """Adds the results of another round of some candidates."""
        self.standing = self.standing.after_round(racers, block_scores(tally, len(racers)))
        self.style_counts[racers] += tally.style_counts[: len(racers)]
        self.hands += tally.hands
        self.decisions += tally.decisions
        self.raced.append(len(racers))


def _line_of(standing: RaceStanding, behaviour: F64, game: Game) -> dict[str, Any]:
    """Metrics of every generation."""
    means, errors, per_block = standing.means, standing.errors, score_per_block(game)
    best = int(np.argmax(means))
    return {
        "best_score": game.sign * float(means[best]) * per_block,
        "best_score_error": float(errors[best]) * per_block,
        **over_all(means, game),
        "score_error": float(np.sqrt(np.mean(np.square(errors)))) * per_block,
        "style_spread": float(np.sqrt(np.var(behaviour, axis=0).mean())),
    }


def fitness_by_opponent(
    fitness: OpponentsFitness, scores: F64, met: I64, game: Game
) -> tuple[F64, F64]:
    """Fitness and scores of players against several opponents, one per block.

    Args:
        fitness: Fitness function that weights winnings by opponent.
        scores: ``(n, n_blocks)`` winnings of each player.
        met: ``(n_blocks,)`` number of the opponent of each block.
        game: Game that is played.

    Returns:
        ``(n,)`` fitness, and ``(n, n_opponents)`` scores against each opponent, by number.
    """
    counts = np.unique(met, return_counts=True)[1]
    earned = earnings_by_opponent(scores, met)
    means = fitness.of_earnings(
        earned, counts * (game.num_hands or 1) * game.table_size, _big_blind(game)
    )
    return means, earned / counts * score_per_block(game)


def play_blocks(
    candidates: Genomes,
    opponents: Opponents,
    met: I64,
    game: Game,
    *,
    seed: int,
    generation: int,
    round_: int = 0,
    backend: Backend = agents.play,
    variance_reduction: agents.VarianceReduction = "none",
    workers: Workers,
    on_progress: Progress | None = None,
) -> Tally:
    """Play the same blocks with all candidates of a generation, and keep every block's result.

    Args:
        candidates: The candidates.
        opponents: Their opponents.
        met: See ``blocks_of_all``.
        game: Game that is played.
        seed: Seed of the run, which determines the cards with generation and round.
        generation: Number of the generation.
        round_: Round of the race; 0 is the round of all candidates.
        backend: Function that plays the games.
        variance_reduction: Method of variance reduction, see ``agents.play``.
        workers: Workers for the games.
        on_progress: Callback with numbers of finished games.
    """
    batch, schedule = blocks_of_all(candidates.pack(), opponents.batch, met)
    cards = seeds.stream_seed(seed, seeds.SEARCH_GAMES, generation, round_)
    play = PlayTask(batch, schedule, game, cards, backend, variance_reduction)
    return play_all(workers, [play], rows=True, on_progress=on_progress)[0]


def blocks_of_all(
    candidates: agents.PlayerBatch, opponents: agents.PlayerBatch, met: I64
) -> tuple[agents.PlayerBatch, agents.LineupBlocks]:
    """Every candidate in every block, candidate by candidate.

    Args:
        candidates: The candidates.
        opponents: Their opponents.
        met: ``(n_blocks, seats - 1)`` opponents in each block, as indices in ``opponents``; or
            ``(n_candidates, n_blocks, seats - 1)`` for each candidate.

    Returns:
        Candidates and opponents as one batch, and ``n_candidates * n_blocks`` lineups.
    """
    n, (n_blocks, n_opponents) = len(candidates), met.shape[-2:]
    each = np.broadcast_to(met, (n, n_blocks, n_opponents)).reshape(-1, n_opponents)
    lineups = np.column_stack([np.arange(n).repeat(n_blocks), each + n])
    blocks = np.tile(np.arange(n_blocks), n)
    return agents.concat(candidates, opponents), agents.LineupBlocks(lineups, blocks)


def over_all(means: F64, game: Game) -> dict[str, float]:
    """Mean and standard deviation of the candidates' scores, for metrics."""
    per_block = score_per_block(game)
    return {
        "mean_score": game.sign * float(means.mean()) * per_block,
        "score_deviation": float(means.std()) * per_block,
    }


def score_per_block(game: Game) -> float:
    """Factor that converts the result of a duplicate block, in the game's unit, to a score."""
    if not game.is_cash:
        return 1.0 if game.score == "place" else 1.0 / game.table_size
    return 100.0 / (_big_blind(game) * (game.num_hands or 1) * game.table_size)


def score_unit(game: Game) -> str:
    """Unit of scores: big blinds won per 100 hands, or the unit of a tournament's result."""
    return "bb/100" if game.is_cash else game.unit


def _big_blind(game: Game) -> int:
    """The big blind in the game's unit of scores."""
    return 1 if game.score == "big_blinds" else game.big_blind


def block_scores(tally: Tally, n: int) -> F64:
    """``(n, n_blocks)`` scores; larger is better."""
    scores = tally.row_scores[:, 0].reshape(n, -1)
    return -scores if tally.lower_is_better else scores


def standard_scores(scores: F64) -> F64:
    """``(n, n_blocks)`` scores standardised within each block.

    >>> standard_scores(np.array([[500.0, 1.0], [100.0, 3.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    centred = scores - scores.mean(axis=0)
    deviations = centred.std(axis=0)
    standard: F64 = centred / np.where(deviations > 0.0, deviations, 1.0)
    return standard


def _losses(tally: Tally, row: I64, n_rows: int) -> F64:
    """``(n_rows, n_blocks, seats - 1)`` share of the row's candidates that beat the opponent.

    A tie counts half.
    """
    scores = tally.row_scores
    ahead = scores[:, :1] - scores[:, 1:]
    if tally.lower_is_better:
        ahead = -ahead  # the first place is best
    better = (0.5 * (1.0 + np.sign(ahead))).reshape(len(row), -1, ahead.shape[1])
    return np.stack([better[row == i].sum(axis=0) / (row == i).sum() for i in range(n_rows)])
