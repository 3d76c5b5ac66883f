"""Picture of a run. Needs Matplotlib (extra ``plot``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agents.measure.figures import BLUE, GREY, ORANGE, new_figure, save_figure
from agents.statistics.estimates import Z95, t_interval
from evolve.evaluation.progress import Progress, load_progress
from evolve.files.safe import read_lines
from evolve.training.config import Config
from evolve.training.folder import RunFolder
from nlhe_env import Game
from nlhe_env.errors import DamagedFileError
from nlhe_env.jit.array_types import F64

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Ancestor(NamedTuple):
    """A candidate in the tree of ancestors."""

    generation: int
    rank: int
    """Rank in its generation; 0 is the best."""


Edge = tuple[Ancestor, Ancestor]
"""A parent, and its child in the next generation; a survivor is its own child."""


def ancestors(lines: Sequence[Mapping[str, Any]], group: int = 0) -> list[Edge]:
    """Edges of the tree of ancestors of the best candidate of the last generation.

    Args:
        lines: Lines of a log of parents, generation by generation.
        group: Number of the sub-population, from 0.

    Returns:
        The edges, from the last generation back to the first one, or to a gap in the log; parents
        in the hall of fame are left out.

    >>> first = {"generation": 1, "groups": [{"parents": [[], []], "ranks": [1, 0]}]}
    >>> second = {"generation": 2, "groups": [{"parents": [[0], [0, 1]], "ranks": [1, 0]}]}
    >>> [(parent.rank, child.rank) for parent, child in ancestors([first, second])]
    [(0, 0), (1, 0)]
    """
    if not lines:
        return []
    edges: list[Edge] = []
    wanted = {0}
    for line, before in zip(reversed(lines), [*reversed(lines[:-1]), None], strict=True):
        parents, ranks = line["groups"][group]["parents"], line["groups"][group]["ranks"]
        generation = line["generation"]
        if before is None or before["generation"] != generation - 1:
            break
        found = set[int]()
        by_rank = dict(zip(ranks, parents, strict=True))
        for rank in sorted(wanted):
            child = Ancestor(generation, rank)
            known = [parent for parent in by_rank[rank] if parent >= 0]
            edges += [(Ancestor(generation - 1, parent), child) for parent in sorted(known)]
            found.update(known)
        wanted = found
    return edges


def draw_run(folder: RunFolder) -> Path:
    """Draws the run so far and returns the path of the PNG.

    The panels show, from the top: the mean place of the champions of all generations against each
    other and the static players, once measured; the tests of the recommended player; and the
    candidates' scores in each generation.

    Raises:
        DamagedFileError: A line of metrics or tests is damaged, or a log lacks values of a run.
        ImportError: Matplotlib is not installed.
        ValueError: No generation is finished, and nothing has been tested, or values cannot be
            drawn.
    """
    metrics, trials = folder.metrics(), folder.trials()
    if not metrics and not trials:
        raise ValueError(f"{folder.path} has nothing to draw yet: no generation is finished")
    config, progress = folder.load_config(), load_progress(folder.progress_file)
    bounds, parents = read_lines(folder.bounds_file), read_lines(folder.parents_file)
    try:
        figure = _figure_of(metrics, trials, config, progress, bounds, parents)
        figure.suptitle(folder.path.name, fontsize=11)
        return save_figure(figure, folder.plot_file, dpi=150)
    except ValueError as error:
        raise ValueError(f"{folder.path} cannot be drawn: {error}") from error
    except (ArithmeticError, LookupError, TypeError) as error:
        raise DamagedFileError(
            f"{folder.path} cannot be drawn: its logs have other values than a run's ({error!r})"
        ) from error


def _figure_of(
    metrics: list[dict[str, Any]],
    trials: list[dict[str, Any]],
    config: Config,
    progress: Progress | None,
    bounds: list[dict[str, Any]],
    parents: list[dict[str, Any]],
) -> Figure:
    """The panels of a run, without the title."""
    draws: list[Callable[[Axes], None]] = []
    if progress:
        draws.append(lambda axes: _draw_progress(axes, progress))
    if trials:
        draws.append(lambda axes: _draw_trials(axes, trials, config))
    if bounds:
        draws.append(lambda axes: _draw_bounds(axes, bounds))
    if metrics and "best_place" in metrics[0]:
        draws.append(lambda axes: _draw_generations(axes, metrics))
    elif metrics and "mean_fitness" in metrics[0]:
        draws.append(lambda axes: _draw_matches(axes, metrics))
    elif metrics and "mean_score" in metrics[0]:
        draws.append(lambda axes: _draw_candidates(axes, metrics, config))
    # A run that was resumed without this log has an old one.
    is_current = parents and metrics and parents[-1]["generation"] == metrics[-1]["generation"]
    edges = ancestors(parents) if is_current else []
    if edges:
        draws.append(lambda axes: _draw_ancestors(axes, edges))
    n_panels = max(len(draws), 1)  # a schedule of a file may have no known metrics
    figure = new_figure(9, 4.5 * n_panels)
    panels = figure.subplots(n_panels, 1, squeeze=False)[:, 0]
    for axes, draw in zip(panels, draws, strict=False):
        draw(axes)
    return figure


def _draw_progress(axes: Axes, progress: Progress) -> None:
    """Draws the champions' mean places by generation, and marks the static players."""
    axes.errorbar(
        progress.generations,
        progress.places,
        yerr=Z95 * np.array(progress.errors),
        fmt="o-",
        color=BLUE,
        markersize=3,
        linewidth=1,
        elinewidth=1,
        label="best player of the generation (bars: 95% interval)",
    )
    marks = sorted(progress.static_players.items(), key=lambda mark: mark[1])
    shown = [*progress.places, *progress.static_players.values()]
    heights = _label_heights((place for _, place in marks), 0.04 * (max(shown) - min(shown)))
    for (name, place), height in zip(marks, heights, strict=True):
        axes.axhline(place, color=GREY, linewidth=0.8, linestyle=":")
        axes.annotate(
            name,
            (1.0, height),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=GREY,
        )
    axes.set_title(
        f"Progress: the champions against each other and the static players, "
        f"{progress.tournaments:,} tournaments",
        fontsize=10,
    )
    axes.set_xlabel("generation of the champion")
    axes.set_ylabel(f"mean place of {progress.players} (1 is best)")
    axes.invert_yaxis()
    axes.legend(fontsize=8, loc="best")


def _draw_generations(axes: Axes, metrics: list[dict[str, Any]]) -> None:
    """Draws the places within each generation, relative to the field: 0 is first, 1 is last."""
    generations = [line["generation"] for line in metrics]
    n_others = np.array([line["players"] - 1 for line in metrics])

    def column(key: str) -> F64:
        # None becomes nan, which Matplotlib omits.
        return np.array([line[key] for line in metrics], dtype=np.float64)

    best = (column("best_place") - 1) / n_others
    reach = Z95 * np.nan_to_num(column("best_place_error")) / n_others
    lower, median, upper = (column("quartile_places").T - 1) / n_others
    axes.fill_between(generations, lower, upper, color=BLUE, alpha=0.12, linewidth=0)
    axes.plot(
        generations,
        median,
        color=BLUE,
        linewidth=1,
        linestyle="-.",
        label="population: median, quartiles",
    )
    axes.fill_between(generations, best - reach, best + reach, color=GREY, alpha=0.3, linewidth=0)
    axes.plot(
        generations, best, color="black", linewidth=1, label="best of the generation, 95% interval"
    )
    if any(line["hall_size"] for line in metrics):
        for key, style in (("mean", ":"), ("best", "--")):
            hall = (column(f"hall_{key}_place") - 1) / n_others
            axes.plot(
                generations,
                hall,
                color=ORANGE,
                linewidth=1,
                linestyle=style,
                label=f"hall of fame: {key}",
            )
    axes.set_title(
        "Places inside each generation (its own players only: not a measure of progress)",
        fontsize=10,
    )
    axes.set_xlabel("generation")
    axes.set_ylabel("mean place, 0 first to 1 last")
    axes.invert_yaxis()
    axes.legend(fontsize=8, ncols=2)


def _label_heights(places: Iterable[float], gap: float) -> list[float]:
    """Label heights for places, in the same order, moved down until ``gap`` apart."""
    heights: list[float] = []
    for place in places:
        heights.append(max(place, heights[-1] + gap) if heights else place)
    return heights


def _draw_trials(axes: Axes, trials: list[dict[str, Any]], config: Config) -> None:
    """Draws the learning curve: scores of the recommended player by training hands."""
    hands = np.array([trial["hands"] for trial in trials]) / 1e6
    scores = np.array([trial["score"] for trial in trials])
    freedom = config.test.test_blocks - 1
    bounds = [t_interval(trial["score"], trial["error"], freedom) for trial in trials]
    low, high = np.array(bounds).T
    axes.fill_between(hands, low, high, color=BLUE, alpha=0.2, linewidth=0)
    axes.plot(hands, scores, "o-", color=BLUE, markersize=3, linewidth=1.2)
    axes.set_title(
        f"Deployable player against {', '.join(config.tested_against)} (test cards, 95% interval)",
        fontsize=9,
        wrap=True,
    )
    axes.set_xlabel("hands of training, millions")
    label_scores(axes, config.make_game())


def _draw_candidates(axes: Axes, metrics: list[dict[str, float]], config: Config) -> None:
    def column(key: str) -> F64:
        return np.array([line[key] for line in metrics], np.float64)

    hands, mean, deviation = column("hands") / 1e6, column("mean_score"), column("score_deviation")
    axes.fill_between(
        hands,
        mean - deviation,
        mean + deviation,
        color=GREY,
        alpha=0.25,
        linewidth=0,
        label="candidates: mean ± deviation",
    )
    axes.plot(hands, mean, color="black", linewidth=0.8)
    axes.plot(
        hands,
        column("best_score"),
        color=ORANGE,
        linewidth=0.6,
        alpha=0.8,
        label="luckiest of them",
    )
    axes.set_title("Candidates of each generation against its own opponents", fontsize=9)
    axes.legend(fontsize=8)
    axes.set_xlabel("hands of training, millions")
    label_scores(axes, config.make_game())


def _draw_bounds(axes: Axes, bounds: list[dict[str, Any]]) -> None:
    """Draws the winnings of a local best response against the recommended player."""
    hands = np.array([line["hands"] for line in bounds]) / 1e6
    values, errors = (np.array([line[key] for line in bounds]) for key in ("bound", "error"))
    axes.errorbar(hands, values, yerr=Z95 * errors, fmt="o-", color=ORANGE, markersize=3)
    axes.set_title(
        "Exploitability of the recommended player, lower bound (95% interval)", fontsize=9
    )
    axes.set_xlabel("hands of training, millions")
    axes.set_ylabel("local best response, mbb a hand")
    axes.spines[["top", "right"]].set_visible(False)


def _draw_ancestors(axes: Axes, edges: list[Edge]) -> None:
    """Draws the tree of ancestors of the last generation's best candidate, by rank."""
    for parent, child in edges:
        axes.plot(
            [parent.generation, child.generation],
            [parent.rank + 1, child.rank + 1],
            color=BLUE,
            linewidth=0.6,
            alpha=0.5,
        )
    axes.set_yscale("log")
    axes.invert_yaxis()
    axes.set_title("Ancestors of the last generation's best candidate", fontsize=9)
    axes.set_xlabel("generation")
    axes.set_ylabel("rank in its generation (1 is best)")
    axes.spines[["top", "right"]].set_visible(False)


def _draw_matches(axes: Axes, metrics: list[dict[str, Any]]) -> None:
    """Draws the teams' scores in each generation, and the champions' in other matches."""
    validated = [line for line in metrics if "champion" in line]
    lines = (
        (metrics, "mean_fitness", "black", "teams: mean"),
        (metrics, "best_fitness", ORANGE, "luckiest of them"),
        (validated, "champion", BLUE, "best of a validation, in other matches"),
    )
    for shown, key, colour, label in lines:
        generations, scores = ([line[name] for line in shown] for name in ("generation", key))
        marker = "o" if key == "champion" else ""
        axes.plot(generations, scores, color=colour, linewidth=0.9, marker=marker, label=label)
    axes.axhline(0.5, color=GREY, linewidth=0.8, linestyle=":")
    axes.set_title("Teams of each generation in their matches", fontsize=9)
    axes.set_xlabel("generation")
    axes.set_ylabel("score, 0 to 1 (0.5 is even)")
    axes.legend(fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def label_scores(axes: Axes, game: Game) -> None:
    """Labels the score axis; better scores are at the top."""
    if game.is_cash:
        axes.axhline(0.0, color=GREY, linewidth=0.8, linestyle=":")
        axes.set_ylabel("big blinds won in 100 hands")
    else:
        axes.set_ylabel(f"mean place of {game.table_size} (1 is best)")
        axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
