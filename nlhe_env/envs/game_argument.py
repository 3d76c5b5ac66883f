"""Game of an environment, from a ``Game`` or from separate rule arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Unpack

from nlhe_env.arguments import one_of, reject_unknown_kwargs
from nlhe_env.game.description import RULES, Game, GameRules, show_options
from nlhe_env.game.scoring import SCORES, Score

P = ParamSpec("P")


def takes_rules(
    constructor: Callable[Concatenate[Any, P], None],
) -> Callable[Concatenate[Any, P], None]:
    """Show the rules that a constructor takes in its signature, and reject unknown arguments."""
    checked = reject_unknown_kwargs(RULES)(constructor)
    show_options(checked, RULES.values())
    return checked


def read_game(game: Game | None, reward: Score, **rules: Unpack[GameRules]) -> Game:
    """Return the given game, or a game with these rules.

    Args:
        game: A game, in place of rules and reward.
        reward: Score of a game given by rules.
        **rules: Fields of ``Game``.

    Raises:
        ValueError: A value is out of range, or the rules contradict the given game.
    """
    one_of("reward", reward, SCORES)
    if reward == "place" and rules.get("mode") == "cash":
        raise ValueError('reward="place" needs mode="tournament"; got mode="cash"')
    described = Game(score=reward, **rules)  # type: ignore[arg-type]
    if game is None:
        return described
    if described not in (Game(score="chips"), game):
        raise ValueError(f"give either game or its options ({', '.join(RULES)}, reward), not both")
    return game
