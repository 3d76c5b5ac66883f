"""Choices of a compiled player at each decision of other players' hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.hand_replay import HandReplay
from nlhe_env.game import what_if
from nlhe_env.game.table import CHECK_OR_CALL, FOLD
from nlhe_env.hand_history import Hand
from nlhe_env.spaces.actions import SIZED_NAMES

_WORDS = {FOLD: "fold", CHECK_OR_CALL: "call"}


class Option(NamedTuple):
    """Action of a player, with its probability."""

    action: str
    """``"fold"``, ``"check"``, ``"call"``, ``"bet"`` or ``"raise"``."""
    words: str
    """Name with its size, as far as the player gives it: ``"raise to 120"``, ``"small raise"``."""
    chance: float


def query_policy(player: CompiledPlayer, hand: Hand) -> list[tuple[Option, ...]]:
    """Choices of a player in each acting player's position, with that player's cards.

    The player is notified of the hand up to each decision, but has no memory of earlier hands.

    Args:
        player: A compiled player that supports the game.
        hand: A complete or incomplete hand. Unknown cards of an acting player are replaced by
            arbitrary cards, so the choices there are meaningless.

    Returns:
        For each action of the hand, the player's options, most probable first; none for the fold of
        an absent player.

    Raises:
        HandError: The hand is invalid.
        ValueError: The player does not support the game; the message gives the supported games.

    >>> import agents
    >>> from nlhe_env.hand_history import read_hands
    >>> hand = read_hands('''variant = "NT"
    ... antes = [0, 0]
    ... blinds_or_straddles = [50, 100]
    ... min_bet = 100
    ... starting_stacks = [1000, 1000]
    ... actions = ["d dh p1 QhQc", "d dh p2 AsKd", "p2 cbr 300", "p1 f"]''')[0]
    >>> [options[0].words for options in query_policy(agents.make_compiled("caller"), hand)]
    ['call', 'call']
    """
    found: list[tuple[Option, ...]] = [()] * len(hand.actions)

    def ask(replay: HandReplay) -> None:
        found[replay.index] = options_of(player, replay.table, replay.offered())

    HandReplay(player, hand, before_action=ask)
    return found


def options_of(player: CompiledPlayer, table: np.void, offered: np.void) -> tuple[Option, ...]:
    """Options for display from a list of choices, most probable first.

    Args:
        player: The player that made the decision.
        table: Record of its table at the decision.
        offered: Choices, a record of dtype ``CHOICES``.
    """
    to_call = what_if.amount_to_call(table)
    call = "call" if to_call > 0 else "check"
    rise = "raise" if table["current_bet"] > 0 else "bet"
    amounts = player.kind.answers == "amounts"
    chances: dict[tuple[str, str], float] = {}
    for words, chance in _parts_by_amount(offered) if amounts else _parts_by_size(offered):
        if words in ("fold", "call"):
            option = (call, call) if words == "call" or to_call == 0 else (words, words)
        elif words[0].isdecimal():
            option = rise, f"{rise} to {words}" if rise == "raise" else f"bet {words}"
        else:
            option = rise, words.replace("raise", rise)
        chances[option] = chances.get(option, 0.0) + chance
    if not chances:
        chances[call, call] = 1.0
    options = [Option(*option, chance) for option, chance in chances.items()]
    return tuple(sorted(options, key=lambda option: -option.chance))


def action_words(table: np.void, action: int) -> str:
    """Text of an action of the player to act, such as ``"fold"``, ``"check"`` or ``"bet 200"``.

    Args:
        table: Record of its table at the decision.
        action: ``FOLD``, ``CHECK_OR_CALL`` or chips to raise to.
    """
    if action == FOLD:
        return "fold"
    if action == CHECK_OR_CALL:
        return "call" if what_if.amount_to_call(table) > 0 else "check"
    return f"raise to {action}" if table["current_bet"] > 0 else f"bet {action}"


def _parts_by_size(offered: np.void) -> Iterator[tuple[str, float]]:
    """Sizes offered by a player, with their probabilities."""
    for i in range(int(offered["n"])):
        yield SIZED_NAMES[offered["action"][i]], float(offered["chance"][i] / offered["total"])


def _parts_by_amount(offered: np.void) -> Iterator[tuple[str, float]]:
    """Actions offered as amounts, with their probabilities, as text."""
    for i in range(int(offered["n"])):
        chance, share = float(offered["chance"][i] / offered["total"]), float(offered["share"][i])
        if share < 0.0:  # a spread of raises, see agents.policy.view
            low, high = (f"{offered[end][i]:.2g}" for end in ("low", "high"))
            yield f"raise by {low if low == high else f'{low} to {high}'} pots", chance
            continue
        for action, part in ((offered["action"][i], share), (offered["other"][i], 1.0 - share)):
            if part > 0.0:
                yield _WORDS.get(int(action), str(action)), chance * part
