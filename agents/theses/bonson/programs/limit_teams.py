"""Teams for heads-up fixed-limit that remember their opponent, as players.

They read the 14 inputs of ``opponent_model``, and their programs' registers persist for a hand. The
event handler runs the programs when it is the player's turn; the policy reads the bids from memory.
Several teams may play together with one vote each.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from agents.exploitability.hand_metrics import DEAL, preflop_metrics
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import EventRecord
from agents.policy.kinds import Kind, make_sizes, register_kind, row, whole_weight
from agents.policy.view import Parameters, View, offer
from agents.theses.bonson.programs.instructions import N_REGISTERS, Program
from agents.theses.bonson.programs.limit_bidding import (
    INPUTS,
    OF_PROGRAM,
    PROGRAMS,
    SCRATCH_NUMBERS,
    TABLE,
    TEAMS,
    highest_bid,
    let_bid,
    look,
    may_raise,
    remember,
    team_after,
)
from agents.theses.bonson.programs.opponent_model import INPUT_NAMES, N_INPUTS
from agents.theses.bonson.programs.team_players import (
    Bid,
    check_programs,
    checked_mask,
    from_weights,
    n_weights,
    to_weights,
)
from nlhe_env.arguments import whole_number
from nlhe_env.game.action_kinds import CALLS, FOLDS, RAISES
from nlhe_env.game.table import FIXED_LIMIT
from nlhe_env.jit.array_types import F32, I64, AnyArray, Int, Records
from nlhe_env.jit.compilation import kernel

MOST_TEAMS = 256


@kernel
def limit_team_on_event(
    parameters: Parameters, memory: F32, view: View, event: EventRecord
) -> None:
    """Event handler: update the memory; on the player's turn, let the programs bid."""
    if remember(parameters, memory, view, event):
        weights = parameters.weights
        look(parameters, memory, view)
        at: Int
        place: Int
        at, place = TEAMS, PROGRAMS
        for _ in range(np.int64(weights[TABLE])):
            at, place = let_bid(weights, at, memory, place, may_raise(view.table))


@kernel
def limit_policy(parameters: Parameters, memory: F32, view: View) -> None:
    """Offer the action that most teams vote for.

    Ties are won by check or call, then by raise.
    """
    weights = parameters.weights
    folds, calls, raises = 0, 0, 0
    at: Int
    place: Int
    at, place = TEAMS, PROGRAMS
    for _ in range(np.int64(weights[TABLE])):
        _, action = highest_bid(weights, at, memory, place, view.choices.mask)
        at, place = team_after(weights, at, place)
        folds += action == FOLDS
        calls += action == CALLS
        raises += action == RAISES
    choice = np.int64(CALLS)
    if raises > calls or folds > calls:
        choice = np.int64(RAISES if raises >= folds else FOLDS)
    offer(view, choice, 1.0)


def check_tables(tables: Records) -> None:
    """Check that tables are heads-up fixed-limit.

    Raises:
        ValueError: The game is not heads-up fixed-limit.
    """
    if (tables["betting"] != FIXED_LIMIT).any() or (tables["seats"] != 2).any():
        raise ValueError('a limit team plays heads-up with betting="fixed-limit" only')


class RemembersOpponent(CompiledPlayer):
    """A player of fixed-limit teams with a memory of its opponent.

    Attributes:
        inputs_are: Names of the inputs.
    """

    inputs_are = INPUT_NAMES

    def inputs_in(self, memory: F32) -> F32:
        """``(14,)`` float32 inputs of the last decision, from the player's row of memory.

        Raises:
            ValueError: The row is too short.
        """
        self._check_memory(memory)
        return np.asarray(memory[INPUTS : INPUTS + N_INPUTS].copy())

    def _check_memory(self, memory: F32) -> None:
        needed = memory_of(self.sizes)
        if np.ndim(memory) != 1 or len(memory) < needed:
            raise ValueError(
                f"memory must be a row of at least {needed} numbers; got shape {np.shape(memory)}"
            )


class LimitTeamPlayer(RemembersOpponent):
    """A team of programs for heads-up fixed-limit that remembers its opponent.

    Args:
        programs: 1 to 64 programs with actions 0 (fold), 1 (check or call) and 2 (raise) and the
            inputs ``inputs_are``.
        name: Name for tables and plots.
        origin: Origin as plain values.

    Raises:
        ValueError: There are too few or too many programs, or one has an unknown action or input.
    """

    def __init__(
        self,
        programs: Iterable[Program],
        *,
        name: str = "limit-team",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        programs = tuple(programs)
        weights, sizes = packed([programs])
        super().__init__(name, LIMIT_TEAM, weights, sizes=sizes, origin=origin, checked=True)

    @classmethod
    def restore(cls, **saved: Any) -> Any:
        """See ``CompiledPlayer``; several teams become a voting player."""
        if len(unpacked(saved["weights"])) > 1:
            return VotingPlayer.restore(**saved)
        return super().restore(**saved)

    @functools.cached_property
    def programs(self) -> tuple[Program, ...]:
        """The programs without introns."""
        return from_weights(self.weights[TEAMS:])

    def bids_in(self, memory: F32, mask: AnyArray) -> list[Bid]:
        """Last bids of the programs, from the player's row of memory.

        Args:
            memory: Memory of this player.
            mask: ``(5,)`` mask, 1 for legal actions.

        Raises:
            ValueError: The row is too short, or the mask has another shape.
        """
        self._check_memory(memory)
        return bids_of(self.programs, memory, PROGRAMS, checked_mask(mask))

    def __str__(self) -> str:
        return "\n".join(map(str, self.programs))


class VotingPlayer(RemembersOpponent):
    """Several limit teams that vote and share one memory of the opponent.

    Args:
        teams: 1 to 256 teams, each as for ``LimitTeamPlayer``.
        name: Name for tables and plots.
        origin: Origin as plain values.

    Raises:
        ValueError: There are too few or too many teams, or one is invalid.
    """

    def __init__(
        self,
        teams: Iterable[Sequence[Program]],
        *,
        name: str = "limit-vote",
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        weights, sizes = packed([tuple(team) for team in teams])
        super().__init__(name, LIMIT_TEAM, weights, sizes=sizes, origin=origin, checked=True)

    @functools.cached_property
    def teams(self) -> tuple[tuple[Program, ...], ...]:
        """The teams without introns."""
        return unpacked(self.weights)

    def votes_in(self, memory: F32, mask: AnyArray) -> list[list[Bid]]:
        """Last bids of each team's programs, as in ``LimitTeamPlayer.bids_in``."""
        self._check_memory(memory)
        mask = checked_mask(mask)
        found, place = [], PROGRAMS
        for team in self.teams:
            found.append(bids_of(team, memory, place, mask))
            place += OF_PROGRAM * len(team)
        return found

    def __str__(self) -> str:
        return "\n".join(f"team {i}\n{_text(team)}" for i, team in enumerate(self.teams))


def _text(team: Sequence[Program]) -> str:
    return "\n".join(map(str, team))


def bids_of(team: Sequence[Program], memory: F32, place: Int, mask: AnyArray) -> list[Bid]:
    """Last bids of a team whose first program is at offset ``place`` of the memory."""
    bids = memory[place + N_REGISTERS :: OF_PROGRAM].tolist()
    return [
        Bid(program, bid, bool(mask[program.action]))
        for program, bid in zip(team, bids, strict=False)
    ]


def check_team(team: Sequence[Program], n_actions: int = RAISES + 1) -> None:
    """Check the programs of a fixed-limit team.

    Raises:
        ValueError: There are too few or too many programs, or one has an unknown action or input.
    """
    check_programs(team, n_actions, N_INPUTS)


def packed(
    teams: Sequence[tuple[Program, ...]], above: tuple[Program, ...] | None = None
) -> tuple[F32, I64]:
    """Weights and sizes of teams, and of upper programs that bid for them."""
    whole_number("number of teams", len(teams), least=1, most=MOST_TEAMS)
    for team in teams:
        check_team(team)
    if above is not None:
        check_team(above, len(teams))
        teams = [above, *teams]
    weights = [preflop_metrics().ravel(), row(len(teams)), *map(to_weights, teams)]
    return np.concatenate(weights), make_sizes(len(teams), sum(map(len, teams)))


def unpacked(weights: F32) -> tuple[tuple[Program, ...], ...]:
    """The teams from ``packed``, with any upper programs first.

    Raises:
        ValueError: The weights do not describe teams.
    """
    teams, at = list[tuple[Program, ...]](), TEAMS
    if len(weights) <= TABLE:
        raise ValueError(f"weights do not describe teams: there are only {len(weights)}")
    for _ in range(whole_weight(weights, TABLE, MOST_TEAMS + 1)):
        team = from_weights(weights[at:])
        teams.append(team)
        at += n_weights(team)
    return tuple(teams)


def check_deal(player: CompiledPlayer) -> None:
    """Check that a player has no book, or a record of dtype ``DEAL`` as its book.

    Raises:
        ValueError: The book is something else.
    """
    if player.book is not None and len(player.book) != DEAL.itemsize:
        raise ValueError(f"book must be none, or {DEAL.itemsize} bytes; got {len(player.book)}")


def check_teams(player: CompiledPlayer, *, layered: bool) -> None:
    """Check that a player's weights and sizes describe teams.

    Raises:
        ValueError: They do not.
    """
    check_deal(player)
    teams = unpacked(player.weights)
    whole_number("number of teams", len(teams), least=1 + layered, most=MOST_TEAMS + layered)
    for i, team in enumerate(teams):
        if layered and i == 0:
            check_team(team, len(teams) - 1)
        else:
            check_team(team)
    sizes = make_sizes(len(teams), sum(map(len, teams)))
    if (player.sizes != sizes).any():
        raise ValueError(f"sizes must be {sizes.tolist()}; got {player.sizes.tolist()}")


def _check_player(player: CompiledPlayer) -> None:
    check_teams(player, layered=False)


def memory_of(sizes: I64) -> int:
    """Length of the memory of a player with these sizes."""
    return PROGRAMS + OF_PROGRAM * int(sizes[1])


LIMIT_TEAM = register_kind(
    Kind(
        "limit-team",
        limit_policy,
        wants="table",
        on_event=limit_team_on_event,
        memory=memory_of,
        scratch=SCRATCH_NUMBERS,
        checks=check_tables,
        checks_player=_check_player,
        two_calls=True,
        player_class=LimitTeamPlayer,
        explained_by="agents.theses.bonson.programs.explain",
    )
)
