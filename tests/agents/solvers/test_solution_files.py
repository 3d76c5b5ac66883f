"""Solutions read back from disk."""

import json

import numpy as np
import pytest

from agents.solvers import Subgame, load_solution, save_solution, solve
from nlhe_env import Rake


@pytest.fixture(scope="module")
def solved():
    spot = Subgame(
        "KsTh7s4d2s",
        ("TT+, AQs:0.25", "99-22, KQ"),
        100,
        (250, 300),
        "50%",
        "2.5x",
        line=(0, 77),
        rake=Rake(share=0.05, cap=12),
    )
    return spot, solve(spot.game(), iterations=20)


def test_a_solution_reads_back_as_written(solved, tmp_path):
    spot, solution = solved
    save_solution(tmp_path / "river.npz", spot, solution)
    again, read = load_solution(tmp_path / "river.npz")
    assert (again.stacks, again.rules()) == (spot.stacks, spot.rules())
    assert [again.hand_names(p) for p in range(2)] == [spot.hand_names(p) for p in range(2)]
    np.testing.assert_array_equal(read.strategy, solution.strategy)
    assert read.value == solution.value
    assert read.iterations == 20


def test_chips_may_be_numbers_of_numpy(tmp_path):
    chips = {"pot": np.int64(20), "stack": np.int64(20), "line": np.array([0])}
    spot = Subgame("KsTh7s4d2s", ("AA", "QQ"), **chips)
    save_solution(tmp_path / "river.npz", spot, solve(spot.game(), iterations=1))
    again, _ = load_solution(tmp_path / "river.npz")
    assert (again.pot, again.stack, again.line) == (20, 20, (0,))


def test_other_files_are_refused(solved, tmp_path):
    spot, solution = solved
    with pytest.raises(ValueError, match=r"must end with \.npz"):
        save_solution(tmp_path / "river.bin", spot, solution)
    with pytest.raises(ValueError, match="for this subgame"):
        save_solution(tmp_path / "r.npz", Subgame("KsTh7s4d2s", ("AA", "KK"), 10, 20), solution)
    with pytest.raises(ValueError, match="there is no solution file"):
        load_solution(tmp_path / "none.npz")
    (tmp_path / "bad.npz").write_bytes(b"PK")
    with pytest.raises(ValueError, match="damaged"):
        load_solution(tmp_path / "bad.npz")
    path = tmp_path / "river.npz"
    save_solution(path, spot, solution)
    arrays = dict(np.load(path))
    about = json.loads(str(arrays["about"]))
    for wrong in ({"format": "nlhe-env solution 0"}, {"pot": 0}, {"bets": "pot, 50%"}):
        np.savez(path, **{**arrays, "about": np.array(json.dumps({**about, **wrong}))})
        with pytest.raises(ValueError, match="is not a solution file, or is damaged"):
            load_solution(path)


@pytest.mark.parametrize(
    "fields",
    [
        *({"iterations": value} for value in (-1, 1.5, "20", None, True, 10**299)),
        *({"pot": value} for value in ("100", 100.0, 10**299, None)),
        *({"stack": value} for value in ("250", [250], [1.5, 2], [250, 300, 1], {})),
        *({"board": value} for value in (["Ks"], 5, None, "")),
        *(
            {"bets": value}
            for value in (5, None, ["50%"], ",".join(f"{i}%" for i in range(1, 9999)))
        ),
        *({"rake": value} for value in ([1], "5%", [[], []], [0.05, 12, 1], [10**299, 1])),
        *({"line": value} for value in (5, "0", [[0]], ["0"], [10**299])),
        *({"big_blind": value} for value in (0, [], 10**299)),
        {"raises": "every", "bets": "every", "stack": 10_000},
    ],
    ids=lambda fields: str(fields)[:40],
)
def test_hostile_headers_are_refused(solved, tmp_path, fields):
    path = tmp_path / "river.npz"
    save_solution(path, *solved)
    arrays = dict(np.load(path))
    about = json.loads(str(arrays["about"]))
    np.savez(path, **{**arrays, "about": np.array(json.dumps(about | fields))})
    with pytest.raises(ValueError, match="is not a solution file, or is damaged"):
        load_solution(path)


@pytest.mark.parametrize("text", ["[" * 200_000, "[]", '{"iterations": 1e999}', "5"])
def test_headers_that_are_no_object_are_refused(solved, tmp_path, text):
    path = tmp_path / "river.npz"
    save_solution(path, *solved)
    np.savez(path, **{**dict(np.load(path)), "about": np.array(text)})
    with pytest.raises(ValueError, match="is not a solution file, or is damaged"):
        load_solution(path)
