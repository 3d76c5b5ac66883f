"""The customs of a game at home: clock, automatic actions, sitting out, chat, carried stacks."""

from __future__ import annotations

import numpy as np
import pytest
from web_tables import at_table, cards_in, chips_in, look, new_game, text_of_hands, until

import agents
from agents.web.table.game import FAILED, GAME_OVER, HAND_OVER, HUMAN_TO_ACT, LiveGame
from agents.web.table.participants import Refused
from agents.web.table.setup import GameSetup
from agents.web.table.table_services import CALL_ANY, CHECK_OR_FOLD, AutoActions, Chat, Clock
from nlhe_env.hand_history import read_hands

# --- the clock ------------------------------------------------------------------------------------


def test_overtime_is_taken_from_the_seats_time_bank():
    clock = Clock(10, 30)
    clock.update((0, 1), 100.0)
    assert clock.left(100.0) == 40
    assert clock.left(112.0) == 28
    clock.update(None, 112.0)
    assert clock.left(113.0) is None
    clock.update((0, 5), 200.0)
    assert clock.left(200.0) == 38  # two seconds were overdrawn
    clock.update((1, 6), 205.0)  # in time
    assert clock.left(205.0) == 40
    clock.update((0, 7), 206.0)
    assert clock.left(206.0) == 38
    assert clock.left(500.0) == 0
    clock.update(None, 500.0)
    assert clock.bank(0) == 0
    clock.begin_game()
    assert clock.bank(0) == 30
    clock = Clock(10, 0)
    clock.update((0, 1), 0.0)
    clock.update((0, 1), 7.0)  # the same decision
    assert clock.view(7.0) == {"seat": 0, "left": 3, "bank": 0}


# --- automatic actions ---------------------------------------------------------------------------


def test_an_automatic_action_holds_for_one_turn_of_one_hand():
    auto_actions = AutoActions()
    auto_actions.choose(0, 3, CALL_ANY)
    assert auto_actions.acts_at_once(0, 3)
    assert not auto_actions.acts_at_once(0, 4)
    assert auto_actions.take(0, 3) == CALL_ANY
    assert not auto_actions.acts_at_once(0, 3)
    auto_actions.choose(0, 3, CALL_ANY)
    auto_actions.choose(0, 3, None)
    assert auto_actions.take(0, 3) == CHECK_OR_FOLD


@pytest.mark.parametrize(
    ("choice", "done"), [(CALL_ANY, {"call", "check"}), (CHECK_OR_FOLD, {"fold", "check"})]
)
def test_advance_actions_are_taken_at_the_turn(choice, done):
    async def play(table):
        table.sit("creator", "Ann")
        line = await look(table, "creator")
        # The raiser is heads-up on the button of some hand, and Ann chooses before its raise.
        await table.handle(line, {"type": "auto action", "action": choice})
        await table.handle(line, {"type": "pace", "pace": "max"})
        await until(table, lambda state: any(e["seat"] == 0 for e in state.snapshot.history))
        own = [event for event in table.state.snapshot.history if event["seat"] == 0]
        assert own[0]["action"] in done
        with pytest.raises(Refused, match="check or fold or call any"):
            await table.handle(line, {"type": "auto action", "action": "raise"})

    at_table(play, "human", "raiser")


def test_who_has_chosen_an_automatic_action_is_not_asked():
    async def play(table):
        table.sit("creator", "Ann")
        line = await look(table, "creator")
        await until(table, lambda state: state.phase == HUMAN_TO_ACT)
        auto_actions, hand = table._services._auto_actions, table.state.snapshot.table["hand"]
        assert "options" in table.view("creator")
        auto_actions.sit_out(0, True)
        assert "options" not in table.view("creator")
        auto_actions.sit_out(0, False)
        auto_actions.choose(0, hand, "call any")
        assert "options" not in table.view("creator")
        auto_actions.choose(0, hand - 1, "call any")
        assert "options" in table.view("creator")
        auto_actions.sit_out(0, True)  # until she acts herself
        await table.handle(line, {"type": "act", "turn": table.state.turn, "action": "call"})
        assert table.view("creator")["services"]["sits_out"] == []

    at_table(play, "human", "caller", seed=4)


async def two_people(table):
    """Connections of Ann and Bob, by seat."""
    lines = []
    for session, name in (("creator", "Ann"), ("guest", "Bob")):
        table.sit(session, name)
        lines.append(await look(table, session))
    return lines


async def fold(table, lines):
    """The person to act folds."""
    act = {"type": "act", "turn": table.state.turn, "action": "fold"}
    await table.handle(lines[int(table.state.snapshot.table["actor"])], act)


def test_an_action_chosen_in_a_game_does_not_act_in_the_next_one():
    async def play(table):
        lines = await two_people(table)
        await fold(table, lines)
        assert table.state.phase == GAME_OVER
        await table.handle(lines[0], {"type": "auto action", "action": CALL_ANY})
        assert table.view("creator")["services"]["auto_action"] == CALL_ANY
        await table.handle(lines[0], {"type": "new game"})
        assert table.view("creator")["services"]["auto_action"] is None
        assert table._services.decides_manually(0, int(table.state.snapshot.table["hand"]))

    at_table(play, "human", "human", mode="cash", num_hands=1)


def test_the_next_person_in_a_seat_does_not_sit_out_for_the_last_one():
    async def play(table):
        lines = await two_people(table)
        await table.handle(lines[1], {"type": "sit out", "on": True})
        await table.handle(lines[1], {"type": "auto action", "action": CHECK_OR_FOLD})
        await table.handle(lines[1], {"type": "leave"})
        assert table.sit("third", "Dan") == 1
        services = table.view("third")["services"]
        assert services["sits_out"] == []
        assert services["auto_action"] is None

    at_table(play, "human", "human", "caller", mode="cash")


def test_cards_are_shown_on_request_after_a_hand_without_a_showdown():
    async def play(table):
        lines = []
        for session in ("creator", "guest"):
            table.sit(session, session)
            lines.append(await look(table, session))
        actor = int(table.state.snapshot.table["actor"])
        with pytest.raises(Refused, match="without a showdown"):
            await table.handle(lines[actor], {"type": "show"})
        act = {"type": "act", "turn": table.state.turn, "action": "fold"}
        await table.handle(lines[actor], act)
        own = cards_in(table.view("creator"))
        assert len(own) == 2
        assert cards_in(table.view("watcher")) == set()
        assert table.view("creator")["services"]["can_show"]
        await table.handle(lines[0], {"type": "show"})
        assert cards_in(table.view("watcher")) == own
        (hand,) = read_hands(text_of_hands(table, "watcher"))  # as the page shows it
        assert [len(cards) > 0 for cards in hand.hole_cards] == [seat == 0 for seat in hand.seats]
        assert not table.view("creator")["services"]["can_show"]

    at_table(play, "human", "human")


# --- chat -----------------------------------------------------------------------------------------


def test_chat_lines_are_cleaned_counted_and_limited():
    chat = Chat()
    assert chat.say(0, "Ann", "  good \n hand\x07 ", 0.0)["text"] == "good hand"
    for text in (None, 5, "", " ", "x" * 201):
        with pytest.raises(Refused, match="1 to 200"):
            chat.say(0, "Ann", text, 0.0)
    for _ in range(4):
        chat.say(0, "Ann", "again", 1.0)
    with pytest.raises(Refused, match="wait a moment"):
        chat.say(0, "Ann", "again", 9.0)
    chat.say(1, "Bob", "me too", 9.0)
    assert chat.say(0, "Ann", "later", 10.5)["number"] == 7


def test_all_viewers_receive_the_chat_and_later_ones_read_it():
    async def play(table):
        table.sit("creator", "Ann")
        ann, watcher = await look(table, "creator"), await look(table, "watcher")
        await table.handle(ann, {"type": "chat", "text": "hello"})
        received = [m for m in watcher.messages if m["type"] == "chat" and m["lines"]]
        assert received[-1]["lines"] == [{"number": 1, "name": "Ann", "text": "hello"}]
        with pytest.raises(Refused, match="not seated"):
            await table.handle(watcher, {"type": "chat", "text": "hello"})
        late = await look(table, "late")
        assert late.messages[0]["lines"][0]["text"] == "hello"

    at_table(play, "human", "caller")


# --- stacks ---------------------------------------------------------------------------------------


def all_in(game):
    """Play a hand in which the person raises all he can; its stacks at the start and the end."""
    start = game.snapshot.table["starting_stack"][: len(game.names)].tolist()
    while game.phase != HAND_OVER:
        if game.phase == HUMAN_TO_ACT:
            most = game.state().options["max_raise_to"]
            game.act(game.actor, game.turn, "raise" if most else "call", most)
        else:
            game.advance()
    return start, game.snapshot.table["stack"][: len(game.names)].tolist()


def test_stacks_carry_over_and_busted_players_rebuy():
    game = new_game("human", "caller", "caller", mode="cash", stacks="carried", starting_stack=500)
    expected = [500, 500, 500]
    largest = 0
    for _ in range(25):
        start, end = all_in(game)
        assert start == expected
        assert sum(start) == sum(end)
        largest = max(largest, *end)
        expected = [stack or 500 for stack in end]
        game.advance()
    bought = game.state().bought
    assert largest > 3 * 500  # more chips than there were at first: they can all be bet
    assert sum(bought) == sum(expected)
    assert [stack - paid for stack, paid in zip(expected, bought, strict=True)] == game.net


def test_a_short_stack_may_top_up_before_the_next_deal():
    game = new_game("human", "raiser", mode="cash", stacks="carried", starting_stack=500, seed=3)
    game.stacks.rebuys.add(0)
    while game.phase != HAND_OVER:
        if game.phase == HUMAN_TO_ACT:
            game.act_for_absent()
        else:
            game.advance()
    lost = 500 - int(game.snapshot.table["stack"][0])
    assert lost > 0
    game.advance()
    assert game.snapshot.table["starting_stack"][0] == 500
    assert game.state().bought == (500 + lost, 500)


def test_chips_asked_for_at_a_result_come_after_the_next_hand():
    async def play(table):
        lines = await two_people(table)

        def asks():
            return [table.view(at)["services"]["rebuys"] for at in ("creator", "guest", "watcher")]

        first = int(table.state.snapshot.table["actor"])
        request = {"type": "act", "turn": table.state.turn, "action": "raise", "to": 60}
        await table.handle(lines[first], request)
        await fold(table, lines)  # costs the big blind
        short = 1 - first
        await table.handle(lines[short], {"type": "rebuy"})
        assert asks() == [short == 0, short == 1, False]
        await table.handle(lines[0], {"type": "next hand"})
        await until(table, lambda state: not state.snapshot.over)
        assert table.state.bought == (500, 500)
        assert any(asks())
        await fold(table, lines)  # the same player, in the small blind
        assert table.state.bought[short] == 530
        assert not any(asks())

    at_table(play, "human", "human", mode="cash", stacks="carried", starting_stack=500)


@pytest.mark.parametrize("stack", [500, 1_000_000])
def test_table_memory_does_not_grow_with_rebuys(stack):
    game = new_game("human", "caller", mode="cash", stacks="carried", starting_stack=stack)
    size = sum(array.nbytes for array in game._env.game_state.changing_arrays())
    assert size < 10_000
    game._env.players["entry_stack"][:] = 2**39  # as if chips had been bought for years
    game.stacks.carry = lambda table, players: None
    all_in(game)
    game.advance()
    assert game.snapshot.table["starting_stack"][:2].tolist() == [2**39, 2**39]
    assert game.state().options["max_raise_to"] == 2**39
    all_in(game)
    assert abs(game.snapshot.table["stack"][0] - 2**39) == 2**39
    assert sum(array.nbytes for array in game._env.game_state.changing_arrays()) == size


class Masked:
    """Goes all-in whenever the mask says that this is legal."""

    name = "masked"

    def __init__(self):
        self.sizes = set()

    def act(self, observation, info):
        mask = observation["action_mask"]
        self.sizes.add(len(mask))
        most = info["max_raise_to"]
        if most == 0:
            return 1
        assert np.flatnonzero(mask[2:]).tolist() == list(range(info["min_raise_to"] - 2, most - 1))
        return most


def masked_game(player, stack) -> LiveGame:
    setup = GameSetup.read(
        {
            "seats": ["masked", "caller"],
            "seed": 1,
            "mode": "cash",
            "stacks": "carried",
            "starting_stack": stack,
            "rake": "5%/10",
        }
    )
    return LiveGame(setup, [player, agents.make("caller")], ["masked", "caller"])


def test_action_masks_are_as_long_as_the_chips_in_play():
    player = Masked()
    game = masked_game(player, 500)
    while game.hands_played < 20:
        game.advance()
        assert not game.error
    assert len(player.sizes) > 10
    assert max(player.sizes) > 2 * 501


def test_an_oversized_action_mask_is_refused_with_its_size():
    game = masked_game(Masked(), 500)
    game._env.table["stack"][0] = 2**30
    while not game.error:
        game.advance()
    assert "at most 16777216 chips; there are" in game.error


def test_a_table_with_too_many_chips_bought_ends():
    game = new_game("human", "caller", mode="cash", stacks="carried", starting_stack=500)
    game.stacks.bought[0] = 2**40
    while game.phase != FAILED:
        game.advance()
        game.act_for_absent()
    assert game.hands_played == 1
    assert game.error == "more than 1,099,511,627,776 chips have been bought"


def test_chips_can_be_bought_only_with_carried_stacks():
    async def play(table):
        table.sit("creator", "Ann")
        line = await look(table, "creator")
        with pytest.raises(Refused, match="reset before every hand"):
            await table.handle(line, {"type": "rebuy"})
        assert chips_in(table.view("creator")) == 2000

    at_table(play, "human", "caller", mode="cash")
