"""Event hooks of players, called by ``agents.play_episode``.

A player may have any of these methods; each takes one dictionary of plain values.

========================  ==========================================================================
``on_episode_start``      ``player`` (the agent's name), ``players`` (all names), ``seed`` (for the
                          player's own randomness; it follows from the seed of the episode, but
                          is not that seed), ``betting``, ``mode``
``on_hand_start``         ``hand_number``, ``table``, ``button``, ``small_blind``, ``big_blind``,
                          ``ante``, ``seat`` (the player's), ``hole_cards``, ``seats`` (for each
                          ``None`` or ``{"player", "stack"}``, chips before blinds and antes)
``on_hand_end``           the result of the hand as in the infos (``board``, ``shown``, ``pots``,
                          ``net``) with ``hand_number``, ``table``, ``seat`` and ``history``
``on_episode_end``        ``player``, ``reward`` (the sum of the episode) and, in tournaments,
                          ``place``
========================  ==========================================================================

``history`` lists the actions of the hand in order: ``{"seat", "player", "street", "action"}`` with
the action ``"fold"``, ``"check"``, ``"call"`` or ``"raise"`` (bets included), and for a raise
``"to"``. A hand without decisions is not announced.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from agents.external.chips import ChipPlayer, meaning_of
from nlhe_env.cards import format_cards
from nlhe_env.envs.aec import raw_env
from nlhe_env.game.table import CHECK_OR_CALL, EMPTY, FOLD, NO_PLAYER
from nlhe_env.spaces.actions import ILLEGAL

HOOKS = ("on_episode_start", "on_hand_start", "on_hand_end", "on_episode_end")

Event = dict[str, Any]


def follow(env: raw_env, players: Mapping[str, Any]) -> HandFollower | None:
    """Follower of a newly reset environment, if a player has hooks."""
    listens = any(
        isinstance(player, ChipPlayer) or any(hasattr(player, hook) for hook in HOOKS)
        for player in players.values()
    )
    return HandFollower(env, players) if listens else None


class HandFollower:
    """Follows an episode step by step and calls the hooks.

    Args:
        env: A newly reset environment.
        players: Players by agent name.
    """

    def __init__(self, env: raw_env, players: Mapping[str, Any]) -> None:
        self._env = env
        self._players = players
        self.history: list[Event] = []
        """The actions of the hand, in order."""
        self._hand = (NO_PLAYER, NO_PLAYER)
        self._seat_of: dict[str, int] = {}  # seats of players dealt in
        # Number of the players' random streams; the games of a duplicate block share the number of
        # their cards.
        numbers = ("seed", "decision_tournament")
        seed, episode = (int(env.game_record[name][0]) for name in numbers)
        for number, agent in enumerate(env.possible_agents):
            self._notify(
                agent,
                "on_episode_start",
                {
                    "player": agent,
                    "players": list(env.possible_agents),
                    "seed": private_seed(seed, episode, number),
                    "betting": env.game.betting,
                    "mode": env.game.mode,
                },
            )

    def before_decision(self) -> None:
        """Prepare for a decision, before the player is queried."""
        table = self._env.table
        hand = (int(table["number"]), int(table["hand"]))
        if hand != self._hand:
            self._hand = hand
            self._start_hand()

    def before_step(self, action_id: Any) -> None:
        """Note the chosen action of the player to act."""
        env = self._env
        table = env.table
        action = meaning_of(env, action_id)
        if action == ILLEGAL:  # the environment reports it
            return
        info = env.full_info()
        event = {
            "seat": int(table["actor"]),
            "player": env.agent_selection,
            "street": info["street"],
            "action": _word(action, info["to_call"]),
        }
        if action > CHECK_OR_CALL:
            event["to"] = action
        self.history.append(event)

    def after_step(self) -> None:
        """Follow a step of the environment, which may have ended the hand."""
        for result in self._env.hands_over:
            if (result["table"], result["hand_number"]) != self._hand:
                continue  # a hand without decisions
            for agent, seat in self._seat_of.items():
                end = {**result, "seat": seat, "history": list(self.history)}
                self._notify(agent, "on_hand_end", end)
            self._seat_of = {}

    def leave(self, agent: str, reward: float) -> None:
        """Notify an agent that the episode is over for it."""
        end: Event = {"player": agent, "reward": reward}
        place = self._env.full_info(agent).get("place")
        if place is not None:
            end["place"] = place
        self._notify(agent, "on_episode_end", end)

    def _start_hand(self) -> None:
        table, names = self._env.table, self._env.possible_agents
        n_seats = int(table["seats"])
        players = table["player"].tolist()[:n_seats]
        stacks = table["starting_stack"].tolist()
        status = table["status"].tolist()
        cards = table["cards"].tolist()
        start = {
            "hand_number": int(table["hand"]),
            "table": int(table["number"]),
            **{name: int(table[name]) for name in ("button", "small_blind", "big_blind", "ante")},
            "seats": [
                None if player == NO_PLAYER else {"player": names[player], "stack": stacks[seat]}
                for seat, player in enumerate(players)
            ],
        }
        self.history = []
        self._seat_of = {
            names[player]: seat
            for seat, player in enumerate(players)
            if player != NO_PLAYER and status[seat] != EMPTY
        }
        for agent, seat in self._seat_of.items():
            own = {"seat": seat, "hole_cards": format_cards(cards[2 * seat : 2 * seat + 2])}
            self._notify(agent, "on_hand_start", {**start, **own})

    def _notify(self, agent: str, hook: str, event: Event) -> None:
        listener = getattr(self._players[agent], hook, None)
        if listener is not None:
            listener(event)


def private_seed(seed: int, episode: int, player: int) -> int:
    """Seed of a player's own randomness, different from the seed of the cards.

    Returns:
        0 to 2**53 - 1, an exact double in any language.
    """
    text = f"player's own randomness {seed} {episode} {player}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") >> 11


def _word(action: int, to_call: int) -> str:
    if action == FOLD:
        return "fold"
    if action == CHECK_OR_CALL:
        return "call" if to_call > 0 else "check"
    return "raise"
