"""Invariants of every hand, checked over very many random ones."""

import numba
import numpy as np
import pytest
from helpers import snapshot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nlhe_env
from nlhe_env.game import betting, holdem, validity
from nlhe_env.game import random_stream as rng
from nlhe_env.game.rake import NO_CAP
from nlhe_env.game.table import ACTIVE, ALL_IN, BY_BIG_BLIND, MAX_SEATS, empty_tables
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces import actions

N_HANDS = 150 if numba.config.DISABLE_JIT else 60_000  # plain Python takes its time

# Why a hand is wrong.
FINE = 0
CHIPS_NOT_CONSERVED = 1
NEGATIVE_CHIPS = 2
TOO_MANY_DECISIONS = 3
WRONG_POT = 4
EMPTY_MASK = 5
NO_DECISION_LEFT = 6
WRONG_RAISE_RANGE = 7
WRONG_PAYOUT = 8
WRONG_STACK = 9
INVALID_RECORD = 10

WON, DECISIONS, SHOWDOWNS, POTS, MOST_DECISIONS, STRADDLES, DEAD_ANTES, RAKED, TWO_BOARDS = range(9)


@kernel
def number(seed, hand, i, n):
    """A random number below n, the i-th of a hand."""
    word, _ = rng.draw(seed, rng.DECISIONS, i, hand, 0, 0)
    k, _ = rng.digit(word, np.uint64(n))
    return np.int64(k)


@kernel
def play_random_hands(table_arrays, first, n, options, ranks, split, mask, no_fractions, counts):
    """Play hands by random legal actions; returns what is wrong and with which hand."""
    seed = np.uint64(4)
    for hand in range(first, first + n):
        table = table_arrays[hand % len(table_arrays)]
        seats = table.seats
        chips = 0
        players = 2 + number(seed, hand, 0, seats - 1)
        deep = number(seed, hand, 1, 3)
        table.players = 0
        for seat in range(seats):
            left = seats - seat
            table.player[seat] = -1
            table.stack[seat] = 0
            if number(seed, hand, 10 + seat, left) < players - table.players:
                table.player[seat] = seat
                table.players += 1
                most = 30 if deep == 0 else (300 if deep == 1 else 5000)
                table.stack[seat] = 1 + number(seed, hand, 20 + seat, most)
            chips += table.stack[seat]
        table.hands_dealt = 1
        ante = max(0, number(seed, hand, 2, 60) - 30)
        big_blind = 2 + number(seed, hand, 3, 30)
        small_blind = number(seed, hand, 4, big_blind + 1)
        if options:
            draw_options(table, seed, hand)
        holdem.start_hand(table, hand, small_blind, big_blind, ante, seed, 0)

        decisions = 0
        while table.actor >= 0:
            wrong = check_decision(table, chips)
            if wrong != FINE:
                return wrong, hand
            least, most = betting.legal_raise(table)
            u = number(seed, hand, 100 + decisions, 100)
            actions.write_mask(table, actions.SIZED, no_fractions, mask)
            if mask.sum() == 0 or mask[1] == 0:
                return EMPTY_MASK, hand
            if u < 35 and least > 0:
                action = least + number(seed, hand, 5000 + decisions, most - least + 1)
                if u < 15:
                    action = least
                elif u < 18:
                    action = most
            elif mask[0] and u > 75:
                action = -1
            else:
                action = 0
            holdem.act(table, action)
            decisions += 1
            if decisions > 2000:
                return TOO_MANY_DECISIONS, hand
        holdem.settle(table, ranks)
        wrong = check_result(table, chips, ranks, split)
        if wrong != FINE:
            return wrong, hand
        counts[WON] += 1
        counts[DECISIONS] += decisions
        counts[SHOWDOWNS] += table.showdown
        counts[POTS] += table.pots
        counts[MOST_DECISIONS] = max(counts[MOST_DECISIONS], decisions)
        counts[STRADDLES] += table.straddle > 0
        counts[DEAD_ANTES] += table.dead_ante > 0
        counts[RAKED] += table.rake > 0
        counts[TWO_BOARDS] += table.shared_cards < 5
    return FINE, -1


@kernel
def draw_options(table, seed, hand):
    table.ante_by = number(seed, hand, 40, 2)
    table.straddling = number(seed, hand, 41, 3)
    table.boards = 1 + number(seed, hand, 42, 2)
    table.rake_share = number(seed, hand, 43, 3) * 33_333
    table.rake_cap = 20 if number(seed, hand, 44, 2) else NO_CAP
    table.rake_needs_flop = number(seed, hand, 45, 2)


@kernel
def check_decision(table, chips):
    total = 0
    bets = 0
    able = 0
    unfolded = 0
    for seat in range(table.seats):
        if table.stack[seat] < 0 or table.street_bet[seat] < 0 or table.hand_bet[seat] < 0:
            return NEGATIVE_CHIPS
        total += table.stack[seat] + table.hand_bet[seat]
        bets += table.hand_bet[seat]
        able += table.status[seat] == ACTIVE
        unfolded += table.status[seat] == ACTIVE or table.status[seat] == ALL_IN
        if table.stack[seat] + table.hand_bet[seat] != table.starting_stack[seat]:
            return WRONG_STACK
    if total != chips:
        return CHIPS_NOT_CONSERVED
    if bets != table.pot:
        return WRONG_POT
    if able != table.active or unfolded != table.unfolded or unfolded < 2:
        return WRONG_STACK
    seat = table.actor
    if table.status[seat] != ACTIVE or table.stack[seat] <= 0:
        return NO_DECISION_LEFT
    to_call = betting.amount_to_call(table)
    if to_call < 0 or to_call > table.stack[seat] or (able < 2 and to_call == 0):
        return NO_DECISION_LEFT
    least, most = betting.legal_raise(table)
    if validity.find_fault(table, MAX_SEATS) != 0:
        return INVALID_RECORD
    if least > most or most > table.street_bet[seat] + table.stack[seat]:
        return WRONG_RAISE_RANGE
    if most > 0:
        if least <= table.current_bet:
            return WRONG_RAISE_RANGE
        if least < table.current_bet + table.big_blind and least != most:
            return WRONG_RAISE_RANGE
    return FINE


@kernel
def check_result(table, chips, ranks, split):
    """Compare what was paid with a split by layers of one chip."""
    total = 0
    won = 0
    for seat in range(table.seats):
        if table.stack[seat] < 0 or table.won[seat] < 0:
            return NEGATIVE_CHIPS
        total += table.stack[seat]
        won += table.won[seat]
    if total + table.rake != chips or table.pot != 0:
        return CHIPS_NOT_CONSERVED
    size = 0
    for pot in range(table.pots):
        if table.pot_size[pot] < 0 or (table.pot_winners[pot] & ~table.pot_eligible[pot]) != 0:
            return WRONG_POT
        size += table.pot_size[pot]
    if size != won:
        return WRONG_POT

    # Independently: layer k holds the k-th chip of every player who put in k. It belongs to the
    # best hands among those still in; layers with the same claimants are one pot. The ante of a big
    # blind who pays it for all lies below the first layer.
    split[:] = 0
    dead = 0
    if table.ante_by == BY_BIG_BLIND:
        dead = table.dead_ante
        table.hand_bet[betting.big_blind_seat(table)] -= dead
    deepest = 0
    claimants = 0
    for seat in range(table.seats):
        deepest = max(deepest, table.hand_bet[seat])
        if table.status[seat] == ACTIVE or table.status[seat] == ALL_IN:
            claimants |= 1 << seat
    pot = dead
    gone = 0  # chips of the pots so far
    taken = 0  # rake of the pots so far
    for layer in range(1, deepest + 2):
        bits = 0
        layer_chips = 0
        for seat in range(table.seats):
            if table.hand_bet[seat] >= layer:
                layer_chips += 1
                if table.status[seat] == ACTIVE or table.status[seat] == ALL_IN:
                    bits |= 1 << seat
        if bits != claimants:
            gone += pot
            rake = 0
            if table.board_cards > 0 or table.rake_needs_flop == 0:
                rake = min(gone * table.rake_share // 1_000_000, table.rake_cap) - taken
            taken += rake
            pay(table, pot - rake, claimants, ranks, split)
            pot = 0
            claimants = bits
        pot += layer_chips
    if pot != 0 or taken != table.rake:
        return WRONG_POT
    if table.ante_by == BY_BIG_BLIND:
        table.hand_bet[betting.big_blind_seat(table)] += dead
    for seat in range(table.seats):
        if split[seat] != table.won[seat]:
            return WRONG_PAYOUT
        if table.stack[seat] != table.starting_stack[seat] - table.hand_bet[seat] + split[seat]:
            return WRONG_PAYOUT
    return FINE


@kernel
def pay(table, pot, claimants, ranks, split):
    if table.shared_cards == 5:
        pay_board(table, pot, claimants, ranks, split)
        return
    pay_board(table, pot - pot // 2, claimants, ranks, split)
    for board in range(2):  # there and back again
        for i in range(2 * table.seats + table.shared_cards, 2 * table.seats + 5):
            card = table.cards[i]
            table.cards[i] = table.cards[i + 5]
            table.cards[i + 5] = card
        if board == 0:
            pay_board(table, pot // 2, claimants, ranks, split)


@kernel
def pay_board(table, pot, claimants, ranks, split):
    if claimants == 0:
        return
    ranks[:] = 0
    if table.showdown:
        holdem.hand_ranks(table, ranks)
    best = -1
    for seat in range(table.seats):
        if (claimants >> seat) & 1:
            best = max(best, ranks[seat])
    winners = 0
    for seat in range(table.seats):
        if (claimants >> seat) & 1 and ranks[seat] == best:
            winners += 1
    seat = table.button
    given = 0
    for _ in range(table.seats):
        seat = (seat + 1) % table.seats
        if (claimants >> seat) & 1 and ranks[seat] == best:
            split[seat] += pot // winners + (given < pot % winners)
            given += 1


@pytest.mark.parametrize("options", [False, True])
def test_random_hands_conserve_chips_and_pay_like_a_chip_by_chip_split(options):
    tables = np.concatenate([empty_tables(1, seats) for seats in range(2, MAX_SEATS + 1)])
    counts = np.zeros(9, np.int64)
    scratch = [np.zeros(MAX_SEATS, np.int64) for _ in range(2)]
    wrong, hand = play_random_hands(
        tables, 0, N_HANDS, options, *scratch, np.zeros(5, np.int8), np.zeros(0), counts
    )
    assert (wrong, hand) == (FINE, -1)
    assert (counts[STRADDLES:] > N_HANDS / 20).all() if options else not counts[STRADDLES:].any()
    assert counts[WON] == N_HANDS
    assert counts[DECISIONS] > 3 * N_HANDS
    assert counts[SHOWDOWNS] > N_HANDS / 5
    assert counts[POTS] > 1.2 * N_HANDS
    assert counts[MOST_DECISIONS] > 20


def environment(encoding, n, stacks, blinds, mode):
    return nlhe_env.raw_env(
        n, starting_stack=stacks[:n], blinds=blinds, mode=mode, num_hands=2, actions=encoding
    )


@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    encoding=st.sampled_from([(0.5, 1.0), (), (0.1, 0.33, 0.75, 2.0, 5.0), "chips", "sized"]),
    n=st.integers(2, 10),
    stacks=st.lists(st.integers(1, 40), min_size=10, max_size=10),
    blinds=st.sampled_from([(1, 2), (1, 2, 1), (0, 2), (5, 10), (2, 5, 3)]),
    mode=st.sampled_from(["cash", "tournament"]),
    seed=st.integers(0, 2**64 - 1),
    data=st.data(),
)
def test_every_legal_id_is_accepted_and_every_other_refused(
    encoding, n, stacks, blinds, mode, seed, data
):
    env = environment(encoding, n, stacks, blinds, mode)
    env.reset(seed=seed)
    size = env.action_space("player_0").n
    for _ in range(200):
        if not env.agents:
            break
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            env.step(None)
            continue
        mask = env.observe(agent)["action_mask"]
        legal = np.flatnonzero(mask)
        assert len(legal) > 0
        before = snapshot(env)
        copied = (dict(env.rewards), dict(env._cumulative_rewards), dict(env.infos[agent]))
        illegal = [*np.flatnonzero(mask == 0).tolist(), -1, -2, size, size + 5]
        for action in data.draw(st.lists(st.sampled_from(illegal), max_size=4)):
            with pytest.raises(nlhe_env.IllegalActionError, match="got"):
                env.step(action)
            assert snapshot(env) == before
            assert env.agent_selection == agent
            assert copied == (env.rewards, env._cumulative_rewards, env.infos[agent])
        env.step(data.draw(st.sampled_from(legal.tolist())))
        assert snapshot(env) != before


@settings(max_examples=25, deadline=None)
@given(
    encoding=st.sampled_from([(0.5, 1.0), (0.25, 0.5, 0.75, 1.0, 2.0), "chips"]),
    stacks=st.lists(st.integers(1, 60), min_size=4, max_size=4),
    seed=st.integers(0, 2**32),
    choices=st.lists(st.integers(0, 10**6), min_size=12, max_size=12),
)
def test_every_legal_id_has_a_different_effect(encoding, stacks, seed, choices):
    env = environment(encoding, 4, stacks, (1, 2), "cash")
    env.reset(seed=seed)
    for choice in choices:
        if not env.agents or env.terminations[env.agent_selection]:
            return
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()
        meanings = [resulting_tables(env, action) for action in legal]
        assert len(set(meanings)) == len(legal)
        env.step(legal[choice % len(legal)])


def resulting_tables(env, action):
    """The tables that an action leads to; the environment itself is restored."""
    saved = env.save()
    env.step(action)
    result = env.tables.tobytes()
    env.restore(saved)
    return result
