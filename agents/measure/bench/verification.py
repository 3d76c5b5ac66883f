"""Verification of a scorecard: the card is made again from its recorded hands, and compared.

A compiled player plays its matches again. For any other player, the logged actions are used: with
the same seed, cards and the anchors' decisions are the same, so all hands must be equal. The new
card is made by the code that makes every card, and each of its values must be that of the file,
except for what hands cannot show (``not_shown``).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from agents.external.chips import CHECK_OR_CALL, ChipPlayer, Turn
from agents.external.player_lifecycle import as_players
from agents.measure.bench.game_logs import GameLog
from agents.measure.bench.running import AnchorMatch, anchor_hashes, hash_of
from agents.measure.bench.scorecard import OpponentResult, Scorecard, SuiteResult
from agents.measure.bench.suites import anchors
from agents.policy.compiled_player import CompiledPlayer, Player
from nlhe_env.arguments import shown
from nlhe_env.errors import IllegalActionError
from nlhe_env.hand_history import Hand
from nlhe_env.system.part_names import check_names, may_name

_OWN_NAME = "player_0"
"""Name of the player in the logs."""
_CLOSE = 1e-9
"""Relative difference up to which numbers count as equal, since machines round differently."""
_MOST_SHOWN = 10
"""Maximum number of differences to name."""


class _LoggedPlayer(ChipPlayer):
    """A player that repeats its logged actions."""

    def __init__(self, hands: Iterator[Hand]) -> None:
        self.hands: list[Hand] = []
        self._actions = self._read(hands)

    def _read(self, hands: Iterator[Hand]) -> Iterator[int]:
        for hand in hands:
            self.hands.append(hand)
            if _OWN_NAME not in hand.players:
                raise ValueError(f"a logged hand has no player {_OWN_NAME}")
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
    """Make a card again from its hands, and compare all of its values.

    Args:
        folder: Folder of the card, with the logged hands if the player is not compiled.
        player: The player, if it is compiled and not a built-in one.
        on_progress: Callback with the suite and the anchor before each match.

    Returns:
        Differences as sentences; empty if the card is correct.

    Raises:
        ValueError: There is no card, it is invalid, or the player is missing or a different one.
        RuntimeError: An anchor plays differently from when the suite was made.
    """
    card = Scorecard.load(folder)
    _, about = Scorecard.read(folder)
    unplayed = [
        f"{name}: there are no hands against {one.opponent}"
        for name, result in card.suites.items()
        for one in result.results.values()
        if one.blocks == 0
    ]
    if unplayed or not card.suites:
        return unplayed or ["the card has no results"]
    seated = _compiled(card, player, has_logs=(folder / "hands").is_dir())
    again, found = _made_again(card, folder, seated, on_progress)
    found += _differences(about, json.loads(json.dumps(again.as_dict())))
    if len(found) > _MOST_SHOWN:
        found = [*found[:_MOST_SHOWN], f"and {len(found) - _MOST_SHOWN} more differences"]
    if found and card.package != version("nlhe-env"):
        found.append(
            f"the card was written by nlhe-env {shown(card.package)}, this is "
            f"{version('nlhe-env')}; that version may read it differently"
        )
    return found


def not_shown(folder: Path) -> str:
    """What the hands of a verified card do not show, in one line."""
    card = Scorecard.load(folder)
    facts = ["times", "whether the seed was given or drawn"]
    if (folder / "hands").is_dir():
        facts.append("who chose the logged actions")
        if card.gives_probabilities:
            facts.append("the action probabilities behind its adjusted results")
        bounds = any(result.bound is not None for result in card.suites.values())
        facts += ["the bounds, found by others"] if bounds else []
    return f"Hands do not show: {', '.join(facts)}."


def _made_again(
    card: Scorecard,
    folder: Path,
    seated: CompiledPlayer | None,
    on_progress: Callable[[str, str], None] | None,
) -> tuple[Scorecard, list[str]]:
    """The card from its hands, and the sentences about hands that come out differently."""
    found = []
    suites = {name: result.suite for name, result in card.suites.items()}
    again = replace(card, anchors=anchor_hashes(suites.values()), suites={})
    if seated is not None:
        again.player_hash, again.gives_probabilities = hash_of(seated, card.version), True
    for suite_name, suite in suites.items():
        claimed = card.suites[suite_name]
        result = SuiteResult(suite, {})
        for claim in _CLAIMS:
            setattr(result, claim, getattr(claimed, claim))
        again.suites[suite_name] = result
        for name, anchor in anchors(suite).items():
            if on_progress is not None:
                on_progress(suite_name, name)
            old = claimed.results[name]
            blocks, seed = old.blocks, suite.seed_against(name, card.seed)
            one = OpponentResult(name, suite, until_sure=old.until_sure)
            result.results[name] = one
            if seated is not None:
                one.add(AnchorMatch(seated, anchor, suite, seed).play(0, blocks))
                continue
            log, hands = GameLog(folder, suite_name, name), list[Hand]()
            try:
                logged = _LoggedPlayer(log.read(blocks))
                one.add(AnchorMatch(logged, anchor, suite, seed).play(0, blocks, hands))
                logged.finish()
                result.illegal += log.illegal(blocks)
                result.invalid.merge(log.invalid(blocks))
                alike = list(map(_dealt, hands)) == list(map(_dealt, logged.hands))
            except IllegalActionError:  # with these cards it was impossible
                alike = False
            except ValueError as error:
                raise ValueError(f"{suite_name}, {name}: {error}") from error
            if not alike:
                found.append(f"{suite_name}, {name}: the logged hands come out differently")
            if card.gives_probabilities:  # the logs do not have them
                one.adjusted, one.points = old.adjusted, old.points
        if seated is not None and claimed.bound is not None:
            # Imported here, as by ``bench``.
            from agents.measure.bench.bounds import bound_again

            if on_progress is not None:
                on_progress(suite_name, "best response")
            try:
                result.bound = bound_again(seated, suite, claimed.bound, seed=card.seed)
            except ValueError as error:
                found.append(f"{suite_name}, bound: {error}")
        elif claimed.bound is not None and not card.gives_probabilities:
            found.append(f"{suite_name}, bound: the player does not report action probabilities")
    return again, found


_CLAIMS = ("decisions", "seconds", "bound", "no_bound")
"""Values of a suite that hands do not show."""


def _compiled(
    card: Scorecard, player: Player | str | None, *, has_logs: bool
) -> CompiledPlayer | None:
    """The player that plays again; None if the logged actions are used.

    Raises:
        ValueError: It is missing or a different one.
    """
    seated: Player | None = None
    if player is not None:
        (seated,) = as_players([player])
    elif may_name(card.player):
        try:
            (seated,) = as_players([card.player])
        except ValueError:  # the name of a player of somebody else
            seated = None
    elif not has_logs:
        check_names(card.player, "the scorecard")
    if isinstance(seated, CompiledPlayer) and hash_of(seated, card.version) == card.player_hash:
        return seated
    if has_logs and player is None:
        return None
    raise ValueError(
        f"the scorecard is for {shown(card.player)} with the hash {shown(card.player_hash)}: give "
        "that player, with --player"
    )


def _differences(claimed: Any, made: Any, place: str = "") -> list[str]:
    """Sentences about the values of a card that differ from those of the card made again."""
    if isinstance(claimed, dict) and isinstance(made, dict):
        keys = dict.fromkeys([*made, *claimed])
        return [
            words
            for key in keys
            for words in _differences(
                claimed.get(key, _NOTHING), made.get(key, _NOTHING), _join(place, shown_key(key))
            )
        ]
    if isinstance(claimed, list) and isinstance(made, list) and len(claimed) == len(made):
        return [
            words
            for k, (old, new) in enumerate(zip(claimed, made, strict=True))
            for words in _differences(old, new, _join(place, _label(new, k)))
        ]
    if _equal(claimed, made):
        return []
    return [f"{place} is {_text(claimed)} in the card, and {_text(made)} by its hands"]


_NOTHING = object()


def _join(place: str, name: str) -> str:
    return f"{place}, {name}" if place else name


def shown_key(key: str) -> str:
    """A key of a file for a message."""
    return key if key.isidentifier() or key.replace("-", "").isalnum() else shown(key)


def _label(value: Any, number: int) -> str:
    """Name of a list's entry: the opponent of a result, otherwise its number."""
    return value["opponent"] if isinstance(value, Mapping) and "opponent" in value else str(number)


def _equal(claimed: Any, made: Any) -> bool:
    numbers = [type(value) in (int, float) for value in (claimed, made)]
    if all(numbers):
        if isinstance(claimed, int) and isinstance(made, int):
            return claimed == made
        return math.isclose(claimed, made, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return type(claimed) is type(made) and bool(claimed == made)


def _text(value: Any) -> str:
    return "missing" if value is _NOTHING else shown(value)


def _dealt(hand: Hand) -> Hand:
    return replace(hand, number=None)
