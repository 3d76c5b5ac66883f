"""Players say which games they know before the first hand, in every way of playing."""

from __future__ import annotations

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
        "nlhe/NoLimitHoldem-v0",
        opponents=[player] * (seats - 1),
        betting=betting,
        actions="chips",
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


@pytest.mark.parametrize("answer", [None, 1.5, -1, 7, "call", (1, None), np.zeros(3)])
def test_an_error_names_what_a_policy_returned(answer):
    player = agents.from_policy(lambda *_: answer)
    with pytest.raises(nlhe_env.IllegalActionError) as caught:
        by_play(player, 2, "no-limit")
    shown = " ".join(repr(answer).split())
    assert str(caught.value) == f"policy returned {shown}; expected one of the ids 1, 2, 3, 4"
