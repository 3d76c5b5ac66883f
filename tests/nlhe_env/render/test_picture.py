"""Pictures of tables, checked by their pixels; their layout; and what they show."""

import io
import itertools
import os
import subprocess
import sys

import numpy as np
import pygame
import pytest
from helpers import CALL, FOLD, deal, last_hand, play

import nlhe_env
from nlhe_env.cards import format_cards
from nlhe_env.render import picture, scene, sprites
from nlhe_env.render.picture import PLATE_HEIGHT, lay_out
from nlhe_env.render.view import render_table


def pixels(env, size=scene.SIZE):
    return picture.table_pixels(env.table, env.possible_agents, size=size)


def plate_edge(image, seat, seats):
    """The colour of the upper edge of a plate, left of the cards."""
    layout = lay_out((image.shape[1], image.shape[0]), seats)
    x, y = layout.places[seat].plate
    top = round(y - PLATE_HEIGHT * layout.unit / 2)
    column = image[top - 2 : top + 4, round(x - 55 * layout.unit)].astype(int)
    return column[np.abs(column - sprites.GOLD).sum(axis=1).argmin()]


def is_gold(colour):
    return np.abs(colour - sprites.GOLD).max() < 30


@pytest.mark.parametrize("size", [(960, 640), (390, 844), (60, 40)])
def test_pixels_have_the_shape_and_type_of_rgb_arrays(size):
    image = pixels(deal([1000] * 10), size)
    assert image.shape == (size[1], size[0], 3)
    assert image.dtype == np.uint8
    assert image.flags.c_contiguous
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 50


def test_the_player_to_act_and_the_winner_are_highlighted():
    env = deal([1000] * 3, hole_cards={0: "AsAd", 1: "2c7d", 2: "3c8d"}, board="QsJs9s2h4d")
    assert [is_gold(plate_edge(pixels(env), seat, 3)) for seat in range(3)] == [True, False, False]
    play(env, CALL)
    assert [is_gold(plate_edge(pixels(env), seat, 3)) for seat in range(3)] == [False, True, False]
    play(env, *[CALL] * 11)
    assert env.table["won"][0] == 60
    assert [is_gold(plate_edge(pixels(env), seat, 3)) for seat in range(3)] == [True, False, False]


def test_folded_cards_are_faded():
    env = deal([1000] * 3)
    before = pixels(env)
    play(env, FOLD)
    after = pixels(env)
    x, y = lay_out(scene.SIZE, 3).places[0].plate
    card = slice(round(y - PLATE_HEIGHT / 2 - 36), round(y - PLATE_HEIGHT / 2 - 4)), round(x - 6)
    assert before[card].min() > 200  # the white of a card
    assert after[card].max() < 150


def test_board_cards_fill_their_slots():
    env = deal([1000] * 2, board="AsKsQsJsTs")
    x, y = (round(number) for number in lay_out(scene.SIZE, 2).middle)
    corner = slice(y + 25, y + 36), slice(x - 24, x - 14)  # white below the sign of every card
    assert pixels(env)[corner].max() < 140
    play(env, CALL, CALL)
    assert pixels(env)[corner].min() > 200


def test_every_card_has_a_different_face():
    faces = {pygame.image.tobytes(sprites.card(code, 46), "RGBA") for code in range(52)}
    assert len(faces) == 52


def test_the_same_table_gives_the_same_picture_also_after_pygame_was_quit():
    env = deal([1000] * 6)
    first = pixels(env)
    pygame.quit()
    sprites.text.cache_clear()
    assert np.array_equal(pixels(env), first)


def test_a_png_is_the_same_picture():
    env = deal([1000] * 6)
    file = picture.table_png(env.table, env.possible_agents, size=(480, 320))
    assert file.startswith(b"\x89PNG")
    read = pygame.surfarray.array3d(pygame.image.load(io.BytesIO(file), "table.png"))
    assert np.array_equal(read.swapaxes(0, 1), pixels(env, (480, 320)))


def test_long_names_are_cut_to_fit():
    short = sprites.text("a" * 40, 20, width=80)
    assert short.get_width() <= 80
    assert sprites.text("abc", 20, width=80).get_width() < 80


def test_pictures_need_no_display():
    code = (
        "import nlhe_env; env = nlhe_env.raw_env(2); env.reset(seed=1)\n"
        "from nlhe_env.render.picture import table_pixels\n"
        "assert table_pixels(env.table, env.possible_agents).any()\n"
    )
    nowhere = {**os.environ, "SDL_VIDEODRIVER": "x11", "DISPLAY": ""}
    subprocess.run([sys.executable, "-c", code], check=True, env=nowhere)


def test_side_pots_are_named_while_they_grow():
    env = deal([30, 1000, 1000], button=2)
    play(env, CALL, CALL, CALL)
    play(env, 10)  # all-in on the flop
    flop = pixels(env)
    play(env, 100, CALL)
    below = slice(
        round(lay_out(scene.SIZE, 3).middle[1]) + 55, round(lay_out(scene.SIZE, 3).middle[1]) + 80
    )
    words = slice(400, 560)
    assert flop[below, words].max() < 200  # felt alone
    assert pixels(env)[below, words].max() > 220  # "main 90, side 180"


def test_two_boards_lie_in_two_rows_with_the_rake_below():
    env = deal([1000] * 2, boards=2, rake=nlhe_env.Rake(share=0.05), board="AsKsQsJsTs")
    play(env, 1000, CALL)
    x, y = (round(number) for number in lay_out(scene.SIZE, 2).middle)
    column = slice(x - 10, x + 10)
    assert pixels(env)[y - 4 : y + 4, column].min() < 100  # felt between the rows
    assert pixels(env)[y - 45 : y - 25, column].max() > 220  # a card above
    assert pixels(env)[y + 25 : y + 45, column].max() > 220  # and one below
    text = render_table(env.tables[0], env.possible_agents)
    second = last_hand(env)["second_board"]
    spaced = " ".join(second[i : i + 2] for i in range(0, 10, 2))
    assert f"board [As Ks Qs Js Ts] and [{spaced}]" in text
    assert "rake 100" in text


# --- nothing covers anything else, at any number of players in any shape of picture ---------------

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


# --- the spectator's view, as plain values --------------------------------------------------------


def seen_in(env):
    return scene.read_scene(env.table, env.possible_agents)


def test_a_scene_holds_the_state_of_the_table():
    env = deal(
        [1000, 1000, 50],
        button=2,
        blinds=(10, 20, 1),
        hole_cards={0: "AsKd"},
        board="QsJsTs2h3d",
    )
    play(env, 49)  # the short stack on the button goes all-in
    seen = seen_in(env)
    assert seen.title == "Table 0, hand 0, blinds 10/20 ante 1"
    assert (seen.street, seen.board, seen.pot, seen.paid) == ("preflop", (), 82, ())
    first, second, _ = seen.seats
    assert (first.name, first.stack, first.bet) == ("player_0", 989, 10)
    assert format_cards(first.cards) == "AsKd"
    assert [seat.to_act for seat in seen.seats] == [True, False, False]
    assert [seat.has_button for seat in seen.seats] == [False, False, True]
    assert [seat.status for seat in seen.seats] == ["", "", "all-in"]
    assert second.bet == 20
    play(env, CALL, FOLD)
    seen = seen_in(env)
    assert [seat.status for seat in seen.seats] == ["", "folded", "all-in"]
    assert format_cards(seen.board) == "QsJsTs2h3d"


def test_a_finished_hand_shows_the_winnings():
    env = deal([1000, 1000], hole_cards={0: "AsKd", 1: "2c7d"}, board="QsJsTs2h3d")
    play(env, CALL, *[CALL] * 7)
    seen = seen_in(env)
    assert seen.paid == (40,)
    assert seen.pot == 0
    assert [(seat.won, seat.shown) for seat in seen.seats] == [(40, True), (0, True)]
    assert not any(seat.to_act for seat in seen.seats)


def test_unshown_cards_are_distinguished_from_shown_ones():
    env = deal([1000, 1000])
    play(env, FOLD)
    assert [(seat.won, seat.shown) for seat in seen_in(env).seats] == [(0, False), (20, False)]


def test_empty_seats_hold_no_player():
    cards = {0: "AsAd", 1: "KsKd", 2: "2c7d"}
    env = deal([980, 1000, 20], button=2, mode="tournament", hole_cards=cards, board="AhKh5s9c3d")
    play(env, *[CALL] * 9)
    env.step(None)  # the last turn of the player who is out
    env.step(CALL)
    assert env.table["hand"] == 1
    assert [seat.name for seat in seen_in(env).seats] == ["player_0", "player_1"]
