"""Action probabilities of compiled players, from the kernels that play them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from agents.policy.action_interpretation import VERBATIM_SIZES
from agents.policy.dispatch import ask, call_policy, nearest_size
from agents.policy.player_batch import PlayerBatch, WorkArrays
from agents.policy.spots import raise_by
from agents.policy.view import CALL_ID, is_spread
from nlhe_env.arguments import array
from nlhe_env.cards import CARD_NAMES, parse_cards
from nlhe_env.game.table import TABLE
from nlhe_env.jit.array_types import F32, F64, I8, Bool, Records
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces.actions import N_SIZED
from nlhe_env.spaces.bet_sizing import chance_of_a_call

N_CARDS = len(CARD_NAMES)
N_HANDS = N_CARDS * (N_CARDS - 1) // 2
_HALVINGS = 53  # bits of a number in [0, 1)


@kernel
def write_chances(names_amounts, choices, table, chances):
    """Probabilities of the five ids of the sized encoding by a list of choices.

    Amounts count for the nearest id.

    Args:
        names_amounts: Whether the player answers with amounts.
        choices: A record of dtype ``CHOICES`` that its policy has written.
        table: A table record; looked at for amounts only.
        chances: ``(5,)`` float64; they sum to 1.
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
def _add_spread(choices, i, table, chance, chances):
    """Share the chance of a spread out among the ids that its amounts are nearest to."""
    begin = 0.0
    while begin < 1.0:
        action_id = _size_at(choices, i, table, begin)
        # The larger the part, the larger the amount: find where the next id begins.
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
def _size_at(choices, i, table, part):
    size = choices.low[i] + part * (choices.high[i] - choices.low[i])
    return nearest_size(table, raise_by(table, size, choices.least, choices.most), choices.most)


@kernel
def write_interpreted_probabilities(traits, choices, table, chances):
    """``write_chances`` at a table, where raises may become calls."""
    write_chances(traits.names_amounts, choices, table, chances)
    if traits.interpretation & VERBATIM_SIZES and not traits.names_amounts:
        for k in range(CALL_ID + 1, N_SIZED):
            moved = chances[k] * chance_of_a_call(table, k - CALL_ID - 1)
            chances[k] -= moved
            chances[CALL_ID] += moved


@kernel
def _write_policy(field, player, tables, players, strength_tables, work, chances):
    ask(field, player, tables[0], players, strength_tables, work)
    write_interpreted_probabilities(field.traits[player], work.choices[0], tables[0], chances)


@kernel
def _write_policy_of_hands(field, player, tables, players, dead, strength_tables, work, chances):
    table = tables[0]
    seat = table.actor
    hand = 0
    for high in range(1, N_CARDS):
        for low in range(high):
            if not (dead[high] or dead[low]):
                table.cards[2 * seat] = high
                table.cards[2 * seat + 1] = low
                table.strength_key[seat] = 0  # looked up for other cards
                ask(field, player, table, players, strength_tables, work)
                write_interpreted_probabilities(
                    field.traits[player], work.choices[0], table, chances[hand]
                )
            hand += 1


@kernel
def _write_chances_of_inputs(field, seen, observations, masks, strength_tables, work, chances):
    choices = work.choices[0]
    for player in range(len(field.traits)):
        for i in range(len(observations)):
            for k in range(N_SIZED):
                choices.mask[k] = masks[i, k]
            call_policy(field, player, seen[0], observations[i], strength_tables, work)
            write_chances(field.traits[player].names_amounts, choices, seen[0], chances[player, i])


def policy(
    field: PlayerBatch, player: int, table: np.void, players: Records, work: WorkArrays
) -> F64:
    """Action probabilities of the player to act.

    Args:
        field: ``PlayerArrays``.
        player: The number of the player to act.
        table: The record of its table.
        players: The players' records.
        work: ``WorkArrays`` with the players' memory; its list of choices is written.

    Returns:
        ``(5,)``: fold, call, small, medium and large raise, the ids of ``actions="sized"``. Amounts
        count for the nearest.
    """
    chances = np.zeros(N_SIZED)
    tables = np.array([table])
    _write_policy(field.arrays, player, tables, players, field.strength_tables(), work, chances)
    return chances


def policy_of_hands(
    field: PlayerBatch,
    player: int,
    table: np.void,
    players: Records,
    work: WorkArrays,
    dead: str = "",
) -> F64:
    """``policy`` for all hands that the player to act could hold.

    What the player remembers stays as it is. A kind that remembers its own cards answers for other
    hands as one that has held these so far.

    Args:
        field: ``PlayerArrays``.
        player: The number of the player to act.
        table: The record of its table.
        players: The players' records.
        work: ``WorkArrays`` with the players' memory.
        dead: Cards that it cannot hold, besides the open board.

    Returns:
        ``(1326, 5)``, the hand of cards a > b at C(a, 2) + b; zeros where a card is not free.
    """
    tables = np.array([table])
    excluded: Bool = np.zeros(N_CARDS, np.bool_)
    first = 2 * int(table["seats"])
    excluded[table["cards"][first : first + int(table["board_cards"])]] = True
    excluded[list(parse_cards(dead))] = True
    chances = np.zeros((N_HANDS, N_SIZED))
    tables_needed = field.strength_tables()
    _write_policy_of_hands(
        field.arrays, player, tables, players, excluded, tables_needed, work, chances
    )
    return chances


def policy_of_inputs(field: PlayerBatch, observations: F32, masks: I8) -> F64:
    """Action probabilities of players in situations that they see as feature vectors.

    Args:
        field: Players that want inputs and answer with sizes, or have a kind ``by_inputs``.
        observations: ``(n, n_inputs)``.
        masks: ``(n, 5)`` 1 where an id of the sized encoding is legal.

    Returns:
        ``(n_players, n, 5)``. A raise is what the player calls one: whether its size comes to a
        call depends on the table.

    Raises:
        ValueError: An array is not as above.
    """
    sizes = {int(field.observations[i].size or 0) for i in np.unique(field.inputs)}
    if len(sizes) > 1:
        raise ValueError(f"players must see as many inputs; got some of {sorted(sizes)}")
    size = max(sizes, default=None)
    observations = array("observations", observations, (None, size), dtype=np.float32)
    shape = (len(observations), N_SIZED)
    masks = array("masks", masks, shape, dtype=np.int8, least=0, most=1)
    kinds = tuple(kind and (kind.by_inputs or kind) for kind in field.kinds)
    field = replace(field, kinds=kinds)
    chances = np.zeros((len(field), len(observations), N_SIZED))
    if len(field):
        _write_chances_of_inputs(
            field.arrays,
            np.zeros(1, TABLE),
            observations,
            masks,
            field.strength_tables(),
            field.work_arrays(),
            chances,
        )
    return chances


def drawn_from(work: WorkArrays) -> F64:
    """``(5,)`` the chances that the last decision was drawn from, of a player that names sizes."""
    chances = np.zeros(N_SIZED)
    write_chances(False, work.choices[0], np.zeros(1, TABLE)[0], chances)
    return chances
