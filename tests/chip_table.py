"""A table at which actions are given in chips, whatever the stacks."""

from nlhe_env.envs.aec import raw_env
from nlhe_env.envs.step_kernels import advance
from nlhe_env.errors import IllegalActionError
from nlhe_env.game import tournament
from nlhe_env.game.description import Game, GameArrays
from nlhe_env.jit.array_types import I8, I64
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import CHIPS, ILLEGAL, decode


class ChipTable(raw_env):
    """One hand of a cash game after each ``reset``, by numbers as of ``actions="chips"``.

    That encoding has an id, and an entry in every mask, for each chip in play: a second and
    gigabytes for the stacks of an arbitrary file. Here a hand costs the same
    whatever its stacks.

    Args:
        num_players: Seats.
        game: What is played, hand by hand.
    """

    def __init__(self, num_players: int, game: Game) -> None:
        super().__init__(num_players, game=game, actions=(1.0,))

    def act(self, number: int) -> None:
        """Fold (0), check or call (1), or raise to so many chips.

        Raises:
            IllegalActionError: That is not legal now; nothing has changed.
        """

        def do(arrays: GameArrays, mask: I8, facts: I64) -> int:
            event = int(_act(arrays, self.encoding.kind, self.fractions, number, mask, facts))
            if event == ILLEGAL:
                least, most = self.raise_range()
                raise IllegalActionError(
                    f"an action must be 0 (fold, facing a bet), 1 (check or call) or a raise to "
                    f"{least} .. {most} chips here; got {number}"
                )
            return event

        self.play_on(do)


@kernel
def _act(arrays, kind, fractions, number, mask, facts):
    game, tables, players, _ = arrays
    action = decode(game[0], tables[game[0].table], CHIPS, fractions, number)
    if action == ILLEGAL:
        return ILLEGAL
    tournament.take_action(game[0], tables, players, action)
    return advance(arrays, kind, fractions, mask, facts)
