"""Episodes of the environment with any mix of players, compiled or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents import choice
from agents.players import Agent, CompiledPlayer, Field, WorkArrays, pack
from nlhe_env.aec import raw_env
from nlhe_env.equity import load_tables


def play_episode(
    env: raw_env,
    players: Mapping[str, Agent],
    *,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> dict[str, float]:
    """Reset the environment and play one episode.

    Compiled players look at the table itself, so that they play in an environment with any
    observation and any action encoding (in pot fractions, a raise goes to the nearest legal one);
    other agents get what ``env.last()`` returns.

    Args:
        env: ``nlhe_env.env(...)`` or ``raw_env(...)``.
        players: One for each agent name.
        seed: See ``raw_env.reset``.
        options: See ``raw_env.reset``.

    Returns:
        The sum of rewards of every agent.

    Raises:
        ValueError: An agent has no player.
    """
    missing = [agent for agent in env.possible_agents if agent not in players]
    if missing:
        raise ValueError(f"every agent needs a player; none was given for {', '.join(missing)}")
    env.reset(seed=seed, options=options)
    field = pack([_compiled_or_stand_in(players[agent]) for agent in env.possible_agents])
    work = WorkArrays.new()
    totals = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            totals[agent] += env._cumulative_rewards[agent]
            env.step(None)
            continue
        totals[agent] += env._cumulative_rewards[agent]
        player = players[agent]
        if isinstance(player, CompiledPlayer):
            env.step(compiled_action(env, field, work))
        else:
            observation, _, _, _, info = env.last()
            env.step(player.act(observation or {}, info))
    return totals


def compiled_action(env: raw_env, field: Field, work: WorkArrays) -> int:
    """The action id of the player to act, decided by the kernels on the table itself."""
    return int(
        choice.decide_in(
            env.game,
            env.tables,
            env.players,
            field.arrays,
            load_tables(),
            work,
            env.encoding.kind,
            env.fractions,
        )
    )


def _compiled_or_stand_in(player: Agent) -> CompiledPlayer:
    """A compiled player itself; for another agent one that is never asked."""
    if isinstance(player, CompiledPlayer):
        return player
    return CompiledPlayer("stand-in", choice.CALLER)
