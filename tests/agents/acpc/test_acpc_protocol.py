"""Lines of the ACPC protocol, and tables written as its match states."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agents
import nlhe_env
from agents.acpc import (
    Dealer,
    FinishedHand,
    MatchReplay,
    MatchState,
    ProtocolAction,
    ProtocolError,
    competition_game,
    parse_finished_hand,
    parse_match_state,
)
from agents.acpc.dealer import match_state
from agents.acpc.protocol import parse_action, parse_betting
from agents.acpc.table import Table
from nlhe_env import Game, Rake
from nlhe_env.cards import CARD_NAMES
from nlhe_env.errors import IllegalActionError

FOLD, CALL = ProtocolAction("f"), ProtocolAction("c")


# --- strings --------------------------------------------------------------------------------------

ACTIONS = st.one_of(
    st.sampled_from([FOLD, CALL, ProtocolAction("r")]),
    st.integers(0, 10**15 - 1).map(lambda total: ProtocolAction("r", total)),
)
STREETS = st.lists(st.lists(ACTIONS, max_size=6).map(tuple), min_size=1, max_size=4).map(tuple)
NAMES = st.text("abcXYZ019_.-", min_size=1, max_size=8)


def written(streets: tuple[tuple[ProtocolAction, ...], ...]) -> str:
    return "/".join("".join(map(str, street)) for street in streets)


@st.composite
def dealt(draw: Any) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Betting, hole cards (some unknown) and board that fit together."""
    streets = draw(STREETS)
    players = draw(st.integers(2, 10))
    deck = draw(st.permutations(CARD_NAMES))
    known = draw(st.lists(st.booleans(), min_size=players, max_size=players))
    holes = tuple("".join(deck[2 * i : 2 * i + 2]) if known[i] else "" for i in range(players))
    board = ("".join(deck[20:23]), deck[23], deck[24])[: len(streets) - 1]
    return written(streets), holes, board


@given(STREETS)
def test_betting_round_trip(streets: tuple[tuple[ProtocolAction, ...], ...]) -> None:
    assert parse_betting(written(streets)) == streets


@given(dealt(), st.integers(0, 10**15 - 1), st.data())
def test_match_state_round_trip(
    cards: tuple[str, tuple[str, ...], tuple[str, ...]], hand: int, data: st.DataObject
) -> None:
    betting, holes, board = cards
    known = [position for position, hole in enumerate(holes) if hole]
    if known:
        state = MatchState(data.draw(st.sampled_from(known)), hand, betting, holes, board)
        assert parse_match_state(str(state)) == state
        assert parse_match_state(f"{state}\r\n") == state


@given(dealt(), st.integers(0, 10**6), st.data())
def test_finished_hand_round_trip(
    cards: tuple[str, tuple[str, ...], tuple[str, ...]], hand: int, data: st.DataObject
) -> None:
    betting, holes, board = cards
    n = len(holes)
    chips = st.integers(-(10**9), 10**9) | st.integers(-(10**6), 10**6).map(lambda n: n / 8)
    net = tuple(data.draw(st.lists(chips, min_size=n, max_size=n)))
    names = tuple(data.draw(st.lists(NAMES, min_size=n, max_size=n)))
    line = FinishedHand(hand, betting, holes, board, net, names)
    assert parse_finished_hand(str(line)) == line


@given(st.text("MATCHSE:0129fcr/|AsKd\r #", max_size=60))
def test_any_text_is_a_match_state_or_a_protocol_error(text: str) -> None:
    for line in (text, "MATCHSTATE:" + text, "MATCHSTATE:0:1:" + text):
        try:
            state = parse_match_state(line)
        except ProtocolError:
            continue  # and no other error
        assert str(state) == line.strip()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "must have the form MATCHSTATE:position:hand:betting:cards"),
        ("MATCHSTATE:0:1:c", "must have the form"),
        ("MATCHSTATE:x:1:c:AsKd|", "position must be a whole number"),
        ("MATCHSTATE:0:-1:c:AsKd|", "hand number must be a whole number"),
        ("MATCHSTATE:2:1:c:AsKd|", "position must be in 0 .. 1"),
        ("MATCHSTATE:1:1:c:AsKd|", "cards of position 1 are missing"),
        ("MATCHSTATE:0:1:cx:AsKd|", "got 'x' in 'cx'"),
        ("MATCHSTATE:0:1:c5:AsKd|", "betting must consist of"),
        ("MATCHSTATE:0:1:cc//c/c/c:AsKd|", "at most 4 streets"),
        ("MATCHSTATE:0:1:cc/:AsKd|", "street 2 needs 1 groups"),
        ("MATCHSTATE:0:1:c:AsKd|/2c3c4c", "street 1 needs 0 groups"),
        ("MATCHSTATE:0:1:cc/:AsKd|/2c3c", "flop, turn and river must be 3, 1 and 1"),
        ("MATCHSTATE:0:1:c:AsKd|As2c", "card As is given twice"),
        ("MATCHSTATE:0:1:c:AsKx|", "is not a card"),
        ("MATCHSTATE:0:1:c:AsKd2c|", "hole cards must be two"),
        ("MATCHSTATE:0:1:c:AsKd", "cards for 2 to 10 players"),
    ],
)
def test_malformed_lines_are_reported_exactly(line: str, message: str) -> None:
    with pytest.raises(ProtocolError, match=re.escape(message)):
        parse_match_state(line)


# --- the table ------------------------------------------------------------------------------------


def played(table: Table, actions: str) -> None:
    for action in re.findall("[fc]|r[0-9]*", actions):
        table.act(parse_action(action))


def test_heads_up_the_button_is_in_the_last_position_and_acts_first() -> None:
    table = Table(competition_game(), seed=1)
    assert (table.actor, table.position_of(1)) == (1, 1)
    assert str(match_state(table, 0)) == f"MATCHSTATE:0:0::{table.hole_cards(0)}|"
    played(table, "c")
    assert table.actor == 0
    played(table, "c")
    assert (table.betting, table.actor) == ("cc/", 0)  # the big blind acts first after the flop
    played(table, "r200f")  # 100 before the flop and 100 on it
    assert table.net == (100, -100)
    table.next_hand()
    assert [table.position_of(seat) for seat in range(2)] == [1, 0]
    assert table.actor == 0


def test_with_three_players_the_small_blind_is_in_position_0() -> None:
    table = Table(competition_game(), 3, seed=1, first_hand=4)
    assert [table.seat_at(position) for position in range(3)] == [1, 2, 0]
    assert table.actor == 0  # the button, after both blinds
    played(table, "ff")
    assert table.net == (0, -50, 50)


def test_raises_count_all_chips_of_the_hand() -> None:
    table = Table(competition_game(), seed=1)
    played(table, "r300c")
    with pytest.raises(IllegalActionError):
        table.act(ProtocolAction("r", 399))  # 99 on the flop, less than the big blind
    played(table, "r400r600c")
    assert table.betting == "r300c/r400r600c/"
    assert [int(chips) for chips in table.env.table["hand_bet"][:2]] == [600, 600]


def test_after_an_all_in_the_board_is_run_out_and_cards_are_shown() -> None:
    table = Table(competition_game(), seed=1)
    played(table, "r20000c")
    state = match_state(table, 0)
    assert state.betting == "r20000c///"
    assert [len(cards) // 2 for cards in state.board] == [3, 1, 1]
    assert all(state.hole_cards)
    assert table.net is not None
    assert sorted(map(abs, table.net)) == [20000, 20000]


def test_folded_cards_are_not_shown() -> None:
    table = Table(competition_game(), 3, seed=1)
    played(table, "ccc" + "r200fc" + "cc" + "cc")  # position 1 folds on the flop
    seats = [table.seat_at(position) for position in range(3)]
    assert [bool(hole) for hole in match_state(table, seats[0]).hole_cards] == [True, False, True]
    assert [bool(hole) for hole in match_state(table, seats[1]).hole_cards] == [True, True, True]


def test_a_bet_of_the_last_chip() -> None:
    table = Table(competition_game(), seed=1)
    played(table, "r19999cr20000")
    assert table.betting == "r19999c/r20000"
    assert table.env.infos[table.env.agent_selection]["to_call"] == 1
    played(table, "c")
    assert table.betting == "r19999c/r20000c//"
    assert table.net is not None
    assert max(table.net) in (0, 20000)


@pytest.mark.parametrize(
    ("game", "before", "wish", "becomes"),
    [
        (competition_game(), "", "r120", "r200"),
        (competition_game(), "", "r99999", "r20000"),
        (competition_game(), "", "r700", "r700"),
        (competition_game(), "", "r", "c"),
        (competition_game(), "r20000", "r20000", "c"),
        (competition_game(), "r20000", "f", "f"),
        (competition_game(), "c", "f", "c"),
        (competition_game(), "r300c", "r1", "r400"),
        (competition_game(betting="fixed-limit"), "", "r", "r"),
        (competition_game(betting="fixed-limit"), "", "r77", "r"),
        (competition_game(betting="fixed-limit"), "rrr", "r", "c"),
    ],
)
def test_illegal_actions_are_corrected_as_in_the_competition(
    game: nlhe_env.Game, before: str, wish: str, becomes: str
) -> None:
    table = Table(game, seed=1)
    played(table, before)
    assert str(table.nearest_legal(parse_action(wish))) == becomes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"blinds": (0, 100)}, "small blind of at least 1"),
        ({"starting_stack": 100}, "must be more than big blind and ante"),
        ({"blinds": (200, 100)}, "0 <= small blind <= big blind"),
        ({"betting": "fixed-limit", "starting_stack": 2399}, "at least 24 big blinds"),
        ({"betting": "limit"}, "betting must be one of"),
    ],
)
def test_invalid_games_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        competition_game(**arguments)


@pytest.mark.parametrize(
    ("game", "found"),
    [
        (Game.cash(blinds=(50, 100, 10)), "has an ante$"),
        (Game.cash(straddle="button", boards=2), r"has a straddle and two boards \(boards=2\)$"),
        (Game.cash(rake=Rake(share=0.05)), "has rake$"),
    ],
)
def test_games_that_the_protocol_cannot_express_are_refused(game: Game, found: str) -> None:
    with pytest.raises(ValueError, match=found):
        MatchReplay(agents.make("caller"), game)
    with pytest.raises(ValueError, match=found):
        Dealer(game, 1, [agents.make("caller")] * 2)
