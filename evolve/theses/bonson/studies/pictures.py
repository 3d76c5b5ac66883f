"""Pictures of a study; higher is better. Needs Matplotlib (extra ``plot``).

Source of the pictures: J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS
thesis, Dalhousie University, 2016), figures 5.5 to 5.10, A.1, A.2 and B.1 to B.9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.measure.figures import GREY, LINES, line_look, new_figure, save_figure
from agents.statistics.estimates import Sample
from evolve.studies import run_name
from evolve.theses.bonson.studies.test_suite import OPPONENTS, References, TestedRun
from evolve.training.folder import RunFolder
from nlhe_env.jit.array_types import F64

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_HANDS = {"b": "balanced", "u": "unbalanced"}
_STYLED = ("bB", "uB")
_STYLES = {
    "loose": "hands played (tight to loose)",
    "aggressive": "raises among calls and raises",
    "bluffing": "bluffing",
    "winning": "hands won",
}
_LOGGED = {
    "mean_fitness": "mean fitness",
    "mean_diversity": "mean diversity",
    "validation_best": "best at validation",
    "champion": "champion, other matches",
}


def draw_study(
    out: Path, models: Sequence[str], runs: Sequence[TestedRun], references: References
) -> list[Path]:
    """Draws the training, cumulative scores and wins, styles, and bluffing of a study.

    Args:
        out: Folder of the study, also for the pictures.
        models: Names of the models in the order of the legends.
        runs: Runs of these models.
        references: Scores of other players in the same scenarios.

    Returns:
        Paths of the pictures.

    Raises:
        ImportError: Matplotlib is not installed.
    """
    by_model = {model: [run for run in runs if run.model == model] for model in models}
    return [
        _draw_training(out, by_model),
        _draw_curves(out, by_model, references),
        _draw_wins(out, by_model),
        _draw_styles(out, by_model),
        _draw_bluffing(out, by_model),
    ]


_Runs = Mapping[str, Sequence[TestedRun]]


def _draw_training(out: Path, by_model: _Runs) -> Path:
    """Figures A.1 and A.2: scores of the runs by generation."""
    figure = new_figure(11, 7)
    panels = figure.subplots(2, 2).ravel()
    for (column, label), axes in zip(_LOGGED.items(), panels, strict=True):
        for i, (model, runs) in enumerate(by_model.items()):
            folders = [RunFolder.open(out / run_name(model, run.seed)) for run in runs]
            logs = [folder.metrics() for folder in folders]
            logged = [[line for line in log if column in line] for log in logs]
            if logged[0]:
                generations = np.array([line["generation"] for line in logged[0]])
                values = np.array([[line[column] for line in log] for log in logged])
                _band(axes, generations, values, i, model)
        axes.set(xlabel="generation", ylabel=label)
    return _finish(figure, panels[0], out / "training.png", "mean of the runs, 95% interval")


def _draw_curves(out: Path, by_model: _Runs, references: References) -> Path:
    """Figures B.1 to B.9: cumulative scores of the best team, the best two teams, and so on."""
    figure = new_figure(17, 7)
    panels = figure.subplots(2, len(OPPONENTS))
    for row, hands in zip(panels, _HANDS, strict=True):
        for opponent, axes in zip(OPPONENTS, row, strict=True):
            scenario = hands + opponent
            for i, (model, runs) in enumerate(by_model.items()):
                teams = np.arange(1, runs[0].measures["score"].shape[1] + 1)
                curves = np.array([run.of("cumulative", scenario) for run in runs])
                _band(axes, teams, curves, i, model)
                alone = np.array([np.sort(run.of("score", scenario))[::-1] for run in runs])
                axes.plot(
                    teams,
                    alone.mean(axis=0),
                    color=LINES[i % len(LINES)],
                    linewidth=0.8,
                    linestyle=":",
                )
            _mark(axes, references[scenario])
            axes.set(title=f"{opponent}, {_HANDS[hands]}", xlabel="teams, best first")
        row[0].set_ylabel("score")
    title = "score of the best team of each match, with 95% intervals; dotted: each team alone"
    return _finish(figure, panels[0, 1], out / "curves.png", title)


def _draw_wins(out: Path, by_model: _Runs) -> Path:
    """Figure 5.10: cumulative scores and wins, which tell more hands won from more won per hand."""
    scenarios = "bB", "bLA", "bTP"
    figure = new_figure(12, 7)
    panels = figure.subplots(2, len(scenarios))
    measures = {"cumulative": "cumulative score", "cumulative_wins": "cumulative wins"}
    for row, (measure, label) in zip(panels, measures.items(), strict=True):
        for scenario, axes in zip(scenarios, row, strict=True):
            for i, (model, runs) in enumerate(by_model.items()):
                curves = np.array([run.of(measure, scenario) for run in runs])
                _band(axes, np.arange(1, curves.shape[1] + 1), curves, i, model)
            axes.set(title=f"{scenario[1:]}, balanced", xlabel="teams, best first")
        row[0].set_ylabel(label)
    return _finish(figure, panels[0, 0], out / "wins.png", "mean of the runs, 95% interval")


def _draw_styles(out: Path, by_model: _Runs) -> Path:
    """Figures 5.6 to 5.9: styles of all teams, and their scores."""
    figure = new_figure(18, 7.5)
    panels = figure.subplots(len(_STYLED), 1 + len(_STYLES))
    for row, scenario in zip(panels, _STYLED, strict=True):

        def scatter(axes: Axes, across: str, up: str, scenario: str = scenario) -> None:
            for i, (model, runs) in enumerate(by_model.items()):
                x, y = _all(runs, across, scenario), _all(runs, up, scenario)
                look = line_look(i, len(x))
                means = {"color": look["color"], "linestyle": look["linestyle"], "linewidth": 0.8}
                points = look | {"linestyle": "none", "markevery": 1}
                axes.plot(x, y, alpha=0.6, label=model, **points)
                axes.axvline(x.mean(), **means)
                axes.axhline(y.mean(), **means)

        scatter(row[0], "aggressive", "loose")
        row[0].set(xlabel=_STYLES["aggressive"], ylabel=_STYLES["loose"])
        for axes, (measure, label) in zip(row[1:], _STYLES.items(), strict=True):
            scatter(axes, measure, "score")
            axes.set(xlabel=label, ylabel="score")
        row[0].set_title(f"against B, {_HANDS[scenario[0]]} hands", loc="left")
    title = "every team of every run; lines: means of the model"
    return _finish(figure, panels[0, 0], out / "styles.png", title)


def _draw_bluffing(out: Path, by_model: _Runs) -> Path:
    """Figure 5.5: bluffing frequencies of the teams of each model."""
    figure = new_figure(11, 4)
    panels = figure.subplots(1, len(_STYLED), sharey=True)
    for axes, scenario in zip(panels, _STYLED, strict=True):
        axes.boxplot(
            [_all(runs, "bluffing", scenario) for runs in by_model.values()],
            tick_labels=list(by_model),
            showmeans=True,
        )
        axes.tick_params(axis="x", rotation=40)
        axes.set_title(f"against B, {_HANDS[scenario[0]]} hands", fontsize=9)
    panels[0].set_ylabel("bluffing")
    return save_figure(figure, out / "bluffing.png")


def _all(runs: Sequence[TestedRun], measure: str, scenario: str) -> F64:
    """Values of a measure for all teams."""
    return np.concatenate([run.of(measure, scenario) for run in runs])


def _band(axes: Axes, x: F64, values: F64, i: int, label: str) -> None:
    """Draws the mean of ``(runs, points)`` values as line ``i``, with its 95% interval."""
    look = line_look(i, len(x))
    axes.plot(x, values.mean(axis=0), linewidth=1.4, label=label, **look)
    if len(values) > 1:
        bounds = np.array([Sample(tuple(each.tolist())).interval() for each in values.T])
        axes.fill_between(x, *bounds.T, color=look["color"], alpha=0.15, linewidth=0)


def _mark(axes: Axes, scores: Mapping[str, float]) -> None:
    """Draws horizontal lines at the scores of other players."""
    for style, (name, score) in zip(_MARKS, scores.items(), strict=False):
        if np.isfinite(score):
            axes.axhline(score, color=GREY, linewidth=0.9, linestyle=style, label=name)


_MARKS: tuple[str | tuple[int, tuple[int, ...]], ...] = ("-", "--", "-.", (0, (1, 1)))


def _finish(figure: Figure, first: Axes, path: Path, title: str) -> Path:
    """Adds the title, and the first panel's legend below all panels."""
    handles, labels = first.get_legend_handles_labels()
    figure.legend(handles, labels, fontsize=8, loc="outside lower center", ncols=7)
    figure.suptitle(title, fontsize=9)
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    return save_figure(figure, path)
