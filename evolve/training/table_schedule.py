"""Tables of candidates: all players of a table are evaluated, each with the same cards.

Blocks against opponents give one result per table. Here the candidates of a generation play each
other, so every seat of every game gives a result: with ten seats, ten per hand. In a round each
candidate sits at one newly drawn table, and all tables of a round play the same block: the same
cards, once for every rotation of the seats.

Among candidates alone no extreme style is stable: the first that raises exploits those that fold
everything, and the first that waits for a hand exploits those that raise everything. So play
becomes dependent on cards, whereas against older, looser opponents folding alone would pay. Seats
for such opponents are an option in all rounds or in some: then a learner has to distinguish the two
kinds of table.

Metrics, with scores in big blinds won per 100 hands, or mean places in tournaments:

- ``best_score``, ``best_score_error``: best candidate; it has been lucky, and scores worse with
  fresh cards
- ``mean_score``, ``score_deviation``: over all candidates; ``score_error``: root mean square of
  their standard errors over rounds. Deviations that do not exceed it are noise.
- ``hands_a_game``: mean number of hands per game, larger for tighter play
- ``style_spread``: as in ``evolve.training.block_schedule``
- ``mean_style``: style statistics of ``Style`` by name, over all candidates
- ``lineages``: ``mean_score`` and ``score_deviation`` of each lineage, if there are several
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import agents
from agents.match.playing import PlayTask, play_all
from agents.match.style import Style, behaviour_descriptors
from agents.match.tally import Tally
from evolve import seeds
from evolve.optimizers.base import CandidateScores
from evolve.training.block_schedule import over_all, score_per_block, score_unit
from evolve.training.schedules import (
    Generation,
    GenerationResults,
    ScheduleSettings,
    best_group,
    finite,
)
from nlhe_env import Game
from nlhe_env.arguments import whole_number
from nlhe_env.jit.array_types import F64, I64


@dataclass(frozen=True, kw_only=True)
class TableSchedule(ScheduleSettings):
    """Duplicate tables of several candidates each."""

    rounds: int = 10
    """Tables per candidate and generation. A table has every seat once, with the same cards as at
    all other tables."""

    seats_for_opponents: int = 0
    """Seats per table for opponents that are not candidates. With 0, candidates play only each
    other."""

    rounds_alone: int = 0
    """Number of initial rounds without seats for opponents."""

    lineages_meet: bool = False
    """Seat candidates of different lineages at the same tables. They are ranked within their own
    lineage in any case."""

    def __post_init__(self) -> None:
        if not isinstance(self.lineages_meet, bool):
            raise ValueError(f"lineages_meet must be true or false; got {self.lineages_meet!r}")
        whole_number("rounds", self.rounds, least=2)
        whole_number("rounds_alone", self.rounds_alone, least=0, most=self.rounds)
        whole_number("seats_for_opponents", self.seats_for_opponents, least=0)

    def check_partners(self, config: Any) -> None:
        """Check that the candidates fill the seats."""
        super().check_partners(config)
        seats, population = config.game.table_size, config.optimizer.population
        if self.seats_for_opponents > seats - 2:
            raise ValueError(
                f"seats_for_opponents must leave two of {seats} seats to candidates; got "
                f"{self.seats_for_opponents}"
            )
        if population < seats:
            raise ValueError(
                f"population must have a candidate for each of {seats} seats; got {population}"
            )

    def evaluate(self, generation: Generation) -> GenerationResults:
        """Plays every round with all candidates, and returns their mean results."""
        n, game, groups = len(generation.candidates), generation.game, generation.optimizer.groups
        # Sub-populations play in the same games and only breed apart.
        apart = generation.optimizer.groups_are == "lineages" and not self.lineages_meet
        tables = self.play(generation, groups if apart else [slice(0, n)])
        tally, opponents = tables.tally, generation.opponents
        means, errors = tables.means(n)
        behaviour = behaviour_descriptors(tally.style_counts[:n])
        per_block, sign = score_per_block(game), game.sign
        best = int(np.argmax(means))
        line: dict[str, Any] = {
            "best_score": sign * float(means[best]) * per_block,
            "best_score_error": finite(errors[best] * per_block),
            **over_all(means, game),
            "score_error": float(np.sqrt(np.mean(np.square(errors)))) * per_block,
            "hands_a_game": tally.hands / tables.lineups.size,
            "style_spread": float(np.sqrt(np.var(behaviour, axis=0).mean())),
            "mean_style": Style.of(tally.style_counts[:n]).as_dict(),
        }
        wins, games = np.empty(0), np.empty(0)
        if opponents is not None:
            n_own = game.table_size - self.seats_for_opponents
            met = tables.lineups[:, n_own:] >= n
            mixed = met.all(axis=1)
            ahead = _share_ahead(tables.scores[mixed], n_own)
            wins, games = opponents.results(tables.lineups[mixed, n_own:] - n, ahead)
        candidate_scores = CandidateScores(means, behaviour)
        return GenerationResults(
            candidate_scores,
            wins,
            games,
            hands=tally.hands,
            decisions=tally.decisions,
            line=line,
            groups=tuple(over_all(means[rows], game) for rows in groups),
            best=best_group(candidate_scores, generation.optimizer),
        )

    def play(self, generation: Generation, groups: Sequence[slice]) -> PlayedTables:
        """Plays the tables of a generation.

        Args:
            generation: Players and game.
            groups: Candidates that play only each other and opponents; all groups have the same
                cards.
        """
        lineups, rounds = self._lineups(generation, groups)
        batch = generation.candidates.pack()
        if generation.opponents is not None:
            batch = agents.concat(batch, generation.opponents.batch)
        schedule = agents.LineupBlocks(lineups, rounds)
        seed = seeds.stream_seed(generation.seed, seeds.SEARCH_GAMES, generation.number)
        play = PlayTask(batch, schedule, generation.game, seed, generation.backend)
        (tally,) = play_all(
            generation.workers, [play], rows=True, on_progress=generation.on_progress
        )
        return PlayedTables(lineups, rounds, tally)

    def _lineups(self, generation: Generation, groups: Sequence[slice]) -> tuple[I64, I64]:
        """Players of each table, candidates before opponents, and the round of each table."""
        n, seats = len(generation.candidates), generation.game.table_size
        opponents = generation.opponents
        n_alone = self.rounds if opponents is None else self.rounds_alone
        rng = seeds.generator(generation.seed, seeds.SEARCH_OPPONENTS, generation.number)
        found, rounds = [], []
        for round_ in range(self.rounds):
            alone = round_ < n_alone or not self.seats_for_opponents
            n_own = seats if alone else seats - self.seats_for_opponents
            for rows in groups:
                tables = rows.start + seat_everybody(rows.stop - rows.start, n_own, rng)
                if opponents is not None and not alone:
                    met = opponents.lineups(len(tables), seats - n_own, rng)
                    tables = np.column_stack([tables, met + n])
                found.append(tables)
                rounds.append(np.full(len(tables), round_))
        return np.concatenate(found), np.concatenate(rounds)

    def describe(self, line: dict[str, Any], game: Game) -> str:
        """Summary of the candidates' scores and the hands per game."""
        digits = 1 if game.is_cash else 3
        played = line["mean_style"]["voluntarily_in_pot"] or 0.0
        return (
            f"candidates spread {line['score_deviation']:.{digits}f},"
            f" error {line['score_error']:.{digits}f} {score_unit(game)}  VPIP {100 * played:.0f}%"
        )


@dataclass(frozen=True, eq=False)
class PlayedTables:
    """Tables with their results.

    Attributes:
        lineups: ``(n_tables, seats)`` players, candidates before opponents.
        rounds: ``(n_tables,)`` round of each table.
        tally: Results of the tables.
    """

    lineups: I64
    rounds: I64
    tally: Tally

    @property
    def scores(self) -> F64:
        """``(n_tables, seats)`` scores; larger is better."""
        rows: F64 = self.tally.row_scores
        return -rows if self.tally.lower_is_better else rows

    def means(self, n: int) -> tuple[F64, F64]:
        """Mean scores of ``n`` candidates and their standard errors, see ``means_of_rounds``."""
        return means_of_rounds(self.lineups, self.scores, self.rounds, n)


def seat_everybody(n: int, seats: int, rng: np.random.Generator) -> I64:
    """Tables of one round with a seat for every player.

    If the last table is not full, players from other tables sit there too.

    Args:
        n: Players, numbered from 0; at least ``seats``.
        seats: Seats of every table.
        rng: Random generator for the tables.

    Returns:
        ``(n_tables, seats)`` numbers of players, distinct within a table.
    """
    order = rng.permutation(n)
    n_tables = -(-n // seats)
    last = order[(n_tables - 1) * seats :]
    more = rng.permutation(order[: (n_tables - 1) * seats])[: seats - len(last)]
    return np.concatenate([order, more]).reshape(n_tables, seats)


def means_of_rounds(lineups: I64, scores: F64, rounds: I64, n: int) -> tuple[F64, F64]:
    """Mean score of every candidate over its tables.

    Args:
        lineups: ``(n_tables, seats)`` numbers of players; those from ``n`` on are opponents.
        scores: ``(n_tables, seats)`` scores.
        rounds: ``(n_tables,)`` round of each table.
        n: Number of candidates.

    Returns:
        ``(n,)`` means, and their standard errors without the common mean of every round.
    """
    of_candidate = lineups < n
    player, values = lineups[of_candidate], scores[of_candidate]
    where = np.broadcast_to(rounds[:, np.newaxis], lineups.shape)[of_candidate]
    counts = np.bincount(player, minlength=n)
    means = np.bincount(player, values, minlength=n) / counts
    remaining = values - (np.bincount(where, values) / np.bincount(where))[where]
    centre = np.bincount(player, remaining, minlength=n) / counts
    squares = np.bincount(player, np.square(remaining - centre[player]), minlength=n)
    return means, np.sqrt(squares / np.maximum(counts - 1, 1) / counts)


def _share_ahead(scores: F64, n_own: int) -> F64:
    """``(n_tables, n_opponents)`` share of candidates ahead of each opponent; a tie is half."""
    ahead = np.sign(scores[:, :n_own, np.newaxis] - scores[:, np.newaxis, n_own:])
    shares: F64 = (0.5 * (1.0 + ahead)).mean(axis=1)
    return shares
