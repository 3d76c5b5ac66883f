"""Income rates: the published table, exact equities, the same on any number of threads."""

import numpy as np
import pytest
from scipy import stats

from nlhe_env.__main__ import main
from nlhe_env.assessment.income_rates import class_names, income_rates, iterated_income_rates
from nlhe_env.equity import equities

# Table 2.1 of the thesis: ten players, thousandths of a bet.
PUBLISHED_10 = """
AA 2112 KK 1615 QQ 1224 JJ 935 AKs 1071
TT 714 AQs 915 AJs 813 KQs 858 AKo 718
99 553 JTs 657 QJs 720 KJs 767 ATs 736 AQo 555
T9s 481 KQo 515 88 450 QTs 655 98s 338 J9s 449 AJo 430 KTs 694
77 364 87s 270 Q9s 452 T8s 353 KJo 391 QJo 359 JTo 305 76s 222 97s 245 A9s 538 A8s 469
A7s 427 A6s 386 A5s 448 A4s 422 A3s 392 A2s 356 65s 191
66 304 ATo 335 55 238 86s 185 KTo 306 QTo 287 54s 167 K9s 485 J8s 327
44 214 J9o 92 43s 41 75s 141 T9o 127 33 199 98o -15 64s 106 22 196 K8s 356 K7s 309 K6s 278
K5s 245 K4s 227 K3s 211 K2s 192 Q8s 317
87o -75 53s 87 A9o 119 Q9o 65 76o -129 42s -42 32s -83 96s 144 85s 85 J8o -51 J7s 206 65o -158
54o -181 74s 41 K9o 85 T8o -10 T7s 231 Q7s 209
"""

# Values of 300 and 40 million games, standard errors of 1.3 and 4.
LONG_RUNS = {
    10: "AA 2106 KK 1609 QQ 1224 JJ 931 TT 715 AKs 1068 AQs 925 AKo 722 T7s 232 Q7s 210 72o -521",
    6: "AA 1951 KK 1573 QQ 1275 AKs 867 AKo 675 JTs 499 ATo 381 22 -73 54s -12 72o -486 32o -462",
    4: "AA 1554 KK 1328 QQ 1146 AKs 657 AKo 539 JTs 351 ATo 360 22 -122 54s -93 72o -430 32o -442",
    2: "AA 704 KK 647 QQ 599 AKs 344 AKo 307 JTs 147 ATo 255 22 7 54s -170 72o -309 32o -353",
}

# Table 2.2 of the thesis: what is left after iterated roll-outs.
PUBLISHED_ITERATED = """
AA 2920 KK 2180 QQ 1700 JJ 1270 TT 920 AKs 860 AKo 850 AQs 780 AJs 680 ATs 640 99 630 KQs 620
AQo 560 KJs 480 88 450 77 390 AJo 380 JTs 360 KQo 310 QTs 280 QJs 270 A9s 220 ATo 200 KTs 190
KJo 160 A8s 110 66 40
"""


def read(text):
    """A dictionary of names and numbers that take turns."""
    words = text.split()
    return {name: int(rate) for name, rate in zip(words[::2], words[1::2], strict=True)}


def of(found, names):
    rows = [class_names().index(name) for name in names]
    return found.rates[rows], found.standard_errors[rows]


@pytest.fixture(scope="module")
def ten_players():
    return income_rates(10, n_games=3_000_000)


def test_published_table(ten_players):
    published = read(PUBLISHED_10)
    assert len(published) == 86
    rates, errors = of(ten_players, published)
    expected = np.array(list(published.values()))
    assert stats.spearmanr(rates, expected).statistic > 0.995
    # The thesis played several million games as well.
    assert (np.abs(rates - expected) < 15 + 4 * errors).all()
    assert np.sqrt(np.mean((rates - expected) ** 2)) < 12


def test_dominance_missed_by_the_published_groups(ten_players):
    assert ten_players["53s"] > ten_players["43s"]
    assert ten_players["52s"] > ten_players["42s"]
    assert ten_players["52s"] > ten_players["32s"]
    assert class_names()[int(np.argmin(ten_players.rates))] == "72o"
    assert abs(int((ten_players.rates > 0).sum()) - 94) <= 4


@pytest.mark.parametrize("n_players", [2, 4, 6, 10])
def test_long_runs_match_published_rates(n_players, ten_players):
    expected = read(LONG_RUNS[n_players])
    found = ten_players if n_players == 10 else income_rates(n_players, n_games=400_000)
    rates, errors = of(found, expected)
    assert (np.abs(rates - list(expected.values())) < 4 * errors + 4).all()


def test_two_player_roll_outs_match_exact_equities():
    found = income_rates(2, n_games=200_000, seed=3)
    for name, hole in (("AA", "AsAh"), ("T9s", "Ts9s"), ("72o", "7s2h")):
        exact = 1000 * (2 * equities([hole, "*"]).equity[0] - 1)
        rate, error = of(found, [name])
        assert abs(rate[0] - exact) < 4 * error[0]


def test_standard_errors_match_repeated_runs():
    runs = [income_rates(3, n_games=20_000, seed=seed) for seed in range(40)]
    spread = np.std([run.rates for run in runs], axis=0, ddof=1)
    claimed = np.mean([run.standard_errors for run in runs], axis=0)
    assert np.median(spread / claimed) == pytest.approx(1, abs=0.1)


def test_rates_sum_to_zero():
    found = income_rates(5, n_games=10_000)
    assert found.n_hands.sum() == 50_000
    assert found.n_hands @ found.rates == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("play", [income_rates, iterated_income_rates])
def test_results_do_not_depend_on_threads(play):
    arguments = {"n_games": 40_000, "seed": 11}
    if play is iterated_income_rates:
        arguments |= {"n_generations": 2, "n_final_games": 40_000}
    one, three = (play(4, threads=threads, **arguments) for threads in (1, 3))
    assert np.array_equal(one.rates, three.rates, equal_nan=True)
    assert np.array_equal(one.n_hands, three.n_hands)
    other = play(4, **(arguments | {"seed": 12}))
    assert not np.array_equal(one.rates, other.rates, equal_nan=True)


def test_iterated_rates_keep_the_published_order_of_hands():
    published = read(PUBLISHED_ITERATED)
    assert len(published) == 27
    found = iterated_income_rates(10)
    profitable = {name for name in class_names() if found[name] > 0}
    assert len(profitable & set(published)) >= 25
    assert len(profitable) <= 32
    rates, _ = of(found, published)
    known = np.isfinite(rates)
    expected = np.array(list(published.values()))
    assert stats.spearmanr(rates[known], expected[known]).statistic > 0.95


def test_small_blind_plays_hands_that_lose_less_than_the_blind():
    found = iterated_income_rates(2, n_generations=2, n_games=50_000, n_final_games=100_000, bet=1)
    assert found.n_hands.sum() == 100_000  # all hands: the worst loses 0.36 bets
    assert found["AA"] > 600


def test_without_blinds_few_hands_are_played():
    found = iterated_income_rates(10, blinds=False, bet=1, n_final_games=50_000)
    profitable = [name for name in class_names() if found[name] > 0]
    assert len(profitable) < 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_players": 1}, r"n_players must be 2\.\.10"),
        ({"n_players": 11}, r"n_players must be 2\.\.10"),
        ({"n_games": 0}, "n_games must be at least 1; got 0"),
        ({"n_games": 1e4}, "n_games must be a whole number at least 1; got 10000.0"),
        ({"threads": 0}, "threads must be at least 1; got 0"),
        ({"threads": 1.5}, "threads must be a whole number at least 1; got 1.5"),
    ],
)
def test_invalid_arguments_are_named(arguments, message):
    for play in (income_rates, iterated_income_rates):
        with pytest.raises(ValueError, match=message):
            play(**{"n_players": 3, **arguments})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_generations": -1}, "n_generations must be at least 0; got -1"),
        ({"n_generations": 2.0}, "n_generations must be a whole number at least 0; got 2.0"),
        ({"n_final_games": 0}, "n_final_games must be at least 1; got 0"),
    ],
)
def test_invalid_generations_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        iterated_income_rates(3, **arguments)


def test_an_invalid_name_is_reported(ten_players):
    with pytest.raises(KeyError, match="class of hole cards"):
        ten_players["KAs"]


def test_command_prints_suited_hands_above_the_diagonal(capsys):
    assert main(["equity", "income-rates", "10", "--games", "20000"]) == 0
    found = income_rates(10, n_games=20_000)
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if line.strip()]
    table = {line[0]: line[1:] for line in lines if len(line) == 14}
    assert table["A"][:2] == [f"{found['AA']:+.0f}", f"{found['AKs']:+.0f}"]
    assert table["K"][:2] == [f"{found['AKo']:+.0f}", f"{found['KK']:+.0f}"]


def test_command_reports_wrong_input(capsys):
    assert main(["equity", "income-rates", "11"]) == 2
    assert "n_players must be 2..10" in capsys.readouterr().err
