"""Every combination of the kinds of parts either trains or is refused in the words of options."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from agents.match.workers.base import thread_workers
from evolve.training.config import CHOICES, Config
from evolve.training.config_files import ConfigDraft
from evolve.training.folder import RunFolder
from evolve.training.run import train
from evolve.training.state import State

ALL = [dict(zip(CHOICES, kinds, strict=True)) for kinds in product(*CHOICES.values())]
CLASS_NAME = re.compile(r"\b[A-Z][a-z]+[A-Z]\w*|\w+(Kind|Settings|Genomes|Schedule)\b")

SMALL: dict[str, dict[str, Any]] = {
    "networks": {"hidden": (3,)},
    "argmax-networks": {"hidden": (3,)},
    "pot-sized-networks": {"hidden": (3,)},
    "ashe": {
        "game_blocks": 1,
        "opponent_cell": 2,
        "decision_units": 2,
    },
    "ashe-2": {
        "estimator_blocks": 1,
        "estimator_cell": 2,
        "tree_nodes": 64,
        "progress_tournaments": 0,
    },
    "limit-teams": {"betting": "fixed-limit", "progress_tournaments": 0},
    "elitist": {"elites": 2},
    "symbiosis": {"bid_sample": 20},
    "points": {"points": 54},
    "tournaments": {"tournaments": 2},
    "blocks": {"blocks": 2},
    "tables": {"rounds": 2},
    "matches": {
        "blinds": "5/10",
        "starting_stack": 1000,
        "validation_points": 36,
        "champion_points": 36,
        "validate_every": 9,
    },
    "cash": {"num_hands": 2},
}
"""Values of a tiny run for a kind, with which its players also support the game."""


@cache
def start(game: str, genomes: str) -> ConfigDraft:
    """A tiny game of a kind, which the players of these genomes support."""
    values = SMALL.get(game, {}) | SMALL.get(genomes, {})
    return ConfigDraft().with_values(
        game=game, genomes=genomes, table_size=2, generations=1, **values
    )


def draft(kinds: dict[str, str]) -> ConfigDraft:
    """A tiny run of these kinds."""
    parts = [kinds[name] for name in ("optimizer", "opponents", "schedule", "fitness")]
    values = {key: value for kind in parts for key, value in SMALL.get(kind, {}).items()}
    if kinds["opponents"] == "self-play" and kinds["schedule"] == "blocks":
        values["card_sensitivity_gate"] = 0.0
    return start(kinds["game"], kinds["genomes"]).with_values(**kinds, population=4, **values)


def accepted(config: ConfigDraft, refusals: list[str]) -> Config | None:
    """The finished configuration, or None and the reason among the refusals."""
    try:
        return config.checked()
    except ValueError as error:
        refusals.append(str(error))
        return None


@cache
def tiny_runs() -> tuple[list[tuple[dict[str, str], Config]], list[str]]:
    """The accepted combinations, each as a tiny run, and why the others are refused."""
    refusals: list[str] = []
    configs = [(kinds, accepted(draft(kinds), refusals)) for kinds in ALL]
    return [(kinds, config) for kinds, config in configs if config], refusals


@pytest.mark.slow
def test_every_combination_is_accepted_for_good_or_refused_in_the_words_of_options() -> None:
    usual = ConfigDraft()
    works, found = tiny_runs()
    refusals = [*found]
    for kinds in ALL:
        accepted(usual.with_values(**kinds), refusals)
    for _, config in works:
        State.initial_state(config)
    assert len(ALL) == 17_280
    assert len(works) > 500
    assert not [reason for reason in set(refusals) if CLASS_NAME.search(reason)]


def pairs(kinds: dict[str, str]) -> set[frozenset[tuple[str, str]]]:
    """All pairs of kinds in a combination, with their sections."""
    return set(map(frozenset, combinations(kinds.items(), 2)))


@pytest.mark.slow
def test_every_accepted_pair_of_kinds_trains_a_generation(tmp_path: Path) -> None:
    working = {i: (pairs(kinds), config) for i, (kinds, config) in enumerate(tiny_runs()[0])}
    missing = set().union(*(found for found, _ in working.values()))
    with thread_workers(2) as workers:
        while missing:
            best = max(working, key=lambda i: len(working[i][0] & missing))
            found, config = working.pop(best)
            missing -= found
            folder = RunFolder.create(tmp_path, config)
            state = train(folder, config, State.initial_state(config), workers=workers)
            assert state.generation == 1
            assert len(state.champion) == 1
            assert len(folder.champions()) == 1
