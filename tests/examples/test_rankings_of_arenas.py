"""Converters of public arenas' hands and bots, on hands of our own in their formats."""

import importlib
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

import agents
import nlhe_env
from nlhe_env.hand_history import HandHistoryError, stream_hands

FOLDER = Path(__file__).parents[2] / "examples/rankings"


@pytest.fixture
def convert(tmp_path, monkeypatch):
    """Hands of a source, converted by the module of this name as its command does."""
    monkeypatch.syspath_prepend(str(FOLDER))

    def read(name, source):
        target = tmp_path / "hands.phhs"
        monkeypatch.setattr(sys, "argv", [name, str(source), str(target)])
        module = importlib.import_module(name)
        importlib.import_module("phh_text").main(module.convert)
        hands = list(stream_hands(target))
        assert not [hand for hand in hands if isinstance(hand, HandHistoryError)]
        return hands

    return read


# --- pokerbench -----------------------------------------------------------------------------------


def street(*cards):
    return {"type": "street_event", "street": "", "cards": [f"CARD ({card})" for card in cards]}


def step(player, action, amount=0):
    return {"type": "player_action", "player": player, "action": action, "amount": amount}


def pokerbench_hand(stacks, hole_cards, actions, gains):
    return {
        "hand_number": 7,
        "dealer": next(iter(stacks)),
        "pre_hand_stacks": stacks,
        "hole_cards": {
            name: [f"CARD ({text[i : i + 2]})" for i in (0, 2)] for name, text in hole_cards.items()
        },
        "actions": [street(), *actions],
        "results": [{"player": name, "net_gain": gain} for name, gain in gains.items()],
    }


def test_pokerbench(convert, tmp_path):
    three = pokerbench_hand(
        {"Ann": 900, "Bob": 1100, "Cy": 400},  # the button is first
        {"Ann": "AsAd", "Bob": "7c2h", "Cy": "KsKd"},
        [
            *(step("Ann", "raise", 300), step("Bob", "fold"), step("Cy", "raise", 400)),
            step("Ann", "call", 400),
            street("2c", "3d", "9h", "Jh", "4s"),
        ],
        {"Bob": -50, "Cy": -400, "Ann": 450},
    )
    two = pokerbench_hand(
        {"Ann": 1350, "Bob": 1050},
        {"Ann": "QsQd", "Bob": "7c2h"},
        [
            *(step("Ann", "call", 100), step("Bob", "check")),
            *(street("2c", "3d", "9h"), step("Bob", "bet", 100), step("Ann", "raise", 250)),
            step("Bob", "fold"),
        ],
        {"Ann": 200, "Bob": -200},
    )
    game = {"game_id": "0a1b", "hands": [three, two]}
    (tmp_path / "games").mkdir()
    (tmp_path / "games/game_0a1b.json").write_text(json.dumps(game))
    first, second = convert("pokerbench", tmp_path)
    assert first.players == ("Bob", "Cy", "Ann")
    assert first.posted == (50, 100, 0)
    assert first.hole_cards == ("7c2h", "KsKd", "AsAd")
    assert first.finishing_stacks == (1050, 0, 1350)
    assert first.board == "2c3d9hJh4s"
    assert (first.number, first.event) == (7, "0a1b")
    assert second.players == ("Bob", "Ann")
    assert second.posted == (100, 50)
    assert [(a.position, a.kind, a.to) for a in second.actions] == [
        *((1, "cc", 0), (0, "cc", 0), (0, "cbr", 100), (1, "cbr", 250), (0, "f", 0))
    ]


# --- llm-poker-arena ------------------------------------------------------------------------------


def test_llm_poker_arena(convert, tmp_path):
    steps = [
        *(("preflop", 0, "raise_to", 300), ("preflop", 1, "fold", None)),
        *(("preflop", 2, "call", None), ("flop", 2, "check", None), ("flop", 0, "bet", 400)),
        *(("flop", 2, "all_in", None), ("flop", 0, "all_in", None)),  # a raise, and a call
    ]
    hand = {
        "hand_id": 3,
        "button_seat": 0,
        "starting_stacks": {"0": 900, "1": 1000, "2": 1000},
        "hole_cards": {"0": ["As", "Ad"], "1": ["7c", "2h"], "2": ["Ks", "Kd"]},
        "community": ["2c", "3d", "9h", "Jh", "4s"],
        "actions": [
            {"street": street, "seat": seat, "action_type": action, "amount": amount}
            for street, seat, action, amount in steps
        ],
        "result": {"net_pnl": {"0": 950, "1": -50, "2": -900}},
    }
    meta = {
        "session_config": {"sb": 50, "bb": 100},
        "seat_assignment": {str(seat): f"model {seat}" for seat in range(3)},
    }
    (tmp_path / "meta.json").write_text(json.dumps(meta))
    (tmp_path / "canonical_private.jsonl").write_text(json.dumps(hand) + "\n")
    (read,) = convert("llm_poker_arena", tmp_path)
    assert read.players == ("model 1", "model 2", "model 0")
    assert [(a.position, a.kind, a.to) for a in read.actions] == [
        *((2, "cbr", 300), (0, "f", 0), (1, "cc", 0), (1, "cc", 0), (2, "cbr", 400)),
        *((1, "cbr", 700), (2, "cc", 0)),
    ]
    assert read.finishing_stacks == (950, 100, 1850)
    assert read.event == f"{tmp_path.name} 3"


# --- LivePokerBench -------------------------------------------------------------------------------


def live_hand(number, stacks, button, hole_cards, board, actions):
    return {
        "hand_number": number,
        "button_seat": button,
        "blinds": {"small": 1, "big": 2},
        "players": [
            {"seat": seat, "name": f"model {seat}", "stack_start": chips}
            for seat, chips in stacks.items()
        ],
        "hole_cards": {seat: [text[:2], text[2:]] for seat, text in hole_cards.items()},
        "community_cards": board,
        "actions": [
            {"street": where, "seat": seat, "action": action, "amount": amount}
            for where, seat, action, amount in actions
        ],
    }


def test_live_poker_bench(convert, tmp_path):
    first = live_hand(
        1,
        {1: 50, 2: 200, 3: 200},
        2,
        {"1": "AsKs", "2": "9c9d", "3": "5h4h"},
        ["9s", "2d", "2c", "Jd", "7h"],
        [
            *(("preflop", 2, "raise", 6), ("preflop", 3, "fold", 0), ("preflop", 1, "call", 4)),
            *(("flop", 1, "bet", 44), ("flop", 2, "call", 44)),
        ],
    )
    # Player 1 is out, and stays in the list of players without cards.
    second = live_hand(
        2,
        {1: 44, 2: 251, 3: 199},
        3,
        {"2": "Tc8c", "3": "6s6d"},
        [],
        [("preflop", 3, "raise", 6), ("preflop", 2, "fold", 0)],
    )
    folder = tmp_path / "data/tournament_001/hands"
    folder.mkdir(parents=True)
    for number, record in enumerate((first, second), 1):
        (folder / f"hand_{number:03}.json").write_text(json.dumps(record))
    one, two = convert("live_poker_bench", tmp_path / "data")
    assert one.players == ("model 3", "model 1", "model 2")
    assert one.finishing_stacks == (199, 0, 251)
    assert one.hole_cards == ("5h4h", "AsKs", "9c9d")
    assert one.board == "9s2d2cJd7h"
    assert two.players == ("model 2", "model 3")
    assert two.posted == (2, 1)
    assert two.finishing_stacks is None
    assert two.event == "tournament_001"


# --- PokerLLM -------------------------------------------------------------------------------------


def llm_step(player, action, amount, stack, bet, board=()):
    state = {"community_cards": list(board), "player_stack": stack, "player_current_bet": bet}
    return {"player": player, "action": action, "amount": amount, "game_state": state}


def test_poker_llm(convert, tmp_path):
    flop = ["5♥", "9♠", "10♦"]
    actions = [
        llm_step("beta", "raise", 300, 10_049.5, 50),
        llm_step("alpha", "call", 200, 9800.5, 100),
        llm_step("alpha", "bet", 400, 9600.5, 0, flop),
        llm_step("beta", "fold", 0, 9799.5, 0, flop),
    ]
    row = {
        "session_id": 12,
        "hand_number": 2,
        "llm1_name": "alpha",
        "llm2_name": "beta",
        "llm1_hole_cards": '["10♠", "Q♦"]',
        "llm2_hole_cards": '["J♣", "6♠"]',
        "community_cards": json.dumps(flop),
        "actions": json.dumps(actions),
        "llm1_winnings": 300.0,
        "llm2_winnings": -300.0,
    }
    with closing(sqlite3.connect(tmp_path / "results.db")) as database:
        database.execute(f"CREATE TABLE hand_logs ({', '.join(row)})")
        database.execute(
            f"INSERT INTO hand_logs VALUES ({', '.join('?' * len(row))})", list(row.values())
        )
        database.commit()
    (hand,) = convert("poker_llm", tmp_path / "results.db")
    assert hand.players == ("alpha", "beta")
    assert hand.posted == (100 * hand.unit, 50 * hand.unit)
    assert hand.stacks == tuple(int(x * hand.unit) for x in (9900.5, 10_099.5))
    assert hand.finishing_stacks == tuple(int(x * hand.unit) for x in (10_200.5, 9799.5))
    assert hand.hole_cards == ("TsQd", "Jc6s")
    assert hand.board == "5h9sTd"
    assert (hand.event, hand.number) == ("12", 2)


# --- Husky Hold'em --------------------------------------------------------------------------------

BOT = """
from bot import Bot
from type.poker_action import PokerAction
from type.round_state import RoundStateClient

class SimplePlayer(Bot):
    def on_start(self, starting_chips, player_hands, blind_amount, big, small, all_players):
        assert self.id in all_players and blind_amount == 20 and big != small
        self.cards, self.rounds = player_hands, []

    def on_round_start(self, round_state, remaining_chips):
        self.rounds.append(round_state.round)

    def get_action(self, round_state, remaining_chips):
        assert round_state.max_raise == remaining_chips and self.rounds
        own = round_state.player_bets[str(self.id)]
        if self.cards[0][0] == self.cards[1][0]:
            return PokerAction.ALL_IN, 0
        if round_state.round == "Flop" and round_state.min_raise:
            return PokerAction.RAISE, round_state.min_raise
        if round_state.round == "River":
            raise RuntimeError
        return PokerAction.CALL if round_state.current_bet > own else PokerAction.CHECK, 0
"""


def test_a_bot_of_husky_plays(monkeypatch, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model/player.py").write_text(BOT)
    husky = importlib.import_module("importlib.util")
    spec = husky.spec_from_file_location("husky_bot", FOLDER / "husky_bot.py")
    module = husky.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("bot", "type", "type.poker_action", "type.round_state"):
        monkeypatch.setitem(sys.modules, name, None)
    bots = [module.HuskyBot(str(tmp_path / "model/player.py")) for _ in range(2)]
    game = nlhe_env.Game.cash(num_hands=40, blinds=(10, 20))
    for lineup in ([*bots, "caller"], [bots[0], "pot-odds"]):
        agents.play(lineup, agents.Tournaments(2), game, seed=3)
    assert bots[0].name == "model"
    assert bots[0].decisions > 100
    assert 0 < bots[0].failures < bots[0].decisions / 4
    assert bots[0].illegal == 0
