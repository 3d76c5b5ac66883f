"""Nothing covers anything else, at any number of players in any shape of picture."""

import itertools

import pytest

from nlhe_env.render import picture

SIZES = [(960, 640), (1280, 720), (480, 320), (600, 600), (390, 844), (360, 640), (768, 1024)]


def box(middle, width, height, above=0.0):
    """Left, top, right, bottom."""
    x, y = middle
    return x - width / 2, y - height / 2 - above, x + width / 2, y + height / 2


def overlap(a, b):
    return a[0] < b[2] - 0.5 and b[0] < a[2] - 0.5 and a[1] < b[3] - 0.5 and b[1] < a[3] - 0.5


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", range(2, 11))
def test_plates_cards_bets_and_board_do_not_overlap(size, seats):
    layout = picture.lay_out(size, seats)
    unit = layout.unit
    card = layout.board_card_width
    assert card > 20 * unit
    things = {
        "board": box(layout.middle, 5 * card + 4 * picture.BOARD_GAP * unit, 1.4 * card),
    }
    for seat, place in enumerate(layout.places):
        things[f"plate {seat}"] = box(
            place.plate,
            picture.PLATE_WIDTH * unit,
            picture.PLATE_HEIGHT * unit,
            picture.CARDS_ABOVE_PLATE * unit,
        )
        things[f"bet {seat}"] = box(place.bet, picture.BET_WIDTH * unit, picture.BET_HEIGHT * unit)
    for name, (left, top, right, bottom) in things.items():
        assert left >= 0, name
        assert top >= 0, name
        assert right <= size[0], name
        assert bottom <= size[1], name
    for (one, a), (other, b) in itertools.combinations(things.items(), 2):
        assert not overlap(a, b), (one, other)


def test_seat_0_is_at_the_bottom_and_others_follow_clockwise():
    layout = picture.lay_out((960, 640), 4)
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = (place.plate for place in layout.places)
    assert y0 > y1 > y2
    assert y1 == pytest.approx(y3)
    assert x1 < x0 < x3
    assert x0 == pytest.approx(x2)


def test_players_are_equally_spaced():
    places_of_ten = picture.lay_out((960, 640), 10).places
    for seat in range(1, 5):
        left, right = places_of_ten[seat].plate, places_of_ten[10 - seat].plate
        assert left[0] + right[0] == pytest.approx(960)
        assert left[1] == pytest.approx(right[1])
