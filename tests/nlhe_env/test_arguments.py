"""Checks of arguments: accepted values, and error messages."""

import math

import numpy as np
import pytest

from nlhe_env import BlindSchedule, Game
from nlhe_env.arguments import (
    array,
    check_shares,
    number,
    one_of,
    printable,
    share,
    whole_number,
)


def test_values_within_limits_pass():
    assert one_of("mode", "cash", ("tournament", "cash")) == "cash"
    assert whole_number("count", np.int32(3), least=1, most=3) == 3
    assert type(whole_number("count", np.int32(3), least=1)) is int
    assert number("step", 2, least=0.0, above=True) == 2.0
    assert type(number("step", 2)) is float
    assert (share("chance", 0), share("chance", 1.0)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (
            lambda: one_of("mode", "cahs", ("tournament", "cash")),
            r'mode must be one of "tournament", "cash"; got \'cahs\' \(did you mean "cash"\?\)',
        ),
        (lambda: one_of("mode", 7, ("cash",)), 'mode must be one of "cash"; got 7'),
        (lambda: whole_number("n", 2.0, least=1), "n must be a whole number at least 1; got 2.0"),
        (lambda: whole_number("n", True, least=0), "n must be a whole number at least 0; got True"),
        (lambda: whole_number("n", 0, least=1), "n must be at least 1; got 0"),
        (lambda: whole_number("n", 11, least=2, most=10), r"n must be in 2 \.\. 10; got 11"),
        (lambda: number("x", math.nan), "x must be a finite number; got nan"),
        (lambda: number("x", True), "x must be a finite number; got True"),
        (lambda: number("x", "1"), "x must be a finite number; got '1'"),
        (lambda: number("x", -1, least=0.0), "x must be a finite number of at least 0; got -1"),
        (lambda: number("x", 0, least=0.0, above=True), "x must be a finite number above 0; got 0"),
        (lambda: number("x", 9, most=8.0), "x must be a finite number of at most 8; got 9"),
        (lambda: share("x", 1.5), r"x must be a finite number in 0 \.\. 1; got 1.5"),
    ],
)
def test_values_outside_limits_are_refused_by_name(check, message):
    with pytest.raises(ValueError, match=message):
        check()


def test_letters_stay_and_what_controls_a_terminal_becomes_blanks():
    assert printable("é\x1b[2J\udcff\u202e\n", keep="\n") == "é [2J  \n"


def test_a_suggestion_comes_before_a_long_list():
    names = [f"player-{k}" for k in range(20)]
    with pytest.raises(ValueError, match=r"""^.playr-7.: did you mean "player-7"\? x must"""):
        one_of("x", "playr-7", names)
    with pytest.raises(ValueError, match=r"""got 'playr-7' \(did you mean "player-7"\?\)$"""):
        one_of("x", "playr-7", names[:8])


@pytest.mark.parametrize("name", ["num_hands", "max_bets", "starting_stack", "hands_per_level"])
@pytest.mark.parametrize("value", [2**53 + 1, 2**63, 2**64, 10**400])
def test_numbers_too_large_for_a_game_are_refused(name, value):
    def describe():
        return (
            BlindSchedule(((10, 20),), value)
            if name == "hands_per_level"
            else Game.cash(**{name: value})
        )

    with pytest.raises(ValueError, match=f"{name} must be at most 9007199254740992; got"):
        describe()


def test_too_many_players_for_memory_are_refused():
    with pytest.raises(ValueError, match="num_players must be at most 1000000"):
        Game.tournament().arrays(2**40)


def test_arrays_are_converted_for_kernels():
    wide = np.arange(8.0).reshape(2, 4)
    for given in (wide[:, ::2], wide[:, ::2].astype(">f8"), wide[:, ::2].tolist()):
        found = array("x", given, (2, None))
        assert (found.dtype, found.flags.c_contiguous) == (np.float64, True)
        np.testing.assert_array_equal(found, [[0, 2], [4, 6]])
    assert array("x", wide, (2, 4)) is wide
    assert array("mask", [True, False], (2,), dtype=np.int8).dtype == np.int8
    assert array("x", [], (0,), dtype=np.int64).shape == (0,)


@pytest.mark.parametrize(
    ("value", "options", "message"),
    [
        ([[1.0]], {}, r"x must be numbers of shape \(any, 2\); got shape \(1, 1\) of float64"),
        ([1.0, 2.0], {}, r"got shape \(2,\)"),
        ([[1, 2], [3]], {}, "rows of different lengths"),
        ([["1", "2"]], {}, "of <U1"),
        ([[1j, 2]], {}, "of complex128"),
        ([[0.5, math.nan]], {}, r"x must be finite numbers; got nan at x\[0, 1\]"),
        ([[0.5, 1e300]], {"dtype": np.float32}, r"got inf at x\[0, 1\]"),
        ([[0.0, -1.0]], {"least": 0}, r"finite numbers of at least 0; got -1.0 at x\[0, 1\]"),
        ([[0.0, 2.0]], {"most": 1}, r"finite numbers of at most 1; got 2.0 at x\[0, 1\]"),
        ([[0.0, 2.0]], {"least": 0, "most": 1}, r"finite numbers in 0 \.\. 1; got 2.0"),
        ([[0.0, 1.0]], {"dtype": np.int64}, "x must be whole numbers of shape .*of float64"),
        ([[0, 300]], {"dtype": np.int8}, r"of at most 127; got 300 at x\[0, 1\]"),
        (np.uint64([[0, 2**63]]), {"dtype": np.int64}, r"got 9223372036854775808 at x\[0, 1\]"),
    ],
)
def test_other_arrays_are_refused(value, options, message):
    with pytest.raises(ValueError, match=message):
        array("x", value, (None, 2), **options)


def test_shares_sum_to_one_up_to_rounding():
    check_shares("x", np.array([1.0, 1.00001]))
    with pytest.raises(ValueError, match=r"x: rows must sum to 1.*number \(1\) sums to 0.9"):
        check_shares("x", np.array([1.0, 0.9]))
