"""Models of diversity compared: several seeds of each, tested in ten scenarios.

A study is a folder with a folder for every run, ``ham_gen-1`` and so on. The work goes seed by seed
through all models; a study that is interrupted goes on where it was. It writes ``tests.csv`` (a row
for each run and scenario), ``inputs.csv`` and ``report.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from agents.matches import MatchLibrary, scores_of
from evolve.evaluation.rank_tests import RankTest, rank_test
from evolve.evaluation.statistics import Sample
from evolve.files import safe as files
from evolve.symbiosis.folder import load_run, train_teams
from evolve.symbiosis.run import match_players
from evolve.symbiosis.settings import SymbiosisSettings
from evolve.symbiosis.testing import (
    SCENARIOS,
    TestSet,
    cumulative_scores,
    cumulative_wins,
    input_usage,
    play_test,
    styles_of,
)
from evolve.workers import Workers
from nlhe_env.arguments import whole_number
from nlhe_env.machine.array_types import F64

Row = Mapping[str, Any]

MEASURED = ("best", "cumulative", "bluffing", "loose", "aggressive", "winning", "cumulative_wins")
"""Columns of ``tests.csv`` beside the model, the seed and the scenario."""


@dataclass(frozen=True)
class SymbiosisStudy:
    """What is compared.

    Attributes:
        models: Names, or for those trained against Bayesian opponents too ``NAME+B``.
        seeds: How many of each.
        settings: Of all runs but for model and seed.
        first_seed: The smallest.

    Raises:
        ValueError: There is no such model, none, or no seed.
    """

    models: tuple[str, ...]
    seeds: int
    settings: SymbiosisSettings
    first_seed: int = 1

    def __post_init__(self) -> None:
        whole_number("seeds", self.seeds, least=1)
        if not self.models or len(set(self.models)) < len(self.models):
            raise ValueError(f"models must name at least one model, each once; got {self.models}")
        for model in self.models:
            self.of(model, self.first_seed)

    def of(self, model: str, seed: int) -> SymbiosisSettings:
        """The settings of a run."""
        name, plus, opponents = model.partition("+")
        if plus and opponents != "B":
            raise ValueError(f'a model is NAME, or NAME+B to train against "B" too; got {model!r}')
        return replace(self.settings, model=name, seed=seed, bayesian=4 if plus else 0)


def run_study(
    out: Path,
    study: SymbiosisStudy,
    library: MatchLibrary,
    *,
    workers: Workers,
    on_run: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[Mapping[str, Any]], None] = lambda _: None,
) -> list[dict[str, Any]]:
    """Trains what is not trained yet, tests everything, and writes the results after every seed.

    Args:
        out: The folder, new or of an earlier call.
        study: What to compare.
        library: Whose matches are played.
        workers: Threads that play; their number does not change the result.
        on_run: Told the name of every run that begins.
        on_generation: Told every line of metrics.

    Returns:
        The rows of ``tests.csv``.
    """
    out.mkdir(parents=True, exist_ok=True)
    test = TestSet.draw(library)
    rows = list[dict[str, Any]]()
    for seed in range(study.first_seed, study.first_seed + study.seeds):
        for model in study.models:
            name = f"{model}-{seed}"
            on_run(name)
            train_teams(
                out / name,
                study.of(model, seed),
                library,
                workers=workers,
                on_generation=on_generation,
            )
            rows += _test_run(out / name, model, seed, test, workers)
        files.write_csv(out / "tests.csv", rows)
        write_report(out, study, rows, test)
    return rows


def _test_run(
    path: Path, model: str, seed: int, test: TestSet, workers: Workers
) -> list[dict[str, Any]]:
    """Rows of a run, from its file or by testing it."""
    file = path / "tests.json"
    if file.is_file():
        known: list[dict[str, Any]] = files.read_json(file)
        return known
    run = load_run(path)
    rows = []
    found = play_test(test, match_players(run), workers=workers, betting=run.settings.betting)
    for scenario, outcomes in found.items():
        styles = styles_of(outcomes, test.is_weak(scenario))
        rows.append(
            {
                "model": model,
                "seed": seed,
                "scenario": scenario,
                "best": float(scores_of(outcomes).mean(axis=1).max()),
                "cumulative": float(cumulative_scores(outcomes)[-1]),
                "bluffing": float(styles.bluffing.mean()),
                "loose": float(styles.loose.mean()),
                "aggressive": float(styles.aggressive.mean()),
                "winning": float(styles.winning.mean()),
                "cumulative_wins": float(cumulative_wins(outcomes)[-1]),
            }
        )
    files.write_json(file, rows)
    return rows


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


def write_report(out: Path, study: SymbiosisStudy, rows: Sequence[Row], test: TestSet) -> Path:
    """Writes ``report.md`` and ``inputs.csv``: medians, ranks and tests; returns the report."""
    models = study.models
    parts = [f"# Symbiotic teams: {len(models)} models, {len(rows) // len(models) // 10} seeds\n"]
    for measured in ("best", "cumulative", "bluffing"):
        values = values_of(rows, models, measured)
        parts.append(_table(measured, models, values, test))
        if len(models) > 2:
            parts.append(_ranks(models, rank_test(np.median(values, axis=2))))
    usage = _usage(out, study)
    files.write_csv(out / "inputs.csv", usage)
    lines = [f"| {row['input']} | {100 * row['share']:.1f} |" for row in usage]
    parts.append("\n".join(["## inputs\n", "| input | % of teams |", "| --- | --- |", *lines, ""]))
    path = out / "report.md"
    files.write_whole(path, "\n".join(parts).encode())
    return path


def _table(measured: str, models: Sequence[str], values: F64, test: TestSet) -> str:
    """Medians with the 95% interval of the mean, where there are several seeds."""
    has_ceiling = measured == "cumulative"
    head = ["", *models, *(["ceiling"] if has_ceiling else [])]
    lines = [f"## {measured}\n", _line(head), _line(["---"] * len(head))]
    for i, scenario in enumerate(SCENARIOS):
        cells = [_cell(values[i, j]) for j in range(len(models))]
        if has_ceiling:
            cells.append(f"{test.ceiling(scenario):.3f}")
        lines.append(_line([scenario, *cells]))
    return "\n".join([*lines, ""])


def _cell(values: F64) -> str:
    low, high = Sample(tuple(values.tolist())).interval()
    reach = "" if np.isnan(low) else f" ± {(high - low) / 2:.3f}"
    return f"{np.median(values):.3f}{reach}"


def _ranks(models: Sequence[str], test: RankTest) -> str:
    ranks = ", ".join(f"{model} {rank:.2f}" for model, rank in zip(models, test.ranks, strict=True))
    better = [f"{models[i]} > {models[j]}" for i, j in test.pairs_that_differ()]
    return (
        f"Mean ranks: {ranks}. Friedman: chi-square {test.statistic:.2f}, p = {test.p:.2g}. "
        f"Nemenyi (critical distance {test.nemenyi:.3f}): {', '.join(better) or 'no difference'}. "
        f"Bonferroni-Dunn against one: {test.bonferroni_dunn:.3f}.\n"
    )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _usage(out: Path, study: SymbiosisStudy) -> list[dict[str, Any]]:
    """How many teams of all finished runs read each input."""
    teams = [
        team.programs
        for path in sorted(out.glob("*/tests.json"))
        for team in load_run(path.parent).teams
    ]
    return [{"input": name, "share": share} for name, share in input_usage(teams).items()]
