"""Players from files of one's own, and options as they are typed."""

import pickle
import sys
from pathlib import Path

import pytest

import agents
import nlhe_env
from agents.commands.main import main
from agents.measure.leagues.league import fingerprint
from agents.player_records import PLAYERS
from agents.web.table.game import GAME_OVER, LiveGame, name_seats
from agents.web.table.setup import GameSetup
from evolve.commands.main import main as evolve

BOT = '''
from __future__ import annotations

from dataclasses import dataclass
from table_manners import POLITE

import agents


@dataclass
class Careful(agents.ChipPlayer):
    """Bets with few hands.

    And calls with none.
    """

    bet_from: float = 1
    bluffs: bool = False
    hands: int = 3
    label: str = ""
    anything: object = None

    def decide(self, turn):
        strong = turn["hole_cards"][0] in "AK"
        if strong and turn["min_raise_to"]:
            return turn["min_raise_to"]
        return agents.CHECK_OR_CALL if turn["to_call"] == 0 else agents.FOLD


def demanding(size):
    player = Careful()
    player.size = size
    return player


def broken():
    return 1 / 0


def nobody():
    return 42


def picky(size=0.5):
    raise ValueError(f"size must be below 1; got {size}")


CHIPS = 100
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my_bot.py").write_text(BOT)
    (tmp_path / "table_manners.py").write_text("POLITE = True")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def test_a_class_in_a_file_defines_a_player(folder):
    player = agents.make("my_bot.py:Careful")
    assert type(agents.make("my_bot.py")) is type(player)  # the only class that plays
    assert type(agents.make(str(folder / "my_bot.py"))) is type(player)
    assert pickle.loads(pickle.dumps(player)) == player
    env = nlhe_env.env(2, mode="cash", num_hands=20, actions="chips")
    totals = agents.play_episode(
        env, {"player_0": player, "player_1": agents.make("caller")}, seed=2
    )
    assert totals["player_0"] != 0


def test_options_are_parsed_by_type(folder):
    player = agents.make("my_bot.py:Careful:bet_from=0.9,bluffs=yes,hands=5,label=007,anything=2.5")
    assert (player.bet_from, player.bluffs, player.hands) == (0.9, True, 5)
    assert (player.label, player.anything) == ("007", 2.5)
    assert player.name == "Careful:bet_from=0.9,bluffs=yes,hands=5,label=007,anything=2.5"
    assert agents.make("my_bot.py:bet_from=0.9").bet_from == 0.9
    assert agents.make("my_bot.py:Careful:anything=off").anything is False
    assert agents.make("my_bot.py:Careful:label=a.npz").label == "a.npz"  # no saved player
    assert agents.make("my_bot.py:Careful:anything=weights").anything == "weights"
    assert agents.make("my_bot.py:demanding:size=2").size == 2
    assert agents.options("my_bot.py:Careful")["hands"] == 3
    assert agents.describe("my_bot.py:Careful") == "Bets with few hands."


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("my_bot.py:Carefull", ValueError, r'must be one of "Careful", .*did you mean "Careful"'),
        ("my_bot.py:CHIPS", ValueError, "a player of my_bot.py must be one of"),
        (
            "my_bot.py:Careful:bet_fron=1",
            ValueError,
            'an option must be one of .*did you mean "bet_',
        ),
        ("my_bot.py:Careful:bet_from=x", ValueError, "bet_from must be a number; got 'x'"),
        ("my_bot.py:Careful:hands=0.5", ValueError, r"hands must be a whole number; got '0\.5'"),
        ("my_bot.py:Careful:bluffs=2", ValueError, "bluffs must be true or false; got '2'"),
        ("my_bot.py:demanding", ValueError, "needs the option size"),
        ("my_bot.py:picky:size=2", ValueError, "picky of my_bot.py: size must be below 1; got 2"),
        ("my_bot.py:picky", RuntimeError, "picky of my_bot.py cannot be made: ValueError"),
        ("my_bot.py:broken", RuntimeError, "broken of my_bot.py cannot be made: ZeroDivisionError"),
        ("my_bot.py:nobody", RuntimeError, r"expected an object with act\(observation, info\)"),
        ("no_bot.py", ValueError, "no_bot.py cannot be read: No such file"),
        ("table_manners.py", ValueError, 'has no class with act: .*"process:python table_manners'),
        ("table_manners.py:Bot", ValueError, "has no class or function 'Bot'; it defines none"),
        ("worse.py", RuntimeError, r"worse.py, line 3: ZeroDivisionError: division by zero"),
        ("wrong.py", RuntimeError, r"wrong.py: SyntaxError: .*line 1"),
        ("ends.py", RuntimeError, r"ends.py, line 1: SystemExit: enough"),
        (
            "two.py",
            ValueError,
            'two.py has several players, A, B: name what makes the player, "two',
        ),
    ],
)
def test_a_broken_player_file_gives_a_one_line_error(folder, name, kind, message):
    (folder / "worse.py").write_text("def f():\n\n    return 1 / 0\nf()")
    (folder / "wrong.py").write_text("class Bot(")
    (folder / "ends.py").write_text("raise SystemExit('enough')")
    both = "class {}:\n    def act(self, observation, info): return 1\n"
    (folder / "two.py").write_text(both.format("A") + both.format("B"))
    with pytest.raises(kind, match=message) as caught:
        agents.make(name)
    assert "\n" not in str(caught.value)


def test_a_program_that_reads_input_does_not_block_loading(folder):
    (folder / "lines.py").write_text("import sys\nfor line in sys.stdin:\n    print(line)\n")
    own = sys.stdin
    with pytest.raises(ValueError, match='a program that speaks lines is "process:python lines'):
        agents.make("lines.py")
    assert sys.stdin is own


def test_a_changed_file_gives_another_player(folder):
    before, twin = agents.make("my_bot.py"), agents.make("my_bot.py")
    (folder / "my_bot.py").write_text(BOT.replace("few hands", "some hands"))
    after = agents.make("my_bot.py")
    assert agents.describe("my_bot.py") == "Bets with some hands."
    assert fingerprint(before) == fingerprint(twin) != fingerprint(after)
    assert fingerprint(agents.make("my_bot.py:Careful:hands=4")) != fingerprint(after)


def test_a_player_in_a_file_meets_others_in_a_league(folder, capsys):
    command = ["league", "mine=my_bot.py:Careful:hands=4", "my_bot.py:bet_from=2", "caller"]
    assert evolve([*command, "--games", "120"]) == 0
    said = capsys.readouterr().out
    assert "mine" in said
    assert "my_bot.py:bet_from=2" in said


def test_a_player_in_a_file_plays_for_a_dealer(folder, capsys):
    seats = ["mine=my_bot.py:Careful:hands=4", "pot-odds:margin=0.1", "my_bot.py:Careful"]
    command = ["acpc", "dealer", "--hands", "3", "--seed", "1"]
    assert main([*command, *seats]) == 0
    said = capsys.readouterr()
    assert said.out.endswith(":mine|pot-odds-margin=0.1|Careful\n")


SEES_INPUTS = """
class PotOdds:
    observation = "features_scaled"
    actions = (0.5, 1.0)

    def act(self, observation, info):
        likes = observation["observation"][3] > 0.5 and observation["action_mask"][3]
        return 3 if likes else 1
"""


def test_a_player_with_feature_inputs_plays_at_every_kind_of_table(folder, capsys):
    (folder / "inputs.py").write_text(SEES_INPUTS)
    assert main(["acpc", "dealer", "--hands", "3", "inputs.py", "my_bot.py"]) == 0
    assert evolve(["league", "inputs.py", "my_bot.py", "caller", "--games", "120"]) == 0
    env = nlhe_env.NoLimitHoldemEnv(["inputs.py", "my_bot.py"], actions="chips", num_hands=2)
    env.reset(seed=1)
    setup = GameSetup(("inputs.py", "my_bot.py"), nlhe_env.Game.cash(num_hands=2), seed=1)
    players = [agents.make(name) for name in setup.seats]
    game = LiveGame(setup, players, name_seats(players, setup.seats))
    while game.phase != GAME_OVER:
        game.advance()
        assert not game.error
    assert game.hands_played == 2


def test_every_player_is_listed_with_a_description(folder, capsys):
    assert main(["players"]) == 0
    said = capsys.readouterr().out
    for name in agents.names():
        assert agents.describe(name)
        assert f"  {name} " in said
        assert agents.describe(name) in said
    assert "FILE.py:NAME" in said


def test_options_of_a_player_are_listed(folder, capsys):
    assert main(["players", "pot-odds", "my_bot.py:Careful", "my_bot.py:demanding"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1:3] == [f"  {PLAYERS['pot-odds'].traits}", "  margin=0.2"]
    assert "  rated by the bench: heads-up 51, six-max 77, limit 68, tournament 66" in said
    assert "my_bot.py:Careful: Bets with few hands." in said
    assert said[-1] == "  size=..., must be given"
    assert main(["players", "pot-odds:margin=0.3"]) == 0
    assert "margin=0.3" in capsys.readouterr().out
    for wrong in ("pot-odds:margn=0.3", "process:true", "champion.npz", "pot-oods"):
        assert main(["players", wrong]) == 2
    assert 'did you mean "pot-odds"' in capsys.readouterr().err
