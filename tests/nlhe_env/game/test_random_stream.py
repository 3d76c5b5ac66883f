"""The random stream: published answers, uniform deals, unbiased digits."""

import numpy as np
import pytest
from scipy import stats

from nlhe_env.game import dealing
from nlhe_env.game import random_stream as rng
from nlhe_env.game.table import empty_tables
from nlhe_env.jit.compilation import kernel

N_DEALS = 52_000


def words(counter, key):
    low, high = rng.philox(*(np.uint64(c) for c in counter), np.uint64(key[0] | key[1] << 32))
    return [f"{int(word) >> shift & 0xFFFFFFFF:08x}" for word in (low, high) for shift in (0, 32)]


@pytest.mark.parametrize(
    ("counter", "key", "answer"),
    [
        ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_philox_matches_the_published_outputs(counter, key, answer):
    # kat_vectors of Random123 by the authors of the generator, philox4x32 with 10 rounds.
    assert words(counter, key) == answer.split()


@kernel
def deal_many(tables, seeds, counts, pairs):
    table = tables[0]
    for i in range(len(seeds)):
        table.hand = i
        table.preset_cards = 0
        dealing.deal(table, seeds[i], 3)
        for position in range(25):
            counts[position, table.cards[position]] += 1
        pairs[table.cards[0], table.cards[20]] += 1


@pytest.fixture(scope="module")
def deals():
    counts = np.zeros((25, 52), np.int64)
    pairs = np.zeros((52, 52), np.int64)
    seeds = np.full(N_DEALS, 12345, np.uint64)
    deal_many(empty_tables(1, 10), seeds, counts, pairs)
    return counts, pairs


def test_every_card_is_equally_likely_in_every_position(deals):
    counts, _ = deals
    assert (counts.sum(axis=1) == N_DEALS).all()
    p_values = [stats.chisquare(row).pvalue for row in counts]
    assert min(p_values) > 1e-4
    assert stats.kstest(p_values, "uniform").pvalue > 1e-4


def test_two_positions_never_hold_the_same_card_and_are_otherwise_independent(deals):
    _, pairs = deals
    assert (np.diagonal(pairs) == 0).all()
    off_diagonal = pairs[~np.eye(52, dtype=bool)]
    assert stats.chisquare(off_diagonal).pvalue > 1e-4


def test_a_deal_is_a_permutation_of_the_deck():
    tables = empty_tables(1, 10)
    for seed in range(100):
        seeds = np.array([seed], np.uint64)
        deal_many(tables, seeds, np.zeros((25, 52), np.int64), np.zeros((52, 52), np.int64))
        assert sorted(tables["cards"][0].tolist()) == list(range(52))


@kernel
def count_digits(seed, sizes, counts):
    for i in range(200_000):
        word, _ = rng.draw(seed, rng.CARDS, 0, i, 0, 0)
        for j in range(len(sizes)):
            k, word = rng.digit(word, np.uint64(sizes[j]))
            counts[j, k] += 1


def test_digits_drawn_from_one_word_are_uniform():
    sizes = np.array([52, 51, 50, 49])
    counts = np.zeros((4, 52), np.int64)
    count_digits(np.uint64(9), sizes, counts)
    for size, row in zip(sizes, counts, strict=True):
        assert (row[size:] == 0).all()
        assert stats.chisquare(row[:size]).pvalue > 1e-4


@pytest.mark.parametrize("word", [0, 1, 2**63, 2**64 - 1, 0x123456789ABCDEF0, 0xFFFFFFFF00000000])
@pytest.mark.parametrize("n", [1, 2, 10, 52])
def test_a_digit_is_the_floor_of_n_times_the_word_fraction(word, n):
    digit, rest = rng.digit(np.uint64(word), np.uint64(n))
    assert int(digit) == word * n >> 64
    assert int(rest) == word * n % 2**64


def test_units_lie_in_the_half_open_interval():
    assert rng.unit(np.uint64(0)) == 0.0
    assert rng.unit(np.uint64(2**64 - 1)) == 1.0 - 2.0**-53


@kernel
def draw_decisions(out):
    for i in range(len(out)):
        out[i, 0], out[i, 1], out[i, 2] = rng.decision_units(np.uint64(3), i % 7, i, 2, 0)


def test_numbers_of_a_decision_are_uniform_and_independent():
    units = np.empty((200_000, 3))
    draw_decisions(units)
    assert units.min() >= 0
    assert units.max() < 1
    for column in units.T:
        assert stats.kstest(column, "uniform").pvalue > 1e-4
    cells = (units * 8).astype(int) @ [64, 8, 1]
    assert stats.chisquare(np.bincount(cells, minlength=512)).pvalue > 1e-4


def test_streams_of_different_purposes_differ():
    seed = np.uint64(1)
    drawn = {rng.draw(seed, domain, 0, 0, 0, 0) for domain in range(4)}
    drawn |= {rng.draw(seed, 0, 1, 0, 0, 0), rng.draw(seed, 0, 0, 1, 0, 0)}
    drawn |= {rng.draw(seed, 0, 0, 0, 1, 0), rng.draw(seed, 0, 0, 0, 0, 1)}
    assert len(drawn) == 8


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_invalid_seeds_are_refused(seed):
    with pytest.raises(ValueError, match="seed must be an integer"):
        rng.make_seed(seed)


def test_seeds_of_any_integer_type_are_accepted():
    assert rng.make_seed(2**64 - 1) == 2**64 - 1
    assert rng.make_seed(np.uint32(7)) == 7
    assert 0 <= rng.make_seed(None) < 2**64
