"""Betting apart from cards: Leduc hold'em, played with the same kernels.

Two players put in an ante of 1 and hold one card of six. Bets are 2 chips, 4 after the board card,
at most two a street. A pair with the board wins, else the higher rank (Southey et al., "Bayes'
Bluff", UAI 2005).
"""

import numpy as np
import pytest

from nlhe_env.game import betting, pots
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD, NO_PLAYER, empty_tables
from nlhe_env.jit.compilation import kernel

RAISE = 99  # to what is legal
STACK = 100
ILLEGAL, OVER = -2, -3


@kernel
def play_leduc(tables, cards, board, actions, ranks, actors):
    """Play the actions; fills ``actors`` with who took each and pays the hand."""
    table = tables[0]
    betting.begin(table, 2)
    betting.post_antes(table)
    table.actor = betting.next_to_decide(table, table.button)
    for i in range(len(actions)):
        seat = table.actor
        if seat == NO_PLAYER:
            return OVER
        actors[i] = seat
        action = actions[i]
        if action == RAISE:
            action, _ = betting.legal_raise(table)
            if action == 0:
                return ILLEGAL
        betting.take(table, action)
        table.actor = NO_PLAYER
        if table.unfolded > 1:
            table.actor = betting.next_to_decide(table, seat)
            if table.actor == NO_PLAYER and table.street == 0:
                betting.open_street(table, 4)
                table.actor = betting.next_to_decide(table, table.button)
    if table.actor != NO_PLAYER:
        return table.actor
    pots.return_uncalled(table)
    if table.unfolded == 1:
        pots.pay_last(table)
    else:
        for seat in range(2):
            ranks[seat] = cards[seat] + 10 * (cards[seat] == board)
        pots.make_pots(table)
        pots.pay_board(table, ranks, 0, 1)
    return NO_PLAYER


def leduc(*actions, cards=(1, 2), board=0):
    tables = empty_tables(1, 2, FIXED_LIMIT, 2)
    tables["player"][0, :2] = (0, 1)
    tables["stack"][0, :2] = STACK
    tables["players"] = 2
    tables["ante"] = 1
    tables["button"] = 1  # seat 0 acts first on both streets
    actors = np.full(len(actions), NO_PLAYER)
    ended = play_leduc(
        tables, np.array(cards), board, np.array(actions), np.zeros(10, np.int64), actors
    )
    assert tables["stack"][0].sum() + tables["pot"][0] == 2 * STACK
    net = tables["stack"][0, :2] - STACK
    return ended, net.tolist(), actors.tolist()


@pytest.mark.parametrize(
    ("actions", "cards", "board", "net"),
    [
        ([CHECK_OR_CALL] * 4, (1, 2), 0, [-1, 1]),
        ([CHECK_OR_CALL] * 4, (0, 2), 0, [1, -1]),  # a pair beats the higher card
        ([CHECK_OR_CALL] * 4, (1, 1), 0, [0, 0]),
        ([RAISE, FOLD], (0, 2), 1, [1, -1]),  # the uncalled bet returns
        ([CHECK_OR_CALL, RAISE, FOLD], (0, 2), 1, [-1, 1]),
        ([RAISE, RAISE, CHECK_OR_CALL] * 2, (0, 2), 1, [-13, 13]),  # 1 + 2 * 2 + 2 * 4
        ([RAISE, CHECK_OR_CALL, CHECK_OR_CALL, RAISE, CHECK_OR_CALL], (2, 0), 1, [7, -7]),
    ],
)
def test_leduc_hands_have_the_expected_results(actions, cards, board, net):
    ended, won, _ = leduc(*actions, cards=cards, board=board)
    assert (ended, won) == (NO_PLAYER, net)


def test_the_player_left_of_the_button_begins_every_street():
    *_, actors = leduc(CHECK_OR_CALL, RAISE, CHECK_OR_CALL, RAISE, CHECK_OR_CALL)
    assert actors == [0, 1, 0, 0, 1]


def test_two_bets_a_street_are_the_most():
    ended, *_ = leduc(RAISE, RAISE, RAISE)
    assert ended == ILLEGAL
    ended, *_ = leduc(RAISE, RAISE, CHECK_OR_CALL, RAISE, RAISE, RAISE)
    assert ended == ILLEGAL
