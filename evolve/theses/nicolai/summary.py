"""Summary of several runs: every experiment as the mean over its seeds.

The champions of one run, one for each sub-population, share their whole history. Their mean is one
sample of the method, so intervals and tests count seeds, not champions or blocks.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from agents.match.style import STYLE_STATS
from agents.statistics.estimates import Sample, holm
from evolve.evaluation.behaviour.permutation_importance import (
    PermutationImportance,
    load_importance,
)
from evolve.evaluation.evaluation_files import ALIKE, MeanPlaces, file_stem, load_places
from evolve.evaluation.progress import load_fields
from evolve.files import safe as files
from evolve.training.folder import RunFolder


@dataclass(frozen=True)
class RunResult:
    """Results of one run.

    Attributes:
        run: Its folder.
        experiment: Name of its configuration.
        seed: Its seed.
        controls: Mean place of the champion of each sub-population at duplicate tables.
        opponents: Mean place of every opponent, averaged over those tables.
        gains: Gain of every progress field as a share of the field, negative for progress; empty
            if it was not measured.
        styles: Measures of style of the champions by name, their mean; empty if unknown.
        importance: Permutation importance for the best champion; None if not measured.
        alike: As ``controls``, at tables of opponents that interpret illegal actions as the
            champions do; empty if not played.
    """

    run: str
    experiment: str
    seed: int
    controls: tuple[float, ...]
    opponents: dict[str, float]
    gains: tuple[float, ...]
    styles: dict[str, float] = field(default_factory=dict)
    importance: PermutationImportance | None = None
    alike: tuple[float, ...] = ()

    @property
    def place(self) -> float:
        """Mean place of the champions."""
        return float(np.mean(self.controls))


@dataclass(frozen=True)
class Experiment:
    """The runs of one configuration.

    Attributes:
        name: Name of the configuration.
        runs: Its runs, by seed.
    """

    name: str
    runs: tuple[RunResult, ...]

    @property
    def place(self) -> Sample:
        """Mean place of the champions, one value per run."""
        return Sample(tuple(run.place for run in self.runs))

    @property
    def place_alike(self) -> Sample | None:
        """Mean place among opponents that interpret actions alike, one value per run."""
        if not all(run.alike for run in self.runs):
            return None
        return Sample(tuple(float(np.mean(run.alike)) for run in self.runs))

    @property
    def gain(self) -> Sample | None:
        """Relative gain of the progress fields, one value per measured run."""
        values = tuple(float(np.mean(run.gains)) for run in self.runs if run.gains)
        return Sample(values) if values else None

    def style(self, name: str) -> Sample | None:
        """A style statistic of the champions, one value per run; None if any run lacks it."""
        if any(name not in run.styles for run in self.runs):
            return None
        return Sample(tuple(run.styles[name] for run in self.runs))

    @property
    def cards(self) -> Sample | None:
        """Importance of the cards for the champions, one value per run; None if unknown."""
        seen = [run.importance.cards for run in self.runs if run.importance is not None]
        moved = [value for value in seen if value is not None]
        return Sample(tuple(moved)) if len(moved) == len(self.runs) else None

    def opponent(self, name: str) -> Sample:
        """Mean place of one opponent, one value per run."""
        return Sample(tuple(run.opponents[name] for run in self.runs))

    def ahead_of(self, name: str) -> Sample:
        """Place of the champions minus that of one opponent, per run; negative is better."""
        return Sample(tuple(run.place - run.opponents[name] for run in self.runs))

    def row(self) -> dict[str, Any]:
        """The experiment as a row of a table."""
        low, high = self.place.interval()
        row: dict[str, Any] = {
            "experiment": self.name,
            "runs": len(self.runs),
            "mean_place": self.place.mean,
            "low": low,
            "high": high,
            "deviation": self.place.deviation,
            "best": min(self.place.values),
            "worst": max(self.place.values),
        }
        shown = {name: self.style(name) for name in ("voluntarily_in_pot", "fold_to_raise")}
        row |= {name: sample.mean for name, sample in shown.items() if sample}
        row |= {"cards_move": self.cards.mean} if self.cards else {}
        row |= {"mean_place_alike": self.place_alike.mean} if self.place_alike else {}
        if self.gain is not None:
            gain_low, gain_high = self.gain.interval()
            row |= {"gain": self.gain.mean, "gain_low": gain_low, "gain_high": gain_high}
        return row


def find_runs(paths: Iterable[Path]) -> list[RunFolder]:
    """Run folders among the paths, and in folders of runs among them.

    Raises:
        ValueError: A path is neither a run folder nor a folder of runs.
    """
    found: dict[Path, RunFolder] = {}
    for path in paths:
        inside = sorted(file.parent for file in path.glob("*/config.toml"))
        if (path / "config.toml").is_file():
            inside = [path]
        if not inside:
            raise ValueError(f"{path} is neither a run folder nor a folder of runs")
        for run in inside:
            found[run.resolve()] = RunFolder.open(run)
    return list(found.values())


def is_evaluated(folder: RunFolder) -> bool:
    """Whether every champion of a run has been evaluated."""
    count = folder.sub_populations
    return all((folder.path / f"{file_stem(i, count)}.json").exists() for i in range(count))


def load_result(folder: RunFolder) -> RunResult:
    """Results of a run, from its evaluation and progress fields.

    Raises:
        ValueError: A champion has not been evaluated yet.
    """
    config, count = folder.load_config(), folder.sub_populations
    evaluations = [load_places(folder.path / f"{file_stem(i, count)}.json") for i in range(count)]
    names = _opponents(evaluations[0])
    if any(_opponents(evaluation) != names for evaluation in evaluations):
        raise ValueError(f"{folder.path}: its champions were evaluated against different opponents")
    return RunResult(
        run=str(folder.path),  # folders of several studies have the same names
        experiment=config.name,
        seed=config.seed,
        controls=tuple(evaluation.means[evaluation.evaluated] for evaluation in evaluations),
        opponents={
            name: float(np.mean([evaluation.means[name] for evaluation in evaluations]))
            for name in names
        },
        gains=tuple(one.relative_gain for one in load_fields(folder.path)),
        styles=_styles([folder.path / f"{file_stem(i, count)}.json" for i in range(count)]),
        importance=load_importance(folder.path),
        alike=tuple(
            places.means[places.evaluated]
            for i in range(count)
            if (places := _places_alike(folder.path / f"{file_stem(i, count)}{ALIKE}.json"))
        ),
    )


def _places_alike(path: Path) -> MeanPlaces | None:
    return load_places(path) if path.exists() else None


def _styles(paths: Sequence[Path]) -> dict[str, float]:
    """Mean style statistics of the evaluated players in stored evaluations."""
    rows = [
        next(row for row in files.read_json(path)["players"] if row["evaluated"]) for path in paths
    ]
    found = {name: [row.get(name) for row in rows] for name in STYLE_STATS}
    return {name: float(np.mean(values)) for name, values in found.items() if None not in values}


def comparable(
    results: Sequence[RunResult],
) -> tuple[list[RunResult], list[tuple[RunResult, str]]]:
    """Runs that one summary can show together, and the reason to leave out each other run.

    The largest group of runs evaluated against the same opponents stays. Of its runs of the same
    experiment and seed, the last one stays.

    Returns:
        The runs that stay, and the others with the reason to leave them out.
    """
    opponents = Counter(frozenset(result.opponents) for result in results)
    usual = opponents.most_common(1)[0][0] if results else frozenset()
    alike = [result for result in results if frozenset(result.opponents) == usual]
    last = {(result.experiment, result.seed): result for result in alike}
    shown, left_out = list[RunResult](), list[tuple[RunResult, str]]()
    for result in results:
        if frozenset(result.opponents) != usual:
            left_out.append((result, "evaluated against different opponents from most"))
        elif (newest := last[result.experiment, result.seed]) is not result:
            left_out.append((result, f"{newest.run} has the same experiment and seed"))
        else:
            shown.append(result)
    return shown, left_out


def summarise(results: Sequence[RunResult]) -> list[Experiment]:
    """Experiments of the runs, best first.

    Raises:
        ValueError: Two runs have the same experiment and seed, or the opponents differ.
    """
    by_name: dict[str, dict[int, RunResult]] = {}
    for result in results:
        seeds = by_name.setdefault(result.experiment, {})
        if result.seed in seeds:
            raise ValueError(
                f"{result.run} and {seeds[result.seed].run} are both {result.experiment} with seed "
                f"{result.seed}; a seed counts once"
            )
        if set(result.opponents) != set(results[0].opponents):
            raise ValueError(
                f"{result.run} and {results[0].run} were evaluated against different opponents "
                f"({', '.join(sorted(result.opponents))}; "
                f"{', '.join(sorted(results[0].opponents))}): evaluate them against the same"
            )
        seeds[result.seed] = result
    experiments = [
        Experiment(name, tuple(seeds[seed] for seed in sorted(seeds)))
        for name, seeds in by_name.items()
    ]
    return sorted(experiments, key=lambda experiment: (experiment.place.mean, experiment.name))


def order_tests(experiments: Sequence[Experiment]) -> list[dict[str, Any]]:
    """Welch's t-test over the seeds for every pair of experiments, with Holm's correction."""
    pairs = list(combinations(experiments, 2))
    tests = [first.place.compare(second.place, lower_is_better=True) for first, second in pairs]
    together = holm([test.p for test in tests])
    rows = []
    for (first, second), test, corrected in zip(pairs, tests, together, strict=True):
        low, high = test.interval()
        rows.append(
            {
                "first": first.name,
                "second": second.name,
                "difference": test.difference,
                "low": low,
                "high": high,
                "t": test.t,
                "degrees": test.degrees,
                "p": test.p,
                "p_holm": corrected,
                "verdict": test.verdict,
            }
        )
    return rows


def save_summary(experiments: Sequence[Experiment], folder: Path) -> list[Path]:
    """Writes ``summary.json``, ``summary.csv`` and ``summary-tests.csv`` and returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, tests = [experiment.row() for experiment in experiments], order_tests(experiments)
    paths = [folder / name for name in ("summary.json", "summary.csv", "summary-tests.csv")]
    runs = [dataclasses.asdict(run) for experiment in experiments for run in experiment.runs]
    for run in runs:
        del run["run"]  # the name of a run folder is a time
    content = {"experiments": rows, "tests": tests, "runs": runs}
    files.write_json(paths[0], files.without_infinities(content))
    files.write_csv(paths[1], rows)
    files.write_csv(paths[2], tests)
    return paths


def _opponents(places: MeanPlaces) -> tuple[str, ...]:
    return tuple(sorted(name for name in places.means if name != places.evaluated))
