"""Verification of a scorecard by replaying its matches.

A compiled player plays its matches again. For any other player, the logged actions are used: with
the same seed, cards and the anchors' decisions are the same, and all hands and results must be
equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents.benchmark.game_logs import GameLog
from agents.benchmark.running import Table, hash_of
from agents.benchmark.scorecard import OpponentResult, Scorecard
from agents.benchmark.suites import anchor_hash, anchors, find_suite
from agents.external.chips import CHECK_OR_CALL, ChipPlayer, Turn
from agents.external.player_lifecycle import as_players
from agents.policy.compiled_player import CompiledPlayer, Player
from nlhe_env.hand_history import Hand

_OWN_NAME = "player_0"
"""Name of the player in the logs."""


class _LoggedPlayer(ChipPlayer):
    """A player that repeats its logged actions."""

    def __init__(self, hands: Iterator[Hand]) -> None:
        self.hands: list[Hand] = []
        self._actions = self._read(hands)

    def _read(self, hands: Iterator[Hand]) -> Iterator[int]:
        for hand in hands:
            self.hands.append(hand)
            own = hand.players.index(_OWN_NAME)
            for action in hand.actions:
                if action.position == own:
                    yield action.chips_id

    def decide(self, turn: Turn) -> int:
        """The logged action."""
        return next(self._actions, CHECK_OR_CALL)

    def finish(self) -> None:
        """Read the remaining hands after the last decision."""
        for _ in self._actions:
            pass


def verify(
    folder: Path,
    player: Player | str | None = None,
    *,
    on_progress: Callable[[str, str], None] | None = None,
) -> list[str]:
    """Replay the matches of a card.

    Args:
        folder: Folder of the card, with the logged hands if the player is not compiled.
        player: The player, if it is compiled and its name in the card is not enough.
        on_progress: Callback with the suite and the anchor before each match.

    Returns:
        Differences as sentences; empty if the card is correct.

    Raises:
        ValueError: There is no card, or the player is missing or a different one.
        RuntimeError: An anchor plays differently from when the suite was made.
    """
    card = Scorecard.load(folder)
    found = [
        f"the anchor {name} has the hash {anchor_hash(name)}; the card says {known}"
        for name, known in card.anchors.items()
        if anchor_hash(name) != known
    ]
    seated = None if (folder / "hands").is_dir() else _compiled(card, player)
    for suite_name, result in card.suites.items():
        suite = find_suite(suite_name)
        for name, one in result.results.items():
            if one.blocks == 0:
                continue
            if on_progress is not None:
                on_progress(suite_name, name)
            log = GameLog(folder, suite_name, name)
            again: Any = _LoggedPlayer(log.read(one.blocks)) if seated is None else seated
            table = Table(again, anchors(suite)[name], suite, card.seed)
            hands: list[Hand] = []
            replayed = OpponentResult(name)
            replayed.add(table.play(0, one.blocks, hands if seated is None else None))
            if seated is None:
                again.finish()
                if list(map(_dealt, hands)) != list(map(_dealt, again.hands)):
                    found.append(f"{suite_name}, {name}: the logged hands come out differently")
            if replayed.plain != one.plain:
                found.append(f"{suite_name}, {name}: the results do not match the hands")
            elif (seated is not None or not card.gives_probabilities) and replayed != one:
                found.append(f"{suite_name}, {name}: the adjusted results are different")
    return found


def _compiled(card: Scorecard, player: Player | str | None) -> CompiledPlayer:
    (seated,) = as_players([card.player if player is None else player])
    if not isinstance(seated, CompiledPlayer) or hash_of(seated) != card.player_hash:
        raise ValueError(
            f"the scorecard is for {card.player} with the hash {card.player_hash}: give that player"
        )
    return seated


def _dealt(hand: Hand) -> Hand:
    return replace(hand, number=None)
