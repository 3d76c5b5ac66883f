"""Vexbot of no-limit: its lines, its tree against another way to value it, and how it plays."""

from __future__ import annotations

import math

import numpy as np
import pytest

import agents
import nlhe_env
from agents.books.vexbot.build_book import learn
from agents.players.vexbot import nolimit_sequences as betting_sequences
from agents.players.vexbot.nolimit_records import (
    DEPTHS,
    MEMORY,
    N_ACTIONS,
    N_DEPTHS,
    PRIOR,
    value_key,
)
from agents.players.vexbot.nolimit_search import (
    SEARCH,
    Betting,
    init_root,
    look_ahead,
    search_tree,
    write_options,
)
from agents.players.vexbot.nolimit_sequences import NO_BET, OPPONENT_BET, OWN_BET
from agents.players.vexbot.records import BLIND, BUTTON, CALLS, FIRST_RAISE, FOLDS, N_POINTS
from nlhe_env.game.table import FLOP, RIVER, TURN

DEEP = nlhe_env.Game.cash(num_hands=1000)
LOG_MIXING = math.log(0.98)
POINTS = np.arange(N_POINTS) / (N_POINTS - 1)


# --- lines ---------------------------------------------------------------------------------------


def test_raises_are_distinguished_by_price():
    sizes = (0.1, 0.5, 1.0, 3.0)
    assert [betting_sequences.class_of(size, False) for size in sizes] == [0, 1, 2, 3]
    assert [betting_sequences.class_of(size, True) for size in sizes] == [0, 1, 2, 4]


def test_history_classes_keep_the_last_street_and_earlier_bettors():
    limped = betting_sequences.next_history_class(0, 0)
    assert limped == 0
    i_bet_much = betting_sequences.next_history_class(
        limped, betting_sequences.coarse(betting_sequences.end_of(OWN_BET, 3))
    )
    assert i_bet_much == 4 * 2
    other_bet_little = betting_sequences.next_history_class(
        i_bet_much, betting_sequences.coarse(betting_sequences.end_of(OPPONENT_BET, 0))
    )
    assert other_bet_little == 4 * 3 + 2
    no_bettor = betting_sequences.next_history_class(other_bet_little, 0)
    assert no_bettor == 2 + 1
    tales = {
        betting_sequences.next_history_class(tale, end)
        for tale in range(betting_sequences.N_HISTORY_CLASSES)
        for end in range(5)
    }
    assert tales == set(range(betting_sequences.N_HISTORY_CLASSES))
    ends = {betting_sequences.end_of(who, size) for who in range(3) for size in range(5)}
    assert ends == set(range(betting_sequences.N_ENDS))


# --- the tree, against another way to value it ---------------------------------------------------


def value_of(search, mine, others, least, bettor, size, has_bet, *, i_act, opens, checked, raises):
    """The value of a node at the first strength, by recursion over the rules."""
    pot, cap, street = (float(search[name]) for name in ("pot", "cap", "street"))
    most = max(mine, others)

    def ended():
        stake = min(most, cap)
        final = pot + 2 * stake
        end = betting_sequences.end_of(bettor, size)
        if stake >= cap or street == RIVER:
            return final * search["shown"][end, 0] - stake
        kind = 0 if bettor == NO_BET else 1 + 2 * (bettor - 1) + (size >= 2)
        ahead = search["ahead"][kind * N_DEPTHS : (kind + 1) * N_DEPTHS, 0]
        return final * np.interp((cap - stake) / final, DEPTHS, ahead) - stake

    def go(to, who_acts):
        last = "all-in" if to == cap else "raise"
        share = (to - most) / (pot + 2 * most)
        which = sum(share >= edge for edge in (0.4, 0.8, 1.3))
        which = 4 if last == "all-in" and which == 3 else which
        return value_of(
            search,
            to if who_acts else mine,
            others if who_acts else to,
            to - most,
            OWN_BET if who_acts else OPPONENT_BET,
            which,
            has_bet or not who_acts,
            i_act=not who_acts,
            opens=False,
            checked=checked,
            raises=raises + 1,
        )

    if opens:
        called = value_of(
            search,
            most,
            most,
            least,
            NO_BET,
            0,
            False,
            i_act=not i_act,
            opens=False,
            checked=True,
            raises=0,
        )
    else:
        called = ended()
    rises = [None] * 5
    if most < cap and raises < 3:
        for k, share in enumerate(betting_sequences.SIZES):
            to = most + max(share * (pot + 2 * most), least)
            if raises < 2 and to < 0.95 * cap:
                rises[k] = go(to, i_act)
        rises[4] = go(cap, i_act)
    if i_act:
        choices = [called, *(rise for rise in rises if rise is not None)]
        return max([*choices, -mine] if others > mine else choices)
    if bettor == NO_BET:
        chances = search["chances"][1 if checked else 0].astype(float)
    else:
        chances = search["chances"][2 + size + 5 * has_bet].astype(float)
    fold, call, rise = chances[FOLDS], chances[CALLS], chances[FIRST_RAISE:]
    if not mine > others:
        call, fold = call + fold, 0.0
    if rises[4] is None:
        return fold * (pot + others) + (1 - fold) * called
    street_values = sum(
        c * (rises[4] if r is None else r) for c, r in zip(rise, rises, strict=True)
    )
    return fold * (pot + others) + call * called + street_values


@pytest.mark.parametrize("street", [TURN, RIVER])
@pytest.mark.parametrize("i_act", [0, 1])
@pytest.mark.parametrize(
    ("mine", "others", "bettor", "size", "first"),
    [(0, 0, NO_BET, 0, 1), (0, 40, OPPONENT_BET, 1, 0), (100, 300, OPPONENT_BET, 2, 0)],
)
def test_the_tree_value_matches_recursion(street, i_act, mine, others, bettor, size, first):
    if not first and not i_act:
        return  # the opponent has just bet
    rng = np.random.default_rng(street + 10 * mine + i_act)
    for cap in (400.0, 900.0, 5000.0):
        search = np.zeros(1, SEARCH)[0]
        search["street"], search["pot"], search["cap"] = street, 100, cap
        search["is_first"], search["i_act"], search["can_raise"] = first, i_act, 1
        search["chances"] = rng.dirichlet(np.ones(N_ACTIONS), betting_sequences.N_SPOTS)
        search["shown"] = rng.uniform(0, 1, search["shown"].shape)
        search["ahead"] = rng.uniform(0, 1.5, search["ahead"].shape)
        least, has_bet = max(others - mine, 20), int(bettor == OPPONENT_BET)
        chips = float(mine), float(others), float(least)
        init_root(search, Betting(*chips, bettor, size, has_bet))
        search_tree(search, np.float32(0), 1)
        expected = value_of(
            search,
            float(mine),
            float(others),
            float(least),
            bettor,
            size,
            bool(has_bet),
            i_act=bool(i_act),
            opens=bool(first),
            checked=False,
            raises=0,
        )
        assert search["values"][0, 0, 0] == pytest.approx(expected, rel=1e-4)
        if i_act:
            write_options(search)
            assert max(search["options"]) == search["values"][0, 0, 0]


def test_the_river_value_against_always_call_is_the_best_response():
    """It goes all-in with the better half of its hands, and checks the others."""
    memory, search = np.zeros(1, MEMORY)[0], np.zeros(1, SEARCH)[0]
    book = agents.make("vexbot-nolimit").book.view(PRIOR)[0]
    for level in range(1, 5):
        memory[f"ranks_{level}"] = 1e4
        memory[f"actions_{level}"][:, CALLS] = 1e6
    for seat in (BLIND, BUTTON):
        look_ahead(memory, book, search, seat, LOG_MIXING, 0.0)
        for depth, pots in enumerate(DEPTHS):
            street_values = memory["street_values"][value_key(seat, RIVER, 0, depth)]
            exact = POINTS + pots * np.maximum(2 * POINTS - 1, 0)
            np.testing.assert_allclose(street_values, exact, rtol=1e-4, atol=1e-4)
            for street, moves in ((TURN, book["to_river"]), (FLOP, book["flop_to_river"])):
                earlier = memory["street_values"][value_key(seat, street, 0, depth)]
                # To wait for the river is best, and leaves the whole stack to bet.
                np.testing.assert_allclose(earlier, moves @ exact, rtol=1e-3, atol=1e-3)


# --- what it counts ------------------------------------------------------------------------------


def test_the_opponents_actions_are_counted():
    """A worked hand: the opponent limps, calls a bet, raises the turn all-in and shows."""
    env = nlhe_env.raw_env(
        2, mode="cash", blinds=(50, 100), starting_stack=5_000, actions="chips", num_hands=2
    )
    players = {
        "player_0": agents.make("vexbot-nolimit:defaults=0"),
        "player_1": agents.make("caller"),
    }
    seats = agents.Lineup(env, players)
    cards = {"player_0": "AhAd", "player_1": "7c6c"}
    env.reset(seed=1, options={"button": 1, "hole_cards": cards, "board": "7d6hTcTd2c"})
    # Before the flop; the flop; a check, a pot, and all-in on the turn.
    for action in (1, 1, 100, 1, 1, 400, 4800, 1):
        env.step(action)
    memory = seats.work.memory[0].view(np.uint8)[: MEMORY.itemsize].view(MEMORY)[0]
    spots = memory["actions_3"].reshape(4, betting_sequences.N_SPOTS, N_ACTIONS)
    expected = np.zeros_like(spots)
    expected[0, 0, CALLS] = 1  # the button limps
    expected[FLOP, 2 + 1, CALLS] = 1  # calls half a pot
    expected[TURN, 1, FIRST_RAISE + 2] = 1  # bets the pot after a check
    # ... and has nothing to decide after it was raised all-in but to call.
    expected[TURN, 7 + 4, CALLS] = 1
    np.testing.assert_array_equal(spots, expected)
    for level in range(1, 5):
        assert memory[f"actions_{level}"].sum() == 4
        assert memory[f"ranks_{level}"].sum() == 1
    shown = memory["ranks_3"].reshape(4, betting_sequences.N_ENDS, -1)
    assert shown[TURN, betting_sequences.end_of(OWN_BET, 4)].argmax() == int(20 * 0.79)


def test_counts_add_up_over_a_session():
    hands = []
    players = [agents.make("vexbot-nolimit:defaults=0"), agents.make("loose-aggressive")]
    game = nlhe_env.Game.cash(num_hands=200)
    agents.play(players, agents.Tournaments(1), game, seed=5, record=hands.append)
    known = learn(*players, game, seed=5)
    assert known["hands"] == 200
    for what in ("actions", "ranks"):
        masses = [known[f"{what}_{level}"].sum() for level in range(1, 5)]
        assert masses == [masses[0]] * 4
        assert masses[0] > 20
    assert len(hands) == 200


# --- playing -------------------------------------------------------------------------------------


def won(opponent, hands, blocks=2, seed=3):
    """Big blinds a hand that it wins."""
    game = nlhe_env.Game.cash(num_hands=hands, score="big_blinds")
    players = [agents.make("vexbot-nolimit"), agents.make(opponent)]
    tally = agents.play(
        players, agents.Blocks(blocks), game, seed=seed, variance_reduction="all-in"
    )
    return tally.scores[0] / 2 / hands


def test_vexbot_learns_profitable_actions():
    assert won("caller", 1000) > 15  # of some 25
    assert won("folder", 500) > 0.7
    assert won("hothead-maniac", 1000) > 0


def test_both_backends_play_the_same():
    game = nlhe_env.Game.cash(num_hands=30)
    players = [agents.make("vexbot-nolimit:width=0.5,decay=0.9"), agents.make("pot-odds")]
    compiled = agents.play(players, agents.Blocks(2), game, seed=8)
    through_env = agents.play(players, agents.Blocks(2), game, seed=8, record=[].append)
    np.testing.assert_array_equal(compiled.totals, through_env.totals)
    assert compiled.totals[0] != 0


@pytest.mark.parametrize(
    "game",
    [
        nlhe_env.Game.cash(starting_stack=350),
        nlhe_env.Game.cash(starting_stack=(150, 70_000), boards=2),
        nlhe_env.Game.tournament(starting_stack=2000),
        nlhe_env.Game.cash(starting_stack=1500, blinds=(50, 100, 100)),
    ],
)
def test_vexbot_plays_any_stacks_and_blinds(game):
    players = [agents.make("vexbot-nolimit:width=1"), agents.make("call-or-raise")]
    tally = agents.play(players, agents.Blocks(10), game, seed=8)
    assert tally.hands > 0
    assert np.isfinite(tally.totals).all()


def test_unsupported_games_are_refused():
    players = [agents.make("vexbot-nolimit"), agents.make("caller")]
    limit = nlhe_env.Game.cash(betting="fixed-limit")
    with pytest.raises(ValueError, match="this Vexbot plays heads-up no-limit only"):
        agents.play(players, agents.Blocks(1), limit, seed=1)
    with pytest.raises(ValueError, match="this Vexbot plays heads-up no-limit only"):
        agents.play([*players, agents.make("caller")], agents.Blocks(1), DEEP, seed=1)
