"""Networks with memory as genomes, and runs of them."""

from dataclasses import replace

import numpy as np
import pytest
from helpers import with_constants

import agents
from agents.match.workers.base import Workers, thread_workers
from agents.theses.li.ashe1 import AsheShape, count_genes
from evolve.genomes import Genomes, Parents
from evolve.theses.li.ashe import AsheKind, OddEven, calling_scale
from evolve.theses.li.ashe_models import ModelKind
from evolve.theses.li.measurements import measure_actions
from evolve.training.config_files import load_preset
from evolve.training.fitness import square_root_earnings
from evolve.training.run import step_generation
from evolve.training.state import State
from nlhe_env import Game

KIND = AsheKind(game_blocks=2, opponent_cell=4, decision_units=5, sparse=True)


def test_the_full_size_matches_the_published_one():
    config = load_preset("ashe-1.0")
    assert config.genomes.shape == AsheShape()
    assert config.genomes.first_numbers(1).shape == (31_401,)
    assert (config.generations, config.optimizer.population) == (250, 50)
    assert config.optimizer.make(config.genomes, config.variation, 1).n_selected == 15
    game = config.make_game()
    assert (game.big_blind, game.num_hands, config.schedule.blocks) == (100, 500, 4)
    hands = config.generations * config.optimizer.population * 4 * 2 * game.num_hands
    assert hands == 50_000_000


def test_genomes_round_trip_through_players():
    genomes = KIND.first(4, OddEven(), rng=np.random.default_rng(1))
    assert genomes.rows.shape == (4, count_genes(KIND.shape))
    player = genomes.player(2, name="one")
    assert player.shape == KIND.shape == AsheShape(2, 10, 1, 4, 5, 0, 1)
    np.testing.assert_array_equal(player.weights, genomes.rows[2])
    assert len(genomes.pack()) == 4
    again = KIND.from_arrays(genomes[np.array([3, 1])].to_arrays())
    assert again.key(1) == genomes.key(1) != genomes.key(3)
    assert len(type(genomes).join(again, genomes, KIND.none())) == 6


def test_children_have_genes_of_two_parents():
    rows = np.stack([np.full(count_genes(KIND.shape), float(i), np.float32) for i in range(3)])
    parents = Parents(KIND.of_numbers(rows), most=2)
    children = with_constants(OddEven, gene_mutation_rate=0.0).children(
        parents, 40, rng=np.random.default_rng(1)
    )
    assert (children.rows[:, ::2] == children.rows[:, :1]).all()
    assert (children.rows[:, 1::2] == children.rows[:, 1:2]).all()
    assert {tuple(row[:2]) for row in children.rows} == {
        (float(i), float(j)) for i in range(3) for j in range(3)
    }
    noisy = with_constants(OddEven, gene_mutation_std=0.1).children(
        parents, 20, rng=np.random.default_rng(1)
    )
    changed = noisy.rows != np.round(noisy.rows)
    assert changed.mean() == pytest.approx(0.25, abs=0.05)
    assert len(OddEven().children(parents, 0, rng=np.random.default_rng(1))) == 0


def test_training_can_start_from_a_player_of_the_same_shape(tmp_path):
    first = KIND.first(1, OddEven(), rng=np.random.default_rng(1))
    path = tmp_path / "mine.npz"
    agents.save_player(path, first.player(0, name="mine"))
    assert not KIND.first_numbers(1).any()
    np.testing.assert_array_equal(replace(KIND, init=str(path)).first_numbers(1), first.rows[0])
    with pytest.raises(ValueError, match="init must be a player of the shape AsheShape"):
        replace(KIND, init=str(path), decision_units=6).check_init()
    with pytest.raises(ValueError, match=r"'ashe-2\.0' is not"):
        replace(KIND, init="ashe-2.0")
    with pytest.raises(ValueError, match="init must be zeros or calls, or a player"):
        replace(KIND, init="nobody")


@pytest.mark.parametrize("values", [{}, {"decision_units": 2, "sparse": True}])
def test_an_initial_network_calls_with_random_memory(values):
    kind = AsheKind(init="calls", **values)
    genomes = kind.of_numbers(np.stack([kind.first_numbers(seed) for seed in (1, 2)]))
    assert (genomes.rows[0] != genomes.rows[1]).mean() > 0.9
    game = Game.cash(starting_stack=20_000, blinds=(50, 100), num_hands=50)
    for name in ("early-hothead-maniac", "early-candid-statistician"):
        for player in (genomes.player(i, name="first") for i in range(2)):
            counted = measure_actions(player, agents.make(name), game)
            assert counted.faced > 30
            assert counted.folds == 0
            assert counted.raises.tolist() in ([0, 0, 0, 0], [0, 0, 0, 1])  # with little left


def test_mutations_scaled_to_gene_units_still_call():
    kind = AsheKind(init="calls")
    start = kind.first_numbers(1)[np.newaxis]
    noise = 0.03 * np.random.default_rng(1).standard_normal(start.shape).astype(np.float32)
    near, far = kind.of_numbers(start + noise), kind.of_genes(kind.of_numbers(start).rows + noise)
    saved = kind.from_arrays(near.to_arrays())
    np.testing.assert_array_equal(saved.rows, near.rows)
    game = Game.cash(starting_stack=20_000, blinds=(50, 100), num_hands=50)
    maniac = agents.make("early-hothead-maniac")
    calls = []
    for genomes in (near, far):
        counted = measure_actions(genomes.player(0, name="stepped"), maniac, game)
        calls.append(1.0 - (counted.folds + counted.raises.sum()) / counted.faced)
    assert calls[0] > 0.8
    assert calls[1] < 0.2


def test_calling_initialisation_is_only_for_ashe_1():
    with pytest.raises(ValueError, match='init "calls" needs at least 2 decision_units'):
        AsheKind(init="calls", decision_units=1)
    with pytest.raises(ValueError, match="init must be zeros, or a player"):
        ModelKind(init="calls")


@pytest.mark.slow
def test_small_mutations_of_a_caller_gain_against_the_maniac():
    config = load_preset("ashe-1.0-tuned").with_values(generations=12, num_hands=40, lineages=1)
    state = State.initial_state(config)
    with thread_workers(2) as workers:
        for _ in range(config.generations):
            state, line = step_generation(state, config, workers=workers)
    earned = np.array([line["best_earnings"]]) / 100  # big blinds a hand
    assert line["best_fitness"] == pytest.approx(square_root_earnings(earned)[0])
    game = config.make_game()
    maniac = agents.make("early-hothead-maniac")
    learnt = agents.play(
        [state.champion.player(0, name="learnt"), maniac],
        agents.Blocks(10),
        game,
        seed=5,
        variance_reduction="all-in",
    )
    assert learnt.scores[0] > 2 * learnt.errors[0]  # an always-caller wins nothing


@pytest.mark.parametrize(
    ("preset", "player"), [("ashe-2.0-tuned", "ashe-2.0"), ("ashe-1.0-refined", "ashe-1.0-tuned")]
)
def test_continuing_presets_start_from_shipped_players(preset, player):
    config = load_preset(preset)
    known = agents.make(player)
    optimizer = State.initial_state(config).optimizer
    # Genes that are divided by their units and multiplied again may differ in the last bit.
    np.testing.assert_allclose(optimizer.initial_candidate(0).rows[0], known.weights, rtol=3e-7)
    assert config.genomes.shape == known.shape


def test_calling_scales_are_kept_with_any_start():
    kind = AsheKind(init="ashe-1.0-tuned", calling_scale=True)
    numbers = kind.first_numbers(0)
    stepped = kind.of_numbers((numbers + 1)[None]).rows[0]
    units = calling_scale(kind.shape)
    np.testing.assert_allclose(stepped - kind.of_numbers(numbers[None]).rows[0], units, atol=1e-4)
    assert len(set(units.tolist())) == 3
    plain = AsheKind(init="ashe-1.0-tuned")
    np.testing.assert_array_equal(plain.first_numbers(0), agents.make("ashe-1.0-tuned").weights)
    with pytest.raises(ValueError, match="calling_scale must be true or false"):
        AsheKind(calling_scale="yes")


@pytest.mark.parametrize("size", ["", "-small", "-smoke"])
@pytest.mark.parametrize("version", ["2.0", "2.1", "2.2", "2.3"])
def test_the_estimators_are_the_parts_of_a_genome(version, size):
    config = load_preset(f"ashe-{version}{size}")
    assert config.genomes.version == version
    assert config.optimizer.parts == config.genomes.shape.parts
    assert isinstance(config.optimizer.make(config.genomes, config.variation, 1).ask(), Genomes)


def test_the_full_size_of_2_0_matches_the_published_one():
    config = load_preset("ashe-2.0")
    assert config.genomes.shape[:3] == (50, 10, 50)
    hands = config.generations * config.optimizer.population * 4 * 2 * config.game.num_hands
    assert (config.optimizer.turn, hands) == (50, 200_000_000)


CURRICULA = {  # the published ones by preset: generations of the first and of the later opponents
    "ashe-2.0-a4": (200, 300, (50, 50)),
    "ashe-2.1": (200, 300, (50, 50)),
    "ashe-2.2": (300, 450, (100, 50)),
    "ashe-2.3": (400, 800, (100, 100)),
}


@pytest.mark.parametrize("preset", list(CURRICULA))
def test_easier_opponents_are_met_first(preset):
    config = load_preset(preset)
    first, later, turns = CURRICULA[preset]
    assert config.opponents.named_generations == first
    assert config.generations == first + later
    assert config.generations % sum(turns) == 0
    assert config.optimizer.make(config.genomes, config.variation, 1).numbers.turns == turns
    assert config.opponents.named == load_preset("ashe-2.0").opponents.named
    assert config.opponents.named_later == load_preset("ashe-2.0-a2").opponents.named
    if preset != "ashe-2.0-a4":
        assert config.genomes.default_opponents == ("champion",)


@pytest.mark.parametrize(
    ("version", "hands"), [("2.1", 325_000_000), ("2.2", 675_000_000), ("2.3", 1_728_000_000)]
)
def test_full_sizes_with_default_trees_match_the_published_ones(version, hands):
    config = load_preset(f"ashe-{version}")
    evaluated = 4 * 2 * config.game.num_hands
    each = evaluated + config.genomes.default_hands
    assert config.generations * config.optimizer.population * each == hands


SMALL = {
    "ashe-1.0-smoke": {"game_blocks": 2, "opponent_cell": 5},
    "ashe-2.0-smoke": {"estimator_blocks": 2, "parts": (1_321, 1_321), "turn": 1},
}
DEFAULT = {"estimator_blocks": 2, "turn": 1, "default_hands": 30, "default_nodes": 256}
AHEAD = {**DEFAULT, "sampled_boards": 3}
SMALL |= {
    "ashe-2.1-smoke": {**DEFAULT, "parts": (1_321, 1_321)},
    "ashe-2.2-smoke": {**AHEAD, "parts": (2_049, 1_321)},
    "ashe-2.3-smoke": {**AHEAD, "parts": (2_049, 1_729), "privileged_generations": 1},
}


def evolved(threads, preset):
    config = load_preset(preset).with_values(
        generations=3, population=6, num_hands=10, **SMALL[preset]
    )
    state, lines = State.initial_state(config), []
    with thread_workers(threads) as workers:
        while state.generation < config.generations:
            state, line = step_generation(state, config, workers=workers)
            lines.append(line)
    return state.champion.rows[0], lines


@pytest.mark.parametrize("preset", list(SMALL))
def test_runs_do_not_depend_on_workers(monkeypatch, preset):
    first, lines = evolved(1, preset)
    monkeypatch.setattr(Workers, "target_s", 1e-9)
    second, others = evolved(3, preset)
    np.testing.assert_array_equal(first, second)
    assert lines == others
    assert lines[0]["hands"] == 6 * 4 * 2 * 10
    assert all(len(line["best_earnings"]) == 4 for line in lines)
    assert all(line["best_fitness"] <= 1.0 for line in lines)


@pytest.mark.parametrize("version", ["2.1", "2.3"])
def test_resumed_runs_equal_uninterrupted_runs(version, workers):
    preset = f"ashe-{version}-smoke"
    whole, lines = evolved(1, preset)
    config = load_preset(preset).with_values(
        generations=3, population=6, num_hands=10, **SMALL[preset]
    )
    state = State.initial_state(config)
    for _ in range(3):
        state, line = step_generation(state, config, workers=workers)
        state = State.from_arrays(state.to_arrays(), config)
    np.testing.assert_array_equal(state.champion.rows[0], whole)
    assert line == lines[-1]
    # Its player has the same default trees whenever it is made, and has no privileged input.
    player, again = (state.champion.player(0, name=name) for name in "ab")
    np.testing.assert_array_equal(player.weights, again.weights)
    assert len(player.weights) > len(whole)
    assert player.version == version


@pytest.mark.parametrize("version", ["2.1", "2.3"])
def test_a_resumed_run_keeps_its_recent_candidates(version, workers):
    """Their trees were filled by an earlier champion, and 2.3 had the privileged input."""
    preset = f"ashe-{version}-smoke"
    values = SMALL[preset] | {"default_opponents": ("champion",), "population_share": 1.0}
    values |= {"initial_sigma": 2.0, "default_hands": 200}
    config = load_preset(preset).with_values(population=4, num_hands=10, **values)
    state = State.initial_state(config)
    for number in (1, 2):
        state, _ = step_generation(state, config, workers=workers)
        again = State.from_arrays(state.to_arrays(), config)
        recent_candidates, restored = (
            state.opponents.recent_candidates,
            again.opponents.recent_candidates,
        )
        assert restored.pack().is_same_as(recent_candidates.pack())
        with_privileges = version == "2.3" and number == 1
        assert (
            (restored.shape.level == 4) == (recent_candidates.shape.level == 4) == with_privileges
        )
        np.testing.assert_array_equal(restored.trees, recent_candidates.trees)
        # Without them it would fill its trees again, against itself.
        bare = config.genomes.from_arrays(recent_candidates.to_arrays())
        assert bare.pack().is_same_as(recent_candidates.pack()) == (
            number == 1 and not with_privileges
        )
    champion = recent_candidates.preliminary.champion
    np.testing.assert_array_equal(restored.preliminary.champion, champion)
    ahead = [step_generation(one, config, workers=workers)[1] for one in (state, again)]
    assert ahead[0] == ahead[1]
    quiet = config.with_values(population_share=0.0)
    quiet_arrays = State.from_arrays(again.to_arrays(), quiet).to_arrays()
    assert "opponents_recent_candidates_trees" in again.to_arrays()
    assert "opponents_recent_candidates_trees" not in quiet_arrays  # no candidate meets them


def test_prepared_genomes_keep_their_default_trees():
    kind = load_preset("ashe-2.3-smoke").with_values(**SMALL["ashe-2.3-smoke"]).genomes
    genomes = kind.first(3, OddEven(), rng=np.random.default_rng(1))
    with thread_workers(2) as workers:
        with_privileges, ready = (kind.prepared(genomes, number, workers) for number in (1, 2))
    assert (with_privileges.shape.level, ready.shape.level) == (4, 3)
    one = ready[np.array([2])].player(0, name="one")
    np.testing.assert_array_equal(one.weights, genomes.player(2, name="one").weights)
    np.testing.assert_array_equal(one.weights[kind.n_genes :], ready.trees[2])


def test_default_trees_can_come_from_the_previous_champion(workers):
    kind = load_preset("ashe-2.1-smoke").with_values(**SMALL["ashe-2.1-smoke"]).genomes
    assert kind.default_opponents == ("champion",)
    genomes = kind.first(2, OddEven(), rng=np.random.default_rng(1))
    alone = kind.prepared(genomes, 1, workers)
    taught = kind.prepared(genomes, 2, workers, genomes[:1])
    np.testing.assert_array_equal(alone.trees[0], taught.trees[0])  # it is the champion itself
    assert (alone.trees[1] != taught.trees[1]).any()
    # Outside of a run it meets its copy.
    np.testing.assert_array_equal(
        genomes.player(1, name="one").weights[kind.n_genes :], alone.trees[1]
    )


def test_later_opponents_replace_the_first_ones(workers):
    config = load_preset("ashe-1.0-smoke").with_values(
        generations=3,
        population=4,
        num_hands=2,
        named=("caller",),
        named_generations=1,
        named_later=("raiser", "folder"),
        **SMALL["ashe-1.0-smoke"],
    )
    state = State.initial_state(config)
    for met in (("caller",), ("raiser", "folder"), ("raiser", "folder")):
        state, line = step_generation(state, config, workers=workers)
        assert state.opponents.pool.named == met
        assert len(line["best_earnings"]) == len(met)
        state = State.from_arrays(state.to_arrays(), config)
    with pytest.raises(ValueError, match="named_generations must be above 0 if named_later"):
        config.with_values(named_generations=0)


def test_invalid_values_are_refused():
    with pytest.raises(ValueError, match="default_hands must be 0 with version"):
        ModelKind(default_hands=10)
    with pytest.raises(ValueError, match="a multiple of the number of default_opponents"):
        ModelKind(version="2.1", default_hands=10, default_opponents=("itself",) * 3)
    names = ("nonsense", "nlbot-1", "limit-team")  # unknown, not compiled, of another game
    for name in names:
        with pytest.raises(ValueError, match=f"default_opponents must be .*{name}"):
            ModelKind(version="2.1", default_hands=10, default_opponents=("itself", name))
    with pytest.raises(ValueError, match="game_blocks must be at least 1"):
        AsheKind(game_blocks=0)
    with pytest.raises(ValueError, match="sparse must be true or false; got 1"):
        AsheKind(sparse=1)
    with pytest.raises(ValueError, match='fitness "normalised" needs schedule "blocks"'):
        load_preset("ashe-1.0-smoke").with_values(racing_rounds=1)
