"""Game of an environment, given as a ``Game`` or argument by argument."""

from __future__ import annotations

from collections.abc import Sequence

from nlhe_env.arguments import one_of
from nlhe_env.game.blinds import BlindSchedule
from nlhe_env.game.description import SCORES, Betting, Game, Mode, Score, Straddle
from nlhe_env.game.rake import Rake


def read_game(
    game: Game | None,
    *,
    table_size: int,
    starting_stack: int | Sequence[int] | None,
    blinds: BlindSchedule | Sequence[int] | None,
    mode: Mode,
    num_hands: int | None,
    betting: Betting,
    max_bets: int | None,
    straddle: Straddle,
    rake: Rake | None,
    runs: int,
    reward: Score,
) -> Game:
    """The game that these arguments of an environment describe, or the given one.

    Raises:
        ValueError: A value is out of range, or a game is given and arguments that describe another.
    """
    one_of("reward", reward, SCORES)
    if reward == "place" and mode == "cash":
        raise ValueError('reward="place" needs mode="tournament"; got mode="cash"')
    described = Game(
        table_size=table_size,
        starting_stack=starting_stack,  # type: ignore[arg-type]  # made a tuple by the game
        blinds=BlindSchedule.pokerstars() if blinds is None else BlindSchedule.of(blinds),
        mode=mode,
        num_hands=num_hands,
        betting=betting,
        max_bets=max_bets,
        straddle=straddle,
        rake=rake,
        runs=runs,
        score=reward,
    )
    if game is None:
        return described
    if described not in (Game(score="chips"), game):
        raise ValueError(
            "give either game or what describes one (table_size, starting_stack, blinds, mode, "
            "num_hands, betting, max_bets, straddle, rake, runs, reward), not both"
        )
    return game
