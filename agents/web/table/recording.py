"""Environment that keeps copies of its tables at the end of each hand.

``env.step`` continues to the next decision, possibly several hands later, but a table for people
stops when cards are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from agents.external.chips import chips_id_of
from agents.web.table.stacks import Stacks
from nlhe_env.envs import decision_facts as at
from nlhe_env.envs.aec import raw_env
from nlhe_env.game.description import Game
from nlhe_env.jit.array_types import I8, Records

MOST_MASKED = 2**24
"""Maximum number of chips at a table for masks with an entry per amount."""


class HandRecords(NamedTuple):
    """Records of a hand just paid."""

    table: np.void
    """Copy of the table record: cards, pots and their winners, stacks after the hand."""
    players: Records
    """Copy of the players' records."""


class RecordingEnv(raw_env):
    """``raw_env`` with actions in chips that keeps a copy of every table at the end of its hand.

    Its memory does not grow with the chips in play, which are unlimited with carried stacks: it has
    no spaces, and the mask only covers fold and call. The game knows the range of raises, and
    players that need a full mask get one on demand.
    """

    finished: list[HandRecords]
    carried: Stacks | None = None
    """Stacks carried from hand to hand; None if they are reset."""

    def __init__(self, num_players: int, *, game: Game) -> None:
        super().__init__(num_players, game=game, actions="chips")
        self._n_actions = int(np.iinfo(np.int64).max)

    def _mask_size(self) -> int:
        return 2

    def _make_spaces(self) -> None:
        """Make no spaces, since their bounds would be arrays as long as the mask."""

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """See ``raw_env.reset``."""
        self.finished = []
        super().reset(seed, options)

    def take_finished(self) -> list[HandRecords]:
        """Return the hands that have ended since the last call."""
        finished, self.finished = self.finished, []
        return finished

    def action_mask(self, agent: str) -> I8:
        """``(chips at the table + 1,)`` mask, see ``raw_env.action_mask``.

        Raises:
            ValueError: There are more than ``MOST_MASKED`` chips at the table.
        """
        table = self.table
        chips = int(table["stack"].sum() + table["pot"])
        if chips > MOST_MASKED:
            raise ValueError(
                f"a player that reads a mask of legal actions sits at tables of at most "
                f"{MOST_MASKED} chips; there are {chips}"
            )
        mask = np.zeros(self.encoding.size(chips), np.int8)
        out = self._is_out(agent)
        if agent == self.agent_selection and not out:
            mask[:2] = self.game_state.mask
            facts = self.game_state.facts
            least, most = facts[at.MIN_RAISE_TO], facts[at.MAX_RAISE_TO]
            if most:
                mask[chips_id_of(int(least)) : chips_id_of(int(most)) + 1] = 1
        else:
            mask[1] = out
        return mask

    def after_hand(self) -> None:
        """Keep a copy, and start the next hand with the carried stacks."""
        self.finished.append(HandRecords(self.table.copy(), self.players.copy()))
        if self.carried is not None:
            self.carried.carry(self.table, self.players)
