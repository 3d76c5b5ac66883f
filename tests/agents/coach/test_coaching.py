"""The coach, against exact values and against players that are easy to judge."""

import itertools
import time

import numpy as np
import pytest

import agents
import nlhe_env
from agents.coach import coach, estimate_rake
from agents.coach.coaching import HOLE_MASKS, draw_deals
from agents.commands.main import main
from agents.policy.hand_replay import HandReplay
from agents.solvers.resolving import hands_at
from nlhe_env.cards import parse_cards
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.hand_history import read_hands

RIVER = """
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [2000, 2000]
players = ["bob", "ann"]
actions = ["d dh p1 ????", "d dh p2 AsKs", "p2 cc", "p1 cc", "d db QsJs2d", "p1 cc", "p2 cc",
  "d db 7h", "p1 cc", "p2 cc", "d db Ts", "p1 cbr 1900", "p2 f"]
"""
MIDDLING = RIVER.replace("AsKs", "8c8d")


@pytest.fixture(scope="module")
def caller():
    return agents.make_compiled("caller")


def last(decisions):
    *_, decision = decisions
    return decision


def test_a_call_on_the_river_is_worth_its_equity_against_all_hands(caller):
    """A caller acts alike with every hand, so that its range is all of them."""
    (hand,) = read_hands(MIDDLING)
    decision = last(coach([hand], "ann", caller, deals=4000))
    values = {value.action: value for value in decision.values}
    assert decision.street == "river"
    assert values["fold"].value == -1.0
    share = nlhe_env.equity.equities(["8c8d", "*"], "QsJs2d7hTs").equity[0]
    call = values["call"]
    assert call.value == pytest.approx(40 * share - 20, abs=5 * call.error)
    assert call.error < 0.5


def test_folding_the_best_hand_costs_the_pot_by_both_measures(caller):
    """Nothing ties with or beats a royal flush."""
    (hand,) = read_hands(RIVER)
    decision = last(coach([hand], "ann", caller, deals=100, solver_iterations=50))
    assert (decision.taken, decision.best) == ("fold", "call")
    assert decision.cost == 21.0  # the pot of 2, and the bet of 19
    assert decision.error == 0.0
    assert decision.equilibrium.cost == pytest.approx(21.0, abs=1e-4)
    assert decision.equilibrium.values[0].action == "call"


def test_the_best_action_costs_nothing_and_any_action_is_compared(caller):
    (hand,) = read_hands(RIVER.replace("p2 f", "p2 cc").replace("p1 cbr 1900", "p1 cbr 500"))
    decisions = list(coach([hand], "ann", caller, deals=200))
    assert [one.street for one in decisions] == ["preflop", "flop", "turn", "river"]
    actions = [value.action for value in decisions[-1].values]
    assert (actions[0], actions[-1]) == ("raise to 1900", "fold")
    assert "call" in actions
    assert decisions[-1].cost == 14.0  # a caller also calls the other 14 big blinds
    raised = read_hands(
        RIVER.replace('"p2 f"', '"p2 cbr 1900", "p1 cc", "p2 sm AsKs", "p1 sm 2h2c"').replace(
            "p1 cbr 1900", "p1 cbr 500"
        )
    )
    assert last(coach(raised, "ann", caller, deals=200)).cost == 0.0


@pytest.mark.slow
def test_a_bettor_holds_the_hands_with_which_the_model_would_have_bet():
    """Against the exact equity against those hands."""
    model = agents.make_compiled("formula")
    (hand,) = read_hands(MIDDLING.replace("p1 cbr 1900", "p1 cbr 200"))
    decision = last(coach([hand], "ann", model, deals=2000))
    call = next(one for one in decision.values if one.action == "call")
    range_of_bob = hands_at(HandReplay(model, hand).reach(0, street=4, tremble=0.05))
    share = nlhe_env.equity.equities(["8c8d", range_of_bob], "QsJs2d7hTs").equity[0]
    assert abs(share - 0.5207) > 0.05  # against any two cards
    assert call.value == pytest.approx(6 * share - 3, abs=5 * call.error)
    assert call.error < 0.1


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [{"betting": "fixed-limit"}, {"boards": 2}, {"straddle": "button"}]
)
def test_other_games_are_coached_alike_each_time(game):
    hands = []
    players = [agents.make(name) for name in ("caller", "random", "random", "formula")]
    rules = nlhe_env.Game.cash(**game)
    agents.play(players, agents.Blocks(1), rules, seed=4, record=hands.append)
    hands = hands[:2]
    model = agents.make_compiled("formula")
    first, again = (list(coach(hands, "player_0", model, deals=4)) for _ in range(2))
    assert first == again
    assert len(first) > len(hands)
    for decision in first:
        assert np.isfinite([value.value for value in decision.values]).all()
        assert decision.taken in {value.action for value in decision.values}
    assert list(coach(hands, "player_0", model, deals=4, seed=2)) != first


def test_the_command_lists_the_worst_decisions_first(tmp_path, capsys):
    file = tmp_path / "hands.phh"
    file.write_text(RIVER.replace('"ann"', r'"\u001b[2Jann"'))
    assert main(["coach", str(file), "--model", "caller", "--deals", "40"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(" [2Jann: 4 decisions in 1 hand with known cards cost ")
    assert lines[0].endswith(" bb against caller")  # one hand says nothing of a hundred
    assert lines[0].count(" ± ") == 1
    assert "cost ± standard error (bb)" in lines[2]
    assert "QsJs2d7hTs" in lines[3]
    assert "21.00 ± 0.00" in lines[3]


def test_the_owner_of_a_file_is_coached(tmp_path, capsys):
    """Both players show; only one of them is dealt cards in the text."""
    text = """\
PokerStars Hand #9:  Hold'em No Limit ($1/$2 USD) - 2026/11/02 10:00:00 ET
Table 'Deneb' 2-max Seat #1 is the button
Seat 1: vil ($40 in chips)
Seat 2: hero ($40 in chips)
vil: posts small blind $1
hero: posts big blind $2
*** HOLE CARDS ***
Dealt to vil
Dealt to hero [Qs Qd]
vil: raises $38 to $40 and is all-in
hero: calls $38 and is all-in
*** FLOP *** [2c 7d Jc]
*** TURN *** [2c 7d Jc] [4h]
*** RIVER *** [2c 7d Jc 4h] [5s]
*** SHOW DOWN ***
vil: shows [Ah Kh] (high card Ace)
hero: shows [Qs Qd] (a pair of Queens)
hero collected $76 from pot
*** SUMMARY ***
Total pot $80 | Rake $4
"""
    file = tmp_path / "own.txt"
    file.write_text(text)
    assert main(["coach", str(file), "--model", "caller", "--deals", "8"]) == 0
    assert capsys.readouterr().out.startswith("hero: 1 decision in 1 hand")


def test_play_outs_pay_the_rake_of_the_hands(caller):
    """A call of the river with the best hand wins the pot less what the hands say is taken."""
    (hand,) = read_hands(RIVER)
    won = []
    for rake in (None, nlhe_env.Rake(share=0.05, cap=150), nlhe_env.Rake(share=0.1)):
        decision = last(coach([hand], "ann", caller, deals=100, rake=rake))
        won.append({value.action: value.value for value in decision.values}["call"])
    assert won == [20.0, 18.5, 16.0]
    hands = []
    game = nlhe_env.Game.cash(rake=nlhe_env.Rake(share=0.05, cap=150))
    agents.play([caller, agents.make("raiser")], agents.Blocks(3), game, seed=2, record=hands)
    estimate = estimate_rake(hands)
    assert (estimate.cap, estimate.no_flop_no_drop) == (150, True)
    assert estimate.share == pytest.approx(0.05, rel=0.02)
    assert estimate_rake([hand]) is None


def test_solutions_do_not_depend_on_the_clock(caller, monkeypatch):
    (hand,) = read_hands(RIVER.replace("p1 cbr 1900", "p1 cbr 500"))

    def solved():
        return last(coach([hand], "ann", caller, deals=8, solver_iterations=20)).equilibrium

    first = solved()
    for clock in ("monotonic", "perf_counter"):
        times = itertools.count(0.0, 1000.0)
        monkeypatch.setattr(time, clock, lambda times=times: next(times))
    assert solved() == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--player", "carl"], "no hand has a player 'carl'; the players named are: ann, bob"),
        (["--model", "nobody"], "nobody"),
        (["--deals", "1"], "deals must be at least 4; got 1"),
        (["--seed", "-1"], "seed must be in 0 .. "),
    ],
)
def test_wrong_arguments_are_refused_in_a_line(tmp_path, capsys, arguments, message):
    file = tmp_path / "hands.phh"
    file.write_text(RIVER)
    assert main(["coach", str(file), *arguments]) == 2
    assert message in capsys.readouterr().err


# --- deals of the cards that a player cannot see --------------------------------------------------


def number_of(cards):
    return int(
        np.flatnonzero((np.sort(HOLES, axis=1) == sorted(parse_cards(cards))).all(axis=1))[0]
    )


def range_of(**weights):
    found = np.zeros(len(HOLES))
    for cards, weight in weights.items():
        found[number_of(cards)] = weight
    return found


def test_no_card_is_dealt_twice():
    known, board = parse_cards("AsKd"), parse_cards("2c7h9d")
    ranges = [np.ones(len(HOLES))] * 9
    holes, boards = draw_deals(known, board, ranges, 200, np.random.default_rng(1))
    assert (boards[:, :3] == board).all()
    for hands, cards in zip(holes, boards, strict=True):
        dealt = [*known, *hands.ravel(), *cards]
        assert len(set(dealt)) == len(dealt) == 2 + 18 + 10


def test_hands_have_the_joint_distribution_of_their_weights():
    """Against all pairs of hands counted."""
    first = range_of(AsAh=1.0, KsKh=0.5, QcQd=0.25)
    second = range_of(AsAc=1.0, KsKh=1.0, QcQh=0.5)
    count = 40_000
    holes, _ = draw_deals(parse_cards("2c2d"), [], [first, second], count, np.random.default_rng(3))
    exact = np.outer(first, second)
    exact[(HOLE_MASKS[:, np.newaxis] & HOLE_MASKS) != 0] = 0.0
    exact /= exact.sum()
    index = {tuple(sorted(hand)): i for i, hand in enumerate(HOLES.tolist())}
    drawn = np.zeros_like(exact)
    for one, other in np.sort(holes, axis=2).tolist():
        drawn[index[tuple(one)], index[tuple(other)]] += 1.0 / count
    at = np.argwhere(exact > 0)
    assert drawn[exact == 0].sum() == 0.0
    for i, j in at:
        error = np.sqrt(exact[i, j] * (1 - exact[i, j]) / count)
        assert abs(drawn[i, j] - exact[i, j]) < 5 * error


def test_ranges_that_share_their_only_cards_are_dealt_in_turn():
    same = range_of(AsAh=1.0)
    holes, _ = draw_deals([], [], [same, same], 20, np.random.default_rng(5))
    aces = (np.sort(holes, axis=2) == sorted(parse_cards("AsAh"))).all(axis=2)
    assert (aces.sum(axis=1) == 1).all()
    assert 0 < aces[:, 0].sum() < 20


def test_a_range_without_a_possible_hand_is_refused():
    with pytest.raises(ValueError, match="no possible hand"):
        draw_deals(parse_cards("AsKd"), [], [range_of(AsAh=1.0)], 1, np.random.default_rng(1))
