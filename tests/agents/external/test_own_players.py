"""Players of one's own in Python: the hooks, answers in chips, and players of other packages."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import last_hand

import agents
import nlhe_env
from agents.commands.main import main
from agents.external.hooks import private_seed

# --- hooks ----------------------------------------------------------------------------------------


class Diary:
    """Calls everything and records the events that it receives."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []

    def act(self, observation: Any, info: Any) -> int:
        self.events.append(("act", dict(info)))
        return 1

    def on_episode_start(self, info: dict[str, Any]) -> None:
        self.events.append(("episode_start", info))

    def on_hand_start(self, info: dict[str, Any]) -> None:
        self.events.append(("hand_start", info))

    def on_hand_end(self, info: dict[str, Any]) -> None:
        self.events.append(("hand_end", info))

    def on_episode_end(self, info: dict[str, Any]) -> None:
        self.events.append(("episode_end", info))

    def received(self, kind: str) -> list[dict[str, Any]]:
        return [event for name, event in self.events if name == kind]


class Scripted(agents.ChipPlayer):
    """Does what it has been given, in chips."""

    def __init__(self, *script: int) -> None:
        self.script: Iterator[int] = iter(script)
        self.turns: list[dict[str, Any]] = []

    def decide(self, turn: dict[str, Any]) -> int:
        self.turns.append(turn)
        return next(self.script)


def test_events_of_a_hand_arrive_from_start_to_end():
    env = nlhe_env.raw_env(
        3, mode="cash", blinds=(10, 20, 5), starting_stack=[500, 600, 700], actions="chips"
    )
    diary = Diary()  # big blind
    button = Scripted(60, agents.FOLD)
    small = Scripted(agents.CHECK_OR_CALL, 100, agents.CHECK_OR_CALL, agents.CHECK_OR_CALL)
    players = {"player_0": button, "player_1": small, "player_2": diary}
    cards = {"player_0": "2c7d", "player_1": "KsKh", "player_2": "AsAd"}
    first_hand = {"button": 0, "hole_cards": cards, "board": "9h4d2sQc6h"}
    totals = agents.play_episode(env, players, seed=4, options=first_hand)

    kinds = [kind for kind, _ in diary.events]
    assert kinds == ["episode_start", "hand_start", *["act"] * 4, "hand_end", "episode_end"]
    assert diary.received("episode_start") == [
        {
            "player": "player_2",
            "players": ["player_0", "player_1", "player_2"],
            "seed": private_seed(4, 0, 2),
            "betting": "no-limit",
            "mode": "cash",
        }
    ]
    assert diary.received("hand_start") == [
        {
            "hand_number": 0,
            "table": 0,
            "button": 0,
            "small_blind": 10,
            "big_blind": 20,
            "ante": 5,
            "seat": 2,
            "hole_cards": "AsAd",
            "seats": [
                {"player": "player_0", "stack": 500},
                {"player": "player_1", "stack": 600},
                {"player": "player_2", "stack": 700},
            ],
        }
    ]
    (end,) = diary.received("hand_end")
    received = [
        (event["street"], event["seat"], event["action"], event.get("to"))
        for event in end["history"]
    ]
    assert received == [
        ("preflop", 0, "raise", 60),
        ("preflop", 1, "call", None),
        ("preflop", 2, "call", None),
        ("flop", 1, "raise", 100),
        ("flop", 2, "call", None),
        ("flop", 0, "fold", None),
        ("turn", 1, "check", None),
        ("turn", 2, "check", None),
        ("river", 1, "check", None),
        ("river", 2, "check", None),
    ]  # fmt: skip
    assert end["seat"] == 2
    assert end["net"] == {"player_0": -65, "player_1": -165, "player_2": 230}
    assert end["shown"] == {"player_1": "KsKh", "player_2": "AsAd"}
    assert diary.received("episode_end") == [{"player": "player_2", "reward": 230.0}]
    assert totals["player_2"] == 230.0
    assert small.turns[1]["history"] == end["history"][:3]  # a snapshot, not what came later


@pytest.mark.parametrize("seed", range(4))
def test_every_started_hand_ends_and_its_chips_add_up(seed):
    env = nlhe_env.raw_env(7, table_size=4, actions="sized", starting_stack=300)
    diaries = {agent: Diary() for agent in env.possible_agents[:3]}
    others = ["random", "raiser", "caller", "old-best"]
    players = dict(
        zip(env.possible_agents, [*diaries.values(), *map(agents.make, others)], strict=True)
    )
    agents.play_episode(env, players, seed=seed)
    for agent, diary in diaries.items():
        open_hand, number, chips = None, -1, 300
        for kind, event in diary.events:
            if kind == "hand_start":
                assert open_hand is None
                open_hand = (event["table"], event["hand_number"])
                stack = next(s["stack"] for s in event["seats"] if s and s["player"] == agent)
                if event["hand_number"] == number + 1:
                    assert stack == chips
                number, chips = event["hand_number"], stack
            elif kind == "act":
                assert open_hand == (event["table"], event["hand_number"])
            elif kind == "hand_end":
                assert open_hand == (event["table"], event["hand_number"])
                open_hand = None
                chips += event["net"][agent]
            elif kind == "episode_end":
                assert open_hand is None
                assert event["reward"] == (1800 if event["place"] == 1 else -300)
        assert diary.events[-1][0] == "episode_end"
    assert sum(len(diary.received("hand_start")) for diary in diaries.values()) > 10


# Player 0 is left with five chips, and is all-in by the small blind of the next hand.
LOSING = {
    "button": 1,
    "stacks": [1000, 995],
    "hole_cards": {"player_0": "2c7d", "player_1": "AsAd"},
    "board": "AhAcKs9h4d",
}


def test_every_hand_that_ended_in_a_step_is_reported():
    env = nlhe_env.raw_env(2, blinds=(10, 20), actions="chips")
    env.reset(seed=2, options=LOSING)
    env.step(995)
    assert env.hands_over == []
    env.step(1)
    first, second = env.hands_over[:2]
    assert first["net"] == {"player_0": -995, "player_1": 995}
    assert second["hand_number"] == 1
    assert set(second["net"].values()) == {-5, 5}
    assert env.hands_over[-1] == last_hand(env)


def test_a_hand_without_decisions_has_no_start_event_and_hides_no_other():
    env = nlhe_env.raw_env(2, blinds=(10, 20), actions="chips")
    diary = Diary()
    players = {"player_0": diary, "player_1": Scripted(995, *[0] * 50)}
    agents.play_episode(env, players, seed=2, options=LOSING)
    starts, ends = diary.received("hand_start"), diary.received("hand_end")
    assert ends[0]["net"] == {"player_0": -995, "player_1": 995}
    assert [event["hand_number"] for event in starts] == [event["hand_number"] for event in ends]
    assert 1 not in [event["hand_number"] for event in starts]


def test_observing_events_does_not_change_the_game():
    totals = []
    for kind in (Diary, lambda: agents.make("caller")):
        env = nlhe_env.env(4, actions="sized")
        players = {agent: agents.make("random") for agent in env.possible_agents}
        players["player_1"] = kind()
        totals.append(agents.play_episode(env, players, seed=8))
    assert totals[0] == totals[1]


def test_player_seeds_differ_by_seed_episode_and_player():
    seeds = {private_seed(s, e, p) for s in range(5) for e in range(5) for p in range(5)}
    assert len(seeds) == 125
    assert max(seeds) < 2**53


def test_episodes_of_a_seed_have_their_own_player_seeds():
    env = nlhe_env.raw_env(2, mode="cash", actions="sized")
    diary = Diary()
    players = {"player_0": diary, "player_1": agents.make("random")}
    agents.play_episode(env, players, seed=5)
    agents.play_episode(env, players)
    first, second = diary.received("episode_start")
    assert first["seed"] == private_seed(5, 0, 0)
    assert second["seed"] == private_seed(5, 1, 0)


# --- answers in chips -----------------------------------------------------------------------------


def test_a_raise_in_chips_becomes_the_nearest_pot_fraction():
    env = nlhe_env.raw_env(2, mode="cash", blinds=(10, 20), actions=(0.5, 1.0))
    # To call 10 into 30: after calling the pot is 40, so that the sizes are 40, 60 and all-in.
    for wish, got in [(40, 40), (49, 40), (51, 60), (300, 60), (1200, 2000)]:
        player = Scripted(wish, *[agents.CHECK_OR_CALL] * 10)
        other = Diary()
        first_hand = {"button": 0, "hole_cards": {"player_0": "AsKd"}}
        players = {"player_0": player, "player_1": other}
        agents.play_episode(env, players, seed=1, options=first_hand)
        assert other.received("hand_end")[0]["history"][0]["to"] == got


# --- players with their own spaces ----------------------------------------------------------------


class Scaled:
    """Looks at the scaled inputs, and bets half the pot or the pot with what wins."""

    observation = "features_scaled"
    actions = (0.5, 1.0)

    def __init__(self):
        self.asked = 0

    def act(self, observation, info):
        self.asked += 1
        assert observation["observation"].shape == (35,)
        assert observation["action_mask"].shape == (5,)
        win_chance = observation["observation"][3]
        wished = 3 if win_chance > 0.6 else 2 if win_chance > 0.5 else 1
        return wished if observation["action_mask"][wished] else 1


@pytest.mark.parametrize("observation", ["cards", "features_scaled"])
@pytest.mark.parametrize("actions", ["chips", (0.5, 1.0), (0.25, 0.5, 1.0, 2.0)])
def test_a_players_declared_spaces_are_used_in_any_environment(observation, actions):
    totals = []
    for seen, numbered in ((observation, actions), (Scaled.observation, Scaled.actions)):
        env = nlhe_env.raw_env(3, mode="cash", num_hands=30, observation=seen, actions=numbered)
        scaled = Scaled()
        players = {"player_0": scaled, "player_1": agents.make("caller"), "player_2": Scaled()}
        totals.append(agents.play_episode(env, players, seed=5))
        assert scaled.asked > 30
    assert totals[0] == totals[1]


def test_an_illegal_id_is_reported_in_the_players_own_action_space():
    class Wild(Scaled):
        name = "Wild"

        def act(self, observation, info):
            return 7

    env = nlhe_env.env(2, actions="chips")
    players = {"player_0": Wild(), "player_1": agents.make("caller")}
    with pytest.raises(
        nlhe_env.IllegalActionError, match=r"Wild returned 7; expected one of the ids"
    ):
        agents.play_episode(env, players, seed=1)


def test_an_impossible_space_is_refused_when_the_player_is_seated():
    players = {"player_0": Scaled(), "player_1": agents.make("caller")}
    with pytest.raises(ValueError, match=r'actions="sized" and draws the amounts itself'):
        agents.play_episode(nlhe_env.env(2, actions="sized"), players)
    players["player_0"].observation = "feature"
    with pytest.raises(ValueError, match='did you mean "features"'):
        agents.play_episode(nlhe_env.env(2), players)


# --- players of other packages --------------------------------------------------------------------

MODULE = '''
class Shark:
    """Bites."""
    name = "Shark"
    def __init__(self, bite=0.5, weights="shark.npz"):
        self.bite, self.weights = bite, weights
    def act(self, observation, info):
        return 1

SEA = "deep"

def broken():
    raise OSError("the weights are not there")

def no_player():
    return 42
'''

ENTRIES = """
[nlhe_env.players]
shark = sea_bots:Shark
ghost = no_such_module:Ghost
broken = sea_bots:broken
no-player = sea_bots:no_player
not-callable = sea_bots:SEA
caller = sea_bots:Shark
"""


def install(folder: Path, package: str, entries: str) -> None:
    info = folder / f"{package}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(entries)


@pytest.fixture
def sea_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sea_bots.py").write_text(MODULE)
    install(tmp_path, "sea_bots", ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_another_package_can_add_players(sea_bots):
    assert agents.names()[-5:] == ("broken", "ghost", "no-player", "not-callable", "shark")
    assert agents.names().count("caller") == 1
    assert agents.make("shark").name == "shark"
    assert agents.as_player("shark").act({}, {}) == 1
    env = nlhe_env.env(2, mode="cash")
    players = {"player_0": agents.make("shark"), "player_1": agents.make("folder")}
    assert sum(agents.play_episode(env, players, seed=1).values()) == 0


def test_players_from_other_packages_take_options(sea_bots):
    shark = agents.make("shark:bite=0.9,weights=great.npz")
    assert (shark.bite, shark.weights) == (0.9, "great.npz")
    assert shark.name == "shark:bite=0.9,weights=great.npz"
    assert agents.options("shark") == {"bite": 0.5, "weights": "shark.npz"}
    with pytest.raises(ValueError, match=r"'shark:bite=hard': bite must be a number"):
        agents.make("shark:bite=hard")


def test_players_from_other_packages_are_listed_even_broken_ones(sea_bots, capsys):
    assert main(["players"]) == 0
    said = capsys.readouterr().out
    assert "  shark         Bites.\n" in said
    assert "the player 'ghost' of sea_bots 1.2" in said


def test_built_in_names_cannot_be_overridden(sea_bots):
    assert isinstance(agents.make("caller"), agents.CompiledPlayer)


def test_a_similar_name_is_suggested(sea_bots):
    with pytest.raises(ValueError, match=r'did you mean "shark"'):
        agents.make("shrak")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("not-callable", "must be a class or function that makes it; got 'deep'"),
        (
            "ghost",
            "'ghost' of sea_bots 1.2 .*ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("broken", "'broken' of sea_bots 1.2 .*OSError: the weights are not there"),
        ("no-player", r"is 42; expected an object with act\(observation, info\)"),
    ],
)
def test_a_player_that_fails_to_load_names_its_package(sea_bots, name, message):
    with pytest.raises(RuntimeError, match=message):
        agents.make(name)


def test_two_packages_with_the_same_player_name_are_both_named(sea_bots):
    install(sea_bots, "lake_bots", "[nlhe_env.players]\nshark = lake_bots:Pike\n")
    with pytest.raises(
        RuntimeError, match=r"provided by .*lake_bots.* and |provided by .*sea_bots.* and "
    ):
        agents.make("shark")


def test_a_player_from_another_package_is_not_compiled(sea_bots):
    with pytest.raises(ValueError, match="needs compiled players"):
        agents.pack_players([agents.make("shark")])


def test_agents_of_a_lineup_exist():
    env = nlhe_env.raw_env(2, mode="cash")
    with pytest.raises(ValueError, match=r"an agent of players must be .*player_0.*'player_O'"):
        agents.Lineup(env, {"player_O": "caller", "player_1": "caller"})
