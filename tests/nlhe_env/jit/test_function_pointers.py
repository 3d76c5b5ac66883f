"""Kernels that are called by address."""

from typing import NamedTuple

import numba
import numpy as np
import pytest

from nlhe_env.game.table import TABLE
from nlhe_env.jit.compilation import kernel
from nlhe_env.jit.function_pointers import Signature


class Sight(NamedTuple):
    """An argument of several parts."""

    table: np.void
    row: np.ndarray


MEASURE = Signature(
    "a measure",
    np.int64,
    sight=Sight(np.zeros(1, TABLE)[0], np.zeros(1)),
    memory=np.zeros(1, np.float32),
    times=1,
)
call_measure = MEASURE.call


@kernel
def count_chips(sight, memory, times):
    """The pot and what stands in a row, noted in the memory."""
    memory[0] += np.float32(1.0)
    return times * (sight.table.pot + np.int64(sight.row[1]))


@kernel
def count_seats(sight, memory, times):
    """The seats of the table."""
    return sight.table.seats


@kernel
def measure_each(addresses, tables, row, memory, found):
    """Call every kernel in turn."""
    for i in range(len(addresses)):
        found[i] = call_measure(addresses[i], Sight(tables[0], row), memory, 2)


def test_kernels_of_one_signature_are_interchangeable():
    tables, row, memory = np.zeros(1, TABLE), np.array([0.0, 5.0]), np.zeros(3, np.float32)
    tables["pot"], tables["seats"] = 30, 6
    addresses = [MEASURE.address_of(each) for each in (count_chips, count_seats, count_chips)]
    found = np.zeros(3, np.int64)
    measure_each(np.array(addresses), tables, row, memory, found)
    assert found.tolist() == [70, 6, 70]
    assert memory.tolist() == [2.0, 0.0, 0.0]


def test_a_kernel_keeps_its_address():
    assert MEASURE.address_of(count_seats) == MEASURE.address_of(count_seats)
    assert MEASURE.address_of(count_seats) != MEASURE.address_of(count_chips)


def test_a_kernel_written_later_needs_no_new_compilation_of_the_loop():
    @kernel
    def count_cards(sight, memory, times):
        return sight.table.board_cards + 0 * times

    tables, found = np.zeros(1, TABLE), np.zeros(1, np.int64)
    tables["board_cards"] = 4
    rest = (tables, np.zeros(2), np.zeros(1, np.float32), found)
    measure_each(np.array([MEASURE.address_of(count_seats)]), *rest)
    before = len(getattr(measure_each, "overloads", ()))
    measure_each(np.array([MEASURE.address_of(count_cards)]), *rest)
    assert found.tolist() == [4]
    assert len(getattr(measure_each, "overloads", ())) == before


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="types are those of compiled code")
def test_incompatible_kernels_are_refused():
    @kernel
    def takes_less(sight):
        return 1

    @kernel
    def returns_a_share(sight, memory, times):
        return 0.5

    for function, why in (
        (takes_less, r"takes \(sight, memory, times\) and returns int64; takes_less does not"),
        (returns_a_share, "returns_a_share returns float64"),
        (len, "a measure must be a kernel"),
    ):
        with pytest.raises(TypeError, match=why):
            MEASURE.address_of(function)
