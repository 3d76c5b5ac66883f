"""Player files that somebody has changed: refused with a ValueError, or played to the end.

Kernels follow the counts and indices in weights, sizes and books without checks, so a file that
loads must not lead them outside of their arrays or round in circles.
"""

import json
import random
import subprocess
import sys

import numpy as np
import pytest

import agents
from agents.players.networks import ArgmaxNetworkPlayer, PotSizedNetworkPlayer, SparseNetworkPlayer
from agents.players.networks.network import count_weights
from agents.players.networks.sparse_network import NetworkLink, NetworkNode, SparseNetwork
from agents.players.rules.rule_players import RulePlayer
from agents.players.topographies import TopographyPlayer, head_start
from agents.theses.bonson.programs.instructions import Program
from agents.theses.bonson.programs.team_players import TeamPlayer
from agents.theses.li import tree
from agents.theses.li.ashe1 import AshePlayer, AsheShape, count_genes
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.shape import RECURSIVE, TEXTURED, ModelShape

LIMIT, NOLIMIT = "fixed-limit", "no-limit"


def grown_trees(nodes: int) -> np.ndarray:
    """Trees with three levels below both roots, as ``go_on`` grows them."""
    trees = np.zeros(tree.count_numbers(nodes), np.float32)
    tree.clear_trees(trees)
    for button in (True, False):
        for first in (tree.CALL_LABEL, tree.FIRST_BUCKET, tree.FIRST_BUCKET + 2):
            for second in (tree.CALL_LABEL, tree.FIRST_BUCKET + 1, tree.FIRST_BOARD):
                tree.begin_path(trees, button)
                tree.go_on(trees, nodes, first)
                tree.go_on(trees, nodes, second)
    return trees


def with_trees(level: int) -> ModelPlayer:
    boards = 2 if level >= RECURSIVE else 0
    shape = ModelShape(2, 3, 4, 0, 256, level, 64, boards)
    genes = np.random.default_rng(1).normal(0.0, 0.5, sum(shape.parts)).astype(np.float32)
    return ModelPlayer(np.concatenate([genes, grown_trees(64)]), shape=shape)


def sparse() -> agents.CompiledPlayer:
    outputs = tuple(NetworkNode(i, 0.1 * i) for i in range(5))
    links = (*(NetworkLink(-1 - i, i, 0.5) for i in range(5)), NetworkLink(-7, 5, 1.0))
    links += (NetworkLink(5, 2, -0.5),)
    network = SparseNetwork(35, 5, (*outputs, NetworkNode(5, 0.2)), links)
    return SparseNetworkPlayer(network)


def of_shape(player_class, hidden, **interpretation) -> agents.CompiledPlayer:
    weights = np.random.default_rng(5).normal(size=count_weights(10, hidden))
    interpreted = agents.ActionInterpretation(**interpretation)
    return player_class(weights, hidden=hidden, name="mine", interpretation=interpreted)


ADJUSTED = AsheShape(2, 3, 2, 4, 5, adjusted=1)


def named(name: str):
    return lambda: agents.make(name)


PROGRAMS = [
    Program.read(action, "r[0] = r[0] + i[2]", "if r[0] < i[1]:", "r[0] = r[0] - r[1]")
    for action in range(3)
]
NOLIMIT_NAMES = (
    *("caller", "old-best", "loose-passive", "pot-odds", "formula", "push-or-fold", "lstm"),
    *("scared-limper", "calling-machine", "early-scared-limper", "random-gambler", "half-a-pro"),
    *("opponent-frequency", "ashe-1.0", "ashe-2.0", "equilibrium-nolimit"),
)
LIMIT_NAMES = ("poki", "poki-sim", "vexbot", "hobbybot", "limit-team", "limit-vote", "limit-layers")
SPECIMENS = {
    **{name: (named(name), NOLIMIT) for name in NOLIMIT_NAMES},
    **{name: (named(name), LIMIT) for name in LIMIT_NAMES},
    "pseudo-optimal": (named("psopti-2"), LIMIT),
    "trees": (lambda: with_trees(TEXTURED), NOLIMIT),
    "trees ahead": (lambda: with_trees(RECURSIVE), NOLIMIT),
    "sparse": (sparse, NOLIMIT),
    "team": (lambda: TeamPlayer(PROGRAMS), NOLIMIT),
    "network": (lambda: agents.NetworkPlayer(np.zeros(825, np.float32)), NOLIMIT),
    "argmax": (lambda: of_shape(ArgmaxNetworkPlayer, (3,), illegal_action="call"), NOLIMIT),
    "pot-sized": (lambda: of_shape(PotSizedNetworkPlayer, (4, 2)), NOLIMIT),
    "topography": (lambda: TopographyPlayer(head_start(), name="Ann", origin={"n": 7}), NOLIMIT),
    "ashe adjusted": (lambda: AshePlayer(np.ones(count_genes(ADJUSTED)), shape=ADJUSTED), NOLIMIT),
}
"""A player for many kinds, and the betting that it plays."""

NUMBERS = (-1.0, 0.0, 0.5, 1.0, 2.0, 300.0, 65_536.0, 2.0**24, 3e8, -3e8, 3e38, -3e38)

CHILD = """
import pathlib, sys
import agents, nlhe_env
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    print(path.name, flush=True)
    try:
        player = agents.load_player(path)
    except ValueError:
        continue
    others = [player, agents.make("caller")]
    game = nlhe_env.Game.cash(blinds=(50, 100), num_hands=3, betting=sys.argv[2])
    agents.play(others, agents.Blocks(2), game, seed=1)
"""


def changed_files(name, player, folder, count, generator):
    """Write player files with one or two changed numbers in weights, sizes or book."""
    agents.save_player(folder / "original.npz", player)
    with np.load(folder / "original.npz") as file:
        arrays = dict(file)
    (folder / "original.npz").unlink()
    about = json.loads(str(arrays["about"]))
    structure = [i for i, weight in enumerate(arrays["weights"]) if weight == int(weight)]
    for number in range(count):
        weights, book, sizes = arrays["weights"].copy(), arrays.get("book"), [*about["sizes"]]
        for _ in range(generator.randint(1, 2)):
            what = generator.randrange(4)
            if what == 0 and sizes:
                i = generator.randrange(len(sizes))
                sizes[i] = max(0, sizes[i] + generator.choice((-1, 1, 3, 2**20)))
            elif what == 1 and book is not None:
                book = book.copy()
                at = 8 * generator.randrange(min(len(book), 600) // 8)
                value = generator.choice((-1, 0, 1, len(book), 2**31, 2**62, -(2**63)))
                book[at : at + 8] = np.frombuffer(np.int64(value).tobytes(), np.uint8)
            elif len(weights):
                places = structure if what == 2 and structure else range(len(weights))
                at = generator.choice(places)
                value = np.float32(generator.choice((*NUMBERS, weights[at] + 1, weights[at] - 1)))
                weights[at] = value
        parts = {"about": np.array(json.dumps(about | {"sizes": sizes})), "weights": weights}
        parts |= {} if book is None else {"book": book}
        np.savez(folder / f"{name.replace(' ', '-')}-{number:02}.npz", **parts)


@pytest.mark.parametrize("name", SPECIMENS)
def test_a_player_is_the_same_from_its_file(name, tmp_path):
    player = SPECIMENS[name][0]()
    agents.save_player(tmp_path / "one.npz", player)
    again = agents.load_player(tmp_path / "one.npz")
    if not isinstance(player, RulePlayer):  # which has no more than its weights
        assert type(again) is type(player)
        assert vars(again).keys() == vars(player).keys()
    for key, value in vars(again).items():
        np.testing.assert_equal(value, getattr(player, key), key)


@pytest.mark.slow
@pytest.mark.parametrize("betting", [NOLIMIT, LIMIT])
def test_changed_files_neither_crash_nor_hang_a_process(betting, tmp_path):
    for name, (make, plays) in SPECIMENS.items():
        if plays == betting:
            changed_files(name, make(), tmp_path, 12, random.Random(name))
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(tmp_path), betting],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    last = done.stdout.split()[-1:]
    assert done.returncode == 0, f"file {last}: {done.returncode}, {done.stderr[-500:]}"


# --- trees ----------------------------------------------------------------------------------------

TREES = grown_trees(64)


def test_trees_as_they_grow_are_accepted():
    tree.check_trees(TREES, 64)
    tree.check_trees(np.zeros_like(TREES), 64)


@pytest.mark.parametrize("field", [tree.CHILD, tree.SIBLING])
def test_any_other_child_or_sibling_is_refused(field):
    count = int(TREES[0])
    assert count > 15
    for node in range(count):
        at = tree.HEAD + node * tree.NODE + field
        for value in (-1e6, -1, 0.5, *range(count), count, 63, 64, 3e8, 3e38):
            changed = TREES.copy()
            changed[at] = value
            if changed[at] != TREES[at]:
                with pytest.raises(ValueError, match="trees"):
                    tree.check_trees(changed, 64)


@pytest.mark.parametrize("count", [-1, 1.5, 65, 3e8, 1e38, TREES[0] - 1, TREES[0] + 1])
def test_any_other_number_of_nodes_is_refused(count):
    changed = TREES.copy()
    changed[0] = count
    with pytest.raises(ValueError, match="trees"):
        tree.check_trees(changed, 64)


@pytest.mark.parametrize("level", [TEXTURED, RECURSIVE])
def test_a_file_with_a_wrong_tree_is_not_loaded(tmp_path, level):
    player = with_trees(level)
    weights = player.weights.copy()
    weights[-player.shape.default_numbers + tree.HEAD + tree.CHILD] = 3e8
    changed_file(tmp_path, player, weights=weights)
    with pytest.raises(ValueError, match=r"one\.npz' .*children and siblings"):
        agents.load_player(tmp_path / "one.npz")


def changed_file(folder, player, about=(), **arrays):
    """Save a player with other arrays and other fields in its header."""
    path = folder / "one.npz"
    agents.save_player(path, player)
    with np.load(path) as file:
        parts = dict(file) | arrays
    fields = json.loads(str(parts["about"])) | dict(about)
    np.savez(path, **{**parts, "about": np.array(json.dumps(fields))})


# --- teams ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "value"),
    [
        *((0, value) for value in (-1, 4, 1.5, 3e38)),
        *((1, value) for value in (-1, 5)),
        *((2, value) for value in (-2, 0.5, 1e6)),
        *((3, value) for value in (-1, 0.5, 2.0**30)),
        (-5, 5),
    ],
)
def test_a_team_with_a_wrong_count_or_index_is_refused(place, value):
    player = TeamPlayer(PROGRAMS)
    weights = player.weights.copy()
    weights[place] = value
    with pytest.raises(ValueError, match=r"team of programs|of a program|inputs"):
        agents.CompiledPlayer("x", "team", weights, "features_unit")


def test_the_inputs_of_instructions_without_effect_exist_too():
    idle = Program.read(1, "r[3] = r[3] + i[100]")
    code = idle.instructions[0].code
    with pytest.raises(ValueError, match="there are 35 inputs; a program reads number 100"):
        agents.CompiledPlayer("x", "team", np.array([1, 1, 1, code], np.float32), "features_unit")


# --- counts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["early-scared-limper", "random-gambler", "poki", "poki-sim"])
@pytest.mark.parametrize("value", [-1, 0.5, 3e8, 3e38])
def test_counts_and_choices_among_the_weights_are_checked(name, value):
    player = agents.make(name)
    place = {"poki": 8, "poki-sim": 9}.get(name, 0)
    weights = player.weights.copy()
    weights[place] = value
    with pytest.raises(ValueError, match=f"weight {place} must be a whole number"):
        agents.CompiledPlayer("x", player.kind, weights, player.inputs, player.sizes)


# --- headers --------------------------------------------------------------------------------------

HEADERS = [
    *({"sizes": sizes} for sizes in (None, 5, "12", [2**63], [10**299], [1.5], ["12"], [-1])),
    *({"sizes": sizes} for sizes in ([True], [[1]], [1] * 50)),
    *({"origin": origin} for origin in ([1], 5, None, "x")),
    *({"name": name} for name in (["x"], 5, None, "\x1b[2J", "two\nlines")),
    *({"kind": kind} for kind in (5, None, ["network"], "")),
    *({"inputs": inputs} for inputs in (5, None, [], "no such")),
    *({"interpretation": value} for value in ([], 5, {"illegal_action": 5}, {"other": 1})),
    *({"format": value} for value in (5, None, [], "nlhe-env player 99")),
]


@pytest.mark.parametrize("fields", HEADERS, ids=str)
def test_headers_of_other_types_are_refused_by_name(tmp_path, fields):
    changed_file(tmp_path, agents.make("old-best"), about=fields)
    with pytest.raises(ValueError, match=r"one\.npz"):
        agents.load_player(tmp_path / "one.npz")


@pytest.mark.parametrize(
    "text", ["[]", "5", "null", "[" * 200_000, '{"format": ' + "9" * 401 + "}"]
)
def test_headers_that_are_no_object_are_refused_by_name(tmp_path, text):
    np.savez(tmp_path / "one.npz", about=np.array(text), weights=np.zeros(3))
    with pytest.raises(ValueError, match=r"one\.npz' is not a player file"):
        agents.load_player(tmp_path / "one.npz")


@pytest.mark.parametrize(
    "weights",
    [
        np.zeros((2, 2)),
        np.array("x"),
        np.array(["1", "2"]),
        np.zeros(3, complex),
        np.array(1.0),
        np.array([np.nan] * 2000),
        np.array([1e300] * 2000),
    ],
)
def test_weights_of_other_types_are_refused_by_name(tmp_path, weights):
    changed_file(tmp_path, agents.make("old-best"), weights=weights)
    with pytest.raises(ValueError, match=r"one\.npz'"):
        agents.load_player(tmp_path / "one.npz")
