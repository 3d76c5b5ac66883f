"""The compiled entry points of the Python door: one call a step, one an observation."""

from __future__ import annotations

from nlhe_env.game import betting, tournament
from nlhe_env.game.tournament import DECISION
from nlhe_env.machine.compilation import kernel
from nlhe_env.spaces.actions import ILLEGAL, decode, write_mask
from nlhe_env.spaces.cards_observation import write_cards
from nlhe_env.spaces.features import write_features

# Places in the facts about the decision at hand.
(
    PLAYER,
    TABLE_NUMBER,
    HAND,
    STREET,
    POT,
    TO_CALL,
    MIN_RAISE_TO,
    MAX_RAISE_TO,
    DECISION_NUMBER,
    BUTTON,
    BIG_BLIND,
    BOARD_CARDS,
    HOLE_CARD_0,
    HOLE_CARD_1,
    FIRST_BOARD_CARD,
) = range(15)
N_FACTS = FIRST_BOARD_CARD + 5


@kernel
def start_game(game, tables, players, levels, seed, episode, seating):
    """``tournament.start_game`` for an episode of a seed; the record comes in an array of one."""
    record = game[0]
    record.seed = seed
    record.tournament = episode
    record.decision_seed = seed
    record.decision_tournament = episode
    tournament.start_game(record, tables, players, levels, seating)


@kernel
def advance(game, tables, players, levels, kind, fractions, mask, facts):
    """Move on to the next event; for a decision, fill in the mask and the facts."""
    event = tournament.advance(game[0], tables, players, levels)
    if event == DECISION:
        table = tables[game[0].table]
        write_mask(table, kind, fractions, mask)
        _write_facts(table, facts)
    return event


@kernel
def step(game, tables, players, levels, kind, fractions, action_id, mask, facts):
    """Do an action by its id and move on; ``ILLEGAL`` if it is not legal."""
    action = decode(game[0], tables[game[0].table], kind, fractions, action_id)
    if action == ILLEGAL:
        return ILLEGAL
    tournament.take_action(game[0], tables, players, action)
    return advance(game, tables, players, levels, kind, fractions, mask, facts)


@kernel
def _write_facts(table, facts):
    seat = table.actor
    facts[PLAYER] = table.player[seat]
    facts[TABLE_NUMBER] = table.number
    facts[HAND] = table.hand
    facts[STREET] = table.street
    facts[POT] = table.pot
    facts[TO_CALL] = betting.amount_to_call(table)
    facts[MIN_RAISE_TO], facts[MAX_RAISE_TO] = betting.legal_raise(table)
    facts[DECISION_NUMBER] = table.decisions[seat]
    facts[BUTTON] = table.button
    facts[BIG_BLIND] = table.big_blind
    facts[BOARD_CARDS] = table.board_cards
    facts[HOLE_CARD_0] = table.cards[2 * seat]
    facts[HOLE_CARD_1] = table.cards[2 * seat + 1]
    for i in range(table.board_cards):
        facts[FIRST_BOARD_CARD + i] = table.cards[2 * table.seats + i]


@kernel
def replace_table(game, tables, record):
    """Put a record in the place of the table that plays and go on from it; False if none plays."""
    if not tournament.can_resume(game[0]):
        return False
    tables[game[0].table] = record[0]
    tournament.resume(game[0], tables)
    return True


@kernel
def observe_cards(tables, players, player, out):
    """Write the ``"cards"`` observation of a player."""
    write_cards(tables[players[player].table], players[player].seat, out)


@kernel
def observe_features(tables, players, player, kind, strength_tables, out):
    """Write the 35 inputs of a player."""
    table = tables[players[player].table]
    write_features(table, players, players[player].seat, kind, strength_tables, out)
