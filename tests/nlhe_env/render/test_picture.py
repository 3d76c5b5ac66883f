"""Pictures of tables, checked by their pixels."""

import io
import os
import subprocess
import sys

import numpy as np
import pygame
import pytest
from helpers import CALL, FOLD, deal, last_hand, play

import nlhe_env
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
