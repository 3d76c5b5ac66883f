"""Folders that other programs have made, among the runs that are watched."""

import json
import os
import threading

import numpy as np
import pytest

import agents
from agents.web.catalogue import Catalogue
from evolve.dashboard.root import Root
from evolve.files.safe import write_arrays
from evolve.training.config_files import load_config


@pytest.mark.parametrize(
    "files_of_others",
    [
        {"config.toml": "name = 2020-01-01\nseed = 1979-05-27T07:32:00Z\nhands = 1e400"},
        {"config.toml": "generations = -3\nhands = [1]\noptimizer = 5"},
        {"config.toml": "a = " + "[" * 5000},
        {"config.toml": "\x00\xff"},
        {"config.toml": "name = 'x'", "about.json": "[1, 2]"},
        {"config.toml": "[optimizer]\nkind = 3\n[game]\nkind = []", "about.json": "3"},
        {"config.toml": "hands = 9", "metrics.jsonl": '{"hands": true}\n{"hands": null}\n[]\nx'},
        {"config.toml": "generations = 3", "timings.jsonl": '{"seconds": -1e308}\n' * 30},
    ],
)
def test_a_foreign_folder_does_not_break_the_list_of_runs(tmp_path, files_of_others):
    own, foreign = tmp_path / "own", tmp_path / "foreign"
    for folder in (own, foreign):
        folder.mkdir()
    (own / "config.toml").write_text('name = "mine"')
    for name, text in files_of_others.items():
        (foreign / name).write_bytes(text.encode("latin-1"))
    root = Root(tmp_path)
    shown = json.loads(json.dumps(root.summaries(), allow_nan=False))
    assert sorted(run["run"] for run in shown["runs"]) == ["foreign", "own"]
    assert next(run["name"] for run in shown["runs"] if run["run"] == "own") == "mine"
    json.dumps(root.run("foreign").updates(), allow_nan=False)


FILES = ("about.json", "metrics.jsonl", "timings.jsonl", "tests.jsonl", "progress.json")
ARRAYS = ("champions.npz", "hall_of_fame.npz", "pool.npz", "evaluation.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
@pytest.mark.parametrize("name", [*FILES, *ARRAYS])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_a_non_regular_file_is_named_without_blocking(tmp_path, name, make):
    own, foreign = tmp_path / "own", tmp_path / "foreign"
    for folder in (own, foreign):
        folder.mkdir()
        (folder / "config.toml").write_text("generations = 3")
    make(foreign / name)
    root = Root(tmp_path)
    shown, updates = in_time(root.summaries), in_time(root.run("foreign").updates)
    assert sorted(run["run"] for run in shown["runs"]) == ["foreign", "own"]
    (problem,) = updates["problems"]
    assert problem.startswith(f"{name} cannot be read: ")
    assert "not a regular file" in problem


def in_time(work):
    """What work returns, if it does within a minute."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()
    thread.join(60)
    assert found, "still waiting"
    return found[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_a_pipe_in_place_of_a_configuration_is_not_a_run(tmp_path):
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "config.toml")
    assert in_time(Root(tmp_path).summaries)["runs"] == []
    with pytest.raises(ValueError, match="not a regular file"):
        load_config(tmp_path / "pipe" / "config.toml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_a_pipe_in_place_of_a_champion_is_not_offered(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "a" / "champion.npz")
    agents.save_player(tmp_path / "b" / "champion.npz", agents.make("old-best"))
    assert list(Catalogue(runs=tmp_path).offered()) == ["champion of b"]


def test_too_deeply_nested_lines_are_skipped_as_damaged(tmp_path):
    (tmp_path / "config.toml").write_text("generations = 3")
    deep = ["[" * n + "1" + "]" * n for n in (900, 980, 5000)]
    lines = [f'{{"a": {value}}}' for value in deep] + ['{"generation": 1}']
    (tmp_path / "metrics.jsonl").write_text("\n".join(lines) + "\n")
    updates = Root(tmp_path).run(tmp_path.name).updates()
    assert "generation" in updates["tables"]["metrics"]["columns"]
    assert any("damaged lines were skipped" in problem for problem in updates["problems"])


def test_a_table_has_a_limited_number_of_columns(tmp_path):
    (tmp_path / "config.toml").write_text("a" + ".a" * 9 + " = 1")
    lines = [json.dumps({f"{i} {k}": 1 for k in range(100)}) for i in range(30)]
    (tmp_path / "metrics.jsonl").write_text("\n".join(lines) + "\n")
    updates = Root(tmp_path).run(tmp_path.name).updates()
    assert len(updates["tables"]["metrics"]["columns"]) == 2_000
    assert updates["problems"] == [
        "config.toml cannot be read: a key has too many parts",
        "metrics.jsonl has more than 2,000 columns; the others are not shown",
    ]


def test_files_with_a_missing_key_are_named(tmp_path):
    (tmp_path / "config.toml").write_text("generations = 3")
    (tmp_path / "evaluation.json").write_text('{"revolutions": 5, "players": []}')
    write_arrays(tmp_path / "champions.npz", {"1_weights": np.zeros((3, 825), np.float32)})
    assert sorted(Root(tmp_path).run(tmp_path.name).updates()["problems"]) == [
        "champions.npz cannot be read: 'generations' is missing",
        "evaluation.json cannot be read: 'blocks' is missing",
    ]


def test_a_table_that_is_too_large_is_not_read(tmp_path):
    (tmp_path / "config.toml").write_text("generations = 3")
    with (tmp_path / "metrics.jsonl").open("wb") as file:
        file.truncate(2**40)  # takes no room on disk
    updates = in_time(Root(tmp_path).run(tmp_path.name).updates)
    assert updates["problems"] == ["metrics.jsonl cannot be read: it is too large to show"]
