"""Compiled entry points of the PettingZoo environment: one call a step, one an observation."""

from __future__ import annotations

from nlhe_env.envs.decision_facts import write_all_facts
from nlhe_env.equity.tables.lookup import TABLES
from nlhe_env.game import tournament
from nlhe_env.game.tournament import DECISION
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.record_pointers import record_pointer
from nlhe_env.spaces.actions import ILLEGAL, decode, write_mask
from nlhe_env.spaces.observation import WRITER

call_observation = WRITER.call
strength_tables_at = record_pointer(TABLES)


@kernel
def start_game(game, tables, players, levels, seed, episode, decisions, seating):
    """``tournament.start_game`` for an episode of a seed; the record comes in an array of one.

    Args:
        game: ``(1,)`` record of the game.
        tables: Records of its tables.
        players: Records of its players.
        levels: Blinds and antes.
        seed: Seed of the cards and of the players' own randomness.
        episode: Number of the cards, seats and buttons under that seed.
        decisions: Number of the players' own randomness under that seed.
        seating: See ``tournament.start_game``.
    """
    record = game[0]
    record.seed = seed
    record.tournament = episode
    record.decision_seed = seed
    record.decision_tournament = decisions
    tournament.start_game(record, tables, players, levels, seating)


@kernel
def advance(game, tables, players, levels, kind, fractions, mask, facts):
    """Move on to the next event; for a decision, fill in the mask and the facts."""
    event = tournament.advance(game[0], tables, players, levels)
    if event == DECISION:
        table = tables[game[0].table]
        write_mask(table, kind, fractions, mask)
        write_all_facts(table, facts)
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
def action_of(game, tables, kind, fractions, action_id):
    """The action of the game that an id means now, or ``ILLEGAL``."""
    return decode(game[0], tables[game[0].table], kind, fractions, action_id)


@kernel
def replace_table(game, tables, record):
    """Put a record in the place of the table that plays and go on from it; False if none plays."""
    if not tournament.can_resume(game[0]):
        return False
    tables[game[0].table] = record[0]
    tournament.resume(game[0], tables)
    return True


@kernel
def observe(address, tables, players, player, strength_tables, out):
    """Write a player's observation; its kernel and ``StrengthTables`` are given by address."""
    table = tables[players[player].table]
    seat = players[player].seat
    call_observation(address, table, players, seat, strength_tables_at(strength_tables), out)
