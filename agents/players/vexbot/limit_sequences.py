"""Betting sequences of heads-up fixed-limit, four bets a street, as numbers.

What has happened on a street is a code of ``code_of_street``: whether it began with a check (or a
call of the big blind), and how many bets there are; bets alternate, and a call ends them. So a code
gives who is to act next, and for a street that is over how it ended. Nine codes can end a street,
6,561 lines lead to a showdown; before the flop two of the nine cannot be.
"""

from __future__ import annotations

from agents.players.pseudo_optimal.book import MOST_BETS, n_codes
from agents.players.pseudo_optimal.player import code_of_street
from nlhe_env.game.table import PREFLOP, RIVER, TURN, TableRecord
from nlhe_env.jit.array_types import Float, Int, Truth
from nlhe_env.jit.compilation import inlined_kernel, kernel

N_CODES = n_codes(MOST_BETS)
CHECKED = MOST_BETS + 1
"""Increment of a code for a check at the beginning of a street."""
N_ENDS = 9
"""Codes with which a street can end: all but the first, of a street on which nothing happened."""
N_BEGINNINGS = (1, N_ENDS, N_ENDS**2, N_ENDS**3)
"""Lines that lead to each street."""
N_LINES = N_ENDS**4
"""Lines that lead to a showdown."""
N_NODES = N_CODES * sum(N_BEGINNINGS)
"""Number of decision points, with some that cannot occur."""
MOST_RAISES = 8
"""Bets and raises that one player can make in a hand."""


@inlined_kernel
def first_code(street: Int) -> Int:
    """The code with which a street begins: before the flop the big blind is a bet."""
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
    """Bets and raises; the big blind is none."""
    return code % CHECKED - (street == PREFLOP)


@inlined_kernel
def has_begun(street: Int, code: Int) -> Truth:
    """Whether a player has acted: then a check or call ends the street."""
    return code // CHECKED + raises_of(street, code) > 0


@inlined_kernel
def button_acts(street: Int, code: Int) -> Truth:
    """Whether the button is to act; it is the first before the flop, and the last after it."""
    acts = code // CHECKED + raises_of(street, code)
    return (acts % 2 == 0) == (street == PREFLOP)


@inlined_kernel
def owes(street: Int, code: Int) -> Truth:
    """Whether there is something to call."""
    return raises_of(street, code) > 0 or (street == PREFLOP and not has_begun(street, code))


@inlined_kernel
def raises_of_button(street: Int, code: Int) -> Int:
    """Bets and raises that the button has made on a street."""
    raises = raises_of(street, code)
    was_first = (code < CHECKED) == (street == PREFLOP)
    return (raises + was_first) // 2


@inlined_kernel
def bet_size(street: Int) -> Float:
    """Size of a bet in small bets."""
    return 2.0 if street >= TURN else 1.0


@inlined_kernel
def end_number(code: Int) -> Int:
    """Number 0 to 8 of the end of a street that is over."""
    return code - 1


@inlined_kernel
def next_beginning(beginning: Int, code: Int) -> Int:
    """The number of the line with which the next street begins, of the hand after the last."""
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
    """Code with which a street ended; checks are filled in where no player could bet any more."""
    code = code_of_street(table, street, MOST_BETS)
    return code if code > 0 else CHECKED


@kernel
def beginning_of(table: TableRecord, street: Int) -> Int:
    """The number of the line that led to a street of a table record; of the hand after the last."""
    beginning: Int = 0
    for before in range(street):
        beginning = next_beginning(beginning, code_at_end(table, before))
    return beginning


@kernel
def raises_before(table: TableRecord, street: Int, by_button: Truth) -> Int:
    """Bets and raises that a seat has made before a street."""
    count = 0
    for before in range(street):
        code = code_at_end(table, before)
        buttons = raises_of_button(before, code)
        count += buttons if by_button else raises_of(before, code) - buttons
    return count


@kernel
def stake_before(table: TableRecord, street: Int) -> Float:
    """Small bets that each player has put in before a street, as if stacks were deep."""
    stake: Float = 0.0
    for before in range(street):
        stake += bet_size(before) * (code_at_end(table, before) % CHECKED)
    return stake


AFTER_RIVER = RIVER + 1
"""Pseudo-street after the river: the whole hand is before it."""
