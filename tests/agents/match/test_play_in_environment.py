"""Schedules with players of any kind, and hands recorded from them."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import assert_equal

import agents
import nlhe_env
from agents import Blocks, LineupBlocks, Tournaments
from agents.match.environment import play_in_environment
from nlhe_env import BlindSchedule, Game, Rake
from nlhe_env.hand_history import play_hand, read_hands, write_hands

NAMES = ("caller", "folder", "old-best", "raiser", "random", "loose-aggressive")
CASH = Game.cash(num_hands=4)
TOURNAMENT = Game.tournament(starting_stack=300)
LINEUPS = LineupBlocks([[0, 4, 5], [1, 4, 5], [4, 4, 2]], [4, 4, 123_456_789_012])
SCHEDULES = {
    "tournaments": Tournaments(2, first=3),
    "blocks": Blocks(2, first=2, seating_order="fixed"),
    "some players": Blocks(2, players=(5, 0, 2)),
    "a player twice": Blocks(2, players=(4, 4, 2)),
    "lineups": LINEUPS,
}
OPTIONS = Game.cash(
    starting_stack=400,
    blinds=BlindSchedule(((5, 10, 10),), ante_by="big blind"),
    num_hands=4,
    straddle="button",
    rake=Rake(share=0.05, cap=30),
    boards=2,
)
GAMES = {
    "cash": CASH,
    "options": OPTIONS,
    "tournament": TOURNAMENT,
    "tables": replace(TOURNAMENT, table_size=4),
}
STACKS = Game.tournament(starting_stack=(900, 50, 700), num_hands=9, score="chips")
CASES = [(schedule, game) for schedule in SCHEDULES for game in GAMES]


class Calls:
    """Sees the cards, answers in chips and keeps the events that it receives."""

    def __init__(self) -> None:
        self.seeds: list[int] = []

    def on_episode_start(self, info) -> None:
        self.seeds.append(info["seed"])

    def act(self, observation, info) -> int:
        return 1


class Plain:
    """A compiled player that looks like a user's own."""

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


def test_a_tally_reports_the_rake(players):
    for schedule in (Blocks(3), LINEUPS):
        hands = []
        tally = agents.play(players, schedule, OPTIONS, seed=8, record=hands.append)
        lost = [sum(hand.stacks) - sum(hand.finishing_stacks) for hand in hands]
        assert tally.rake == sum(lost) > 0
        assert max(lost) == 30
        judged = agents.play(players, schedule, OPTIONS, seed=8, variance_reduction="all-in")
        assert judged.rake == tally.rake
    assert agents.play(players, Blocks(3), CASH, seed=8).rake == 0
    assert agents.play(players, Tournaments(3), TOURNAMENT, seed=8).rake == 0


def check_backends(players, schedule, game):
    compiled = agents.play(players, schedule, game, seed=8, rows=True)
    assert_equal(play_in_environment(players, schedule, game, seed=8, rows=True), compiled)
    hands = []
    recorded = agents.play(players, schedule, game, seed=8, rows=True, record=hands.append)
    assert_equal(recorded, compiled)
    assert len(hands) == compiled.hands


@pytest.mark.parametrize(("schedule", "game"), CASES)
def test_both_backends_give_the_same_tallies(players, schedule, game):
    check_backends(players, SCHEDULES[schedule], GAMES[game])


@pytest.mark.parametrize("schedule", ["some players", "lineups"])
def test_both_backends_put_unequal_stacks_in_the_same_seats(players, schedule):
    check_backends(players, SCHEDULES[schedule], STACKS)


@pytest.mark.parametrize("schedule", [Tournaments(2), Blocks(2), LINEUPS.part(0, 2)])
def test_players_that_read_observations_play_the_same_games(schedule):
    names = ("caller", "folder", "old-best") * 2
    players = [agents.make_compiled(name) for name in names]
    wrapped = [Plain(player) for player in players]
    for who in (wrapped, [*wrapped[:3], *players[3:]]):
        assert_equal(
            agents.play(who, schedule, CASH, seed=8, rows=True),
            agents.play(players, schedule, CASH, seed=8, rows=True),
        )


def test_recorded_hands_can_be_written_read_and_replayed(players):
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


def test_recorded_players_are_named_by_their_index(players):
    hands = []
    agents.play(players, Blocks(1, players=(5, 0, 2)), CASH, seed=3, record=hands.append)
    assert {name for hand in hands for name in hand.players} == {"player_5", "player_0", "player_2"}


def test_unseeded_games_of_a_block_share_their_cards():
    for players in ([Calls(), Calls()], ["caller", "caller"]):
        totals = [agents.play(players, Blocks(5), CASH, seed=None).totals for _ in range(2)]
        np.testing.assert_array_equal(totals, 0)
    random = ["random", "random"]
    drawn = [agents.play(random, Blocks(5), CASH, seed=None).totals[0] for _ in range(3)]
    assert len(set(drawn)) > 1


@pytest.mark.parametrize(("schedule", "dealings"), [(Blocks(1), 1), (Tournaments(2), 2)])
def test_cards_are_shared_only_within_a_block(schedule, dealings):
    hands = []
    agents.play(["caller", "caller"], schedule, CASH, seed=1, record=hands.append)
    boards = [hand.board for hand in hands]
    assert (len(boards), len(set(boards))) == (2 * 4, dealings * 4)


def test_games_of_a_block_have_independent_player_randomness():
    recorders = [Calls(), Calls(), Calls()]
    agents.play(recorders, Blocks(4), CASH, seed=1)
    assert len({seed for player in recorders for seed in player.seeds}) == 3 * 3 * 4


@pytest.mark.parametrize("other", [[], [Calls()]])
def test_players_may_be_given_by_name(other):
    names, made = ["caller", "raiser"], [agents.make("caller"), agents.make("raiser")]
    expected = agents.play([*made, *other], Blocks(3), CASH, seed=8)
    for players in (names, [names[0], made[1]]):
        assert_equal(agents.play([*players, *other], Blocks(3), CASH, seed=8), expected)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("callr", 'did you mean "caller"'),
        (None, "a player must be a name.* got None"),
        (Calls, "must be an object, not a class"),
    ],
)
def test_an_invalid_player_is_named(wrong, message):
    env = nlhe_env.raw_env(2)
    for play_backend in (
        lambda: agents.play([agents.make("caller"), wrong], Blocks(1), CASH, seed=1),
        lambda: agents.play_episode(env, {"player_0": "caller", "player_1": wrong}, seed=1),
        lambda: agents.Lineup(env, {"player_0": wrong}),
    ):
        with pytest.raises(ValueError, match=message):
            play_backend()


def test_recording_needs_players(players):
    with pytest.raises(ValueError, match="give the players themselves"):
        agents.play(agents.pack_players(players), Blocks(1), CASH, seed=1, record=print)


def test_players_with_different_spaces_play_the_same_games():
    players = [agents.make_compiled(name) for name in ("caller", "raiser", "old-best")]
    mixed = [Calls(), Plain(players[1]), Plain(players[2])]
    assert_equal(
        agents.play(mixed, Blocks(4), CASH, seed=8, rows=True),
        agents.play(players, Blocks(4), CASH, seed=8, rows=True),
    )
