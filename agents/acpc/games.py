"""The competition's games and their names."""

from __future__ import annotations

from collections.abc import Sequence

from nlhe_env.arguments import one_of
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import Betting, Game

BETTING: tuple[Betting, ...] = ("no-limit", "fixed-limit")

# A player of fixed-limit puts in at most four bets a street, of 1, 1, 2 and 2 big blinds.
_MOST_IN_LIMIT = 24


def competition_game(
    *,
    starting_stack: int = 20_000,
    blinds: BlindSchedule | Sequence[int] = (50, 100),
    betting: Betting = "no-limit",
) -> Game:
    """Create a game of the competition, with stacks reset before every hand.

    Args:
        starting_stack: Chips of each player at the start of a hand.
        blinds: ``(small, big)`` in chips; in fixed-limit the big blind is also the bet before and
            on the flop, and half the bet of turn and river, at most four bets a street.
        betting: ``"no-limit"`` or ``"fixed-limit"``.

    Raises:
        ValueError: A value is invalid; the message names it.
    """
    one_of("betting", betting, BETTING)
    game = Game.cash(starting_stack=starting_stack, blinds=blinds, num_hands=1, betting=betting)
    if game.blinds.levels[0][0] < 1:
        raise ValueError(f"blinds must have a small blind of at least 1; got {blinds!r}")
    if is_limit(game) and starting_stack < _MOST_IN_LIMIT * game.big_blind:
        raise ValueError(
            f"starting_stack must be at least {_MOST_IN_LIMIT} big blinds in fixed-limit, so that "
            f"no player is ever all-in, as in the competition; got {starting_stack}"
        )
    return game


def check_carried(game: Game) -> None:
    """Check that the protocol supports a game.

    Raises:
        ValueError: The protocol does not support an option of the game.
    """
    options = {
        "an ante": game.blinds.levels[0][2] > 0,
        "a straddle": game.straddle != "none",
        "rake": game.rake is not None,
        "two boards (boards=2)": game.boards > 1,
        "streets that end by two_calls": game.two_calls,
    }
    found = [option for option, is_on in options.items() if is_on]
    if found:
        raise ValueError(
            "the ACPC protocol cannot describe antes, straddles, rake, two boards or two_calls; "
            f"this game has {' and '.join(found)}"
        )


def is_limit(game: Game) -> bool:
    """Whether bets are of fixed size."""
    return game.betting == "fixed-limit"


def game_name(game: Game, players: int) -> str:
    """A game of so many players in the manner of the competition's own names, without blanks.

    >>> game_name(competition_game(), 2)
    'holdem.nolimit.2p.reverse_blinds.20000.50-100'
    """
    small_blind, big_blind, _ = game.blinds.levels[0]
    blinds = ".reverse_blinds" if players == 2 else ""
    kind = "limit" if is_limit(game) else "nolimit"
    stack = "" if is_limit(game) else f".{game.starting_stack}"
    return f"holdem.{kind}.{players}p{blinds}{stack}.{small_blind}-{big_blind}"
