"""Render modes: what environments show, by themselves and inside other people's tools."""

import copy
import pickle
import sys
import warnings

import gymnasium
import numpy as np
import pygame
import pytest
from gymnasium.wrappers import HumanRendering, RecordVideo, RenderCollection
from helpers import CALL, FOLD, deal, play

import nlhe_env
from nlhe_env.envs.aec import raw_env
from nlhe_env.render.picture import Window

with warnings.catch_warnings():
    # It imports the environment of another game in the old way.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import render_test

ID = "nlhe/NoLimitHoldem-v0"


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    """Windows without a display, and without time to look at them."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(raw_env.metadata, "render_fps", 10_000)


@pytest.fixture
def shown(monkeypatch):
    """The tables that windows have shown, as (hand, street, seat to act)."""
    tables = []
    show = Window.show

    def keep(self, table, names):
        tables.append((int(table["hand"]), int(table["street"]), int(table["actor"])))
        show(self, table, names)

    monkeypatch.setattr(Window, "show", keep)
    return tables


@pytest.mark.parametrize("make", [nlhe_env.env, nlhe_env.raw_env])
def test_pettingzoo_render_test_passes(make):
    render_test(lambda **arguments: make(num_players=3, mode="cash", num_hands=50, **arguments))


def test_a_window_shows_every_decision_and_the_end_of_every_hand(shown):
    env = deal([1000] * 3, render_mode="human", num_hands=2)
    play(env, FOLD, CALL)
    assert shown == [(0, 0, 0), (0, 0, 1), (0, 0, 2)]
    play(env, CALL, 40, FOLD)
    flop, paid, next_hand = shown[3:5], shown[5], shown[6:]
    assert flop == [(0, 1, 1), (0, 1, 2)]
    assert paid == (0, 1, -1)  # no player is to act
    assert next_hand == [(1, 0, 1)]
    env.close()
    assert not pygame.display.get_init()


def test_a_window_shows_compiled_opponents_too_and_changes_no_game(shown):
    outcomes = []
    for mode in (None, "human"):
        env = nlhe_env.NoLimitHoldemEnv(["random", "caller", "raiser"], render_mode=mode)
        played = []
        for episode in range(5):
            observation, info = env.reset(seed=3 if episode == 0 else None)
            over = False
            while not over:
                action = int(np.flatnonzero(info["action_mask"])[-2])
                observation, reward, over, _, info = env.step(action)
                played.append((action, reward, observation.tobytes()))
        env.close()
        outcomes.append(played)
    assert outcomes[0] == outcomes[1]
    assert {actor for _, _, actor in shown} == {-1, 0, 1, 2, 3}


def test_the_game_continues_after_the_window_is_closed():
    env = deal([1000] * 3, render_mode="human")
    assert pygame.display.get_init()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    play(env, CALL)
    assert not pygame.display.get_init()
    play(env, CALL, CALL)
    assert not pygame.display.get_init()


def test_a_window_can_be_resized():
    env = deal([1000] * 3, render_mode="human", render_size=(390, 844))
    assert pygame.display.get_surface().get_size() == (390, 844)
    env.close()


def test_a_missing_display_gives_a_clear_error(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", "")
    with pytest.raises(RuntimeError, match=r'no display here.*"rgb_array" gives pictures'):
        deal([1000] * 3, render_mode="human")


def test_pictures_without_pygame_name_the_extra(monkeypatch):
    env = deal([1000] * 3, render_mode="rgb_array")
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match=r"needs pygame: pip install .*\[render\]"):
        env.render()
    assert env._repr_png_() is None


def test_rgb_array_has_the_requested_size():
    assert deal([1000] * 2, render_mode="rgb_array").render().shape == (640, 960, 3)
    env = deal([1000] * 2, render_mode="rgb_array", render_size=[390, 844])
    assert env.render().shape == (844, 390, 3)


@pytest.mark.parametrize("size", [(390,), (0, 10), (390.0, 844), 400, ("390", "844"), (10**9, 400)])
def test_invalid_picture_sizes_are_refused(size):
    with pytest.raises(ValueError, match="render_size must be"):
        nlhe_env.env(render_mode="rgb_array", render_size=size)


def test_environments_can_be_made_as_stable_baselines_does():
    """Its ``make_vec_env`` makes every environment with ``render_mode="rgb_array"``."""
    env = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make(ID, opponents="caller", render_mode="rgb_array")] * 2
    )
    env.reset(seed=1)
    assert [frame.shape for frame in env.render()] == [(640, 960, 3)] * 2
    env.close()


def test_gymnasium_collects_frames():
    env = RenderCollection(gymnasium.make(ID, opponents="caller", render_mode="rgb_array"))
    env.reset(seed=1)
    env.step(1)
    assert [frame.dtype for frame in env.render()] == [np.uint8] * 2


def test_gymnasium_shows_pictures_in_its_own_window():
    env = HumanRendering(gymnasium.make(ID, opponents="caller", render_mode="rgb_array"))
    env.reset(seed=1)
    env.step(1)
    env.close()


def test_gymnasium_records_videos(tmp_path):
    pytest.importorskip("moviepy")
    env = gymnasium.make(ID, opponents="caller", num_hands=3, render_mode="rgb_array")
    env = RecordVideo(env, str(tmp_path / "videos"), disable_logger=True)
    env.reset(seed=1)
    over = False
    while not over:
        *_, over, _, _ = env.step(1)
    env.close()
    assert [path.suffix for path in (tmp_path / "videos").iterdir()] == [".mp4"]


def test_a_window_is_no_part_of_a_copy_or_a_pickle():
    env = deal([1000] * 3, render_mode="human")
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.renderer._window is None
        play(twin, CALL)
        assert twin.table["pot"] == 50
    assert env.table["pot"] == 30


def test_notebooks_show_a_picture():
    env = nlhe_env.env(num_players=2)
    assert env._repr_png_() is None
    env.reset(seed=1)
    assert env._repr_png_().startswith(b"\x89PNG")
    learner = nlhe_env.NoLimitHoldemEnv("caller")
    learner.reset(seed=1)
    assert learner._repr_png_().startswith(b"\x89PNG")


def test_repr_shows_the_game_and_its_progress():
    env = nlhe_env.env(num_players=2, mode="cash")
    assert repr(env) == "<nlhe_env.env: cash, 2 players; not reset yet>"
    env.reset(seed=1, options={"button": 0})
    assert repr(env) == (
        "<nlhe_env.env: cash, 2 players; table 0, hand 0, preflop, player_0 to act>"
    )
    env.step(FOLD)
    assert repr(env) == "<nlhe_env.env: cash, 2 players; over>"
    learner = nlhe_env.NoLimitHoldemEnv("caller", num_players=3)
    assert repr(learner) == (
        "<nlhe_env.NoLimitHoldemEnv: player_0 learns in "
        "<nlhe_env.raw_env: cash, 3 players; not reset yet>>"
    )
