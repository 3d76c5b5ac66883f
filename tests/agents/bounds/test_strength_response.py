"""The best response to players whose hand strength decides, on drawn flops."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import agents
from agents.bounds import best_response_to_strength
from agents.bounds.blind_response import CLASSES, table_of_rivers
from agents.bounds.blind_response import value_flop as value_blind_flop
from agents.bounds.holdings import Holdings
from agents.bounds.limit_betting import LimitBetting, act, legal_actions, opening
from agents.bounds.range_sweeps import BLOCKED, COLUMNS
from agents.bounds.strength_betting import StrengthBetting
from agents.bounds.strength_response import (
    _add_turn,
    _met_before_flop,
    _ranges,
    _Street,
    _strength,
    balancing_weights,
    draw_flops,
    value_flop,
)
from agents.compiled.chances import policy_of_hands
from agents.compiled.fields import pack
from agents.compiled.rules.spots import percentiles
from agents.compiled.teams.hand_metrics import classes_of, preflop_metrics
from agents.solvers.cards import Boards, of_holdem
from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import CHANCE, DECISION, Betting, grow
from agents.solvers.walk import BEST
from nlhe_env import Game
from nlhe_env.assessment.potential_kernels import hand_strength
from nlhe_env.cards import parse_cards
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.equity.tables.suits import number_flops
from nlhe_env.game.betting import amount_to_call
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD

LIMIT = Game.cash(starting_stack=20_000, blinds=(50, 100), betting="fixed-limit")
TWO_CALLS = replace(LIMIT, two_calls=True)
ALWAYS_RAISES = "tight-passive:threshold=0,raise_threshold=0,caution=0"
STYLE = "loose-aggressive:caution=0"
FLOP, TURN = parse_cards("KsTh7s"), parse_cards("4d")[0]
RAISES_FROM = float(np.float32(0.4))
PLAYS_FROM = float(np.float32(0.2))


def as_set(cards):
    return sum(card_bit(card) for card in cards)


@pytest.mark.parametrize("text", ["KsTh7s", "KsTh7s4d", "5h5d5s", "2c3c4c5c"])
def test_strength_is_that_of_the_players(text):
    board = parse_cards(text)
    holdings = Holdings.without(0)
    found = _strength(as_set(board), holdings, 1081 if len(board) == 3 else 1035)
    laid = np.array([*board, 0, 0])
    for h in range(0, len(found), 61):
        first, second = holdings.cards[h].tolist()
        if {first, second} & set(board):
            assert found[h] == BLOCKED
        else:
            assert found[h] == hand_strength(first, second, laid, len(board), None)


@pytest.mark.parametrize("game", [LIMIT, TWO_CALLS], ids=["usual", "two calls"])
def test_who_always_raises_is_worth_what_ignoring_the_cards_is(game):
    betting = StrengthBetting(game, agents.make(ALWAYS_RAISES))
    programs = LimitBetting(game, lambda table: (0, 0, 1)).programs
    rivers, which = table_of_rivers(programs[3])
    numbering = number_flops()
    for flop in (5, 900):
        model, columns = numbering.models[flop], numbering.hole_columns[flop]
        found = value_flop(model, columns, betting)
        known, _ = value_blind_flop(model, columns, rivers, which, programs)
        opposing = 1081  # hands that the opponent may hold: worths here are sums over them
        for root in found:
            assert np.abs(root - known * opposing).max(axis=1).min() < 1e-6 * opposing


def test_an_estimate_is_near_what_is_known_of_all_flops():
    found = best_response_to_strength(agents.make(ALWAYS_RAISES), flops=24)
    assert found.at_least <= found.at_most
    assert 0.005 < found.error < 0.2
    low, high = found.at_least - 3 * found.error, found.at_most + 3 * found.error
    assert low < 3.697692897 < high


def test_flops_are_drawn_as_often_as_they_come():
    sizes = number_flops().sizes
    drawn = draw_flops(sizes, 22_100, seed=3)
    assert np.abs(np.bincount(drawn, minlength=1755) - sizes).max() <= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hero", "before", "on_flop", "pot"),
    [
        (1, (0.0, RAISES_FROM), (0.0, RAISES_FROM), 200),  # limps, and all check
        (0, (PLAYS_FROM, RAISES_FROM), (PLAYS_FROM, RAISES_FROM), 400),  # a bet on the flop
        (1, (RAISES_FROM, np.inf), (RAISES_FROM, np.inf), 600),  # raised before, bet after
    ],
)
def test_the_turn_agrees_with_the_public_tree(hero, before, on_flop, pot):
    player = agents.make(STYLE)
    betting = StrengthBetting(LIMIT, player)
    free = Holdings.without(as_set(FLOP))
    by_class = percentiles()[CLASSES[Holdings.without(0).sets & as_set(FLOP) == 0], 0]
    everybody = np.ones((1, len(free.sets)), np.float32)
    flop_reach = _ranges(betting, 1, everybody, by_class.astype(np.float64))
    reach = _ranges(betting, 2, flop_reach, _strength(as_set(FLOP), free, 1081))
    n_blocks = -(-len(free.sets) // COLUMNS)
    worth = np.zeros((n_blocks, len(betting.programs[2].roots), COLUMNS))
    turn = _Street(betting, 2, n_blocks, len(free.sets))
    _add_turn(as_set([*FLOP, TURN]), reach, free, betting, turn, worth)
    allowed = free.sets & card_bit(TURN) == 0
    found = worth.transpose(1, 0, 2).reshape(worth.shape[1], -1)[:, : len(free.sets)][:, allowed]

    held, weights = free.cards[allowed], reach[range_of(betting, before, on_flop)][allowed]
    assert 50 < weights.sum() < len(weights)
    boards = Boards.after((*FLOP, TURN))
    betting_here = Betting(
        stacks=(10_000, 10_000),
        full_bets=(200, 200),
        pot=pot,
        structure=FIXED_LIMIT,
        max_bets=4,
    )
    both = [np.ones(len(held)), np.ones(len(held))]
    both[1 - hero] = weights.astype(np.float64)
    cards = of_holdem([held, held], both, boards)
    game = PublicGame(grow(betting_here, boards.following.__getitem__), cards, np.float64)
    strategy = game.normalised(acting_as(player, game, boards, held, 1 - hero))
    known = game.values(strategy, hero, BEST) / 100
    nearest = np.abs(found - known).max(axis=1)
    assert nearest.min() < 1e-6 * np.abs(known).max()


def range_of(betting, before, on_flop):
    """The number of a range of the turn by its intervals."""
    parents, intervals = betting.ranges(2)
    _, earlier = betting.ranges(1)
    for number, (parent, interval) in enumerate(zip(parents, intervals, strict=True)):
        if np.allclose(interval, on_flop) and np.allclose(earlier[parent], before):
            return number
    raise AssertionError("no such range")


def acting_as(player, game, boards, held, seat):
    """A player's chances at all its decisions of a public tree, asked one by one."""
    field = pack([player, player])
    players = LIMIT.arrays(2).players
    strategy = np.zeros((game.tree.rows, int(game.cards.n_hands.max())))
    numbers = held.max(axis=1) * (held.max(axis=1) - 1) // 2 + held.min(axis=1)
    known = {}

    def ask(table, board):
        table = table.copy()
        table["cards"][0, 4 : 4 + len(board)] = board
        fold, call, rise = legal_actions(table)
        key = (board, fold == call, rise == call)
        if key not in known:
            who = int(table["player"][0, table["actor"][0]])
            chances = policy_of_hands(field, who, table[0], players, field.work_arrays())
            by_action = [chances[:, 0], chances[:, 1], chances[:, 2:].sum(axis=1)]
            known[key] = [each[numbers] for each in by_action]
        return known[key]

    def go(node, table):
        tree = game.tree
        if tree.kind[node] == CHANCE:
            for child in tree.children(node):
                go(child, table)
        if tree.kind[node] != DECISION:
            return
        fold_call_raise = ask(table, boards.cards[tree.board[node]])
        for i, child in enumerate(tree.children(node)):
            step = int(tree.step[child])
            kind = 0 if step == FOLD else 1 if step == CHECK_OR_CALL else 2
            if tree.actor[node] == seat:
                strategy[tree.row[node] + i] = fold_call_raise[kind]
            after = table.copy()
            act(after, legal_actions(table)[kind])
            go(child, after)

    start = opening(LIMIT)
    for _ in range(4):  # a call and three checks, to the turn
        act(start, CHECK_OR_CALL)
    assert start["street"][0] == 2
    assert amount_to_call(start[0]) == 0
    go(0, start)
    return strategy


def test_balanced_hole_cards_weigh_as_the_shares_that_the_thesis_prints():
    """By classes of both: 1.08% of two strong hands, and so on; each becomes a ninth."""
    weights = balancing_weights(preflop_metrics()[:, 0])
    printed = np.array([[1.08, 3.1, 6.5], [3.1, 8.6, 18.4], [6.5, 18.4, 34.3]])
    np.testing.assert_allclose(100 / 9 / weights, printed, rtol=0.02)


def test_weights_multiply_what_hands_are_worth():
    """Equal ones as if they were none; those of one pair of classes alone add up to the whole."""
    betting = StrengthBetting(TWO_CALLS, agents.make(ALWAYS_RAISES), preflop_metrics()[:, 0])
    numbering = number_flops()
    model, columns = numbering.models[5], numbering.hole_columns[5]
    whole = value_flop(model, columns, betting)
    np.testing.assert_allclose(
        value_flop(model, columns, betting, np.full((3, 3), 2.0)), 2 * whole, rtol=1e-5, atol=1e-3
    )
    met = _met_before_flop(betting)
    assert _met_before_flop(betting, np.full((3, 3), 2.0)).tolist() == (2 * met).tolist()
    strong_alone = np.zeros((3, 3))
    strong_alone[0] = 1.0
    strong = classes_of(betting.preflop) == 0
    found = value_flop(model, columns, betting, strong_alone)
    np.testing.assert_allclose(found[:, strong], whole[:, strong], rtol=1e-5, atol=1e-3)
    assert not found[:, ~strong].any()


def test_other_players_and_odd_samples_are_refused():
    with pytest.raises(ValueError, match="opponent must be tight-passive"):
        best_response_to_strength(agents.make("pot-odds"), flops=4)
    with pytest.raises(ValueError, match="flops must be even"):
        best_response_to_strength(agents.make(STYLE), flops=5)
    with pytest.raises(ValueError, match="stack must be in 25"):
        best_response_to_strength(agents.make(STYLE), flops=4, stack=24)


def test_the_opponents_hands_that_meet_a_hand_are_counted_pair_by_pair():
    """Before the flop: of every class of hole cards, by going through all pairs of cards."""
    betting = StrengthBetting(LIMIT, agents.make(STYLE))
    _, intervals = betting.parts(0)
    met = _met_before_flop(betting)
    strength = percentiles()[:, 0].astype(np.float64)
    mine = parse_cards("AsKs")
    place = CLASSES[max(mine) * (max(mine) - 1) // 2 + min(mine)]
    for part, (low, high) in enumerate(intervals):
        expected = sum(
            low <= strength[CLASSES[b * (b - 1) // 2 + a]] < high
            for a, b in itertools.combinations(range(52), 2)
            if not {a, b} & set(mine)
        )
        assert met[part, place] == expected
