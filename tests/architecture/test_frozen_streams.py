"""Numbers and texts that random streams and digests are made from: changed ones change results."""

from agents.books.blueprint import sampled_walk, training
from agents.external.hooks import private_seed
from agents.measure.leagues.league_matches import LeagueSettings, matches_of
from agents.theses.billings.pseudo_optimal import hands
from agents.theses.billings.vexbot import build_book
from agents.theses.li import boards, preliminary_session
from evolve import seeds
from nlhe_env.game import random_stream

PURPOSES = {
    "NEWCOMERS": 0,
    "TOURNAMENTS": 1,
    "PROGRESS": 2,
    "EVALUATION": 3,
    "BROOD": 4,
    "LEAGUE": 5,
    "OPTIMIZER": 6,
    "SEARCH_START": 7,
    "SEARCH_OPPONENTS": 8,
    "SEARCH_GAMES": 9,
    "SEARCH_TEST": 10,
    "SEARCH_PROBES": 11,
    "LINEAGES": 12,
    "CHOICE": 13,
    "SYMBIOSIS": 14,
    "INCLINATIONS": 15,
}
DOMAINS = {
    "CARDS": 0,
    "DECISIONS": 1,
    "SEATING": 2,
    "BUTTONS": 3,
    "EQUITY_DEALS": 4,
    "SIMULATIONS": 5,
}


def test_stream_numbers_of_a_run_are_frozen():
    assert {name: n for name, n in vars(seeds).items() if name.isupper()} == PURPOSES
    assert seeds.stream_seed(1, seeds.TOURNAMENTS, 5) == 11_878_895_060_876_899_006


def test_stream_domains_of_the_game_are_frozen():
    found = {name: n for name, n in vars(random_stream).items() if name.isupper()}
    assert {name: n for name, n in found.items() if not name.startswith("_")} == DOMAINS


def test_private_seeds_of_players_are_frozen():
    assert private_seed(1, 2, 3) == 4_691_522_736_600_028


def test_league_seeds_from_player_names_are_frozen():
    (match,) = matches_of(["folder", "caller"], LeagueSettings.of(None, seed=3))
    assert match.seed == 9_522_149_062_156_404_224


def test_seeds_of_shipped_players_are_frozen():
    assert (build_book._SEED, hands._SEED) == (2004, 2006)
    assert (preliminary_session._SEED, boards._SEED) == (6, 8)
    assert (training.CARDS, sampled_walk.WALKS) == (0, 1)
