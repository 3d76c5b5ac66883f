"""Players that do not know the game, and values that no player can be asked with: one line each."""

from __future__ import annotations

import pytest
from training_runs import evolve

from evolve.commands.main import main
from evolve.training.config_files import load_preset
from evolve.training.folder import RunFolder
from evolve.training.state import State

VEXBOT = "vexbot cannot play this game: Vexbot plays heads-up fixed-limit only"
TEAM = "limit-team cannot play this game: a limit team plays heads-up"
PSOPTI = "psopti-0 cannot play this game: pseudo-optimal players play heads-up fixed-limit only"
CLOSING = "progress_tournaments must be 0: genomes 'ashe-2' cannot play this game"
MODELS = "train --preset heads-up --genomes ashe-2 --optimizer openai-es"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with a run of two generations."""
    folder = tmp_path_factory.mktemp("runs")
    small = "--generations 2 --population 4 --elites 2 --tournaments 2 --progress-tournaments 0"
    assert main(["train", *small.split(), "--hall-of-fame", "0", "--runs", str(folder)]) == 0
    return folder


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("evaluate caller --players vexbot --blocks 3", VEXBOT),
        ("evaluate vexbot --players caller --blocks 3", VEXBOT),
        ("evaluate {run} --players limit-team --blocks 3", TEAM),
        ("evaluate behaviour limit-team", TEAM),
        ("evaluate behaviour vexbot", VEXBOT),
        ("evaluate behaviour caller --opponents folder vexbot", VEXBOT),
        ("evaluate behaviour {run} --opponents vexbot", VEXBOT),
        ("evaluate behaviour {run} --seed -1", "seed must be in 0 .. 18446744073709551615; got -1"),
        ("evaluate behaviour caller --seed 99999999999999999999999", "seed must be in 0 .. "),
        ("evaluate behaviour caller --situations 1", "situations must be at least 2; got 1"),
        ("evaluate exploitability limit-team --blocks 2", TEAM),
        ("evaluate exploitability caller --hands 3", "hands must be in 20 .. 1326; got 3"),
        ("evaluate exploitability caller --blocks 1 --train-hands 0", "blocks must be at least 2"),
        ("evaluate exploitability caller --train-hands -1", "train_hands must be at least 0"),
        ("evaluate exploitability random --seed -1 --train-hands 0", "seed must be in 0 .. "),
        ("evaluate metagame {run} --seed -1", "seed must not be negative; got -1"),
        ("evaluate metagame {run} --seed -1 --game field", "seed must not be negative; got -1"),
        ("train --preset heads-up --named psopti-0", f"named: {PSOPTI}"),
        (
            "train --preset heads-up --named-later psopti-0 --named-generations 3",
            f"named_later: {PSOPTI}",
        ),
        ("train --preset quick --test-players psopti-0", f"test_players: {PSOPTI}"),
        (f"{MODELS} --table-size 3", "genomes 'ashe-2' cannot play this game: ASHE 2 is for two"),
        (f"{MODELS} --progress-tournaments 2", CLOSING),
        ("train --preset heads-up --betting fixed-limit --named nobody", "nobody"),
    ],
)
def test_unsuitable_players_are_reported_before_play_or_storage(
    runs, tmp_path, monkeypatch, capsys, command, message
):
    monkeypatch.chdir(tmp_path)
    run = RunFolder.latest(runs).path
    files = sorted(run.rglob("*"))
    assert evolve(*command.format(run=run).split()) == 2
    assert message in " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []
    assert sorted(run.rglob("*")) == files


def test_players_may_be_named_in_a_game_they_support():
    config = load_preset("heads-up").with_values(betting="fixed-limit", named=("psopti-0",))
    assert State.initial_state(config).generation == 0


def test_checking_players_does_not_fill_default_trees(monkeypatch):
    def fill(*_):
        raise AssertionError("this takes seconds")

    monkeypatch.setattr("evolve.genomes.ashe_models.Preliminary.fill", fill)
    assert State.initial_state(load_preset("ashe-2.2")).generation == 0
