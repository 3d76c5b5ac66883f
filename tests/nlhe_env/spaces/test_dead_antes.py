"""Inputs with every ante, straddle and short stack, against a count of the chips put in."""

import itertools
from collections import Counter

import numpy as np
import pytest

import nlhe_env
from nlhe_env.cards import format_cards
from nlhe_env.equity import load_tables, win_or_tie_probability
from nlhe_env.game import what_if
from nlhe_env.game.player import PLAYER
from nlhe_env.hand_history import play_hand
from nlhe_env.jit.compilation import kernel
from nlhe_env.spaces import cash_features, core_features, features, unit_features

SMALL, BIG = 10, 20
ANTES = (0, 7, 20)
STRADDLES = ("none", "under the gun", "button")


@kernel
def write_vectors(tables, players, seat, strength_tables, raw, scaled, unit, core, cash):
    table = tables[0]
    features.write_raw(table, players, seat, strength_tables, raw)
    features.write_scaled(table, players, seat, strength_tables, scaled)
    unit_features.write_unit(table, players, seat, strength_tables, unit)
    core_features.write_core(table, players, seat, strength_tables, core)
    cash_features.write_cash(table, players, seat, strength_tables, cash)


def vectors(tables, players, seat):
    found = [np.zeros(size, np.float32) for size in (35, 35, 35, 10, 14)]
    write_vectors(tables, players, seat, load_tables(), *found)
    return found


class Count:
    """The chips of one hand, counted from the rules of antes and blinds and from the actions."""

    def __init__(self, stacks, button, ante, ante_by, straddle):
        n = self.n = len(stacks)
        self.behind, self.live, self.street = list(stacks), [0] * n, [0] * n
        self.button, self.dead = button, 0
        self.folded, self.weights = [False] * n, [[] for _ in range(n)]
        small = button if n == 2 else (button + 1) % n
        big = (small + 1) % n
        if ante_by == "everyone":
            for seat in range(n):
                self.live[seat] += self.pay(seat, ante)
        self.bet(small, SMALL)
        self.bet(big, BIG)
        if ante_by == "big blind":
            self.dead = self.pay(big, ante)
        self.to_match = BIG
        seat = button if straddle == "button" else (big + 1) % n
        if straddle != "none" and n > 2 and self.behind[seat] + self.street[seat] >= 2 * BIG:
            self.bet(seat, 2 * BIG)
            self.to_match = 2 * BIG

    def pay(self, seat, chips):
        chips = min(chips, self.behind[seat])
        self.behind[seat] -= chips
        return chips

    def bet(self, seat, chips):
        paid = self.pay(seat, chips)
        self.live[seat] += paid
        self.street[seat] += paid

    def to_call(self, seat):
        return max(0, min(self.to_match - self.street[seat], self.behind[seat]))

    def pot(self, seat):
        own = self.live[seat] + self.to_call(seat)
        return self.dead + sum(min(chips, own) for chips in self.live)

    def act(self, seat, action):
        owed = self.to_match - self.street[seat]
        if action > 1:
            chips = action - self.street[seat]
            self.weights[seat].append(chips / (owed if owed > 0 else BIG))
            self.bet(seat, chips)
            self.to_match = action
        else:
            self.weights[seat].append(float(action == 1 and owed > 0))
            self.folded[seat] = action == 0
            self.bet(seat, owed if action == 1 else 0)

    def inputs(self, seat):
        """All but the win chance."""
        order = [(seat + i) % self.n for i in range(self.n)]
        nothing = [0.0] * (10 - self.n)
        aggression = [np.mean(self.weights[i]) if self.weights[i] else 0.0 for i in order] + nothing
        opponents = self.n - sum(self.folded) - 1
        position = (seat - self.button) % self.n
        stacks = [self.behind[i] for i in order] + nothing
        return [
            self.pot(seat),
            self.to_call(seat),
            opponents,
            0.0,
            position,
            *stacks,
            *aggression * 2,
        ]


def games():
    """Every combination, with players and stacks that vary: short blinds, all-ins by the ante."""
    generator = np.random.default_rng(5)
    for ante, ante_by, straddle in itertools.product(ANTES, ("everyone", "big blind"), STRADDLES):
        for n in (2, 3, 6):
            stacks = generator.choice([5, 18, 25, 33, 60, 150, 400], n).tolist()
            yield n, stacks, ante, ante_by, straddle, int(generator.integers(n))


def play(n, stacks, ante, ante_by, straddle, button, seed, record=None):
    """Decisions of a hand of random actions: the environment, and the count of the chips."""
    generator = np.random.default_rng(seed)
    env = nlhe_env.raw_env(
        n,
        mode="cash",
        actions="chips",
        starting_stack=stacks,
        blinds=nlhe_env.BlindSchedule([(SMALL, BIG, ante)], ante_by=ante_by),
        straddle=straddle,
        observation="features",
        record=record,
    )
    env.reset(seed=seed, options={"button": button})
    count = Count(stacks, button, ante, ante_by, straddle)
    street = 0
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        table = env.tables[0]
        if table["street"] > street:
            street = int(table["street"])
            count.street, count.to_match = [0] * n, 0
        seat = int(table["actor"])
        yield env, count, seat
        least, most = what_if.raise_range(table)
        options = [1, 1, 1] + ([0] if count.to_call(seat) else [])
        options += [least, least, min(most, 3 * least), most] if most else []
        action = int(generator.choice(options))
        count.act(seat, action)
        env.step(action)


def test_all_inputs_match_a_count_of_the_chips():
    seen = Counter()
    for number, game in enumerate(games()):
        for env, count, seat in play(*game, seed=number):
            raw, scaled, unit, core, cash = vectors(env.tables, env.players, seat)
            np.testing.assert_array_equal(
                env.observe(env.agent_selection)["observation"], raw, err_msg=str(game)
            )
            table, expected = env.tables[0], count.inputs(seat)
            cards, n_board = table["cards"].tolist(), int(table["board_cards"])
            expected[features.WIN_CHANCE] = win = win_or_tie_probability(
                format_cards(cards[2 * seat : 2 * seat + 2]),
                format_cards(cards[2 * count.n : 2 * count.n + n_board]),
                n_opponents=expected[2],
            )
            np.testing.assert_allclose(raw, expected, rtol=1e-5, err_msg=str(game))
            pot, call = expected[:2]
            price = call / (pot + call)
            assert scaled[0] == pytest.approx(pot / (10 * BIG), rel=1e-5)
            assert unit[0] == pytest.approx(min(4 * price - 1, 1), abs=1e-5)
            surplus = min(max(4 * (win - price) / (1 - price), -4), 4)
            assert core[:3:2] == pytest.approx([surplus, 4 * price - 0.8], abs=1e-4)
            stack = count.behind[seat]
            assert cash[5:7] == pytest.approx(
                [
                    0.5 * np.log2(1 + pot / BIG) - 1,
                    0.5 * np.log2(1 + stack / pot) - 1,
                ],
                abs=1e-4,
            )
            seen["dead"] += count.dead > 0
            seen["part of the ante"] += 0 < count.dead < table["ante"]
            seen["all-in"] += 0 in count.behind
            seen["straddle"] += int(table["straddle"]) > 0
            seen["capped by own chips"] += pot < int(table["pot"])
    assert min(seen.values()) > 20, seen
    assert len(seen) == 5


def test_replays_show_players_the_numbers_of_the_live_table():
    players = np.zeros(10, PLAYER)
    for number, game in enumerate(games()):
        hands = []
        live = []
        for env, _, seat in play(*game, seed=number, record=hands):
            live.append((seat, vectors(env.tables, players, seat)))
        (hand,) = hands
        replayed = []
        for step in play_hand(hand):
            table = np.array([step.table])
            if table["actor"][0] >= 0:
                place = int(table["actor"][0])
                replayed.append((hand.seats[place], vectors(table, players, place)))
        assert [seat for seat, _ in replayed] == [seat for seat, _ in live]
        for (_, before), (_, after) in zip(live, replayed, strict=True):
            for one, other in zip(before, after, strict=True):
                np.testing.assert_array_equal(one, other, err_msg=str(game))
