"""Recorded hands that several tests read, in the format PHH."""

from typing import Any

from nlhe_env.hand_history import Hand, HandHistoryError, stream_hands

HEADS_UP = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 1200]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "p2 cc", "p1 cc", "d db 2s7h9d", "p1 cc", "p2 cc",
  "d db Qd", "p1 cc", "p2 cbr 130", "p1 cc", "d db 3c", "p1 cc", "p2 cbr 300", "p1 f"]
players = ["ann", "bob"]
"""
"""A bet and a call on the turn, a bet and a fold on the river."""

THREE_ALL_IN = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 3000, 450]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "d dh p3 7c7d",
  "p3 cbr 450", "p1 cbr 1000", "p2 cc", "p1 sm AsKd", "p2 sm QhQc", "p3 sm 7c7d",
  "d db 2s7h9d", "d db Qd", "d db 3c"]
players = ["ann", "bob", "cid"]
"""
"""Three with unequal stacks are all-in before the flop."""


def read(text: str, **options: Any) -> list[Hand | HandHistoryError]:
    """The hands of a text, and what is wrong with the others."""
    return list(stream_hands(text.splitlines(keepends=True), **options))
