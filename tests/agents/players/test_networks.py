"""Networks: what they compute, in every shape, and at the ends of their sigmoids."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import genome

import agents
import nlhe_env
from agents.players.networks import network, networks, pack_networks
from agents.players.networks.dense_kernels import write_sums
from agents.policy.player_batch import distinct_rows
from nlhe_env.numerics import portable_math
from nlhe_env.numerics.portable_math import sigmoid32
from nlhe_env.spaces.observations import find_observation


def forward(weights, inputs):
    outputs = np.zeros(network.OUTPUT_SPACE, np.float32)
    network.forward(weights, inputs.astype(np.float32), outputs)
    return outputs[:5]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def plain_forward(weights, inputs):
    weights = weights.astype(np.float64)
    to_hidden = weights[:700].reshape(35, 20)
    hidden = sigmoid(inputs.astype(np.float32).astype(np.float64) @ to_hidden + weights[700:720])
    return sigmoid(hidden @ weights[720:820].reshape(20, 5) + weights[820:])


@pytest.mark.parametrize("scale", [0.1, 0.5, 3.0])
def test_network_matches_plain_arithmetic(scale):
    generator = np.random.default_rng(0)
    for seed in range(50):
        weights = genome(seed, scale)
        inputs = generator.random(35)
        np.testing.assert_allclose(
            forward(weights, inputs), plain_forward(weights, inputs), rtol=0, atol=1e-5
        )


def test_a_corner_of_the_network_computed_by_hand():
    # Inputs 0 and 1, hidden units 0 and 1 and output 0 form a 2-2-1 network.
    weights = np.zeros(825, np.float32)
    weights[[0, 1]] = 0.5, -1.0  # links of input 0
    weights[[20, 21]] = 0.25, 2.0  # links of input 1
    weights[[700, 701]] = 0.1, -0.2  # bias of the hidden units
    weights[[720, 725]] = 1.5, -0.5  # links of hidden units 0 and 1 to output 0
    weights[820] = 0.3  # bias of output 0
    inputs = np.zeros(35)
    inputs[:2] = 2.0, 0.4
    # hidden 0: 1.0 + 0.1 + 0.1 = 1.2 -> 0.768525; hidden 1: -2.0 + 0.8 - 0.2 = -1.4 -> 0.197816
    # output 0: 1.152787 - 0.098908 + 0.3 = 1.353879 -> 0.794763
    outputs = forward(weights, inputs)
    assert outputs[0] == pytest.approx(0.794763, abs=1e-6)
    assert outputs[1:] == pytest.approx(0.5)


def test_network_is_finite_with_huge_inputs():
    outputs = forward(genome(1), np.full(35, 1e9))
    assert np.isfinite(outputs).all()
    assert ((outputs >= 0) & (outputs <= 1)).all()


def any_forward(weights, hidden, inputs):
    player = agents.NetworkPlayer(weights, hidden=hidden)
    units, outputs = np.zeros(2 * max(35, *hidden), np.float32), np.zeros(8, np.float32)
    inputs = inputs.astype(np.float32)
    network.forward_any(player.weights, player.sizes, inputs, units, outputs)
    return outputs[:5]


@pytest.mark.parametrize("most", [1.0, 20.0, 1500.0])
def test_the_generic_kernel_equals_the_published_one_bit_for_bit(most):
    generator = np.random.default_rng(1)
    for seed in range(50):
        inputs = most * generator.random(35)
        np.testing.assert_array_equal(
            any_forward(genome(seed), (20,), inputs), forward(genome(seed), inputs)
        )


@pytest.mark.parametrize("most", [1.0, 20.0, 1500.0])
def test_saturated_hidden_units_change_no_bit(most):
    generator = np.random.default_rng(2)
    at_ends = 0
    for seed in range(50):
        weights, inputs = genome(seed), (most * generator.random(35)).astype(np.float32)
        sums = weights[700:720].copy()
        for i in range(35):
            sums += inputs[i] * weights[20 * i : 20 * i + 20]
        at_ends += np.count_nonzero(np.abs(sums) > 87)
        outputs = weights[820:].copy()
        for j in range(20):
            outputs += sigmoid32(sums[j]) * weights[720 + 5 * j : 725 + 5 * j]
        expected = [sigmoid32(total) for total in outputs]
        np.testing.assert_array_equal(forward(weights, inputs), np.array(expected, np.float32))
    assert (at_ends == 0) == (most == 1.0)


@pytest.mark.parametrize(
    ("most", "scale", "known"),
    [(1500.0, 0.5, range(1, 100)), (5000.0, 0.1, range(1, 100)), (1.0, 0.5, range(1))],
)
def test_an_irrelevant_win_probability_changes_no_bit(most, scale, known):
    generator = np.random.default_rng(3)
    indifferent = 0
    for seed in range(100):
        weights, inputs = genome(seed, scale), (most * generator.random(35)).astype(np.float32)
        weights[60:80] *= 2000  # the links of the win chance
        inputs[3] = np.nan
        found = np.full(network.OUTPUT_SPACE, -1, np.float32)
        is_so = network.forward_for_any_win_chance(weights, inputs, found)
        outputs = []
        for chance in (0.0, 1.0, *generator.random(5)):
            inputs[3] = chance
            outputs.append(forward(weights, inputs))
        if is_so:
            indifferent += 1
            for each in outputs:
                np.testing.assert_array_equal(each.view(np.int32), found[:5].view(np.int32))
        else:
            assert (found == -1).all()
    assert indifferent in known


def late_and_early(weights, hidden, inputs):
    """Networks that look the win chance up where it matters, and the same that always do."""
    batch = pack_networks(weights, inputs=inputs, hidden=hidden)
    always = replace(networks.NETWORK, looks_up_late=False)
    return batch, replace(batch, kinds=(always,))


@pytest.mark.parametrize(
    ("inputs", "hidden", "scale"),
    [
        ("features", (20,), 1.0),
        ("features", (20,), 0.005),
        ("features", (7,), 1.0),
        ("features_scaled", (20,), 1.0),
    ],
)
def test_lazy_win_probability_lookup_does_not_change_play(inputs, hidden, scale):
    length = network.count_weights(35, hidden)
    weights = np.array([genome(i, 0.5, length) for i in range(30)])
    weights[:, : 35 * hidden[0]] *= scale
    links = slice(3 * hidden[0], 4 * hidden[0])  # of the win chance
    weights[:, links] = np.random.default_rng(1).normal(0, 20, weights[:, links].shape)
    late, early = late_and_early(weights, hidden, inputs)
    schedule, game = agents.Tournaments(20), nlhe_env.Game.tournament()
    tallies = [agents.play(batch, schedule, game, seed=4) for batch in (late, early)]
    np.testing.assert_array_equal(tallies[0].totals, tallies[1].totals)
    assert tallies[0].decisions == tallies[1].decisions > 1000
    weights[:, links] = 0
    unseeing = agents.play(late_and_early(weights, hidden, inputs)[0], schedule, game, seed=4)
    assert unseeing.decisions != tallies[0].decisions  # so it does matter at times


def test_only_networks_decide_before_the_win_probability_lookup():
    others = agents.make("pot-odds"), agents.NetworkPlayer(genome(2), inputs="features_scaled")
    batch = agents.pack_players([*others, agents.NetworkPlayer(genome(1), inputs="features")])
    raw, scaled = find_observation("features"), find_observation("features_scaled")
    addresses = batch.arrays.traits["observation"]
    assert addresses.tolist() == [raw.address, scaled.address, raw.late_address]
    assert raw.address != raw.late_address


def test_outside_its_range_the_sigmoid_is_one_or_its_minimum():
    high, low = portable_math.SIGMOID_HIGH, portable_math.SIGMOID_LOW
    assert [sigmoid32(np.float32(x)) for x in (high, high + 0.1, 100, 1e9)] == [1, 1, 1, 1]
    least = sigmoid32(low)
    assert 0 < least < 2e-38
    assert [sigmoid32(np.float32(x)) for x in (low - 0.1, -100, -1e9)] == [least] * 3


@pytest.mark.parametrize("hidden", [(1,), (7,), (40,), (12, 9), (50, 3, 30), (5, 5, 5, 5)])
def test_networks_of_other_shapes_match_plain_arithmetic(hidden):
    inputs = np.random.default_rng(2).random(35)
    weights = genome(6, 0.5, network.count_weights(35, hidden))
    expected, at = inputs.astype(np.float32).astype(np.float64), 0
    for units in (*hidden, 5):
        end = at + (len(expected) + 1) * units
        links = weights[at:end].astype(np.float64).reshape(-1, units)
        expected, at = sigmoid(np.append(expected, 1.0) @ links), end
    assert at == len(weights)
    np.testing.assert_allclose(any_forward(weights, hidden, inputs), expected, atol=1e-5)


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (40, 0), (40, 1), (40, 3)])
def test_distinct_rows_finds_each_different_row_once(shape):
    rows = np.random.default_rng(7).integers(-2, 2, shape)
    found, which = distinct_rows(rows)
    np.testing.assert_array_equal(found[which], rows)
    assert len(found) == len({tuple(row) for row in rows.tolist()})


def test_networks_of_several_shapes_play_in_one_batch_as_separately():
    hidden = np.array([[20, 0], [7, 3], [20, 0], [5, 0]])
    lengths = [network.count_weights(35, [n for n in row if n]) for row in hidden.tolist()]
    weights = np.zeros((4, max(lengths)), np.float32)
    for i, length in enumerate(lengths):
        weights[i, :length] = genome(i, 0.5, length)
    together = pack_networks(weights, inputs="features_unit", hidden=hidden)
    apart = agents.pack_players(
        [
            agents.NetworkPlayer(row[:n], inputs="features_unit", hidden=[h for h in shape if h])
            for row, n, shape in zip(weights, lengths, hidden.tolist(), strict=True)
        ]
    )
    tallies = [
        agents.play(batch, agents.Blocks(5), nlhe_env.Game.cash(), seed=3)
        for batch in (together, apart)
    ]
    np.testing.assert_array_equal(tallies[0].totals, tallies[1].totals)
    assert tallies[0].hands == 5 * 4 * 20


# --- weighted sums in vector registers ------------------------------------------------------------


@pytest.mark.parametrize("n_sums", [*range(1, 18), 40, 75, 80, 81, 96, 143, 144, 145, 200])
def test_sums_add_their_inputs_in_order(n_sums):
    rng = np.random.default_rng(n_sums)
    inputs, more = (rng.normal(size=n).astype(np.float32) for n in (8, 13))
    links = rng.normal(size=(22, n_sums)).astype(np.float32)
    before = rng.normal(size=n_sums).astype(np.float32)
    expected = before.copy()
    for x, row in zip((*inputs, *more), links, strict=False):
        expected += x * row
    # What lies behind the sums stays as it is.
    room = np.full(n_sums + 32, np.float32(7.0))
    write_sums(links.ravel(), inputs, more, before, room[:n_sums])
    np.testing.assert_array_equal(room[:n_sums], expected)
    assert (room[n_sums:] == 7.0).all()
    again = before.copy()
    write_sums(links.ravel(), inputs, more, again, again)
    np.testing.assert_array_equal(again, expected)
    write_sums(links.ravel(), inputs[:0], more[:0], before, room[:n_sums])
    np.testing.assert_array_equal(room[:n_sums], before)
