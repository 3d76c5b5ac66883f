"""``nlhe study compare`` for models of diversity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.match.workers.base import Workers
from evolve.commands.common import draw
from evolve.commands.compare import CompareOptions
from evolve.commands.report import Reporter
from evolve.commands.run_reporter import RunReporter
from evolve.theses.bonson.studies.models import ModelComparison, compare_models
from evolve.theses.bonson.studies.test_suite import reference_scores
from evolve.theses.bonson.symbiosis.models import GROUPS

_MODELS = ("no_div", "ham_gen")


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
