"""Whether a run fits into memory, counted before anything is made.

A size with some zeros too many would otherwise fill the memory in silence, until the system ends
the program or the machine stands still. What is counted is the least that arrays take; a run that
is let through may still need more.
"""

from __future__ import annotations

from collections.abc import Iterator

from evolve.files.text_files import byte_count
from evolve.training.config import Config
from nlhe_env.system.cores import memory_size

_FLOAT = 8
"""Bytes of a result, and of the number of a player in a seat."""


def check_memory(config: Config) -> None:
    """Check that a run can fit into the memory of this machine.

    Raises:
        ValueError: It cannot; the message names the value that takes most, and what all take.
    """
    needs = dict(_needs(config))
    total, there = sum(needs.values()), memory_size()
    if total <= there:
        return
    key = max(needs, key=lambda name: needs[name])
    value = config.values()[key]
    raise ValueError(
        f"{key} is too much for this machine, which has {byte_count(there)} of memory: with "
        f"{value!r} the run needs at least {byte_count(total)}"
    )


def _needs(config: Config) -> Iterator[tuple[str, int]]:
    """Values of a configuration, and the least bytes that each brings with it."""
    values, seats = config.values(), config.game.table_size
    genome = config.genomes.genome_bytes(config.variation)
    n_candidates = config.optimizer.population * config.lineages
    yield "population", n_candidates * (genome + _FLOAT)
    if "hall_of_fame" in values:  # it fills up with elites
        most = values["hall_of_fame"]
        if config.generations:
            most = min(most, config.generations * values.get("elites", 1))
        yield "hall_of_fame", most * genome
    if values["optimizer"] == "cma-es":  # a matrix with a row and a column for each number
        yield "optimizer", config.lineages * (genome // 4) ** 2 * _FLOAT
    for key in ("random_players", "biased_players", "recent_candidates"):
        if key in values:
            yield key, values[key] * genome
    # Tournaments are summed up as they are played, unless fitness looks at each.
    keeps_each = config.fitness.needs_rows or not config.opponents.ranked
    results = {
        "tournaments": n_candidates if keeps_each else 0,
        "rounds": n_candidates,
        "blocks": n_candidates,
        "points": n_candidates,
        "test_blocks": seats - 1,
    }
    for key, of_one in results.items():
        yield key, values.get(key, 0) * of_one * _FLOAT
    if config.lineages > 1:
        choice = config.choice
        met = config.lineages * max(choice.selection_opponents, 1)
        larger = max(("selection_opponents", "selection_rounds"), key=lambda name: values[name])
        yield larger, met * choice.selection_rounds * _FLOAT
