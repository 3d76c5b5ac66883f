"""Results of recorded hands in every report: what the stacks of the file say, after the rake."""

import numpy as np
import pytest
from hand_texts import THREE_ALL_IN

import agents
import evolve
from agents.variance_reduction.aivat_logs import AivatEvaluator
from agents.web.hands.explaining import explain
from agents.web.hands.replays import Replay
from agents.web.hands.sessions import session
from nlhe_env import BlindSchedule, Game, Rake
from nlhe_env.hand_history import Hand, play_hand, read_hands, write_hands
from nlhe_env.hand_history.batches import pack, play_packed
from nlhe_env.hand_history.evaluated import BatchEvaluator

RAKE = Rake(share=0.05, cap=300)
GAMES = {
    "rake": Game.cash(num_hands=4, rake=RAKE),
    "low cap, unequal stacks": Game.cash(
        starting_stack=(700, 2000, 110, 2500), num_hands=4, rake=Rake(share=0.1, cap=25)
    ),
    "two boards, straddle, no cap": Game.cash(
        starting_stack=(900, 2000, 400, 2500),
        num_hands=4,
        straddle="under the gun",
        boards=2,
        rake=Rake(share=0.07, no_flop_no_drop=False),
    ),
    "big-blind ante": Game.cash(
        starting_stack=(600, 2000, 400, 1500),
        num_hands=4,
        blinds=BlindSchedule([(10, 20, 20)], ante_by="big blind"),
        rake=RAKE,
    ),
    "antes": Game.cash(
        starting_stack=(600, 2000, 400, 1500), num_hands=4, blinds=(10, 20, 5), rake=RAKE
    ),
}


@pytest.fixture(scope="module", params=GAMES)
def recorded(request) -> tuple[list[Hand], agents.Tally]:
    hands: list[Hand] = []
    players = [agents.make(name) for name in ("push-or-fold", "raiser", "caller", "random")]
    tally = agents.play(
        players,
        agents.Blocks(3),
        GAMES[request.param],
        seed=4,
        record=hands,
        variance_reduction="all-in",
    )
    assert sum(hand.rake > 0 for hand in hands) > 10
    return hands, tally


def nets(hand: Hand) -> list[int]:
    return [
        after - before for after, before in zip(hand.finishing_stacks, hand.stacks, strict=True)
    ]


def test_every_report_has_the_results_of_the_file(recorded):
    written, _ = recorded
    hands = read_hands(write_hands(written))
    assert hands == written
    expected = [nets(hand) for hand in hands]
    evaluated = BatchEvaluator().evaluate(hands, np.zeros(len(hands), np.bool_))
    adjusted = AivatEvaluator().evaluate(hands)
    replay = Replay(write_hands(hands), "")
    for k, (hand, net) in enumerate(zip(hands, expected, strict=True)):
        n = len(net)
        last = list(play_hand(hand))[-1].table
        assert (last["stack"] - last["starting_stack"])[:n].tolist() == net
        assert last["rake"] == hand.rake == -sum(net)
        assert last["pot_size"].sum() == last["won"].sum()
        assert evaluated.money[k, :n].tolist() == net
        assert evaluated.all_in[k].sum() == pytest.approx(-hand.rake, abs=1e-4)
        assert adjusted[k].sum() == pytest.approx(-hand.rake, abs=1e-4)
        assert replay.contents()["hands"][k]["net"] == net
    for k in range(0, len(hands), 9):
        at = [hands[k].seats.index(seat) for seat in range(4)]
        totals = explain(hands[k])["totals"]
        assert totals[0]["chips"] == [expected[k][place] for place in at]
        assert [sum(total["chips"]) for total in totals if total["name"] != "Board cards"] == (
            pytest.approx([-hands[k].rake] * 3, abs=1e-3)
        )
        assert (
            replay.steps(k)["steps"][-1]["seats"][hands[k].seats[0]]["stack"]
            == (hands[k].finishing_stacks[0])
        )
    by_name = {
        name: sum(net[hand.players.index(name)] for hand, net in zip(hands, expected, strict=True))
        for name in hands[0].players
    }
    for player in session(hands)["players"]:
        assert player["won"][-1] == pytest.approx(by_name[player["name"]])
    for row in evolve.reduce_variance(hands):
        big = hands[0].big_blind
        assert sum(row.values["money"]) == pytest.approx(by_name[row.name] / big)


def test_recorded_hands_have_the_results_of_the_match(recorded):
    hands, tally = recorded
    money = np.zeros(4)
    for hand in hands:
        for name, net in zip(hand.players, nets(hand), strict=True):
            money[int(name[-1])] += net
    assert money.tolist() == [float(total * tally.plain.unit) for total in tally.plain.totals]


@pytest.mark.parametrize("rake", [0, 1, 7, 60])
def test_a_known_rake_without_final_stacks_is_taken_from_the_winners(rake):
    text = THREE_ALL_IN.replace("2s7h9d", "2s7h9s").replace("d db Qd", "d db 3d")
    (hand,) = read_hands(text + f"_rake = {rake}\n")
    (table,) = play_packed(pack([hand])).tables
    main, side = 1350, 1100
    got = [0, side - rake * side // (main + side), main - rake * main // (main + side)]
    got[2] -= sum(got) - (main + side - rake)  # the largest winner pays the remainder
    assert table["won"][:3].tolist() == got
    assert table["pot_size"][:2].tolist() == got[:0:-1]
    assert table["rake"] == rake
