"""Game of an environment, from a ``Game`` or from separate rule arguments."""

from __future__ import annotations

from typing import Any, Unpack

from nlhe_env.arguments import one_of
from nlhe_env.game.description import Game, GameRules
from nlhe_env.game.scoring import SCORES, Score

RULES = tuple(GameRules.__annotations__)


def read_game(game: Game | None, reward: Score, **rules: Unpack[GameRules]) -> Game:
    """Return the given game, or a game with these rules.

    Args:
        game: A game, in place of rules and reward.
        reward: Score of a game given by rules.
        **rules: Fields of ``Game``; None for the default blinds.

    Raises:
        ValueError: A value is out of range, or the rules contradict the given game.
    """
    one_of("reward", reward, SCORES)
    if reward == "place" and rules.get("mode") == "cash":
        raise ValueError('reward="place" needs mode="tournament"; got mode="cash"')
    fields: dict[str, Any] = dict(rules)
    if fields.get("blinds") is None:
        fields.pop("blinds", None)
    described = Game(score=reward, **fields)
    if game is None:
        return described
    if described not in (Game(score="chips"), game):
        raise ValueError(f"give either game or its options ({', '.join(RULES)}, reward), not both")
    return game
