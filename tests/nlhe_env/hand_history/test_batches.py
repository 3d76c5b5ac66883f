"""Hands read and evaluated in batches: the same as one by one, good and bad."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import agents
import nlhe_env
from nlhe_env.hand_history import (
    Action,
    Hand,
    HandError,
    HandHistoryError,
    play_hand,
    read_hands,
    stream_hands,
    write_hands,
)
from nlhe_env.hand_history.batches import AT_ONCE, pack, play_packed
from nlhe_env.hand_history.evaluated import BatchEvaluator

LIMIT = nlhe_env.Game.cash(betting="fixed-limit", num_hands=4, score="big_blinds")
CARD_ROOM = nlhe_env.Game.cash(
    starting_stack=(900, 2000, 400, 2500),
    num_hands=4,
    straddle="under the gun",
    boards=2,
    rake=nlhe_env.Rake(share=0.05, cap=60),
)


def recorded(*names: str, game: nlhe_env.Game = LIMIT, blocks: int = 20) -> list[Hand]:
    hands: list[Hand] = []
    players = [agents.make(name) for name in names]
    agents.play(players, agents.Blocks(blocks), game, seed=3, record=hands)
    return hands


@pytest.fixture(scope="module")
def limit_hands() -> list[Hand]:
    return recorded("pot-odds", "call-or-raise", blocks=70)


def test_batch_records_match_single_hands():
    hands = recorded("push-or-fold", "raiser", "old-best", "random", game=CARD_ROOM, blocks=3)
    assert any(hand.second_board for hand in hands)
    played = play_packed(pack(hands))
    assert played.fits.all()
    for hand, table in zip(hands, played.tables, strict=True):
        alone = list(play_hand(hand))[-1].table
        n = len(hand.stacks)
        for name in ("won", "hand_bet", "stack", "street_chips", "status", "shown", "cards"):
            one, other = np.asarray(table[name]), np.asarray(alone[name])
            last = n if one.shape[-1] == 10 else one.shape[-1]
            np.testing.assert_array_equal(one[..., :last], other[..., :last], err_msg=name)


def test_files_longer_than_a_batch_are_read_in_order(limit_hands):
    assert len(limit_hands) > 2 * AT_ONCE
    lines = write_hands(limit_hands).splitlines(keepends=True)
    assert list(stream_hands(lines)) == read_hands("".join(lines))


def test_a_bad_hand_is_reported_with_its_line_and_others_are_read(limit_hands):
    text = write_hands(limit_hands[:40])
    lines = text.splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if "cbr 200" in line)
    lines[at] = lines[at].replace("cbr 200", "cbr 9999", 1)
    found = list(stream_hands(lines))
    (error,) = [one for one in found if isinstance(one, HandHistoryError)]
    assert error.line == at + 1
    assert error.reason == "a raise must be to 200 .. 200 chips here, not 9999"
    bad = found.index(error)
    good = read_hands(text)
    assert found[:bad] + found[bad + 1 :] == good[:bad] + good[bad + 1 :]


LOG = """\
# a/holdem.limit.2p.reverse_blinds.5-10/3/1
STATE:0:cr/rc/cc/cc:AcKc|7h6h/Ks5h3d/Tc/4h:-30|30:Alfred|Betty
STATE:1:crrrc/f:AcKc|7h6h/Ks5h3d:-40|40:Betty|Alfred
STATE:2:crc/cc/cc/cc:AcKc|7h6h/Ks5h3d/Tc/4h:-20|20:Betty|Alfred
STATE:3:f:AcKc|7h6h:5|-5:Alfred|Betty
"""


def test_log_lines_are_batched_and_refused_one_by_one():
    first, second, third, fourth = stream_hands(LOG.splitlines(keepends=True))
    assert isinstance(first, HandHistoryError)
    assert (first.line, "must be dealt here" in first.reason) == (2, True)
    assert second == replace(second, shown=(False, False))
    assert [action.to for action in second.actions] == [0, 20, 30, 40, 0, 0]
    assert third.actions[1] == Action(0, "cbr", 20, 0)
    assert third.shown == (True, True)
    assert fourth.actions == (Action(1, "f", 0, 0),)
    unchecked = list(stream_hands(LOG.replace("-20|20", "-90|90").splitlines(), check=False))
    assert unchecked[2].finishing_stacks == (9910, 10090)


def test_log_lines_must_respect_the_bet_cap():
    line = "STATE:0:rrrrrff:AcKc|7h6h|2c2d:90|-40|-50:Alfred|Betty|Cid\n"
    game = nlhe_env.Game.cash(blinds=(5, 10), betting="fixed-limit", max_bets=6)
    (hand,) = stream_hands([line], game=game)
    assert (hand.max_bets, hand.actions[-3].to) == (6, 60)
    (error,) = stream_hands([line], game=replace(game, max_bets=5))
    assert "no raise is" in error.reason


def test_batch_estimates_match_single_hands(limit_hands):
    hands = limit_hands[:80]
    for form in ("aie", "roe"):
        estimates = BatchEvaluator(form).evaluate(hands, np.ones(len(hands), bool))
        for k, hand in enumerate(hands):
            table = list(play_hand(hand))[-1].table
            alone = nlhe_env.hand_divat(table, form=form, flops=1)
            assert estimates.money[k, 0] == alone.net
            assert estimates.luck[k] == pytest.approx(alone.luck)
            values = [street.divat for street in alone.streets]
            first = 1 if form == "roe" else 0  # before the flop other boards are drawn
            assert estimates.streets[k, first : len(values)] == pytest.approx(values[first:])
            assert not estimates.streets[k, len(values) :].any()
            if table["board_cards"] == 5:
                less = alone.net - alone.baseline_net
                assert estimates.less_baseline[k] == pytest.approx(less)
            else:
                assert np.isnan(estimates.less_baseline[k])


@pytest.mark.parametrize("max_bets", [4, 2])
def test_hindsight_covers_every_action(limit_hands, max_bets):
    """Counted from the moments of the hands: the best action with open cards, less that done."""
    hands = limit_hands[:60]
    if max_bets != 4:  # where a raise is not possible, it is not missed
        hands = recorded(
            "pot-odds", "call-or-raise", game=replace(LIMIT, max_bets=max_bets), blocks=8
        )
    estimates = BatchEvaluator().evaluate(hands, np.ones(len(hands), bool))
    for k, hand in enumerate(hands):
        steps = list(play_hand(hand))
        shares = [street.share for street in nlhe_env.hand_divat(steps[-1].table).streets]
        given_away = [0.0, 0.0]
        for before, after in pairwise(steps):
            table = before.table
            seat = int(table["actor"])
            share = shares[int(table["street"])]
            edge = 2 * (share if seat == 0 else 1 - share) - 1
            put_in = table["hand_bet"][:2].tolist()
            outcomes = {"call": edge * max(put_in)}
            if put_in[seat] < max(put_in):
                outcomes["fold"] = -put_in[seat]
            least, most = nlhe_env.what_if.raise_range(table)
            if most:
                outcomes["raise"] = edge * (put_in[seat] - int(table["street_bet"][seat]) + least)
            kinds = {"fold": "fold", "check": "call", "call": "call"}
            done = kinds.get(after.event["action"], "raise")
            given_away[seat] += max(outcomes.values()) - outcomes[done]
        assert estimates.hindsight[k] == pytest.approx(given_away[1] - given_away[0])


def test_hands_that_cannot_be_estimated_are_named(limit_hands):
    no_players = np.zeros(3, bool)
    broken = replace(limit_hands[1], actions=(), board="", finishing_stacks=None)
    with pytest.raises(HandError, match="the hand is incomplete") as caught:
        BatchEvaluator().evaluate([limit_hands[0], limit_hands[2], broken], no_players)
    assert caught.value.hand == 2
    wrong = replace(limit_hands[1], finishing_stacks=(10_000, 10_000))
    with pytest.raises(HandError, match="chips by the rules, not with 10000") as caught:
        BatchEvaluator().evaluate([limit_hands[0], wrong, limit_hands[2]], no_players)
    assert caught.value.hand == 1
