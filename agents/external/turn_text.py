"""A turn as text, for chat models and people.

It contains the public facts of a turn (``agents.external.chips.describe_turn``) and the player's
own cards. Players are identified by seat: no name or other text of a player is included.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium import spaces
from pettingzoo.utils.wrappers import BaseWrapper

from agents.external.chips import Turn, describe_turn
from agents.external.hooks import HandFollower
from nlhe_env.envs.aec import raw_env

MOST_ACTIONS = 60
"""Maximum number of listed actions; of longer hands, the last ones."""
LONGEST_TEXT = 9_000
"""Maximum length of the text in characters, including the rules."""

_POSITIONS_FROM_BUTTON = ("BTN", "SB", "BB")
_POSITIONS_BEFORE_BUTTON = ("CO", "HJ", "LJ")  # backwards from the button
_STREETS = ("preflop", "flop", "turn", "river")
_BETTING = {
    "no-limit": "No-limit: a raise may be any amount from the least to all of your chips.",
    "pot-limit": "Pot-limit: a raise may be at most the size of the pot after calling.",
    "fixed-limit": "Fixed-limit: every raise has one size.",
}
_AIMS = {
    "cash": "Cash game: win as many chips as you can over all hands.",
    "tournament": "Tournament: players without chips are out; finish as high as you can.",
}
_RULES = (
    "You play Texas hold'em poker. Each player has two hole cards; up to five board cards are "
    "dealt for all: three on the flop, one on the turn, one on the river. There is a betting "
    "round before the flop and after each of these deals. At the showdown the best five of a "
    "player's seven cards count; whoever is the last not to fold wins without showing.\n"
    "Cards are a rank (23456789TJQKA) and a suit (s, h, d, c): Th is the ten of hearts.\n"
    "Chips are whole numbers; bb stands for big blinds. A raise or bet is named by what it "
    "raises to: all chips that you have put in on this street afterwards."
)


def rules_text(betting: str = "no-limit", mode: str = "cash") -> str:
    """The rules of the game as text.

    Args:
        betting: As in ``nlhe_env.env``.
        mode: As in ``nlhe_env.env``.
    """
    return "\n".join((_RULES, _BETTING[betting], _AIMS[mode]))


def turn_text(turn: Turn) -> str:
    """All information of the player to act, as text.

    Together with the rules it has at most ``LONGEST_TEXT`` characters.

    Args:
        turn: The turn of a ``ChipPlayer`` from ``agents.play_episode``.

    Raises:
        ValueError: The turn lacks the seats, being only an info.
    """
    if "seats" not in turn:
        raise ValueError(
            "the view of a turn needs its seats: use agents.play, agents.play_episode or "
            "agents.Lineup; a loop over act(observation, info) has only the info"
        )
    positions = _positions(turn)
    blinds = f"Blinds {turn['small_blind']}/{turn['big_blind']}"
    if turn["ante"]:
        blinds += f", ante {turn['ante']}"
    lines = [
        f"Hand {turn['hand_number'] + 1}, {turn['street']}. {blinds}.",
        f"You are in seat {turn['seat']} ({positions[turn['seat']]}).",
        f"Your cards: {spaced(turn['hole_cards'])}",
        f"Board: {spaced(turn['board']) or 'none yet'}",
        f"Pot: {in_chips(turn['pot'], turn['big_blind'])}, bets on this street included",
        "",
        "Seats, clockwise:",
        *_seat_lines(turn, positions),
        "",
        "Actions of this hand:",
        *_history_lines(turn),
        "",
        "You can:",
        *_legal_lines(turn),
    ]
    return "\n".join(lines)


def legal_actions(turn: Turn) -> tuple[str, ...]:
    """Legal actions of a turn: ``"fold"`` and ``"call"``, or ``"check"``, and ``"raise"``.

    >>> legal_actions({"to_call": 0, "min_raise_to": 40})
    ('check', 'raise')
    """
    passive = ("fold", "call") if turn["to_call"] > 0 else ("check",)
    return (*passive, "raise") if turn["min_raise_to"] > 0 else passive


def action_text(event: Mapping[str, Any], *, opens: bool, own: bool, big_blind: int) -> str:
    """An action of a history as text, such as ``"raises to 60 (3 bb)"``.

    Args:
        event: The action, as in ``agents.external.hooks``.
        opens: Whether there is no bet on this street yet.
        own: Whether to use the second person.
        big_blind: The big blind in chips.
    """
    word = "bet" if event["action"] == "raise" and opens else event["action"]
    verb = word if own else f"{word}s"
    if event["action"] != "raise":
        return verb
    return f"{verb}{'' if opens else ' to'} {in_chips(event['to'], big_blind)}"


def events_by_street(history: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[Any]]]:
    """Actions of a history by street, each with whether it opens the betting after the flop."""
    streets = []
    for street in _STREETS:
        opens = street != "preflop"
        found = []
        for event in history:
            if event["street"] == street:
                found.append((event, opens))
                opens = opens and event["action"] != "raise"
        if found:
            streets.append((street, found))
    return streets


def spaced(cards: str) -> str:
    """Cards separated by spaces.

    >>> spaced("AsKd")
    'As Kd'
    """
    return " ".join(cards[i : i + 2] for i in range(0, len(cards), 2))


def in_chips(amount: int, big_blind: int) -> str:
    """An amount in chips and big blinds.

    >>> in_chips(50, 20)
    '50 (2.5 bb)'
    """
    return f"{amount} ({round(amount / big_blind, 2):.12g} bb)"


def _positions(turn: Turn) -> dict[int, str]:
    """Positions by seat of the players dealt in."""
    seats = turn["seats"]
    order = [(turn["button"] + i) % len(seats) for i in range(len(seats))]
    dealt = [seat for seat in order if seats[seat] is not None and seats[seat]["state"] != "out"]
    if len(dealt) == 2:
        return dict(zip(dealt, ("BTN, SB", "BB"), strict=True))
    names = list(_POSITIONS_FROM_BUTTON)
    others = len(dealt) - len(names)
    late = _POSITIONS_BEFORE_BUTTON[: max(others - 1, 0)][::-1]
    early = others - len(late)
    names += ["UTG" if i == 0 else f"UTG+{i}" for i in range(early)]
    return dict(zip(dealt, (*names, *late), strict=True))


def _seat_lines(turn: Turn, positions: Mapping[int, str]) -> list[str]:
    lines = []
    for number, seat in enumerate(turn["seats"]):
        if seat is None:
            continue
        if seat["state"] == "out":
            lines.append(f"Seat {number}: not in this hand")
            continue
        you = ", you" if number == turn["seat"] else ""
        lines.append(
            f"Seat {number} ({positions[number]}{you}): "
            f"{in_chips(seat['stack'], turn['big_blind'])} behind, {seat['bet']} in on this "
            f"street, {seat['in_pot']} in this hand; {seat['state']}"
        )
    return lines


def _history_lines(turn: Turn) -> list[str]:
    history, big_blind = turn["history"], turn["big_blind"]
    if history is None:
        return ["not known"]
    skip = max(len(history) - MOST_ACTIONS, 0)
    lines = [f"({skip} earlier actions are left out)"] if skip > 0 else []
    for street, events in events_by_street(history):
        words = []
        for event, opens in events[skip:]:
            own = event["seat"] == turn["seat"]
            action = action_text(event, opens=opens, own=own, big_blind=big_blind)
            words.append(f"{'you' if own else 'seat ' + str(event['seat'])} {action}")
        skip = max(skip - len(events), 0)
        if words:
            lines.append(f"{street}: {', '.join(words)}")
    return lines or ["none yet"]


def _legal_lines(turn: Turn) -> list[str]:
    own, big_blind = turn["seats"][turn["seat"]], turn["big_blind"]
    to_call = turn["to_call"]
    lines = ["- check"]
    if to_call > 0:
        all_in, pot = "", turn["pot"] + to_call
        if to_call == own["stack"]:  # excess bets of opponents are not part of its pot
            all_in, reach = ", all-in", own["in_pot"] + to_call
            pot = to_call + sum(min(seat["in_pot"], reach) for seat in turn["seats"] if seat)
        lines = [
            "- fold",
            f"- call {in_chips(to_call, big_blind)}{all_in}: you play for a pot of {pot} then, so "
            f"it pays from {100 * to_call / pot:.1f} % equity",
        ]
    least, most = turn["min_raise_to"], turn["max_raise_to"]
    if least > 0:
        amount = f"to {in_chips(most, big_blind)}"
        if least < most:
            amount = f"to any whole number from {in_chips(least, big_blind)} {amount}"
        all_in = ", which is all-in" if most == own["bet"] + own["stack"] else ""
        lines.append(f"- raise {amount}{all_in}")
    return lines


class TextObservations(BaseWrapper[str, dict[str, Any], Any]):
    """Wrapper that replaces the observation vector with the turn as text; the action mask remains.

    The text is that of chat players, see ``turn_text``. It is empty for an agent that is not to
    act.

    Args:
        env: ``nlhe_env.env(...)`` or ``raw_env(...)``. With ``actions="chips"``, an action is the
            amount to raise to.
        rules: Whether every text begins with the rules.

    Raises:
        ValueError: ``env`` is not an environment of ``nlhe_env``.

    >>> import nlhe_env
    >>> env = TextObservations(nlhe_env.env(num_players=2, mode="cash", actions="chips"))
    >>> env.reset(seed=7)
    >>> env.last()[0]["observation"].splitlines()[0]
    'Hand 1, preflop. Blinds 10/20.'
    """

    def __init__(self, env: Any, *, rules: bool = False) -> None:
        super().__init__(env)
        game = env.unwrapped
        if not isinstance(game, raw_env):
            raise ValueError(f"TextObservations needs an environment of nlhe_env; got {env!r}")
        self._game = game
        self._rules = rules_text(game.game.betting, game.game.mode) + "\n\n" if rules else ""
        text = spaces.Text(LONGEST_TEXT, min_length=0, charset=string.printable)
        self._spaces = {
            agent: spaces.Dict(
                {"observation": text, "action_mask": env.observation_space(agent)["action_mask"]}
            )
            for agent in env.possible_agents
        }
        self._follower: HandFollower | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """``{"observation": Text, "action_mask": ...}``."""
        return self._spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """The turn as text, and the action mask."""
        text = ""
        if agent == self._game.agent_selection and self._is_asked and self._follower is not None:
            text = self._rules + turn_text(describe_turn(self._game, self._follower.history))
        return {**(self.env.observe(agent) or {}), "observation": text}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """See ``raw_env.reset``."""
        self.env.reset(seed=seed, options=options)
        self._follower = HandFollower(self._game, dict.fromkeys(self._game.possible_agents))
        self._look()

    def step(self, action: Any) -> None:
        """See ``raw_env.step``."""
        if self._is_asked and self._follower is not None:
            self._follower.before_step(action)
        self.env.step(action)
        self._look()

    @property
    def _is_asked(self) -> bool:
        """Whether an agent is to act and has not terminated."""
        game, agent = self._game, self._game.agent_selection
        return bool(game.agents) and not (game.terminations[agent] or game.truncations[agent])

    def _look(self) -> None:
        """Start the history of a new hand."""
        if self._is_asked and self._follower is not None:
            self._follower.before_decision()
