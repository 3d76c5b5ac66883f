"""The same hands of no-limit hold'em in several packages, for `compare_packages`.

The blinds are 1 and 2, in seats 0 and 1; the button is the last seat. Every package deals and pays
by itself.
"""

from __future__ import annotations

import random
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import nlhe_env

FOLD, CALL = -1, 0
CHECK_OR_CALL = 1
PROBES: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "rule_probes.py"))
OURS, CLASSIC = "nlhe-env", "PettingZoo classic"
DEALS, STACKS, NONE = 300, (10, 30, 60, 100), "-"


class Hand(Protocol):
    """A hand with the given stacks, one a seat; the seed chooses its cards."""

    def __init__(self, stacks: Sequence[int], seed: int) -> None: ...

    def raises(self) -> tuple[int, int]:
        """Least and most that may be raised to; zeros if no raise is offered."""

    def act(self, to: int) -> None:
        """Raise to a number of chips, or ``CALL`` or ``FOLD``."""

    def over(self) -> bool:
        """Whether the hand has ended."""

    def paid(self) -> tuple[list[int], list[int]]:
        """Stacks afterwards, and the cards as 4 * rank + suit: two a player, then the board."""


class Ours(Hand):
    """A hand of this package."""

    def __init__(self, stacks: Sequence[int], seed: int) -> None:
        table = {"starting_stack": tuple(stacks), "blinds": (1, 2), "mode": "cash"}
        self.env = nlhe_env.raw_env(len(stacks), actions="chips", infos="full", **table)
        self.env.reset(seed=seed, options={"button": len(stacks) - 1})
        self.cards = [int(card) for card in self.env.table["cards"]]

    def raises(self) -> tuple[int, int]:
        info = self.env.infos[self.env.agent_selection]
        return info["min_raise_to"], info["max_raise_to"]

    def act(self, to: int) -> None:
        self.env.step(to or CHECK_OR_CALL)

    def over(self) -> bool:
        return any(self.env.terminations.values())

    def paid(self) -> tuple[list[int], list[int]]:
        n = self.env.max_num_agents
        return self.env.tables[0]["stack"][:n].tolist(), self.cards[: 2 * n + 5]


class OpenSpiel(Hand):
    """A hand of OpenSpiel's `universal_poker` with all raises."""

    def __init__(self, stacks: Sequence[int], seed: int) -> None:
        import pyspiel

        n, self.random, self.stacks = len(stacks), random.Random(seed), stacks
        listed = f"numPlayers={n},blind=1 2{' 0' * (n - 2)},stack={' '.join(map(str, stacks))}"
        self.state = pyspiel.load_game(
            f"universal_poker(betting=nolimit,bettingAbstraction=fullgame,{listed},numRounds=4,"
            "firstPlayer=3 1 1 1,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1)"
        ).new_initial_state()
        self.cards: list[int] = []
        self.deal()

    def deal(self) -> None:
        while self.state.is_chance_node():
            self.cards.append(self.random.choice(self.state.legal_actions()))
            self.state.apply_action(self.cards[-1])

    def raises(self) -> tuple[int, int]:
        legal = [action for action in self.state.legal_actions() if action > 1]
        return (legal[0], legal[-1]) if legal else (0, 0)

    def act(self, to: int) -> None:
        self.state.apply_action(to or 1)
        self.deal()

    def over(self) -> bool:
        return bool(self.state.is_terminal())

    def paid(self) -> tuple[list[int], list[int]]:
        won = zip(self.stacks, self.state.returns(), strict=True)
        return [round(stack + net) for stack, net in won], self.cards


class PokerKit(Hand):
    """A hand of PokerKit's no-limit hold'em, in which the package deals and pays."""

    def __init__(self, stacks: Sequence[int], seed: int) -> None:
        import pokerkit

        random.seed(seed)  # it shuffles by the module
        made = (tuple(pokerkit.Automation), True, 0, (1, 2), 2, tuple(stacks), len(stacks))
        self.state = pokerkit.NoLimitTexasHoldem.create_state(*made)
        self.holes = [repr(card) for hand in self.state.hole_cards for card in hand]

    def raises(self) -> tuple[int, int]:
        least = self.state.min_completion_betting_or_raising_to_amount
        return (least, self.state.max_completion_betting_or_raising_to_amount) if least else (0, 0)

    def act(self, to: int) -> None:
        if to > CALL:
            self.state.complete_bet_or_raise_to(to)
        elif to == FOLD and self.state.can_fold():
            self.state.fold()
        else:
            self.state.check_or_call()

    def over(self) -> bool:
        return not self.state.status

    def paid(self) -> tuple[list[int], list[int]]:
        names = self.holes + [repr(card) for cards in self.state.board_cards for card in cards]
        return list(self.state.stacks), [nlhe_env.parse_cards(name)[0] for name in names]


class PyPokerEngine(Hand):
    """A hand by PyPokerEngine's `Emulator`, whose seat 0 has the button."""

    def __init__(self, stacks: Sequence[int], seed: int) -> None:
        from pypokerengine.api.emulator import Emulator

        random.seed(seed)  # it shuffles by the module
        self.emulator, n = Emulator(), len(stacks)
        self.emulator.set_game_rule(n, 10, 1, 0)
        infos = {str(seat): {"stack": stacks[seat - 1], "name": str(seat)} for seat in range(n)}
        start = self.emulator.generate_initial_game_state(infos)
        self.state, self.events = self.emulator.start_new_round(start)
        players = self.seats()
        self.holes = [str(card) for player in players for card in player.hole_card]

    def seats(self) -> list[Any]:
        players = self.state["table"].seats.players
        return [*players[1:], players[0]]

    def raises(self) -> tuple[int, int]:
        amount = self.emulator.generate_possible_actions(self.state)[2]["amount"]
        return max(amount["min"], 0), max(amount["max"], 0)

    def act(self, to: int) -> None:
        call = self.emulator.generate_possible_actions(self.state)[1]["amount"]
        given = {FOLD: ("fold", 0), CALL: ("call", call)}.get(to, ("raise", to))
        self.state, self.events = self.emulator.apply_action(self.state, *given)

    def over(self) -> bool:
        return any(event["type"] == "event_round_finish" for event in self.events)

    def paid(self) -> tuple[list[int], list[int]]:
        end = next(event for event in self.events if event["type"] == "event_round_finish")
        names = self.holes + end["round_state"]["community_card"]
        cards = [nlhe_env.parse_cards(name[1] + name[0].lower())[0] for name in names]
        return [player.stack for player in self.seats()], cards


HANDS: dict[str, type[Hand]] = {
    OURS: Ours,
    "OpenSpiel": OpenSpiel,
    "PokerKit": PokerKit,
    "PyPokerEngine": PyPokerEngine,
}


def all_ins(package: str, stacks: tuple[int, ...] = STACKS) -> str:
    """Four players all-in; how many hands are paid otherwise than by side pots."""
    if package == CLASSIC:
        return judged(first_number(PROBES["classic_side_pots"]()))
    chips, wrong = random.Random(1), 0
    for seed in range(DEALS):
        starting = chips.choices(stacks, k=4)
        hand = HANDS[package](starting, seed)
        while not hand.over():
            hand.act(hand.raises()[1])
        after, cards = hand.paid()
        net = [end - start for end, start in zip(after, starting, strict=True)]
        holes = [cards[2 * seat : 2 * seat + 2] for seat in range(4)]
        wrong += PROBES["paid_wrongly"](net, starting, holes, cards[8:])
    return judged(wrong)


def judged(wrong: int) -> str:
    return "no" if wrong else "yes"


def minimum_raise(package: str) -> str:
    """Blinds of 1 and 2, a raise to 6, another to 15: the least raises are to 4, 10 and 24."""
    if package == CLASSIC:
        return judged(first_number(PROBES["classic_raises_below_minimum"]()))
    hand = HANDS[package]((100, 100, 100), 1)
    least = [hand.raises()[0]]
    for to in (6, 15):
        hand.act(to)
        least.append(hand.raises()[0])
    return judged(least != [4, 10, 24])


def short_all_in(package: str) -> str:
    """A raise to 6 is called, then somebody is all-in for 9: the raiser may only call or fold."""
    if package == CLASSIC:
        return judged(PROBES["classic_short_all_in"]() != "may call or fold")
    hand = HANDS[package]((100, 9, 100), 1)
    for to in (6, CALL, 9):
        hand.act(to)
    return judged(hand.raises() != (0, 0))


def first_number(text: str) -> int:
    return int(text.split()[0])


def play_hand(kind: type[Hand], generator: random.Random) -> int:
    """Random legal actions, raises to any amount; returns their number."""
    hand, actions = kind((200,) * 6, generator.randrange(2**32)), 0
    while not hand.over():
        least, most = hand.raises()
        choice = generator.choice((FOLD, CALL, most)[: 2 + (most > 0)])
        hand.act(generator.randint(least, most) if choice > 0 else choice)
        actions += 1
    return actions
