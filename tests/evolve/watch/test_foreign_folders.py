"""Folders that other programs have made, among the runs that are watched."""

from __future__ import annotations

import json

import pytest

from evolve.watch.root import Root


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
    json.dumps(root.run("foreign").news(), allow_nan=False)
