"""Memory check of a run, before anything is allocated.

A size with too many zeros would otherwise fill the memory until the system kills the process or the
machine stalls. The check counts the minimum for arrays; a run that passes may still need more.
"""

from __future__ import annotations

from collections.abc import Iterator

from evolve.files.text_files import byte_count
from evolve.training.config import Config
from nlhe_env.system.cores import memory_size

_FLOAT = 8
"""Bytes of a result, and of a player number in a lineup."""


def check_memory(config: Config) -> None:
    """Check that a run can fit into the memory of this machine.

    Raises:
        ValueError: The run is too large; the message names the largest value and the total.
    """
    needs = dict(_needs(config))
    total, there = sum(needs.values()), memory_size()
    if total <= there:
        return
    key = max(needs, key=lambda name: needs[name])
    value = config.values()[key]
    raise ValueError(
        f"{key} is too large for this machine, which has {byte_count(there)} of memory: with "
        f"{value!r} the run needs at least {byte_count(total)}"
    )


def _needs(config: Config) -> Iterator[tuple[str, int]]:
    """Names of configuration values, with the minimum number of bytes for each."""
    values, seats = config.values(), config.game.table_size
    genome = config.genomes.genome_bytes(config.variation)
    n_candidates = config.optimizer.population * config.lineages
    yield "population", n_candidates * (genome + _FLOAT)
    if "hall_of_fame" in values:  # filled with elites
        most = values["hall_of_fame"]
        if config.generations:
            most = min(most, config.generations * values.get("elites", 1))
        yield "hall_of_fame", most * genome
    if values["optimizer"] == "cma-es":  # a matrix with a row and a column for each number
        yield "optimizer", config.lineages * (genome // 4) ** 2 * _FLOAT
    for key in ("random_players", "biased_players", "recent_candidates"):
        if key in values:
            yield key, values[key] * genome
    # Tournaments are summed as they are played, unless the fitness needs each result.
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
