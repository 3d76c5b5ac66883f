"""Action probabilities of compiled players, from their policy kernels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from agents.policy.action_interpretation import VERBATIM_SIZES
from agents.policy.dispatch import ask, call_policy, nearest_size
from agents.policy.player_batch import PlayerBatch, Seated, WorkArrays
from agents.policy.spots import raise_by
from agents.policy.view import ChoicesRecord, TraitsRecord, is_spread
from nlhe_env.arguments import array
from nlhe_env.cards import N_CARDS, parse_cards
from nlhe_env.game.player import PlayerRecords
from nlhe_env.game.table import TABLE, TableRecord, TableRecords
from nlhe_env.jit.array_types import F32, F64, I8, Bool, Float, Int, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import CALL_ID, N_SIZED
from nlhe_env.spaces.bet_sizing import chance_of_a_call

N_HANDS = N_CARDS * (N_CARDS - 1) // 2
_HALVINGS = 53  # bits of a number in [0, 1)


@kernel
def write_chances(
    names_amounts: Int, choices: ChoicesRecord, table: TableRecord, chances: F64
) -> None:
    """Write the probabilities of the five ids of the sized encoding from a list of choices.

    An amount counts for the nearest id.

    Args:
        names_amounts: Whether the player answers with amounts.
        choices: A record of dtype ``CHOICES``, written by the policy.
        table: A table record, used only for amounts.
        chances: ``(5,)`` float64 that sum to 1, written.
    """
    for k in range(N_SIZED):
        chances[k] = 0.0
    if choices.n == 0:
        chances[CALL_ID] = 1.0
    for i in range(choices.n):
        chance = choices.chance[i] / choices.total
        if not names_amounts:
            chances[choices.action[i]] += chance
        elif is_spread(choices, i):
            _add_spread(choices, i, table, chance, chances)
        else:
            first = nearest_size(table, choices.action[i], choices.most)
            second = nearest_size(table, choices.other[i], choices.most)
            chances[first] += chance * choices.share[i]
            chances[second] += chance * (1.0 - choices.share[i])


@kernel
def _add_spread(
    choices: ChoicesRecord, i: Int, table: TableRecord, chance: Float, chances: F64
) -> None:
    """Distribute the probability of a spread over the ids nearest to its amounts."""
    begin = 0.0
    while begin < 1.0:
        action_id = _size_at(choices, i, table, begin)
        # Amounts rise with the part: find where the next id begins.
        end = 1.0
        if _size_at(choices, i, table, 1.0) != action_id:
            same = begin
            for _ in range(_HALVINGS):
                middle = 0.5 * (same + end)
                if _size_at(choices, i, table, middle) == action_id:
                    same = middle
                else:
                    end = middle
        chances[action_id] += chance * (end - begin)
        begin = end


@kernel
def _size_at(choices: ChoicesRecord, i: Int, table: TableRecord, part: Float) -> Int:
    size = choices.low[i] + part * (choices.high[i] - choices.low[i])
    return nearest_size(table, raise_by(table, size, choices.least, choices.most), choices.most)


@kernel
def write_interpreted_probabilities(
    traits: TraitsRecord, choices: ChoicesRecord, table: TableRecord, chances: F64
) -> None:
    """Like ``write_chances``, at a table where raises may become calls."""
    write_chances(traits.names_amounts, choices, table, chances)
    if traits.interpretation & VERBATIM_SIZES and not traits.names_amounts:
        for k in range(CALL_ID + 1, N_SIZED):
            moved = chances[k] * chance_of_a_call(table, k - CALL_ID - 1)
            chances[k] -= moved
            chances[CALL_ID] += moved


@kernel
def _write_policy(
    player: Int, tables: TableRecords, players: PlayerRecords, seated: Seated, chances: F64
) -> None:
    ask(player, tables[0], players, seated)
    write_interpreted_probabilities(
        seated.batch.traits[player], seated.work.choices[0], tables[0], chances
    )


@kernel
def _write_policy_of_hands(
    player: Int,
    tables: TableRecords,
    players: PlayerRecords,
    dead: Bool,
    seated: Seated,
    chances: F64,
) -> None:
    table = tables[0]
    seat = table.actor
    hand = 0
    for high in range(1, N_CARDS):
        for low in range(high):
            if not (dead[high] or dead[low]):
                table.cards[2 * seat] = high
                table.cards[2 * seat + 1] = low
                table.strength_key[seat] = 0  # drop the cache for other cards
                ask(player, table, players, seated)
                write_interpreted_probabilities(
                    seated.batch.traits[player], seated.work.choices[0], table, chances[hand]
                )
            hand += 1


@kernel
def _write_chances_of_inputs(
    seen: TableRecords, observations: F32, masks: I8, seated: Seated, chances: F64
) -> None:
    choices = seated.work.choices[0]
    for player in range(len(seated.batch.traits)):
        for i in range(len(observations)):
            for k in range(N_SIZED):
                choices.mask[k] = masks[i, k]
            call_policy(player, seen[0], observations[i], seated)
            write_chances(
                seated.batch.traits[player].names_amounts, choices, seen[0], chances[player, i]
            )


def policy(
    batch: PlayerBatch, player: int, table: np.void, players: Records, work: WorkArrays
) -> F64:
    """Action probabilities of the player to act.

    Args:
        batch: ``PlayerArrays``.
        player: Number of the player to act.
        table: Record of its table.
        players: The players' records.
        work: ``WorkArrays`` with the players' memory; its list of choices is overwritten.

    Returns:
        ``(5,)`` probabilities of fold, call, small, medium and large raise, the ids of
        ``actions="sized"``. An amount counts for the nearest id.
    """
    chances = np.zeros(N_SIZED)
    tables = np.array([table])
    _write_policy(player, tables, players, batch.seated(work), chances)
    return chances


def policy_of_hands(
    batch: PlayerBatch,
    player: int,
    table: np.void,
    players: Records,
    work: WorkArrays,
    dead: str = "",
) -> F64:
    """``policy`` for all possible hands of the player to act.

    The player's memory is unchanged. For a kind that remembers its own cards, other hands are
    queried with its actual memory.

    Args:
        batch: ``PlayerArrays``.
        player: Number of the player to act.
        table: Record of its table.
        players: The players' records.
        work: ``WorkArrays`` with the players' memory.
        dead: Cards excluded from its hand, besides the open board.

    Returns:
        ``(1326, 5)`` probabilities, with the hand of cards a > b at C(a, 2) + b; zeros for hands
        with a known card.
    """
    tables = np.array([table])
    excluded: Bool = np.zeros(N_CARDS, np.bool_)
    first = 2 * int(table["seats"])
    excluded[table["cards"][first : first + int(table["board_cards"])]] = True
    excluded[list(parse_cards(dead))] = True
    chances = np.zeros((N_HANDS, N_SIZED))
    _write_policy_of_hands(player, tables, players, excluded, batch.seated(work), chances)
    return chances


def policy_of_inputs(batch: PlayerBatch, observations: F32, masks: I8) -> F64:
    """Action probabilities of players for given feature vectors.

    Args:
        batch: Players with inputs that answer with sizes, or whose kind has ``by_inputs``.
        observations: ``(n, n_inputs)`` inputs.
        masks: ``(n, 5)`` masks, 1 for legal ids of the sized encoding.

    Returns:
        ``(n_players, n, 5)`` probabilities. Raises are as chosen by the player; whether one becomes
        a call depends on the table.

    Raises:
        ValueError: An array has another shape or value.
    """
    sizes = {int(batch.observations[i].size or 0) for i in np.unique(batch.inputs)}
    if len(sizes) > 1:
        raise ValueError(f"players must have the same number of inputs; got {sorted(sizes)}")
    size = max(sizes, default=None)
    observations = array("observations", observations, (None, size), dtype=np.float32)
    shape = (len(observations), N_SIZED)
    masks = array("masks", masks, shape, dtype=np.int8, least=0, most=1)
    kinds = tuple(kind and (kind.by_inputs or kind) for kind in batch.kinds)
    batch = replace(batch, kinds=kinds)
    chances = np.zeros((len(batch), len(observations), N_SIZED))
    if len(batch):
        seated = batch.seated(batch.work_arrays())
        _write_chances_of_inputs(np.zeros(1, TABLE), observations, masks, seated, chances)
    return chances


def drawn_from(work: WorkArrays) -> F64:
    """``(5,)`` probabilities of the last decision, for a player that answers with sizes."""
    chances = np.zeros(N_SIZED)
    write_chances(False, work.choices[0], np.zeros(1, TABLE)[0], chances)
    return chances
