"""The opponents of ASHE: what they do at worked spots."""

import numpy as np
import pytest
from helpers import CALL, FOLD, deal, play
from rule_spots import answer, facing_a_bet, hole

import agents
import nlhe_env
from nlhe_env.assessment import class_names
from nlhe_env.equity import hand_equity

CLASSES = class_names()


@pytest.mark.parametrize(
    ("name", "cards", "expected"),
    [
        ("calling-machine", "3s2h", {CALL}),
        ("hothead-maniac", "3s2h", {40, 60}),
        ("scared-limper", "AsAh", {CALL}),
        ("candid-statistician", "AsAh", {49}),  # 0.25 + 0.75 (0.852 - 0.6) / 0.4 of 40, on 20
        ("candid-statistician", "7s2h", {FOLD}),
        ("ashe-loose-passive", "AsAh", {CALL}),
        ("ashe-tight-passive", "3s2h", {FOLD}),
        ("ashe-tight-passive", "Qs5h", {CALL}),
        ("ashe-tight-aggressive", "AsAh", {60}),
        ("ashe-tight-aggressive", "7s2h", {FOLD}),
    ],
)
def test_opponents_open_on_the_button_as_described(name, cards, expected):
    player = agents.make(name)
    found = {
        answer(player, deal([4000] * 2, hole_cards={0: cards}, seed=seed)) for seed in range(12)
    }
    assert found == expected


@pytest.mark.parametrize("cards", ["AsAd", "Jd9c", "KsQd", "Ac4c", "Qs9h", "8d7d", "3c2d", "JcTh"])
@pytest.mark.parametrize(
    ("name", "raises", "size", "calls"),
    [
        ("candid-statistician", 0.85, None, 0.4),
        ("ashe-loose-aggressive:raise_chance=1", 0.55, 1.0, 0.4),
        ("ashe-loose-passive", 0.95, 1.0, 0.35),
        ("ashe-tight-passive", 0.95, 0.5, 0.65),
        ("ashe-tight-aggressive", 0.85, 1.0, 0.5),
        ("ashe-tight-aggressive:call_margin=0.4", 0.85, 1.0, 0.4 + 1 / 3),
    ],
)
def test_opponents_face_a_pot_bet_as_described(name, raises, size, calls, cards):
    chances = "call_raise_chance=0,weak_raise_chance=0,cheap_call_threshold=0"
    player = f"{name}{',' if ':' in name else ':'}{chances}"
    p = hand_equity(cards, "JsTd4h")
    if size is None:
        size = 0.25 + 0.75 * (p - 0.6) / 0.4
    expected = 40 + int(size * 120 + 0.5) if p >= raises else CALL if p >= calls else FOLD
    assert answer(player, facing_a_bet(cards)) == expected


@pytest.mark.parametrize(
    ("cards", "board", "expected"),
    [
        ("AsAd", "JsTd4h", FOLD),
        ("JcJd", "JsTd4h", CALL),
        ("KcQd", "JsTd9h", CALL),
        ("Qc8d", "JsTd9h", FOLD),
        ("AhKh", "Qh7h2h", CALL),
        ("AhQd", "Kh7h2h", FOLD),
    ],
)
def test_the_scared_limper_calls_with_the_nuts_only(cards, board, expected):
    assert answer("scared-limper", facing_a_bet(cards, board)) == expected


def test_always_raising_beats_the_scared_limper_by_one_bb_a_hand():
    env = nlhe_env.env(
        2,
        starting_stack=4000,
        blinds=(10, 20),
        mode="cash",
        num_hands=40,
        actions="chips",
        reward="big_blinds",
    )
    players = {"player_0": agents.make("hothead-maniac"), "player_1": agents.make("scared-limper")}
    assert agents.play_episode(env, players, seed=4) == {"player_0": 40.0, "player_1": -40.0}


# --- the earlier ones -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("power", "to_call", "least"),
    [
        # With 20,000 and big blinds of 100 (Li 2018, figure 4-3).
        (50, 200, 0.912),
        (50, 1_000, 0.942),
        (50, 5_000, 0.973),
        (7, 200, 0.518),
        (7, 1_000, 0.652),
        (7, 5_000, 0.820),
    ],
)
def test_powers_of_equity_call_from_the_published_thresholds(power, to_call, least):
    assert least**power * 20_000 == pytest.approx(to_call, rel=0.03)
    player = agents.make(f"early-candid-statistician:power={power}")
    for name in CLASSES[::4]:
        env = deal([20_000] * 2, blinds=(50, 100), hole_cards={1: hole(name)})
        play(env, 100 + to_call)
        wish = hand_equity(hole(name), "") ** power * 20_000
        given_answer = answer(player, env)
        assert (given_answer == FOLD) == (wish < to_call)
        assert (given_answer == CALL) == (to_call <= wish < 2 * to_call)


def test_the_early_limper_limps_and_gives_up():
    env = deal([20_000] * 2, blinds=(50, 100), hole_cards={0: "7s2h", 1: "AsAh"})
    assert answer("early-scared-limper", env) == CALL
    play(env, 300)
    assert answer("early-scared-limper", env) == FOLD  # with aces


def test_the_early_maniac_bets_the_pot_and_raises_twice():
    env = deal([20_000] * 2, blinds=(50, 100))
    assert answer("early-hothead-maniac", env) == 300
    env.step(300)
    assert answer("early-hothead-maniac", env) == 300 + 2 * 600
    env = deal([20_000] * 2, blinds=(50, 100))
    play(env, CALL, CALL)
    assert answer("early-hothead-maniac", env) == 200


def test_numbers_of_profiles_are_in_their_ranges():
    agents.make("calling-machine:cheap_call_threshold=3")
    for option in ("call_raise_chance=1.5", "bluff_chance=-1", "cheap_call_threshold=21"):
        with pytest.raises(ValueError, match=f"{option.partition('=')[0]} must be in 0 .. "):
            agents.make(f"calling-machine:{option}")


def test_the_gambler_always_changes_to_a_different_style():
    env = nlhe_env.raw_env(2, actions="chips", mode="cash", num_hands=60)
    seats = agents.Lineup(env, {"player_0": agents.make("random-gambler:every=3")})
    env.reset(seed=2)
    styles = []
    for _ in range(60):
        styles.append(int(seats.work.memory[0][0]))
        if env.agents:
            env.step(0)
    runs = np.array(styles).reshape(-1, 3)
    assert (runs == runs[:, :1]).all()
    assert (np.diff(runs[:, 0]) != 0).all()
    assert set(styles) == {0, 1, 2, 3}


def test_half_a_pro_bluffs_again_and_floats():
    player = agents.make("half-a-pro")
    env = deal(
        [20_000] * 2, blinds=(50, 100), hole_cards={0: "AsKs", 1: "QdJd"}, board="9c6d2h3s3d"
    )
    play(env, 300, CALL, CALL)
    chances = agents.Lineup(env, dict.fromkeys(env.possible_agents, player)).policy()
    assert chances[CALL] == pytest.approx(0.4)  # else half the pot, with nothing
