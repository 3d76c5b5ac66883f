"""Logs of matches as hands that can be replayed."""

from __future__ import annotations

from nlhe_env.game.description import Game
from nlhe_env.hand_history import Hand, HandHistoryError, refuse_too_many, stream_hands


def read_log(text: str, *, game: Game | None = None, most_hands: int | None = None) -> list[Hand]:
    """The hands of a log that ``Dealer`` wrote, or the competition's own dealer.

    Stacks and blinds are not in the lines of the hands; they are taken from the name of the game in
    the first comment, such as ``holdem.nolimit.2p.reverse_blinds.20000.50-100``. The competition
    left the chips out of its names (``holdem.nolimit.2p.reverse_blinds.game``): those are its usual
    ones, 50/100 with stacks of 20,000 in no-limit, blinds of 5/10 in limit.

    Args:
        text: Text of the log.
        game: Game that was played, if the log does not say it.
        most_hands: Refuse a log of more hands, before any is played; ``None`` for no limit.

    Raises:
        HandHistoryError: There is no such name, a line is damaged, or a hand is not possible.
    """
    lines = text.splitlines()
    refuse_too_many(sum(line.startswith("STATE:") for line in lines), most_hands)
    hands = []
    for hand in stream_hands(lines, format="acpc", game=game):
        if isinstance(hand, HandHistoryError):
            raise hand
        hands.append(hand)
    if not hands:
        raise HandHistoryError(1, "there is no hand in this log")
    return hands
