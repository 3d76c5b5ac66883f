"""Report of a study: a page with figures that compares our results with the published ones."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agents.measure.figures import (
    BLUE,
    GREY,
    LIGHT,
    ORANGE,
    SKY,
    new_figure,
    save_figure,
    without_frame,
)
from agents.statistics.estimates import CONFIDENCE, Sample, holm
from evolve.evaluation.evaluation_files import MeanPlaces, change
from evolve.evaluation.progress import Progress, draw_runs, load_fields
from evolve.files import safe as files
from evolve.files.safe import duration
from evolve.theses.nicolai.published import Finding, findings, load_published
from evolve.theses.nicolai.study import Study
from evolve.theses.nicolai.summary import Experiment, load_result, save_summary, summarise
from evolve.training.comparison_players import missing_field
from evolve.training.config_files import without_variant
from evolve.training.folder import RunFolder


def write_report(study: Study, out: Path) -> Path:
    """Writes ``index.md``, its figures and tables, from the finished runs of a study.

    Returns:
        The path of the page.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    out.mkdir(parents=True, exist_ok=True)
    folders, second = study.finished_runs(), study.measure_rest()
    experiments = summarise([load_result(folder) for folder in folders])
    decided = findings({one.name: one for one in experiments})
    save_summary(experiments, out)
    _save_findings(decided, out)
    _draw_places(experiments, out)
    _draw_gains(experiments, out)
    shown = _draw_progress(experiments, folders, out)
    parts = [
        *_introduction(study, experiments, decided),
        *_champions(experiments, second),
        *_findings(decided, study),
        *_field(experiments),
        *(_progress(experiments, shown) if shown else ()),
        *_circumstances(study, folders),
    ]
    page = out / "index.md"
    files.write_whole(page, ("\n\n".join(parts) + "\n").encode())
    return page


def _save_findings(decided: list[Finding], out: Path) -> None:
    rows = [
        {**dataclasses.asdict(one), "published_size": one.published_size, "p_holm": corrected}
        for one, corrected in zip(decided, _holm(decided), strict=True)
    ]
    files.write_csv(out / "findings.csv", rows)


def _holm(decided: list[Finding]) -> list[float]:
    """p-values of the claims, corrected for their number."""
    return holm([one.p for one in decided])


def _seats(experiments: list[Experiment]) -> int:
    return 1 + len(experiments[0].runs[0].opponents)


def _introduction(study: Study, experiments: list[Experiment], decided: list[Finding]) -> list[str]:
    published, scale = load_published(), study.scale
    runs = sum(len(one.runs) for one in experiments)
    planned = scale.seeds * len(scale.experiments)
    seats = _seats(experiments)
    parts = [
        "# The published experiments in a reduced size",
        f"**Question.** Do the experiments of {published.source} have the same results in a "
        "reduced size?",
        f"**Finding.** {_outcomes(decided, scale.seeds)}",
        "| size | here | published |\n| --- | --- | --- |\n"
        f"| population of the baseline | {scale.population} | {published.population} |\n"
        f"| generations | {scale.generations} | {published.generations} |\n"
        f"| tournaments per generation | {scale.tournaments} | {published.tournaments} |\n"
        f"| runs per experiment | {scale.seeds} | 1 |\n"
        f"| blocks per champion | {scale.blocks:,} | {published.blocks:,} |",
        f"{runs} of {planned} runs are finished. Places are means at duplicate tables of {seats} "
        "players, in tournaments that start with 1,000 chips and the published blinds: 1 is best, "
        f"{(seats + 1) / 2:g} the middle. The champions of one run are one "
        "sample of the method, so intervals are 95% t-intervals over the runs.",
    ]
    if missing_field():
        parts.append(
            f"Players missing from the published field: {', '.join(missing_field())}. With "
            f"{seats} players instead of 9 the places are on another scale than the published "
            "ones; only their order can be compared."
        )
    else:
        parts.append(
            "The players old-best, old-scratch and old-start are rebuilt from a description "
            "without numbers, so results against them are comparable in direction only."
        )
    return parts


def _champions(experiments: list[Experiment], second: MeanPlaces) -> list[str]:
    published = load_published()
    base = next((one for one in experiments if one.name == "baseline"), None)
    published_base = published.experiment("baseline")
    lines = [
        "| experiment | published places | against baseline | here: mean place | 95% interval "
        "| all alike | Folder's place | VPIP | fold to raise | cards move | runs "
        "| against baseline |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one in experiments:
        theirs = published.experiment(one.name)
        printed, printed_change = "", ""
        if theirs and published_base:
            printed = ", ".join(f"{place:.2f}" for place in theirs.controls)
            percent, _ = change(theirs.place, 0.0, published_base.place, 0.0)
            printed_change = f"{percent:+z.1f}%"
        ours_change = ""
        if base:
            percent, error = change(
                one.place.mean, one.place.error, base.place.mean, base.place.error
            )
            known = math.isfinite(error) and one is not base
            ours_change = f"{percent:+z.1f}%" + (f" ± {error:.1f}" if known else "")
        values = " ".join(f"{value:.2f}" for value in one.place.values)
        lines.append(
            f"| {one.name} | {printed} | {printed_change} | {one.place.mean:.3f} "
            f"| {_bounds(one.place.interval())} "
            f"| {'' if one.place_alike is None else f'{one.place_alike.mean:.3f}'} "
            f"| {_folder(one)} "
            f"| {_percent(one.style('voluntarily_in_pot'))} "
            f"| {_percent(one.style('fold_to_raise'))} "
            f"| {'' if one.cards is None else f'{one.cards.mean:.3f}'} | {values} | {ours_change} |"
        )
    lines.append(
        f"| *a second Folder* | | | {second.means[second.evaluated]:.3f} | | "
        f"| {second.means.get('folder', math.nan):.2f} | 0% | 100% | | | |"
    )
    return [
        "## Champions against the benchmark players (table 5.1)",
        "\n".join(lines),
        "With sub-populations, the thesis gives the place of every champion, and the table the "
        "mean over a run's champions. *Runs* lists the place for each seed. *Against baseline* is "
        "the change of the place in percent, where negative is better, ± one standard error. *All "
        "alike* is the mean place if the opponents interpret impossible actions as the champions "
        "do. *Folder's place*, and the champions' *VPIP* and *fold to raise*, are from the same "
        "tables. *Cards move* is the effect of exchanged cards on the champions' action "
        "probabilities (0 to 1; below 0.01 they play blind). *A second Folder* in the place of a "
        "champion folds to every bet. The figure truncates intervals that are wider than its "
        "range.",
        "![Mean places of the champions of every experiment, here and published](places.png)",
    ]


def _field(experiments: list[Experiment]) -> list[str]:
    opponents = sorted(
        experiments[0].runs[0].opponents,
        key=lambda name: float(np.mean([one.opponent(name).mean for one in experiments])),
    )
    lines = [
        f"| champions of | {' | '.join(opponents)} |",
        "| --- |" + " --- |" * len(opponents),
    ]
    lines += [
        f"| {one.name} | "
        + " | ".join(f"{one.opponent(name).mean:.2f}" for name in opponents)
        + " |"
        for one in experiments
    ]
    words = (
        "The table shows the mean places of the benchmark players at the tables of each "
        "experiment's champions."
    )
    if not missing_field():
        published = load_published().baseline_field
        cells = (f"{published[name]:.2f}" for name in opponents)
        lines.append(f"| *baseline, published* | {' | '.join(cells)} |")
        words += (
            " For these groups of players, the thesis gives only the mean at the baseline's "
            "tables: random, raiser, caller and call-or-raise, and old-best and old-scratch."
        )
    return ["## The other players at those tables", words, "\n".join(lines)]


def _findings(decided: list[Finding], study: Study) -> list[str]:
    lines = [
        "| claim | published difference | here | 95% interval | p | unit | outcome "
        "| published size |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one, corrected in zip(decided, _holm(decided), strict=True):
        printed = "" if one.published is None else f"{one.published:+z.2f}"
        here = "" if math.isnan(one.difference) else f"{one.difference:+z.2f}"
        interval = "" if math.isnan(one.low) else f"{one.low:+z.2f}..{one.high:+z.2f}"
        lines.append(
            f"| {one.claim} | {printed} | {here} | {interval} "
            f"| {'' if math.isnan(corrected) else f'{corrected:.2g}'} | {one.unit} | {one.outcome} "
            f"| {one.published_size} |"
        )
    sized = [one for one in decided if one.published_size]
    outside = sum(one.published_size == "outside" for one in sized)
    return [
        "## What agrees and what does not",
        "The 95% interval of a difference over the runs (Welch's t-interval between experiments) "
        "decides each claim. A result *agrees* if the whole interval lies on the claimed side of "
        "zero, *contradicts* if it lies on the other side, and is *undecided* if the interval "
        f"contains zero or there is a single run. With {study.scale.seeds} runs, intervals are "
        "wide; undecided does not mean equal. One claim in twenty is expected to come out wrong by "
        "chance. *p* is corrected for the number of claims by Holm's method.",
        _outcome_table(decided),
        "The last column says whether the published difference lies inside the interval, which "
        f"does not affect the outcome: {outside} of {len(sized)} lie outside.",
        "\n".join(lines),
        "Differences are the first-named experiment or player minus the second, negative where the "
        "first is better; against several players, the closest one counts. Progress is the mean "
        "place of the last fifth of the generations minus that of the first fifth.",
    ]


def _counts(decided: list[Finding]) -> dict[str, tuple[int, int]]:
    """Claims by outcome, and those still decided after the correction for their number."""
    corrected = _holm(decided)
    return {
        outcome: (
            sum(one.outcome == outcome for one in decided),
            sum(
                one.outcome == outcome and p < 1.0 - CONFIDENCE
                for one, p in zip(decided, corrected, strict=True)
            ),
        )
        for outcome in ("agrees", "contradicts", "undecided", "not tested")
    }


def _outcomes(decided: list[Finding], seeds: int) -> str:
    counts = _counts(decided)
    agree, still = counts["agrees"]
    contradict, still_contradict = counts["contradicts"]
    untested = counts["not tested"][0]
    return (
        f"With {seeds} seeds per experiment, {agree} of {len(decided)} published claims agree with "
        f"our results, {contradict} contradict them and {counts['undecided'][0]} are undecided"
        + (f"; {untested} were not tested" if untested else "")
        + f". After correction for their number, {still} and {still_contradict} of "
        "these outcomes remain."
    )


def _outcome_table(decided: list[Finding]) -> str:
    lines = ["| outcome | claims | with p below 0.05 |", "| --- | --- | --- |"]
    for outcome, (count, still) in _counts(decided).items():
        if count:
            last = still if outcome in ("agrees", "contradicts") else ""
            lines.append(f"| {outcome} | {count} | {last} |")
    return "\n".join([*lines, f"| all | {len(decided)} | |"])


def _progress(experiments: list[Experiment], shown: set[str]) -> list[str]:
    parts = [
        "## Progress over the generations",
        "As published, the best players of all generations of a run play as one field. Higher "
        "curves are better; thin lines are mean places, and thick lines are smoothed. The *gain* "
        "is the mean place of the last fifth of the generations minus that of the first fifth, in "
        "percent of the field, with its 95% interval over the runs; it is negative for progress.",
        "![Gains of all experiments with their intervals](gains.png)",
    ]
    for one in sorted(experiments, key=_published_order):
        theirs = load_published().experiment(one.name)
        if one.name not in shown or one.gain is None:
            continue
        parts.append(f"### {one.name}")
        if theirs:
            parts.append(f"Published (figure {theirs.figure}): {theirs.progress}")
        low, high = (100.0 * bound for bound in one.gain.interval())
        interval = "" if math.isnan(low) else f", 95% interval {low:+z.1f}..{high:+z.1f}"
        parts.append(f"![Places by generation: {one.name}](progress-{one.name}.png)")
        parts.append(f"Here: gain {100 * one.gain.mean:+z.1f}% of the field{interval}.")
    return parts


def _circumstances(study: Study, folders: list[RunFolder]) -> list[str]:
    about: dict[str, Any] = files.read_json(folders[0].path / "about.json")
    versions = ", ".join(f"{name} {version}" for name, version in about["packages"].items())
    spent = study.seconds_spent()
    steps = ", ".join(f"{step} {duration(seconds)}" for step, seconds in spent.items())
    scale = dataclasses.asdict(study.scale)
    flags = " ".join(
        f"--{key.replace('_', '-')} {' '.join(value) if isinstance(value, tuple) else value}"
        for key, value in scale.items()
    )
    return [
        "## How to reproduce it",
        f"```sh\nnlhe study {flags}\n```",
        "The command writes the report. Its numbers do not depend on the number of threads, and "
        "are in [summary.csv](summary.csv), "
        "[summary-tests.csv](summary-tests.csv) (all pairs of experiments), "
        "[findings.csv](findings.csv) and [summary.json](summary.json) (every run).",
        f"Machine: {about['platform']}, {about['machine']}, {about['cores']} cores. Python "
        f"{about['python']}, {versions}. Time: {duration(math.fsum(spent.values()))} ({steps}).",
    ]


def _draw_places(experiments: list[Experiment], out: Path) -> None:
    comparable = _seats(experiments) == 1 + len(load_published().baseline_field)
    estimates = []
    for one in experiments:
        theirs = load_published().experiment(one.name)
        published = theirs.controls if theirs and comparable else ()
        interval = one.place.interval()
        estimates.append(
            EstimateRow(one.name, one.place.values, one.place.mean, *interval, published)
        )
    seats = _seats(experiments)
    draw_estimates(
        estimates,
        out / "places.png",
        axis=f"mean place of {seats} at duplicate tables (1 is best)",
        title="Champions against the benchmark players",
        reference=(seats + 1) / 2,
    )


def _draw_gains(experiments: list[Experiment], out: Path) -> None:
    estimates = []
    for one in experiments:
        if one.gain is not None:
            values = [100.0 * value for value in one.gain.values]
            low, high = (100.0 * bound for bound in one.gain.interval())
            estimates.append(EstimateRow(one.name, values, 100.0 * one.gain.mean, low, high))
    if not estimates:
        return
    estimates.sort(key=lambda estimate: estimate.mean)
    draw_estimates(
        estimates,
        out / "gains.png",
        axis="last fifth against first fifth of generations, % of the field (right is progress)",
        title="Progress of the experiments",
        reference=0.0,
    )


def _draw_progress(experiments: list[Experiment], folders: list[RunFolder], out: Path) -> set[str]:
    """Draws the progress of every experiment; returns the names of the experiments drawn."""
    drawn = set()
    for one in experiments:
        panels: dict[int, list[tuple[str, Progress]]] = {}
        for folder in folders:
            config = folder.load_config()
            if config.name == one.name:
                for field in load_fields(folder.path):
                    runs = panels.setdefault(field.sub_population, [])
                    runs.append((f"seed {config.seed}", field))
        if panels:
            path = out / f"progress-{one.name}.png"
            title = f"{one.name}: best players of all generations"
            draw_runs([panels[part] for part in sorted(panels)], path, title=title)
            drawn.add(one.name)
    return drawn


def _published_order(experiment: Experiment) -> int:
    names = [one.name for one in load_published().experiments]
    plain = without_variant(experiment.name)
    return names.index(plain) if plain in names else len(names)


def _folder(experiment: Experiment) -> str:
    known = "folder" in experiment.runs[0].opponents
    return f"{experiment.opponent('folder').mean:.2f}" if known else ""


def _percent(sample: Sample | None) -> str:
    return "" if sample is None else f"{100.0 * sample.mean:.0f}%"


def _bounds(interval: tuple[float, float]) -> str:
    low, high = interval
    return "" if math.isnan(low) else f"{low:.2f}..{high:.2f}"


@dataclasses.dataclass(frozen=True)
class EstimateRow:
    """One row of ``draw_estimates``.

    Attributes:
        name: Label of the row.
        values: One value per run.
        mean: Mean of the values.
        low: Lower bound of the mean; nan if unknown.
        high: Upper bound.
        published: The published values to compare with.
    """

    name: str
    values: Sequence[float]
    mean: float
    low: float
    high: float
    published: Sequence[float] = ()


def draw_estimates(
    estimates: Sequence[EstimateRow],
    path: Path,
    *,
    axis: str,
    title: str,
    reference: float | None = None,
) -> Path:
    """Draws rows of means with intervals, the single runs, and the published values.

    The values are places or differences of places. Smaller is better, so smaller values are at the
    right, and the best row should come first.

    Args:
        estimates: Rows from top to bottom.
        path: The PNG to write.
        axis: Label of the values.
        title: Title of the figure.
        reference: A value to mark with a dotted line.
    """
    figure = new_figure(7.5, 1.3 + 0.36 * len(estimates))
    axes = figure.subplots()
    bounds: list[float] = []
    for row, estimate in enumerate(estimates):
        bounds += [*estimate.values, *estimate.published, estimate.mean]
        runs = "single runs" if row == 0 else None
        axes.plot(
            estimate.values, np.full(len(estimate.values), row + 0.2), "o",
            color=SKY, markersize=4, label=runs,
        )  # fmt: skip
        if np.isfinite(estimate.low):
            axes.plot([estimate.low, estimate.high], [row, row], color=BLUE, linewidth=1.6)
        mean = "mean over seeds, 95% interval" if row == 0 else None
        axes.plot([estimate.mean], [row], "s", color=BLUE, markersize=6, label=mean)
        if estimate.published:
            axes.plot(
                estimate.published, np.full(len(estimate.published), row - 0.2), "D",
                color=ORANGE, markersize=5, markerfacecolor="none",
            )  # fmt: skip
    if any(estimate.published for estimate in estimates):
        axes.plot(
            [], [], "D", color=ORANGE, markersize=5, markerfacecolor="none", label="published"
        )
    if reference is not None:
        axes.axvline(reference, color=GREY, linewidth=0.8, linestyle=":")
    # With few seeds an interval can be much wider than the points; it is cut at the scale.
    reach = max(max(bounds) - min(bounds), 0.1)
    lows = [estimate.low for estimate in estimates if np.isfinite(estimate.low)]
    highs = [estimate.high for estimate in estimates if np.isfinite(estimate.high)]
    axes.set_xlim(
        min(max([*bounds, *highs]), max(bounds) + 0.6 * reach) + 0.04 * reach,
        max(min([*bounds, *lows]), min(bounds) - 0.6 * reach) - 0.04 * reach,
    )
    axes.set_yticks(range(len(estimates)), [estimate.name for estimate in estimates])
    axes.set_ylim(len(estimates) - 0.5, -0.5)
    axes.set_xlabel(axis)
    axes.set_title(title, fontsize=10)
    axes.grid(axis="x", color=LIGHT, linewidth=0.4)
    without_frame(axes)
    figure.legend(fontsize=8, loc="outside lower center", ncols=3)
    return save_figure(figure, path)
