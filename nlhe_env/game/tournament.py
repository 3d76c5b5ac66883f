"""Games of many hands at many tables: seating, blinds by round, table breaks, places.

A game consists of four arrays: one ``GAME`` record, the tables, the players and the blind levels.
Every environment runs it with the same two kernels: ``advance`` moves on to the next event,
``take_action`` executes the action of the player to act.

Source: Nicolai, MSc thesis (University of Regina, 2008), section 4.1.6; Nicolai and Hilderman
(ICEC 2010), section 4.4. A round is one hand at every table with at least two players; blinds rise
by rounds.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from nlhe_env.game import holdem
from nlhe_env.game.player import (
    PlayerRecord,
    PlayerRecords,
    decision_weight,
    record_decision,
    record_hand,
    start_recent_hand,
)
from nlhe_env.game.random_stream import BUTTONS, SEATING, digit, draw
from nlhe_env.game.style_counts import count_decision, count_hand
from nlhe_env.game.table import EMPTY, NO_PLAYER, TableRecord, TableRecords
from nlhe_env.jit.array_types import I64, Int, Record, Truth
from nlhe_env.jit.compilation import kernel

# Events that `advance` returns.
DECISION = 0  # a player must act at table game.table
HAND_OVER = 1  # the hand at table game.table has been paid
ROUND_OVER = 2  # of a tournament: places are given, tables may have been broken
GAME_OVER = 3
GameRecord: TypeAlias = Record
"""A record of dtype ``GAME``."""

# Ways to seat the players.
IN_ORDER = 0
DRAWN = -1

# Phases of a game.
_BETWEEN_ROUNDS = 0
_PLAYING = 1
_PAID = 2
_OVER = 3

GAME = np.dtype(
    [
        ("seed", np.uint64),  # of the cards, seats and buttons
        ("tournament", np.int64),  # number of the tournament (episode) under this seed
        ("decision_seed", np.uint64),  # of the players' own randomness
        ("decision_tournament", np.int64),
        ("players", np.int64),
        ("live", np.int64),  # players with chips
        ("tables", np.int64),  # tables at the start
        ("open_tables", np.int64),
        ("table_size", np.int64),
        ("cash", np.int64),  # 1: stacks are put back after every hand
        ("max_hands", np.int64),  # the game ends after so many rounds; 0 for no limit
        ("hands_per_level", np.int64),
        ("round", np.int64),  # complete rounds
        ("table", np.int64),  # the table that plays
        ("phase", np.int64),
        ("hands", np.int64),  # paid so far, all tables together
        ("decisions", np.int64),
        ("ranks", np.int64, (10,)),  # of the hands shown last
        ("rake", np.int64),  # chips taken from the pots so far
    ],
    align=True,
)


@kernel
def start_game(
    game: GameRecord, tables: TableRecords, players: PlayerRecords, levels: I64, seating: Int
) -> None:
    """Begin a game: clear the last game, seat all players, draw the buttons.

    Args:
        game: A record with the fields up to ``hands_per_level`` filled in.
        tables: ``(game.tables,)`` records with ``seats`` and ``number`` filled in.
        players: ``(game.players,)`` records with ``entry_stack`` filled in.
        levels: ``(n_levels, 3)`` blinds and antes.
        seating: Seat of player 0, with the others following in order (``IN_ORDER`` is 0). Or
            ``DRAWN - k``: random seats, then all players move on by k.
    """
    for t in range(game.tables):
        _clear_table(tables[t])
        tables[t].small_blind = levels[0, 0]
        tables[t].big_blind = levels[0, 1]
        tables[t].ante = levels[0, 2]
    for i in range(game.players):
        _clear_player(players[i])
    moved: Int = np.int64(0)
    if seating <= DRAWN:
        moved = DRAWN - seating
        for i in range(game.players):
            players[i].scratch = i
        _shuffle(players, game.players, game.seed, SEATING, 0, 0, game.tournament)
    else:
        for i in range(game.players):
            players[(i + seating) % game.players].scratch = i
    game.table = 0
    game.round = 0
    game.hands = 0
    game.decisions = 0
    game.rake = 0
    for i in range(game.players):
        player = players[(i - moved) % game.players].scratch
        t = i % game.tables
        table = tables[t]
        seat = i // game.tables
        table.player[seat] = player
        table.stack[seat] = players[player].entry_stack
        table.players += 1
        players[player].table = t
        players[player].seat = seat
    for t in range(game.tables):
        table = tables[t]
        word, _ = draw(game.seed, BUTTONS, 0, 0, t, game.tournament)
        button, _ = digit(word, np.uint64(table.players))
        table.button = np.int64(button)
    game.open_tables = game.tables
    game.live = game.players
    game.phase = _BETWEEN_ROUNDS


@kernel
def _clear_table(table: TableRecord) -> None:
    table.players = 0
    table.hand = 0
    table.hands_dealt = 0
    table.street = 0
    table.actor = NO_PLAYER
    table.board_cards = 0
    table.current_bet = 0
    table.full_raise = 0
    table.bets = 0
    table.pot = 0
    table.unfolded = 0
    table.active = 0
    table.showdown = 0
    table.pots = 0
    table.rake = 0
    table.straddle = 0
    table.dead_ante = 0
    table.shared_cards = 5
    table.preset_cards = 0
    table.player.fill(NO_PLAYER)
    table.stack.fill(0)
    table.starting_stack.fill(0)
    table.street_bet.fill(0)
    table.hand_bet.fill(0)
    table.decisions.fill(0)
    table.won.fill(0)
    table.street_chips.fill(0)
    table.raises.fill(0)
    table.calls.fill(0)
    table.strength_key.fill(0)
    table.status.fill(EMPTY)
    table.shown.fill(0)
    table.cards.fill(-1)


@kernel
def _clear_player(player: PlayerRecord) -> None:
    player.place = 0
    player.decisions = 0
    player.weight = 0
    player.recent_decisions.fill(0)
    player.recent_weight.fill(0)
    player.recent_hand = 0
    player.recent_decisions_sum = 0
    player.recent_weight_sum = 0
    player.long_term = 0
    player.short_term = 0
    player.folds = 0
    player.raises = 0
    player.hands_won = 0
    player.chips_won = 0
    player.showdowns_lost = 0
    player.chips_lost = 0
    player.hand_style = 0
    player.style_counts.fill(0)


@kernel
def _shuffle(
    players: PlayerRecords, n: Int, seed: Int, domain: Int, hand: Int, place: Int, tournament: Int
) -> None:
    """Shuffle the first ``n`` entries of the players' scratch numbers."""
    for i in range(n - 1):
        word, _ = draw(seed, domain, i, hand, place, tournament)
        k, _ = digit(word, np.uint64(n - i))
        j = i + np.int64(k)
        other = players[j].scratch
        players[j].scratch = players[i].scratch
        players[i].scratch = other


@kernel
def advance(game: GameRecord, tables: TableRecords, players: PlayerRecords, levels: I64) -> Int:
    """Move the game on to the next event and return it.

    ``DECISION`` is repeated until ``take_action`` is called; ``HAND_OVER`` comes once per hand,
    with the result still on its table; ``ROUND_OVER`` once per round of a tournament; ``GAME_OVER``
    is repeated for ever.
    """
    while True:
        if game.phase == _PLAYING:
            table = tables[game.table]
            if table.actor >= 0:
                return DECISION
            holdem.settle(table, game.ranks)
            _record_hand(table, players)
            game.hands += 1
            game.rake += table.rake
            game.phase = _PAID
            return HAND_OVER
        if game.phase == _OVER:
            return GAME_OVER
        step = _step_between_tables(game)
        if game.phase == _BETWEEN_ROUNDS:
            if game.live < 2 or (game.max_hands > 0 and game.round >= game.max_hands):
                _place_survivors(game, tables, players)
                game.phase = _OVER
                return GAME_OVER
            t = 0 if step > 0 else game.tables - 1
        else:
            t = game.table + step
        while 0 <= t < game.tables and tables[t].players < 2:
            t += step
        if 0 <= t < game.tables:
            game.table = t
            _start_hand(game, tables[t], players, levels)
            game.phase = _PLAYING
        else:
            _end_round(game, tables, players)
            game.phase = _BETWEEN_ROUNDS
            if not game.cash:
                return ROUND_OVER


@kernel
def _step_between_tables(game: GameRecord) -> Int:
    """Direction to the next table: 1, or -1 in every second round.

    Going back starts with the tables just played, which are still in the caches.
    """
    return 1 - 2 * (game.round & 1)


@kernel
def _start_hand(game: GameRecord, table: TableRecord, players: PlayerRecords, levels: I64) -> None:
    for seat in range(table.seats):
        player = table.player[seat]
        if player >= 0:
            if game.cash and table.hands_dealt > 0:
                table.stack[seat] = players[player].entry_stack
            start_recent_hand(players[player])
    level = min(game.round // game.hands_per_level, len(levels) - 1)
    holdem.start_hand(
        table,
        game.round,
        levels[level, 0],
        levels[level, 1],
        levels[level, 2],
        game.seed,
        game.tournament,
    )


@kernel
def _record_hand(table: TableRecord, players: PlayerRecords) -> None:
    for seat in range(table.seats):
        if table.status[seat] != EMPTY:
            player, shown = players[table.player[seat]], table.shown[seat]
            record_hand(player, table.won[seat], table.hand_bet[seat], shown)
            count_hand(player, table.board_cards > 0, shown)


@kernel
def take_action(
    game: GameRecord, tables: TableRecords, players: PlayerRecords, action: Int
) -> None:
    """Execute a legal action of the player to act, and update its statistics.

    Args:
        game: A game whose last event was ``DECISION``.
        tables: Its tables.
        players: Its players.
        action: ``FOLD``, ``CHECK_OR_CALL``, or n >= 1 to raise to n.
    """
    table = tables[game.table]
    note_action(table, players, action)
    game.decisions += 1
    holdem.act(table, action)


@kernel
def note_action(table: TableRecord, players: PlayerRecords, action: Int) -> None:
    """Update the statistics of the player to act, before its action is executed."""
    seat = table.actor
    to_call = table.current_bet - table.street_bet[seat]
    chips = action - table.street_bet[seat] if action > 0 else np.int64(0)
    weight = decision_weight(action, chips, to_call, table.big_blind)
    player = players[table.player[seat]]
    record_decision(player, action, weight)
    count_decision(player, table, action, to_call)


@kernel
def _end_round(game: GameRecord, tables: TableRecords, players: PlayerRecords) -> None:
    game.round += 1
    if game.cash:
        return
    _place_busted(game, tables, players)
    while game.open_tables > (game.live + game.table_size - 1) // game.table_size:
        _break_table(game, tables, players)


@kernel
def _place_busted(game: GameRecord, tables: TableRecords, players: PlayerRecords) -> None:
    """Give places to the players eliminated in this round, and free their seats.

    More chips at the start of the hand give a better place; equal chips share the mean place.
    """
    busted = 0
    for t in range(game.tables):
        table = tables[t]
        if table.players < 2:
            continue
        for seat in range(table.seats):
            player = table.player[seat]
            if player >= 0 and table.stack[seat] == 0:
                players[player].chips = table.starting_stack[seat]
                players[busted].scratch = player
                busted += 1
                table.player[seat] = NO_PLAYER
                table.status[seat] = EMPTY
                table.players -= 1
    game.live -= busted
    _place_by_chips(players, busted, game.live)


@kernel
def _place_survivors(game: GameRecord, tables: TableRecords, players: PlayerRecords) -> None:
    """Rank the remaining players by chips: the winner, or all survivors of a truncated game."""
    survivors = 0
    for i in range(game.players):
        if players[i].place == 0:
            players[i].chips = tables[players[i].table].stack[players[i].seat]
            players[survivors].scratch = i
            survivors += 1
    _place_by_chips(players, survivors, 0)


@kernel
def _place_by_chips(players: PlayerRecords, n: int, better_placed: Int) -> None:
    """Give places to the first ``n`` of the players' scratch numbers, after the better ones."""
    _sort_by_chips(players, n)
    first = 0
    while first < n:
        chips = players[players[first].scratch].chips
        end = first + 1
        while end < n and players[players[end].scratch].chips == chips:
            end += 1
        place = better_placed + first + (end - first + 1) / 2
        for i in range(first, end):
            players[players[i].scratch].place = place
        first = end


@kernel
def _sort_by_chips(players: PlayerRecords, n: int) -> None:
    """Sort the first ``n`` of the players' scratch numbers by chips, most first.

    A Shell sort: hundreds may bust in one round.
    """
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            player = players[i].scratch
            j = i
            while j >= gap and players[players[j - gap].scratch].chips < players[player].chips:
                players[j].scratch = players[j - gap].scratch
                j -= gap
            players[j].scratch = player
        gap //= 2


@kernel
def _break_table(game: GameRecord, tables: TableRecords, players: PlayerRecords) -> None:
    """Close the smallest table (the last of equal ones) and seat its players at the others."""
    breaking = NO_PLAYER
    for t in range(game.tables):
        n = tables[t].players
        if n > 0 and (breaking < 0 or n <= tables[breaking].players):
            breaking = t
    table = tables[breaking]
    movers = 0
    for seat in range(table.seats):
        if table.player[seat] >= 0:
            players[movers].scratch = table.player[seat]
            movers += 1
    # The streams of the moves: one place number for the order, one for each mover's seat.
    place = game.players * (breaking + 1)
    _shuffle(players, movers, game.seed, SEATING, game.round, place, game.tournament)
    table.players = 0
    fewest = game.table_size
    for t in range(game.tables):
        if tables[t].players > 0:
            fewest = min(fewest, tables[t].players)
    smallest: Int = NO_PLAYER
    for i in range(movers):
        player = players[i].scratch
        # Tables before the last filled one already have more players.
        smallest = _next_with(game, tables, smallest + 1, fewest)
        if smallest == game.tables:
            fewest += 1
            smallest = _next_with(game, tables, 0, fewest)
        new_table = tables[smallest]
        free = new_table.seats - new_table.players
        word, _ = draw(game.seed, SEATING, 0, game.round, place + 1 + i, game.tournament)
        k, _ = digit(word, np.uint64(free))
        new_seat = _kth_free_seat(new_table, np.int64(k))
        old_seat = players[player].seat
        new_table.player[new_seat] = player
        new_table.stack[new_seat] = table.stack[old_seat]
        new_table.players += 1
        new_table.status[new_seat] = EMPTY  # not dealt into the hand that this table shows
        table.player[old_seat] = NO_PLAYER
        table.status[old_seat] = EMPTY
        table.stack[old_seat] = 0
        players[player].table = smallest
        players[player].seat = new_seat
    game.open_tables -= 1


@kernel
def _next_with(game: GameRecord, tables: TableRecords, t: Int, n: Int) -> Int:
    """The first table from ``t`` on with ``n`` players; the number of tables if there is none."""
    while t < game.tables and tables[t].players != n:
        t += 1
    return t


@kernel
def _kth_free_seat(table: TableRecord, k: Int) -> Int:
    for seat in range(table.seats):
        if table.player[seat] < 0:
            if k == 0:
                return seat
            k -= 1
    return NO_PLAYER


@kernel
def can_resume(game: GameRecord) -> Truth:
    """Whether the current table can be reset to an earlier decision."""
    return game.phase == _PLAYING


@kernel
def resume(game: GameRecord, tables: TableRecords) -> None:
    """Continue at the current table after its record was reset to an earlier decision."""
    game.round = tables[game.table].hand
    game.phase = _PLAYING
