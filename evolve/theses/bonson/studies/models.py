"""Comparison of diversity models over several seeds, tested in ten scenarios.

The results are ``tests.csv`` (a row for each run and scenario), ``inputs.csv`` and ``report.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.match.workers.base import Workers
from agents.theses.bonson.dealt import load_matches
from evolve.commands.common import draw
from evolve.commands.compare import CompareOptions
from evolve.commands.report import Reporter
from evolve.commands.run_reporter import RunReporter
from evolve.studies import Comparison, train_runs
from evolve.theses.bonson.match_schedule import betting_rule
from evolve.theses.bonson.studies.report import write_report
from evolve.theses.bonson.studies.test_suite import (
    TestedRun,
    TestSet,
    played_test,
    reference_scores,
)
from evolve.theses.bonson.symbiosis.optimizer import SymbiosisSettings
from evolve.theses.bonson.symbiosis.selection import GROUPS
from evolve.training.config import Config
from evolve.training.config_files import load_preset
from evolve.training.run import RunCallback

BAYESIAN = 4
"""Number of Bayesian opponents of ``NAME+B``."""
_MODELS = ("no_div", "ham_gen")


class ModelComparison(Comparison):
    """Settings of a comparison of diversity models, with a preset of symbiotic evolution.

    ``NAME+B`` also trains against Bayesian opponents. ``NAME+L`` evolves teams of teams in the
    second half of its generations, or after ``layer_after`` generations if that is set. The other
    models then have one layer.
    """

    called = "models"

    def config(self, variant: str, seed: int) -> Config:
        """Configuration of the preset with this model."""
        name, *more = variant.split("+")
        if not {"B", "L"}.issuperset(more):
            raise ValueError(f"a model must be NAME, NAME+B, NAME+L or NAME+B+L; got {variant!r}")
        config = load_preset(self.preset).with_values(**{**self.changes, "seed": seed})
        if not isinstance(config.optimizer, SymbiosisSettings):
            raise ValueError('models need the optimizer "symbiosis", as in preset "sbb"')
        layer_after = config.optimizer.layer_after
        if "L" in more:
            layer_after = layer_after or config.generations - config.generations // 2
        elif any("L" in each.split("+")[1:] for each in self.variants):
            layer_after = 0
        config = config.with_values(model=name, layer_after=layer_after)
        return config.with_values(bayesian=BAYESIAN) if "B" in more else config

    def test_set(self) -> TestSet:
        """The matches of the test."""
        game = self.config(self.variants[0], self.first_seed).make_game()
        return TestSet.draw(load_matches(), betting=betting_rule(game))


def compare_models(
    out: Path,
    comparison: ModelComparison,
    test: TestSet,
    *,
    workers: Workers,
    listener: RunCallback,
    say: Callable[[str], None],
) -> list[TestedRun]:
    """Trains unfinished runs, tests all runs, and writes the results after every seed.

    The arguments are those of ``evolve.studies.train_runs`` and the test.

    Returns:
        The tests of all runs.
    """
    tested = list[TestedRun]()
    trained = train_runs(out, comparison, workers=workers, listener=listener, say=say)
    for model, seed, folder in trained:
        tested.append(played_test(folder, model, seed, test, workers))
        if len(tested) % len(comparison.variants) == 0:
            write_report(out, comparison.variants, tested, test)
    return tested


def compare(
    command: CompareOptions, options: dict[str, Any], workers: Workers, reporter: Reporter
) -> None:
    """Trains teams by each model, tests all teams in ten scenarios, and draws the results.

    Args:
        command: The command, with the names of the models and the folder.
        options: Preset, changed values and seeds, for ``ModelComparison``.
        workers: Workers for the games.
        reporter: Shows progress and results.
    """
    models = tuple(
        model
        for variant in command.variants or _MODELS
        for model in GROUPS.get(variant, (variant,))
    )
    comparison = ModelComparison(variants=models, **options)
    test = comparison.test_set()
    listener = RunReporter(reporter, every_s=15.0)
    runs = compare_models(
        command.out, comparison, test, workers=workers, listener=listener, say=reporter.say
    )
    references = reference_scores(test, workers=workers)
    reporter.say(f"Report: {command.out / 'report.md'}")

    def pictures() -> Path:
        from evolve.theses.bonson.studies.pictures import draw_study

        return draw_study(command.out, models, runs, references)[0].parent

    draw(pictures, reporter, again="study compare with the same options")
