"""Spots in which rule players are asked."""

from helpers import CALL, deal, play

import agents


def hole(name):
    """Two cards of a class."""
    return f"{name[0]}s{name[1]}{'s' if name.endswith('s') else 'h'}"


def answer(player, env):
    """What a player does for the agent to act: 0 fold, 1 call, n raise to n."""
    player = agents.make(player) if isinstance(player, str) else player
    return agents.Lineup(env, dict.fromkeys(env.possible_agents, player)).action()


def facing_a_bet(cards, board="Js Td 4h", bet=40):
    """The button, heads-up with 4000, faces a bet into 40 on the flop."""
    env = deal([4000, 4000], hole_cards={0: cards}, board=board.replace(" ", ""))
    play(env, CALL, CALL, bet)
    return env
