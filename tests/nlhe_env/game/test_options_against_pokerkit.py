"""Random hands with antes of the big blind, straddles, rake and two boards, beside PokerKit.

Run as a script with ``20000`` it plays more hands than the test does.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
from chip_table import ChipTable

import nlhe_env
from nlhe_env.cards import CARD_NAMES, format_cards
from nlhe_env.game.table import NO_PLAYER

pokerkit = pytest.importorskip("pokerkit")
from test_against_pokerkit import (  # noqa: E402  (it needs PokerKit)
    AUTOMATIONS,
    FEW_HANDS,
    MORE_HANDS,
    FormedHand,
    only_checks,
)

# All chips are multiples of 2 * 20 * 9 * 8 * 7 * 5: neither a rake of 1/20 nor two boards leave odd
# chips, of which PokerKit gives all to the first winner and we one each.
UNIT = 100_800
BIG_BLIND = 2 * UNIT


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("n", "seed"), [(FEW_HANDS, 5), pytest.param(MORE_HANDS, 6, marks=pytest.mark.slow)]
)
def test_random_hands_with_options_play_out_as_in_pokerkit(n, seed):
    counts = play_hands(n, seed)
    assert counts["decisions"] > 2 * n
    assert min(counts[name] for name in ("straddles", "antes", "raked", "two boards")) > n / 20
    assert counts["two boards with side pots"] > n / 130


def play_hands(n: int, seed: int) -> dict[str, int]:
    """Play hands both ways; raises AssertionError where they differ."""
    generator = np.random.default_rng(seed)
    names = "decisions", "straddles", "antes", "raked", "two boards", "two boards with side pots"
    counts = dict.fromkeys(names, 0)
    for i in range(n):
        players = int(generator.integers(2, 10))
        stacks = generator.integers(1, 61 if generator.random() < 0.3 else 15, players)
        button = int(generator.integers(players))
        ante = int(generator.integers(3))
        by_big_blind = bool(generator.integers(2))
        big_blind = (button + (1 if players == 2 else 2)) % players
        # PokerKit posts the ante first and measures a call against what a short big blind has; in
        # the rest of its rules it agrees, so here the big blind can pay both.
        stacks[big_blind] = max(stacks[big_blind], ante + 2)
        game = nlhe_env.Game(
            mode="cash",
            starting_stack=tuple((stacks * UNIT).tolist()),
            blinds=nlhe_env.BlindSchedule(
                ((UNIT, BIG_BLIND, ante * UNIT),),
                ante_by="big blind" if by_big_blind else "everyone",
            ),
            straddle=str(generator.choice(["none", "under the gun", "button"])),
            rake=nlhe_env.Rake(share=0.05, no_flop_no_drop=bool(generator.integers(2)))
            if generator.integers(2)
            else None,
            boards=int(generator.integers(1, 3)),
        )
        env = ChipTable(players, game)
        env.reset(seed=i, options={"button": button})
        try:
            compare_hand(env, button, generator, counts)
        except AssertionError as error:
            raise AssertionError(f"hand {i}: {game}, button {button}: {error}") from error
    return counts


def compare_hand(env: ChipTable, button: int, generator, counts) -> None:
    """Play one hand that has been dealt."""
    n, game, table = env.num_players, env.game, env.tables[0]
    seats = [(button + 1 + i) % n for i in range(n)]  # PokerKit's players, by our seats
    cards = table["cards"].tolist()
    state = pokerkit_state(game, [game.stacks(n)[seat] for seat in seats], counts)
    for seat in seats:
        state.deal_hole(format_cards(cards[2 * seat : 2 * seat + 2]))
    boards = [
        [CARD_NAMES[card] for card in cards[first : first + 5]] for first in (2 * n, 2 * n + 5)
    ]
    board = boards[0].copy()
    while True:
        while any(state.runout_count_selector_statuses):
            state.select_runout_count(game.boards)
        while state.can_burn_card():
            state.burn_card("??")
            opened = 5 - len(board)
            if opened == 5:  # the first board is complete: now the rest of the second one
                board = boards[1][len(list(state.get_board_cards(1))) :]
                opened = 5 - len(board)
            count = 1 if opened else 3
            state.deal_board("".join(board[:count]))
            del board[:count]
        theirs = state.actor_index
        ours = int(table["actor"])
        if theirs is None:
            break
        if ours != seats[theirs] and only_checks(state):
            state.check_or_call()  # the last player with chips, who has matched every all-in
            continue
        assert ours == seats[theirs], f"seat {ours} acts, not {seats[theirs]}"
        counts["decisions"] += 1
        info = env.infos[env.agent_selection]
        assert info["to_call"] == state.checking_or_calling_amount
        assert info["pot"] == state.total_pot_amount
        act(env, state, info, generator)
    assert int(table["actor"]) == NO_PLAYER
    rake = int(table["rake"])
    stacks = [state.stacks[seats.index(seat)] for seat in range(n)]
    if not table["showdown"] and rake:
        # PokerKit 0.7.7 gives the last player the whole bet of the street back before it rakes, and
        # not only its uncalled part; so the rake is counted here.
        winner = int(np.flatnonzero(table["won"])[0])
        lost = [before - after for before, after in zip(game.stacks(n), stacks, strict=True)]
        lost[winner] = 0
        antes = antes_of(game, (button + (1 if n == 2 else 2)) % n)
        called = max(lost[seat] - antes[seat] for seat in range(n) if seat != winner)
        pot = sum(lost) + called + antes[winner]
        stacks[winner] = game.stacks(n)[winner] + sum(lost) - pot // 20
    assert table["stack"][:n].tolist() == stacks
    assert int(table["stack"][:n].sum()) + rake == sum(game.stacks(n))
    counts["raked"] += rake > 0
    if table["shared_cards"] < 5:
        counts["two boards"] += 1
        counts["two boards with side pots"] += int(table["pots"]) > 1


def antes_of(game, big_blind: int) -> list[int]:
    """Chips of the ante that every seat puts in, which need not be called."""
    ante = game.blinds.levels[0][2]
    if game.blinds.ante_by == "big blind":
        return [ante if seat == big_blind else 0 for seat in range(len(game.starting_stack))]
    return [min(ante, stack) for stack in game.starting_stack]


def pokerkit_state(game, stacks, counts):
    """The same game of PokerKit."""
    n = len(stacks)
    small, big, ante = game.blinds.levels[0]
    by_big_blind = game.blinds.ante_by == "big blind"
    blinds = [small, big] + [0] * (n - 2)
    if n > 2 and game.straddle != "none":
        place = n - 1 if game.straddle == "button" else 2
        if stacks[place] - (0 if by_big_blind else ante) >= 2 * big:
            blinds[place] = 2 * big
    straddled = max(blinds) > big
    # PokerKit turns antes around heads-up as it does blinds.
    antes = {1: ante} if by_big_blind else dict.fromkeys(range(n), ante)
    counts["straddles"] += straddled
    counts["antes"] += by_big_blind and ante > 0

    def rake(amount, state):
        taken = 0
        free = game.rake is not None and game.rake.no_flop_no_drop and not any(state.board_cards)
        if game.rake is not None and not free:
            taken = amount // 20
        return taken, amount - taken

    state = pokerkit.NoLimitTexasHoldem.create_state(
        AUTOMATIONS,
        not by_big_blind,  # a short ante of one's own is all-in for its part of the pot
        antes,
        blinds,
        big,
        tuple(stacks),
        n,
        mode=pokerkit.Mode.CASH_GAME,
        rake=rake,
    )
    state.hand_types = (FormedHand,)
    if straddled:  # the least raise is by the straddle
        first = replace(state.streets[0], min_completion_betting_or_raising_amount=2 * big)
        state.streets = (first, *state.streets[1:])
    return state


def act(env: ChipTable, state, info, generator) -> None:
    """Take a random action in both that both allow; where they differ in raises, none."""
    theirs = (
        state.min_completion_betting_or_raising_to_amount or 0,
        state.max_completion_betting_or_raising_to_amount or 0,
    )
    least, most = ours = info["min_raise_to"], info["max_raise_to"]
    if ours != theirs:  # see `compare_raises` of the other comparison
        assert (0, 0) in (ours, theirs), f"raises {ours}, not {theirs}"
        least = 0
    u = generator.random()
    if least and u < 0.45:
        amount = most
        if u < 0.35:
            units = generator.integers(least // UNIT, min(most, 3 * least) // UNIT + 1)
            amount = max(least, int(units) * UNIT)
        env.act(amount)
        state.complete_bet_or_raise_to(amount)
    elif info["to_call"] and u > 0.8:
        env.act(0)
        state.fold()
    else:
        env.act(1)
        state.check_or_call()


if __name__ == "__main__":
    print(play_hands(int(sys.argv[1]), seed=5))
