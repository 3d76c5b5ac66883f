"""A team of teams for heads-up fixed-limit: programs bid for teams, and the team that wins decides.

Source: the code published with J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS
thesis, Dalhousie University, 2016). Teams below are those of a finished evolution and no longer
change; only the one that is chosen runs its programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from agents.players.programs.instructions import N_REGISTERS, Program
from agents.players.programs.limit_bidding import (
    OF_PROGRAM,
    PROGRAMS,
    SCRATCH_NUMBERS,
    TEAMS,
    decided,
    let_bid,
    look,
    may_raise,
    remember,
)
from agents.players.programs.limit_teams import (
    RemembersOpponent,
    bids_of,
    check_tables,
    check_teams,
    memory_of,
    packed,
    unpacked,
)
from agents.players.programs.team_players import Bid, checked_mask
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.kinds import Kind, register_kind
from agents.policy.view import offer
from nlhe_env.jit.array_types import F32, I64, AnyArray
from nlhe_env.jit.compilation import kernel


@kernel
def _chosen(weights, memory):
    """Offsets in weights and memory of the team that the highest bid above is for."""
    at, place = TEAMS, PROGRAMS
    n_programs = np.int64(weights[at])
    at += 1
    team, highest = np.int64(-1), np.float32(0.0)
    for _ in range(n_programs):
        bid = memory[place + N_REGISTERS]
        if team < 0 or bid > highest:
            team, highest = np.int64(weights[at]), bid
        at += 2 + np.int64(weights[at + 1])
        place += OF_PROGRAM
    for _ in range(team):
        n_programs = np.int64(weights[at])
        at += 1
        for _ in range(n_programs):
            at += 2 + np.int64(weights[at + 1])
        place += OF_PROGRAM * n_programs
    return at, place


@kernel
def layered_team_on_event(parameters, memory, view, event):
    """Event handler: update the memory; on its own turn choose a team and let it bid."""
    if remember(memory, view, event):
        weights = parameters.weights
        look(weights, memory, view)
        let_bid(weights, TEAMS, memory, PROGRAMS, True)
        at, place = _chosen(weights, memory)
        let_bid(weights, at, memory, place, may_raise(view.table))


@kernel
def layered_policy(parameters, memory, view):
    """Offer the action of the team that is chosen."""
    at, place = _chosen(parameters.weights, memory)
    action, _, _ = decided(parameters.weights, at, memory, place, view.choices.mask)
    offer(view, action, 1.0)


class LayeredTeamPlayer(RemembersOpponent):
    """A team whose programs bid for other teams, of which the one that wins decides.

    Args:
        programs: 1 to 64 of them, whose actions are numbers of teams.
        teams: 1 to 256 teams, as ``LimitTeamPlayer`` takes them.
        name: For tables and plots.
        origin: Where it comes from; plain values.

    Attributes:
        programs: Without their introns.
        teams: The teams, without introns.

    Raises:
        ValueError: There are too few or too many, or a program is not possible.
    """

    def __init__(
        self,
        programs: Iterable[Program],
        teams: Iterable[Sequence[Program]],
        *,
        name: str = "layered-team",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        weights, sizes = packed([tuple(team) for team in teams], tuple(programs))
        super().__init__(name, LAYERED_TEAM, weights, sizes=sizes, origin=origin)
        self.programs, *below = unpacked(self.weights)
        self.teams = tuple(below)

    def bids_in(self, memory: F32, mask: AnyArray) -> tuple[list[Bid], int, list[Bid]]:
        """The last bids, from its row of memory.

        Args:
            memory: Memory of this player.
            mask: ``(5,)``, 1 for legal actions.

        Returns:
            The bids for teams, the number of the team that was chosen, and its bids.

        Raises:
            ValueError: The row is too short, or the mask is another.
        """
        self._check_memory(memory)
        mask = checked_mask(mask)
        above = bids_of(self.programs, memory, PROGRAMS, np.ones(len(self.teams)))
        team = max(above, key=lambda each: each.bid).program.action
        _, place = _chosen(self.weights, memory)
        return above, team, bids_of(self.teams[team], memory, place, mask)

    def __str__(self) -> str:
        text = "\n".join(map(str, self.programs)).replace("bids for", "bids for team")
        teams = ["\n".join([f"team {i}", *map(str, team)]) for i, team in enumerate(self.teams)]
        return "\n".join([text, *teams])


def _check_player(player: CompiledPlayer) -> None:
    check_teams(player, layered=True)


def _restore(weights: F32, sizes: I64, inputs: str, **traits: Any) -> LayeredTeamPlayer:
    programs, *teams = unpacked(weights)
    return LayeredTeamPlayer(programs, teams, **traits)


LAYERED_TEAM = register_kind(
    Kind(
        "layered-team",
        layered_policy,
        wants="table",
        on_event=layered_team_on_event,
        memory=memory_of,
        scratch=SCRATCH_NUMBERS,
        checks=check_tables,
        checks_player=_check_player,
        two_calls=True,
        restore=_restore,
        explained_by="agents.players.programs.explain",
    )
)
