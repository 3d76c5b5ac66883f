"""Step kernels for one learner in each of many games: observation, facts, mask, rewards.

The package of the opponents combines them (``nlhe_env.envs.opponents.OpponentGroup``), since this
package has no players.
"""

from __future__ import annotations

from typing import NamedTuple

from nlhe_env.envs.batch_kernels import BatchSettings, Outputs, give_places, next_episode, pay_hand
from nlhe_env.envs.decision_facts import write_all_facts
from nlhe_env.equity import StrengthTables
from nlhe_env.game.tournament import DRAWN, GAME_OVER, HAND_OVER, IN_ORDER
from nlhe_env.jit.array_types import I8, I64, Int, Records, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.spaces.actions import write_mask
from nlhe_env.spaces.observation import WRITER

call_observation = WRITER.call

# ``Learners`` flattens to 21 array arguments: inline the kernels that take it.

# Values of ``Learners.todo``.
REST = 0
ACT = 1  # the learner's action, which is legal
BEGIN = 2  # the next episode
GO_ON = 3  # a started episode

_CHECK_OR_CALL = 1  # the only id in the mask of an eliminated learner


class Learners(NamedTuple):
    """State of n games and their learners, shared with the opponents' kernels."""

    games: Records
    """``(n,)``."""
    tables: Records
    """``(n, n_tables)``."""
    players: Records
    """``(n, n_players)``."""
    settings: BatchSettings
    out: Outputs
    """Outputs for the learner; ``since_action`` holds its rewards since its last action."""
    learner: I64
    """``(n,)`` player number of the learner."""
    todo: I8
    """``(n,)`` next operation of each game."""
    action_ids: I64
    """``(n,)`` the learner's actions, for games in which it is to act."""
    strength_tables: StrengthTables


@inlined_kernel
def begin_episode(i: Int, of: Learners) -> None:
    """Start the next episode of game i, without dealing."""
    tables = of.tables[i]
    seating = DRAWN if len(tables) > 1 else IN_ORDER
    next_episode(of.games[i], tables, of.players[i], of.settings.levels, 1, seating)
    out = of.out
    out.since_action[i] = 0.0
    out.rewards[i] = 0.0
    out.places[i] = 0.0
    out.hands[i] = 0
    out.terminated[i] = False
    out.truncated[i] = False


@kernel
def begin_episodes(of: Learners) -> None:
    """Start the next episode of games with ``todo`` of ``BEGIN``, and set it to ``GO_ON``."""
    for i in range(len(of.todo)):
        if of.todo[i] == BEGIN:
            begin_episode(i, of)
            of.todo[i] = GO_ON


@inlined_kernel
def collect(i: Int, of: Learners) -> None:
    """Add the rewards of hands since the last decision to the learner's ``since_action``."""
    out = of.out
    if out.hands[i] > 0:
        out.since_action[i, of.learner[i]] += out.rewards[i, of.learner[i]]
        out.rewards[i] = 0.0
        out.hands[i] = 0


@inlined_kernel
def show_turn(i: Int, of: Learners) -> None:
    """Write facts, mask and observation of the learner to act in game i."""
    table = of.tables[i, of.games[i].table]
    write_all_facts(table, of.out.facts[i])
    write_mask(table, of.settings.encoding, of.settings.fractions, of.out.masks[i])
    _observe(i, of)


@inlined_kernel
def take_in(i: Int, event: Int, of: Learners) -> Truth:
    """Process a non-decision event of game i; True if the learner is done."""
    game, out, learner = of.games[i], of.out, of.learner[i]
    if event == HAND_OVER:
        table = of.tables[i, game.table]
        pay_hand(i, table, of.settings.reward, out)
        seat = of.players[i, learner].seat
        if not game.cash and table.player[seat] == learner and table.stack[seat] == 0:
            _observe(i, of)  # before its seat is freed or taken
        return False
    if not game.cash:
        give_places(i, game, of.players[i], of.settings.reward, out)
    if event == GAME_OVER:
        _observe(i, of)
        out.truncated[i] = not game.cash and game.live > 1
    elif out.places[i, learner] == 0.0:
        return False
    out.terminated[i] = not out.truncated[i]
    collect(i, of)
    out.facts[i] = 0
    out.masks[i] = 0
    out.masks[i, _CHECK_OR_CALL] = 1
    return True


@inlined_kernel
def _observe(i: Int, of: Learners) -> None:
    players = of.players[i]
    learner = players[of.learner[i]]
    call_observation(
        of.settings.observation,
        of.tables[i, learner.table],
        players,
        learner.seat,
        of.strength_tables,
        of.out.observations[i],
    )
