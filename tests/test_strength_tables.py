"""The strength tables against published sizes, reference values and brute force; the file."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import numpy as np
import pytest

import nlhe_env.__main__
from nlhe_env import equity
from nlhe_env._jit import allocating_kernel
from nlhe_env.cards import parse_cards
from nlhe_env.equity import lookup, store, suits
from nlhe_env.equity.build import river_boards
from nlhe_env.equity.cells import (
    FIVE_WIDTH,
    FOUR_START,
    FOUR_WIDTH,
    N_RIVER_CELLS,
    NO_START,
    NO_WIDTH,
    THREE_START,
    THREE_WIDTH,
    preflop_class,
)
from nlhe_env.evaluator import evaluate

TOLERANCE = 1e-6

# Hole, then the win chance against 1, 2, 3, 5 and 9 opponents.
PREFLOP_VALUES = """
AsAh 0.854755 0.740862 0.649436 0.512759 0.347566
KsKh 0.826740 0.696005 0.595060 0.452247 0.295532
QsQh 0.802183 0.657478 0.549252 0.402994 0.255085
JsJh 0.777860 0.620742 0.507119 0.360548 0.223596
4s4h 0.577891 0.380394 0.278227 0.187383 0.131789
2s2h 0.512829 0.319619 0.232674 0.165154 0.125448
AsKs 0.678697 0.521930 0.432469 0.332297 0.233627
AsKh 0.661708 0.497353 0.404236 0.300846 0.199821
KsQs 0.643924 0.487035 0.401151 0.305865 0.213146
JsTs 0.589009 0.438630 0.360110 0.273312 0.192937
7s2h 0.374570 0.228359 0.163823 0.105006 0.064140
3s2h 0.353670 0.219682 0.159012 0.105296 0.068479
"""

# Hole, board; opposing holdings that are greater, lesser, equal over all boards to come; win
# chance against 1, 2 and 9 opponents.
POSTFLOP_VALUES = """
5s6s 2s3s4s            0 1070190      0 1.000000 1.000000 1.000000
AhAc 2s3s4s       313977  702136  54077 0.706616 0.519637 0.112366
AsAh 3d5d5c       165356  902657   2177 0.845489 0.724596 0.313083
7c2d AsKsQs       788765  116465 164960 0.262967 0.116287 0.016027
AhKh QhJh2c       248358  811922   9910 0.767931 0.653250 0.463855
8c8d 8h3s2d        41136 1029054      0 0.961562 0.927815 0.765311
QcJc Th9h2c       430692  624657  14841 0.597556 0.468270 0.287138
9c9d 7h7s7d       195758  832678  41754 0.817081 0.681958 0.256946
AhKh QhJh2c3d      16645   28580    315 0.634497 0.473132 0.291794
8c8d 8h3s2dKs       1020   44520      0 0.977602 0.956187 0.829597
AhKh QhJh2c3d9s      625     356      9 0.368687 0.135930 0.000126
AhKd AcKs7d2h2c       92     894      4 0.907071 0.822777 0.415691
7c2d AsKsQsJsTs        0       0    990 1.000000 1.000000 1.000000
"""


def rows(text):
    return [line.split() for line in text.strip().splitlines()]


def compare_holdings(hole, board):
    """(greater, lesser, equal) opposing holdings for each completion of the board: ``(n, 3)``."""
    deck = [card for card in range(52) if card not in hole and card not in board]
    counts = []
    for completion in combinations(deck, 5 - len(board)):
        full = [*board, *completion]
        others = [card for card in deck if card not in completion]
        opposing = np.array([[*two, *full] for two in combinations(others, 2)], np.int8)
        own_rank = evaluate([[*hole, *full]])[0]
        ranks = evaluate(opposing)
        counts.append([(ranks > own_rank).sum(), (ranks < own_rank).sum()])
    greater, lesser = np.array(counts).T
    return np.stack([greater, lesser, 990 - greater - lesser], axis=1)


def brute_chance(counts, n_opponents):
    return ((counts[:, 1] + counts[:, 2]) / counts.sum(axis=1)) ** n_opponents


def suit_shape(board):
    return tuple(sorted(np.bincount(np.array(board) % 4, minlength=4)))


@pytest.fixture(scope="module")
def built():
    """Tables built by one thread."""
    records = store.build_tables(n_threads=1)
    records.setflags(write=False)
    return records


@pytest.fixture(scope="module")
def tables(built):
    return built[0]


@pytest.fixture
def cache(built, tmp_path, monkeypatch):
    """A cache folder of its own; building there takes no time."""
    monkeypatch.setenv("NLHE_ENV_CACHE", str(tmp_path))
    monkeypatch.setattr(store, "build_tables", lambda **_: built.copy())
    yield tmp_path
    store._opened.clear()


@pytest.fixture
def stored(cache):
    """The file of sound tables in the cache; no tables are open in this process."""
    equity.load_tables()
    store._opened.clear()
    return equity.tables_file()


# ----------------------------------------------------------------------------- sizes and numbering


def test_flop_classes_have_the_published_sizes():
    numbering = suits.number_flops()
    widths = np.diff(numbering.first_cells())
    shapes = np.array([suits.flop_shape(model) for model in numbering.models])
    for shape in suits.FLOP_SHAPES:
        size = suits.PUBLISHED_SIZES[shape]
        assert (shapes == shape).sum() == size.boards
        assert set(widths[shapes == shape]) == {size.holes}
    assert len(widths) == 1755
    assert widths.sum() == suits.N_FLOP_CELLS == 1_286_792
    assert numbering.sizes.sum() == 22_100


def test_river_blocks_have_the_published_sizes():
    ends = [FOUR_START, THREE_START, NO_START, N_RIVER_CELLS]
    widths = [FIVE_WIDTH, FOUR_WIDTH, THREE_WIDTH, NO_WIDTH]
    names = ["FIVE_SUITED", "FOUR_SUITED", "THREE_SUITED", "NO_SUITED"]
    start = 0
    for name, width, end in zip(names, widths, ends, strict=True):
        assert ((end - start) / width, width) == suits.PUBLISHED_SIZES[name]
        start = end
    assert len(river_boards()) == 42_796
    assert N_RIVER_CELLS == 10_041_005


def test_unreachable_river_cells_are_marked(tables):
    river = tables["river"]
    ends = [FOUR_START, THREE_START, NO_START]
    reachable = [int((block != suits.NO_CELL).sum()) for block in np.split(river, ends)]
    assert reachable == [287_001, 2_267_980, 6_919_198, 558_883]
    assert river[river != suits.NO_CELL].max() == 990


def test_preflop_classes_are_169_of_known_sizes():
    sizes = np.zeros(169, int)
    for a, b in suits.hole_pairs().astype(np.int64):
        assert preflop_class(a, b) == preflop_class(b, a)
        sizes[preflop_class(a, b)] += 1
    assert sorted(sizes) == [4] * 78 + [6] * 13 + [12] * 78


# ------------------------------------------------------------------------------------------ values


@pytest.mark.parametrize("row", rows(PREFLOP_VALUES), ids=lambda row: row[0])
def test_preflop_reference_values(tables, row):
    hole = parse_cards(row[0])
    for n_opponents, expected in zip((1, 2, 3, 5, 9), row[1:], strict=True):
        chance = lookup.win_chance(*hole, np.zeros(5, np.int8), 0, n_opponents, tables)
        assert chance == pytest.approx(float(expected), abs=TOLERANCE)


@pytest.mark.parametrize("row", rows(POSTFLOP_VALUES), ids=lambda row: "-".join(row[:2]))
def test_postflop_reference_values(tables, row):
    hole = parse_cards(row[0])
    board = parse_cards(row[1])
    counts = compare_holdings(hole, board)
    assert counts.sum(axis=0).tolist() == [int(count) for count in row[2:5]]
    cards = np.array(board, np.int8)
    for n_opponents, expected in zip((1, 2, 9), row[5:], strict=True):
        chance = lookup.win_chance(*hole, cards, len(board), n_opponents, tables)
        assert chance == pytest.approx(float(expected), abs=TOLERANCE)


@pytest.mark.parametrize(("n_board", "n_each"), [(3, 3), (4, 6), (5, 15)])
def test_random_hands_equal_brute_force(tables, n_board, n_each):
    """Some hands for every way in which suits can fall on the board."""
    rng = np.random.default_rng(n_board)
    n_shapes = {3: 3, 4: 5, 5: 6}[n_board]
    left = {}
    while len(left) < n_shapes or any(left.values()):
        cards = rng.permutation(52)[: 2 + n_board]
        hole, board = cards[:2].tolist(), cards[2:].tolist()
        if left.setdefault(suit_shape(board), n_each) == 0:
            continue
        left[suit_shape(board)] -= 1
        counts = compare_holdings(hole, board)
        for n_opponents in (1, 4, 9):
            chance = lookup.win_chance(*hole, np.array(board), n_board, n_opponents, tables)
            assert chance == pytest.approx(brute_chance(counts, n_opponents).mean(), abs=1e-7)


@allocating_kernel
def mean_over_flops(hole_0, hole_1, n_opponents, tables):
    flop = np.empty(3, np.int64)
    total = 0.0
    n_flops = 0
    for a in range(52):
        for b in range(a):
            for c in range(b):
                if hole_0 not in (a, b, c) and hole_1 not in (a, b, c):
                    flop[:] = (b, a, c)
                    total += lookup.win_chance(hole_0, hole_1, flop, 3, n_opponents, tables)
                    n_flops += 1
    return total / n_flops


@pytest.mark.parametrize("hole", ["AsAh", "9c8c", "3d2s"])
def test_preflop_is_the_average_over_all_flops(tables, hole):
    a, b = parse_cards(hole)
    for n_opponents in (1, 9):
        chance = lookup.win_chance(a, b, np.zeros(5, np.int8), 0, n_opponents, tables)
        assert mean_over_flops(a, b, n_opponents, tables) == pytest.approx(chance, abs=1e-8)


def test_flop_is_the_average_over_all_turns(tables):
    rng = np.random.default_rng(0)
    for _ in range(200):
        cards = rng.permutation(52)
        hole, board = cards[:2], cards[2:6].copy()
        chances = []
        for turn in cards[5:]:
            board[3] = turn
            chances.append(lookup.win_chance(*hole, board, 4, 3, tables))
        chance = lookup.win_chance(*hole, board, 3, 3, tables)
        assert np.mean(chances) == pytest.approx(chance, abs=1e-7)


@pytest.mark.parametrize("n_board", [0, 3, 4, 5])
def test_order_of_cards_and_names_of_suits_do_not_matter(tables, n_board):
    rng = np.random.default_rng(n_board)
    for _ in range(300):
        cards = rng.permutation(52)[:7]
        renamed = cards // 4 * 4 + rng.permutation(4)[cards % 4]
        hole, board = rng.permutation(renamed[:2]), rng.permutation(renamed[2 : 2 + n_board])
        board = np.append(board, [-1, -1, -1, -1, -1])  # cards not yet dealt are not read
        assert lookup.win_chance(*hole, board, n_board, 2, tables) == pytest.approx(
            lookup.win_chance(*cards[:2], cards[2:], n_board, 2, tables), rel=1e-14
        )


# ------------------------------------------------------------------------------- the people's door


def test_win_chance_of_text():
    assert equity.win_chance("AsAh") == pytest.approx(0.854755, abs=TOLERANCE)
    assert equity.win_chance("As Ah", n_opponents=9) == pytest.approx(0.347566, abs=TOLERANCE)


def test_win_chance_of_text_with_board(stored):
    chance = equity.win_chance("AhKh", "QhJh2c", n_opponents=2)
    assert chance == pytest.approx(0.653250, abs=TOLERANCE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hole": "As"}, "hole must be two cards; got 'As'"),
        ({"hole": "AsKs", "board": "2c3c"}, "board must be 0, 3, 4 or 5 cards; got '2c3c'"),
        ({"hole": "AsKs", "board": "2c3cAs"}, "card As is in both"),
        ({"hole": "AsKs", "n_opponents": 0}, r"n_opponents must be 1..9; got 0"),
        ({"hole": "AsKs", "n_opponents": 10}, r"n_opponents must be 1..9; got 10"),
        ({"hole": "AsXs"}, "'Xs' in 'AsXs' is not a card"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        equity.win_chance(**arguments)


# ---------------------------------------------------------------------------------------- the file


def test_bytes_do_not_depend_on_threads(built):
    assert store.build_tables(n_threads=2).tobytes() == built.tobytes()


def test_packaged_preflop_table_is_what_the_builder_makes(tables):
    assert np.load(store.PREFLOP_FILE).tobytes() == tables["preflop"].tobytes()


def test_tables_are_built_once_and_then_opened(cache, built, capsys):
    tables = equity.load_tables()
    assert equity.load_tables() is tables
    assert "building exact strength tables" in capsys.readouterr().err
    store._opened.clear()
    opened = equity.load_tables()
    assert capsys.readouterr().err == ""
    assert opened.tobytes() == built[0].tobytes()
    assert not opened["river"].flags.writeable
    assert [path.name for path in equity.tables_file().parent.iterdir()] == ["tables.npy"]


def damage_byte(path, offset):
    with path.open("r+b") as file:
        file.seek(offset, os.SEEK_END if offset < 0 else os.SEEK_SET)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))


DAMAGES = {
    "first byte": lambda path: damage_byte(path, 0),
    "header": lambda path: damage_byte(path, 40),
    "middle": lambda path: damage_byte(path, 30_000_000),
    "last byte": lambda path: damage_byte(path, -1),
    "truncated": lambda path: os.truncate(path, 50_000_000),
    "empty": lambda path: os.truncate(path, 0),
    "another array": lambda path: np.save(path, np.arange(10)),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damaged_file_is_reported_and_built_again(stored, built, capsys, damage):
    damage(stored)
    capsys.readouterr()
    tables = equity.load_tables()
    reports = [line for line in capsys.readouterr().err.splitlines() if "is damaged (" in line]
    assert len(reports) == 1
    assert str(stored) in reports[0]
    assert "building it again" in reports[0]
    assert tables.tobytes() == built[0].tobytes()
    assert store.open_tables(stored).tobytes() == built[0].tobytes()


def test_file_of_another_version_is_reported_and_built_again(stored, built, capsys):
    other = built.copy()
    other["version"] = 7
    np.save(stored, other)
    capsys.readouterr()
    equity.load_tables()
    assert "is of version 7, this is version 1; building it again" in capsys.readouterr().err
    assert store.open_tables(stored)["version"] == 1


def test_two_builders_at_once_leave_sound_tables(cache, built):
    path = equity.tables_file()
    with ThreadPoolExecutor(4) as executor:
        list(executor.map(lambda _: store._save(path, built), range(4)))
    assert store.open_tables(path).tobytes() == built[0].tobytes()


def test_tables_stay_in_memory_where_nothing_can_be_written(built, cache, monkeypatch, capsys):
    (cache / "file").touch()
    monkeypatch.setenv("NLHE_ENV_CACHE", str(cache / "file"))
    tables = equity.load_tables()
    assert tables.tobytes() == built[0].tobytes()
    assert "cannot keep the strength tables" in capsys.readouterr().err


def test_command_line_builds_verifies_and_rebuilds(cache, monkeypatch, capsys):
    for arguments, builds in (
        (["tables"], True),
        (["tables"], False),
        (["tables", "--rebuild"], True),
    ):
        store._opened.clear()
        monkeypatch.setattr(sys, "argv", ["nlhe_env", *arguments])
        nlhe_env.__main__.main()
        output = capsys.readouterr()
        assert str(equity.tables_file()) in output.out
        assert "71.4 MB" in output.out
        assert ("building" in output.err) == builds


def test_import_builds_nothing(tmp_path):
    environment = {**os.environ, "NLHE_ENV_CACHE": str(tmp_path)}
    subprocess.run([sys.executable, "-c", "import nlhe_env.equity"], env=environment, check=True)
    assert not list(tmp_path.glob("strength*"))
