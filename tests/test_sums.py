"""The run of the tests refuses sums whose last bits depend on the version of Python."""

import pytest


def sum_in(module: str, numbers: str) -> object:
    return eval(f"sum({numbers})", {"__name__": module})


@pytest.mark.parametrize(
    "numbers", ["[0.1, 0.2]", "[1, 2.0]", "x / 2 for x in range(3)", "[], 0.0"]
)
def test_the_packages_do_not_add_floats_by_the_built_in_sum(numbers: str) -> None:
    with pytest.raises(AssertionError, match=r"evolve\.files adds floats by sum\(\)"):
        sum_in("evolve.files", numbers)
    assert isinstance(sum_in("scipy.stats", numbers), float)


def test_other_sums_are_those_of_python() -> None:
    assert sum_in("agents", "[1, True], 4") == 6
    assert sum_in("agents", "[[1], [2]], []") == [1, 2]
