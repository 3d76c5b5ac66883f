"""The definition of a collapsed player, and the warning about one at the end of training."""

from __future__ import annotations

import pytest

import agents
from evolve.commands.main import main
from evolve.commands.train import collapse_of
from evolve.training.folder import RunFolder
from nlhe_env import Game


@pytest.mark.parametrize(
    ("name", "does"),
    [
        ("raiser", "raises before the flop in "),
        ("hothead-maniac", "raises before the flop in "),
        ("caller", "calls everything: it hardly ever raises, or folds to a raise"),
        ("folder", "folds nearly everything: it enters 0.0% of hands"),
        ("random", ""),
        ("call-or-raise", ""),
        ("tight-aggressive", ""),
        ("loose-aggressive", ""),
        ("loose-passive", ""),
    ],
)
@pytest.mark.parametrize("game", [Game.tournament(), Game.cash()], ids=["tournament", "cash"])
def test_players_that_do_one_thing_have_collapsed(name, does, game):
    opponents = [agents.make(one) for one in ("random", "pot-odds", "formula")]
    style = agents.measure_style(agents.make(name), opponents, game=game, count=20)
    assert collapse_of(style).startswith(does)
    assert bool(collapse_of(style)) == bool(does)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("output", "word"), [(0, "folds"), (1, "calls"), (4, "raises"), (None, None)]
)
def test_training_that_ends_collapsed_reports_it(tiny_run, monkeypatch, capsys, output, word):
    """A finished run is resumed; output 0 always folds, 1 calls and 4 raises."""
    if output is not None:
        load = RunFolder.champion

        def collapsed(folder, sub_population=None):
            champion = load(folder, sub_population)
            champion.weights[:] = 0.0
            champion.weights[-5:] = -50.0  # the biases of the outputs come last
            champion.weights[-4] = -20.0  # it calls where that action is not legal
            champion.weights[output - 5] = 50.0
            return champion

        monkeypatch.setattr(RunFolder, "champion", collapsed)
    assert main(["train", "--resume", str(tiny_run.path), "--workers", "1"]) == 0
    said = [line for line in capsys.readouterr().out.splitlines() if "collapsed" in line]
    if word is None:
        assert not said
    else:
        assert said[0].startswith(f"Warning: training has collapsed. The champion {word}")
        assert "Train again with another seed" in said[0]
