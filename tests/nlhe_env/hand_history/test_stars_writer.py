"""Hands written as PokerStars does, read again by ourselves and by PokerKit."""

import functools
import random
from dataclasses import replace

import numpy as np
import pytest
from helpers import drive
from test_hand_history import SIX_BETS, random_hand

import nlhe_env
from nlhe_env.hand_history import (
    Action,
    Hand,
    HandHistoryError,
    read_hands,
    stream_hands,
    write_pokerstars,
)


@functools.cache
def played(n_hands: int, betting: str = "no-limit"):
    generator = random.Random(betting)
    return [random_hand(generator, betting)[0] for _ in range(n_hands)]


@pytest.mark.parametrize("betting", ["no-limit", "pot-limit", "fixed-limit"])
def test_written_hands_are_read_back(betting):
    hands = [hand for hand in played(60, betting) if hand.actions]
    text = write_pokerstars(hands)
    found = list(stream_hands(text.splitlines(keepends=True)))
    assert [error for error in found if isinstance(error, HandHistoryError)] == []
    for before, after in zip(hands, found, strict=True):
        for name in ("stacks", "hole_cards", "board", "actions", "shown", "finishing_stacks"):
            assert getattr(after, name) == getattr(before, name), name
        assert (after.small_blind, after.big_blind, after.ante) == (
            before.small_blind,
            before.big_blind,
            before.ante,
        )
        assert (after.players, after.seats) == (before.players, before.seats)
        assert (after.rake, after.betting) == (0, betting)


@pytest.mark.parametrize("betting", ["no-limit", "fixed-limit"])
@pytest.mark.parametrize("blinds", [(10, 20), (12, 25), (10, 20, 7)])
def test_hands_of_short_blinds_are_read(betting, blinds):
    """Short stacks post what they have, also nothing after the ante."""
    hands: list[Hand] = []
    generator = np.random.default_rng(6)
    for _ in range(40):
        n_players = int(generator.integers(2, 6))
        env = nlhe_env.raw_env(
            n_players,
            starting_stack=generator.integers(8, 120, n_players).tolist(),
            blinds=blinds,
            num_hands=4,
            betting=betting,
            record=hands,
        )
        env.reset(seed=int(generator.integers(10**6)))
        drive(env, generator)
    for i in range(2):  # neither blind is always paid in full
        short = [hand for hand in hands if hand.stacks[i] < hand.posted[i] + hand.ante]
        assert len(short) > 5
    assert any(hand.stacks[1] <= hand.ante for hand in hands) == (len(blinds) > 2)
    found = list(stream_hands(write_pokerstars(hands).splitlines(keepends=True)))
    assert found == [replace(hand, level=None) for hand in hands]


def test_cents_rake_dead_blinds_and_mucked_hands_are_written():
    (hand,) = [hand for hand in played(200) if sum(hand.shown) == 2 and not hand.ante][:1]
    loser = next(
        i
        for i, shown in enumerate(hand.shown)
        if shown and hand.finishing_stacks[i] < hand.stacks[i]
    )
    winner = max(range(len(hand.stacks)), key=lambda i: hand.finishing_stacks[i] - hand.stacks[i])
    stacks = list(hand.finishing_stacks)
    stacks[winner] -= 1
    odd = replace(
        hand,
        unit=100,
        rake=1,
        finishing_stacks=tuple(stacks),
        shown=tuple(i != loser and shown for i, shown in enumerate(hand.shown)),
        hole_cards=tuple("" if i == loser else c for i, c in enumerate(hand.hole_cards)),
    )
    text = write_pokerstars([odd])
    assert "Rake $0.01" in text
    assert f"{hand.players[loser]}: mucks hand" in text
    (again,) = stream_hands(text.splitlines())
    assert (again.rake, again.finishing_stacks) == (1, tuple(stacks))
    assert again.hole_cards == odd.hole_cards


def test_too_many_bets_cannot_be_written():
    (hand,) = read_hands(SIX_BETS)
    with pytest.raises(ValueError, match="max_bets=6 with more bets on a street than usual"):
        write_pokerstars([hand])
    fewer = replace(hand, actions=(*hand.actions[:1], Action(0, "f"), Action(1, "f")))
    fewer = replace(fewer, finishing_stacks=None)
    (again,) = stream_hands(write_pokerstars([fewer]).splitlines(keepends=True))
    assert (again.actions, again.max_bets) == (fewer.actions, 0)


def test_the_text_looks_like_the_original():
    hand = replace(next(iter(played(1))), number=12)
    lines = write_pokerstars([hand], date="2024/05/01 12:00:00 ET").splitlines()
    assert lines[0].startswith("PokerStars Hand #12:  Hold'em No Limit (10/20) - 2024/05/01")
    assert lines[1].endswith("is the button")
    assert "*** SUMMARY ***" in lines


def test_two_boards_cannot_be_written():
    with pytest.raises(ValueError, match="two boards"):
        write_pokerstars([replace(played(1)[0], second_board="AsKsQsJsTs")])


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_pokerkit_reads_written_hands():
    notation = pytest.importorskip("pokerkit.notation")
    n_hands = 0
    for hand in played(60):
        if hand.ante or not hand.actions or len(hand.stacks) < 3:
            continue
        if any(stack < hand.big_blind for stack in hand.stacks):
            continue  # PokerKit measures a call against what a short big blind has posted
        (history,) = notation.HandHistory.from_pokerstars(write_pokerstars([hand]))
        assert list(history.starting_stacks) == list(hand.stacks)
        assert list(history.players) == list(hand.players)
        acts = [action for action in history.actions if action.split()[1] in ("f", "cc", "cbr")]
        ours = [
            f"p{action.position + 1} {action.kind}" + (f" {action.to}" if action.to else "")
            for action in hand.actions
        ]
        assert acts == ours
        n_hands += 1
    assert n_hands > 10
