"""Schedules with players of any kind, and hands recorded from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import assert_equal

import agents
from agents import Blocks, LineUps, Tournaments
from agents.play.environment import play_in_environment
from nlhe_env import BlindSchedule, Game, Rake
from nlhe_env.hand_history import play_hand, read_hands, write_hands

NAMES = ("caller", "folder", "old-best", "raiser", "random", "loose-aggressive")
CASH = Game.cash(num_hands=4)
TOURNAMENT = Game.tournament(starting_stack=300)
LINE_UPS = LineUps([[0, 4, 5], [1, 4, 5], [4, 4, 2]], [4, 4, 123_456_789_012])
SCHEDULES = {
    "tournaments": Tournaments(2, first=3),
    "blocks": Blocks(2, first=2, circle="given"),
    "some players": Blocks(2, players=(5, 0, 2)),
    "line-ups": LINE_UPS,
}
OPTIONS = Game.cash(
    starting_stack=400,
    blinds=BlindSchedule(((5, 10, 10),), ante_by="big blind"),
    num_hands=4,
    straddle="button",
    rake=Rake(share=0.05, cap=30),
    runs=2,
)
GAMES = {
    "cash": CASH,
    "options": OPTIONS,
    "tournament": TOURNAMENT,
    "tables": replace(TOURNAMENT, table_size=4),
}
STACKS = Game.tournament(starting_stack=(900, 50, 700), num_hands=9, score="chips")
CASES = [(schedule, game) for schedule in SCHEDULES for game in GAMES]


class Plain:
    """A compiled player that looks like somebody's own."""

    def __init__(self, player: agents.CompiledPlayer) -> None:
        self._player = player
        self.observation = player.inputs
        self.actions = "sized"
        self.begin = player.begin

    def act(self, observation, info) -> int:
        return self._player.act(observation, info)


@pytest.fixture(scope="module")
def players():
    return [agents.make_compiled(name) for name in NAMES]


def test_a_tally_tells_the_rake(players):
    for schedule in (Blocks(3), LINE_UPS):
        hands = []
        tally = agents.play(players, schedule, OPTIONS, seed=8, record=hands.append)
        lost = [sum(hand.stacks) - sum(hand.finishing_stacks) for hand in hands]
        assert tally.rake == sum(lost) > 0
        assert max(lost) == 30
    assert agents.play(players, Blocks(3), CASH, seed=8).rake == 0
    assert agents.play(players, Tournaments(3), TOURNAMENT, seed=8).rake == 0


def check_doors(players, schedule, game):
    compiled = agents.play(players, schedule, game, seed=8, rows=True)
    assert_equal(play_in_environment(players, schedule, game, seed=8, rows=True), compiled)
    hands = []
    recorded = agents.play(players, schedule, game, seed=8, rows=True, record=hands.append)
    assert_equal(recorded, compiled)
    assert len(hands) == compiled.hands


@pytest.mark.parametrize(("schedule", "game"), CASES)
def test_both_doors_give_the_same_tallies(players, schedule, game):
    check_doors(players, SCHEDULES[schedule], GAMES[game])


@pytest.mark.parametrize("schedule", ["some players", "line-ups"])
def test_both_doors_put_unequal_stacks_in_the_same_seats(players, schedule):
    check_doors(players, SCHEDULES[schedule], STACKS)


@pytest.mark.parametrize("schedule", [Tournaments(2), Blocks(2), LINE_UPS.part(0, 2)])
def test_players_who_see_observations_play_the_same_games(schedule):
    names = ("caller", "folder", "old-best") * 2
    players = [agents.make_compiled(name) for name in names]
    wrapped = [Plain(player) for player in players]
    for who in (wrapped, [*wrapped[:3], *players[3:]]):
        assert_equal(
            agents.play(who, schedule, CASH, seed=8, rows=True),
            agents.play(players, schedule, CASH, seed=8, rows=True),
        )


def test_recorded_hands_can_be_written_read_and_played_again(players):
    hands = []
    tally = agents.play(players[2:], Blocks(1), CASH, seed=3, rows=True, record=hands.append)
    assert read_hands(write_hands(hands)) == hands
    won = np.zeros(4, np.int64)
    for hand in hands:
        *_, last = play_hand(hand)
        assert last is not None
        for name, before, after in zip(
            hand.players, hand.stacks, hand.finishing_stacks, strict=True
        ):
            won[int(name.removeprefix("player_"))] += after - before
    np.testing.assert_array_equal(won, tally.totals)


def test_recording_takes_players(players):
    with pytest.raises(ValueError, match="give the players themselves"):
        agents.play(agents.pack(players), Blocks(1), CASH, seed=1, record=print)


def test_players_who_see_and_answer_differently_play_the_same_games():
    class Calls:  # sees the cards and answers in chips
        def act(self, observation, info):
            return 1

    players = [agents.make_compiled(name) for name in ("caller", "raiser", "old-best")]
    mixed = [Calls(), Plain(players[1]), Plain(players[2])]
    assert_equal(
        agents.play(mixed, Blocks(4), CASH, seed=8, rows=True),
        agents.play(players, Blocks(4), CASH, seed=8, rows=True),
    )
