"""A new option of the game is a field of ``TableOptions``, and its type: all others follow."""

import subprocess
import sys
from typing import get_type_hints

import pytest

from nlhe_env.game.description import RULES, Game, GameRules, TableOptions

SCRIPT = """
import inspect
from importlib.machinery import SourceFileLoader

MODULE = "nlhe_env.game.description"
ADDED = {  # on the same line, since help is read from the lines of the file
    "BETTING: tuple[Betting, ...] = get_args(Betting)": (
        'BombPot = Literal["never", "always"]; BOMB_POTS = get_args(BombPot)'
    ),
    "    two_calls: bool = False": (
        'bomb_pot: BombPot = field(default="never", metadata=_on_pages("Bomb pot", BOMB_POTS))'
    ),
    "    two_calls: bool": "bomb_pot: BombPot",
}
usual = SourceFileLoader.get_code


def with_option(self, fullname):
    if fullname != MODULE:
        return usual(self, fullname)
    lines = self.get_data(self.path).decode().splitlines()
    lines = [f"{line}; {ADDED[line]}" if line in ADDED else line for line in lines]
    return self.source_to_code("\\n".join(lines), self.path)


SourceFileLoader.get_code = with_option
import nlhe_env, evolve
from agents.web.table.setup import GameSetup
from evolve.commands.league import League
from evolve.training.config import Config
from evolve.training.config_files import parse_config, to_toml
from nlhe_env.system.command_help import parse_command

NEW = {"bomb_pot": "always"}
assert nlhe_env.Game.cash(**NEW).bomb_pot == nlhe_env.Game.tournament(**NEW).bomb_pot == "always"
for maker in (nlhe_env.Game.cash, nlhe_env.env, nlhe_env.raw_env, nlhe_env.BatchEnv):
    assert inspect.signature(maker).parameters["bomb_pot"].default == "never", maker
assert nlhe_env.env(3, **NEW).game == nlhe_env.Game(score="chips", **NEW)
assert nlhe_env.BatchEnv(2, 3, **NEW).game.bomb_pot == "always"
for mode in ("tournament", "cash"):
    config = Config().with_values(
        game=mode, schedule="blocks", opponents="pool", optimizer="cma-es", named=["caller"],
        progress_tournaments=0, **NEW
    )
    assert config.make_game().bomb_pot == "always"
    assert parse_config(to_toml(config), source="", name="") == config
    league = evolve.LeagueSettings.of(mode=mode, **NEW)
    assert league.make_game().bomb_pot == league.as_dict()["bomb_pot"] == "always"
    assert evolve.LeagueSettings.from_dict(league.as_dict()) == league
    assert "bomb_pot" not in evolve.LeagueSettings.of(mode=mode).as_dict()
    setup = GameSetup.read({"seats": ["caller"] * 2, "mode": mode, **NEW})
    assert setup.game.bomb_pot == "always"
typed = ["league", "caller", "raiser", "--bomb-pot", "always"]
command = parse_command({"league": League}, typed, prog="", description="")
assert command.settings.bomb_pot == "always"
from nlhe_env.game.description import PAGE_OPTIONS
assert PAGE_OPTIONS["bomb_pot"].metadata["label"] == "Bomb pot"
"""


@pytest.mark.slow
def test_a_new_option_is_one_of_environments_runs_leagues_pages_and_commands():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_keyword_arguments_have_the_names_and_types_of_the_game():
    assert {*get_type_hints(GameRules)} == {*RULES} == {*Game.__dataclass_fields__} - {"score"}
    same = get_type_hints(TableOptions)
    assert {name: get_type_hints(GameRules)[name] for name in same} == same
