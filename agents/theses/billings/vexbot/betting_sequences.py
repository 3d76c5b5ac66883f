"""Betting sequences of heads-up fixed-limit, four bets a street, as numbers.

The betting on a street is a code from ``code_of_street``: whether it began with a check (or a call
of the big blind), and the number of bets. Bets alternate and a call ends them, so a code determines
the player to act, or how a finished street ended. Nine codes can end a street (two of them not
before the flop), so 6,561 lines lead to a showdown.
"""

from __future__ import annotations

from agents.theses.billings.pseudo_optimal.book import MOST_BETS, n_codes
from agents.theses.billings.pseudo_optimal.player import code_of_street
from nlhe_env.game.table import PREFLOP, RIVER, TURN, TableRecord
from nlhe_env.jit.array_types import Float, Int, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel

N_CODES = n_codes(MOST_BETS)
CHECKED = MOST_BETS + 1
"""Increment of a code for an initial check."""
N_ENDS = 9
"""Number of final codes of a street: all but the code of an untouched street."""
N_BEGINNINGS = (1, N_ENDS, N_ENDS**2, N_ENDS**3)
"""Number of lines before each street."""
N_LINES = N_ENDS**4
"""Number of lines that lead to a showdown."""
N_NODES = N_CODES * sum(N_BEGINNINGS)
"""Number of decision points, including impossible ones."""
MOST_RAISES = 8
"""Maximum number of bets and raises by one player in a hand."""


@inlined_kernel
def first_code(street: Int) -> Int:
    """Initial code of a street; the big blind counts as a bet."""
    return 1 if street == PREFLOP else 0


@inlined_kernel
def is_code(street: Int, code: Int) -> Truth:
    """Whether a code can occur on a street."""
    return street != PREFLOP or code % CHECKED > 0


@inlined_kernel
def can_end(street: Int, code: Int) -> Truth:
    """Whether a street can end with a code."""
    return code > 0 and (street != PREFLOP or (code != 1 and code != CHECKED))


@inlined_kernel
def raises_of(street: Int, code: Int) -> Int:
    """Number of bets and raises, excluding the big blind."""
    return code % CHECKED - (street == PREFLOP)


@inlined_kernel
def has_begun(street: Int, code: Int) -> Truth:
    """Whether a player has acted, so that a check or call ends the street."""
    return code // CHECKED + raises_of(street, code) > 0


@inlined_kernel
def button_acts(street: Int, code: Int) -> Truth:
    """Whether the button is to act; it acts first before the flop and last after it."""
    acts = code // CHECKED + raises_of(street, code)
    return (acts % 2 == 0) == (street == PREFLOP)


@inlined_kernel
def owes(street: Int, code: Int) -> Truth:
    """Whether there is something to call."""
    return raises_of(street, code) > 0 or (street == PREFLOP and not has_begun(street, code))


@inlined_kernel
def raises_of_button(street: Int, code: Int) -> Int:
    """Number of bets and raises by the button on a street."""
    raises = raises_of(street, code)
    was_first = (code < CHECKED) == (street == PREFLOP)
    return (raises + was_first) // 2


@inlined_kernel
def bet_size(street: Int) -> Float:
    """Size of a bet in small bets."""
    return 2.0 if street >= TURN else 1.0


@inlined_kernel
def end_number(code: Int) -> Int:
    """Number, 0 to 8, of a final code."""
    return code - 1


@inlined_kernel
def next_beginning(beginning: Int, code: Int) -> Int:
    """Number of the line before the next street; after the river, of the complete line."""
    return beginning * N_ENDS + end_number(code)


@kernel
def node_number(street: Int, beginning: Int, code: Int) -> Int:
    """Number of a decision point."""
    before = 0
    width = 1
    for _ in range(street):
        before += width
        width *= N_ENDS
    return (before + beginning) * N_CODES + code


@kernel
def code_at_end(table: TableRecord, street: Int) -> Int:
    """Final code of a street; checked through if no player could bet."""
    code = code_of_street(table, street, MOST_BETS)
    return code if code > 0 else CHECKED


@kernel
def beginning_of(table: TableRecord, street: Int) -> Int:
    """Number of the line before a street; for ``AFTER_RIVER``, of the complete line."""
    beginning: Int = 0
    for before in range(street):
        beginning = next_beginning(beginning, code_at_end(table, before))
    return beginning


@kernel
def raises_before(table: TableRecord, street: Int, by_button: Truth) -> Int:
    """Number of bets and raises by the button, or by the big blind, before a street."""
    count = 0
    for before in range(street):
        code = code_at_end(table, before)
        buttons = raises_of_button(before, code)
        count += buttons if by_button else raises_of(before, code) - buttons
    return count


@kernel
def stake_before(table: TableRecord, street: Int) -> Float:
    """Small bets put in by each player before a street, assuming deep stacks."""
    stake: Float = 0.0
    for before in range(street):
        stake += bet_size(before) * (code_at_end(table, before) % CHECKED)
    return stake


AFTER_RIVER = RIVER + 1
"""Pseudo-street after the river, preceded by the complete line."""
