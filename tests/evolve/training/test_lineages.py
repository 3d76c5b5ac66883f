"""Several lineages in one run: apart from each other, chosen by meetings, resumable."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import agents
import evolve
from evolve import seeds
from evolve.genomes.network_kind import ArgmaxNetworkKind
from evolve.optimizers.base import CandidateScores
from evolve.optimizers.openai_es import OpenAIES
from evolve.training import champion_selection as choice_module
from evolve.training import env_backend
from evolve.training.champion_selection import choose_lineage, fitness_errors, means_of_worst
from evolve.training.config import Config
from evolve.training.fitness import NormalisedFitness
from evolve.training.run import play_generation, step_generation
from evolve.training.state import State
from nlhe_env.game.style_counts import ENTERED, N_STYLE_COUNTS, PREFLOP_HANDS

KIND = ArgmaxNetworkKind(hidden=(2,))
SMALL = Config().with_values(
    generations=4,
    table_size=4,
    starting_stack=200,
    genomes="argmax-networks",
    hidden=(2,),
    optimizer="openai-es",
    lineages=3,
    population=8,
    sigma=0.3,
    weight_size=1.0,
    schedule="tables",
    rounds=3,
    rounds_alone=1,
    seats_for_opponents=2,
    opponents="self-play",
    card_sensitivity_gate=0.0,
    random_share=1.0,
    random_players=4,
    selection_rounds=6,
    test_blocks=2,
    test_every=2,
    test_players=("caller", "folder"),
    progress_tournaments=0,
)

BLOCKS = SMALL.with_values(
    table_size=2,
    game="cash",
    genomes="pot-sized-networks",
    schedule="blocks",
    blocks=3,
    opponents="self-play",
    pool_every=1,
    pool_priority="hard",
    random_share=0.5,
)

NAMED = BLOCKS.with_values(
    opponents="pool", named=("raiser", "early-hothead-maniac"), fitness="square_root", blocks=4
)

POOLS = BLOCKS.with_values(lineages=4, checkpoint_pools=2, biased_share=0.2, biased_players=3)


def trained(folder_of_runs, config=SMALL, *, threads=1, until=None, folder=None):
    """A run up to a generation, possibly a resumed one."""
    folder = folder or evolve.RunFolder.create(folder_of_runs, config)
    now = config if until is None else config.with_values(generations=until)
    folder.save_config(now)
    with evolve.thread_workers(threads) as workers:
        evolve.train(folder, now, folder.restore(now, say=print), workers=workers)
    return folder


def files_of(folder):
    names = ("metrics.jsonl", "tests.jsonl", "choice.json")
    arrays = evolve.read_arrays(folder.path / "champions.npz")
    return [(folder.path / name).read_text() for name in names], arrays


def test_every_lineage_trains_as_it_would_alone():
    lineages = SMALL.optimizer.make(KIND, SMALL.variation, 5)
    alone = [
        replace(SMALL.optimizer, lineages=1).make(KIND, SMALL.variation, seed)
        for seed in (5, *(seeds.stream_seed(5, seeds.LINEAGES, i) for i in (1, 2)))
    ]
    for generation in range(3):
        candidates = lineages.ask()
        assert len(candidates) == 24
        fitness = np.random.default_rng(generation).normal(size=24)
        lineages.tell(CandidateScores(fitness, np.zeros((24, 1))))
        for one, rows in zip(alone, lineages.groups, strict=True):
            np.testing.assert_array_equal(one.ask().weights, candidates.weights[rows])
            one.tell(CandidateScores(fitness[rows], np.zeros((8, 1))))
    for i, one in enumerate(alone):
        np.testing.assert_array_equal(one.recommend().weights, lineages.recommend(i).weights)


def test_the_weights_keep_their_size():
    optimizer = OpenAIES(np.full(7, 3.0), population=6, sigma=0.5, seed=1, weight_size=2.0)
    for generation in range(5):
        optimizer.ask()
        optimizer.tell(np.random.default_rng(generation).normal(size=6))
        size = np.sqrt(np.mean(np.square(optimizer.recommend())))
        assert size == pytest.approx(2.0, rel=1e-6)


@pytest.mark.parametrize("meet", [True, False])
def test_candidates_sit_with_their_lineage_unless_mixed(meet, workers):
    config, seen = SMALL.with_values(lineages_meet=meet), []

    def backend(batch, schedule, game, **rest):
        seen.append(schedule.lineups)
        return agents.play(batch, schedule, game, **rest)

    play_generation(State.initial_state(config), config, workers=workers, backend=backend)
    lineups = np.concatenate(seen).tolist()
    mixed = any(len({who // 8 for who in row if who < 24}) > 1 for row in lineups)
    assert mixed == meet


def test_the_environment_backend_plays_lineages(workers):
    small, lines = SMALL.with_values(lineages=2, population=4, rounds=2), []
    for backend in (agents.play, env_backend.play):
        state = State.initial_state(small)
        lines.append(step_generation(state, small, workers=workers, backend=backend)[1])
    assert lines[0] == lines[1]


@pytest.mark.parametrize(
    "config", [SMALL, BLOCKS, POOLS, NAMED], ids=["tables", "blocks", "checkpoint_pools", "named"]
)
def test_threads_and_interruptions_change_nothing(tmp_path, config):
    whole = files_of(trained(tmp_path / "a", config))
    many = files_of(trained(tmp_path / "b", config, threads=2))
    begun = trained(tmp_path / "c", config, until=3)
    resumed = files_of(trained(tmp_path / "c", config, folder=begun))
    for other in (many, resumed):
        assert other[0][0] == whole[0][0]
        assert other[0][2] == whole[0][2]
        for name, array in whole[1].items():
            np.testing.assert_array_equal(other[1][name][-1:], array[-1:])


def test_the_run_shows_only_the_chosen_lineage(tmp_path):
    folder = trained(tmp_path)
    choice = json.loads((folder.path / "choice.json").read_text())
    state = folder.restore(SMALL, say=print)
    assert state.best == choice["lineage"]
    assert len(choice["scores"]) == 3
    assert folder.sub_populations == 1
    expected = state.optimizer.recommend(choice["lineage"]).weights[0]
    np.testing.assert_array_equal(folder.champion().weights, expected)
    np.testing.assert_array_equal(folder.champions().weights[-1], expected)
    assert folder.champion().origin["lineage"] == choice["lineage"] + 1


def test_the_better_player_is_chosen(tmp_path, workers):
    """Folding all beats never folding against networks of random weights."""
    config = SMALL.with_values(selection_rounds=60)
    state = State.initial_state(config)
    first_output = -5  # the biases of the outputs come last
    for search, action in zip(state.optimizer._parts, (2, 0, 4), strict=True):
        weights = np.zeros(search.numbers.n_parameters)
        weights[first_output + action] = 1.0
        search.numbers._mean = weights
    state.generation = 1
    choice = choose_lineage(state, config, workers=workers)
    assert choice.lineage == 1
    assert choice.vpip[1] == 0.0 < min(choice.vpip[0], choice.vpip[2])


@pytest.mark.parametrize(
    ("places", "vpip", "best"),
    [
        ((3.698, 3.458, 7.023, 3.256, 3.209, 7.035), (0.012, 0.0, 1.0, 0.047, 0.040, 0.999), 4),
        ((3.943, 4.001, 3.483, 3.636, 3.685, 4.637), (0.0, 0.160, 0.040, 0.122, 0.024, 0.179), 2),
    ],
    ids=["two-raise-everything", "one-enters-more"],
)
def test_the_vpip_limit_applies_when_choosing_a_lineage(monkeypatch, places, vpip, best, workers):
    """Values from ``self-play-quick`` with seeds 9103 and 9105."""
    hands, counts = 1000, np.zeros((6, N_STYLE_COUNTS), np.int64)
    counts[:, PREFLOP_HANDS] = hands
    counts[:, ENTERED] = np.array(vpip) * hands
    tally = SimpleNamespace(style_counts=counts, hands=6 * hands)
    found = -np.array(places), np.full(6, 0.043), tally
    monkeypatch.setattr(choice_module, "_meet_at_tables", lambda generation, config: found)
    config = SMALL.with_values(lineages=6)
    choice = choose_lineage(State.initial_state(config), config, workers=workers)
    assert choice.lineage == best
    assert choice.scores == pytest.approx(places)
    assert choice.vpip == pytest.approx(vpip)


def test_selection_may_use_the_worst_opponents():
    """A worked example: the second player's mean is better, its worst results are not."""
    scores = np.array(
        [[[2.0, 4.0], [3.0, 3.0], [9.0, 9.0]], [[50.0, 50.0], [-7.0, -5.0], [1.0, 1.0]]]
    )
    means, errors = means_of_worst(scores, 0.7)
    np.testing.assert_allclose(means, [3.0, -2.5])
    np.testing.assert_allclose(errors, [0.5, 0.5])
    np.testing.assert_allclose(means_of_worst(scores, 1.0)[0], scores.mean(axis=(1, 2)))


def test_players_meet_sampled_opponents_one_by_one(workers):
    config = BLOCKS.with_values(table_size=3, selection_opponents=5, selection_rounds=4)
    state = State.initial_state(config)
    state, _ = step_generation(state, config, workers=workers)
    whole = choose_lineage(state, config, workers=workers)
    worst = choose_lineage(state, config.with_values(selection_worst=0.4), workers=workers)
    game = config.make_game()
    assert whole.hands == worst.hands == 3 * 5 * 4 * 3 * game.num_hands
    assert all(np.less(worst.scores, whole.scores))


def test_named_players_select_by_bounded_win_rates(workers):
    """A player that always folds loses three quarters of a big blind a hand to a raiser."""
    config = NAMED.with_values(fitness="score", selection_players=("raiser", "caller"))
    state = State.initial_state(config)
    first = state.optimizer._parts[0].numbers
    first._mean = np.zeros(first.n_parameters)
    first._mean[-5] = 1.0
    state.generation = 1
    alone = config.with_values(selection_players=("raiser",))
    choice = choose_lineage(state, alone, workers=workers)
    both = choose_lineage(state, config, workers=workers)
    assert choice.scores[0] == pytest.approx(-75.0 / (1 + 0.75**2) ** 0.5)
    assert both.hands == 2 * choice.hands
    assert all(np.abs(both.scores) < 100.0)
    assert both.lineage == int(np.argmax(both.scores))


def test_players_select_in_cash_games_only():
    with pytest.raises(ValueError, match="selection_players must be empty in tournaments"):
        Config().with_values(selection_players=("caller",))


def test_several_lineages_need_tables_or_blocks():
    with pytest.raises(ValueError, match="lineages must be 1 unless the schedule is"):
        Config().with_values(optimizer="openai-es", lineages=2)


def test_a_weighted_fitness_also_selects_the_lineage(workers):
    """An always-folder loses three quarters of a big blind a hand to raisers."""
    state = State.initial_state(NAMED)
    first = state.optimizer._parts[0].numbers
    first._mean = np.zeros(first.n_parameters)
    first._mean[-5] = 1.0  # the biases of the outputs come last, the fold first
    state.generation = 1
    choice = choose_lineage(state, NAMED, workers=workers)
    by_score = NAMED.with_values(fitness="score", selection_opponents=2)
    in_blinds = choose_lineage(state, by_score, workers=workers)
    assert choice.hands == 3 * 2 * 6 * 2 * NAMED.make_game().num_hands
    assert choice.scores[0] == pytest.approx(1.0 - 1.75**0.5, abs=1e-12)
    assert choice.errors[0] == pytest.approx(0.0, abs=1e-12)
    assert in_blinds.scores[0] == pytest.approx(-75.0)
    assert choice.vpip[0] == 0.0
    assert choice.lineage == int(np.argmax(choice.scores))


def test_errors_of_a_mean_fitness_equal_errors_of_the_mean():
    """Earnings of less than a big blind are sums, so that fewer rounds make smaller ones."""
    game, rounds = NAMED.make_game(), 7
    scores = np.random.default_rng(2).uniform(-1.0, 1.0, (3, 2 * rounds))
    met = np.repeat([4, 9], rounds)
    errors = fitness_errors(NormalisedFitness(), scores, met, game, rounds=rounds)
    sums = scores.reshape(3, 2, rounds).mean(axis=1) / game.big_blind
    expected = sums.std(axis=1, ddof=1) * np.sqrt(rounds)
    np.testing.assert_allclose(errors * rounds / (rounds - 1), expected, rtol=1e-12)


def test_the_players_of_all_lineages_enter_the_pool(workers):
    config = NAMED.with_values(pool_share=0.5, pool_every=1)
    state = State.initial_state(config)
    for _ in range(2):
        state, _ = step_generation(state, config, workers=workers)
    pool = state.opponents.pool
    assert pool.entered.tolist() == [0, 0, 0, 1, 1, 1]
    assert len({pool.genomes.key(i) for i in range(6)}) == 6


def members_met(config, generations):
    """Whose members the lineages of each pool have met in each generation, and all members."""
    seen = []

    def backend(batch, schedule, game, **rest):
        seen.append((state.generation, batch, schedule.lineups))
        return agents.play(batch, schedule, game, **rest)

    state, pool_of = State.initial_state(config), {}
    with evolve.thread_workers(1) as workers:
        for _ in range(generations):
            state, _ = step_generation(state, config, workers=workers, backend=backend)
            for number, row in enumerate(state.opponents.checkpoints.weights):
                pool_of.setdefault(row[:-5].tobytes(), number % 4 % 2)
    met = [{0: set(), 1: set()} for _ in range(generations)]
    for generation, batch, lineups in seen:
        for candidate, opponent in lineups:
            known = pool_of.get(batch.weights[opponent][:-5].tobytes())  # with any bent
            if known is not None:
                met[generation][candidate // 8 % 2].add(known)
    return met, pool_of


def test_lineages_with_separate_pools_do_not_meet():
    met, pool_of = members_met(POOLS.with_values(blocks=12, random_share=0.1), 3)
    assert met[0] == {0: set(), 1: set()}  # the first ones have starts for their past
    assert met[1:] == [{0: {0}, 1: {1}}] * 2
    assert len(pool_of) == 12


def test_pools_are_joined_after_the_set_generation():
    config = POOLS.with_values(pools_joined_after=2, blocks=12, random_share=0.1)
    met, _ = members_met(config, 4)
    assert met[1] == {0: {0}, 1: {1}}
    assert met[2:] == [{0: {0, 1}, 1: {0, 1}}] * 2


def test_selection_uses_the_same_opponents_for_all_players(workers):
    """Opponents of both pools, biased ones too; else selection would compare different tasks."""
    config = POOLS.with_values(selection_opponents=40, selection_rounds=2)
    state = State.initial_state(config)
    for _ in range(2):
        state, _ = step_generation(state, config, workers=workers)
    choice = choose_lineage(state, config, workers=workers)
    assert choice.hands == 4 * 40 * 2 * 2 * config.make_game().num_hands
    opponents = state.opponents.select(None, state.optimizer, 3)
    assert opponents.chances.shape == (2, len(opponents.batch))
    np.testing.assert_allclose(opponents.chances.sum(axis=1), 1.0)
    shared = opponents.chances[0] * opponents.chances[1] > 0.0
    assert shared.sum() == config.opponents.random_players
    np.testing.assert_allclose(opponents.together.chances, opponents.chances.mean(axis=0))


@pytest.mark.parametrize(
    "values", [{"checkpoint_pools": 3}, {"checkpoint_pools": 2, "schedule": "tables"}]
)
def test_separate_pools_need_lineages_and_blocks(values):
    with pytest.raises(ValueError, match="checkpoint_pools must"):
        POOLS.with_values(**values)
