"""Test results of a run by team, and their table rows and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from agents.match.workers.base import Workers
from agents.theses.bonson.dealt import scores_of
from evolve.files import safe as files
from evolve.theses.bonson.genomes.limit_teams import LimitTeams
from evolve.theses.bonson.studies.test_suite import (
    SCENARIOS,
    TestSet,
    cumulative_scores,
    cumulative_wins,
    play_test,
    styles_of,
)
from evolve.theses.bonson.symbiosis.optimizer import TEAMS_FILE
from evolve.training.folder import RunFolder
from nlhe_env.jit.array_types import F64

Row = Mapping[str, Any]

MEASURED = ("best", "cumulative", "bluffing", "loose", "aggressive", "winning", "cumulative_wins")
"""Columns of ``tests.csv`` beside the model, the seed and the scenario."""

_FILE = "tests.npz"


@dataclass(frozen=True, eq=False)
class TestedRun:
    """Results of a run's teams in the ten scenarios.

    Attributes:
        model: Model of the run, with ``+B`` where it trained against Bayesian opponents too.
        seed: Seed of the run.
        measures: ``(10, teams)`` each: ``score``, the fields of ``test_suite.Styles``, and the
            ``cumulative`` scores and ``cumulative_wins`` of the best team, the best two, and so on.
    """

    __test__ = False  # not a pytest class

    model: str
    seed: int
    measures: Mapping[str, F64]

    def of(self, measure: str, scenario: str) -> F64:
        """``(teams,)`` of a measure in a scenario."""
        values: F64 = self.measures[measure][SCENARIOS.index(scenario)]
        return values

    def rows(self) -> list[dict[str, Any]]:
        """A row per scenario: the best team, all teams together, and means over the teams."""
        rows = []
        for scenario in SCENARIOS:
            values = {
                "best": float(self.of("score", scenario).max()),
                "cumulative": float(self.of("cumulative", scenario)[-1]),
                "cumulative_wins": float(self.of("cumulative_wins", scenario)[-1]),
            }
            for name in MEASURED:
                if name not in values:
                    values[name] = float(self.of(name, scenario).mean())
            known = {"model": self.model, "seed": self.seed, "scenario": scenario}
            rows.append(known | {name: values[name] for name in MEASURED})
        return rows


def load_teams(folder: RunFolder) -> LimitTeams:
    """Surviving teams at the end of a run."""
    return LimitTeams().with_arrays(files.read_arrays(folder.path / TEAMS_FILE))


def played_test(
    folder: RunFolder, model: str, seed: int, test: TestSet, workers: Workers
) -> TestedRun:
    """Test of a finished run, read from its folder, or else played and stored there."""
    file = folder.path / _FILE
    if file.is_file():
        return TestedRun(model, seed, files.read_arrays(file))
    teams = load_teams(folder)
    players = [teams.player(i, name=f"team {i}") for i in range(len(teams))]
    found = play_test(test, players, workers=workers)
    parts = []
    for scenario, outcomes in found.items():
        parts.append(
            {
                "score": scores_of(outcomes).mean(axis=1),
                "cumulative": cumulative_scores(outcomes),
                "cumulative_wins": cumulative_wins(outcomes),
                **asdict(styles_of(outcomes, test.is_weak(scenario))),
            }
        )
    measures = {name: np.array([part[name] for part in parts]) for name in parts[0]}
    files.write_arrays(file, measures)
    return TestedRun(model, seed, measures)


def values_of(rows: Sequence[Row], models: Sequence[str], measured: str) -> F64:
    """``(scenarios, models, seeds)`` of one column."""
    return np.array(
        [
            [
                [row[measured] for row in rows if (row["scenario"], row["model"]) == (s, model)]
                for model in models
            ]
            for s in SCENARIOS
        ]
    )
