"""Betting of a game's hands, from which the game can be replayed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agents.external.chips import chips_id_of
from nlhe_env.spaces.actions import CALL_ID, FOLD_ID

_BETTING = re.compile(r"(f|c|r[0-9]{1,13})*")
_ACTION = re.compile(r"f|c|r([0-9]+)")


class PlayedHands:
    """Finished hands of a game.

    Args:
        betting: Actions of each hand as in ACPC logs: ``"r60fc"`` for a raise to 60, a fold, a call
            or check.
        rebuys: Seats that bought chips after a hand, by its number from 0.
        restarts: Number of finished hands at each restart of the server, in order; the cards of
            later hands are drawn anew, since an unfinished hand may have shown some.

    Raises:
        ValueError: A text is not valid betting.
    """

    def __init__(
        self,
        betting: Sequence[str] = (),
        rebuys: Mapping[int, Sequence[int]] | None = None,
        restarts: Sequence[int] = (),
    ) -> None:
        for number, actions in enumerate(betting):
            if not isinstance(actions, str) or not _BETTING.fullmatch(actions):
                raise ValueError(f"hand {number} must be betting such as r60fc; got {actions!r}")
        self.betting = list(betting)
        self.rebuys = {number: list(seats) for number, seats in (rebuys or {}).items()}
        self.restarts = list(restarts)

    def action_ids(self, number: int) -> list[int]:
        """Action ids of a hand for an environment with ``actions="chips"``."""
        return [
            chips_id_of(int(match[1])) if match[1] else FOLD_ID if match[0] == "f" else CALL_ID
            for match in _ACTION.finditer(self.betting[number])
        ]

    def seed_after(self, number: int, seed: int) -> int | None:
        """Seed of the cards after a number of hands, if the server was restarted there.

        Args:
            number: Number of finished hands.
            seed: Seed of the game.
        """
        if number not in self.restarts:
            return None
        attempt = sum(restart <= number for restart in self.restarts)
        drawn = hashlib.blake2b(f"{seed} {attempt}".encode(), digest_size=8).digest()
        return int.from_bytes(drawn, "big")

    def add(self, history: Iterable[Mapping[str, Any]], rebuys: Iterable[int]) -> None:
        """Add a hand.

        Args:
            history: The actions, in the form of ``action_event``.
            rebuys: Seats that buy chips after the hand.
        """
        seats = sorted(rebuys)
        if seats:
            self.rebuys[len(self.betting)] = seats
        self.betting.append("".join(map(_letters, history)))


def _letters(event: Mapping[str, Any]) -> str:
    if "to" in event:
        return f"r{event['to']}"
    return "f" if event["action"] == "fold" else "c"
