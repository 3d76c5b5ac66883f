"""Teams for heads-up fixed-limit that remember their opponent, as players.

They read the 14 inputs of ``opponent_model``, and their programs' registers persist for a hand. The
event handler runs the programs when it is the player's turn; the policy reads the bids from memory.
Several teams may play together with one vote each.

Weights begin with the metrics of hole cards and the number of teams, followed by the teams. For
precomputed hands, the player's book is a record of dtype ``DEAL``. The memory holds the opponent
model, the inputs of the last decision, and six numbers per program: its registers and its last bid.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from agents.exploitability.hand_metrics import DEAL, hand_metrics, is_weak, preflop_metrics
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.events import ACTED, HAND_BEGINS, HAND_ENDS, SHOWN, EventRecord
from agents.policy.kinds import Kind, make_sizes, register_kind, row, whole_weight
from agents.policy.view import Parameters, View, offer
from agents.theses.bonson.programs.instructions import N_REGISTERS, Program, run_program
from agents.theses.bonson.programs.opponent_model import (
    INPUT_NAMES,
    MODEL,
    MOST,
    N_INPUTS,
    begin_hand,
    end_hand,
    note_action,
    note_shown,
    write_inputs,
)
from agents.theses.bonson.programs.team_players import (
    Bid,
    check_programs,
    checked_mask,
    from_weights,
    n_weights,
    to_weights,
)
from nlhe_env.arguments import whole_number
from nlhe_env.assessment.potential_kernels import SCRATCH, hand_strength
from nlhe_env.equity.tables.suits import N_PREFLOP
from nlhe_env.game.betting import CALLS, FOLDS, RAISES, action_kind_of, amount_to_call
from nlhe_env.game.dealing import hole_cards
from nlhe_env.game.table import FIXED_LIMIT, PREFLOP, RIVER, TableRecord
from nlhe_env.jit.array_types import F32, I8, I64, AnyArray, Float, Int, Records, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel
from nlhe_env.jit.record_pointers import record_pointer
from nlhe_env.spaces.actions import CALL_ID

MOST_TEAMS = 256
SCRATCH_NUMBERS = SCRATCH.itemsize // np.dtype(np.float32).itemsize
TABLE = 2 * N_PREFLOP
"""Offset of the number of teams in the weights."""
TEAMS = TABLE + 1
"""Offset of the first team in the weights."""
INPUTS = MODEL
PROGRAMS = INPUTS + N_INPUTS
"""Offsets of the inputs and of the first program in the memory."""
OF_PROGRAM = N_REGISTERS + 1
ALL_LEGAL: I8 = np.zeros(0, np.int8)
"""Mask for ``highest_bid`` with all actions legal."""
_SMALL_BETS = 24.0  # maximum loss per hand with four bets a round

_deal_at = record_pointer(DEAL)


@inlined_kernel
def _side(table: TableRecord, seat: Int) -> Int:
    """Side of a seat in a record of dtype ``DEAL``: 0 has the button."""
    return np.int64(seat != table.button)


@kernel
def own_metrics(parameters: Parameters, view: View) -> tuple[Float, Float]:
    """Strength and effective potential of the player's hand, see ``hand_metrics``."""
    table, seat = view.table, view.seat
    if parameters.traits.book != 0:
        deal, side = _deal_at(parameters.traits.book), _side(table, seat)
        strength, potential = deal.strength[side, table.street], deal.potential[side, table.street]
        return np.float64(strength), np.float64(potential)
    hole_0, hole_1 = hole_cards(table, seat)
    return hand_metrics(
        hole_0,
        hole_1,
        table.cards[2 * table.seats : 2 * table.seats + 5],
        table.street,
        parameters.weights,
        view.scratch[:SCRATCH_NUMBERS].view(SCRATCH)[0],
    )


@kernel
def _shown_strength(parameters: Parameters, table: TableRecord, seat: Int) -> Float:
    """Strength of a hand shown after the river."""
    if parameters.traits.book != 0:
        deal = _deal_at(parameters.traits.book)
        return np.float64(deal.strength[_side(table, seat), RIVER])
    board = table.cards[2 * table.seats : 2 * table.seats + 5]
    hole_0, hole_1 = hole_cards(table, seat)
    return hand_strength(hole_0, hole_1, board, 5, None)


@kernel
def look(parameters: Parameters, memory: F32, view: View) -> None:
    """Write the inputs of a decision."""
    table = view.table
    strength, potential = own_metrics(parameters, view)
    has_button = view.seat == table.button
    write_inputs(
        memory,
        strength,
        potential,
        amount_to_call(table),
        table.pot,
        has_button != (table.street == PREFLOP),
        table.street,
        memory[INPUTS : INPUTS + N_INPUTS],
    )


@kernel
def may_raise(table: TableRecord) -> Truth:
    """Whether the round's cap allows a raise; players are never all-in in these games."""
    return table.max_bets == 0 or table.bets < table.max_bets


@kernel
def let_bid(weights: F32, at: Int, memory: F32, place: Int, may_raise: Truth) -> tuple[Int, Int]:
    """Run the programs of a team; those for a raise run only if one is possible.

    Args:
        weights: Weights of the player.
        at: Offset of the team in the weights.
        memory: Memory of the player.
        place: Offset of the team's first program in the memory.
        may_raise: Whether a raise is possible.

    Returns:
        Offsets of the next team in weights and memory.
    """
    inputs = memory[INPUTS : INPUTS + N_INPUTS]
    n_programs = np.int64(weights[at])
    at += 1
    for _ in range(n_programs):
        length = np.int64(weights[at + 1])
        registers = memory[place : place + N_REGISTERS]
        if weights[at] != RAISES or may_raise:
            run_program(weights, at + 2, length, inputs, registers)
        memory[place + N_REGISTERS] = registers[0]
        at += 2 + length
        place += OF_PROGRAM
    return at, place


@kernel
def highest_bid(weights: F32, at: Int, memory: F32, place: Int, mask: I8) -> tuple[Int, Int]:
    """The program of a team with the highest legal bid, and its action.

    Args:
        weights: Weights of the player.
        at: Offset of the team in the weights.
        memory: Memory of the player.
        place: Offset of the team's first program in the memory.
        mask: Mask of legal actions; empty if all are legal.

    Returns:
        The number of the program (the first of equal bids) and its action; -1 and check or call if
        there is no legal bid.
    """
    highest: Float = np.float32(0.0)
    winner: Int = np.int64(-1)
    action: Int = np.int64(CALL_ID)
    n_programs = np.int64(weights[at])
    at += 1
    for i in range(n_programs):
        bid_at: Int = place + N_REGISTERS
        bids_for, bid = np.int64(weights[at]), memory[bid_at]
        if (len(mask) == 0 or mask[bids_for]) and (winner < 0 or bid > highest):
            winner, action, highest = np.int64(i), bids_for, bid
        at += 2 + np.int64(weights[at + 1])
        place += OF_PROGRAM
    return winner, action


@kernel
def team_after(weights: F32, at: Int, place: Int) -> tuple[Int, Int]:
    """Offsets of the next team in weights and memory."""
    n_programs = np.int64(weights[at])
    at += 1
    for _ in range(n_programs):
        at += 2 + np.int64(weights[at + 1])
    return at, place + OF_PROGRAM * n_programs


@kernel
def remember(parameters: Parameters, memory: F32, view: View, event: EventRecord) -> Truth:
    """Update the memory with an event; returns whether it is the player's turn."""
    table, seat = view.table, view.seat
    if event.what == HAND_BEGINS:
        begin_hand(memory)
        memory[PROGRAMS:] = np.float32(0.0)
    elif event.what == ACTED:
        note_action(memory, event.seat == seat, action_kind_of(event.action), event.street)
    elif event.what == SHOWN:
        if event.seat != seat:
            strength = _shown_strength(parameters, table, event.seat)
            note_shown(memory, is_weak(strength))
    elif event.what == HAND_ENDS:
        won = np.float64(table.won[seat] - table.hand_bet[seat])
        chips = won / (_SMALL_BETS * table.big_blind) * MOST
        end_hand(memory, min(max(chips, -MOST), MOST))
    return (event.what == HAND_BEGINS or event.what == ACTED) and table.actor == seat


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
