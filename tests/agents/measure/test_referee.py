"""What the referee of an external player counts."""

from __future__ import annotations

import time

from agents.external.chips import CHECK_OR_CALL, ChipPlayer
from agents.measure.bench.running import refereed

WAIT_S = 0.05


class Mixing(ChipPlayer):
    """Thinks when it is asked for its chances, and draws from them in no time."""

    name = "mixing"

    def chances(self, turn):
        time.sleep(WAIT_S)
        return {CHECK_OR_CALL: 1.0}

    def decide(self, turn):
        return CHECK_OR_CALL


def test_time_for_chances_is_time_for_the_decision():
    referee = refereed(Mixing())
    turn = {"to_call": 0}
    assert referee.chances(turn) == {CHECK_OR_CALL: 1.0}
    assert referee.decisions == 0
    assert referee.seconds >= WAIT_S


def test_a_player_may_have_no_chances():
    player = Mixing()
    player.chances = None
    assert refereed(player).chances is None
