"""The pool of opponents: which members stay, which are met, and what is remembered."""

import numpy as np
import pytest
from helpers import assert_equal, genome
from hypothesis import given, settings
from hypothesis import strategies as st

import agents
import nlhe_env
from evolve.files import safe as files
from evolve.genomes.network_kind import NetworkKind
from evolve.genomes.networks import Networks
from evolve.opponents.behaviour_probes import BehaviourProbes
from evolve.opponents.opponent_sampling import OpponentMix, Opponents
from evolve.opponents.pool import OpponentPool, PoolConfig, prioritised_chances
from nlhe_env.equity import load_tables

GENOMES = np.stack([genome(seed) for seed in range(20)])


def networks(*seeds: int) -> Networks:
    return Networks.of_shape(GENOMES[list(seeds)], (20,), "features_scaled")


KIND = NetworkKind(inputs="features_scaled")
NONE = networks(0)[:0]


def behaviour_descriptors(*values: float) -> np.ndarray:
    return np.array(values, np.float64)[:, None]


KEYS = {networks(seed).key(0): seed for seed in range(len(GENOMES))}


def seeds_in(pool: OpponentPool) -> list[int]:
    return [KEYS[pool.genomes.key(i)] for i in range(len(pool.genomes))]


def filled(limits: PoolConfig, *values: float, named: tuple[str, ...] = ()) -> OpponentPool:
    """Network i behaves like value i and enters in generation i."""
    pool = OpponentPool.empty(NONE, named=named)
    for i, value in enumerate(values):
        pool = pool.enter(i, networks(i), behaviour_descriptors(value), limits=limits)
    return pool


@pytest.mark.parametrize(
    ("rates", "priority", "power", "uniform", "chances"),
    [
        # Vinyals et al.: (1 - x)^p and x (1 - x), divided by their sum.
        ([0.5, 0.0], "hard", 1.0, 0.0, [1 / 3, 2 / 3]),
        ([0.5, 0.0], "hard", 2.0, 0.0, [1 / 5, 4 / 5]),
        ([0.5, 0.0], "hard", 0.0, 0.0, [1 / 2, 1 / 2]),
        ([0.5, 0.9], "even", 2.0, 0.0, [25 / 34, 9 / 34]),
        ([0.5, 0.9], "uniform", 2.0, 0.0, [1 / 2, 1 / 2]),
        ([0.5, 0.0], "hard", 2.0, 0.5, [7 / 20, 13 / 20]),
        ([1.0, 1.0], "hard", 2.0, 0.0, [1 / 2, 1 / 2]),
        ([1.0, 0.0], "even", 2.0, 0.0, [1 / 2, 1 / 2]),
        ([], "hard", 2.0, 0.1, []),
    ],
)
def test_prioritised_probabilities(rates, priority, power, uniform, chances):
    found = prioritised_chances(
        np.array(rates, np.float64), priority=priority, power=power, uniform=uniform
    )
    np.testing.assert_allclose(found, chances, atol=1e-15)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"priority": "hardest"}, "priority"),
        ({"power": -1.0}, "power"),
        ({"uniform": 2}, "uniform"),
    ],
)
def test_priority_refuses_values_out_of_range(options, named):
    with pytest.raises(ValueError, match=named):
        prioritised_chances(np.array([0.5]), **options)


def test_a_full_pool_drops_the_older_of_the_two_most_similar():
    limits = PoolConfig(capacity=3)
    assert seeds_in(filled(limits, 0.0, 1.0, 3.0)) == [0, 1, 2]
    assert seeds_in(filled(limits, 0.0, 1.0, 3.0, 10.0)) == [1, 2, 3]  # 0 and 1 are closest
    assert seeds_in(filled(limits, 0.0, 5.0, 9.0, 5.5)) == [0, 2, 3]


def test_a_slow_learner_leaves_members_spread_over_its_history():
    pool = filled(PoolConfig(capacity=5), *range(16))
    kept = seeds_in(pool)
    assert kept[-1] == 15
    assert pool.entered.tolist() == kept
    steps = np.diff(kept)
    assert steps.max() <= 8


def test_the_better_of_two_similar_newcomers_stays():
    pool = filled(PoolConfig(capacity=2), 0.0)
    pool = pool.enter(
        5, networks(7, 8), behaviour_descriptors(4.0, 4.5), limits=PoolConfig(capacity=2)
    )
    assert seeds_in(pool) == [0, 7]


def test_members_leave_by_age_and_the_first_may_be_kept():
    assert seeds_in(filled(PoolConfig(max_age=2), 0, 1, 2, 3, 4)) == [2, 3, 4]
    assert seeds_in(filled(PoolConfig(max_age=2, keep_first=1), 0, 1, 2, 3, 4)) == [0, 2, 3, 4]
    # 0 and 1 are closest, but 0 may not leave.
    limits = PoolConfig(capacity=3, keep_first=1)
    assert seeds_in(filled(limits, 0.0, 1.0, 3.0, 10.0)) == [0, 2, 3]
    limits = PoolConfig(capacity=3, keep_first=2)
    assert seeds_in(filled(limits, 0.0, 1.0, 3.0, 10.0)) == [0, 1, 3]


def test_equal_networks_enter_once_and_keep_their_age():
    pool = OpponentPool.empty(NONE)
    pool = pool.enter(1, networks(3, 4, 3), behaviour_descriptors(1, 2, 1), limits=PoolConfig())
    pool = pool.enter(2, networks(4, 5), behaviour_descriptors(2, 9), limits=PoolConfig())
    assert seeds_in(pool) == [3, 4, 5]
    assert pool.entered.tolist() == [1, 1, 2]


def test_results_stay_with_their_opponents_when_members_leave():
    pool = filled(PoolConfig(capacity=3), 0.0, 1.0, 3.0, named=("caller", "raiser"))
    pool = pool.after_games(np.array([1, 2, 3, 4, 5]), np.array([9, 9, 9, 8, 8]))
    pool = pool.enter(3, networks(9), behaviour_descriptors(10.0), limits=PoolConfig(capacity=3))
    assert seeds_in(pool) == [1, 2, 9]
    assert pool.wins.tolist() == [2, 3, 0, 4, 5]
    assert pool.games.tolist() == [9, 9, 0, 8, 8]


def test_win_rates_decay():
    pool = OpponentPool.empty(NONE, named=("caller", "raiser"))
    assert pool.win_rates.tolist() == [0.5, 0.5]
    pool = pool.after_games(np.array([8.0, 0.0]), np.array([8.0, 8.0]))
    assert pool.win_rates.tolist() == [0.9, 0.1]
    pool = pool.after_games(np.array([0.0, 0.0]), np.array([8.0, 0.0]), memory=0.5)
    assert pool.wins.tolist() == [4.0, 0.0]
    assert pool.games.tolist() == [12.0, 4.0]
    assert pool.win_rates.tolist() == [5 / 14, 1 / 6]
    for _ in range(100):
        pool = pool.after_games(np.zeros(2), np.zeros(2))
    np.testing.assert_allclose(pool.win_rates, 0.5, atol=1e-3)


@pytest.mark.parametrize(
    ("wins", "games", "memory", "message"),
    [
        ([3.0], [2.0], 0.9, "wins"),
        ([-1.0], [2.0], 0.9, "wins"),
        ([1.0, 1.0], [2.0, 2.0], 0.9, "each of 1"),
        ([1.0], [2.0], 1.5, "memory"),
    ],
)
def test_invalid_results_are_refused(wins, games, memory, message):
    pool = OpponentPool.empty(NONE, named=("caller",))
    with pytest.raises(ValueError, match=message):
        pool.after_games(np.array(wins), np.array(games), memory=memory)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"capacity": 0}, "capacity"),
        ({"max_age": -1}, "max_age"),
        ({"capacity": 2, "keep_first": 2}, "keep_first"),
    ],
)
def test_invalid_limits_are_refused(limits, message):
    with pytest.raises(ValueError, match=message):
        PoolConfig(**limits)


def test_behaviour_must_match_the_pool():
    pool = filled(PoolConfig(), 1.0)
    with pytest.raises(ValueError, match="each of 1"):
        pool.enter(1, networks(1), behaviour_descriptors(1, 2), limits=PoolConfig())
    with pytest.raises(ValueError, match="finite"):
        pool.enter(1, networks(1), behaviour_descriptors(np.nan), limits=PoolConfig())
    with pytest.raises(ValueError, match="1 measures"):
        pool.enter(1, networks(1), np.zeros((1, 2)), limits=PoolConfig())
    with pytest.raises(ValueError, match="named twice"):
        OpponentPool.empty(NONE, named=("caller", "caller"))
    with pytest.raises(ValueError, match="no-such"):
        OpponentPool.empty(NONE, named=("no-such",))


@pytest.mark.parametrize("values", [(), (1.0, 2.0)])
def test_a_pool_round_trips_through_a_file(tmp_path, values):
    pool = filled(PoolConfig(), *values, named=("caller",) if values else ())
    pool = pool.after_games(np.full(len(pool), 0.5), np.ones(len(pool)))
    files.write_arrays(tmp_path / "pool.npz", pool.to_arrays())
    back = OpponentPool.from_arrays(files.read_arrays(tmp_path / "pool.npz"), KIND)
    assert back.named == pool.named
    assert back.genomes.inputs == "features_scaled"
    for name, array in pool.to_arrays().items():
        np.testing.assert_array_equal(back.to_arrays()[name], array)
    again = back.enter(9, networks(9), behaviour_descriptors(5.0), limits=PoolConfig())
    assert seeds_in(again) == [*range(len(values)), 9]


@settings(deadline=None, max_examples=50)
@given(
    steps=st.lists(
        st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), max_size=4), max_size=8
    ),
    capacity=st.integers(1, 5),
    max_age=st.none() | st.integers(0, 3),
    data=st.data(),
)
def test_the_limits_always_hold(steps, capacity, max_age, data):
    keep_first = data.draw(st.integers(0, capacity - 1))
    limits = PoolConfig(capacity=capacity, max_age=max_age, keep_first=keep_first)
    pool = OpponentPool.empty(NONE, named=("caller",))
    first: list[int] = []
    before: set[int] = set()
    for generation, step in enumerate(steps):
        chosen = networks(*(seed for seed, _ in step)) if step else NONE
        pool = pool.enter(
            generation, chosen, behaviour_descriptors(*(value for _, value in step)), limits=limits
        )
        inside = seeds_in(pool)
        assert len(set(inside)) == len(inside) <= capacity
        assert len(pool.behaviour) == len(pool.entered) == len(inside) == len(pool.wins) - 1
        assert (np.diff(pool.entered) >= 0).all()
        if max_age is not None:
            assert (generation - pool.entered[keep_first:] <= max_age).all()
        assert inside[: len(first)] == first
        first = inside[:keep_first]
        if step and keep_first == 0:  # the best newcomer is never the member that leaves
            new = (pool.entered == generation).any()
            assert new or {seed for seed, _ in step} <= before
        before = set(inside)


# ----------------------------------------------------------------------------- probes


def test_probes_cover_all_streets_and_give_probabilities():
    probes = BehaviourProbes.draw("features_scaled", np.random.default_rng(1), count=48)
    assert probes.observations.shape == (48, 35)
    assert len(np.unique(probes.observations, axis=0)) > 40
    chances = probes.behaviour(networks(1, 2)).reshape(2, 48, 5)
    np.testing.assert_allclose(chances.sum(axis=2), 1.0)
    assert (chances[:, probes.masks == 0] == 0.0).all()
    assert probes.behaviour(NONE).shape == (0, 240)
    again = BehaviourProbes.draw("features_scaled", np.random.default_rng(1), count=48)
    np.testing.assert_array_equal(again.behaviour(networks(1, 2)), chances.reshape(2, -1))


def test_extreme_weights_still_give_probabilities():
    extreme = Networks.of_shape(np.full((1, 825), -1e4, np.float32), (20,), "features_scaled")
    probes = BehaviourProbes.draw("features_scaled", np.random.default_rng(1), count=4)
    chances = probes.behaviour(extreme).reshape(4, 5)
    np.testing.assert_allclose(chances, probes.masks / probes.masks.sum(axis=1, keepdims=True))


def test_behaviour_ignores_the_order_of_hidden_units():
    one = networks(1)
    weights = one.weights[0].copy()
    into, out = weights[: 36 * 20].reshape(36, 20), weights[36 * 20 :].reshape(21, 5)
    order = np.random.default_rng(2).permutation(20)
    into[:] = into[:, order]
    out[:20] = out[order]
    same = Networks.of_shape(weights[None], (20,), "features_scaled")
    probes = BehaviourProbes.draw("features_scaled", np.random.default_rng(1))
    np.testing.assert_allclose(probes.behaviour(same), probes.behaviour(one), atol=1e-6)
    assert np.abs(probes.behaviour(networks(2)) - probes.behaviour(one)).max() > 0.1


# ----------------------------------------------------------------------------- lineups


def gathered(mix: OpponentMix, **arguments) -> Opponents:
    pool = filled(PoolConfig(), 0.0, 1.0, 2.0, named=("caller", "raiser"))
    return Opponents.gather(pool, networks(10, 11), mix, **arguments)


def test_shares_match_the_sources():
    opponents = gathered(OpponentMix(pool=3, population=2, named=1))
    assert len(opponents.batch) == 7
    np.testing.assert_allclose(opponents.chances, [1 / 6] * 5 + [1 / 12] * 2)
    assert opponents.members.tolist() == [0, 1, 2, 5, 6]


def test_priority_applies_within_a_source():
    pool = filled(PoolConfig(), 0.0, 1.0, named=("caller", "raiser"))
    pool = pool.after_games(np.array([8.0, 0.0, 0.0, 8.0]), np.full(4, 8.0))
    mix = OpponentMix(pool=1, population=0, named=1, power=1, uniform=0)
    opponents = Opponents.gather(pool, networks(10), mix)
    np.testing.assert_allclose(opponents.chances, [0.05, 0.45, 0, 0.45, 0.05])


def test_an_empty_sources_share_goes_to_the_other_sources():
    pool = OpponentPool.empty(NONE, named=("caller",))
    opponents = Opponents.gather(pool, NONE, OpponentMix())
    assert opponents.chances.tolist() == [1.0]
    with pytest.raises(ValueError, match="no opponent"):
        Opponents.gather(OpponentPool.empty(NONE), NONE, OpponentMix())
    with pytest.raises(ValueError, match="no opponent"):
        Opponents.gather(pool, NONE, OpponentMix(named=0))


def test_candidates_do_not_play_themselves():
    opponents = gathered(OpponentMix(pool=1, population=1, named=0), candidates=networks(1, 11, 15))
    np.testing.assert_allclose(opponents.chances, [0.25, 0, 0.25, 0.5, 0, 0, 0])
    lineups = opponents.lineups(50, 2, np.random.default_rng(1))
    assert set(np.unique(lineups)) == {0, 2, 3}


@settings(deadline=None, max_examples=50)
@given(
    chances=st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any),
    n_blocks=st.integers(1, 30),
    n_opponents=st.integers(1, 5),
    seed=st.integers(0, 99),
)
def test_seats_are_proportional_to_opponent_probabilities(chances, n_blocks, n_opponents, seed):
    shares = np.array(chances) / sum(chances)
    batch = agents.pack_players([agents.make_compiled("caller")] * len(chances))
    opponents = Opponents(batch, shares, np.arange(len(chances)))
    lineups = opponents.lineups(n_blocks, n_opponents, np.random.default_rng(seed))
    assert lineups.shape == (n_blocks, n_opponents)
    counts = np.bincount(lineups.ravel(), minlength=len(chances))
    expected = shares * lineups.size
    assert (np.abs(counts - expected) < 1.0 + 1e-9).all()
    assert (counts[shares == 0.0] == 0).all()
    for i in np.flatnonzero(counts <= n_blocks):
        assert ((lineups == i).sum(axis=1) <= 1).all()


def test_lineups_average_to_the_probabilities():
    opponents = gathered(OpponentMix(pool=3, population=2, named=1))
    generator = np.random.default_rng(5)
    drawn = np.concatenate([opponents.lineups(1, 1, generator) for _ in range(4000)])
    counts = np.bincount(drawn.ravel(), minlength=7)
    # Binomial: five standard deviations.
    reach = 5 * np.sqrt(4000 * opponents.chances * (1 - opponents.chances))
    assert (np.abs(counts - 4000 * opponents.chances) < reach).all()
    with pytest.raises(ValueError, match="at least 1 block"):
        opponents.lineups(0, 1, generator)


def test_results_are_returned_to_the_pool():
    opponents = gathered(OpponentMix())
    lineups = np.array([[0, 5], [2, 3], [0, 6]])
    scores = np.array([[1.0, 0.5], [0.25, 0.9], [0.5, 1.0]])
    wins, games = opponents.results(lineups, scores)
    assert wins.tolist() == [1.5, 0, 0.25, 0.5, 1.0]
    assert games.tolist() == [2, 0, 1, 1, 1]
    with pytest.raises(ValueError, match="shape"):
        opponents.results(lineups, scores[:2])


def test_the_batch_plays_in_the_order_of_the_indices():
    opponents = gathered(OpponentMix())
    alone = agents.concat(
        networks(0, 1, 2, 10, 11).pack(),
        agents.pack_players([agents.make_compiled(name) for name in ("caller", "raiser")]),
    )
    tables = load_tables()
    game = nlhe_env.Game.cash(num_hands=4)
    one = agents.play(opponents.batch, agents.Blocks(2), game, seed=1, rows=True, tables=tables)
    other = agents.play(alone, agents.Blocks(2), game, seed=1, rows=True, tables=tables)
    assert_equal(one, other)
