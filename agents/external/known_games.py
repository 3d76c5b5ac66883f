"""Games that players know, checked before the first hand in every way of playing.

A player that is not compiled may have these attributes; without them it is expected to know every
game.

``known_seats``
    Number of players in a game, or several numbers, such as ``2`` or ``range(2, 7)``.
``known_betting``
    ``"no-limit"``, ``"pot-limit"`` or ``"fixed-limit"``, or several of them.
``observation``, ``observation_size``
    Name of its observation (see ``agents.external.space_adapter``), and length of the vectors for
    which it was made, as some observations are longer with more players.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.player_batch import pack_players
from nlhe_env.game.description import Game
from nlhe_env.spaces.observations import find_observation


def check_knows_game(player: Player, game: Game, seats: int, observation: str = "cards") -> None:
    """Check that a player knows a game.

    Args:
        player: The player.
        game: The game.
        seats: Number of players.
        observation: Name of the observation of players that declare none.

    Raises:
        ValueError: It does not know the game; the message says which games it knows.
    """
    if isinstance(player, CompiledPlayer):
        pack_players([player]).check(game.arrays(seats).tables)
        return
    name = getattr(player, "name", type(player).__name__)
    known = _several(getattr(player, "known_seats", None), int)
    if known is not None and seats not in known:
        listed = ", ".join(map(str, known))
        plays = "heads-up" if list(known) == [2] else f"with {listed} players"
        raise ValueError(f"{name} plays {plays} only; this match has {seats} seats")
    betting = _several(getattr(player, "known_betting", None), str)
    if betting is not None and game.betting not in betting:
        raise ValueError(f"{name} plays {', '.join(betting)} only; this match is {game.betting}")
    size = getattr(player, "observation_size", None)
    if isinstance(size, int):
        own = getattr(player, "observation", None)
        seen = find_observation(own if isinstance(own, str) else observation)
        given = len(seen.bounds(game, seats)[0])
        if given != size:
            raise ValueError(
                f"{name} was made for observations of {size} numbers; {seen.name!r} has {given} in "
                f"this match of {seats} seats"
            )


def _several(known: Any, kind: type) -> Collection[Any] | None:
    """Values of an attribute; None if it declares nothing."""
    if isinstance(known, kind):
        return (known,)
    is_declared = isinstance(known, Collection) and not isinstance(known, str)
    return known if is_declared and all(isinstance(each, kind) for each in known) else None
