"""The exact best response to players who ignore their cards."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import agents
from agents.bounds import best_response_to_blind
from agents.bounds.blind_response import CLASSES, table_of_rivers, value_flop
from agents.bounds.holdings import N_OPPOSING, N_SCRATCH, Holdings, write_margins, write_ranks
from agents.bounds.limit_betting import LimitBetting, run
from agents.solvers.cards import Boards, of_holdem
from agents.solvers.public_game import PublicGame
from agents.solvers.public_tree import DECISION, Betting, grow
from nlhe_env import Game
from nlhe_env.cards import parse_cards
from nlhe_env.equity.calculator.showdown_tables import showdown_tables
from nlhe_env.equity.tables.cells import card_bit
from nlhe_env.equity.tables.suits import number_flops
from nlhe_env.evaluator import evaluate
from nlhe_env.game.table import CHECK_OR_CALL, FIXED_LIMIT, FOLD

CALLS, RAISES, EITHER = (0, 1, 0), (0, 0, 1), (0, 0.5, 0.5)
LIMIT = Game.cash(starting_stack=4000, blinds=(50, 100), betting="fixed-limit")
MARGINS = np.arange(-N_OPPOSING, N_OPPOSING + 1) / N_OPPOSING


def betting_against(chances):
    return LimitBetting(LIMIT, lambda table: chances)


def worth(program, inputs):
    values = np.empty((len(program.kind), inputs.shape[1]))
    run(program, np.ascontiguousarray(inputs), values)
    return values[program.roots]


def margins_on(board):
    holdings = Holdings.without(0)
    ranks, margins = np.zeros((2, len(holdings.sets)), np.int64)
    cards = sum(card_bit(card) for card in board)
    write_ranks(cards, holdings.sets, holdings.columns, showdown_tables(), ranks)
    scratch = np.zeros(N_SCRATCH + len(ranks), np.int32)
    write_margins(cards, holdings, ranks, scratch, margins)
    return holdings.cards, margins


@pytest.mark.parametrize("text", ["2h7s8s9dTc", "AsKsQsJsTs", "4h4d4s4c9h", "2s5s9sKdKc"])
def test_margins_are_what_counting_every_pair_of_hands_gives(text):
    board = parse_cards(text)
    cards, margins = margins_on(board)
    free = ~np.isin(cards, board).any(axis=1)
    ranks = evaluate(np.column_stack([cards[free], np.tile(board, (free.sum(), 1))]))
    held = cards[free]
    for mine in range(0, len(held), 97):
        apart = ~np.isin(held, held[mine]).any(axis=1)
        assert apart.sum() == N_OPPOSING
        expected = (ranks[mine] > ranks[apart]).sum() - (ranks[mine] < ranks[apart]).sum()
        assert margins[free][mine] == expected


def test_flops_of_all_kinds_against_who_always_calls():
    """Every twelfth, to the digits that all flops were counted with.

    All together give 1.163475762 (``benchmarks/bench_blind_response.py``); Billings 2006 estimates
    what his best responses win at 1.175.
    """
    response = best_response_to_blind(CALLS, flops=range(0, 1755, 12))
    assert response.value == pytest.approx(1.169134032, abs=5e-10)


def test_always_folding_loses_the_blinds():
    response = best_response_to_blind((1, 0, 0), flops=[3])
    assert (response.value, response.on_button, response.in_big_blind) == (0.75, 1.0, 0.5)


def test_the_river_against_who_always_raises_is_the_closed_form():
    """Four bets with what is ahead on average; else fold, or call the one bet, whatever is less."""
    river = worth(betting_against(RAISES).programs[3], MARGINS[np.newaxis])
    stakes = range(1, 17)
    known = [
        np.where(MARGINS >= 0, (s + 8) * MARGINS, np.maximum(-s, (s + 2) * MARGINS)) for s in stakes
    ]
    for row in river:
        assert min(np.abs(row - each).max() for each in known) < 1e-12


def test_strong_hands_on_the_river_raise_who_raises_half_of_the_time():
    river = worth(betting_against(EITHER).programs[3], MARGINS[np.newaxis])
    slopes = {round(float(row[-1]), 9) for row in river}  # of a hand that cannot lose
    first, second = ({s + extra for s in range(1, 17)} for extra in (4.5, 5.25))
    assert slopes <= first | second
    assert slopes & first
    assert slopes & second


def limit_turn(board, pot):
    """The turn and the river as a game of ``agents.solvers``, first to act in the big blind."""
    boards = Boards.after(board)
    held = np.array([h for h in itertools.combinations(range(52), 2) if not set(h) & set(board)])
    betting = Betting(
        stacks=(10_000, 10_000),
        full_bets=(200, 200),
        pot=pot,
        structure=FIXED_LIMIT,
        max_bets=4,
    )
    cards = of_holdem([held, held], [np.ones(len(held))] * 2, boards)
    return held, PublicGame(grow(betting, boards.following.__getitem__), cards, np.float64)


def acting_blindly(game, call, rise):
    strategy = np.zeros((game.tree.rows, int(game.cards.n_hands.max())))
    for node in np.flatnonzero(game.tree.kind == DECISION):
        steps = [int(game.tree.step[child]) for child in game.tree.children(node)]
        raises = any(step > 0 for step in steps)
        for i, step in enumerate(steps):
            if step == FOLD:
                continue
            chance = rise if step > 0 else call if raises else 1.0
            assert step >= CHECK_OR_CALL
            strategy[game.tree.row[node] + i] = chance
    return strategy


@pytest.mark.slow
@pytest.mark.parametrize("chances", [CALLS, RAISES, EITHER])
def test_the_turn_agrees_with_the_public_tree(chances):
    board = parse_cards("KsTh7s4d")
    held, game = limit_turn(board, pot=600)
    strategy = acting_blindly(game, *chances[1:])
    programs = betting_against(chances).programs
    flop = parse_cards("KsTh7s")
    turn = parse_cards("4d")[0]
    found = turn_worth(flop, turn, held, programs)
    for player in range(2):
        known = game.values(strategy, player, 1) / game.met(player) / 100
        nearest = np.abs(found - known).max(axis=1)
        assert nearest.min() < 1e-9  # one of the ways to the turn leads to this seat and pot


def turn_worth(flop, turn, held, programs):
    """``(n_roots, n)`` what the turn is worth with every hand, by all rivers, hand by hand."""
    rivers = [card for card in range(52) if card not in (*flop, turn)]
    total = np.zeros((len(programs[3].roots), len(held)))
    counts = np.zeros(len(held))
    for river in rivers:
        cards, margins = margins_on((*flop, turn, river))
        number = {tuple(sorted(pair)): i for i, pair in enumerate(cards.tolist())}
        free = ~(held == river).any(axis=1)
        places = [number[tuple(sorted(pair))] for pair in held[free].tolist()]
        total[:, free] += worth(programs[3], margins[places][np.newaxis] / N_OPPOSING)
        counts += free
    return worth(programs[2], total / counts)


def test_a_flop_against_who_always_calls_is_three_choices_of_a_bet():
    """All hands of two classes, each with every turn, river and opposing hand, one by one."""
    programs = betting_against(CALLS).programs
    rivers, which = table_of_rivers(programs[3])
    numbering = number_flops()
    k = 1000
    model = numbering.models[k]
    sums, counts = value_flop(model, numbering.hole_columns[k], rivers, which, programs)
    flop = tuple(int(card) for card in model)
    hands = [h for h in itertools.combinations(range(51, -1, -1), 2) if not set(h) & set(flop)]
    chosen = [h for h in hands if h[0] >> 2 == h[1] >> 2 == 9][:1]
    chosen += [h for h in hands if (h[0] >> 2, h[1] >> 2) == (12, 3) and h[0] & 3 == h[1] & 3][:1]
    for hand in chosen:
        one_class = CLASSES[hand[0] * (hand[0] - 1) // 2 + hand[1]]
        alike = [h for h in hands if CLASSES[h[0] * (h[0] - 1) // 2 + h[1]] == one_class]
        assert counts[one_class] == len(alike)
        known = np.zeros(5)
        for one in alike:
            known += np.array([always_called(one, flop, stake) for stake in range(1, 6)])
        for root in sums[:, one_class]:
            assert min(abs(root - known)) < 1e-9


def always_called(hand, flop, stake):
    """Bets of one, two and two on the streets, each where the hand is ahead on average."""
    turns = []
    for turn in range(52):
        if turn in (*hand, *flop):
            continue
        shares = []
        for river in range(52):
            if river in (*hand, *flop, turn):
                continue
            shares.append(margin_of(hand, (*flop, turn, river)))
        turns.append(np.array(shares))

    def after(bets):
        return np.mean(
            [
                max(
                    np.mean([max((stake + bets + b) * m, (stake + bets + b + 2) * m) for m in of])
                    for b in (0, 2)
                )
                for of in turns
            ]
        )

    return max(after(0), after(1))


KNOWN_MARGINS: dict[tuple[int, ...], dict[tuple[int, int], int]] = {}


def margin_of(hand, board):
    key = tuple(sorted(board))
    if key not in KNOWN_MARGINS:
        cards, margins = margins_on(key)
        KNOWN_MARGINS[key] = dict(zip(map(tuple, cards.tolist()), margins.tolist(), strict=True))
    return KNOWN_MARGINS[key][tuple(sorted(hand, reverse=True))] / N_OPPOSING


def test_players_are_asked():
    """A third of the call-or-raise player's raises are possible in fixed-limit."""
    asked = best_response_to_blind(agents.make("calling-machine"), flops=[0, 900])
    assert asked == best_response_to_blind(CALLS, flops=[0, 900])
    asked = best_response_to_blind(agents.make("hothead-maniac"), flops=[0, 900], threads=2)
    assert asked == best_response_to_blind(RAISES, flops=[0, 900])


def test_who_looks_at_cards_is_refused():
    with pytest.raises(ValueError, match="TightPassive looks at its cards"):
        best_response_to_blind(agents.make("tight-passive"))
    with pytest.raises(ValueError, match="has memory"):
        best_response_to_blind(agents.make("opponent-frequency"))


def test_chances_are_checked():
    with pytest.raises(ValueError, match="chances must sum to 1"):
        best_response_to_blind((0.5, 0.5, 0.5))
    with pytest.raises(ValueError, match=r"flops must be in 0 \.\. 1754"):
        best_response_to_blind(CALLS, flops=[1755])
