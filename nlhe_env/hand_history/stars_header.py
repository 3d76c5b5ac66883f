"""Parser of header lines in text of PokerStars and similar rooms: game and stakes."""

from __future__ import annotations

import re
from typing import NamedTuple

from nlhe_env.hand_history.errors import MOST_CHIPS

# Quantifiers of amounts are possessive, so the time is linear in the length of a line.
AMOUNT = r"[^\d\s(\[-]{0,3}(\d++(?:,\d++)*+(?:\.\d{1,2}+)?+)(?!\.?\d)"

# A room and a number, without a preceding colon, as after a player's name, or quotes.
_HEADER = re.compile(
    r"\s*(?P<room>(?:[\w.&'+-]+ ){1,4}?)(?:Zoom |Rush )?(?:Home Game )?(?:Hand|Game) #(\w+):"
)
_OTHER_FORM = re.compile(
    r"BetOnline|PayNoRake|ActionPoker|Gear Poker|Full ?Tilt ?Poker|Everleaf|Everest|Bovada|Bodog"
    r"|Ignition|Merge",
    re.IGNORECASE,
)
_STAKES = re.compile(rf"(?:\(|(?<![\d,]),|,(?= )) ?{AMOUNT}/{AMOUNT}(?!/)")
_LIMITS = r"No[- ]?Limit|Pot[- ]?Limit|Fixed[- ]?Limit|Limit|NL|PL|FL"
_HOLDEM = r"(?:Texas )?Hold(?:'|[ -])?em"
_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u2032\u00b4`", "'"))
# The game is next to the stakes or the level; names of tournaments before it can be anything.
_GAME = re.compile(
    rf"(?:{_HOLDEM}[ -]*\(?({_LIMITS})|\b({_LIMITS}) {_HOLDEM}|\b(NL|PL|FL|L)HE)\)?,?\s*"
    r"(?:- (?:Match Round \w+, )?Level ?\w+\s*)?$",
    re.IGNORECASE,
)
_CAP = re.compile(rf"- ?{AMOUNT} Cap\b|\bCap(?:ped)? (?=Hold|No|NL)", re.IGNORECASE)
_OTHER_HOLDEM = re.compile(
    r"(?:6\+|Short ?Deck|Split|Omaha|Fusion|Showtime|Unfold|Tempest) *$", re.IGNORECASE
)
_CHANGING = re.compile(r"Hold'?em.* Post-Flop", re.IGNORECASE)
_CLUB = re.compile(r"\{[^}]*\}")  # a home game's, of any name
_MONEY = re.compile(r"[^\d\s(,./]")
_THOUSANDS = re.compile(r"\d+|\d{1,3}(?:,\d{2,3})*,\d{3}")
_DECIMAL_COMMA = re.compile(r"\d,\d{1,2}(?!\d)")

_TOURNAMENT = re.compile(r"Tournament #\w+")

_MOST_DIGITS = 20  # and commas
_BETTING = {"n": "no-limit", "p": "pot-limit"}  # by the first letter; others are fixed-limit


class Header(NamedTuple):
    """Game and stakes from the first line of a hand."""

    number: int | None
    betting: str
    small: int
    """Blind in hundredths; it may be of another level than the posted one."""
    big: int
    event: str
    """Number of the tournament; empty in a cash game."""


def is_header(line: str) -> bool:
    """Whether a line begins a hand."""
    return " #" in line and _HEADER.match(line) is not None


def cents(amount: str) -> int:
    """An amount in hundredths; rooms use commas between thousands.

    Raises:
        ValueError: A comma is misplaced.
    """
    whole, _, part = amount.partition(".")
    if not _THOUSANDS.fullmatch(whole):
        raise ValueError(_decimal_comma(amount))
    if len(whole) > _MOST_DIGITS:
        raise ValueError(f"at most {MOST_CHIPS} chips can be in play; got {amount:.30}")
    return 100 * int(whole.replace(",", "")) + int(part.ljust(2, "0") or 0)


def read_header(line: str) -> Header:
    """The game of a hand.

    Raises:
        ValueError: The room has another format, or the game is not Texas Hold'em.
    """
    found = _HEADER.match(line)
    if found is None:
        raise ValueError(
            f"a hand must begin with the poker room and the hand's number; got {line!r:.80}"
        )
    room = found["room"].strip()
    if _OTHER_FORM.search(room):
        raise ValueError(f"{room} text has its own format, which cannot be read")
    text = _CLUB.sub("", line).translate(_APOSTROPHES)
    stakes = next(reversed(list(_STAKES.finditer(text))), None)
    if stakes is None and (comma := _DECIMAL_COMMA.search(text)):
        raise ValueError(_decimal_comma(comma[0]))
    if _CHANGING.search(text):
        raise ValueError(f"a limit that changes after the flop cannot be read; got {line!r:.80}")
    game = _GAME.search(text[: stakes.start()]) if stakes else None
    if stakes is None or game is None or _is_other_holdem(room, text[: game.start()]):
        raise ValueError(f"only Texas Hold'em can be read; got {line!r:.80}")
    small, big = cents(stakes[1]), cents(stakes[2])
    if cap := _CAP.search(text):
        raise ValueError(f"a game with a cap on the bets of a hand cannot be read; got {cap[0]!r}")
    betting = _BETTING.get((game[1] or game[2] or game[3])[0].lower(), "fixed-limit")
    if betting == "fixed-limit":  # the stakes are those of the bets
        small, big = small // 2, small
        if big % 100 == 0 and not _MONEY.search(stakes[0]):
            small -= small % 100  # there are no half chips
    digits = re.sub(r"\D", "", found[2])
    number = int(digits) if 0 < len(digits) <= 15 else None
    tournament = _TOURNAMENT.search(line)
    return Header(number, betting, small, big, tournament[0] if tournament else "")


def _is_other_holdem(room: str, before: str) -> bool:
    """Whether the word before the game makes it another one.

    GGPoker has tournament names there, and other words for its other games.
    """
    is_name = room == "Poker" and "Tournament #" in before
    return not is_name and _OTHER_HOLDEM.search(before) is not None


def _decimal_comma(amount: str) -> str:
    return f"amounts must have a decimal point and commas between thousands; got {amount!r}"
