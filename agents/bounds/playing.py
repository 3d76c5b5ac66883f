"""Play a local best response against a player, and count what it wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.bounds.menus import Menu
from agents.bounds.responder import Responder, play_blocks
from agents.compiled.fields import Field, join, pack, pack_some
from agents.compiled.players import Agent, CompiledPlayer
from agents.play.luck import Luck
from agents.play.schedules import Blocks, Schedule
from agents.play.tally import Tally
from agents.play.units import UnitArrays, count_up
from nlhe_env.arguments import whole_number
from nlhe_env.equity.tables.suits import N_HOLES
from nlhe_env.game.description import Game
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.style_counts import N_STYLE_COUNTS


@dataclass(frozen=True)
class LocalBestResponse:
    """Plays blocks of a player against the local best response to it, as ``agents.play`` does.

    In the tally the player is the first, the response the second. Hands are played for real: cards
    are dealt and the player draws its actions. A block is one duplicate unit: the same cards twice,
    with the seats exchanged. A player with memory is asked for the other hands with the memory that
    it has at the time; a session is as long as the game says.

    Args:
        menu: The raises that are considered, by street.
        hands: At most how many of its 1,326 hands the player is asked about. Fewer make beliefs
            coarser and bounds worse, for players that think long about each.

    Raises:
        ValueError: ``hands`` is out of range.

    >>> import agents, nlhe_env
    >>> response = LocalBestResponse(Menu.of("fcpa"))
    >>> game = nlhe_env.Game.cash(num_hands=1, score="big_blinds")
    >>> tally = response([agents.make("folder")], agents.Blocks(4), game, seed=1)
    >>> float(tally.scores[1])  # of two hands: the small blind, and the big blind
    1.5
    """

    menu: Menu
    hands: int = N_HOLES

    def __post_init__(self) -> None:
        whole_number("hands", self.hands, least=20, most=N_HOLES)

    def __call__(
        self,
        players: Field | Sequence[Agent],
        schedule: Schedule,
        game: Game,
        *,
        seed: int,
        rows: bool = False,
        luck: Luck = "none",
    ) -> Tally:
        """The tally of blocks.

        Args:
            players: The one player, as an object or packed.
            schedule: ``Blocks``.
            game: Heads-up, cash.
            seed: Of cards, seats, and the player's own randomness.
            rows: Whether to keep what every block came to.
            luck: Only ``"none"``: not taken out.

        Raises:
            ValueError: There is not one compiled player, or the game is not as described.
        """
        field = _packed(players)
        if not isinstance(schedule, Blocks) or not game.is_cash or luck != "none":
            raise ValueError(
                'a local best response plays Blocks of a cash game with luck "none"; got '
                f"{schedule}, {game} and {luck!r}"
            )
        both = join(field, pack_some([None]))
        arrays = game.arrays(2)
        arrays.game["seed"] = arrays.game["decision_seed"] = make_seed(seed)
        units = UnitArrays.new(len(schedule), 2)
        responder = Responder.new(self.menu, both, self.hands)
        rest: list[Any] = [both.strength_tables(), both.work_arrays(2), responder, units]
        play_blocks(*arrays, schedule.first, both.arrays, *rest)
        tally = count_up(units, np.zeros((2, N_STYLE_COUNTS), np.int64), schedule, game)
        return tally if rows else tally.without_rows()


def _packed(players: Field | Sequence[Agent]) -> Field:
    if not isinstance(players, Field):
        for player in players:
            if not isinstance(player, CompiledPlayer):
                raise ValueError(
                    "a local best response needs the chances with which a player acts, and only "
                    f"compiled players tell them; got {player!r}"
                )
        players = pack(players)
    if len(players) != 1:
        raise ValueError(f"a local best response is to one player; got {len(players)}")
    return players
