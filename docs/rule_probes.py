"""Asks this environment and PettingZoo's classic no-limit hold'em about the rules of poker.

    python docs/rule_probes.py            # prints the table of from-pettingzoo-classic.md
    python docs/rule_probes.py --write    # puts it into the page

The classic environment needs ``pip install "rlcard==1.2.0" pygame``; without it only the column of
this environment is printed. Every cell is what the probe has seen, not what the code should do.
"""

from __future__ import annotations

import argparse
import itertools
import random
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import nlhe_env
from nlhe_env.evaluator import evaluate
from nlhe_env.kernels import NO_PLAYER

PAGE = Path(__file__).with_name("from-pettingzoo-classic.md")
START, END = "<!-- probes -->", "<!-- end of probes -->"
FOLD, CALL, HALF_POT, POT, ALL_IN = range(5)
STACKS = (10, 30, 60, 100)  # in small blinds, for hands in which everybody is all-in
HANDS = 300
DECISIONS = 20_000


# --- this environment -----------------------------------------------------------------------------


def ours(players: int, **arguments: Any) -> nlhe_env.raw_env:
    """A hand of the classic stakes: 50 big blinds of 2 chips."""
    given = {"starting_stack": 100, "blinds": (1, 2), "mode": "cash"} | arguments
    return nlhe_env.raw_env(players, **given)


def our_heads_up() -> str:
    env = ours(2)
    env.reset(seed=1, options={"button": 0})
    small = "button" if env.table["street_bet"][0] == 1 else "other"
    first = "button" if env.agent_selection == "player_0" else "other"
    env.step(CALL)
    env.step(CALL)
    flop = "button" if env.agent_selection == "player_0" else "other"
    return order(small, first, flop)


def our_buttons() -> str:
    env = ours(2, num_hands=20)
    env.reset(seed=1)
    seen = {}
    while env.agents and not any(env.terminations.values()):
        seen[int(env.table["hand"])] = int(env.table["button"])
        env.step(CALL)
    return moves(list(seen.values()))


def our_stacks() -> str:
    env = ours(2, mode="tournament")
    env.reset(seed=1, options={"button": 0})
    env.step(FOLD)
    return carried([int(chips) for chips in env.table["starting_stack"][:2]])


def our_pot_raise() -> str:
    env = ours(2)
    env.reset(seed=1, options={"button": 0})
    env.step(POT)
    return f"to {env.table['current_bet']}"


def our_raises_below_minimum() -> str:
    env = ours(6, num_hands=10**6)
    env.reset(seed=1)
    generator = random.Random(1)
    below = raises = 0
    for _ in range(DECISIONS):
        table = env.table
        seat, bet, least = int(table["actor"]), int(table["current_bet"]), int(table["full_raise"])
        hand, street = int(table["hand"]), int(table["street"])
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        action = generator.choice([int(i) for i in legal])
        env.step(action)
        table = env.table
        same_street = (int(table["hand"]), int(table["street"])) == (hand, street)
        if action in (HALF_POT, POT) and same_street and table["stack"][seat] > 0:
            raises += 1
            below += int(table["current_bet"]) - bet < least
    return share(below, raises)


def our_short_all_in() -> str:
    env = ours(4, starting_stack=(100, 7, 100, 100), actions="chips")
    env.reset(seed=1, options={"button": 0})
    for action in (3 + 1, 6, 7, FOLD, CALL):  # the least raise is to 4 here
        env.step(action)
    return reopened(env.infos[env.agent_selection]["max_raise_to"] > 0)


def our_side_pots() -> str:
    generator = random.Random(1)
    wrong = 0
    for _ in range(HANDS):
        stacks = [generator.choice(STACKS) for _ in range(4)]
        env = ours(4, starting_stack=stacks)
        env.reset(seed=generator.randrange(2**32))
        while env.tables[0]["actor"] != NO_PLAYER:
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(ALL_IN if mask[ALL_IN] else CALL)
        table = env.tables[0]
        cards = [int(card) for card in table["cards"][:13]]
        holes = [cards[2 * seat : 2 * seat + 2] for seat in range(4)]
        net = (table["stack"] - table["starting_stack"])[:4].tolist()
        wrong += paid_wrongly(net, [int(c) for c in table["hand_bet"][:4]], holes, cards[8:])
    return f"{wrong} of {HANDS} hands paid wrongly"


def our_odd_chip() -> str:
    left = 0
    for seed in range(HANDS):
        env = ours(3)
        hole_cards = {"player_0": "AsKd", "player_2": "AhKc"}
        env.reset(seed=seed, options={"button": 0, "hole_cards": hole_cards, "board": "Ac7d9h4s2c"})
        env.step(CALL)
        env.step(FOLD)
        while env.tables[0]["actor"] != NO_PLAYER:
            env.step(CALL)
        left += int(env.tables[0]["won"][2]) == 3
    return f"{left} of {HANDS} times"


def our_free_fold() -> str:
    env = ours(2)
    env.reset(seed=1)
    env.step(CALL)
    return "yes" if env.observe(env.agent_selection)["action_mask"][FOLD] else "no"


def our_reward() -> str:
    env = ours(2)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(FOLD)
    return f"{env.rewards[agent]:g}"


def our_last_player() -> str:
    env = ours(3, mode="tournament", starting_stack=(100, 20, 50))
    env.reset(seed=2)
    while len(env.agents) == 3:
        agent = env.agent_selection
        if env.terminations[agent]:
            return f"leaves with place {env.infos[agent]['place']:g}; the others play on"
        env.step(ALL_IN if env.observe(agent)["action_mask"][ALL_IN] else CALL)
    return "-"


def our_numbers() -> str:
    env = ours(6)
    return f"{env.observation_space('player_0')['observation'].shape[0]}"


# --- PettingZoo's classic environment -------------------------------------------------------------


def classic(players: int) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import texas_holdem_no_limit_v6

        return texas_holdem_no_limit_v6.raw_env(num_players=players)


def engine(players: int, stacks: Sequence[int]) -> Any:
    """The engine below, with the stacks of our choice: the environment itself has equal ones."""
    import rlcard

    env = rlcard.make("no-limit-holdem", {"seed": 1, "game_num_players": players})
    env.game.dealer_id = 0
    env.game.init_chips = list(stacks)
    env.game.init_game()
    return env.game


def classic_act(game: Any, action: int) -> None:
    from rlcard.games.nolimitholdem.round import Action

    game.step(Action(action))


def classic_heads_up() -> str:
    env = classic(2)
    env.reset(seed=1)
    game = env.env.game
    small = "button" if game.players[game.dealer_id].in_chips == 1 else "other"
    first = "button" if game.game_pointer == game.dealer_id else "other"
    env.step(CALL)
    env.step(CALL)
    flop = "button" if game.game_pointer == game.dealer_id else "other"
    return order(small, first, flop)


def classic_buttons() -> str:
    env = classic(2)
    env.reset(seed=1)
    seen = []
    for _ in range(20):
        seen.append(int(env.env.game.dealer_id))
        env.reset()
    return moves(seen)


def classic_stacks() -> str:
    env = classic(2)
    env.reset(seed=1)
    env.step(FOLD)
    env.reset()
    return carried([player.remained_chips + player.in_chips for player in env.env.game.players])


def classic_pot_raise() -> str:
    env = classic(2)
    env.reset(seed=1)
    env.step(POT)
    return f"to {max(env.env.game.round.raised)}"


def classic_raises_below_minimum() -> str:
    env = classic(6)
    env.reset(seed=1)
    generator = random.Random(1)
    below = raises = 0
    least, stage = 2, env.env.game.stage
    for _ in range(DECISIONS):
        if all(env.terminations.values()):
            env.reset()
            least, stage = 2, env.env.game.stage
        game = env.env.game
        if game.stage != stage:
            least, stage = 2, game.stage
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        action = generator.choice([int(i) for i in legal])
        player, bet = game.players[game.game_pointer], max(game.round.raised)
        raised = game.round.raised
        to = raised[game.game_pointer]
        if action in (HALF_POT, POT, ALL_IN):
            pot = int(game.dealer.pot)
            chips = {HALF_POT: pot // 2, POT: pot, ALL_IN: player.remained_chips}[action]
            by = to + chips - bet
            if action != ALL_IN and chips < player.remained_chips:
                raises += 1
                below += by < least
            least = max(least, by)
        env.step(action)
    return share(below, raises)


def classic_short_all_in() -> str:
    game = engine(4, (100, 7, 100, 100))
    for action in (POT, POT, ALL_IN, FOLD, CALL):  # to 3, to 6, all-in to 7
        classic_act(game, action)
    assert list(game.round.raised) == [6, 7, 2, 7]
    assert game.game_pointer == 0
    return reopened(any(action.value >= HALF_POT for action in game.get_legal_actions()))


def classic_side_pots() -> str:
    import rlcard

    generator = random.Random(1)
    wrong = 0
    for seed in range(HANDS):
        stacks = [generator.choice(STACKS) for _ in range(4)]
        env = rlcard.make("no-limit-holdem", {"seed": seed, "game_num_players": 4})
        game = env.game
        game.init_chips = stacks
        game.init_game()
        while not game.is_over():
            legal = [action.value for action in game.get_legal_actions()]
            classic_act(game, ALL_IN if ALL_IN in legal else CALL)
        holes = [[number(card) for card in player.hand] for player in game.players]
        board = [number(card) for card in game.public_cards]
        net = [int(chips) for chips in game.get_payoffs()]
        wrong += paid_wrongly(net, [player.in_chips for player in game.players], holes, board)
    return f"{wrong} of {HANDS} hands paid wrongly"


def classic_odd_chip() -> str:
    from rlcard.games.base import Card

    game = engine(3, (100, 100, 100))
    board = [Card(name[1].upper(), name[0]) for name in ("Ac", "7d", "9h", "4s", "2c")]
    one = [Card("S", "A"), Card("D", "K")]
    other = [Card("H", "A"), Card("C", "K")]
    for player, chips in zip(game.players, (2, 1, 2), strict=True):
        player.in_chips = chips
    left = 0
    for _ in range(HANDS):
        net = game.judger.judge_game(game.players, [one + board, None, other + board])
        left += int(net[2]) == 1
    return f"{left} of {HANDS} times"


def classic_free_fold() -> str:
    env = classic(2)
    env.reset(seed=1)
    env.step(CALL)
    return "yes" if env.observe(env.agent_selection)["action_mask"][FOLD] else "no"


def classic_reward() -> str:
    env = classic(2)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(FOLD)
    return f"{env.rewards[agent]:g}"


def classic_last_player() -> str:
    env = classic(3)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(int(legal[-1]))
    return f"the episode ends: {sum(env.terminations.values())} of 3 agents terminate"


def classic_numbers() -> str:
    return f"{classic(6).observation_space('player_0')['observation'].shape[0]}"


def number(card: Any) -> int:
    """An rlcard card as 4 * rank + suit."""
    return nlhe_env.parse_cards(card.rank + card.suit.lower())[0]


# --- what both are measured by --------------------------------------------------------------------


def paid_wrongly(
    net: Sequence[int], spent: Sequence[int], holes: Sequence[Sequence[int]], board: Sequence[int]
) -> bool:
    """Whether a hand without folds was paid otherwise than by side pots, odd chips aside."""
    ranks = evaluate(np.array([[*hole, *board] for hole in holes], np.int8))
    right = [-chips for chips in spent]
    below = 0
    odd = 0
    for level in sorted(set(spent)):
        seats = [seat for seat, chips in enumerate(spent) if chips >= level]
        best = max(ranks[seat] for seat in seats)
        winners = [seat for seat in seats if ranks[seat] == best]
        each, rest = divmod((level - below) * len(seats), len(winners))
        for seat in winners:
            right[seat] += each
        odd += rest
        below = level
    return any(not 0 <= paid - due <= odd for paid, due in zip(net, right, strict=True))


def order(small: str, first: str, flop: str) -> str:
    def name(who: str) -> str:
        return "the button" if who == "button" else "the other player"

    return f"{name(small)} posts it; {name(first)} opens, {name(flop)} is first on the flop"


def moves(buttons: Sequence[int]) -> str:
    moved = sum(a != b for a, b in itertools.pairwise(buttons))
    return f"{moved} of {len(buttons) - 1} times"


def carried(stacks: Sequence[int]) -> str:
    return " and ".join(str(chips) for chips in sorted(stacks))


def share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.1f}%)"


def reopened(may_raise: bool) -> str:
    return "may raise again" if may_raise else "may call or fold"


class Probe(NamedTuple):
    """A question and how each environment is asked; ``right`` is what the rules of poker say."""

    question: str
    right: str
    ours: Callable[[], str]
    classic: Callable[[], str]


PROBES = (
    Probe(
        "Heads-up: who posts the small blind, who acts first?",
        "the button, and it opens; the other one from the flop on",
        our_heads_up,
        classic_heads_up,
    ),
    Probe("Does the button move, over 20 hands?", "every hand", our_buttons, classic_buttons),
    Probe(
        "Stacks of the next hand after the small blind of 1 was lost",
        "99 and 101",
        our_stacks,
        classic_stacks,
    ),
    Probe(
        "Raise by the pot over blinds of 1 and 2, heads-up",
        "to 6: call 1, then the pot of 4",
        our_pot_raise,
        classic_pot_raise,
    ),
    Probe(
        "Raises below the minimum in random play of six, all-ins apart",
        "none",
        our_raises_below_minimum,
        classic_raises_below_minimum,
    ),
    Probe(
        "A short all-in over a raise: the raiser ... (*)",
        "may call or fold",
        our_short_all_in,
        classic_short_all_in,
    ),
    Probe(
        "Four all-ins of unequal stacks (*)",
        "main pot and side pots",
        our_side_pots,
        classic_side_pots,
    ),
    Probe(
        "The odd chip of a split pot goes to the first winner left of the button",
        "always",
        our_odd_chip,
        classic_odd_chip,
    ),
    Probe("Is fold offered with nothing to call?", "no need", our_free_fold, classic_free_fold),
    Probe("Reward for folding a small blind of 1", "-1 chip", our_reward, classic_reward),
    Probe(
        "A player loses all chips",
        "out; the others play on",
        our_last_player,
        classic_last_player,
    ),
    Probe("Numbers in an observation, six players", "", our_numbers, classic_numbers),
)


def table() -> str:
    """All probes as a markdown table, with the versions that were asked."""
    both = find_spec("rlcard") is not None
    rows = [
        "| probe | rules of poker | this environment |" + both * " PettingZoo's classic |",
        "| --- " * (3 + both) + "|",
    ]
    for probe in PROBES:
        cells = [probe.question, probe.right, probe.ours()]
        if both:
            cells.append(probe.classic())
        rows.append("| " + " | ".join(cells) + " |")
    versions = [f"nlhe_env {nlhe_env.__version__}"]
    versions += [f"{name} {version(name)}" for name in ("pettingzoo", "rlcard")[: 1 + both]]
    return "\n".join(rows) + f"\n\n{', '.join(versions)}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    write = parser.parse_args().write
    text = table()
    print(text)
    if write:
        before, rest = PAGE.read_text().split(START)
        _, after = rest.split(END)
        PAGE.write_text(f"{before}{START}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
