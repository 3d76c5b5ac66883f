"""Explanations of ASHE's decisions, based on its memory of the opponent or on its look-ahead."""

from __future__ import annotations

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.explanations import DecisionContext, Estimate, Explanation
from agents.policy.player_batch import PlayerArrays, Seated, WorkArrays
from agents.policy.policy_query import action_words, options_of
from agents.policy.view import Parameters, View
from agents.theses.li import boards as of_boards
from agents.theses.li import tree
from agents.theses.li.ashe1 import AshePlayer, aggression_of, forget_player
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.betting_transitions import OPPONENTS, BettingState, possible_moves
from agents.theses.li.boards import INTERVALS, boards_ahead, weights_of_holdings
from agents.theses.li.estimators import chance_of, make_distribution, read_estimator
from agents.theses.li.event_handler import opponent_of, scratch_layout, states_begin
from agents.theses.li.look_ahead import nodes_of_boards
from agents.theses.li.one_step import (
    N_OWN,
    NO_ACTION,
    fold_chance,
    own_action,
    win_chance,
    write_answers_after,
)
from agents.theses.li.shape import LEVEL, N_ANSWERS, RANGED, RECURSIVE, SHOWDOWN
from nlhe_env.game.table import NO_PLAYER, TableRecords
from nlhe_env.jit.array_types import F32, F64, I64, Float, Int
from nlhe_env.jit.compilation import kernel

_FIRST_RAISE = 2  # among the player's actions in ``one_step``
_FOLDS, _RAISES = range(2)


def explain(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """See ``agents.policy.explanations``."""
    if isinstance(player, ModelPlayer):
        table = context.tables[0]
        opponent = next(
            seat
            for seat in range(int(table["seats"]))
            if seat != context.seat and table["player"][seat] != NO_PLAYER
        )
        if player.shape.level >= RECURSIVE:
            explanation = _explain_lookahead(player, context, opponent)
        else:
            explanation = _options(player, context)._replace(estimates=_estimates(context))
        return explanation._replace(learnt={opponent: _is_known_sequence(context.memory)})
    explanation = _options(player, context)
    if isinstance(player, AshePlayer):
        explanation = explanation._replace(estimates=_aggression(player, context.memory.copy()))
    return explanation


def _options(player: CompiledPlayer, context: DecisionContext) -> Explanation:
    """Explanation with the action probabilities."""
    options = options_of(player, context.tables[0], context.work.choices[0])
    return Explanation(
        tuple(option.words for option in options), np.array([option.chance for option in options])
    )


def _aggression(player: AshePlayer, memory: F32) -> tuple[Estimate, ...]:
    """Aggression of ASHE 1.0, with and without its memory of the opponent."""
    sizes, weights = player.sizes, player.weights
    hidden = np.zeros(player.shape.hidden, np.float32)
    now = float(aggression_of(sizes, weights, memory, hidden))
    forget_player(sizes, weights, memory)
    stranger = float(aggression_of(sizes, weights, memory, hidden))
    return (
        Estimate("Aggression, -1 to 1", now),
        Estimate("Aggression against an unknown opponent", stranger),
        Estimate("Effect of its memory of the opponent", now - stranger),
    )


def _estimates(context: DecisionContext) -> tuple[Estimate, ...]:
    """Estimates of ASHE 2.0 and 2.1 for the hand."""
    found = np.full((N_OWN, 2), np.nan)
    _write_estimates(context.player, context.tables, context.seated, found)
    raises = [
        Estimate(f"Opponent folds to {int(to)}", float(folds), "share")
        for to, folds in found[1:]
        if not np.isnan(to)
    ]
    return (Estimate("Showdown win probability", float(found[0, 1]), "share"), *raises)


def _is_known_sequence(memory: F32) -> tuple[Estimate, ...]:
    """Tree statistics for the betting sequence so far."""
    node = int(tree.present_node(memory))
    if node == tree.UNKNOWN:
        return (Estimate("Hands with this betting sequence", 0.0),)
    record = memory[tree.HEAD + node * tree.NODE :][: tree.NODE].astype(float)
    count = record[tree.COUNT]
    found = [Estimate("Hands with this betting sequence", count)]
    if count > 0:
        found += [
            Estimate("Opponent folded later", record[tree.FOLDS] / count, "share"),
            Estimate("Showdowns", record[tree.SHOWDOWNS] / count, "share"),
        ]
    if record[tree.SHOWDOWNS] > 0:
        found.append(Estimate("Mean strength at showdown", record[tree.STRENGTH], "share"))
    return tuple(found)


@kernel
def _write_estimates(player: Int, tables: TableRecords, seated: Seated, found: F64) -> None:
    """Write the showdown win probability, and the amount and fold probability of each raise."""
    table, work = tables[0], seated.work
    choices = work.choices[0]
    parameters = Parameters(seated.batch.traits[player], seated.batch.weights[player])
    view = View(table, table.actor, work.inputs, choices, seated.strength_tables, work.scratch)
    memory = work.memory[player]
    found[0, 1] = win_chance(parameters, memory, view)
    own_bet = table.hand_bet[table.actor] - table.street_bet[table.actor]
    for k in range(_FIRST_RAISE, N_OWN):
        amount = own_action(table, choices, k)
        if amount != NO_ACTION:
            found[k, 0] = amount
            found[k, 1] = fold_chance(parameters, memory, view, k, own_bet + amount)


def _explain_lookahead(player: ModelPlayer, context: DecisionContext, opponent: int) -> Explanation:
    """Explain a decision by action values, their estimates and, from 2.3 on, the range.

    Args:
        player: The player that made the decision.
        context: The decision.
        opponent: Seat of the opponent.
    """
    values = np.empty(N_OWN, np.float32)
    amounts = np.empty(N_OWN, np.int64)
    answers = np.full((N_OWN, 2), np.nan)
    ranges = np.zeros(N_ANSWERS, np.float32)
    decision = context.player, context.tables, context.seated
    win = _write_beliefs(*decision, values, amounts, answers, ranges)
    able, table = np.flatnonzero(amounts != NO_ACTION), context.tables[0]
    chosen = int(context.work.choices[0]["action"][0])
    estimates = [Estimate("Showdown win probability", float(win), "share")]
    for k in able[able >= _FIRST_RAISE]:
        to = f"to {amounts[k]}"
        estimates.append(Estimate(f"Opponent folds {to}", answers[k, _FOLDS], "share"))
        estimates.append(Estimate(f"Opponent raises {to}", answers[k, _RAISES], "share"))
    explanation = Explanation(
        tuple(action_words(table, int(amounts[k])) for k in able),
        np.asarray(amounts[able] == chosen, np.float64),
        values=values[able] / np.float32(table["big_blind"]),
    )
    if player.shape.level >= RANGED:
        cards = table["cards"]
        own = cards[2 * context.seat : 2 * context.seat + 2].tolist()
        first = 2 * int(table["seats"])
        board = cards[first : first + int(table["board_cards"])].tolist()
        weights = weights_of_holdings(own, board, ranges.astype(np.float64))
        explanation = explanation._replace(ranges={opponent: weights})
        estimates += _of_ranges(ranges)
    return explanation._replace(estimates=tuple(estimates))


def _of_ranges(ranges: F32) -> list[Estimate]:
    """Range probabilities as labelled estimates."""
    limits = [int(limit) for limit in INTERVALS]
    return [
        Estimate(f"Opponent's hand ranks {low + 1} to {high} of 990", float(chance), "share")
        for low, high, chance in zip(limits, limits[1:], ranges, strict=False)
    ]


@kernel
def _write_ranges(batch: PlayerArrays, player: Int, work: WorkArrays, ranges: F32) -> None:
    """Write the range probabilities for the current states of the estimators."""
    parameters = Parameters(batch.traits[player], batch.weights[player])
    sizes = parameters.traits.sizes
    hidden = work.scratch[scratch_layout(sizes).hidden :]
    states = work.memory[player][states_begin(sizes) :]
    read_estimator(parameters, SHOWDOWN, states, hidden, ranges)
    if sizes[LEVEL] >= RANGED:
        make_distribution(ranges, (1 << N_ANSWERS) - 1)


@kernel
def _write_beliefs(
    player: Int,
    tables: TableRecords,
    seated: Seated,
    values: F32,
    amounts: I64,
    answers: F64,
    ranges: F32,
) -> Float:
    """Write the player's actions with their values, and the opponent's replies to raises.

    Returns:
        Probability of winning a showdown.
    """
    table, choices, scratch = tables[0], seated.work.choices[0], seated.work.scratch
    parameters = Parameters(seated.batch.traits[player], seated.batch.weights[player])
    sizes, memory = parameters.traits.sizes, seated.work.memory[player]
    scratch_at = scratch_layout(sizes)
    view = View(table, table.actor, seated.work.inputs, choices, seated.strength_tables, scratch)
    _write_ranges(seated.batch, player, seated.work, ranges)
    win = chance_of(ranges[0])
    if sizes[LEVEL] >= RANGED:
        begin, end = nodes_of_boards(sizes)
        n, street = boards_ahead(sizes, table.street), table.street
        win = of_boards.win_against_ranges(scratch[begin:end], n, street, 0, ranges)
    seat = table.actor
    other = opponent_of(table, seat)
    stack = np.float64(min(table.starting_stack[seat], table.starting_stack[other]))
    earlier = table.hand_bet[seat] - table.street_bet[seat]
    for k in range(N_OWN):
        values[k] = scratch[scratch_at.remaining + k]
        amounts[k] = own_action(table, choices, k)
        if k < _FIRST_RAISE or amounts[k] == NO_ACTION:
            continue
        total, opponent = earlier + amounts[k], np.float64(table.hand_bet[other])
        found = scratch[scratch_at.answers : scratch_at.answers + N_ANSWERS]
        write_answers_after(parameters, memory, view, k, total, found)
        spot = BettingState(
            np.int64(OPPONENTS), table.street, np.int64(1), np.float64(total), opponent
        )
        make_distribution(found, possible_moves(spot, stack, table.big_blind))
        answers[k, _FOLDS] = found[0]
        answers[k, _RAISES] = np.float64(1.0) - found[0] - found[1]
    return win
