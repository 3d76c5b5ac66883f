"""The study of learners: exact results in Leduc, choice by tuning, lines that go on, tests."""

import base64
import importlib
from pathlib import Path

import numpy as np
import pytest

import agents

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def study(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(EXAMPLES)
    found = importlib.import_module("learners_study")
    monkeypatch.setattr(found, "RUNS", tmp_path / "runs.jsonl")
    return found


@pytest.fixture
def judges(study, monkeypatch, tmp_path):
    found = importlib.import_module("learners_judged")
    monkeypatch.setattr(found, "JUDGED", tmp_path / "judged.jsonl")
    return found


def test_results_of_networks_are_the_exact_values_of_the_game(study):
    small = study.SmallGame()
    game, tree = small.game, small.game.tree
    ones = small.strategies(np.random.default_rng(1).standard_normal((3, 31 * 16 + 17 * 3)))
    of_first = np.zeros((game.shape[0], 1), bool)
    for node in np.flatnonzero(tree.row >= 0):
        rows = slice(tree.row[node], tree.row[node] + tree.branches[node])
        of_first[rows] = tree.actor[node] == 0
    for i, one in enumerate(ones):
        for j, other in enumerate(ones):
            both = np.where(of_first, one, other), np.where(of_first, other, one)
            expected = (game.value(both[0], 0) + game.value(both[1], 1)) / 2
            assert small.results(ones, ones)[i, j] == pytest.approx(expected, abs=1e-12)


def tuned(study, arm, i, seed, score):
    line = {"arm": f"tune-{arm}-{i}", "hands": study.TUNING_HANDS, "seed": seed, "score": score}
    return line | {"settings": study.digest(study.GRIDS[arm][i])}


def test_tuning_chooses_the_best_mean_of_its_own_arm_with_the_settings_of_today(study):
    runs = [
        tuned(study, arm, i, seed, 10 * (i == best) + seed % 2)
        for arm, best in (("ppo", 1), ("ppo-magnet", 3), ("nfsp", 2))
        for i in range(4)
        for seed in study.TUNING_SEEDS
    ]
    assert study.settings_of("ppo", runs) == study.GRIDS["ppo"][1]
    assert study.settings_of("ppo-magnet", runs) == study.GRIDS["ppo-magnet"][3]
    assert study.settings_of("ppo", runs[1:]) is None
    changed = [run | {"settings": "0" * 12} if "ppo-1" in run["arm"] else run for run in runs]
    assert study.settings_of("ppo", changed) is None


def test_runs_under_other_settings_do_not_count(study):
    es, hands, seed = next(study.schedule())
    now = study.digest(study.settings_of(es, []))
    lines = [
        {"arm": es, "hands": hands, "seed": seed, "settings": "0" * 12},
        {"arm": es, "hands": hands, "seed": 7, "settings": now},
        {"arm": es, "hands": hands, "seed": seed, "settings": now, "weights": "first"},
        {"arm": es, "hands": hands, "seed": seed, "settings": now, "weights": "again"},
    ]
    for line in lines:
        study.append(study.RUNS, line)
    assert study.finished() == [lines[2]]


def test_settings_have_all_values_of_the_preset(study):
    settings = study.settings_of("self-play-es", [])
    assert settings["population"] == 64
    assert settings["bias_std"] == 2.0
    assert settings["weight_decay"] == 0.0  # a default that the preset does not name


def test_a_line_that_was_cut_off_is_no_run(study):
    study.append(study.RUNS, {"a": 1})
    with study.RUNS.open("a") as file:
        file.write('{"a": 2, "b":')
    study.append(study.RUNS, {"a": 3})
    assert study.read(study.RUNS) == [{"a": 1}, {"a": 3}]


def test_leduc_runs_repeat_and_differ_by_memory(study, monkeypatch):
    monkeypatch.setitem(study.LEDUC, "generations", 12)
    found = [study.leduc_exploitability(memory, 3) for memory in study.MEMORY]
    assert found[0] == study.leduc_exploitability("none", 3)
    assert len(set(found)) == len(found)


def test_a_missing_run_is_done_once_and_judged(study, judges, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(study, "schedule", lambda: iter([("self-play-es", 20_000, 1)]))
    for _ in range(2):
        study.run_missing(tmp_path / "out", (1, 1), np.inf, None)
    (line,) = study.finished()
    player = study.player_of(line)
    assert player.name == study.name_of(line)
    assert line["cpu_seconds"] > 0
    monkeypatch.setattr(judges, "bound_line", lambda player: {"lbr": [[90.0, 1.0], [120.0, 2.0]]})
    monkeypatch.setattr(judges, "LANDMARKS", ("folder",))
    judges.judge_missing((1, 1), np.inf)
    capsys.readouterr()
    judges.show(tmp_path / "picture.png")
    assert "| self-play-es | 20,000 | 1 |" in capsys.readouterr().out


def test_runs_at_tables_of_six_are_rated_there_and_meet_five_of_the_other_arm(
    study, judges, monkeypatch, capsys
):
    for i in range(4):
        for seed in study.TUNING_SEEDS:
            study.append(study.RUNS, tuned(study, "ppo", i, seed, -i))
    runs = study.read(study.RUNS)
    assert study.settings_of("six-max-ppo", runs) == study.GRIDS["ppo"][0] | {"players": 6}
    arms = ("six-max-es", "six-max-ppo")
    monkeypatch.setattr(study, "schedule", lambda: ((arm, 3_000_000, 1001) for arm in arms))
    bias = np.where(np.arange(5) == 1, 60, -60)  # always call
    weights = np.concatenate([np.zeros(14 * 8 + 8 + 8 * 5), bias]).astype("<f4")
    for arm in arms:
        line = {"arm": arm, "hands": 3_000_000, "seed": 1001, "cpu_seconds": 1.0, "hidden": [8]}
        line |= {"weights": base64.b64encode(weights.tobytes()).decode()}
        study.append(study.RUNS, line | {"settings": study.digest(study.settings_of(arm, runs))})
    monkeypatch.setattr(judges, "LANDMARKS", ())
    judges.judge_missing((1, 1), np.inf)
    kinds = {line["job"].split(" ")[0]: line for line in study.read(judges.JUDGED)}
    assert kinds.keys() == {"bench", "among"}
    # In a block everyone holds every hand: six players that always call win nothing.
    assert kinds["among"]["won"] == kinds["among"]["error"] == 0
    players = {study.name_of(run): study.player_of(run) for run in study.finished()}
    tables = [job.args for name, job in judges.jobs(players) if name.startswith("among")]
    one, other = players.values()
    assert tables == [(one, *[other] * 5), (other, *[one] * 5)]
    expected = agents.bench("caller", ["six-max"], hands=2000, seed=70_004, bound=False)
    assert kinds["bench"]["rating"] == expected.suites["six-max"].rating
    judges.show(None)
    shown = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("| six-max-ppo |") and line.endswith("| 0 |") for line in shown) == 1


def test_league_test_finds_a_difference_and_no_other(judges):
    arms = {"self-play-es": 6, "ppo": 5, "nfsp": 5}
    names = [f"{arm}-3000000-{i}-x" for arm, count in arms.items() for i in range(count)]
    rng, strength = np.random.default_rng(2), {"self-play-es": 60.0, "ppo": 0.0, "nfsp": 60.0}
    judged = [
        {
            "job": f"match {one} {other}",
            "won": strength[judges.arm_of(one)] - strength[judges.arm_of(other)] + rng.normal(0, 9),
        }
        for i, one in enumerate(names)
        for other in names[i + 1 :]
    ]
    found = judges.league_tests(judged)
    assert list(found) == [
        "winnings of self-play-es from ppo",
        "winnings of self-play-es from nfsp",
    ]
    different, same = found.values()
    assert different < 0.01 < 0.1 < same
