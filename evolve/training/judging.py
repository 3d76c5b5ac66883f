"""What the tournaments of a generation mean for a sub-population.

Its networks are ranked; the best are the elites; one is the champion; the hall of fame takes in
some; and when the hall stays ahead, the sub-population goes back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import agents
from evolve.evaluation.series import Series, part_of
from evolve.genomes.networks import Networks
from evolve.training.config import RunConfig
from evolve.training.fitness import Fitness, measure_fitness
from evolve.training.metrics import Judged
from evolve.training.relations import majority, win_percentages
from evolve.training.state import SubPopulation
from nlhe_env.machine.array_types import F64, I64


@dataclass(frozen=True, eq=False)
class Verdict:
    """What the tournaments say about every player of the field.

    Attributes:
        fitness: Of every player.
        halves: Fitness by the first and by the second half of the tournaments; none after one.
        hands_won: ``(n_players,)`` hands won in all tournaments; empty if not asked for.
        percentages: ``(n_players,)`` wins with the phantom parasite; empty if not asked for.
    """

    fitness: Fitness
    halves: tuple[Fitness, ...]
    hands_won: I64
    percentages: F64

    @classmethod
    def of(cls, results: agents.TournamentResults, config: RunConfig) -> Verdict:
        """The verdict of some tournaments, by the fitness that a configuration names."""
        middle = len(results.places) // 2
        halves = (slice(None, middle), slice(middle, None)) if middle else ()
        return cls(
            measure_fitness(results, config),
            tuple(measure_fitness(part_of(results, half), config) for half in halves),
            results.hands_won.sum(axis=0),
            win_percentages(majority(results.places)) if config.phantom else np.empty(0),
        )

    @classmethod
    def of_halves(cls, first: Series, second: Series) -> Verdict:
        """The verdict by the mean place, if nothing else is asked for."""
        halves = (first, second) if first.tournaments else ()
        whole = first + second
        return cls(
            Fitness(whole.places, whole.errors),
            tuple(Fitness(half.places, half.errors) for half in halves),
            hands_won=np.empty(0, np.int64),
            percentages=np.empty(0),
        )


def takes_sums(config: RunConfig) -> bool:
    """Whether the sums of places are all that is needed to judge the runs of a configuration."""
    return config.fitness == "place" and config.control_pick != "hands" and not config.phantom


def judge(
    sub: SubPopulation,
    networks: Networks,
    generation: int,
    *,
    verdict: Verdict,
    population: I64,
    hall: I64,
    config: RunConfig,
) -> tuple[SubPopulation, Judged]:
    """The sub-population after a generation.

    Args:
        sub: Before it.
        networks: Its networks in this generation, the elites of the one before first.
        generation: Its number.
        verdict: About all players of the field.
        population: ``(len(networks),)`` which of them are these networks.
        hall: Which of them are the members of its hall.
        config: Configuration of the run.

    Returns:
        The sub-population after the generation, and what is to be told about it.
    """
    fitness, kept = verdict.fitness[population], config.elites_each
    order = fitness.ranking()
    champion = int(order[0])
    if config.control_pick == "hands":
        champion = int(np.argmax(verdict.hands_won[population]))
    ranked, champion_network = networks[order], networks[np.array([champion])]
    if config.champion_step < 1 and generation > 1 and order[0] != 0:
        step = config.champion_step
        moved = (1.0 - step) * networks.weights[0] + step * ranked.weights[0]
        ranked = ranked.with_first(moved.astype(np.float32))
        champion_network = ranked[:1]
    chances = verdict.percentages[population[order]] if config.phantom else np.empty(0)

    hall_of_fame = sub.hall
    if config.hall_of_fame:
        hall_of_fame = hall_of_fame.after_generation(
            generation,
            costs=verdict.fitness[hall].costs,
            elites=ranked[:kept],
            elite_costs=fitness[order[:kept]].costs,
            capacity=config.hall_each,
            replace=config.hof_replace,
            unique=config.hof_unique,
        )
    memory, extras = sub.memory, dict[str, Any]()
    if config.rollback:
        memory = memory.after_generation(
            generation,
            networks=ranked,
            chances=chances,
            elites=fitness[order[:kept]].costs,
            hall=verdict.fitness[hall].costs,
        )
        extras["rolled_back_to"] = None
        if memory.is_due(config.rollback):
            ranked, chances = memory.networks, memory.chances
            extras["rolled_back_to"] = memory.generation
            memory = memory.started_again()
    if config.grow_likelihood or config.shrink_likelihood:
        extras["hidden_units"] = float(networks.hidden.sum(axis=1).mean())

    judged = Judged(
        population=population,
        hall=hall,
        champion=int(population[champion]),
        elites=population[order[:kept]],
        survivors=population[:kept] if generation > 1 else population[:0],
        overlap=_overlap(verdict, population, kept),
        entered=int(np.count_nonzero(hall_of_fame.entered == generation)),
        extras=extras,
    )
    champions = Networks.join(sub.champions, champion_network)
    return SubPopulation(ranked, chances, hall_of_fame, champions, memory), judged


def _overlap(verdict: Verdict, population: I64, kept: int) -> float | None:
    """Share of the elites by one half of the tournaments that are elites by the other."""
    if not verdict.halves:
        return None
    first, second = (half[population].ranking()[:kept] for half in verdict.halves)
    return len(np.intersect1d(first, second)) / kept
