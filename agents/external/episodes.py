"""Environment episodes with any mix of compiled and Python players."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.external import hooks as hands
from agents.external.chips import (
    ChipPlayer,
    checked_answer,
    describe_turn,
    game_action_of,
    id_of,
    whole_id,
)
from agents.external.known_games import check_knows_game
from agents.external.player_lifecycle import as_players, take_seats
from agents.external.space_adapter import SpaceAdapter
from agents.policy import action_probabilities
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.env_opponents import EnvOpponents
from agents.policy.explanations import DecisionContext, Explanation, explain
from agents.policy.player_batch import WorkArrays
from nlhe_env.arguments import one_of
from nlhe_env.envs.aec import raw_env
from nlhe_env.game.description import GameArrays
from nlhe_env.jit.array_types import F64, I8, I64, Records
from nlhe_env.spaces.actions import SIZED


class Lineup:
    """Players of an environment, by agent.

    Compiled players read the table directly, so they play in an environment with any observation
    and action encoding. Players that bet in chips get ``agents.external.chips.describe_turn``. In
    pot fractions, raises of both become the nearest legal ones. Other players get the environment's
    observation, or the one that they declare (``agents.external.space_adapter``), and full infos.

    Args:
        env: ``nlhe_env.env(...)`` or ``raw_env(...)``.
        players: Players by agent name, as objects or as names for ``agents.make``. The caller acts
            for agents without a player.

    Raises:
        ValueError: An agent does not exist, an object is not a player, a player does not know the
            game, or it bets amounts in an environment that draws them itself.
        RuntimeError: A player refuses to play, such as a program that does not start.
    """

    def __init__(
        self, env: raw_env, players: Mapping[str, Player | str | os.PathLike[str]]
    ) -> None:
        for agent in players:
            one_of("an agent of players", agent, env.possible_agents)
        seated = dict(zip(players, as_players(players.values()), strict=True))
        if env.encoding.kind == SIZED:
            for agent, player in seated.items():
                if isinstance(player, ChipPlayer):
                    raise ValueError(
                        f'{agent} returns chips: use actions="chips" or pot fractions; in '
                        'actions="sized" the environment draws the amounts'
                    )
        self._forms = {
            agent: SpaceAdapter.of(player, env)
            for agent, player in seated.items()
            if not isinstance(player, (CompiledPlayer, ChipPlayer))
        }
        take_seats(seated.values())
        for player in seated.values():
            if not isinstance(player, CompiledPlayer):
                check_knows_game(player, env.game, env.num_players, env.observation.name)
        self._env = env
        self.players: Mapping[str, Player] = seated
        self.history: list[dict[str, Any]] | None = None
        """The actions of the hand, where a player follows them; see ``agents.external.hooks``."""
        self.compiled = frozenset(
            agent for agent, player in seated.items() if isinstance(player, CompiledPlayer)
        )
        """The agents that kernels play."""
        self._seats = EnvOpponents(env, seated)
        self._seats.sit_down(env)

    @property
    def work(self) -> WorkArrays:
        """Work arrays with the view and choices of the last compiled decision."""
        return self._seats.work

    def explanation(self) -> Explanation | None:
        """Explanation of the compiled player's last decision, before the action is executed."""
        player = self.players[self._env.agent_selection]
        if not isinstance(player, CompiledPlayer):
            return None
        number = self._env.possible_agents.index(self._env.agent_selection)
        tables = np.array([self._env.table])
        return explain(player, DecisionContext(number, tables, self._seats.for_kernels))

    def sit_down(self) -> None:
        """Listen to the environment again, if other players have been seated since."""
        self._seats.sit_down(self._env)

    def action(self) -> int:
        """Action id chosen by the player to act.

        Raises:
            IllegalActionError: The answer is not an action. Legality is checked by ``env.step``.
        """
        agent = self._env.agent_selection
        return whole_id(self.answer(), getattr(self.players[agent], "name", agent))

    def answer(self) -> Any:
        """Answer of the player to act, an action id if it is valid.

        Raises:
            IllegalActionError: A player that answers in chips returned no action.
        """
        env = self._env
        if env.agent_selection in self.compiled:
            return self._seats.action(env)
        player = self.players[env.agent_selection]
        if isinstance(player, ChipPlayer):
            name = getattr(player, "name", env.agent_selection)
            turn = describe_turn(env, self.history)
            action = game_action_of(turn, checked_answer(player.decide(turn), name))
            return int(id_of(env.game_record, env.tables, env.encoding.kind, env.fractions, action))
        form = self._forms[env.agent_selection]
        if form is not None:
            return form.ask(player)
        return player.act(env.observe(env.agent_selection), env.full_info())

    def policy(self) -> F64:
        """Action probabilities of the player to act, which must be compiled.

        Returns:
            ``(5,)`` probabilities of fold, call, small, medium and large raise, as in
            ``actions="sized"``. For players that answer with amounts, a raise counts for the
            nearest size.
        """
        return action_probabilities.policy(self._seats.batch, *self._spot())

    def policy_of_hands(self, dead: str = "") -> F64:
        """``policy`` for all possible hands of the player to act.

        Args:
            dead: Cards excluded from its hand, besides the open board.

        Returns:
            ``(1326, 5)`` probabilities, with the hand of cards a > b at C(a, 2) + b; zeros for
            hands with a known card.
        """
        return action_probabilities.policy_of_hands(self._seats.batch, *self._spot(), dead)

    def _spot(self) -> tuple[int, np.void, Records, WorkArrays]:
        """Player to act, its table, the player records, and the work arrays with memories."""
        env = self._env
        if env.agent_selection not in self.compiled:
            raise ValueError(f"{env.agent_selection} is not a compiled player: it has no policy")
        number = env.possible_agents.index(env.agent_selection)
        return number, env.table, env.players, self.work

    def play_on(self, arrays: GameArrays, mask: I8, facts: I64) -> int:
        """Let compiled players act until another player is to act, or a hand ends.

        Args:
            arrays: Arrays of the environment's game; a compiled player is to act.
            mask: Mask of legal actions, written as by ``nlhe_env.envs.step_kernels.step``.
            facts: Facts of the decision, written like ``mask``.

        Returns:
            The last event from ``nlhe_env.envs.step_kernels.step``.
        """
        return self._seats.play_on(arrays, mask, facts)


def play_episode(
    env: raw_env,
    players: Mapping[str, Player | str | os.PathLike[str]],
    *,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> dict[str, float]:
    """Reset the environment and play one episode.

    Players with hooks are notified of events, see ``agents.external.hooks``.

    Args:
        env: ``nlhe_env.env(...)`` or ``raw_env(...)``.
        players: A player for each agent name, as in a ``Lineup``.
        seed: See ``raw_env.reset``.
        options: See ``raw_env.reset``.

    Returns:
        The sum of rewards of every agent.

    Raises:
        ValueError: An agent has no player, or its player does not support the environment or acts
            illegally (in ``nlhe_env.env``, that ends the episode with its penalty).
        RuntimeError: A player refuses to play, such as a program that does not start.
    """
    missing = [agent for agent in env.possible_agents if agent not in players]
    if missing:
        raise ValueError(f"every agent needs a player; none was given for {', '.join(missing)}")
    lineup = Lineup(env, players)
    env.reset(seed=seed, options=options)
    return finish_episode(env, lineup)


def finish_episode(env: raw_env, lineup: Lineup) -> dict[str, float]:
    """Play a newly started episode to its end.

    Args:
        env: Environment of the lineup.
        lineup: A player for every agent.

    Returns:
        The sum of rewards of every agent.
    """
    follower = hands.follow(env, lineup.players)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        agent = env.agent_selection
        totals[agent] += env.last(observe=False)[1]
        if env.terminations[agent] or env.truncations[agent]:
            if follower is not None:
                follower.leave(agent, totals[agent])
            env.step(None)
        elif follower is None:
            env.step(lineup.action())
        else:
            _step_followed(env, lineup, follower)
    return totals


def _step_followed(env: raw_env, lineup: Lineup, follower: hands.HandFollower) -> None:
    """Take one action of the player to act and call the hooks."""
    follower.before_decision()
    lineup.history = follower.history
    action_id = lineup.action()
    follower.before_step(action_id)
    env.step(action_id)
    follower.after_step()
