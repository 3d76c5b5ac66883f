"""Training of blueprints: a command that can be interrupted, and resumes to the same player."""

import numpy as np
import pytest

import agents
from agents.books.blueprint import abstraction, training
from agents.books.blueprint.abstraction import Abstraction
from agents.commands import main, train_blueprint

ARGUMENTS = ["solve", "blueprint", "no-limit", "--stacks", "4,3", "--iterations", "3000"]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(abstraction, "SAMPLES", 3_000)
    monkeypatch.setattr(training, "AT_ONCE", 500)


def train(target, *more):
    return main.main([*ARGUMENTS, "--out", str(target), *more])


def test_interrupted_training_resumes_to_the_same_player(tmp_path, monkeypatch, capsys):
    assert train(tmp_path / "whole.npz") == 0
    assert [file.name for file in tmp_path.iterdir()] == ["whole.npz"]
    assert "4bb: 1,500 of 1,500 iterations" in capsys.readouterr().err

    def interrupt(line, training):
        if training.iterations == 1000 and training.abstraction.stack == 3:
            raise KeyboardInterrupt

    broken = tmp_path / "broken.npz"
    with monkeypatch.context() as patch:
        patch.setattr(train_blueprint._Line, "_look", interrupt)
        assert train(broken) == 130
    left = {file.name for file in tmp_path.iterdir()} - {"whole.npz"}
    assert left == {"broken-4bb.checkpoint.npz", "broken-3bb.checkpoint.npz"}
    assert train(broken, "--seed", "9") == 2
    assert "is the checkpoint of a different training run" in capsys.readouterr().err
    assert train(broken) == 0
    players = [agents.load_player(tmp_path / name) for name in ("whole.npz", "broken.npz")]
    np.testing.assert_array_equal(players[0].book, players[1].book)
    assert players[0].origin == players[1].origin
    assert [section.stack for section in players[0].sections] == [4, 3]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--stacks", "a"], "stacks must look like 200,20; got 'a'"),
        (["--stacks", "1"], "stack must be"),
        (["--out", "player.txt"], "must end with .npz"),
        (["--out", "no-such/x.npz"], "there is no folder no-such"),
        (["--iterations", "0"], "iterations must be"),
    ],
)
def test_invalid_training_options_are_refused(more, words, tmp_path, capsys):
    assert train(tmp_path / "x.npz", *more) == 2
    assert words in capsys.readouterr().err


def test_a_damaged_checkpoint_is_named(tmp_path):
    file = tmp_path / "x-4bb.checkpoint.npz"
    file.write_bytes(b"PK nothing")
    with pytest.raises(ValueError, match=r"x-4bb\.checkpoint\.npz is damaged"):
        training.Training(Abstraction(stack=4), checkpoint=file)
    np.savez(file, about=np.zeros(3))
    with pytest.raises(ValueError, match=r"x-4bb\.checkpoint\.npz is no checkpoint: it has no it"):
        training.Training(Abstraction(stack=4), checkpoint=file)


@pytest.mark.slow
def test_tree_sizes_match_their_games():
    limit = Abstraction.limit().tree()
    # With blinds and four bets seven ways lead to the flop, and nine on from each later street.
    assert [len(nodes) for nodes in limit.openings] == [1, 7, 63, 567]
    assert limit.nodes[0]["pot"] == 1.5
    assert limit.nodes["stake"].max() == 24  # four bets a street: 4 + 4 + 8 + 8
    deep = Abstraction.no_limit(200).tree()
    assert deep.nodes["stake"].max() == 200
    assert deep.nodes[0]["actor"] == 1  # the button
    assert set(deep.nodes["actor"][[nodes[0] for nodes in deep.openings[1:]]]) == {0}
    raises = deep.actions[(deep.actions["size"] > 0) & (deep.actions["all_in"] == 0)]
    assert set(np.round(raises["size"], 1)) <= {0.5, 1.0}


def test_strategies_of_the_first_decisions_are_plausible():
    learned = training.Training(Abstraction(stack=10, flop=(4, 1), turn=(4, 1), river=6), seed=2)
    learned.run(60_000)
    section = learned.section()
    actions = section.tree.actions[: int(section.tree.nodes[0]["count"])]
    assert actions["size"][:2].tolist() == [-1, 0]  # fold, call
    aces, worst = section.chances[0][12 * 13 + 12], section.chances[0][0 * 13 + 5]  # AA, 72o
    assert aces[0] == 0
    assert worst[0] > 10  # of 32
