"""Arrays from outside: what kernels would read beyond its end, or as something else, is refused."""

import dataclasses

import numpy as np
import pytest

import agents
from agents.players.blueprint.book import HEADER, SECTION, read_book
from agents.players.networks import pack_networks
from agents.policy.action_probabilities import policy_of_inputs
from agents.policy.kinds import _kinds
from agents.policy.single_policy import SEATS_BY_LENGTH
from agents.theses.bonson.programs.instructions import FIRST_INPUT, Instruction, Program
from agents.theses.bonson.programs.layered_teams import LayeredTeamPlayer
from agents.theses.bonson.programs.team_players import TeamPlayer
from evolve import BehaviourProbes, Opponents
from evolve.genomes import Networks
from evolve.optimizers.novelty import update_novelty_archive

LEGAL = np.ones(5)


def reading(number):
    """A program that reads an input."""
    return Program(1, (Instruction(0, 0, FIRST_INPUT + number),))


@pytest.mark.parametrize("kind", ["static", "pot-odds", "style", "formula", "aggression", "team"])
@pytest.mark.parametrize("weights", [[], [0.5]])
def test_a_kind_needs_the_weights_that_it_reads(kind, weights):
    with pytest.raises(ValueError, match=r"weights|programs"):
        agents.CompiledPlayer("short", kind, np.array(weights))


def test_no_built_in_kind_reads_weights_that_a_player_lacks():
    """Each declares how many weights it needs, or checks those of a player itself."""
    ours = [kind for kind in _kinds.values() if kind.policy.__module__.startswith("agents.")]
    assert len(ours) > 15
    assert not [k.name for k in ours if k.n_weights is None and k.checks_player is None]


@pytest.mark.parametrize("kind", ["blueprint", "pseudo-optimal", "vexbot"])
def test_kinds_that_read_a_book_need_one(kind):
    weights = np.zeros(4 if kind == "vexbot" else 0)
    for book in (None, np.zeros(7, np.uint8)):
        with pytest.raises(ValueError, match="book"):
            agents.CompiledPlayer("bookless", kind, weights, book=book)


def test_weights_must_be_finite_and_one_dimensional():
    for weights, message in (
        ([0, np.nan, 1], r"weights must be finite numbers; got nan at weights\[1\]"),
        ([[0, 1, 0]], r"weights must be numbers of shape \(any,\)"),
        (["0", "1", "0"], "weights must be numbers of shape"),
    ):
        with pytest.raises(ValueError, match=message):
            agents.CompiledPlayer("wrong", "static", np.array(weights))
    assert agents.CompiledPlayer("right", "static", [0, 1, 0]).weights.dtype == np.float32
    with pytest.raises(ValueError, match=r"sizes must be whole numbers of shape \(8,\)"):
        agents.CompiledPlayer("wrong", "static", np.zeros(3), sizes=np.zeros(2, np.int64))


PRIOR = agents.make("equilibrium-limit").book


def changed(batch, value):
    """The book with a number of its first section changed."""
    book = PRIOR.copy()
    end = HEADER.itemsize + SECTION.itemsize
    book[HEADER.itemsize : end].view(SECTION)[batch] = value
    return book


@pytest.mark.parametrize(
    ("book", "message"),
    [
        (PRIOR[: len(PRIOR) // 2], "not a blueprint, or is damaged"),
        (PRIOR.astype(np.float64), "book must be whole numbers"),
        (changed("nodes", len(PRIOR)), "damaged: nodes"),
        (changed("n_actions", 2**40), "damaged: actions"),
        (changed("rows", -1), "damaged: sizes of streets"),
        (changed("main", 0), "damaged: buckets"),
        (changed("first_opening", 9), "damaged: openings"),
    ],
)
def test_a_damaged_blueprint_is_refused(book, message):
    with pytest.raises(ValueError, match=message):
        agents.BlueprintPlayer(book)


def test_a_blueprint_with_actions_outside_its_tree_is_refused():
    book = PRIOR.copy()
    read_book(book)[0].tree.actions["child"][5] = 10**6
    with pytest.raises(ValueError, match="what actions lead to"):
        agents.BlueprintPlayer(book)


def test_teams_need_all_inputs_that_they_read():
    team = TeamPlayer([reading(21)])
    for inputs in (np.zeros(0), np.zeros(21), np.full(35, np.nan)):
        with pytest.raises(ValueError, match="inputs must be"):
            team.bids(inputs, LEGAL)
    with pytest.raises(ValueError, match="mask must be"):
        team.bids(np.zeros(35), LEGAL[:2])
    for name, ask in (("limit-team", "bids_in"), ("limit-vote", "votes_in")):
        player = agents.make(name)
        with pytest.raises(ValueError, match="memory must be a row of at least"):
            getattr(player, ask)(np.zeros(20, np.float32), LEGAL)
        with pytest.raises(ValueError, match="memory must be a row of at least"):
            player.inputs_in(np.zeros(20, np.float32))
    layered = LayeredTeamPlayer([Program(0, ())], [[Program(1, ())]])
    with pytest.raises(ValueError, match="memory must be a row of at least"):
        layered.bids_in(np.zeros(3, np.float32), LEGAL)


NETWORKS = Networks.of_shape(np.zeros((2, 825), np.float32), (20,), "features")


@pytest.mark.parametrize(
    ("observations", "masks", "message"),
    [
        (np.zeros((4, 3)), np.ones((4, 5), np.int8), "observations must be numbers of shape"),
        (np.zeros((4, 35)), np.ones((2, 5), np.int8), "masks must be whole numbers of shape"),
        (np.zeros((4, 35)), np.ones((4, 2), np.int8), "masks must be whole numbers of shape"),
        (np.full((4, 35), np.inf), np.ones((4, 5), np.int8), "observations must be finite"),
    ],
)
def test_situations_must_match_the_players_observations(observations, masks, message):
    with pytest.raises(ValueError, match=message):
        BehaviourProbes(observations, masks).behaviour(NETWORKS)


def test_situations_may_have_any_array_type():
    wide = np.random.default_rng(1).random((4, 70))
    masks = np.ones((4, 5), np.int64)
    found = policy_of_inputs(NETWORKS.pack(), wide[:, ::2], masks)
    same = np.ascontiguousarray(wide[:, ::2], np.float32)
    np.testing.assert_array_equal(
        found, policy_of_inputs(NETWORKS.pack(), same, masks.astype(np.int8))
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"which": np.array([0, 7])}, r"which must be whole numbers in 0 \.\. 0"),
        ({"which": np.array([0.0, 0.0])}, "which must be whole numbers"),
        ({"inputs": np.array([0])}, "inputs must be whole numbers of shape"),
        ({"sizes": np.zeros((2, 2), np.int64)}, "sizes must be whole numbers of shape"),
        ({"weights": np.zeros((2, 1))}, "weights must be .* with n_weights of at least 3"),
        ({"weights": np.zeros((1, 3))}, "weights must be"),
    ],
)
def test_a_player_batch_has_its_players_arrays(change, message):
    batch = agents.pack_players([agents.make("caller"), agents.make("folder")])
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(batch, **change)


def test_network_weights_of_a_batch_must_be_finite():
    with pytest.raises(ValueError, match="weights must be finite numbers; got nan"):
        pack_networks(np.full((2, 825), np.nan, np.float32))


@pytest.mark.parametrize("lineups", [[[0.7, 1.2]], [[np.nan, 1.0]], [0, 1]])
def test_lineups_must_be_integers(lineups):
    with pytest.raises(ValueError, match="lineups must be whole numbers of shape"):
        agents.LineupBlocks(np.array(lineups), np.array([0]))
    with pytest.raises(ValueError, match="players must be whole numbers of shape"):
        agents.Blocks(1, players=[0.5, 1.0])
    with pytest.raises(ValueError, match="blocks must be whole numbers"):
        agents.LineupBlocks(np.array([[0, 1]]), np.array([-1]))


def test_style_counts_are_checked():
    with pytest.raises(ValueError, match="style_counts must be whole numbers of shape"):
        agents.style_stats(np.full((1, 3), 1.0))
    with pytest.raises(ValueError, match="style_counts must be whole numbers of at least 0"):
        agents.style_stats(np.full((1, 12), -1))


INFO = {
    "decision": 0,
    "hand_number": 0,
    "min_raise_to": 2,
    "max_raise_to": 10,
    "effective_stack": 0,
    "to_call": 0,
    "big_blind": 2,
}
LENGTH = min(SEATS_BY_LENGTH)


@pytest.mark.parametrize(
    ("name", "vector", "mask", "message"),
    [
        ("old-scratch", np.full(35, np.nan), np.ones(5, np.int8), "observation must be finite"),
        ("old-scratch", [0.0] * 34, np.ones(5, np.int8), "got a vector of shape"),
        ("old-scratch", np.zeros(35), np.ones((5, 1), np.int8), "action_mask must be whole"),
        ("formula", np.ones(LENGTH), np.ones(5, np.int8), "two hole cards.* got 52 and 52"),
        ("formula", np.zeros(LENGTH), np.ones(5, np.int8), "two hole cards.* got 0 and 0"),
        ("formula", np.full(LENGTH, np.nan), np.ones(5, np.int8), "observation must be finite"),
        ("formula", np.zeros((LENGTH, 2)), np.ones(5, np.int8), "observation must be numbers"),
    ],
)
def test_act_checks_the_given_observation(name, vector, mask, message):
    with pytest.raises(ValueError, match=message):
        agents.make(name).act({"observation": vector, "action_mask": mask}, INFO)


def test_lists_are_accepted_as_observations():
    player = agents.make("old-scratch")
    given = {"observation": [0.0] * 35, "action_mask": [1] * 5}
    same = {"observation": np.zeros(35, np.float32), "action_mask": np.ones(5, np.int8)}
    assert player.act(given, INFO) == player.act(same, INFO)


@pytest.mark.parametrize(
    ("chances", "members"),
    [([2.0, -1.0], [0]), ([1.0], [0]), ([np.nan, 1.0], [0]), ([0.5, 0.4], [0]), ([0.5, 0.5], [2])],
)
def test_opponent_probabilities_are_checked(chances, members):
    batch = agents.pack_players([agents.make("caller"), agents.make("folder")])
    with pytest.raises(ValueError, match=r"chances must|chances: rows must sum|members must"):
        Opponents(batch, np.array(chances), np.array(members))


def test_archives_need_finite_descriptors_of_one_width():
    rng = np.random.default_rng(1)
    good = np.zeros((2, 3))
    for archive, behaviour_descriptors, chance in (
        (good, np.full((2, 3), np.nan), 1.0),
        (good, np.zeros((2, 2)), 1.0),
        (good, good, 7.0),
    ):
        with pytest.raises(
            ValueError, match=r"archive must|behaviour_descriptors must|chance must"
        ):
            update_novelty_archive(archive, behaviour_descriptors, chance=chance, rng=rng)
