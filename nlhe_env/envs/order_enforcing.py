"""The environment ``nlhe_env.env``, which checks the calls of its user.

PettingZoo's stock wrappers do the same for about 55 microseconds a step, several times a whole step
of this environment; built in, the checks cost next to nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo.utils.env import AECIterable, AECIterator

from nlhe_env.envs.aec import Seen, raw_env
from nlhe_env.errors import IllegalActionError
from nlhe_env.game.description import Game
from nlhe_env.jit.array_types import U8


class env(raw_env):  # noqa: N801  (PettingZoo's name for it)
    """No-Limit Texas Hold'em as a PettingZoo AEC environment.

    ===========  ==================================================================================
    Creation     ``nlhe_env.env()``, or ``pettingzoo.make("aec", "nlhe/NoLimitHoldem-v0")``
    Agents       ``player_0`` ... ``player_{n-1}``, fixed to seats (several tables: seats are drawn)
    Actions      ``Discrete``, see ``actions`` below
    Observation  ``{"observation": float32 vector, "action_mask": int8 vector}``
    Reward       at the end of every hand, see ``reward`` below
    Episode      a tournament until one player has all chips, or some hands of a cash game
    ===========  ==================================================================================

    An action that is not legal ends the episode with a penalty for the offender, its stack at the
    start of the hand (-1 with ``reward="place"``), as PettingZoo's stock wrapper does; calls in the
    wrong order are refused. ``raw_env`` raises ``IllegalActionError`` instead and leaves the state
    as it was.

    Args:
        num_players: 2 or more. More than ``table_size`` play a multi-table tournament.
        game: A ``Game`` that replaces ``table_size`` to ``num_hands``, ``betting`` to ``runs`` and
            ``reward`` (its ``score``).
        table_size: Seats a table, 2 to 10.
        starting_stack: Chips at the start, one number for all or one for each player; when not
            given, 1,000 in tournaments and 100 big blinds in cash games.
        blinds: A ``BlindSchedule``, ``(small, big)`` or ``(small, big, ante)`` in chips; the
            published schedule when not given.
        mode: ``"tournament"``: stacks carry over and players without chips are out. ``"cash"``:
            stacks are reset before every hand.
        num_hands: Hands (rounds of all tables) of an episode: in cash games 1 when not given; a
            tournament is truncated after so many.
        actions: Pot fractions such as ``(0.5, 1.0)``: 0 fold, 1 check or call, then a raise by
            each fraction of the pot after calling, last all-in. ``"chips"``: 0 fold, 1 check or
            call, n >= 2 raise to n. ``"sized"``: fold, call, small, medium, large raise, the
            amount drawn by the published bet-size rule. Sizes outside the legal range and
            duplicates are masked.
        observation: ``"cards"``: all that a player may know
            (``nlhe_env.spaces.cards_observation``). ``"features"``: the 35 published inputs, raw
            chips; ``"features_scaled"``: the same, scaled; ``"features_opponents"``: 40 more on how
            all players have played (``nlhe_env.spaces.features``). ``"features_unit"``: the same
            information in bounded numbers of order one (``nlhe_env.spaces.unit_features``).
            ``"features_core"``: ten numbers for small networks
            (``nlhe_env.spaces.core_features``). ``"features_cash"``: fourteen for cash games
            (``nlhe_env.spaces.cash_features``).
        reward: ``"chips"``: what the hand won or lost; ``"big_blinds"``: the same in big blinds of
            that hand; ``"place"`` (tournaments): once, when a player is out, from 1 for the first
            place down to -1 for the last; players out together share the mean.
        betting: ``"no-limit"``; ``"pot-limit"``: at most the pot after calling is added to a bet;
            ``"fixed-limit"``: bets of one big blind, of two on turn and river.
        max_bets: In fixed-limit, bets and raises a street, the big blind included. ``None``: no
            cap in heads-up hands, four in others.
        straddle: ``"under the gun"`` or ``"button"``: who puts in two big blinds before the deal
            in every hand of at least three players and is the last to act before the flop.
        rake: A ``Rake``: what the house takes out of the pots of a cash game.
        runs: 2: run it twice. When no player can bet any more, what is left of the board is dealt
            twice, and each board decides about half of every pot.
        infos: ``"flat"``: the facts of the turn as numbers, the same keys for all agents at all
            times, zeros for those who wait, so that training libraries can stack them.
            ``"full"``: the same with street, board and cards in words, and the result of the last
            hand; nothing for those who wait before it. ``"none"``: nothing, a little faster.
        render_mode: ``"ansi"``: ``render()`` returns text; ``"rgb_array"``: a picture;
            ``"human"``: a window shows every decision and the end of every hand.
        render_size: Width and height of the picture or window in pixels.
        record: Where finished hands go: the path of a ``.phhs`` file to append to, a function, or
            a list (see ``nlhe_env.hand_history``).

    Raises:
        ValueError: An argument is out of range; the message names it and what is allowed.

    >>> poker = env(num_players=3, mode="cash")
    >>> poker.reset(seed=7)
    >>> observation, reward, termination, truncation, info = poker.last()
    >>> info["to_call"], info["min_raise_to"], info["max_raise_to"]
    (20, 40, 2000)

    Version history: v0, the first.
    """

    _has_updated = False

    def __getattr__(self, name: str) -> Any:
        if name in {"agents", "rewards", "terminations", "truncations", "infos", "agent_selection"}:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def begin_episode(
        self,
        seed: int,
        episode: int = 0,
        *,
        decisions: int | None = None,
        seating: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Start an episode by its number; see ``raw_env.begin_episode``."""
        self._has_updated = True
        super().begin_episode(seed, episode, decisions=decisions, seating=seating, options=options)

    def step(self, action: Any) -> None:
        """Take the action of ``agent_selection``, or end the episode if it is illegal."""
        if not self._has_reset:
            raise RuntimeError("reset() must be called before step()")
        self._has_updated = True
        if not self.agents:
            warnings.warn("step() after the end of the episode; call reset()", stacklevel=2)
            return
        try:
            super().step(action)
        except IllegalActionError as error:
            warnings.warn(f"illegal action, the episode ends: {error.problem}", stacklevel=2)
            self.abort(self.agent_selection, illegal_action_reward(self, self.agent_selection))

    def observe(self, agent: str) -> Seen:
        """See ``raw_env.observe``."""
        if not self._has_reset:
            raise RuntimeError("reset() must be called before observe()")
        return super().observe(agent)

    def render(self) -> str | U8 | None:
        """See ``raw_env.render``."""
        if not self._has_reset:
            raise RuntimeError("reset() must be called before render()")
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Seen, Any]:
        """The agents in turn; every turn must end with ``step()``."""
        if not self._has_reset:
            raise RuntimeError("reset() must be called before agent_iter()")
        return _Turns(self, max_iter)


def illegal_action_reward(game: raw_env, offender: str) -> float:
    """Penalty for an illegal action: the stack at the start of the hand, or the last place."""
    seat = game.players["seat"][game.possible_agents.index(offender)]
    return illegal_action_cost(game.game, game.table, seat)


def illegal_action_cost(game: Game, table: np.void, seat: int) -> float:
    """Penalty for an illegal action of the player in a seat; see ``illegal_action_reward``."""
    if game.score == "place":
        return -1.0
    chips = -int(table["starting_stack"][seat])
    return chips / int(table["big_blind"]) if game.score == "big_blinds" else chips


class _Turns(AECIterable[str, Seen, Any]):
    def __iter__(self) -> _TurnIterator:
        return _TurnIterator(self.env, self.max_iter)


class _TurnIterator(AECIterator[str, Seen, Any]):
    def __next__(self) -> str:
        agent: str = super().__next__()
        if not self.env._has_updated:
            raise RuntimeError("call step() or reset() in every turn of a loop over agent_iter()")
        self.env._has_updated = False
        return agent
