"""From one generation to the next: the elites survive, and their children fill up the places.

The published rules are in ``evolve.genomes.variation``. On top of them come what the documents
describe or wish for: parents in proportion to their wins (phantom parasite), parents from the hall
of fame, networks that grow, and a champion that moves towards its challengers.
"""

from __future__ import annotations

import numpy as np

from agents.compiled.network import N_INPUTS_OF, count_weights
from evolve.genomes import variation as population
from evolve.genomes.networks import Networks
from evolve.genomes.topology import mutate_topology
from evolve.training.config import RunConfig
from nlhe_env.machine.array_types import F64, I64


def first_networks(config: RunConfig, *, rng: np.random.Generator) -> Networks:
    """The random networks of a sub-population in the first generation."""
    n_weights = count_weights(N_INPUTS_OF[config.inputs], config.hidden)
    weights = population.initial_population(
        config.population_each, n_weights, initialisation=config.initialisation, rng=rng
    )
    return Networks.of_shape(weights, config.hidden, config.inputs)


def breed(
    networks: Networks,
    hall: Networks,
    n_children: int,
    *,
    chances: F64 | None = None,
    config: RunConfig,
    rng: np.random.Generator,
) -> Networks:
    """Children of a sub-population.

    With one elite, no hall and no chances every child is that champion plus noise.

    Args:
        networks: The sub-population, best first.
        hall: Members of its hall of fame, parents by ``config.hall_parents``.
        n_children: How many children.
        chances: ``(n,)`` chance of each network to be a parent, in any unit; all zeros are equal
            chances. None makes the elites parents, with equal chances.
        config: Configuration of the run.
        rng: Source of randomness.
    """
    most = config.elites_each
    if chances is not None:
        if not chances.any():  # nobody beats anybody
            chances = np.ones(len(chances))
        most = min(most, int(np.count_nonzero(chances)))
    counts = population.parent_counts(n_children, mean=config.parents_mean, most=most, rng=rng)
    if chances is None:
        parents = population.choose_parents(counts, config.elites_each, rng=rng)
        networks = networks[: config.elites_each]
    else:
        parents = population.choose_parents_by_chance(counts, chances, rng=rng)
    shares = population.draw_shares(counts, parents.shape[1], rng=rng)
    if config.hall_parents and len(hall):
        parents = _with_hall_parents(
            parents, counts, len(networks), len(hall), chance=config.hall_parents, rng=rng
        )
        networks = Networks.join(networks, hall)
    shares = shares_of_one_shape(networks.hidden, parents, shares)
    children = population.mutate(
        population.cross(networks.weights, parents, shares),
        likelihood=config.mutation_likelihood,
        deviation=config.mutation_deviation,
        rng=rng,
    )
    bred = Networks(children.astype(np.float32), networks.hidden[parents[:, 0]], networks.inputs)
    bred.weights[~bred.used] = 0.0
    if config.grow_likelihood or config.shrink_likelihood:
        bred = mutate_topology(
            bred, grow=config.grow_likelihood, shrink=config.shrink_likelihood, rng=rng
        )
    return bred


def shares_of_one_shape(hidden: I64, parents: I64, shares: F64) -> F64:
    """The shares, 0 for parents whose hidden layers are not those of the first parent.

    Crossover is between equal shapes; a child of different ones takes after the first.
    """
    shapes = hidden[parents]
    same = (shapes == shapes[:, :1]).all(axis=2)
    return np.where(same, shares, 0.0)


def _with_hall_parents(
    parents: I64,
    counts: I64,
    n_networks: int,
    n_hall: int,
    *,
    chance: float,
    rng: np.random.Generator,
) -> I64:
    """The parents, each with some chance replaced by a member of the hall.

    Members have the numbers after the networks; those of one child differ.
    """
    members = population.choose_parents(np.minimum(counts, n_hall), n_hall, rng=rng)
    replaced = parents.copy()
    swap = rng.random(members.shape) < chance
    replaced[:, : members.shape[1]][swap] = n_networks + members[swap]
    return replaced
