"""Champions of runs meet in commands, by the folders of their runs and by names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from training_runs import evolve, go_on

from evolve.training.config_files import load_preset
from evolve.training.folder import RunFolder

TINY = {
    "generations": 1,
    "population": 4,
    "elites": 2,
    "hall_of_fame": 0,
    "tournaments": 2,
    "table_size": 2,
    "progress_tournaments": 0,
}


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    folders = []
    for name in ("one", "two"):
        config = load_preset("quick").with_values(name=name, **TINY)
        folder = RunFolder.at(tmp_path / name, config)
        go_on(folder, config)
        folders.append(str(folder.path))
    return folders


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed since the last call, without line breaks."""
    return " ".join("".join(capsys.readouterr()).split())


@pytest.mark.slow
def test_two_champions_meet(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    one, two = runs
    rest = ("--blocks", "4", "--workers", "1", "--out", f"{one}/compared")
    assert evolve("evaluate", one, "--players", two, *rest) == 0
    assert re.search("(champion|two) came first of 2", said(capsys))
    files = [f"{run}/champion.npz" for run in runs]
    assert evolve("evaluate", files[0], "--players", files[1], *rest) == 2
    assert "more than once: champion. On the command line, NAME=" in said(capsys)
    assert evolve("evaluate", f"a={files[0]}", "--players", f"b={files[1]}", *rest) == 0
    assert re.search("[ab] came first of 2", said(capsys))
    assert evolve("evaluate", f"mine={one}", "--players", "caller", *rest) == 0
    assert re.search("(mine|caller) came first of 2", said(capsys))


@pytest.mark.slow
def test_exploitability_takes_a_run(runs: list[str], tmp_path: Path) -> None:
    rest = ("--blocks", "4", "--by", "local:menu=fcpa", "--workers", "1", "--out")
    bounds = []
    for player in (runs[0], f"{runs[0]}/champion.npz"):
        file = tmp_path / "bounds.json"
        assert evolve("evaluate", "exploitability", player, *rest, str(file)) == 0
        bounds.append(json.loads(file.read_text())["bounds"])
    assert bounds[0] == bounds[1]
