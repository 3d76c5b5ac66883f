"""Players say which games they know before the first hand, in every way of playing."""

import sys

import gymnasium
import numpy as np
import pytest

import agents
import nlhe_env
from agents.acpc.games import competition_game
from agents.acpc.table import Table, check_players
from agents.match.workers.parsing import parse_workers
from agents.measure.leagues.league import play_league
from agents.measure.leagues.league_matches import LeagueSettings
from agents.measure.leagues.league_store import LeagueStore
from agents.player_records import PLAYERS


class Known(agents.ChipPlayer):
    """Must not be asked."""

    name = "known"

    def __init__(self, seats=None, betting=None):
        self.known_seats, self.known_betting = seats, betting

    def decide(self, turn):
        raise AssertionError("a hand has begun")


def by_play(player, seats, betting):
    game = nlhe_env.Game.cash(betting=betting)
    agents.play([player, *["caller"] * (seats - 1)], agents.Blocks(1), game, seed=1)


def by_episode(player, seats, betting):
    env = nlhe_env.raw_env(seats, mode="cash", betting=betting, actions="chips")
    agents.play_episode(env, dict.fromkeys(env.possible_agents, player), seed=1)


def by_gymnasium(player, seats, betting):
    env = gymnasium.make(
        "nlhe/NoLimitHoldem-v0", opponents=[player] * (seats - 1), betting=betting, actions="chips"
    )
    env.reset(seed=1)


def by_acpc(player, seats, betting):
    table = Table(competition_game(betting=betting), seats, seed=0, observation="cards")
    check_players(table, [player, *[None] * (seats - 1)])


def by_league(player, seats, betting):
    players = {"known": player} | {f"{i}": agents.make("caller") for i in range(seats - 1)}
    settings = LeagueSettings.of(format="table", table_size=seats, betting=betting)
    with LeagueStore.open(None, lambda _: settings) as store, parse_workers("1") as workers:
        play_league(players, store, games=1, workers=workers)


WAYS = [by_play, by_episode, by_gymnasium, by_acpc, by_league]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("player", "message"),
    [
        (Known(seats=2), "known plays heads-up only; this match has 3 seats"),
        (Known(seats=range(4, 7)), "known plays with 4, 5, 6 players only; this match has 3 seats"),
        (Known(betting="fixed-limit"), "known plays fixed-limit only; this match is no-limit"),
        (agents.make("nlbot-1"), "nlbot-1 plays heads-up only; this match has 3 seats"),
        (agents.make("vexbot"), "Vexbot plays heads-up fixed-limit only"),
        (agents.make("psopti-0"), "pseudo-optimal players play heads-up fixed-limit only"),
        (agents.make("limit-team"), 'a limit team plays heads-up with betting="fixed-limit" only'),
        (
            agents.from_policy(lambda *_: 1, name="mine", seats=(2, 6)),
            "mine plays with 2, 6 players only; this match has 3 seats",
        ),
    ],
)
def test_a_game_that_is_not_known_is_refused_before_the_first_hand(way, player, message):
    with pytest.raises(ValueError, match=message):
        way(player, 3, "no-limit")


READY = """
import sys
sys.stdin.readline()
print('{"type": "ready", "seats": [2], "betting": "no-limit"}', flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("way", [by_play, by_episode, by_gymnasium, by_league])
def test_a_program_declares_its_games_when_it_is_ready(way):
    with (
        agents.ProcessPlayer([sys.executable, "-c", READY], name="bot") as bot,
        pytest.raises(ValueError, match="bot plays heads-up only; this match has 3 seats"),
    ):
        way(bot, 3, "no-limit")


@pytest.mark.parametrize("way", WAYS)
def test_a_known_game_is_played(way):
    player = agents.from_policy(lambda *_: 1, seats={3, 4}, betting=["no-limit", "fixed-limit"])
    way(player, 3, "fixed-limit")


def test_the_bench_refuses_before_the_first_suite():
    with pytest.raises(ValueError, match=r"known cannot play the suite six-max .*heads-up only"):
        agents.bench(Known(seats=2), ["heads-up", "six-max"], hands=20, seed=1)
    with pytest.raises(ValueError, match="nlbot-1 cannot play the suite six-max"):
        agents.bench("nlbot-1", ["heads-up", "six-max"], hands=20, seed=1)


def test_a_model_of_another_number_of_seats_is_refused():
    class Model:
        observation_space = nlhe_env.env(2, actions=(0.5, 1.0)).observation_space("player_0")

        def predict(self, observation, deterministic=False):
            return np.array(1), None

    player = agents.from_sb3(Model(), observation="cards")
    by_play(player, 2, "no-limit")
    with pytest.raises(ValueError, match=r"Model was made for observations of .* of 3 seats"):
        by_play(player, 3, "no-limit")


@pytest.mark.parametrize("answer", [None, 1.0, 1.5, -1, 9, "call", (1, None), np.zeros(5)])
def test_an_error_names_what_a_policy_returned(answer):
    player = agents.from_policy(lambda *_: answer)
    with pytest.raises(nlhe_env.IllegalActionError) as caught:
        by_play(player, 2, "no-limit")
    shown = " ".join(repr(answer).split())
    assert str(caught.value) == f"policy returned {shown}; expected one of the ids 1, 2, 3, 4"


# --- unusual games --------------------------------------------------------------------------------


NO_LIMIT = [name for name, record in PLAYERS.items() if record.betting != "fixed-limit"]
QUICK = ("nlbot-1", "nlbot-2", "nlbot-3", "nlbot-4", "pot-odds", "push-or-fold")
ENCODINGS = ("chips", (0.5, 1.0), (0.33, 0.75, 2.0))
CASES = [(name, actions) for name in QUICK for actions in ENCODINGS]
CASES += [
    pytest.param(name, ENCODINGS[i % len(ENCODINGS)], marks=pytest.mark.slow)
    for i, name in enumerate(name for name in NO_LIMIT if name not in QUICK)
]
"""The others, which are compiled players, read all encodings alike, so that each has one."""


@pytest.mark.parametrize(("name", "actions"), CASES, ids=str)
def test_players_play_with_fewer_chips_than_action_ids(name, actions):
    players = PLAYERS[name].seats or 3
    game = nlhe_env.Game.cash(
        starting_stack=2500,
        blinds=(10, 20, 5),
        num_hands=2,
        rake=nlhe_env.Rake(share=0.05, cap=60),
        straddle="under the gun",
        boards=2,
    )
    env = nlhe_env.raw_env(players, game=game, actions=actions)
    if actions == "chips":
        assert env.action_space("player_0").n == 2500 * players + 1
    seats = {f"player_{i}": "caller" for i in range(1, players)} | {"player_0": name}
    made = agents.make(name)
    if isinstance(made, agents.NLBot) and len(actions) == 3:
        made = agents.NLBot(int(name[-1]), actions=actions)
    for seed in range(3):
        stacks = ([2400, 1900, 700], [90, 2500, 2500], [2500] * 3)[seed % 3][:players]
        totals = agents.play_episode(
            env, {**seats, "player_0": made}, seed=seed, options={"stacks": stacks}
        )
        assert sum(totals.values()) <= 0  # the rake
