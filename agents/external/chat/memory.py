"""Memory of a chat player within a session: nothing, statistics or the hands.

A session is an episode: a tournament or a cash game. Nothing is remembered beyond it, because the
games of a duplicate block have the same cards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from agents.external.chips import Turn
from agents.external.turn_text import action_text, events_by_street, spaced

MemoryKind = Literal["none", "statistics", "transcript"]
MEMORY_KINDS: tuple[MemoryKind, ...] = get_args(MemoryKind)

MOST_HANDS = 20
"""Maximum number of hands in a transcript."""
MOST_CHARACTERS = 12_000
"""Maximum length of a transcript in characters, which allows fewer long hands."""

_STATISTICS = (
    "Opponents in the hands of this session so far (aggression: bets and raises, of bets, raises "
    "and calls after the flop):"
)

Hand = Mapping[str, Any]
"""A hand in the form of ``on_hand_end``."""


class Memory:
    """Memory of one player in one session.

    Args:
        kind: Kind of memory.
        player: Name of the player in the game.
    """

    def __init__(self, kind: MemoryKind, player: str) -> None:
        self._kind, self._player = kind, player
        self._counts: dict[str, _Counts] = {}
        self._hands: deque[tuple[str, int, Hand]] = deque(maxlen=MOST_HANDS)

    def add(self, hole_cards: str, big_blind: int, hand: Hand) -> None:
        """Add a finished hand.

        Args:
            hole_cards: The player's hole cards.
            big_blind: The big blind in chips.
            hand: The hand.
        """
        if self._kind == "statistics":
            for name in hand["net"]:
                self._counts.setdefault(name, _Counts()).add(name, hand)
        elif self._kind == "transcript":
            self._hands.append((hole_cards, big_blind, hand))

    def text(self, turn: Turn) -> str:
        """Memory as text, with current seats; empty if there is none."""
        seats = {
            seat["player"]: f"seat {number}"
            for number, seat in enumerate(turn["seats"])
            if seat is not None
        }
        seats[self._player] = "you"
        lines = self._statistics(seats) if self._kind == "statistics" else self._transcript(seats)
        return "\n".join(lines)

    def _statistics(self, seats: Mapping[str, str]) -> list[str]:
        lines = [
            f"{seats[name]}: {counts.text()}"
            for name, counts in self._counts.items()
            if name in seats and name != self._player and counts.hands
        ]
        return [_STATISTICS, *lines] if lines else []

    def _transcript(self, seats: Mapping[str, str]) -> list[str]:
        lines: list[str] = []
        length = 0
        for cards, big_blind, hand in reversed(self._hands):
            line = _hand_line(cards, big_blind, hand, seats)
            length += len(line)
            if length > MOST_CHARACTERS:
                break
            lines.append(line)
        return ["The last hands of this session:", *reversed(lines)] if lines else []


class _Counts:
    """Action counts of a player, as defined in ``agents.match.style``."""

    def __init__(self) -> None:
        self.hands = self.entered = self.raised = self.flops = self.showdowns = 0
        self.bets = self.calls = self.faced = self.folds = 0

    def add(self, player: str, hand: Hand) -> None:
        """Count a hand in which the player was dealt in."""
        preflop = set()
        for street, events in events_by_street(hand["history"]):
            is_raised = False
            for event, _ in events:
                action = event["action"]
                if event["player"] == player:
                    self.faced += is_raised
                    self.folds += is_raised and action == "fold"
                    if street == "preflop":
                        preflop.add(action)
                    else:
                        self.bets += action == "raise"
                        self.calls += action == "call"
                is_raised = is_raised or action == "raise"
        self.hands += bool(preflop)
        self.entered += bool(preflop & {"call", "raise"})
        self.raised += "raise" in preflop
        if hand["board"] and "fold" not in preflop:
            self.flops += 1
            self.showdowns += player in hand["shown"]

    def text(self) -> str:
        """Statistics as text."""
        shares = (
            ("VPIP", self.entered, self.hands),
            ("PFR", self.raised, self.hands),
            ("aggression", self.bets, self.bets + self.calls),
            ("folds to raises", self.folds, self.faced),
            ("showdowns of flops seen", self.showdowns, self.flops),
        )
        known = [f"{name} {count / total:.0%} of {total}" for name, count, total in shares if total]
        return f"{self.hands} hands, {', '.join(known)}"


def _hand_line(hole_cards: str, big_blind: int, hand: Hand, seats: Mapping[str, str]) -> str:
    """A hand in one line."""

    def called(name: str) -> str:
        return seats.get(name, "a player who left")

    def actions(events: Sequence[Any]) -> str:
        return ", ".join(
            f"{called(event['player'])} {_action(event, opens, seats, big_blind)}"
            for event, opens in events
        )

    parts = [f"hand {hand['hand_number'] + 1}: you held {spaced(hole_cards)}"]
    parts += [
        f"{street}: {actions(events)}" for street, events in events_by_street(hand["history"])
    ]
    if hand["board"]:
        parts.append(f"board {spaced(hand['board'])}")
    shown = hand["shown"]
    if shown:
        cards = ", ".join(f"{called(name)} {spaced(cards)}" for name, cards in shown.items())
        parts.append(f"shown: {cards}")
    results = ", ".join(f"{called(name)} {net:+d}" for name, net in hand["net"].items() if net)
    return "; ".join([*parts, f"result: {results}"])


def _action(event: Hand, opens: bool, seats: Mapping[str, str], big_blind: int) -> str:
    own = seats.get(event["player"]) == "you"
    return action_text(event, opens=opens, own=own, big_blind=big_blind)
