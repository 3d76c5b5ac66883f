"""Blind schedules."""

import numpy as np
import pytest

from nlhe_env import BlindSchedule


@pytest.mark.parametrize(
    ("first", "last", "level"),
    [
        (0, 14, (10, 20, 0)),
        (15, 29, (15, 30, 0)),
        (30, 44, (25, 50, 0)),
        (90, 104, (100, 200, 25)),
        (150, 164, (600, 1200, 75)),
        (210, 224, (3000, 6000, 300)),
        (255, 269, (10000, 20000, 1000)),
        (360, 374, (150000, 300000, 15000)),
    ],
)
def test_published_rows(first, last, level):
    schedule = BlindSchedule.pokerstars()
    assert schedule.at(first) == schedule.at(last) == level
    if first:
        assert schedule.at(first - 1) != level


def test_rows_between_the_published_ones_have_the_same_shape():
    small, big, ante = BlindSchedule.pokerstars().as_array().T
    assert (2 * small == big).all()
    assert (ante[:6] == 0).all()
    assert (ante[6:] % 25 == 0).all()
    shares = ante[6:] / big[6:]
    assert ((shares > 0.04) & (shares < 0.13)).all()
    assert (big[1:] + ante[1:] > big[:-1] + ante[:-1]).all()
    assert (big[1:] <= 2 * big[:-1]).all()


def test_last_level_repeats_for_ever():
    schedule = BlindSchedule.pokerstars()
    assert schedule.at(375) == schedule.at(10**9) == (150000, 300000, 15000)


def test_fixed_blinds():
    assert BlindSchedule.of((1, 2)).at(1000) == (1, 2, 0)
    assert BlindSchedule.of([1, 2, 3]).at(0) == (1, 2, 3)
    schedule = BlindSchedule.pokerstars()
    assert BlindSchedule.of(schedule) is schedule


def test_array_has_a_row_for_each_level():
    array = BlindSchedule.pokerstars().as_array()
    assert array.shape == (25, 3)
    assert array.dtype == np.int64
    assert array[6].tolist() == [100, 200, 25]


def test_levels_may_leave_out_the_ante():
    schedule = BlindSchedule(((1, 2), (2, 4, 1)), hands_per_level=3)
    assert schedule.levels == ((1, 2, 0), (2, 4, 1))
    assert schedule.at(2) == (1, 2, 0)
    assert schedule.at(3) == (2, 4, 1)


@pytest.mark.parametrize(
    ("levels", "hands", "message"),
    [
        ((), 15, "at least one"),
        (((10, 20), (5, 20)), 15, "must not decrease.*level 1 is \\(5, 20, 0\\)"),
        (((10, 20, 5), (10, 20, 4)), 15, "must not decrease"),
        (((20, 10),), 15, "level 0"),
        (((0, 1),), 15, "big blind >= 2"),
        (((-1, 2),), 15, "level 0"),
        (((1, 2, -1),), 15, "level 0"),
        (((1, 2, 3, 4),), 15, "level 0 must be"),
        (((1.5, 2),), 15, "small blind of level 0 must be a whole number at least 0; got 1.5"),
        (((1, True),), 15, "big blind of level 0"),
        ((5,), 15, "level 0 must be"),
        (7, 15, "levels must be a sequence"),
        (((1, 2),), 0, "hands_per_level must be at least 1; got 0"),
        (((1, 2),), 2.5, "hands_per_level must be a whole number at least 1; got 2.5"),
    ],
)
def test_invalid_schedules_are_refused(levels, hands, message):
    with pytest.raises(ValueError, match=message):
        BlindSchedule(levels, hands)


@pytest.mark.parametrize("value", ["10/20", 10, (10,), (1, 2, 3, 4), None])
def test_invalid_fixed_blinds_are_refused(value):
    with pytest.raises(ValueError, match="blinds must be"):
        BlindSchedule.of(value)
