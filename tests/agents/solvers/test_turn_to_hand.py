"""The hand that leads to a turn: its pot is the table's, whatever straddles and antes were paid."""

from __future__ import annotations

import numpy as np
import pytest

import agents
import nlhe_env
from agents.external.chips import describe_turn
from agents.policy.hand_replay import HandReplay
from agents.solvers import RiverSolver
from agents.solvers.turn_to_hand import hand_from_turn
from nlhe_env import BlindSchedule, Game

BLINDS = (50, 100)
BIG_BLIND_ANTE = BlindSchedule(((*BLINDS, 50),), ante_by="big blind")


def game_of(**options):
    options = {"starting_stack": 20_000, "blinds": BLINDS, **options}
    return Game.cash(num_hands=2, **options)


GAMES = [
    (2, game_of(blinds=(*BLINDS, 50))),
    (2, game_of(blinds=BIG_BLIND_ANTE)),
    (2, Game.tournament(starting_stack=330, blinds=BIG_BLIND_ANTE)),
    (3, Game.tournament(starting_stack=430, blinds=(*BLINDS, 50), straddle="button")),
    (3, game_of(blinds=BIG_BLIND_ANTE)),
    (3, game_of(straddle="under the gun")),
    (3, game_of(straddle="button")),
    (4, game_of(straddle="button", blinds=BIG_BLIND_ANTE)),
    (4, game_of(straddle="under the gun", blinds=(*BLINDS, 50))),
    (2, game_of(betting="fixed-limit", max_bets=None)),
    (3, game_of(betting="fixed-limit", max_bets=6)),
]


class Listening(RiverSolver):
    """Keeps what it solves, and every turn with the hand behind it."""

    def __init__(self, blueprint):
        super().__init__(blueprint, iterations=2)
        self.spots = []
        self.hands = []

    def decide(self, turn):
        self.hands.append((turn, hand_from_turn(turn, self._betting)))
        return super().decide(turn)

    def _decision(self, spot, street):
        self.spots.append((self.hands[-1][0], spot))
        return super()._decision(spot, street)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "game"), GAMES)
def test_the_reconstructed_hand_reaches_the_turn_table(n, game):
    limit = game.betting == "fixed-limit"
    blueprint = agents.make("equilibrium-limit" if limit else "equilibrium-nolimit")
    others = [agents.make("raiser" if limit else "call-or-raise")] * (n - 1)
    blocks = agents.Blocks(12)
    player = Listening(blueprint)
    tally = agents.play([player, *others], blocks, game, seed=4, rows=True)
    assert len(player.hands) > 10
    for turn, hand in player.hands:
        table = HandReplay(blueprint, hand).table
        assert (table["pot"], sum(hand.stacks)) == (turn["pot"], n * game.starting_stack)
    for turn, spot in player.spots:
        held = [seat for seat in turn["seats"] if seat and seat["state"] != "out"]
        assert spot.pot == turn["pot"] - sum(seat["bet"] for seat in held)
        stacks = [seat["stack"] + seat["bet"] for seat in held]
        assert sorted(spot.stacks) == sorted(stacks)
    if n == 2:
        assert player.spots
    elif game.is_cash:  # with more than two players it does what the blueprint does
        plain = agents.play([blueprint, *others], blocks, game, seed=4, rows=True)
        np.testing.assert_array_equal(tally.row_scores, plain.row_scores)


@pytest.mark.parametrize("straddle", ["under the gun", "button"])
@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("ante_by", ["everyone", "big blind"])
def test_straddles_and_antes_are_found_before_the_first_action(n, straddle, ante_by):
    blinds = BlindSchedule(((*BLINDS, 50),), ante_by=ante_by)
    env = nlhe_env.env(n, game=game_of(straddle=straddle, blinds=blinds), actions="chips").unwrapped
    env.reset(seed=2)
    hand = hand_from_turn(describe_turn(env, []), "no-limit")
    straddler = 2 if straddle == "under the gun" else n - 1
    posted = (50, 100, *(200 if place == straddler else 0 for place in range(2, n)))
    paid = (0, (0, 50, *[0] * (n - 2))) if ante_by == "big blind" else (50, ())
    assert (hand.posted, hand.ante, hand.dead) == (posted, *paid)


@pytest.mark.parametrize(("chips", "ante"), [(160, 50), (130, 30), (100, 0), (80, 0)])
def test_the_big_blind_is_posted_before_its_ante(chips, ante):
    game = Game.tournament(starting_stack=chips, blinds=BIG_BLIND_ANTE)
    env = nlhe_env.env(2, game=game, actions="chips").unwrapped
    env.reset(seed=2)
    turn = describe_turn(env, [])
    hand = hand_from_turn(turn, "no-limit")
    assert (hand.stacks, sum(hand.dead)) == ((chips, chips), ante)
    assert HandReplay(agents.make("caller"), hand).table["pot"] == turn["pot"]


def test_a_short_stack_does_not_straddle():
    game = Game.tournament(starting_stack=240, blinds=(*BLINDS, 50), straddle="button")
    env = nlhe_env.env(3, game=game, actions="chips").unwrapped
    env.reset(seed=2)
    hand = hand_from_turn(describe_turn(env, []), "no-limit")
    assert hand.posted == (*BLINDS, 0)


def test_two_call_games_are_refused_with_a_reason():
    game = game_of(betting="fixed-limit", two_calls=True)
    player = agents.make("equilibrium-limit:resolve=river")
    with pytest.raises(ValueError, match="no two_calls"):
        agents.play([player, agents.make("caller")], agents.Blocks(4), game, seed=3)
