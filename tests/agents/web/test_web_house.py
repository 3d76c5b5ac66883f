"""The customs of a game at home: clock, wishes beforehand, sitting out, talk, carried stacks."""

from __future__ import annotations

import numpy as np
import pytest
from web_tables import chips_in, in_room, look, new_game, until

import agents
from agents.web.table.auto_actions import CALL_ANY, CHECK_OR_FOLD, Standing
from agents.web.table.chat import Chat
from agents.web.table.clock import Clock
from agents.web.table.game import FAILED, GAME_OVER, HAND_OVER, HUMAN_TO_ACT, LiveGame
from agents.web.table.participants import Refused
from agents.web.table.setup import GameSetup

# --- the clock ------------------------------------------------------------------------------------


def test_what_is_thought_beyond_the_clock_comes_out_of_the_bank_of_that_seat():
    clock = Clock(10, 30)
    clock.follow((0, 1), 100.0)
    assert clock.left(100.0) == 40
    assert clock.left(112.0) == 28
    clock.follow(None, 112.0)
    assert clock.left(113.0) is None
    clock.follow((0, 5), 200.0)
    assert clock.left(200.0) == 38  # two seconds were overdrawn
    clock.follow((1, 6), 205.0)  # in time
    assert clock.left(205.0) == 40
    clock.follow((0, 7), 206.0)
    assert clock.left(206.0) == 38
    assert clock.left(500.0) == 0
    clock.follow(None, 500.0)
    assert clock.bank(0) == 0
    clock.begin_game()
    assert clock.bank(0) == 30


def test_a_decision_that_goes_on_does_not_begin_anew():
    clock = Clock(10, 0)
    clock.follow((0, 1), 0.0)
    clock.follow((0, 1), 7.0)
    assert clock.left(7.0) == 3
    assert clock.view(7.0) == {"seat": 0, "left": 3, "bank": 0}


def test_without_a_clock_no_time_is_counted():
    clock = Clock(0, 30)
    clock.follow((0, 1), 0.0)
    assert clock.left(1000.0) is None
    assert clock.view(0.0) is None


def test_a_turn_ends_when_its_time_is_up():
    async def play(room):
        room.sit("creator", "Ann")
        line = await look(room, "creator")
        await room.handle(line, {"type": "pace", "pace": "max"})
        await until(room, lambda state: state.phase == HUMAN_TO_ACT)
        turn = room.state.turn
        assert room.view("creator")["house"]["clock"]["seat"] == 0
        await until(room, lambda state: state.turn != turn)
        assert room.state.snapshot.history[-1]["seat"] == 0 or room.state.phase == HAND_OVER

    in_room(play, "human", "caller", clock=1)


# --- wishes beforehand ----------------------------------------------------------------------------


def test_a_wish_holds_for_one_turn_of_one_hand():
    standing = Standing()
    standing.choose(0, 3, CALL_ANY)
    assert standing.acts_at_once(0, 3)
    assert not standing.acts_at_once(0, 4)
    assert standing.take(0, 3) == CALL_ANY
    assert not standing.acts_at_once(0, 3)
    standing.choose(0, 3, CALL_ANY)
    standing.choose(0, 3, None)
    assert standing.take(0, 3) == CHECK_OR_FOLD


@pytest.mark.parametrize(
    ("wish", "done"), [(CALL_ANY, {"call", "check"}), (CHECK_OR_FOLD, {"fold", "check"})]
)
def test_what_is_chosen_beforehand_is_done_at_the_turn(wish, done):
    async def play(room):
        room.sit("creator", "Ann")
        line = await look(room, "creator")
        # The raiser is heads-up on the button of some hand, and Ann chooses before its raise.
        await room.handle(line, {"type": "beforehand", "wish": wish})
        await room.handle(line, {"type": "pace", "pace": "max"})
        await until(room, lambda state: any(e["seat"] == 0 for e in state.snapshot.history))
        own = [event for event in room.state.snapshot.history if event["seat"] == 0]
        assert own[0]["action"] in done
        with pytest.raises(Refused, match="check or fold or to call any"):
            await room.handle(line, {"type": "beforehand", "wish": "raise"})

    in_room(play, "human", "raiser")


def test_nobody_waits_for_who_sits_out():
    async def play(room):
        room.sit("creator", "Ann")
        line = await look(room, "creator")
        await room.handle(line, {"type": "pace", "pace": "max"})
        await room.handle(line, {"type": "sit out", "on": True})
        assert room.view("watcher")["house"]["sits_out"] == [0]
        await until(room, lambda state: state.hands_played >= 3)
        await room.handle(line, {"type": "sit out", "on": False})
        await until(room, lambda state: state.phase in (HUMAN_TO_ACT, HAND_OVER, GAME_OVER))

    in_room(play, "human", "caller", mode="cash")


def test_who_has_spoken_beforehand_is_not_asked():
    async def play(room):
        room.sit("creator", "Ann")
        await look(room, "creator")
        await until(room, lambda state: state.phase == HUMAN_TO_ACT)
        standing, hand = room._services._standing, room.state.snapshot.table["hand"]
        assert "options" in room.view("creator")
        standing.sit_out(0, True)
        assert "options" not in room.view("creator")
        standing.sit_out(0, False)
        standing.choose(0, hand, "call any")
        assert "options" not in room.view("creator")
        standing.choose(0, hand - 1, "call any")
        assert "options" in room.view("creator")

    in_room(play, "human", "caller", seed=4)


def test_who_acts_is_back():
    async def play(room):
        room.sit("creator", "Ann")
        line = await look(room, "creator")
        await until(room, lambda state: state.phase == HUMAN_TO_ACT)
        room._services._standing.sit_out(0, True)
        await room.handle(line, {"type": "act", "turn": room.state.turn, "action": "call"})
        assert room.view("creator")["house"]["sits_out"] == []

    in_room(play, "human", "caller", seed=4)


# --- talk -----------------------------------------------------------------------------------------


def test_lines_are_cleaned_counted_and_limited():
    chat = Chat()
    assert chat.say(0, "Ann", "  good \n hand\x07 ", 0.0)["text"] == "good hand"
    for text in (None, 5, "", " ", "x" * 201):
        with pytest.raises(Refused, match="1 to 200"):
            chat.say(0, "Ann", text, 0.0)
    for _ in range(4):
        chat.say(0, "Ann", "again", 1.0)
    with pytest.raises(Refused, match="wait a little"):
        chat.say(0, "Ann", "again", 9.0)
    chat.say(1, "Bob", "me too", 9.0)
    assert chat.say(0, "Ann", "later", 10.5)["number"] == 7


def test_everybody_hears_what_those_who_sit_say_and_later_comers_read_it():
    async def play(room):
        room.sit("creator", "Ann")
        ann, watcher = await look(room, "creator"), await look(room, "watcher")
        await room.handle(ann, {"type": "say", "text": "hello"})
        heard = [m for m in watcher.messages if m["type"] == "said" and m["lines"]]
        assert heard[-1]["lines"] == [{"number": 1, "name": "Ann", "text": "hello"}]
        with pytest.raises(Refused, match="do not sit"):
            await room.handle(watcher, {"type": "say", "text": "hello"})
        late = await look(room, "late")
        assert late.messages[0]["lines"][0]["text"] == "hello"

    in_room(play, "human", "caller")


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


def test_stacks_are_carried_and_who_has_none_buys_in_again():
    game = new_game("human", "caller", "caller", mode="cash", stacks="carried", stack=500)
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


def test_a_short_stack_may_be_filled_up_before_the_next_deal():
    game = new_game("human", "raiser", mode="cash", stacks="carried", stack=500, seed=3)
    game.stacks.asked.add(0)
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


@pytest.mark.parametrize("stack", [500, 1_000_000])
def test_what_a_table_holds_does_not_grow_with_the_chips_that_are_bought(stack):
    game = new_game("human", "caller", mode="cash", stacks="carried", stack=stack)
    size = sum(array.nbytes for array in game._env._changing_arrays())
    assert size < 10_000
    game._env.players["entry_stack"][:] = 2**39  # as if chips had been bought for years
    game.stacks.carry = lambda table, players: None
    all_in(game)
    game.advance()
    assert game.snapshot.table["starting_stack"][:2].tolist() == [2**39, 2**39]
    assert game.state().options["max_raise_to"] == 2**39
    all_in(game)
    assert abs(game.snapshot.table["stack"][0] - 2**39) == 2**39
    assert sum(array.nbytes for array in game._env._changing_arrays()) == size


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
            "stack": stack,
            "rake": "5%/10",
        }
    )
    return LiveGame(setup, [player, agents.make("caller")], ["masked", "caller"])


def test_a_player_that_reads_masks_is_given_one_as_long_as_the_chips_in_play():
    player = Masked()
    game = masked_game(player, 500)
    while game.hands_played < 20:
        game.advance()
    assert not game.error
    assert len(player.sizes) > 10
    assert max(player.sizes) > 2 * 501


def test_a_mask_of_too_many_chips_is_refused_with_the_number():
    game = masked_game(Masked(), 500)
    game._env.table["stack"][0] = 2**30
    while not game.error:
        game.advance()
    assert "at most 16777216 chips; there are" in game.error


def test_a_table_that_has_bought_too_many_chips_ends():
    game = new_game("human", "caller", mode="cash", stacks="carried", stack=500)
    game.stacks.bought[0] = 2**40
    while game.phase != FAILED:
        game.advance()
        game.act_for_absent()
    assert game.hands_played == 1
    assert game.error == "more than 1,099,511,627,776 chips have been bought"


def test_stacks_are_put_back_where_nothing_else_is_wished():
    game = new_game("human", "caller", mode="cash", stack=500)
    all_in(game)
    game.advance()
    assert game.snapshot.table["starting_stack"][:2].tolist() == [500, 500]
    assert game.state().bought == ()
    assert not GameSetup.read({"seats": ["human", "caller"], "stacks": "carried"}).carries


def test_only_where_stacks_are_carried_chips_can_be_bought():
    async def play(room):
        room.sit("creator", "Ann")
        line = await look(room, "creator")
        with pytest.raises(Refused, match="put back before every hand"):
            await room.handle(line, {"type": "buy"})
        assert chips_in(room.view("creator")) == 2000

    in_room(play, "human", "caller", mode="cash")
