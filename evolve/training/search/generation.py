"""One generation of a search: ask, meet opponents on the same cards, tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agents.play.style import behaviours
from evolve import seeds
from evolve.genomes.networks import Networks
from evolve.opponents.line_ups import Opponents
from evolve.opponents.pool import OpponentPool
from evolve.opponents.probes import Probes
from evolve.training.search.config import SearchConfig
from evolve.training.search.games import Games, Played
from evolve.training.search.racing import Standing
from evolve.training.search.state import SearchState, as_networks
from evolve.workers import Workers
from nlhe_env.machine.array_types import F32, F64, I64

Progress = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class Judgement:
    """What the games of a generation came to.

    Attributes:
        standing: Of the candidates; larger is better, in chips or places of a block.
        first: The games that all candidates played.
        style_counts: ``(population, N_STYLE_COUNTS)`` of all games.
        hands: Hands of all games.
        decisions: Decisions in them.
        raced: Candidates that played more than the others, counted in each round.
        racing_hands: Hands of those games.
    """

    standing: Standing
    first: Played
    style_counts: I64
    hands: int
    decisions: int
    raced: tuple[int, ...]
    racing_hands: int


@dataclass(frozen=True, eq=False)
class PlayedGeneration:
    """A generation whose games are played, before the optimizer is told.

    Attributes:
        weights: ``(population, n_weights)`` the candidates.
        pool: With the present player, where it was time to enter.
        opponents: Who could be met.
        met: ``(blocks, seats - 1)`` who was.
        judged: What the games came to.
    """

    weights: F32
    pool: OpponentPool
    opponents: Opponents
    met: I64
    judged: Judgement


def play_generation(
    state: SearchState,
    config: SearchConfig,
    *,
    probes: Probes | None,
    workers: Workers,
    on_progress: Progress | None = None,
) -> PlayedGeneration:
    """Plays the games of the next generation.

    Args:
        state: Before it; its optimizer is asked, and waits to be told.
        config: Of the search.
        probes: Situations by which players of the pool are compared; needed if there is a pool.
        workers: Who plays; their number does not change the result.
        on_progress: Called with the number of finished games of a candidate.
    """
    generation = state.generation + 1
    weights = state.optimizer.ask()
    candidates = as_networks(weights, config)
    pool = state.pool
    if probes is not None and state.generation % config.pool_every == 0:
        pool = _with_present(pool, state, config, probes)
    opponents = _opponents(pool, state.rivals, candidates, config)
    rng = seeds.generator(config.seed, seeds.SEARCH_OPPONENTS, generation)
    met = opponents.line_ups(config.blocks, config.seats - 1, rng)
    judged = _judge(candidates, opponents, met, config, generation, rng, workers, on_progress)
    return PlayedGeneration(weights, pool, opponents, met, judged)


def learn_from(
    state: SearchState, config: SearchConfig, played: PlayedGeneration
) -> tuple[SearchState, dict[str, Any]]:
    """Lets the optimizer learn from a generation.

    Args:
        state: Before the generation; its optimizer changes.
        config: Of the search.
        played: The generation.

    Returns:
        The state after it, and its line of metrics.
    """
    judged = played.judged
    fitness = judged.standing.means
    state.optimizer.tell(fitness, behaviours(judged.style_counts))
    best = np.argsort(-fitness, kind="stable")
    wins, games = played.opponents.results(played.met, judged.first.losses / config.population)
    after = replace(
        state,
        generation=state.generation + 1,
        hands=state.hands + judged.hands,
        pool=played.pool.after_games(wins, games),
        rivals=as_networks(played.weights[best[: config.rivals]], config),
    )
    return after, _metrics(after, config, played.weights, judged)


def _with_present(
    pool: OpponentPool, state: SearchState, config: SearchConfig, probes: Probes
) -> OpponentPool:
    """The pool after the present player has entered it."""
    present = as_networks(state.optimizer.deployable(), config)
    # Distances of these are in 0..1.
    behaviour = probes.behaviour(present) / np.sqrt(2.0 * len(probes.masks))
    return pool.enter(state.generation, present, behaviour, limits=config.limits())


def _opponents(
    pool: OpponentPool, rivals: Networks, candidates: Networks, config: SearchConfig
) -> Opponents:
    others = rivals if config.population_share else rivals[:0]
    mix = config.mix()
    try:
        return Opponents.gather(pool, others, mix, candidates=candidates)
    except ValueError:  # the only opponents are candidates again, as surviving elites are
        return Opponents.gather(pool, others, mix)


def _judge(
    candidates: Networks,
    opponents: Opponents,
    met: I64,
    config: SearchConfig,
    generation: int,
    rng: np.random.Generator,
    workers: Workers,
    on_progress: Progress | None,
) -> Judgement:
    """Lets all candidates play, and those that selection cannot separate play on."""

    def play(players: I64, met: I64, number: int) -> tuple[Played, F64]:
        games = Games.of_all(
            candidates[players].pack(),
            opponents.field,
            met,
            game=config.make_game(),
            seed=seeds.stream_seed(config.seed, seeds.SEARCH_GAMES, generation, number),
        )
        played = games.play(workers, on_progress)
        return played, config.sign * played.scores.reshape(len(players), len(met))

    everybody = np.arange(len(candidates))
    first, scores = play(everybody, met, 0)
    standing = Standing.of(scores)
    style_counts, hands, decisions = first.style_counts.copy(), first.hands, first.decisions
    raced: list[int] = []
    for number in range(1, config.racing_rounds + 1):
        racers = standing.undecided(config.n_selected, config.racing_errors)
        if not len(racers):
            break
        again = opponents.line_ups(config.blocks, config.seats - 1, rng)
        played, scores = play(racers, again, number)
        standing = standing.after_round(racers, scores)
        style_counts[racers] += played.style_counts
        hands += played.hands
        decisions += played.decisions
        raced.append(len(racers))
    return Judgement(
        standing, first, style_counts, hands, decisions, tuple(raced), hands - first.hands
    )


def _metrics(
    state: SearchState, config: SearchConfig, weights: F32, judged: Judgement
) -> dict[str, Any]:
    """The line of a generation, see ``evolve.training.search.folder``."""
    per_block = config.per_block
    means, errors = judged.standing.means, judged.standing.errors
    best = int(np.argmax(means))
    deployable = state.optimizer.deployable().astype(np.float64)
    line: dict[str, Any] = {
        "generation": state.generation,
        "hands": state.hands,
        "generation_hands": judged.hands,
        "decisions": judged.decisions,
        "best_score": config.sign * float(means[best]) * per_block,
        "best_score_error": float(errors[best]) * per_block,
        "mean_score": config.sign * float(means.mean()) * per_block,
        "score_deviation": float(means.std()) * per_block,
        "score_error": float(np.sqrt(np.mean(np.square(errors)))) * per_block,
        "style_spread": float(np.sqrt(np.var(behaviours(judged.style_counts), axis=0).mean())),
        # Root mean squares over the weights.
        "spread": float(np.sqrt(np.var(weights, axis=0, dtype=np.float64).mean())),
        "weight_size": float(np.sqrt(np.mean(np.square(deployable)))),
    }
    if config.racing_rounds:
        line |= {"raced": list(judged.raced), "racing_hands": judged.racing_hands}
    if config.pool_share:
        rates = state.pool.win_rates[: len(state.pool.networks)]
        line |= {"pool": len(rates), "pool_hardest": float(rates.min(initial=1.0))}
    return line
