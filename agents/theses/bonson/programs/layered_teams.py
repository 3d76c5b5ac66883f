"""A team of teams for heads-up fixed-limit: programs bid for teams, and the chosen team decides.

Source: the code published with J. P. C. Bonson, *Diversity and Novelty as Objectives in Poker* (MCS
thesis, Dalhousie University, 2016). The lower teams come from a finished evolution and no longer
change; only the chosen one runs its programs.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import EventRecord
from agents.policy.kinds import Kind, register_kind
from agents.policy.view import Parameters, View, offer
from agents.theses.bonson.programs.instructions import Program
from agents.theses.bonson.programs.limit_teams import (
    ALL_LEGAL,
    PROGRAMS,
    SCRATCH_NUMBERS,
    TEAMS,
    RemembersOpponent,
    bids_of,
    check_tables,
    check_teams,
    highest_bid,
    let_bid,
    look,
    may_raise,
    memory_of,
    packed,
    remember,
    team_after,
    unpacked,
)
from agents.theses.bonson.programs.team_players import Bid, checked_mask
from nlhe_env.jit.array_types import F32, I8, AnyArray, Int, Truth
from nlhe_env.jit.compilation import kernel


@kernel
def _chosen(weights: F32, memory: F32) -> tuple[Int, Int]:
    """Offsets in weights and memory of the team chosen by the highest bid of the upper programs."""
    at: Int
    place: Int
    at, place = TEAMS, PROGRAMS
    _, team = highest_bid(weights, at, memory, place, ALL_LEGAL)
    for _ in range(1 + team):  # the upper programs come first
        at, place = team_after(weights, at, place)
    return at, place


@kernel
def let_layers_bid(weights: F32, memory: F32, may_raise: Truth) -> None:
    """Let the upper programs choose a team and run its programs, as ``let_bid`` does."""
    let_bid(weights, TEAMS, memory, PROGRAMS, True)
    at, place = _chosen(weights, memory)
    let_bid(weights, at, memory, place, may_raise)


@kernel
def layers_action(weights: F32, memory: F32, mask: I8) -> Int:
    """Action of the chosen team."""
    at, place = _chosen(weights, memory)
    _, action = highest_bid(weights, at, memory, place, mask)
    return action


@kernel
def layered_team_on_event(
    parameters: Parameters, memory: F32, view: View, event: EventRecord
) -> None:
    """Event handler: update the memory; on the player's turn, choose a team and let it bid."""
    if remember(parameters, memory, view, event):
        look(parameters, memory, view)
        let_layers_bid(parameters.weights, memory, may_raise(view.table))


@kernel
def layered_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action of the chosen team."""
    offer(view, layers_action(parameters.weights, memory, view.choices.mask), 1.0)


class LayeredTeamPlayer(RemembersOpponent):
    """A team whose programs bid for other teams; the chosen team decides.

    Args:
        programs: 1 to 64 programs, whose actions are team numbers.
        teams: 1 to 256 teams, each as for ``LimitTeamPlayer``.
        name: Name for tables and plots.
        origin: Origin as plain values.

    Raises:
        ValueError: There are too few or too many programs or teams, or a program is invalid.
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
        super().__init__(name, LAYERED_TEAM, weights, sizes=sizes, origin=origin, checked=True)

    @functools.cached_property
    def _layers(self) -> tuple[tuple[Program, ...], ...]:
        return unpacked(self.weights)

    @property
    def programs(self) -> tuple[Program, ...]:
        """The programs that bid for teams, without their introns."""
        return self._layers[0]

    @property
    def teams(self) -> tuple[tuple[Program, ...], ...]:
        """The teams, without introns."""
        return self._layers[1:]

    def bids_in(self, memory: F32, mask: AnyArray) -> tuple[list[Bid], int, list[Bid]]:
        """Last bids, from the player's row of memory.

        Args:
            memory: Memory of this player.
            mask: ``(5,)`` mask, 1 for legal actions.

        Returns:
            The bids for teams, the number of the chosen team, and the bids of its programs.

        Raises:
            ValueError: The row is too short, or the mask has another shape.
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
        player_class=LayeredTeamPlayer,
        explained_by="agents.theses.bonson.programs.explain",
    )
)
