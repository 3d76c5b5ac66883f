"""AIVAT of hand histories, many hands in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.dispatch import ask
from agents.policy.player_batch import pack_players
from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.aivat_recorder import record_decision
from nlhe_env.assessment.estimators.aivat import COUNTER_BYTES, aivat_at, estimate_aivat
from nlhe_env.assessment.estimators.aivat_terms import new_note
from nlhe_env.assessment.estimators.estimator import PARTS
from nlhe_env.game.player import PLAYER
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, MAX_SEATS, NO_PLAYER
from nlhe_env.hand_history import Hand, HandError, rules
from nlhe_env.hand_history.batches import BLINDS, DEAD, SEATS, STACKS, Packed, play_packed
from nlhe_env.hand_history.batches import pack as pack_hands
from nlhe_env.hand_history.evaluated import needs_hole_cards
from nlhe_env.jit.array_types import F64
from nlhe_env.jit.compilation import kernel

_NOT_ASKED = -1


class AivatEvaluator:
    """AIVAT for recorded hands.

    Args:
        variance_reduction: Only its value function is used here; ``"equity"`` by default.
        players: Players by their names in the hands, to use their action probabilities. The
            variance of the others' choices stays in.

    Attributes:
        value: The value function.

    Raises:
        ValueError: A player cannot be asked about a single hand, or there are more than ten.
    """

    def __init__(
        self, variance_reduction: Aivat | None = None, players: Mapping[str, Player] | None = None
    ) -> None:
        known = dict(players or {})
        _check_askable(known)
        field = pack_players(list(known.values()))
        self._numbers = {name: i for i, name in enumerate(known)}
        self.value = (variance_reduction or Aivat()).value_function
        self._for_kernel = (
            field.arrays,
            np.zeros(MAX_SEATS, PLAYER),
            field.strength_tables(),
            field.work_arrays(),
            Aivat(value=self.value).estimator(MAX_SEATS),
            np.zeros((2, MAX_SEATS), np.int64),
        )

    def evaluate(self, hands: Sequence[Hand]) -> F64:
        """Results of hands, adjusted by AIVAT.

        Args:
            hands: Complete ones in which all hole cards are known.

        Returns:
            ``(n_hands, MAX_SEATS)`` chips that each place of a hand won, 0 behind the last.

        Raises:
            HandError: A hand is not possible, hole cards are hidden, or a player never acts so; its
                ``hand`` is the number of the hand from 0.
        """
        played = play_packed(pack_hands(hands), whole=True)
        if not played.fits.all():
            wrong = int(np.argmin(played.fits))
            raise HandError("the hand is not possible, or breaks off", hand=wrong)
        return self.evaluate_played(hands, played.packed)

    def evaluate_played(self, hands: Sequence[Hand], packed: Packed) -> F64:
        """Adjusted results of hands that are known to be possible, packed; see ``evaluate``.

        Raises:
            HandError: Hole cards are hidden, or a player never acts so.
        """
        player = np.full((len(hands), MAX_SEATS), _NOT_ASKED, np.int64)
        for k, hand in enumerate(hands):
            if "" in hand.hole_cards:
                raise HandError(f"AIVAT {needs_hole_cards(hand)}", hand=k)
            for place, name in enumerate(hand.players):
                player[k, place] = self._numbers.get(name, _NOT_ASKED)
        found = np.zeros((len(hands), MAX_SEATS))
        k, i = _evaluate_all(packed.tables(), *packed, player, *self._for_kernel, found)
        if k >= 0:
            name = hands[k].players[packed.rows(k)[i, rules.POSITION]]
            raise HandError(f"the player given for {name} never acts so", i, hand=k)
        return found


def _check_askable(players: Mapping[str, Player]) -> None:
    """Check that players can be asked for their actions in a hand of a hand history.

    Raises:
        ValueError: One looks at earlier hands, or there are more than ten.
    """
    if len(players) > MAX_SEATS:
        raise ValueError(f"at most {MAX_SEATS} players can be asked; got {len(players)}")
    for name, player in players.items():
        if not isinstance(player, CompiledPlayer):
            raise ValueError(f"{name} must be a compiled player, to be asked; got {player!r}")
        if player.kind.on_event is not None or player.kind.wants == "inputs":
            raise ValueError(
                f"{name} decides by what happened in earlier hands, which a single written hand "
                "does not show: evaluate it while it plays, by "
                'agents.play(..., variance_reduction="aivat")'
            )


@kernel
def _evaluate_all(
    tables,
    setups,
    chips,
    cards,
    actions,
    starts,
    player,
    field,
    players,
    strength_tables,
    work,
    estimator,
    scratch,
    found,
):
    """Play hands again and write their adjusted results into ``found``.

    Returns the hand and the action that has probability 0 by its player, or -1, -1.
    """
    aivat = aivat_at(estimator.state.ctypes.data + COUNTER_BYTES)
    for k in range(len(setups)):
        n = setups[k, SEATS]
        played = tables[k : k + 1]
        table = tables[k]
        dead = chips[k, DEAD, :n]
        rules.open_hand(
            played, setups[k], chips[k, STACKS, :n], cards[k], chips[k, BLINDS, :n], dead, 0
        )
        aivat.n_notes = 0
        for i in range(starts[k], starts[k + 1]):
            kind = actions[i, rules.KIND]
            action = actions[i, rules.TO]
            if kind == rules.FOLDS:
                action = np.int64(FOLD)
            elif kind == rules.CALLS:
                action = np.int64(CHECK_OR_CALL)
            asked = player[k, table.actor]
            if asked >= 0:
                ask(field, asked, table, players, strength_tables, work)
                record_decision(
                    field,
                    asked,
                    table,
                    players,
                    strength_tables,
                    work,
                    action,
                    estimator.state,
                )
                note = aivat.notes[aivat.n_notes - 1]
                if note.known and note.chances[0, note.taken] == 0.0:
                    return k, i - starts[k]
            else:
                new_note(table, action, aivat)
            rules.act(played, actions[i])
        if table.actor == NO_PLAYER:
            rules.settle(played, dead, scratch[0, :n], scratch[1])
        estimate_aivat(table, estimator.state, estimator.adjusted)
        for seat in range(n):
            found[k, seat] = estimator.adjusted[seat] / PARTS
    return -1, -1
