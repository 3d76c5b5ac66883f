"""Selection among lineages: the player to use, of several from one run.

Champions that play only each other favour the loosest one. So tables also have seats for the
opponents of training; in self-play these are untrained networks. All tables of a round have the
same cards, and every champion takes every seat once. Results alone decide: a very tight lineage is
selected if it does best, because a minimum number of hands would favour lineages that raise
everything.

The best mean may come from a few opponents that call everything. So the players can also play their
opponents one by one, and be compared by their winnings from those they beat least. A fitness
function that weights winnings by opponent also decides here. Players that never occur in training
show which lineage has learned more than to beat its own kind.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import agents
from agents.match.style import Style
from agents.match.tally import Tally
from agents.match.workers.base import Workers
from evolve import seeds
from evolve.opponents.opponent_sampling import OpponentMix, Opponents
from evolve.opponents.pool import OpponentPool
from evolve.training.block_schedule import (
    block_scores,
    fitness_by_opponent,
    play_blocks,
    score_per_block,
)
from evolve.training.config import Config
from evolve.training.fitness import OpponentsFitness
from evolve.training.schedules import Generation
from evolve.training.state import State
from evolve.training.table_schedule import TableSchedule
from nlhe_env import Game
from nlhe_env.jit.array_types import F64, I64


@dataclass(frozen=True)
class Choice:
    """The results of the champions of all lineages.

    Attributes:
        generation: Generation before the selection.
        lineage: Index of the selected lineage.
        scores: Mean place, big blinds won per 100 hands, or fitness of every lineage.
        errors: Standard errors of the scores; at tables with several players, without the variance
            common to the same cards.
        vpip: VPIP of every lineage.
        hands: Hands played for the selection; they do not count as training.
    """

    generation: int
    lineage: int
    scores: tuple[float, ...]
    errors: tuple[float, ...]
    vpip: tuple[float, ...]
    hands: int

    def as_dict(self) -> dict[str, Any]:
        """The values by name, for JSON."""
        return asdict(self)


def choose_lineage(state: State, config: Config, *, workers: Workers) -> Choice | None:
    """Selects the lineage whose player does best in games against the others and opponents.

    Args:
        state: State after a generation; not changed.
        config: Configuration of a run with several lineages.
        workers: Workers for the games; their number does not change the result.

    Returns:
        The selection; None if there are no opponents to fill the table.
    """
    players = [state.present(i) for i in range(len(state.champions))]
    champions, game = type(players[0]).join(*players), config.make_game()
    if config.choice.selection_players:
        pool = OpponentPool.empty(champions, named=config.choice.selection_players)
        mix = OpponentMix(pool=0.0, population=0.0, named=1.0, priority="uniform")
        opponents: Opponents | None = Opponents.gather(pool, champions[:0], mix)
    else:
        opponents = state.opponents.select(champions, state.optimizer, state.generation + 1)
    if opponents is None:
        return None
    opponents = opponents.together
    generation = Generation(
        number=state.generation,
        seed=seeds.stream_seed(config.seed, seeds.CHOICE),
        game=game,
        candidates=champions,
        optimizer=state.optimizer,
        opponents=opponents,
        halls=(),
        counts_wins=False,
        fitness=config.fitness,
        workers=workers,
        backend=agents.play,
    )
    meet, per_block = _meet_at_tables, score_per_block(game)
    if config.choice.selection_players:
        meet, per_block = _meet_players, 1.0
    elif isinstance(config.fitness, OpponentsFitness):
        meet, per_block = _meet_by_fitness, 1.0
    elif config.choice.selection_opponents:
        meet = _meet_one_by_one
    means, errors, tally = meet(generation, config)
    counts = tally.style_counts[: len(champions)]
    vpip = [Style.of(one).voluntarily_in_pot or 0.0 for one in counts]
    return Choice(
        generation=state.generation,
        lineage=int(means.argmax()),
        scores=tuple(float(game.sign * mean * per_block) for mean in means),
        errors=tuple(float(error * per_block) for error in errors),
        vpip=tuple(vpip),
        hands=tally.hands,
    )


def _meet_at_tables(generation: Generation, config: Config) -> tuple[F64, F64, Tally]:
    """Mean scores of all players and their errors, at tables with several of them."""
    n, seats = len(generation.candidates), generation.game.table_size
    own = 1
    if isinstance(config.schedule, TableSchedule):
        own = min(n, seats - config.schedule.seats_for_opponents)
    meeting = TableSchedule(rounds=config.choice.selection_rounds, seats_for_opponents=seats - own)
    tables = meeting.play(generation, [slice(0, n)])
    return *tables.means(n), tables.tally


def _meet_one_by_one(generation: Generation, config: Config) -> tuple[F64, F64, Tally]:
    """Mean scores and errors against the drawn opponents from whom each player wins least."""
    n, choice = len(generation.candidates), config.choice
    tally, _ = _play_one_by_one(generation, config, choice.selection_opponents)
    scores = block_scores(tally, n).reshape(n, -1, choice.selection_rounds)
    return *means_of_worst(scores, choice.selection_worst), tally


def _meet_players(generation: Generation, config: Config) -> tuple[F64, F64, Tally]:
    """Mean bounded win rates from the named players, and their errors."""
    n, choice = len(generation.candidates), config.choice
    tally, _ = _play_one_by_one(generation, config, len(choice.selection_players))
    scores = block_scores(tally, n).reshape(n, -1, choice.selection_rounds)
    scores = scores * score_per_block(generation.game)
    rates = scores.mean(axis=2)
    squares = scores.var(axis=2, ddof=1) / choice.selection_rounds
    slopes = (1.0 + (rates / 100.0) ** 2) ** -1.5
    errors = np.sqrt((slopes**2 * squares).sum(axis=1)) / scores.shape[1]
    return bounded_rates(rates).mean(axis=1), errors, tally


def bounded_rates(rates: F64) -> F64:
    """Big blinds per 100 hands as ``agents.bench`` counts them: a weak opponent says little.

    >>> bounded_rates(np.array([10.0, -1000.0])).round(1)
    array([ 10. , -99.5])
    """
    return rates / np.sqrt(1.0 + (rates / 100.0) ** 2)


def _meet_by_fitness(generation: Generation, config: Config) -> tuple[F64, F64, Tally]:
    """Fitness of winnings from drawn opponents, or from all, and its errors."""
    opponents, fitness = generation.opponents, config.fitness
    if opponents is None or not isinstance(fitness, OpponentsFitness):
        raise RuntimeError("there is no opponent, or no fitness that weighs opponents")
    n_opponents = config.choice.selection_opponents or int(np.count_nonzero(opponents.chances))
    tally, met = _play_one_by_one(generation, config, n_opponents)
    scores, game = block_scores(tally, len(generation.candidates)), generation.game
    means, _ = fitness_by_opponent(fitness, scores, met, game)
    rounds = config.choice.selection_rounds
    return means, fitness_errors(fitness, scores, met, game, rounds=rounds), tally


def _play_one_by_one(generation: Generation, config: Config, n_opponents: int) -> tuple[Tally, I64]:
    """Tally of all players against drawn opponents, and the opponents of the blocks."""
    opponents, rounds = generation.opponents, config.choice.selection_rounds
    if opponents is None:
        raise RuntimeError("there is no opponent")
    rng = seeds.generator(generation.seed, seeds.SEARCH_OPPONENTS, generation.number)
    met = opponents.lineups(n_opponents, 1, rng).repeat(rounds, axis=0)
    tally = play_blocks(
        generation.candidates,
        opponents,
        met.repeat(generation.game.table_size - 1, axis=1),
        generation.game,
        seed=generation.seed,
        generation=generation.number,
        variance_reduction=getattr(config.schedule, "variance_reduction", "none"),
        workers=generation.workers,
        on_progress=generation.on_progress,
    )
    return tally, met[:, 0]


def means_of_worst(scores: F64, worst: float) -> tuple[F64, F64]:
    """Mean scores of players against the opponents that each beats least.

    Args:
        scores: ``(n, n_opponents, n_rounds)`` scores; larger is better.
        worst: Share of the opponents that count, at least one opponent.

    Returns:
        ``(n,)`` means and their standard errors.

    >>> means_of_worst(np.array([[[1.0, 3.0], [9.0, 9.0]]]), 0.5)
    (array([2.]), array([1.]))
    """
    counted = max(1, round(worst * scores.shape[1]))
    means, squares = scores.mean(axis=2), scores.var(axis=2, ddof=1) / scores.shape[2]
    order = np.argsort(means, axis=1, kind="stable")[:, :counted]
    errors = np.sqrt(np.take_along_axis(squares, order, axis=1).sum(axis=1)) / counted
    return np.take_along_axis(means, order, axis=1).mean(axis=1), errors


def fitness_errors(
    fitness: OpponentsFitness, scores: F64, met: I64, game: Game, *, rounds: int
) -> F64:
    """Standard errors of fitness by the jackknife, which leaves out one round at a time.

    Args:
        fitness: Fitness function that weights winnings by opponent.
        scores: ``(n, n_opponents * rounds)`` winnings of each player, opponent by opponent.
        met: ``(n_opponents * rounds,)`` number of the opponent.
        game: Game that was played.
        rounds: Blocks against each opponent, at least 2.

    Returns:
        ``(n,)`` standard errors.
    """
    round_of = np.arange(len(met)) % rounds
    left = [
        fitness_by_opponent(fitness, scores[:, kept], met[kept], game)[0]
        for kept in (round_of != out for out in range(rounds))
    ]
    errors: F64 = np.sqrt((rounds - 1) * np.var(left, axis=0))
    return errors
