"""The description of a game."""

from dataclasses import FrozenInstanceError, replace

import pytest

import nlhe_env
from nlhe_env import BlindSchedule, Game


def test_the_usual_games():
    tournament, cash = Game.tournament(), Game.cash()
    assert tournament == Game()
    assert (tournament.is_cash, tournament.score, tournament.hands_limit) == (False, "place", 0)
    assert tournament.blinds == BlindSchedule.pokerstars()
    assert (cash.is_cash, cash.score, cash.hands_limit, cash.big_blind) == (True, "chips", 20, 100)
    assert Game(mode="cash").hands_limit == 1


def test_blinds_of_cash_games_do_not_rise_unless_asked_to():
    game = Game(mode="cash", num_hands=100)
    assert (game.blinds.levels, game.starting_stack) == (((10, 20, 0),), 2000)
    assert game.blinds.at(99) == BlindSchedule.pokerstars().at(14)
    env = nlhe_env.raw_env(2, game=game)
    env.reset(seed=1)
    big_blinds = set()
    while env.agents:
        big_blinds.add(int(env.table["big_blind"]))
        env.step(None if any(env.terminations.values()) else 0)
    assert big_blinds == {20}
    rising = nlhe_env.raw_env(2, mode="cash", blinds=BlindSchedule.pokerstars()).game
    assert rising.blinds == BlindSchedule.pokerstars()


@pytest.mark.parametrize("blinds", [(5, 10), (50, 100), (1, 3, 1)])
def test_cash_games_are_100_big_blinds_deep_by_default(blinds):
    usual = 100 * blinds[1]
    arguments = {"mode": "cash", "blinds": blinds}
    games = [
        Game.cash(blinds=blinds),
        Game(**arguments),
        nlhe_env.raw_env(2, **arguments).game,
        nlhe_env.env(2, **arguments).game,
        nlhe_env.BatchEnv(1, 2, **arguments).game,
        nlhe_env.NoLimitHoldemEnv("caller", blinds=blinds).aec_env.game,
        nlhe_env.NoLimitHoldemVectorEnv(1, "caller", blinds=blinds).single.aec_env.game,
    ]
    assert [game.starting_stack for game in games] == [usual] * len(games)
    assert nlhe_env.raw_env(2, mode="cash").stacks == (2000, 2000)


def test_cash_games_are_played_for_50_and_100_if_nothing_else_is_asked_for():
    assert Game.cash().blinds.levels == ((50, 100, 0),)
    assert Game.cash().starting_stack == 10_000


def test_all_chips_of_a_game_may_be_2_to_the_40():
    assert Game(starting_stack=2**39).stacks(2) == (2**39, 2**39)


def test_tournaments_start_with_the_published_stack():
    for game in (Game(), Game.tournament(), nlhe_env.raw_env(3).game, nlhe_env.env(3).game):
        assert game.starting_stack == 1000


@pytest.mark.parametrize(
    ("game", "unit", "lower", "sign"),
    [
        (Game.tournament(), "place", True, -1),
        (Game.tournament(score="chips"), "chips", False, 1),
        (Game.cash(score="big_blinds"), "big blinds", False, 1),
    ],
)
def test_unit_and_direction_of_the_score(game, unit, lower, sign):
    assert (game.unit, game.lower_is_better, game.sign) == (unit, lower, sign)


def test_players_tables_and_seats_are_counted_together():
    game = Game.tournament(table_size=6, starting_stack=700)
    assert [game.tables(n) for n in (2, 6, 7, 13)] == [1, 1, 2, 3]
    assert [game.seats(n) for n in (2, 6, 7)] == [2, 6, 6]
    arrays = game.arrays(13)
    assert len(arrays.tables) == 3
    assert arrays.players["entry_stack"].tolist() == [700] * 13


def test_a_game_is_a_value():
    game = Game.tournament(starting_stack=[500, 600], blinds=(5, 10))
    assert game == Game.tournament(starting_stack=(500, 600), blinds=BlindSchedule.of((5, 10)))
    assert len({game, replace(game, num_hands=3)}) == 2
    with pytest.raises(FrozenInstanceError):
        game.mode = "cash"  # type: ignore[misc]


def test_environments_accept_a_game_description():
    game = Game.cash(starting_stack=[500, 600], blinds=(5, 10), num_hands=2, score="big_blinds")
    for env in (nlhe_env.raw_env(2, game=game), nlhe_env.BatchEnv(3, 2, game=game)):
        assert env.game is game
        assert env.stacks == (500, 600)
    same = {"mode": "cash", "blinds": [5, 10], "starting_stack": [500, 600], "max_bets": 4}
    assert nlhe_env.raw_env(2, game=game, reward="big_blinds", **same).game is game


@pytest.mark.parametrize(
    "make", [nlhe_env.raw_env, nlhe_env.env, lambda n, **o: nlhe_env.BatchEnv(1, n, **o)]
)
@pytest.mark.parametrize(
    ("game", "options"),
    [
        (Game.cash(starting_stack=[500, 600], blinds=(5, 10)), {"starting_stack": 500}),
        # Also if they are what is usual without a game, or do not go together with its others.
        (Game.tournament(), {"reward": "chips"}),
        (Game.tournament(), {"mode": "cash"}),
        (Game.cash(), {"mode": "tournament"}),
        (Game.cash(num_hands=5), {"num_hands": None}),
        (Game.cash(betting="fixed-limit"), {"straddle": "button"}),
    ],
)
def test_options_that_contradict_the_game_are_refused(make, game, options):
    ((name, value),) = options.items()
    given = f"give either game or its options, not both; got game and {name}={value!r}"
    with pytest.raises(ValueError, match=given):
        make(2, game=game, **options)


@pytest.mark.parametrize("game", ["cash", Game, {"mode": "cash"}])
def test_a_game_must_be_a_game(game):
    for make in (nlhe_env.raw_env, nlhe_env.NoLimitHoldemEnv):
        with pytest.raises(ValueError, match=r"game must be a Game, such as Game.cash\(\); got"):
            make(game=game)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Game(score="places"), r'score must be one of .* \(did you mean "place"\?\)'),
        (lambda: Game(mode="cash", score="place"), 'score="place" needs mode="tournament"'),
        (lambda: Game(starting_stack=(100, 0)), "starting_stack must be at least 1; got 0"),
        (lambda: Game().arrays(1), "num_players must be at least 2; got 1"),
        (lambda: Game(starting_stack=(1, 2, 3)).stacks(2), "one for each of the 2 players; got 3"),
        (lambda: Game(starting_stack=2**40).stacks(2), "all chips together must be at most"),
        (lambda: Game.cash(blinds=BlindSchedule.pokerstars()), "blinds of a cash game must not"),
        (lambda: Game.cash(starting_stack=[500, 100]), "must be more than big blind and ante, 100"),
    ],
)
def test_invalid_games_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
