"""Matches: rules and scores by hand, published figures, memory, the same game as the house."""

import numpy as np
import pytest

import agents
import nlhe_env
from agents.theses.bonson.dealt import (
    ANTI_PLAYERS,
    RULES,
    MatchLibrary,
    bayesian_player,
    even_player,
    make_matches,
    match_game,
    play_matches,
    rule_player,
    scores_of,
)
from agents.theses.bonson.dealt.library import make_deals
from agents.theses.bonson.dealt.playing import ceilings
from agents.theses.bonson.programs.instructions import Program, random_instruction
from agents.theses.bonson.programs.layered_teams import LayeredTeamPlayer
from agents.theses.bonson.programs.limit_teams import LimitTeamPlayer, VotingPlayer
from agents.theses.bonson.programs.opponent_model import N_INPUTS

RAISER, CALLER = rule_player(0.0, 0.0), rule_player(0.0, 2.0)
FOLDS = Program.read(0, "r[0] = r[0] + i[5]")
CALLS, RAISES = Program(1, ()), Program(2, ())


@pytest.fixture(scope="module")
def library():
    return make_matches(400, seed=3)


@pytest.fixture(scope="module")
def all_of_it(library):
    return np.arange(len(library))


def random_limit_team(seed, actions=(0, 1, 2)):
    rng = np.random.default_rng(seed)
    return [
        Program(action, tuple(random_instruction(N_INPUTS, rng) for _ in range(25)))
        for action in (*actions, *rng.choice(actions, 5).tolist())
    ]


def test_scores():
    outcomes = np.array([(-240,), (0,), (240,), (-5,)], [("chips", np.int16)])
    assert scores_of(outcomes) == pytest.approx([0.0, 0.5, 1.0, 0.48958], abs=1e-5)


def test_a_match_loses_at_most_240_chips(library, all_of_it):
    outcomes = play_matches(library, all_of_it, RAISER, RAISER).outcomes
    assert set(outcomes["chips"].tolist()) == {-240, 0, 240}
    assert (outcomes["street"] == 3).all()


@pytest.mark.parametrize(("betting", "raises"), [("two-calls", 3 + 3 * 4), ("standard", 4)])
def test_after_two_calls_a_raiser_raises_again(library, all_of_it, betting, raises):
    outcomes = play_matches(library, all_of_it, RAISER, CALLER, betting=betting).outcomes
    assert set(outcomes["raises"].tolist()) == {raises}
    put_in = 240 if betting == "two-calls" else 20 + 10 + 20 + 20
    assert np.abs(outcomes["chips"]).max() == put_in


def test_blinds_are_lost_by_folding(library, all_of_it):
    player = LimitTeamPlayer([FOLDS, CALLS])
    outcomes = play_matches(library, all_of_it, player, RAISER).outcomes
    assert outcomes["chips"].reshape(-1, 2).tolist() == [[-5, -10]] * len(library.deals)
    assert (outcomes["folder"] == 0).all()


def test_the_two_sides_of_a_deal_are_zero_sum(library, all_of_it):
    """Between equal players without memory."""
    player = rule_player(0.3, 0.7)
    chips = play_matches(library, all_of_it, player, player).outcomes["chips"]
    assert (chips.reshape(-1, 2).sum(axis=1) == 0).all()


def test_behaviour_as_text(library):
    found = play_matches(library, np.array([7, 12]), CALLER, CALLER, wants_letters=True)
    text = found.letters.decode()
    first, second = text[: text.index("00006")], text[text.index("00006") :]
    assert first.startswith("000031")
    assert second.startswith("000060")
    # Before the flop the button calls and the other checks; then both check once a round.
    assert first[8::3] == second[8::3] == "cccc"


def test_a_team_bids_only_on_legal_actions(library, all_of_it):
    always = LimitTeamPlayer([Program.read(2, "r[0] = r[0] + i[5]"), CALLS])
    same = [
        play_matches(library, all_of_it, player, RAISER).outcomes.tobytes()
        for player in (always, RAISER)
    ]
    assert same[0] == same[1]


def test_winning_programs_are_reported(library, all_of_it):
    """The fold bid falls with the opponent's aggressiveness, which is unknown at first."""
    breaks = Program.read(0, "r[0] = r[0] + i[5]", "r[0] = r[0] - i[8]")
    found = play_matches(library, all_of_it, LimitTeamPlayer([breaks, CALLS]), RAISER)
    assert found.active[:2].tolist() == [1, 1]


def test_sessions_start_without_memory(library, all_of_it):
    player, opponent = LimitTeamPlayer(random_limit_team(1)), rule_player(0.2, 0.4)
    twice = [play_matches(library, all_of_it, player, opponent).outcomes for _ in range(2)]
    assert twice[0].tobytes() == twice[1].tobytes()


@pytest.mark.parametrize("style", RULES)
def test_the_bayesian_player_identifies_its_opponent(library, all_of_it, style):
    opponent = rule_player(*RULES[style])
    anti = rule_player(*ANTI_PLAYERS["balanced"][style])
    bayesian, known = (
        play_matches(library, all_of_it, player, opponent).outcomes["chips"][100:]
        for player in (bayesian_player("balanced"), anti)
    )
    assert np.mean(bayesian == known) > 0.97


def test_a_bayesian_player_without_forgetting_keeps_its_posterior(library, all_of_it):
    knows = bayesian_player("unbalanced", forgets=False)
    memory = play_memory(library, all_of_it, rule_player(*RULES["TA"]), knows)
    assert memory[:4].argmax() in (2, 3)
    again = play_matches(
        library, all_of_it[:20], CALLER, knows, opponent_memory=memory.copy()
    ).outcomes
    anti = play_matches(
        library, all_of_it[:20], CALLER, rule_player(*ANTI_PLAYERS["unbalanced"]["TA"])
    ).outcomes
    assert again[:1].tobytes() == anti[:1].tobytes()


def play_memory(library, matches, player, opponent):
    memory = np.zeros(4, np.float32)
    play_matches(library, matches, player, opponent, opponent_memory=memory)
    return memory


@pytest.mark.parametrize("rule", RULES.values())
def test_no_player_wins_more_than_the_ceiling(library, all_of_it, rule):
    limit = ceilings(library, all_of_it, rule)
    opponent = rule_player(*rule)
    for seed in range(3):
        for player in (LimitTeamPlayer(random_limit_team(seed)), even_player()):
            found = play_matches(library, all_of_it, player, opponent, seed=seed).outcomes
            assert (scores_of(found) <= limit + 1e-12).all()


def test_many_random_players_reach_the_ceiling_of_some_matches(library):
    rule, matches = RULES["TA"], np.arange(60)
    best = np.max(
        [
            scores_of(
                play_matches(
                    library, matches, even_player(), rule_player(*rule), seed=seed
                ).outcomes
            )
            for seed in range(3000)
        ],
        axis=0,
    )
    limit = ceilings(library, matches, rule)
    assert np.mean(best == limit) > 0.8


class Watched(nlhe_env.raw_env):
    """Keeps the table of every hand after it."""

    def after_hand(self):
        self.finished = [*getattr(self, "finished", []), self.table.copy()]
        super().after_hand()


def two_teams():
    """Two one-layer teams."""
    teams = [random_limit_team(seed, actions=(1, 2)) for seed in (4, 5)]
    return [LimitTeamPlayer(team) for team in teams]


def two_layers():
    """The same of two layers, with three teams below."""
    teams = [random_limit_team(seed, actions=(1, 2)) for seed in (4, 5, 9)]
    above = [random_limit_team(seed) for seed in (10, 12)]
    return [LayeredTeamPlayer(one, teams) for one in above]


@pytest.mark.parametrize("make", [two_teams, two_layers])
@pytest.mark.parametrize("betting", ["two-calls", "standard"])
def test_a_limit_team_plays_the_same_at_every_table_size(betting, make):
    """Hands of the house, and the same cards as matches: chip for chip, with all that is
    remembered."""
    made = make()
    game = match_game(betting, num_hands=40)
    env = Watched(2, game=game, actions="sized", observation="cards")
    players = {f"player_{i}": player for i, player in enumerate(made)}
    agents.play_episode(env, players, seed=11)
    tables = np.array(env.finished)
    hands = tables["cards"][:, :4].reshape(-1, 2, 2)  # by seat
    rows, button = np.arange(len(tables)), tables["button"]
    holes = np.stack([hands[rows, button], hands[rows, 1 - button]], axis=1)
    library = MatchLibrary(make_deals(holes, tables["cards"][:, 4:9]))
    seat = np.argmax(tables["player"][:, :2] == 0, axis=1)  # of the first player
    found = play_matches(library, 2 * rows + (seat != button), *made, betting=betting)
    won = (tables["won"] - tables["hand_bet"])[rows, seat]
    assert len(tables) == 40
    assert len(set(won.tolist())) > 3
    assert found.outcomes["chips"].tolist() == won.tolist()


@pytest.mark.parametrize(
    ("teams", "vote"),
    [
        ([RAISES, RAISES, CALLS], RAISES),
        ([RAISES, CALLS, CALLS], CALLS),
        ([RAISES, CALLS], CALLS),
        ([FOLDS, FOLDS, RAISES], FOLDS),
    ],
)
def test_a_voting_player_takes_the_majority_action(teams, vote, tmp_path):
    """As most of them do; a team of which nothing is legal calls."""
    agents.save_player(tmp_path / "vote.npz", VotingPlayer([[team] for team in teams]))
    player = agents.load_player(tmp_path / "vote.npz")
    assert len(player.teams) == len(teams)
    game = nlhe_env.Game.cash(betting="fixed-limit", max_bets=4, num_hands=5)
    opponent = agents.make("loose-aggressive")
    played = [
        agents.play(agents.pack_players([each, opponent]), agents.Blocks(10), game, seed=1).totals[
            0
        ]
        for each in (player, LimitTeamPlayer([vote]))
    ]
    assert played[0] == played[1]


def test_a_single_team_votes_as_it_plays():
    """Two equal teams vote as one too, with the same memory."""
    teams = [random_limit_team(seed) for seed in (6, 7)]
    game = nlhe_env.Game.cash(betting="fixed-limit", max_bets=4, num_hands=20)
    played = [
        agents.play(
            agents.pack_players([each, LimitTeamPlayer(teams[1])]), agents.Blocks(5), game, seed=1
        )
        for each in (LimitTeamPlayer(teams[0]), VotingPlayer([teams[0]] * 3))
    ]
    assert played[0].totals.tolist() == played[1].totals.tolist()


def test_incompatible_programs_are_refused():
    with pytest.raises(ValueError, match=r"action of a program must be in 0 \.\. 2; got 3"):
        LimitTeamPlayer([CALLS, Program(3, ())])
    with pytest.raises(ValueError, match="14 inputs; a program reads number 14"):
        LimitTeamPlayer([CALLS, Program.read(0, "r[0] = r[0] + i[14]")])


def mean_score(library, player, opponent):
    outcomes = play_matches(library, np.arange(len(library)), player, opponent).outcomes
    return scores_of(outcomes).mean()


@pytest.fixture(scope="module")
def many():
    return make_matches(4000, seed=8)


# Means of 180,000 matches by another program; the errors here are 0.003 and 0.0015.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("style", "score"), [("LA", 0.523), ("LP", 0.534), ("TA", 0.513), ("TP", 0.513)]
)
def test_anti_players_win_the_published_amounts(many, style, score):
    anti = rule_player(*ANTI_PLAYERS["unbalanced"][style])
    found = play_matches(many, np.arange(len(many)), anti, rule_player(*RULES[style]))
    assert scores_of(found.outcomes).mean() == pytest.approx(score, abs=0.01)
    grid = [(i / 10, j / 10) for i in range(11) for j in range(i, 11)]
    best = max(mean_score(many, rule_player(*rule), rule_player(*RULES[style])) for rule in grid)
    assert best - scores_of(found.outcomes).mean() < 0.006


@pytest.mark.slow
def test_rule_players_have_the_published_action_frequencies(many):
    opponents = [rule_player(*rule) for rule in RULES.values()]
    published = [(0.05, 0.43, 0.52), (0.05, 0.73, 0.22), (0.37, 0.36, 0.27), (0.35, 0.56, 0.09)]
    for player, shares in zip(opponents, published, strict=True):
        found = []
        for opponent in opponents:
            outcomes = play_matches(many, np.arange(len(many)), player, opponent).outcomes
            counts = np.array([outcomes[name].sum() for name in ("folds", "calls", "raises")])
            found.append(counts / counts.sum())
        np.testing.assert_allclose(np.mean(found, axis=0), shares, atol=0.03)


# Limits by a search of another program.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("style", "limit"), [("LA", 0.656), ("LP", 0.656), ("TA", 0.542), ("TP", 0.542)]
)
def test_ceilings(many, style, limit):
    found = ceilings(many, np.arange(len(many)), RULES[style])
    assert found.mean() == pytest.approx(limit, abs=0.01)
