"""``nlhe study``."""

from __future__ import annotations

import dataclasses
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from agents.match.playing import prepare_game
from agents.match.workers.base import Workers
from agents.match.workers.parsing import parse_workers
from evolve.commands.common import SeedsOption, WorkersOption, parse_seeds
from evolve.commands.report import Reporter
from evolve.files.safe import duration
from evolve.theses.nicolai.study import (
    STEPS,
    Scale,
    Speeds,
    Step,
    Study,
    Unit,
    fitting_generations,
    measure_speeds,
    players_of,
    projected_seconds,
    projected_total,
    study_presets,
)
from evolve.training.comparison_players import missing_field
from nlhe_env.arguments import number
from nlhe_env.extras import install_command

_SHARE = 0.85
"""Planned share of the time budget; evolved players play longer than random ones."""
_FEW_S = 30.0
_MOST_HOURS = 1e6

Count = Annotated[int | None, tyro.conf.arg(metavar="N")]


@dataclass(frozen=True, kw_only=True)
class StudyCommand:
    """Repeat the published experiments in reduced size and compare the results.

    Repeat the command to continue an interrupted study. The scale is fixed at the start.
    """

    hours: Annotated[float, tyro.conf.arg(metavar="HOURS")] = 2.0
    """Time limit in hours for the whole study, including earlier parts; no step begins after it."""

    experiments: Annotated[tuple[str, ...], tyro.conf.arg(metavar="PRESET ...")] = ()
    """Presets to run; default: every published experiment."""

    seeds: SeedsOption = ""
    """Seeds of the runs of each experiment: their number, from 1 on, or FIRST-LAST; default: 3."""

    population: Count = None
    """Networks in the baseline; other sizes are in proportion; default: 100, published: 1000."""

    generations: Count = None
    """Generations per run; default: as many as the time limit allows; published: 500."""

    tournaments: Count = None
    """Tournaments per generation; default: 50, published: 500."""

    blocks: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Duplicate blocks per champion; default: 20000, published: 100000."""

    progress_tournaments: Count = None
    """Tournaments of every progress field, 0 for none; default: 2000, published: 10000 or
    100000."""

    study: Annotated[Path, tyro.conf.arg(metavar="FOLDER")] = Path("runs/study")
    """Folder of the study."""

    out: Annotated[Path, tyro.conf.arg(metavar="FOLDER")] = Path("study-report")
    """Folder for the report."""

    only: Literal["plan", "report"] | None = None
    """Play nothing: "plan" prints the projected time, "report" writes the report on finished steps;
    default: everything."""

    workers: WorkersOption = None

    def run(self, reporter: Reporter) -> None:
        """Plans, works and reports."""
        workers = parse_workers(self.workers)
        number("hours", self.hours, least=0, most=_MOST_HOURS, above=True)
        study = Study.open(self.study, say=reporter.say)
        scale = self._scale(study)
        if self.only == "report":
            if study is None:
                raise RuntimeError(f"there is no study in {self.study} yet")
            self._report(study, reporter)
            return
        prepare_game()
        with workers:
            if study is None:
                reporter.say("Measuring the speed of this machine.")
            speeds, scale = self._plan(scale, study, workers)
            self._say_plan(scale, speeds, study, reporter)
            if self.only == "plan":
                return
            study = study or Study.create(self.study, scale)
            try:
                self._work(study, speeds, workers, reporter)
            except KeyboardInterrupt:
                reporter.say(
                    "Interrupted; repeat the command to continue, or add --only report for what is "
                    "finished."
                )
                raise
            self._report(study, reporter)

    def _scale(self, study: Study | None) -> Scale:
        """Scale of the existing study, or of a new one.

        Raises:
            ValueError: A flag differs from the study, or is invalid.
        """
        first_seed, seeds = (None, None) if not self.seeds else parse_seeds(self.seeds)
        given = {
            "experiments": self.experiments or None,
            "seeds": seeds,
            "first_seed": first_seed,
            "population": self.population,
            "generations": self.generations,
            "tournaments": self.tournaments,
            "blocks": self.blocks,
            "progress_tournaments": self.progress_tournaments,
        }
        if study is None:
            usual = {
                "experiments": study_presets(),
                "seeds": 3,
                "first_seed": 1,
                "population": 100,
                "generations": 100,
                "tournaments": 50,
                "blocks": 20_000,
                "progress_tournaments": 2000,
            }
            chosen = {key: usual[key] if value is None else value for key, value in given.items()}
            return Scale(**chosen)  # type: ignore[arg-type]
        for key, value in given.items():
            now = getattr(study.scale, key)
            if value is not None and value != now:
                raise ValueError(
                    f"{key} is {now!r} in the study of {self.study} and {value!r} now; a study "
                    "keeps its scale: start another with --study FOLDER"
                )
        return study.scale

    def _plan(self, scale: Scale, study: Study | None, workers: Workers) -> tuple[Speeds, Scale]:
        configs = [scale.config(name, 1) for name in scale.experiments]
        sizes = {players_of(config) for config in configs} | {scale.generations}
        speeds = measure_speeds(sizes, configs[0], workers=workers)
        if study is None and self.generations is None:
            fitting = fitting_generations(scale, speeds, 3600.0 * self.hours * _SHARE)
            scale = dataclasses.replace(scale, generations=fitting)
        return speeds, scale

    def _say_plan(
        self, scale: Scale, speeds: Speeds, study: Study | None, reporter: Reporter
    ) -> None:
        reporter.say(
            f"{len(scale.experiments)} experiments, {scale.seeds} seeds each; population "
            f"{scale.population}, {scale.generations} generations of {scale.tournaments} "
            f"tournaments; {scale.blocks:,} blocks; progress fields of "
            f"{scale.progress_tournaments:,} tournaments"
        )
        if missing_field():
            reporter.say(
                "Left out of the opponents, because they do not exist: "
                f"{', '.join(missing_field())}"
            )
        total = projected_total(scale, speeds)
        rows = []
        for name in scale.experiments:
            unit = Unit(name, 1)
            steps = [projected_seconds(scale, unit, step, speeds) for step in STEPS]
            players = players_of(scale.config(name, 1))
            rows.append([name, str(players), *(duration(seconds) for seconds in steps)])
        reporter.show_table(("one run of", "players", *STEPS), rows)
        spent = math.fsum(study.seconds_spent().values()) if study else 0.0
        reporter.say(
            f"Projected from the speed of random networks: {duration(total)} in all; spent so far "
            f"{duration(spent)} of {duration(3600.0 * self.hours)}"
        )

    def _work(
        self,
        study: Study,
        speeds: Speeds,
        workers: Workers,
        reporter: Reporter,
    ) -> None:
        open_steps = [
            (unit, step) for unit in study.units() for step in STEPS if study.is_open(unit, step)
        ]
        projected = [
            projected_seconds(study.scale, unit, step, speeds) for unit, step in open_steps
        ]
        begin, planned = time.perf_counter(), 0.0
        before = math.fsum(study.seconds_spent().values())
        for i, (unit, step) in enumerate(open_steps):
            passed = time.perf_counter() - begin
            if before + passed > 3600.0 * self.hours:
                left = duration(math.fsum(projected[i:]))
                reporter.say(
                    f"The time is used up; {left} of work is left: continue with a larger --hours."
                )
                return
            with reporter.bar(f"{unit.experiment} {unit.seed} {step}", _amount(study, unit, step)):
                study.work(unit, step, workers=workers, on_progress=reporter.advance)
            planned += projected[i]
            passed = time.perf_counter() - begin
            # Scales the projection by the actual time of finished steps, once there are enough of
            # them.
            slower = (passed + _FEW_S) / (planned + _FEW_S)
            left_s = math.fsum(projected[i + 1 :]) * slower
            reporter.say(
                f"{i + 1}/{len(open_steps)} seed {unit.seed} {unit.experiment}: {step} done, "
                f"{duration(left_s)} left"
            )

    def _report(self, study: Study, reporter: Reporter) -> None:
        from evolve.theses.nicolai.study_report import write_report

        if not study.finished_runs():
            reporter.say("No report yet: no run is finished.")
            return
        try:
            reporter.say(f"Report: {write_report(study, self.out)}")
        except ImportError:
            reporter.say(
                "No report, since Matplotlib is not installed. To write it:\n"
                f"  {install_command('plot')} && nlhe study --only report "
                f"--study {study.path} --out {self.out}"
            )


def _amount(study: Study, unit: Unit, step: Step) -> int:
    """Number of games in a step, for the bar."""
    parts = study.scale.config(unit.experiment, unit.seed).optimizer.n_sub_populations
    if step == "train":
        return study.scale.generations * study.scale.tournaments
    if step == "evaluate":
        return parts * study.scale.blocks
    return parts * study.scale.progress_tournaments
