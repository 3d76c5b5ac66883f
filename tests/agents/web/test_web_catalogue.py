"""Players that can be seated from the browser, and the options that pages may set."""

from __future__ import annotations

import sys

import pytest

import agents
from agents import registry
from agents.web.catalogue import Catalogue


def test_the_catalogue_takes_names_and_never_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = tmp_path / "runs" / "20260101-a"
    run.mkdir(parents=True)
    agents.save_player(run / "champion.npz", agents.make("old-best"))
    agents.save_player(tmp_path / "mine.npz", agents.make("old-scratch"))
    catalogue = Catalogue(["mine.npz", "pot-odds:margin=0.1"], runs=tmp_path / "runs")
    offered = list(catalogue.offered())
    assert offered == ["mine", "pot-odds:margin=0.1", "champion of 20260101-a"]
    for name in offered:
        assert catalogue.make(name).name
    assert catalogue.make("formula:size=1").name == "formula:size=1"
    for name in (
        "mine.npz",
        str(tmp_path / "mine.npz"),
        "runs/20260101-a/champion.npz",
        "../mine",
        "process:echo hello",
        "caller:x=/../mine.npz",
        "a" * 500,
        "",
    ):
        with pytest.raises(ValueError, match="player"):
            catalogue.make(name)


def test_pages_choose_named_bots_and_set_only_numbers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "my_bot.py").write_text(
        "class Careful:\n"
        "    def __init__(self, bet_from=0.5, bluffs=False, weights='a.npz'):\n"
        "        self.bet_from, self.bluffs = bet_from, bluffs\n"
        "    def act(self, observation, info):\n"
        "        return 1\n"
    )
    catalogue = Catalogue(["bots/my_bot.py:Careful", "bots/my_bot.py:bet_from=0.9"])
    assert list(catalogue.offered()) == ["my_bot.py:Careful", "my_bot.py:bet_from=0.9"]
    assert catalogue.options["my_bot.py:Careful"] == {"bet_from": 0.5, "bluffs": False}
    assert "my_bot.py:bet_from=0.9" not in catalogue.options
    assert catalogue.make("my_bot.py:bet_from=0.9").bet_from == 0.9
    player = catalogue.make("my_bot.py:Careful:bet_from=0.7,bluffs=yes")
    assert (player.bet_from, player.bluffs) == (0.7, True)
    for name, problem in (
        ("my_bot.py:Careful:weights=/etc/passwd", "an option must be one of"),
        ("my_bot.py:Careful:bet_from=0.7,weights=x", "an option must be one of"),
        ("my_bot.py:bet_from=0.9:bluffs=yes", "has no options here"),
        ("bots/my_bot.py:Careful", "there is no player"),
        ("my_bot.py", "there is no player"),
        ("my_bot.py:os", "there is no player"),
    ):
        with pytest.raises(ValueError, match=problem):
            catalogue.make(name)


@pytest.mark.parametrize("name", ["caller", "poki", "psopti-0", "nlbot-1", "limit-vote", "human"])
def test_a_file_does_not_replace_a_player_of_the_same_name(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    agents.save_player(tmp_path / f"{name}.npz", agents.make("folder"))
    catalogue = Catalogue([f"{name}.npz"])
    assert list(catalogue.offered()) == [f"{name} (2)"]
    assert catalogue.make(f"{name} (2)").name == "folder"
    if name != "human":
        assert catalogue.make(name).name == agents.make(name).name
        assert catalogue.describe(name) == registry.describe(name)


@pytest.mark.parametrize(
    "name",
    [
        "psopti-0:deals=1000000000",
        "psopti-1:iterations=100000000",
        "psopti-2:buckets=10",
        "psopti-2:splits=3",
        "lstm:game_blocks=4096,game_cell=4096",
        "lstm:seed=1,hidden=4096",
    ],
)
def test_pages_cannot_request_excessive_time_or_memory(name):
    catalogue = Catalogue()
    with pytest.raises(ValueError, match=r"has no options here|an option must be one of"):
        catalogue.make(name)


def test_options_open_to_pages_can_be_made():
    catalogue = Catalogue()
    assert catalogue.options["lstm"].keys() == {"sees_cards", "seed", "spread"}
    assert not {"psopti-0", "psopti-1", "psopti-2"} & set(catalogue.options)
    assert catalogue.make("lstm:seed=3").name == "lstm:seed=3"


def test_a_user_file_may_name_its_options_freely(tmp_path):
    (tmp_path / "net.py").write_text(
        "class Net:\n"
        "    def __init__(self, hidden=5):\n"
        "        self.hidden = hidden\n"
        "    def act(self, observation, info):\n"
        "        return 1\n"
    )
    assert Catalogue([str(tmp_path / "net.py")]).make("net.py:hidden=7").hidden == 7
