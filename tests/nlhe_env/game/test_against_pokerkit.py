"""Random hands played side by side with PokerKit, an independent implementation of the rules.

Run as a script with ``20000 fixed-limit`` it plays more hands than the test does.
"""

from __future__ import annotations

import functools
import os
import sys
from dataclasses import replace

import numpy as np
import pytest

import nlhe_env
from nlhe_env.cards import CARD_NAMES, format_cards
from nlhe_env.game.table import NO_PLAYER

pokerkit = pytest.importorskip("pokerkit")

FEW_HANDS = 100
MORE_HANDS = int(os.environ.get("NLHE_POKERKIT_HANDS", "300"))  # others than the few

# All chips are multiples of 9 * 8 * 7 * 5, so that no pot leaves odd chips: PokerKit gives all of
# them to the first winner, we give one each (tested in test_rules.py).
UNIT = 2520
MOST = 60 * UNIT

AUTOMATIONS = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pokerkit.Automation.HAND_KILLING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
)


@functools.lru_cache(maxsize=256)
def formed(hole, board):
    return pokerkit.StandardHighHand.from_game(hole, board)


class FormedHand(pokerkit.StandardHighHand):
    """PokerKit's hands, each formed once: it asks for those of all players again and again."""

    @classmethod
    def from_game(cls, hole_cards, board_cards=()):
        return formed(tuple(hole_cards), tuple(board_cards))


class PotLimitTexasHoldem(pokerkit.games.PotLimitPokerMixin, pokerkit.NoLimitTexasHoldem):
    """PokerKit's pot-limit betting with two hole cards, which it has no class for."""


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("n", "seed"), [(FEW_HANDS, 20), pytest.param(MORE_HANDS, 21, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("betting", ["no-limit", "pot-limit", "fixed-limit"])
def test_random_hands_play_out_as_in_pokerkit(betting, n, seed):
    counts = play_hands(n, seed, betting)
    assert counts["decisions"] > 3 * n
    assert counts["showdowns"] > n / 3
    # Rare: see `compare_raises`.
    assert counts["PokerKit allows"] + counts["PokerKit forbids"] < counts["decisions"] / 50


def play_hands(n: int, seed: int, betting: str = "no-limit") -> dict[str, int]:
    """Play hands both ways; raises AssertionError where they differ."""
    generator = np.random.default_rng(seed)
    environments = {
        (players, ante): nlhe_env.raw_env(
            players,
            infos="full",
            starting_stack=MOST,
            blinds=(UNIT, 2 * UNIT, ante * UNIT),
            mode="cash",
            actions="chips",
            betting=betting,
        )
        for players in range(2, 10)
        for ante in (0, 1)
    }
    counts = {"decisions": 0, "showdowns": 0, "PokerKit allows": 0, "PokerKit forbids": 0}
    for i in range(n):
        players = int(generator.integers(2, 10))
        ante = int(generator.integers(2))
        deep = generator.random() < 0.3
        stacks = generator.integers(1, 61 if deep else 15, players)
        button = int(generator.integers(players))
        big_blind = (button + (1 if players == 2 else 2)) % players
        # We measure a call against the full big blind when its owner is short, PokerKit against
        # what was posted (TDA rules know only the former); so here the owner can pay it.
        stacks[big_blind] = max(stacks[big_blind], ante + 2)
        chips = (stacks * UNIT).tolist()
        env = environments[players, ante]
        env.reset(seed=i, options={"stacks": chips, "button": button})
        try:
            compare_hand(env, chips, ante * UNIT, button, generator, counts)
        except AssertionError as error:
            raise AssertionError(
                f"hand {i}: stacks {chips}, ante {ante * UNIT}, button {button}: {error}"
            ) from error
    return counts


def compare_hand(env, chips, ante, button, generator, counts) -> None:
    """Play one hand that has been dealt."""
    n = len(chips)
    seats = [(button + 1 + i) % n for i in range(n)]  # PokerKit's players, by our seats
    table = env.tables[0]
    cards = table["cards"].tolist()
    game, bets = {
        "no-limit": (pokerkit.NoLimitTexasHoldem, (2 * UNIT,)),
        "pot-limit": (PotLimitTexasHoldem, (2 * UNIT,)),
        "fixed-limit": (pokerkit.FixedLimitTexasHoldem, (2 * UNIT, 4 * UNIT)),
    }[env.game.betting]
    state = game.create_state(
        AUTOMATIONS,
        True,  # a short ante is all-in for its part of the pot
        ante,
        (UNIT, 2 * UNIT),
        *bets,
        tuple(chips[seat] for seat in seats),
        n,
        mode=pokerkit.Mode.TOURNAMENT,
    )
    state.hand_types = (FormedHand,)
    if env.game.betting == "fixed-limit":
        # The big blind is the first of the four bets; PokerKit would allow four raises after it.
        preflop = replace(state.streets[0], max_completion_betting_or_raising_count=3)
        state.streets = (preflop, *state.streets[1:])
    for seat in seats:
        state.deal_hole(format_cards(cards[2 * seat : 2 * seat + 2]))
    board = [CARD_NAMES[card] for card in cards[2 * n : 2 * n + 5]]

    reopening = Reopening(limit=env.game.betting == "fixed-limit")
    while True:
        while state.can_burn_card():
            state.burn_card("??")
            count = 1 if state.board_cards else 3
            state.deal_board("".join(board[:count]))
            del board[:count]
        theirs = state.actor_index
        ours = int(table["actor"])
        if theirs is None:
            break
        if ours != seats[theirs] and only_checks(state):
            # PokerKit still asks the last player with chips, who has matched every all-in.
            state.check_or_call()
            continue
        assert ours == seats[theirs], f"seat {ours} acts, not {seats[theirs]}"
        counts["decisions"] += 1
        info = env.infos[env.agent_selection]
        assert info["to_call"] == state.checking_or_calling_amount
        assert info["pot"] == state.total_pot_amount
        least, most = compare_raises(info, state, ours, reopening, counts)
        before = max(state.bets)
        amount = act(env, state, info, least, most, generator)
        reopening.note(info["street"], ours, before, max(before, amount))
    assert int(table["actor"]) == NO_PLAYER
    assert table["stack"][:n].tolist() == [state.stacks[seats.index(seat)] for seat in range(n)]
    counts["showdowns"] += bool(table["showdown"])


def only_checks(state) -> bool:
    return (
        state.checking_or_calling_amount == 0
        and state.min_completion_betting_or_raising_to_amount is None
    )


class Reopening:
    """TDA 2024 rule 47 in its own words, to judge between two implementations.

    All-ins totaling less than a full bet or raise do not reopen betting for players who have
    already acted and are not facing at least a full bet or raise when action returns to them. In
    limit, half of a full bet or raise is enough.
    """

    def __init__(self, *, limit: bool) -> None:
        self.limit = limit
        self.street = ""
        self.full = 0
        self.seen: dict[int, int] = {}

    def note(self, street: str, seat: int, bet_before: int, bet_after: int) -> None:
        self.open(street)
        self.full = max(self.full, bet_after - bet_before)
        self.seen[seat] = bet_after

    def open(self, street: str) -> None:
        if street != self.street:
            big_bet = self.limit and street in ("turn", "river")
            self.street, self.full, self.seen = street, (4 if big_bet else 2) * UNIT, {}

    def allows(self, street: str, seat: int, bet: int) -> bool:
        self.open(street)
        needed = self.full / 2 if self.limit else self.full
        return seat not in self.seen or bet - self.seen[seat] >= needed


def compare_raises(info, state, seat, reopening, counts) -> tuple[int, int]:
    """The range of raises, where both agree that there is one."""
    theirs = (
        state.min_completion_betting_or_raising_to_amount or 0,
        state.max_completion_betting_or_raising_to_amount or 0,
    )
    ours = (info["min_raise_to"], info["max_raise_to"])
    if ours == theirs:
        return ours
    # PokerKit 0.7.7 goes its own way with short all-ins in two cases. It takes a bet or raise of
    # less than the big blind, first on its street, for a full one and lets those raise who acted
    # before. And of several short all-ins it forgets those that made up a full raise when another
    # comes on top. The rule decides.
    assert (0, 0) in (ours, theirs), f"raises {ours}, not {theirs}"
    allowed = reopening.allows(info["street"], seat, max(state.bets))
    assert allowed == (ours != (0, 0)), f"raises {ours}, PokerKit {theirs}, rule {allowed}"
    counts["PokerKit forbids" if allowed else "PokerKit allows"] += 1
    return (0, 0)


def act(env, state, info, least, most, generator) -> int:
    """Take a random legal action in both; returns the amount of a raise, else 0."""
    amount = 0
    u = generator.random()
    if least and u < 0.45:
        if u < 0.15:
            amount = least
        elif u < 0.2:
            amount = most
        else:
            units = generator.integers(least // UNIT, min(most, 3 * least) // UNIT + 1)
            amount = int(units) * UNIT
        env.step(amount)
        state.complete_bet_or_raise_to(amount)
    elif info["to_call"] and u > 0.7:
        env.step(0)
        state.fold()
    else:
        env.step(1)
        state.check_or_call()
    return amount


if __name__ == "__main__":
    print(play_hands(int(sys.argv[1]), seed=20, betting=sys.argv[2]))
