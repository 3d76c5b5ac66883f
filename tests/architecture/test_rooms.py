"""Rooms of theses and of other packages: nobody imports them, and records alone lead to them."""

import re
from importlib import import_module

import pytest
from package_layout import PACKAGES, ROOT, imports_of_packages, printed_by

import agents
import evolve
from agents.rooms import find_rooms

ROOM = re.compile(r"(agents|evolve)\.theses\.(\w+)")
IN_CORE = [
    path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py*"))
    if path.suffix in (".py", ".pyi") and "theses" not in path.parts
]


def test_the_core_names_no_room():
    """Neither in an import nor in a text from which one could be made at run time."""
    assert IN_CORE
    assert not [path for path in IN_CORE if ROOM.search(path.read_text(encoding="utf-8"))]


def test_rooms_do_not_import_each_other():
    crossed = {
        f"{name} -> {module}"
        for name, found in imports_of_packages().items()
        if (here := ROOM.match(name))
        for module in found.modules
        if (there := ROOM.match(module)) and there[2] != here[2]
    }
    assert not crossed


def test_lists_of_players_and_presets_load_nothing_of_a_room():
    code = """
import sys
import agents, evolve
from evolve.training import config_files
from evolve.commands import presets
assert {"psopti-1", "ashe-2.0", "limit-vote"} <= set(agents.names())
assert agents.describe("vexbot")
assert {"hands-20", "sbb-small", "ashe-1.0"} <= set(config_files.preset_names())
evolve.load_preset("quick"), evolve.load_preset("large-hof")
names = [name for name in sys.modules if ".theses." in name]
print([name for name in names if name.count(".") > 2 and not name.endswith(".room")])
"""
    assert printed_by(code) == "[]\n"


def test_records_have_every_kind():
    code = """
import pkgutil
from importlib import import_module
import agents.players
import agents.theses
from agents.player_records import KIND_MODULES
from agents.policy import kinds
for name in KIND_MODULES:
    kind = kinds.find_kind(name)
    assert kind.name == name
    assert kind.explained_by is None or import_module(kind.explained_by).explain
known = set(kinds._kinds)
for package in agents.players, agents.theses:
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        __import__(module.name)
print(set(kinds._kinds) - known)
"""
    assert printed_by(code) == "set()\n"


def test_records_name_what_is_there():
    for room in (*find_rooms("agents.theses"), *find_rooms("evolve.theses")):
        for name in room.names:
            assert room.load(name)
        parts = [part for section in room.parts.values() for part in section.values()]
        made = [one.make for one in room.players if not one.make.endswith(".npz")]
        for text in (*parts, *room.commands.values(), *made):
            module, _, name = text.partition(":")
            assert getattr(import_module(module), name), text


@pytest.mark.parametrize(
    ("name", "home"),
    [
        ("agents.AshePlayer", "agents.theses.li.AshePlayer"),
        ("agents.LimitTeamPlayer", "agents.theses.bonson.LimitTeamPlayer"),
        ("evolve.measure_actions", "evolve.theses.li.measure_actions"),
        *(
            (f"{module.__name__}.{name}", f"{home}.{name}")
            for module in (agents, evolve)
            for home, names in module._MOVED.items()
            for name in names
        ),
    ],
)
def test_names_that_moved_say_where_they_are(name, home):
    module, _, attribute = name.partition(".")
    with pytest.raises(AttributeError, match=re.escape(f"{name} is now {home}")):
        getattr(__import__(module), attribute)
    package, _, attribute = home.rpartition(".")
    assert hasattr(__import__(package, fromlist=[attribute]), attribute)


ROOM_OF_SHARKS = """
from agents.rooms import PlayerRecord, Room
ROOM = Room(
    does="sharks",
    players=(PlayerRecord("shark", "bites", "sharks.players:shark", seats=6, costly=("size",)),),
    kinds={"shark": "sharks.players"},
    parts={"fitness": {"bites": "sharks.training:Bites"}},
    presets="sharks",
    commands={"bite": "sharks.training:Bite"},
)
"""
PLAYERS = '''
import agents
from agents import kernels
from agents.policy.view import offer_legal
from nlhe_env.kernels import kernel
@kernel
def shark_policy(parameters, memory, view):
    offer_legal(view, 1.0, 0.0, 0.0)
SHARK = agents.register_kind(agents.Kind("shark", shark_policy, wants="nothing"))
def shark(bite: float = 0.5, size: int = 3):
    """A shark."""
    return agents.make_compiled("caller")
'''
TRAINING = '''
from dataclasses import dataclass
from evolve.training.fitness import ScoreFitness
@dataclass(frozen=True, kw_only=True)
class Bites(ScoreFitness):
    """Bites."""
@dataclass(frozen=True)
class Bite:
    """Bite once."""
    def run(self, reporter):
        print("bitten")
'''


def test_another_package_adds_a_room_by_an_entry_point(tmp_path):
    package, about = tmp_path / "sharks", tmp_path / "sharks-1.0.dist-info"
    (package / "presets").mkdir(parents=True)
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: sharks\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[nlhe_env.rooms]\nsharks = sharks.room:ROOM\n")
    for name, text in (("__init__", ""), ("room", ROOM_OF_SHARKS), ("training", TRAINING)):
        (package / f"{name}.py").write_text(text)
    (package / "players.py").write_text(PLAYERS)
    (package / "presets/ocean.toml").write_text('# Sharks.\nextends = "quick"\nfitness = "bites"\n')
    code = """
import sys
import agents, evolve
assert "shark" in agents.names() and agents.describe("shark") == "bites"
assert "sharks.players" not in sys.modules
print(agents.make("shark:bite=0.9").name, evolve.load_preset("ocean").kind("fitness"))
from agents.policy.kinds import find_kind
print(find_kind("shark").name)
from agents.player_records import find_record
from agents.web.catalogue import Catalogue
print(find_record("shark").traits.partition(";")[0])
Catalogue().make("shark:bite=0.8")
try:
    Catalogue().make("shark:size=1000000000")
except ValueError:
    print("refused")
evolve.main(["bite"])
"""
    printed = ["shark:bite=0.9", "bites", "shark", "6", "players", "refused", "bitten"]
    assert printed_by(code, str(tmp_path)).split() == printed
