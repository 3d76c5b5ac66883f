"""AIVAT for hand histories, with many hands per call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.dispatch import ask
from agents.policy.player_batch import Seated, pack_players
from agents.variance_reduction.aivat import Aivat
from agents.variance_reduction.aivat_recorder import record_decision
from nlhe_env.assessment.estimators.aivat import COUNTER_BYTES, aivat_at, estimate_aivat
from nlhe_env.assessment.estimators.aivat_terms import new_note
from nlhe_env.assessment.estimators.estimator import PARTS, Estimator
from nlhe_env.game.betting import CALLS, FOLDS
from nlhe_env.game.player import PLAYER, PlayerRecords
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, MAX_SEATS, NO_PLAYER, TableRecords
from nlhe_env.hand_history import Hand, HandError, rules
from nlhe_env.hand_history.batches import SEATS, Packed, ending_of, opening_of, play_packed
from nlhe_env.hand_history.batches import pack as pack_hands
from nlhe_env.hand_history.evaluated import needs_hole_cards
from nlhe_env.jit.array_types import F64, I64, Int
from nlhe_env.jit.compilation import kernel

_NOT_ASKED = -1


class AivatEvaluator:
    """AIVAT for recorded hands.

    Args:
        variance_reduction: Settings, of which only the value function is used; default:
            ``"equity"``.
        players: Players by their names in the hands, for their action probabilities; the variance
            of other players' choices remains.

    Attributes:
        value: The value function.

    Raises:
        ValueError: A player does not support queries about single hands, or there are more than ten
            players.
    """

    def __init__(
        self, variance_reduction: Aivat | None = None, players: Mapping[str, Player] | None = None
    ) -> None:
        known = _check_askable(players or {})
        batch = pack_players(list(known.values()))
        self._numbers = {name: i for i, name in enumerate(known)}
        self._alone = [pack_players([player]) for player in known.values()]
        self.value = (variance_reduction or Aivat()).value_function
        self._for_kernel = (
            np.zeros(MAX_SEATS, PLAYER),
            batch.seated(batch.work_arrays()),
            Aivat(value=self.value).estimator(MAX_SEATS),
            np.zeros((2, MAX_SEATS), np.int64),
        )

    def evaluate(self, hands: Sequence[Hand]) -> F64:
        """AIVAT results of hands.

        Args:
            hands: Complete hands with all hole cards.

        Returns:
            ``(n_hands, MAX_SEATS)`` chips won by each place of a hand, 0 after the last place.

        Raises:
            HandError: A hand is invalid, hole cards are hidden, or a known player's action has
                probability 0; ``hand`` is its index from 0.
            ValueError: A known player does not support the game of one of its hands.
        """
        played = play_packed(pack_hands(hands), whole=True)
        if not played.fits.all():
            wrong = int(np.argmin(played.fits))
            raise HandError("the hand is impossible or incomplete", hand=wrong)
        return self.evaluate_played(hands, played.packed)

    def evaluate_played(self, hands: Sequence[Hand], packed: Packed) -> F64:
        """Adjusted results of valid, packed hands; see ``evaluate``.

        Raises:
            HandError: Hole cards are hidden, or an action has probability 0.
            ValueError: A known player does not support the game of one of its hands.
        """
        player = np.full((len(hands), MAX_SEATS), _NOT_ASKED, np.int64)
        for k, hand in enumerate(hands):
            if "" in hand.hole_cards:
                raise HandError(f"AIVAT {needs_hole_cards(hand)}", hand=k)
            for place, name in enumerate(hand.players):
                player[k, place] = self._numbers.get(name, _NOT_ASKED)
        tables, found = packed.tables(), np.zeros((len(hands), MAX_SEATS))
        for i, batch in enumerate(self._alone):
            batch.check(tables[(player == i).any(axis=1)])
        wrong, action = _evaluate_all(tables, packed, player, *self._for_kernel, found)
        if wrong >= 0:
            k, i = int(wrong), int(action)
            name = hands[k].players[packed.rows(k)[i, rules.POSITION]]
            raise HandError(f"the player given for {name} never takes this action", i, hand=k)
        return found


def _check_askable(players: Mapping[str, Player]) -> dict[str, CompiledPlayer]:
    """The players, which support queries about single recorded hands.

    Raises:
        ValueError: A player depends on earlier hands, or there are more than ten players.
    """
    if len(players) > MAX_SEATS:
        raise ValueError(f"there must be at most {MAX_SEATS} players; got {len(players)}")
    compiled: dict[str, CompiledPlayer] = {}
    for name, player in players.items():
        if not isinstance(player, CompiledPlayer):
            raise ValueError(f"{name} must be a compiled player; got {player!r}")
        if player.kind.on_event is not None or player.kind.wants == "inputs":
            raise ValueError(
                f"{name} depends on earlier hands, which a single written hand does not show: "
                'evaluate it while it plays, with agents.play(..., variance_reduction="aivat")'
            )
        compiled[name] = player
    return compiled


@kernel
def _evaluate_all(
    tables: TableRecords,
    packed: Packed,
    player: I64,
    players: PlayerRecords,
    seated: Seated,
    estimator: Estimator,
    scratch: I64,
    found: F64,
) -> tuple[Int, Int]:
    """Replay hands and write their adjusted results to ``found``.

    Returns the hand and action with probability 0 under its player's policy, or -1, -1.
    """
    aivat = aivat_at(estimator.state.ctypes.data + COUNTER_BYTES)
    setups, _, _, actions, starts = packed
    for k in range(len(setups)):
        n = setups[k, SEATS]
        played = tables[k : k + 1]
        table = tables[k]
        opening = opening_of(packed, k, n)
        rules.open_hand(played, opening, 0)
        aivat.n_notes = 0
        for i in range(starts[k], starts[k + 1]):
            if actions[i, rules.POSITION] != table.actor:  # the fold of an absent player
                rules.act(played, actions[i])
                continue
            kind = actions[i, rules.KIND]
            action = actions[i, rules.TO]
            if kind == FOLDS:
                action = np.int64(FOLD)
            elif kind == CALLS:
                action = np.int64(CHECK_OR_CALL)
            asked = player[k, table.actor]
            if asked >= 0:
                ask(asked, table, players, seated)
                record_decision(asked, table, players, seated, action, estimator.state)
                note = aivat.notes[aivat.n_notes - 1]
                if note.known and note.chances[0, note.taken] == 0.0:
                    return k, i - starts[k]
            else:
                new_note(table, action, aivat)
            rules.act(played, actions[i])
        if table.actor == NO_PLAYER:
            ending = ending_of(packed, k, n)
            rules.finish(played, opening.dead, ending, scratch[0, :n], scratch[1])
        estimate_aivat(table, estimator.state, estimator.adjusted)
        for seat in range(n):
            found[k, seat] = estimator.adjusted[seat] / PARTS
    return -1, -1
