"""Tables of candidates: everybody at a table is judged, with the cards that all the others have.

A candidate that meets opponents one at a time pays for a whole table to learn one result. Here the
candidates of a generation meet each other, so that every seat of every game tells something: with
ten seats a hand is worth ten. In a round everybody sits at one table, drawn anew, and all tables of
a round play the same block: the same cards, once for every rotation of the seats.

Among candidates alone nobody gains by what all do: who folds everything is robbed by the first that
raises, and who raises everything by the first that waits for a hand. So play comes to depend on
cards, where opponents from an older and wilder past would pay for folding alone. Seats for such
opponents are an option.

A line of metrics, scores being big blinds won in 100 hands, or mean places in tournaments:

- ``best_score``, ``best_score_error``: best candidate; it has been lucky, and scores worse with
  fresh cards
- ``mean_score``, ``score_deviation``: over all candidates; ``score_error``: root mean square of
  their standard errors over rounds. Deviations that do not exceed it are noise.
- ``hands_a_game``: a measure of how tight everybody plays
- ``style_spread``: as in ``evolve.training.block_schedule``
- ``mean_style``: of all candidates together, the measures of ``agents.Style`` by name
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import agents
from agents.play.style import behaviours
from evolve import seeds
from evolve.optimizers.base import Verdict
from evolve.training.block_schedule import score_per_block, score_unit
from evolve.training.schedules import Evaluation, Generation, ScheduleSettings, finite
from evolve.workers.playing import Play, play_all
from nlhe_env import Game
from nlhe_env.arguments import whole_number
from nlhe_env.machine.array_types import F64, I64


@dataclass(frozen=True, kw_only=True)
class TableSchedule(ScheduleSettings):
    """Duplicate tables of several candidates each."""

    rounds: int = 10
    """Tables that every candidate sits at in a generation; at each it has every seat once, with
    the cards that the candidates at all other tables have there."""

    seats_for_opponents: int = 0
    """Seats at each table for opponents that are not candidates, where there are any; the rest are
    for candidates."""

    def __post_init__(self) -> None:
        whole_number("rounds", self.rounds, least=2)
        whole_number("seats_for_opponents", self.seats_for_opponents, least=0)

    @property
    def n_games(self) -> int:
        """Not known before: it depends on population and table."""
        return 0

    def evaluate(self, generation: Generation) -> Evaluation:
        """Seats all candidates in every round, plays, and takes the mean of their results."""
        n, seats = len(generation.candidates), generation.game.table_size
        opponents = generation.opponents
        n_own = seats if opponents is None else seats - self.seats_for_opponents
        rng = seeds.generator(generation.seed, seeds.SEARCH_OPPONENTS, generation.number)
        own = np.stack([seat_everybody(n, n_own, rng) for _ in range(self.rounds)])
        blocks = np.repeat(np.arange(self.rounds), own.shape[1])
        line_ups = own.reshape(-1, n_own)
        field = generation.candidates.pack()
        met = np.empty((len(line_ups), 0), np.int64)
        if opponents is not None and n_own < seats:
            met = opponents.line_ups(len(line_ups), seats - n_own, rng)
            field = agents.join(field, opponents.field)
        schedule = agents.LineUps(np.column_stack([line_ups, met + n]), blocks)
        seed = seeds.stream_seed(generation.seed, seeds.SEARCH_GAMES, generation.number)
        play = Play(field, schedule, generation.game, seed, generation.door)
        tally = play_all(generation.workers, [play], rows=True, on_progress=generation.on_progress)[
            0
        ]
        scores = -tally.row_scores if tally.lower_is_better else tally.row_scores
        means, errors = means_of_rounds(line_ups, scores[:, :n_own], blocks, n)
        behaviour = behaviours(tally.style_counts[:n])
        per_block, sign = score_per_block(generation.game), generation.game.sign
        best = int(np.argmax(means))
        line: dict[str, Any] = {
            "best_score": sign * float(means[best]) * per_block,
            "best_score_error": finite(errors[best] * per_block),
            "mean_score": sign * float(means.mean()) * per_block,
            "score_deviation": float(means.std()) * per_block,
            "score_error": float(np.sqrt(np.mean(np.square(errors)))) * per_block,
            "hands_a_game": tally.hands / (len(schedule) * seats),
            "style_spread": float(np.sqrt(np.var(behaviour, axis=0).mean())),
            "mean_style": agents.Style.of(tally.style_counts[:n]).as_dict(),
        }
        wins, games = np.empty(0), np.empty(0)
        if opponents is not None:
            wins, games = opponents.results(met, _share_ahead(scores, n_own))
        return Evaluation(
            Verdict(means, behaviour),
            wins,
            games,
            hands=tally.hands,
            decisions=tally.decisions,
            line=line,
        )

    def describe(self, line: dict[str, Any], game: Game) -> str:
        """Scores of the candidates, and how much they play."""
        digits = 1 if game.is_cash else 3
        played = line["mean_style"]["voluntarily_in_pot"] or 0.0
        return (
            f"candidates spread {line['score_deviation']:.{digits}f},"
            f" error {line['score_error']:.{digits}f} {score_unit(game)}  VPIP {100 * played:.0f}%"
        )


def seat_everybody(n: int, seats: int, rng: np.random.Generator) -> I64:
    """Players of the tables of one round.

    Everybody sits at a table. Where the last one is not full, some sit at it who sit at another
    one too.

    Args:
        n: Players, numbered from 0; at least ``seats``.
        seats: At every table.
        rng: Draws who meets whom.

    Returns:
        ``(n_tables, seats)`` numbers of players, nobody twice at the same table.
    """
    order = rng.permutation(n)
    n_tables = -(-n // seats)
    last = order[(n_tables - 1) * seats :]
    more = rng.permutation(order[: (n_tables - 1) * seats])[: seats - len(last)]
    return np.concatenate([order, more]).reshape(n_tables, seats)


def means_of_rounds(line_ups: I64, scores: F64, rounds: I64, n: int) -> tuple[F64, F64]:
    """The mean score of every player over the tables that it sat at.

    Args:
        line_ups: ``(n_tables, seats)`` numbers of players.
        scores: ``(n_tables, seats)`` what each came to.
        rounds: ``(n_tables,)`` the round of each table.
        n: Players.

    Returns:
        ``(n,)`` means, and their standard errors once the mean of every round is taken out, which
        all players share.
    """
    who, where = line_ups.ravel(), np.repeat(rounds, line_ups.shape[1])
    counts = np.bincount(who, minlength=n)
    means = np.bincount(who, scores.ravel(), minlength=n) / counts
    of_round = np.bincount(where, scores.ravel()) / np.bincount(where)
    rest = scores.ravel() - of_round[where]
    centre = np.bincount(who, rest, minlength=n) / counts
    squares = np.bincount(who, np.square(rest - centre[who]), minlength=n)
    return means, np.sqrt(squares / np.maximum(counts - 1, 1) / counts)


def _share_ahead(scores: F64, n_own: int) -> F64:
    """``(n_tables, n_opponents)`` share of candidates ahead of each opponent; a tie is half."""
    ahead = np.sign(scores[:, :n_own, np.newaxis] - scores[:, np.newaxis, n_own:])
    shares: F64 = (0.5 * (1.0 + ahead)).mean(axis=1)
    return shares
