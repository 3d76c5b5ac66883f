"""Figures: lines that differ without colours, a small palette, and one kind of band."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.measure.figures import LINES, line_look, new_figure, save_figure
from evolve.evaluation import progress
from evolve.evaluation.progress import Progress, draw_fields, draw_runs

pytest.importorskip("matplotlib")
ERROR = 2.0


def field(slope: float) -> Progress:
    generations = list(range(1, 41))
    places = [60.0 - slope * generation for generation in generations]
    return Progress(
        tournaments=100,
        generations=generations,
        places=places,
        errors=[ERROR] * 40,
        gain=-1.0,
        gain_error=0.1,
    )


@pytest.fixture
def drawn(monkeypatch, tmp_path):
    """The figures that are saved, which are written as well."""
    saved: list[Any] = []
    save = progress.save_figure
    monkeypatch.setattr(
        progress,
        "save_figure",
        lambda figure, *rest, **more: (saved.append(figure), save(figure, *rest, **more))[1],
    )
    return saved


def test_lines_of_a_panel_differ_in_dashes_or_markers():
    looks = [line_look(i, 100) for i in range(len(LINES))]
    assert len({(str(look["linestyle"]), look["marker"]) for look in looks}) == len(LINES)
    assert len({look["color"] for look in looks}) == len(LINES)


def test_lines_of_one_point_are_marked():
    assert line_look(3, 1)["markevery"] == (0, 1)


def test_bands_are_95_percent_intervals(drawn, tmp_path):
    one = field(0.5)
    draw_fields([one], tmp_path / "field.png", title="a run")
    draw_runs([[("seed 1", one)]], tmp_path / "runs.png", title="runs")
    for figure in drawn:
        (band,) = figure.axes[0].collections
        heights = band.get_paths()[0].vertices[:, 1]
        assert heights.max() == pytest.approx(max(one.places) + 1.96 * ERROR)
        assert heights.min() == pytest.approx(min(one.places) - 1.96 * ERROR)
    (legend,) = [figure.axes[0].get_legend() for figure in drawn[:1]]
    assert "95% interval" in [text.get_text() for text in legend.get_texts()]
    assert "95% interval" in drawn[1].get_suptitle()


def test_lines_keep_their_colours_in_128_colours(tmp_path):
    from matplotlib.colors import to_rgb
    from PIL import Image

    path = tmp_path / "runs.png"
    runs = [(f"seed {i}", field(0.1 + 0.12 * i)) for i in range(7)]
    draw_runs([runs], path, title="runs")
    picture = Image.open(path).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    counts = {tuple(colour): n for n, colour in picture.convert("RGB").getcolors(256)}
    for line in LINES[:7]:
        wanted = 255 * np.array(to_rgb(line))
        near = sum(n for colour, n in counts.items() if np.abs(wanted - colour).max() < 24)
        assert near > 100, line


def test_pictures_are_not_written_through_links(tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("kept")
    for name in ("progress.png", "progress.tmp.png"):
        (tmp_path / name).symlink_to(other)
    path = save_figure(new_figure(1, 1), tmp_path / "progress.png")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert other.read_text() == "kept"


def test_names_are_no_formulas_and_powers_are(tmp_path):
    figure = new_figure(4, 4)
    figure.suptitle("run$\\frac$\udcff")
    axes = figure.subplots()
    axes.plot([0, 1], [1, 1000], label="$_$")
    axes.set_xticks([0, 1], ["$_$", "Ann"])
    axes.set_yscale("log")
    axes.legend()
    save_figure(figure, tmp_path / "figure.png")
    (label,) = axes.get_legend().get_texts()
    assert not label.get_parse_math()
    assert axes.get_yticklabels()[0].get_parse_math()
