"""Hands with one hostile value, and hands that cannot have been: refused at once."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hand_files

from agents.acpc import read_log
from nlhe_env import Rake
from nlhe_env.hand_history import HandHistoryError, play_hand, read_hands, stream_hands

STARS = """\
PokerStars Hand #12345:  Hold'em No Limit ($0.50/$1.00 USD) - 2020/01/01 12:00:00 ET
Table 'North' 6-max Seat #1 is the button
Seat 1: ann ($100 in chips)
Seat 3: bob ($150.50 in chips)
Seat 4: cid ($20 in chips)
bob: posts small blind $0.50
cid: posts big blind $1
*** HOLE CARDS ***
Dealt to ann [As Ad]
ann: raises $4 to $5
bob: calls $4.50
cid: folds
*** FLOP *** [2c 7d Th]
bob: checks
ann: bets $10
bob: calls $10
*** TURN *** [2c 7d Th] [3s]
bob: checks
ann: checks
*** RIVER *** [2c 7d Th 3s] [9c]
bob: checks
ann: checks
*** SHOW DOWN ***
bob: shows [Tc Ts] (three of a kind, Tens)
ann: mucks hand
bob collected $30 from pot
*** SUMMARY ***
Total pot $31 | Rake $1
Board [2c 7d Th 3s 9c]
Seat 1: ann (button) mucked [As Ad]
Seat 3: bob (small blind) showed [Tc Ts] and won ($30) with three of a kind, Tens
"""
Read = Callable[[str], Any]


def read_stars(text: str) -> Any:
    """All hands of a PokerStars text; an unreadable hand is an error."""
    found = list(stream_hands(text.splitlines(keepends=True)))
    for hand in found:
        if isinstance(hand, HandHistoryError):
            raise hand
    return found


TEXTS: dict[str, tuple[str, Read]] = {
    "PHH": (hand_files.HAND, read_hands),
    "PokerStars": (STARS, read_stars),
    "ACPC": (hand_files.LOG, read_log),
}
FAR = {
    "above int64": str(2**63),
    "above uint64": str(2**64 + 5),
    "far above": "1" + "0" * 30,
    "5,000 digits": "9" * 5000,
    "100,000 digits": "9" * 100_000,
    "zeros and a digit": "0" * 100_000 + "5",
}
LONG = {
    "blanks": " " * 100_000,
    "tabs": "\t" * 100_000,
    "brackets": "[" * 50_000,
    "brackets that close": "[" * 50_000 + "]" * 50_000,
    "round brackets": "(" * 50_000 + ")" * 50_000,
    "commas": "," * 100_000,
    "colons": ": " * 50_000,
    "cards": "As " * 30_000,
    "dollars": "$" * 100_000,
    "quotes": '"' * 100_000,
    "words": "a: bets $1 " * 10_000,
}


def hostile(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """A number that is too large, or a long piece of text, in every line of a hand."""
    for name, (text, read) in TEXTS.items():
        read(text)  # compiled code is loaded
        lines = text.splitlines(keepends=True)
        for i, line in enumerate(lines):
            numbers = list(re.finditer(r"(?<![\w.])\d+(?![\w.])", line))
            for what, digits in FAR.items():
                if not numbers:
                    break
                found = generator.choice(numbers)
                changed = line[: found.start()] + digits + line[found.end() :]
                hand = "".join([*lines[:i], changed, *lines[i + 1 :]])
                yield f"{name}, line {i + 1}: {what}", _read_in_time(read, hand)
            for what, piece in LONG.items():
                at = generator.randrange(len(line))
                changed = line[:at] + piece + line[at:]
                hand = "".join([*lines[:i], changed, *lines[i + 1 :]])
                yield f"{name}, line {i + 1}: {what}", _read_in_time(read, hand)


def _read_in_time(read: Read, text: str) -> str:
    start = time.process_time()
    try:
        read(text)
    except ValueError as error:
        if len(str(error)) > 1000:
            return f"the message has {len(str(error))} letters"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:100]}"
    seconds = time.process_time() - start
    return "" if seconds < hand_files.MOST_S else f"{seconds:.1f} s"


def impossible(generator: random.Random, number: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Each is refused, with the line where it stands in a file."""
    for what, text in IMPOSSIBLE_PHH.items():
        yield f"PHH: {what}", _refused(read_hands, text)
    for what, text in IMPOSSIBLE_STARS.items():
        yield f"PokerStars: {what}", _refused(read_stars, text)
    for what, arguments in RAKES.items():
        yield f"a rake of {what}", _refused_value(lambda given=arguments: Rake(**given))
    (hand,) = read_hands(hand_files.HAND)
    for what, changes in HANDS.items():
        yield f"Hand: {what}", _refused_value(lambda given=changes: _play(hand, given))


def _play(hand: Any, changes: dict[str, Any]) -> None:
    fields = {name: getattr(hand, name) for name in hand.__dataclass_fields__}
    list(play_hand(type(hand)(**{**fields, **changes})))


def _refused(read: Read, text: str) -> str:
    try:
        read(text)
    except ValueError as error:
        return "" if "line " in str(error) else f"no line: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "it was read"


def _refused_value(make: Callable[[], Any]) -> str:
    try:
        make()
    except (ValueError, TypeError):
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "it was taken"


def _phh(old: str, new: str, more: str = "") -> str:
    assert old in hand_files.HAND, old
    return hand_files.HAND.replace(old, new, 1) + more


def _stars(old: str, new: str) -> str:
    assert old in STARS, old
    return STARS.replace(old, new)


IMPOSSIBLE_PHH = {
    "one card twice in a hand": _phh("p1 AsKd", "p1 AsAs"),
    "a card in two hands": _phh("p2 QhQc", "p2 QhAs"),
    "a card of a hand on the board": _phh("2s7h9d", "2s7hAs"),
    "a card twice on the board": _phh("db Qd", "db 2s"),
    "two players in one seat": _phh("min_bet", "seats = [1, 2, 2]\nmin_bet"),
    "seat 0": _phh("min_bet", "seats = [0, 1, 2]\nmin_bet"),
    "a negative seat": _phh("min_bet", "seats = [1, 2, -3]\nmin_bet"),
    "a seat that the table has not": _phh("min_bet", "seats = [1, 2, 9]\nseat_count = 6\nmin_bet"),
    "seat 11": _phh("min_bet", "seats = [1, 2, 11]\nmin_bet"),
    "fewer seats than players": _phh("min_bet", "seats = [1, 2]\nmin_bet"),
    "a table of 0 seats": _phh("min_bet", "seat_count = 0\nmin_bet"),
    "a negative ante": _phh("antes = [0, 0, 0]", "antes = [-1, -1, -1]"),
    "a negative blind": _phh("[50, 100, 0]", "[-50, 100, 0]"),
    "a stack of 0": _phh("[1000,", "[0,"),
    "a negative stack": _phh("[1000,", "[-1000,"),
    "a stack that is no number": _phh("[1000,", "[nan,"),
    "an endless stack": _phh("[1000,", "[inf,"),
    "a bet above the stack": _phh("p3 cbr 450", "p3 cbr 451"),
    "a negative raise": _phh("p3 cbr 450", "p3 cbr -450"),
    "a player who does not exist": _phh("p3 cbr 450", "p4 cbr 450"),
    "player 0": _phh("p3 cbr 450", "p0 cbr 450"),
    "a player out of turn": _phh("p3 cbr 450", "p1 cbr 450"),
    "a card that does not exist": _phh("p1 AsKd", "p1 As1d"),
    "more chips at the end than at the start": _phh(
        "min_bet", "finishing_stacks = [0, 4000, 4500]\nmin_bet"
    ),
    "a rake above the pot": _phh("min_bet", "finishing_stacks = [0, 0, 0]\nmin_bet"),
    "a negative rake": _phh("min_bet", "finishing_stacks = [0, 4451, 0]\nmin_bet"),
    "winnings below 0": _phh("min_bet", "winnings = [-1, 0, 0]\nmin_bet"),
    "winnings above the pot": _phh("min_bet", "winnings = [0, 9999, 0]\nmin_bet"),
}
IMPOSSIBLE_STARS = {
    "a rake above the pot": _stars("Rake $1", "Rake $32"),
    "a rake of all and more": _stars("Total pot $31 | Rake $1", "Total pot $31 | Rake $1000000"),
    "a negative rake": _stars("| Rake $1", "| Rake $-1"),
    "a negative rake that is paid": _stars("| Rake $1", "| Rake -$1").replace(
        "$30 from", "$32 from"
    ),
    "more collected than the pot": _stars("collected $30", "collected $300"),
    "a card in two hands": _stars("[Tc Ts]", "[Tc As]"),
    "a card twice in a hand": _stars("[As Ad]", "[As As]"),
    "a card of a hand on the board": _stars("Th", "As"),
    "a card twice on the board": _stars("[9c]", "[7d]"),
    "two players in one seat": _stars("Seat 3: bob", "Seat 1: bob"),
    "one name in two seats": _stars("Seat 4: cid", "Seat 4: ann"),
    "seat 0": _stars("Seat 1: ann", "Seat 0: ann").replace("Seat #1", "Seat #0"),
    "seat 11": _stars("Seat 4: cid", "Seat 11: cid"),
    "a button at no player's seat": _stars("Seat #1 is", "Seat #9 is"),
    "a stack of 0": _stars("ann ($100 in", "ann ($0 in"),
    "a bet above the stack": _stars("bets $10", "bets $96"),
    "a blind above the stack": _stars("cid ($20 in", "cid ($0.10 in"),
    "an act of a stranger": _stars("bob: calls $10", "eve: calls $10"),
}
RAKES: dict[str, dict[str, Any]] = {
    "less than nothing": {"share": -0.05},
    "more than everything": {"share": 1.5},
    "no number": {"share": float("nan")},
    "a text": {"share": "5%"},
    "a negative cap": {"share": 0.05, "cap": -1},
    "a cap above int64": {"share": 0.05, "cap": 2**63},
    "half a chip at most": {"share": 0.05, "cap": 0.5},
}
HANDS: dict[str, dict[str, Any]] = {
    "a card in two hands": {"hole_cards": ("AsKd", "AsQc", "7c7d")},
    "a card of a hand on the board": {"board": "2s7hAsQd3c"},
    "two players in one seat": {"seats": (0, 1, 1)},
    "a negative seat": {"seats": (-1, 1, 2)},
    "a stack above int64": {"stacks": (2**63, 3000, 450)},
    "a stack of 0": {"stacks": (0, 3000, 450)},
    "a negative stack": {"stacks": (-5, 3000, 450)},
    "fewer stacks than players": {"stacks": (1000, 3000)},
    "a negative ante": {"ante": -1},
}
