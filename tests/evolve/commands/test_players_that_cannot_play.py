"""Players that do not know the game, and values that no player can be asked with: one line each."""

from __future__ import annotations

import pytest
from training_runs import evolve

from evolve.training.config_files import load_preset
from evolve.training.state import State

VEXBOT = "vexbot cannot play this game: Vexbot plays heads-up fixed-limit only"
TEAM = "limit-team cannot play this game: a limit team plays heads-up"
PSOPTI = "psopti-0 cannot play this game: pseudo-optimal players play heads-up fixed-limit only"
CLOSING = "progress_tournaments must be 0: genomes 'ashe-2' cannot play this game"
MODELS = "train --preset heads-up --genomes ashe-2 --optimizer openai-es"


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("evaluate caller --players vexbot --blocks 3", VEXBOT),
        ("evaluate vexbot --players caller --blocks 3", VEXBOT),
        ("evaluate {run} --players limit-team --blocks 3", TEAM),
        ("evaluate behaviour limit-team", TEAM),
        ("evaluate behaviour vexbot", VEXBOT),
        ("evaluate behaviour caller --players folder vexbot", VEXBOT),
        ("evaluate behaviour {run} --players vexbot", VEXBOT),
        ("evaluate behaviour {run} --seed -1", "seed must be in 0 .. 18446744073709551615; got -1"),
        ("evaluate behaviour caller --seed 99999999999999999999999", "seed must be in 0 .. "),
        ("evaluate exploitability limit-team --blocks 2", TEAM),
        ("evaluate exploitability caller --by local:hands=3", "hands must be in 20 .. 1326; got 3"),
        ("evaluate exploitability caller --blocks 1 --by local", "blocks must be at least 2"),
        ("evaluate exploitability caller --by evolved:hands=-1", "hands must be a whole number"),
        ("evaluate exploitability random --seed -1 --by local", "seed must be in 0 .. "),
        ("train --preset heads-up --named psopti-0", f"named: {PSOPTI}"),
        (
            "train --preset heads-up --named-later psopti-0 --named-generations 3",
            f"named_later: {PSOPTI}",
        ),
        ("train --preset quick --test-players psopti-0", f"test_players: {PSOPTI}"),
        (f"{MODELS} --table-size 3", "genomes 'ashe-2' cannot play this game: ASHE 2 plays"),
        (f"{MODELS} --progress-tournaments 2", CLOSING),
        ("train --preset heads-up --betting fixed-limit --named nobody", "nobody"),
    ],
)
def test_unsuitable_players_are_reported_before_play_or_storage(
    tiny_run, tmp_path, monkeypatch, capsys, command, message
):
    monkeypatch.chdir(tmp_path)
    run = tiny_run.path
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

    monkeypatch.setattr("evolve.theses.li.ashe_models.Preliminary.fill", fill)
    assert State.initial_state(load_preset("ashe-2.2")).generation == 0
