"""Hands and pots as a thesis prints them: Li (University of Texas at Austin, 2018), chapter 2."""

import pytest

import nlhe_env
from nlhe_env.cards import parse_cards
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.evaluator import rank_set

ORDERS = [  # a hand, what it ties with, what it beats, what it loses to
    ("Td9d8d7d6d", "", "5d4d3d2dAd", "JdTd9d8d7d"),
    ("QsQhQdQcKh", "QsQhQdQcKc", "2s2h2d2cAs", "AsAhAdAc7d"),
    ("8s8h8d3h3c", "8s8h8c3h3d", "3s3h3c8s8h", "AsAhAc2s2c"),
    ("AsJs8s5s2s", "", "KsQsJs8s5s AsTs9s5s2s AsJs8s4s3s", "AsJs8s5s3s"),
    ("Ts9c8h7d6c", "Th9c8h7d6h", "8h7d6c5d4d", "QhJdTs9c8h"),
    ("JsJdJcTs8c", "JsJhJdTh8c", "TsThTdAsJs", "JsJdJcAs2c JsJdJcTs9h"),
    ("AsAcTsTcQh", "", "KhKdQsQhAs", "AsAhQhQcTc AsAhTsTcKc"),
    ("AsAcKhTc7h", "", "KsKhAsTc7h AsAcQsJdTc AsAcKhTc2d", ""),
    ("AsJh8s5d2s", "", "KcQsJh8s5d AsTs9h5d2s AsJh8s4d3c", "AsJh8s5d3s"),
]


def rank(hand):
    return rank_set(sum(card_bit(card) for card in parse_cards(hand)))


@pytest.mark.parametrize(("hand", "ties", "beats", "loses"), ORDERS)
def test_hands_rank_as_published(hand, ties, beats, loses):
    assert all(rank(hand) == rank(other) for other in ties.split())
    assert all(rank(hand) > rank(other) for other in beats.split())
    assert all(rank(hand) < rank(other) for other in loses.split())


def test_pot_raises_match_the_published_chips():
    half, three_quarters, pot = 2, 3, 4
    game = nlhe_env.Game.cash(starting_stack=20_000, blinds=(50, 100))
    env = nlhe_env.raw_env(game=game, num_players=2, actions=(0.5, 0.75, 1.0))
    env.reset(seed=1)
    pots = []
    for action in (pot, 1, half, three_quarters):
        env.step(action)
        pots.append(int(env.table["pot"]))
    assert pots == [400, 600, 900, 2100]
    assert env.table["hand_bet"].tolist()[int(env.table["button"])] == 1500
