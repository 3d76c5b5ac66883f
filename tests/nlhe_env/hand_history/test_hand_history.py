"""Hands written in PHH, read again, and played again by the rules."""

import io
import random
import time
import tracemalloc
from dataclasses import replace
from typing import Any

import pytest
from helpers import CALL, FOLD, deal

import agents
import nlhe_env
from agents.acpc import Dealer, competition_game, read_log
from nlhe_env.hand_history import (
    HandError,
    HandHistoryError,
    action_event,
    hand_of,
    play_hand,
    read_hands,
    write_hands,
)

HAND = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 3000, 450]
actions = [
  "d dh p1 AsKd", "d dh p2 QhQc", "d dh p3 7c7d",
  "p3 cbr 450", "p1 cbr 1000", "p2 cc",
  "p1 sm AsKd", "p2 sm QhQc", "p3 sm 7c7d",
  "d db 2s7h9d", "d db Qd", "d db 3c",
]
"""


def record(env: nlhe_env.raw_env, *action_ids: int):
    """Play one hand and write it down."""
    events = []
    for action_id in action_ids:
        events.append(action_event(env.tables[0].copy(), action_id))
        env.step(action_id)
    return hand_of(env.tables[0], events, ["ann", "bob", "cid", "dan"])


def random_events(env: nlhe_env.raw_env, generator: random.Random) -> list[Any]:
    """Play a hand to its end, and return what has been done."""
    events = []
    while env.tables[0]["actor"] >= 0:
        info = env.infos[env.agent_selection]
        choices = [CALL, CALL]
        if info["to_call"]:
            choices.append(FOLD)
        if info["max_raise_to"]:
            choices += [info["min_raise_to"], generator.choice((info["max_raise_to"], CALL))]
        choice = generator.choice(choices)
        events.append(action_event(env.tables[0].copy(), choice))
        env.step(choice)
    return events


def random_hand(generator: random.Random, betting: str = "no-limit"):
    players = generator.randint(2, 6)
    env = deal(
        [generator.randint(30, 900) for _ in range(players)],
        blinds=(10, 20, generator.choice((0, 0, 5))),
        button=generator.randrange(players),
        seed=generator.randrange(10**6),
        betting=betting,
    )
    names = [f"player {i}" for i in range(players)]
    events = random_events(env, generator)
    return hand_of(env.tables[0], events, names, level=2), env.tables[0].copy()


@pytest.mark.parametrize("betting", ["no-limit", "pot-limit", "fixed-limit"])
def test_written_hands_read_back_and_play_the_same(betting):
    generator = random.Random(betting)
    played = [random_hand(generator, betting) for _ in range(60)]
    hands = [hand for hand, _ in played]
    assert read_hands(write_hands(hands)) == hands
    for hand, table in played:
        *_, last = play_hand(hand)
        for position, seat in enumerate(hand.seats):
            assert last.table["stack"][position] == table["stack"][seat]
            assert last.table["won"][position] == table["won"][seat]
    assert sum(any(hand.shown) for hand in hands) > 10


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_pokerkit_reads_written_hands():
    notation = pytest.importorskip("pokerkit.notation")
    generator = random.Random(4)
    n_hands = 0
    while n_hands < 40:
        hand, table = random_hand(generator)
        if any(stack < hand.ante + hand.big_blind for stack in hand.stacks):
            continue  # PokerKit measures a call against what a short big blind has posted
        odd = any(
            int(table["pot_size"][pot]) % int(table["pot_winners"][pot]).bit_count()
            for pot in range(int(table["pots"]))
        )
        if odd:
            continue  # it gives all odd chips to one winner
        n_hands += 1
        text = write_hands([hand]).partition("\n")[2]
        history = notation.HandHistory.loads(text)
        *_, state = iter(history)
        assert tuple(state.stacks) == hand.finishing_stacks, text
        assert not state.status, text


def test_a_written_hand_follows_the_format():
    env = deal([1000, 900, 800], blinds=(50, 100), button=0, hole_cards={1: "AsKd"})
    hand = record(env, 300, FOLD, FOLD)
    text = write_hands([hand])
    assert 'variant = "NT"' in text
    assert "blinds_or_straddles = [50, 100, 0]" in text
    assert "starting_stacks = [900, 800, 1000]" in text
    assert "seats = [2, 3, 1]" in text
    assert '"d dh p1 AsKd"' in text
    assert '"p3 cbr 300", "p1 f", "p2 f"]' in text
    assert 'players = ["bob", "cid", "ann"]' in text


def test_a_hand_of_the_standard_replays_under_these_rules():
    (hand,) = read_hands(HAND)
    *_, last = play_hand(hand)
    assert last.table["stack"][:3].tolist() == [0, 4450, 0]
    assert [step.event["action"] for step in play_hand(hand) if step.event] == [
        "raise",
        "raise",
        "call",
    ]


def test_hidden_cards_are_not_written():
    env = deal(
        [1000] * 3, button=0, hole_cards={0: "AsKd", 1: "QhQc", 2: "7c7d"}, board="2s2h2d3c3d"
    )
    hand = record(env, FOLD, CALL, CALL, CALL, CALL, CALL, CALL, CALL, CALL)
    seen = hand.seen_by(None)
    text = write_hands([seen])
    assert "????" in text
    assert "As" not in text
    assert "Kd" not in text
    assert "QhQc" in text  # shown down
    assert "AsKd" in write_hands([hand.seen_by(0)])
    (again,) = read_hands(text)
    assert again == seen
    *_, last = play_hand(again)
    assert sum(last.table["won"].tolist()) == 40


@pytest.mark.parametrize(
    ("game", "players"),
    [
        (competition_game(starting_stack=1000), ("loose-aggressive", "formula")),
        (competition_game(starting_stack=1000), ("loose-aggressive", "formula", "raiser")),
        (
            competition_game(starting_stack=24_000, betting="fixed-limit"),
            ("raiser", "call-or-raise"),
        ),
    ],
)
def test_logs_of_matches_are_read(game, players):
    log = io.StringIO()
    seats = [agents.make(name) for name in players]
    with Dealer(game, 40, seats, seed=5, log=log) as dealer:
        result = dealer.play()
    hands = read_log(log.getvalue())
    assert len(hands) == 40
    totals = dict.fromkeys(result.names, 0)
    for hand in hands:
        *_, last = play_hand(hand)
        for position, name in enumerate(hand.players):
            totals[name] += int(last.table["stack"][position]) - hand.stacks[position]
    assert [totals[name] for name in result.names] == list(result.totals)
    assert any(any(hand.shown) for hand in hands)
    with pytest.raises(HandHistoryError, match="line 1: stacks and blinds are not known"):
        read_log(log.getvalue().partition("STATE")[2].join(["STATE", ""]))
    damaged = log.getvalue().replace("STATE:3:", "STATE:3:x")
    with pytest.raises(HandHistoryError, match=f"line {5 + 3}: betting must consist of"):
        read_log(damaged)


SIX_BETS = """\
variant = "FT"
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
small_bet = 10
big_bet = 20
_max_bets = 6
starting_stacks = [500, 500, 500]
actions = ["d dh p1 AsKd", "d dh p2 QhQc", "d dh p3 7c7d",
  "p3 cbr 20", "p1 cbr 30", "p2 cbr 40", "p3 cbr 50", "p1 cbr 60", "p2 f", "p3 f"]
"""


def test_a_written_bet_cap_applies():
    (hand,) = read_hands(SIX_BETS)
    assert hand.max_bets == 6
    *_, last = play_hand(hand)
    assert last.table["stack"][:3].tolist() == [590, 460, 450]
    for name, after in (("_max_bets = 5\n", 60), ("_max_bets = 4\n", 50), ("", 50)):
        text = SIX_BETS.replace("_max_bets = 6\n", name)
        with pytest.raises(HandHistoryError, match=f"raise to {after} is not possible"):
            read_hands(text)
        with pytest.raises(HandError, match=f"raise to {after} is not possible"):
            list(play_hand(read_hands(text, check=False)[0]))
    for value in ("-1", "true", "2.5", '"six"'):
        with pytest.raises(HandHistoryError, match="line 6: _max_bets must be"):
            read_hands(SIX_BETS.replace("_max_bets = 6", f"_max_bets = {value}"))


def test_two_players_have_a_bet_cap_only_if_written():
    text = SIX_BETS.replace("[0, 0, 0]", "[0, 0]").replace("[5, 10, 0]", "[5, 10]")
    text = text.replace("[500, 500, 500]", "[500, 500]").replace(', "d dh p3 7c7d"', "")
    start = text.index('  "p3 cbr 20"')
    acts = ", ".join(f'"p{2 - i % 2} cbr {20 + 10 * i}"' for i in range(6))
    text = text[:start] + acts + ', "p2 f"]\n'
    with pytest.raises(HandHistoryError, match="raise to 70 is not possible"):
        read_hands(text)
    (hand,) = read_hands(text.replace("_max_bets = 6\n", ""))
    *_, last = play_hand(hand)
    assert last.table["stack"][:2].tolist() == [560, 440]


def test_a_first_blind_above_the_big_blind_is_posted():
    text = HAND.replace("[50, 100, 0]", "[200, 100, 0]").replace("p3 cbr 450", "p2 f", 1)
    text = text[: text.index('"p1 cbr 1000"')] + '"p3 f"]\n'
    (hand,) = read_hands(text)
    assert (hand.posted, hand.small_blind) == ((200, 100, 0), 0)
    steps = list(play_hand(hand))
    assert steps[0].table["stack"][:3].tolist() == [800, 2900, 450]
    assert steps[-1].table["stack"][:3].tolist() == [1100, 2900, 450]
    assert read_hands(write_hands([hand])) == [hand]


def test_a_button_may_post_above_the_big_blind_heads_up():
    text = HAND.replace("[0, 0, 0]", "[0, 0]").replace("[50, 100, 0]", "[200, 100]")
    text = text.replace("[1000, 3000, 450]", "[1000, 3000]").replace(', "d dh p3 7c7d"', "")
    text = text[: text.index('"p3 cbr 450"')] + '"p1 f"]\n'
    (hand,) = read_hands(text)
    assert hand.posted == (100, 200)
    steps = list(play_hand(hand))
    assert steps[0].table["stack"][:2].tolist() == [900, 2800]
    assert steps[-1].table["stack"][:2].tolist() == [900, 3100]
    assert read_hands(write_hands([hand])) == [hand]


def test_amounts_in_cents_are_read():
    text = HAND.replace("50, 100, 0]", "0.5, 1, 0]").replace("min_bet = 100", "min_bet = 1.00")
    text = text.replace("[1000, 3000, 450]", "[10, 30.00, 4.5]")
    text = text.replace("cbr 450", "cbr 4.50").replace("cbr 1000", "cbr 10")
    (hand,) = read_hands(text)
    assert hand.unit == 100
    assert (hand.small_blind, hand.big_blind, hand.stacks) == (50, 100, (1000, 3000, 450))


def test_names_with_quotes_and_control_characters_round_trip():
    env = deal([1000, 1000])
    hand = record(env, FOLD)
    odd = replace(hand, players=('a "b" \\ c', "d\ne\x07é"))
    assert read_hands(write_hands([odd])) == [odd]


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ('variant = "NT"', 'variant = "PO"', 1, "only Texas Hold'em"),
        ("min_bet = 100", "min_bet = 180", 3, "a player must post a big blind of 180"),
        ("min_bet = 100\n", "", 1, "min_bet"),
        ("[0, 0, 0]", "[0, -5, 0]", 2, "antes must be 3 amounts"),
        ("[50, 100, 0]", "[50, 100, 200]", 8, "it is the turn of p1, not of p3"),
        ("[1000, 3000, 450]", "[1000, -3, 450]", 5, "starting_stacks"),
        ("[1000, 3000, 450]", "[1000]", 5, "2 to 10 players"),
        ("p3 7c7d", "p3 7c7c", 7, "twice"),
        ("p3 7c7d", "p3 7cAs", 7, "twice"),
        ('"p3 cbr 450"', '"p1 cbr 450"', 8, "it is the turn of p3"),
        ('"p3 cbr 450"', '"p3 cbr 120"', 8, "a raise must be to 200 .. 450"),
        ('"p3 cbr 450"', '"p3 cbr lots"', 8, "not an amount"),
        ('"p3 cbr 450"', '"p3 raises"', 8, "not an action"),
        ('"p2 cc"', '"p2 cc", "p2 cc"', 8, "the hand is over"),
        ("d db 2s7h9d", "d db 2s7h", 10, "flop, turn and river"),
        ('"d db 3c",', "", 1, "ends with 5 cards"),
        ("actions = [", "actions = [[", 11, "not TOML"),
        ('variant = "NT"', 'variant = "NT', 1, "not TOML"),
        ('"p1 sm AsKd"', '"p1 sm AsKh"', 9, "was dealt AsKd"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(old, new, line, problem):
    assert old in HAND
    with pytest.raises(HandHistoryError, match=problem) as caught:
        read_hands(HAND.replace(old, new, 1))
    assert caught.value.line == line
    assert str(caught.value).startswith(f"line {line}: ")


def test_a_result_that_contradicts_the_rules_is_refused():
    read_hands(HAND + "finishing_stacks = [0, 4450, 0]\n")
    with pytest.raises(HandHistoryError, match="p1 ends with 0 chips by the rules, not with 450"):
        read_hands(HAND + "finishing_stacks = [450, 4000, 0]\n")


def test_a_file_of_many_hands_names_the_line_of_the_bad_one():
    env = deal([1000, 900, 800], button=0)
    good = write_hands([record(env, FOLD, FOLD)] * 2)
    bad = good.replace('"p3 f", "p1 f"', '"p3 f", "p2 f"').replace(
        '"p3 f", "p2 f"', '"p3 f", "p1 f"', 1
    )
    with pytest.raises(HandHistoryError) as caught:
        read_hands(bad)
    assert bad.splitlines()[caught.value.line - 1].startswith("actions")
    assert caught.value.line > len(good.splitlines()) / 2


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_a_hand_all_in_from_the_blinds_shows_cards_once():
    notation = pytest.importorskip("pokerkit.notation")
    env = deal([10, 20], blinds=(10, 20), button=0, seed=3)
    hand = record(env)
    text = write_hands([hand])
    assert text.count(" sm ") == 2
    *_, state = iter(notation.HandHistory.loads(text.partition("\n")[2]))
    assert tuple(state.stacks) == hand.finishing_stacks
    assert read_hands(text) == [replace(hand, players=hand.players)]


# Each freezes or fills a reader that backtracks, nests or calculates before it compares.
_SIZE = 100_000
HOSTILE = {
    "blanks in an open bracket": HAND + 'x = """\n[' + " " * _SIZE + '\n"""\nmin_bet = 3\n',
    "a key of many parts": ".".join("a" * (_SIZE // 2)) + " = 1",
    "a quoted key of many parts": ".".join(['"\\""'] * (_SIZE // 5)) + " = 1",
    "a header of many parts": "[" + ".".join("a" * (_SIZE // 2)) + "]",
    "many tables": "".join(f"[a{i}]\n" for i in range(_SIZE // 8)),
    "many fields": "".join(f"a{i} = {{}}\n" for i in range(_SIZE // 11)),
    "nested lists": "a = " + "[" * _SIZE,
    "a huge exponent": HAND.replace("[1000, 3000, 450]", "[1e999999999, 3000, 450]"),
    "a tiny exponent": HAND.replace("[1000, 3000, 450]", "[1e-999999999, 3000, 450]"),
    "a number of many digits": HAND.replace("[1000,", "[" + "9" * _SIZE + ","),
    "a hexadecimal number": HAND.replace("[1000,", "[0x" + "f" * _SIZE + ","),
    "a hand number of many digits": HAND + "hand = 0x" + "f" * _SIZE,
    "a bet of many digits": HAND.replace("min_bet = 100", "min_bet = 0x" + "f" * _SIZE),
    "an amount of many digits": HAND.replace("cbr 450", "cbr " + "4" * _SIZE),
    "an amount far away": HAND.replace("cbr 450", "cbr " + " " * _SIZE),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_costs_little_time_and_memory(text):
    with pytest.raises(HandHistoryError):  # compiled code is loaded
        read_hands(HAND + "finishing_stacks = [450, 4000, 0]\n")
    tracemalloc.start()
    start = time.process_time()
    with pytest.raises(HandHistoryError) as caught:
        read_hands(text)
    seconds = time.process_time() - start
    _, most_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 20  # most take 0.1 s, on a busy machine more; without a guard minutes or hours
    assert most_bytes < 20 * 2**20
    assert len(str(caught.value)) < 500


def test_chip_counts_do_not_change_the_cost_of_a_hand():
    def memory_of(text):
        tracemalloc.start()
        read_hands(text)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    deep = HAND.replace("[1000, 3000, 450]", "[1000, 900000000000, 450]")
    memory_of(HAND)
    assert memory_of(deep) < 1.5 * memory_of(HAND) + 10_000


def test_too_many_hands_are_refused_before_any_is_played(monkeypatch):
    monkeypatch.setattr("nlhe_env.hand_history.phh_reader.check_hand", None)
    with pytest.raises(HandHistoryError, match="at most 3 hands"):
        read_hands(write_hands(read_hands(HAND, check=False) * 4), most_hands=3)
    line = "STATE:0:r200f:AsKd|QhQc:0|0:ann|bob"
    with pytest.raises(HandHistoryError, match="at most 3 hands"):
        read_log("\n".join([line] * 4), most_hands=3)


def test_stacks_in_a_log_do_not_drive_memory_use():
    log = "# name holdem.nolimit.2p.reverse_blinds.{}.50-100 1 1\nSTATE:0:f:AsKd|QhQc:50|-50:a|b\n"
    read_log(log.format(20_000))
    tracemalloc.start()
    (hand,) = read_log(log.format(999_999_999))
    _, most_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most_bytes < 2**20
    assert hand.finishing_stacks == (1_000_000_049, 999_999_949)
    with pytest.raises(HandHistoryError, match="line 2: cards, chips"):
        read_log(log.format(20_000).replace("50|-50", "1e300|-1e300"))
