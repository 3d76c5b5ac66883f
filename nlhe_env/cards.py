"""Cards as integers 0..51, their text form, and parsing.

A card is ``4 * rank + suit``: rank 0 is the deuce, 12 the ace; suits clubs, diamonds, hearts,
spades are 0, 1, 2, 3.
"""

from __future__ import annotations

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARD_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
N_CARDS = len(CARD_NAMES)

_CODES = {name: code for code, name in enumerate(CARD_NAMES)}


def parse_cards(text: str) -> tuple[int, ...]:
    """Parse the cards of a text such as ``"AsKd"``; spaces between cards are allowed.

    Raises:
        ValueError: A card is invalid or repeated.

    >>> parse_cards("2c As")
    (0, 51)
    """
    if not isinstance(text, str):
        raise ValueError(f'cards must be text such as "AsKd"; got {text!r}')
    packed = "".join(text.split())
    names = [packed[i : i + 2] for i in range(0, len(packed), 2)]
    quick = [_CODES.get(name, -1) for name in names]
    if -1 not in quick and len(set(quick)) == len(quick):
        return tuple(quick)
    codes: list[int] = []
    for name in names:
        code = _CODES.get(name[:1].upper() + name[1:].lower())
        if code is None:
            raise ValueError(
                f"{name!r} in {text!r} is not a card; a card is a rank of {RANKS} and a suit "
                f'of {SUITS}, such as "As" or "Td"'
            )
        if code in codes:
            raise ValueError(f"card {CARD_NAMES[code]} is given twice in {text!r}")
        codes.append(code)
    return tuple(codes)


def format_cards(cards: Iterable[int]) -> str:
    """Format cards as text without spaces.

    >>> format_cards([51, 0])
    'As2c'
    """
    return "".join([CARD_NAMES[card] for card in cards])
