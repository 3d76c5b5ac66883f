"""Local best responses: known results, and their choices made anew in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

import agents
from agents.bounds import LocalBestResponse, Menu
from agents.bounds.belief import forget_hand, note
from agents.bounds.responder import FROZEN, Responder, respond
from agents.compiled.chances import policy_of_hands
from agents.compiled.dispatch import begin_session, decide
from agents.compiled.fields import join, pack, pack_some
from nlhe_env import Game
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.evaluator import evaluate
from nlhe_env.game import tournament
from nlhe_env.game.table import CHECK_OR_CALL, FOLD, RIVER

NO_LIMIT = Game.cash(starting_stack=20_000, num_hands=1, score="big_blinds")
LIMIT = Game.cash(betting="fixed-limit", num_hands=1, score="big_blinds")
LATE = ("preflop", "flop")


def won(name, menu, blocks, game=NO_LIMIT, seed=1):
    """Thousandths of a big blind a hand, with the standard error."""
    tally = LocalBestResponse(menu)([agents.make(name)], agents.Blocks(blocks), game, seed=seed)
    scale = 1000 * tally.count / tally.hands
    return tally.scores[1] * scale, tally.errors[1] * scale


def test_always_folding_loses_750_in_every_block_to_who_may_raise():
    response = LocalBestResponse(Menu.of("fcpa"))
    tally = response([agents.make("folder")], agents.Blocks(50), NO_LIMIT, seed=1, rows=True)
    assert (tally.rows.points == [-150, 150]).all()
    waiting = LocalBestResponse(Menu.of("56-bets", ("flop", "turn", "river")))
    tally = waiting([agents.make("folder")], agents.Blocks(50), NO_LIMIT, seed=1, rows=True)
    assert (tally.rows.points == [-150, 150]).all()


@pytest.mark.parametrize("game", [NO_LIMIT, LIMIT])
def test_always_folding_loses_250_to_who_only_folds_and_calls(game):
    """Half a big blind in the small blind; nothing on average where both check to the end."""
    value, error = won("folder", Menu.of("fold-call"), 4000, game)
    assert abs(value - 250) < 4 * error < 50


def test_folding_and_calling_wins_nothing_of_a_caller():
    assert won("caller", Menu.of("fold-call"), 100) == (0.0, 0.0)


def test_all_in_on_the_river_wins_of_a_caller_what_was_published():
    """51,100 ± 540 for all-in with more than half of the pot (Li 2018, table 4-2's ceiling)."""
    value, error = won("caller", Menu.of([np.inf], ("preflop", "flop", "turn")), 4000)
    assert abs(value - 51_100) < 4 * np.hypot(error, 540)


def test_in_limit_it_wins_no_more_of_a_caller_than_the_best_response():
    value, error = won("calling-machine", Menu.of("fcpa"), 1500, LIMIT)
    assert 900 < value < 1163.48 + 3 * error


def test_more_to_choose_from_late_wins_more_of_a_rule_player():
    few, few_error = won("pot-odds", Menu.of("fold-call"), 600)
    many, many_error = won("pot-odds", Menu.of("fcpa", LATE), 600)
    assert many - few > 2 * np.hypot(few_error, many_error)


def test_players_with_memory_are_asked_with_what_they_remember():
    game = Game.cash(starting_stack=20_000, num_hands=50, score="big_blinds")
    player, menu = [agents.make("opponent-frequency")], Menu.of("fcpa", LATE)
    first, again = (
        LocalBestResponse(menu)(player, agents.Blocks(2), game, seed=5, rows=True) for _ in range(2)
    )
    assert (first.rows.points == again.rows.points).all()
    assert first.hands == 200
    assert (first.rows.points.sum(axis=1) == 0).all()


def test_blocks_add_up_in_any_parts():
    response, player = LocalBestResponse(Menu.of("fcpa", LATE)), [agents.make("old-best")]
    whole = response(player, agents.Blocks(6), NO_LIMIT, seed=3)
    parts = [response(player, agents.Blocks(3, first), NO_LIMIT, seed=3) for first in (0, 3)]
    assert (whole.totals == (parts[0] + parts[1]).totals).all()


# --- every choice made anew ----------------------------------------------------------------------


def to_the_river(game, block, field, work, responder):
    """Play a hand until the responder acts on the river, who checks and calls up to there.

    Returns:
        The arrays of the game, and what the frozen player has done: tables and actions.
    """
    arrays = game.arrays(2)
    arrays.game["seed"] = arrays.game["decision_seed"] = 7
    arrays.game["tournament"] = arrays.game["decision_tournament"] = block
    record = arrays.game[0]
    tournament.start_game(record, arrays.tables, arrays.players, arrays.levels, 0)
    begin_session(arrays.tables, field.arrays, field.strength_tables(), work)
    forget_hand(responder.seen, responder.belief)
    done = []
    tables_needed = field.strength_tables()
    while tournament.advance(record, arrays.tables, arrays.players, arrays.levels) == 0:
        table = arrays.tables[0]
        if table["player"][table["actor"]] == FROZEN:
            args = (record, arrays.tables, arrays.players, field.arrays, tables_needed, work)
            _, action = decide(*args)
            note(responder.seen, table, arrays.players, work.memory[FROZEN], action)
            done.append((table.copy(), arrays.players.copy(), action))
        elif table["street"] == RIVER:
            return arrays, done
        else:
            action = CHECK_OR_CALL
        tournament.take_action(record, arrays.tables, arrays.players, action)
    return None, []


def choice(table, players, done, field, work, amount):
    """The best of folding, calling and one raise, by Algorithm 1 of Lisy and Bowling (2017)."""
    seat = int(table["actor"])
    mine = tuple(int(card) for card in table["cards"][2 * seat : 2 * seat + 2])
    board = tuple(int(card) for card in table["cards"][4:9])
    free = ~np.isin(HOLES, (*mine, *board)).any(axis=1)
    belief = free.astype(float)
    for then, those, action in done:
        chances = policy_of_hands(field, FROZEN, then, those, work)
        belief *= chances[:, {FOLD: 0, CHECK_OR_CALL: 1}.get(action, 2)]
    ranks = evaluate(np.column_stack([HOLES[free], np.tile(board, (free.sum(), 1))]))
    own = evaluate(np.array([[*mine, *board]]))[0]
    shares = np.zeros(len(belief))
    shares[free] = (own > ranks) + 0.5 * (own == ranks)

    pot = int(table["pot"])
    asked = int(table["current_bet"] - table["street_bet"][seat])
    share = belief @ shares / belief.sum()
    worths = {CHECK_OR_CALL: share * pot - (1 - share) * asked}
    if asked:
        worths[FOLD] = 0.0
    if amount:
        trial = np.array([table])
        record = np.zeros(1, tournament.GAME)[0]
        those = players.copy()
        tournament.take_action(record, trial, those, amount)
        chips = amount - int(table["street_bet"][seat])
        folds = policy_of_hands(field, FROZEN, trial[0], those, work)[:, 0]
        stays = belief * (1 - folds)
        folding = 1 - stays.sum() / belief.sum()
        share = stays @ shares / stays.sum() if stays.any() else 0.0
        called = share * (pot + chips - asked) - (1 - share) * chips
        worths[amount] = folding * pot + (1 - folding) * called
    return worths


@pytest.mark.parametrize("name", ["ashe-loose-aggressive", "old-best"])
def test_choices_on_the_river_are_those_of_the_published_algorithm(name):
    field = join(pack([agents.make(name)]), pack_some([None]))
    work = field.work_arrays(2)
    responder = Responder.new(Menu.of("fcpa"), field)
    found = set()
    for block in range(60):
        arrays, done = to_the_river(LIMIT, block, field, work, responder)
        if arrays is None:
            continue
        table = arrays.tables[0]
        raises = table["bets"] < 4
        amount = int(table["current_bet"] + 2 * table["big_blind"]) if raises else 0
        worths = choice(table.copy(), arrays.players.copy(), done, field, work, amount)
        args = (arrays.game[0], arrays.tables, arrays.players, field.arrays)
        action = respond(*args, field.strength_tables(), work, responder, False)
        assert worths[action] == pytest.approx(max(worths.values()), abs=1e-6)
        found.add(min(int(action), 1))
    assert len(found) >= 2


# --- bad input -----------------------------------------------------------------------------------


def test_players_in_python_are_refused():
    with pytest.raises(ValueError, match="only compiled players tell them"):
        LocalBestResponse(Menu.of("fcpa"))(
            [agents.make("nlbot-2")], agents.Blocks(2), LIMIT, seed=1
        )


def test_only_blocks_of_cash_games_are_played():
    response = LocalBestResponse(Menu.of("fcpa"))
    player = [agents.make("caller")]
    with pytest.raises(ValueError, match="plays Blocks of a cash game"):
        response(player, agents.Blocks(2), Game.tournament(), seed=1)
    with pytest.raises(ValueError, match="is to one player; got 2"):
        response(player * 2, agents.Blocks(2), LIMIT, seed=1)


def test_menus_are_checked():
    with pytest.raises(ValueError, match="menu must be"):
        Menu.of("fcap")
    with pytest.raises(ValueError, match="waits must be"):
        Menu.of("fcpa", ("pre-flop",))
    with pytest.raises(ValueError, match="menu must be"):
        Menu.of([0.0])
    waits, acts = [-1, 0, 0], [1, np.inf, 0]
    assert Menu.of("fcpa", LATE).array().tolist() == [waits, waits, acts, acts]
