"""Models of diversity compared: several seeds of each, tested in ten scenarios.

A study is a folder with a folder for every run, ``ham_gen-1`` and so on. The work goes seed by seed
through all models; a study that is interrupted goes on where it was. It writes ``tests.csv`` (a row
for each run and scenario), ``inputs.csv`` and ``report.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.matches import MatchLibrary
from evolve.symbiosis.folder import train_teams
from evolve.symbiosis.report import write_report
from evolve.symbiosis.settings import SymbiosisSettings
from evolve.symbiosis.test_results import TestedRun, played_test
from evolve.symbiosis.test_suite import TestSet
from evolve.workers import Workers
from nlhe_env.arguments import whole_number


@dataclass(frozen=True)
class SymbiosisStudy:
    """Settings of a comparison of models.

    Attributes:
        models: Names; ``NAME+B`` trains against Bayesian opponents too, and ``NAME+L`` evolves
            teams of teams in the second half of its generations, or in the last ``second_layer`` of
            them where the settings say so.
        seeds: How many of each.
        settings: Settings of all runs but for model and seed. Where some models are ``NAME+L``, the
            others have no second layer.
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
        name, *more = model.split("+")
        if not {"B", "L"}.issuperset(more):
            raise ValueError(f"a model is NAME, NAME+B, NAME+L or NAME+B+L; got {model!r}")
        settings = replace(self.settings, model=name, seed=seed, bayesian=4 if "B" in more else 0)
        if "L" in more:
            half = settings.generations // 2
            return replace(settings, second_layer=settings.second_layer or half)
        some_have_one = any("L" in each.split("+")[1:] for each in self.models)
        return replace(settings, second_layer=0) if some_have_one else settings


def run_study(
    out: Path,
    study: SymbiosisStudy,
    library: MatchLibrary,
    *,
    workers: Workers,
    on_run: Callable[[str], None] = lambda _: None,
    on_generation: Callable[[Mapping[str, Any]], None] = lambda _: None,
    say: Callable[[str], None] = print,
) -> list[TestedRun]:
    """Trains what is not trained yet, tests everything, and writes the results after every seed.

    Args:
        out: The folder, new or of an earlier call.
        study: Settings of the comparison.
        library: Whose matches are played.
        workers: Threads that play; their number does not change the result.
        on_run: Called with the name of every run that begins.
        on_generation: Called with every line of metrics.
        say: Called with a message about a line of metrics that was damaged and has been mended.

    Returns:
        The tests of all runs.
    """
    out.mkdir(parents=True, exist_ok=True)
    test = TestSet.draw(library, betting=study.settings.betting)
    runs = list[TestedRun]()
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
                say=say,
            )
            runs.append(played_test(out / name, model, seed, test, workers))
        write_report(out, study.models, runs, test)
    return runs
