"""Files of other programs: readable hands are read, unreadable ones are reported."""

import itertools
import random
from dataclasses import replace

import pytest
from hand_texts import read
from test_hand_history import random_events

import nlhe_env
from nlhe_env.__main__ import main
from nlhe_env.hand_history import (
    Hand,
    HandHistoryError,
    hand_of,
    play_hand,
    read_hands,
    stream_files,
    stream_hands,
    write_hands,
)

# The loser mucks, the house takes 0.50 of 10, and names, places and times stand between.
MUCKED = """\
[1]
variant = 'NT'
ante_trimming_status = false
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [100, 50.25, 80]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 f', 'p1 cc', 'p2 cc',\
 'd db Kc7s4h', 'p1 cbr 4', 'p2 cc', 'd db 6s', 'p1 cc', 'p2 cc', 'd db 9d', 'p1 cc', 'p2 cc',\
 'p1 sm KdQd', 'p2 sm ????']
venue = 'Anywhere = "here"'
time = 00:02:58
hand = 17
seats = [4, 5, 2]
table = 'NORTH #3'
players = ['ann', 'bob', 'cid']
winnings = [9.50, 0, 0]
currency_symbol = '$'
"""


def test_a_mucked_hand_loses_and_stays_unknown():
    (hand,) = read(MUCKED)
    assert hand.hole_cards == ("KdQd", "", "")
    assert hand.shown == (True, False, False)
    assert hand.rake == 50
    assert hand.unit == 100
    assert hand.finishing_stacks == (10_000 - 500 + 950, 5025 - 500, 8000)
    *_, last = play_hand(hand)
    assert last.table["won"][:3].tolist() == [950, 0, 0]  # after the rake


def test_without_winnings_the_rake_stays_unknown():
    (hand,) = read(MUCKED.replace("winnings", "nothing"))
    assert hand.finishing_stacks is None
    *_, last = play_hand(hand)
    assert last.table["won"][1] == 0


def test_a_mucked_hand_that_wins_is_refused():
    (error,) = read(MUCKED.replace("[9.50, 0, 0]", "[0, 0, 9.50]"))
    assert isinstance(error, HandHistoryError)
    assert (error.line, error.reason) == (
        2,
        "no hole cards of the players who do not show lead to the recorded result",
    )


def test_unknown_hands_give_no_winner():
    text = MUCKED.replace("winnings", "nothing").replace("p1 sm KdQd", "p1 sm ????")
    (error,) = read(text)
    assert "so is the winner" in error.reason


def test_good_hands_around_a_bad_one_are_read():
    bad = MUCKED.replace("[1]", "[2]").replace("'p3 f', 'p1 cc'", "'p1 cc', 'p3 f'")
    broken = "[3]\nvariant = 'NT\n"
    found = read("# an archive\n\n" + MUCKED + "\n" + bad + broken + MUCKED.replace("[1]", "[4]"))
    assert [isinstance(hand, Hand) for hand in found] == [True, False, False, True]
    lines = ("# an archive\n\n" + MUCKED + "\n" + bad + broken).splitlines()
    assert lines[found[1].line - 1].startswith("actions")
    assert "turn of p3" in found[1].reason
    assert lines[found[2].line - 1].startswith("variant")


def test_half_chips_of_a_split_pot_are_read():
    text = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [100, 100, 100]
actions = ['d dh p1 2c3d', 'd dh p2 KsQs', 'd dh p3 KdQd', 'p3 cc', 'p1 f', 'p2 cc',\
 'd db AhKhQh', 'p2 cc', 'p3 cc', 'd db 7c', 'p2 cc', 'p3 cc', 'd db 8c', 'p2 cc', 'p3 cc',\
 'p2 sm KsQs', 'p3 sm KdQd']
finishing_stacks = [95, 102.5, 102.5]
"""
    (hand,) = read(text)
    assert hand.finishing_stacks == (9500, 10_250, 10_250)
    assert hand.rake == 0


# A big-blind ante for the table, and a straddler.
BIG_BLIND_ANTE = """\
variant = "NT"
ante_trimming_status = true
antes = [0, 120, 0, 0]
blinds_or_straddles = [40, 80, 0, 0]
min_bet = 80
starting_stacks = [700, 400, 500, 1000]
actions = ["d dh p1 7s4s", "d dh p2 JsJh", "d dh p3 TdTc", "d dh p4 6d5h",\
 "p3 cbr 500", "p4 f", "p1 f", "p2 cc", "p3 sm TdTc", "p2 sm JsJh",\
 "d db 2c2d3h", "d db 9s", "d db Kd"]
"""
STRADDLE = """\
variant = "NT"
antes = [0, 0, 0, 0]
blinds_or_straddles = [5, 10, 20, 0]
min_bet = 10
starting_stacks = [300, 300, 300, 300]
actions = ["d dh p1 7s4s", "d dh p2 JsJh", "d dh p3 TdTc", "d dh p4 6d5h",\
 "p4 f", "p1 cc", "p2 cc", "p3 cbr 60", "p1 f", "p2 f"]
"""


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("text", "stacks"),
    [
        # 280 of the big blind's 400 remain for the bet, and the raiser gets 220 back
        (BIG_BLIND_ANTE, (660, 280 + 280 + 40 + 120, 220, 1000)),
        (STRADDLE, (280, 280, 340, 300)),
    ],
)
def test_antes_of_the_big_blind_and_straddles_are_played(text, stacks):
    (hand,) = read(text)
    *_, last = play_hand(hand)
    assert last.table["stack"][:4].tolist() == list(stacks)
    if text == STRADDLE:
        *_, state = iter(pytest.importorskip("pokerkit.notation").HandHistory.loads(text))
        assert list(state.stacks) == list(stacks)
    (again,) = read(write_hands([hand]))
    assert again.posted == hand.posted
    assert again.dead == hand.dead
    assert again.actions == hand.actions


def test_logs_of_the_competition_are_read():
    text = """\
# name/game/hands/seed match holdem.nolimit.2p.reverse_blinds.game 2 0
#--t_response 600000
STATE:0:r200c/cr400c/cr850f:9hQc|5dQd/4h4c6c/4s:-400|400:ann|bob # 1479132064.35509
STATE:1:cr20000c///:AsAd|KsKd/2c3d4h/7c/8d:20000|-20000:bob|ann
STATE:2:r
STATE:3:f:9hQc|5dQd:50|-50:ann|bob
"""
    first, second, cut, last = read(text)
    assert first.players == ("ann", "bob")
    assert first.number == 1
    assert first.finishing_stacks == (19_600, 20_400)
    assert second.finishing_stacks == (40_000, 0)
    assert isinstance(cut, HandHistoryError)
    assert cut.line == 5
    assert last.finishing_stacks == (20_050, 19_950)


def test_a_log_without_a_game_needs_one():
    line = "STATE:7:r200fffff:AsAd|KsKd|2c2d|3c3d|4c4d|5c5d:-50|-100|150|0|0|0:a|b|c|d|e|f\n"
    (error,) = read(line)
    assert "stacks and blinds are not known" in error.reason
    (hand,) = read(line, game=nlhe_env.Game.cash(starting_stack=10_000, blinds=(50, 100)))
    assert hand.finishing_stacks[:3] == (9950, 9900, 10_150)


def test_a_match_with_stacks_and_halves_is_read():
    line = "STATE:1:20150|19850:300|150:r750c/cc/r1500f:8sQd|Ks7h/2d3d4d/6d:750|-750:ann|bob\n"
    (hand,) = read(line)
    assert (hand.stacks, hand.big_blind) == ((20_150, 19_850), 300)
    assert isinstance(read(line.replace("750|-750", "740|-740"))[0], HandHistoryError)
    halves = "STATE:0:r201fc/cc/cc/cc:2c3d|KsQs|KdQd/AhKhQh/7c/8c:-51|25.5|25.5:a|b|c\n"
    game = nlhe_env.Game.cash(starting_stack=1000, blinds=(51, 100))
    (hand,) = read(halves, game=game)
    assert hand.unit == 100
    assert hand.finishing_stacks == (94_900, 102_550, 102_550)


def test_files_are_streamed():
    endless = itertools.chain.from_iterable(
        MUCKED.replace("[1]", f"[{i}]").splitlines(keepends=True) for i in itertools.count()
    )
    assert len(list(itertools.islice(stream_hands(endless), 5))) == 5


def test_files_and_folders_are_one_stream(tmp_path):
    folder = tmp_path / "hands"
    folder.mkdir()
    for name in ("b.phh", "a.phh"):
        (folder / name).write_text(MUCKED)
    (folder / "notes.md").write_text("no hands")
    bad = tmp_path / "bad.phhs"
    bad.write_text(MUCKED.replace("variant = 'NT'", "variant = 'PO'"))
    first, second, error = stream_files([folder, bad])
    assert first == second == next(stream_hands(bad.parent / "hands" / "a.phh"))
    assert error.reason.startswith("only Texas Hold'em can be read")
    assert error.reason.endswith(f"({bad})")
    (alone,) = stream_files([bad])
    assert str(bad) not in alone.reason


def test_impossible_hands_are_reported_with_their_file(tmp_path):
    paths = [tmp_path / name for name in ("a.log", "b.log")]
    for path in paths:
        path.write_text(
            "# a/holdem.limit.2p.reverse_blinds.5-10/3/1\nSTATE:0:rr:AcKc|7h6h:0|0:A|B\n"
        )
    errors = [(error.line, error.reason) for error in stream_files(paths)]
    assert errors == [(2, f"the hand is incomplete ({path})") for path in paths]


def test_formats_are_detected(tmp_path):
    with pytest.raises(ValueError, match="not a hand history"):
        read("Dear diary,\n")
    with pytest.raises(ValueError, match="format must be one of"):
        read(MUCKED, format="csv")
    path = tmp_path / "hands.phhs"
    path.write_text(MUCKED)
    assert [type(hand) for hand in stream_hands(path)] == [Hand]
    path.write_text(MUCKED, encoding="utf-16")
    assert [type(hand) for hand in stream_hands(str(path), format="phh")] == [Hand]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_an_encoding_is_decided_from_the_whole_file(encoding, tmp_path):
    path = tmp_path / "hands.phhs"
    first, last = play_at_random(2, {})
    last = replace(last, players=("ann", "bob", "cid", "Zoë"))
    text = write_hands([first]) + f"# {'-' * 60}\n" * 2000 + write_hands([last])
    path.write_text(text, encoding=encoding)
    assert list(stream_hands(path)) == [first, last]


@pytest.mark.parametrize(
    "options",
    [
        {"blinds": nlhe_env.BlindSchedule(((10, 20, 20),), 1, ante_by="big blind")},
        {"blinds": (10, 20, 5), "straddle": "under the gun"},
        {"straddle": "button", "rake": nlhe_env.Rake(share=0.05, cap=30)},
        {"boards": 2},
    ],
    ids=["ante of the big blind", "straddle", "rake", "two boards"],
)
def test_hands_of_games_with_options_round_trip(options):
    played = play_at_random(25, {"blinds": (10, 20), **options})
    again = read(write_hands(played))
    assert again == played
    for hand in played:
        *_, last = play_hand(hand)
        for chips, ours in zip(hand.finishing_stacks, last.table["stack"].tolist(), strict=False):
            assert abs(chips - ours) <= hand.rake + 2


def test_hands_that_cannot_be_written_do_not_stop_the_others(tmp_path, capsys):
    played = play_at_random(25, {"blinds": (10, 20), "boards": 2})
    twice = sum(bool(hand.second_board) for hand in played)
    assert 0 < twice < 25
    recorded, text = tmp_path / "hands.phhs", tmp_path / "hands.txt"
    recorded.write_text(write_hands(played))
    assert main(["hands", str(recorded), "--out", str(text)]) == 0
    assert text.read_text().count("PokerStars Hand #") == 25 - twice
    said = capsys.readouterr().out
    assert f"25 hands, {25 - twice} read" in said
    assert f"{twice}  a hand with two boards cannot be written" in said


def test_names_of_files_are_printed_without_control_characters(tmp_path, capsys):
    file = tmp_path / "\x1b[2J.txt"
    file.write_text("PokerStars Hand #1: none\n")
    assert main(["hands", str(tmp_path)]) == 0
    assert " [2J.txt" in capsys.readouterr().out


def test_output_into_a_file_that_is_read_is_refused(tmp_path, capsys):
    recorded, added = tmp_path / "hands.phhs", tmp_path / "added.phhs"
    recorded.write_text(write_hands(play_at_random(2, {})))
    before = recorded.read_text()
    (tmp_path / "link.phhs").symlink_to(recorded)
    (tmp_path / "other.phhs").hardlink_to(recorded)
    for out in ("hands.phhs", "link.phhs", "other.phhs"):
        assert main(["hands", str(recorded), "--out", str(tmp_path / out)]) == 2
        assert "--out must not be one of the files that are read" in capsys.readouterr().err
    assert main(["hands", str(recorded), str(added), "--out", str(added)]) == 2  # a new file
    assert recorded.read_text() == before
    (tmp_path / "link.phhs").unlink()
    (tmp_path / "other.phhs").unlink()
    # A file that begins in the folder is not one of its files.
    assert main(["hands", str(recorded), str(tmp_path), "--out", str(added)]) == 0
    assert "4 hands, 4 read" in capsys.readouterr().out
    assert main(["hands", str(tmp_path), "--out", str(added)]) == 2


def play_at_random(n_hands, options):
    env = nlhe_env.raw_env(4, mode="cash", actions="chips", starting_stack=400, **options)
    generator = random.Random(1)
    hands = []
    for seed in range(n_hands):
        env.reset(seed=seed)
        hands.append(hand_of(env.tables[0], random_events(env, generator), list("abcd")))
    return hands


def test_a_message_does_not_quote_a_long_line_in_full():
    text = write_hands(play_at_random(1, {}))
    start = text.index('"d dh p1 ') + len('"d dh p1 ')
    with pytest.raises(HandHistoryError, match=r"\$ \.\.\. \$.* suit of cdhs") as caught:
        read_hands(f"{text[:start]}{'$' * 100_000}{text[start:]}")
    assert len(str(caught.value)) < 500
