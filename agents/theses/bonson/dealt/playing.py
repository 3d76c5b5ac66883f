"""Play of predealt matches, with records of their results and behaviour, and bounds of the scores.

The players are teams of programs, queried and notified as in every other game.
Their book is the record of the deal, so that they read its metrics instead of computing them.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from agents.exploitability.hand_metrics import DealRecord
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.dispatch import call_policy, drawn_id, notify_player, notify_table
from agents.policy.events import ACTED, EVENT, HAND_BEGINS, HAND_ENDS, SESSION_BEGINS, SHOWN
from agents.policy.kinds import count
from agents.policy.player_batch import PlayerArrays, Seated, WorkArrays
from agents.policy.view import CHOICES, TRAITS
from agents.theses.bonson.dealt.betting import (
    BLINDS,
    BettingRule,
    UnfinishedMatch,
    act,
    begin,
    match_table,
)
from agents.theses.bonson.dealt.library import MatchLibrary
from agents.theses.bonson.programs.layered_teams import LAYERED_TEAM, layers_action, let_layers_bid
from agents.theses.bonson.programs.limit_teams import (
    ALL_LEGAL,
    INPUTS,
    LIMIT_TEAM,
    PROGRAMS,
    TEAMS,
    highest_bid,
    let_bid,
    memory_of,
)
from agents.theses.bonson.programs.opponent_model import MOST, N_INPUTS
from agents.theses.bonson.programs.strength_rules import BAYESIAN_RULE, EVEN_CHANCES, STRENGTH_RULE
from agents.theses.bonson.programs.team_players import MOST_PROGRAMS
from nlhe_env.equity.tables.store import blank_tables
from nlhe_env.game import random_stream
from nlhe_env.game.betting import CALLS, FOLDS, RAISES, amount_to_call, legal_raise
from nlhe_env.game.table import FOLDED as OUT
from nlhe_env.game.table import NO_PLAYER, TableRecords
from nlhe_env.jit.array_types import (
    F32,
    F64,
    I8,
    I64,
    U8,
    AnyArray,
    Float,
    Int,
    Record,
    Records,
    Truth,
)
from nlhe_env.jit.compilation import kernel

OUTCOME = np.dtype(
    [
        ("chips", np.int16),  # chips won
        ("street", np.int8),  # last street of the match
        ("folder", np.int8),  # 0 player, 1 opponent, -1 showdown
        ("folds", np.int8),  # number of folds by the player
        ("calls", np.int8),
        ("raises", np.int8),
    ]
)
"""Result of a match."""
OutcomeRecord: TypeAlias = Record
"""A record of dtype ``OUTCOME``."""

_KINDS = (LIMIT_TEAM, LAYERED_TEAM, STRENGTH_RULE, BAYESIAN_RULE, EVEN_CHANCES)
_MOST_LETTERS = 6 + 3 * 32  # per match in a behaviour string
_DIGITS = 5
_LOW, _HIGH = 0.33, 0.66

NOTES = np.dtype(
    [
        ("n_letters", np.int64),  # number written so far
        ("n_samples", np.int64),
        ("wants_letters", np.int64),
        ("sample_chance", np.float64),
        ("is_team", np.int64),
        ("is_layered", np.int64),
        ("active", np.int8, (MOST_PROGRAMS,)),  # whether a program has won a bid
    ],
    align=True,
)
"""Recorded behaviour of the first player."""


class Session(NamedTuple):
    """Two players with their table and work arrays."""

    seated: Seated
    """The measured player and its opponent."""
    tables: TableRecords
    """``(1,)`` table record."""
    blinds: I64
    seed: Int
    deal_address: Int
    """Address of the first deal of the library."""
    notes: Records
    """``(1,)`` of dtype ``NOTES``."""
    letters: U8
    samples: F32
    """``(n, N_INPUTS)`` sampled inputs."""


@kernel
def _bin(value: Float) -> Int:
    return 2 if value > _HIGH else 1 if value >= _LOW else 0


@kernel
def _write(session: Session, letter: Int) -> None:
    notes = session.notes[0]
    session.letters[notes.n_letters] = letter
    notes.n_letters += 1


@kernel
def _note_decision(
    deal: DealRecord, side: Int, street: Int, action: Int, session: Session, u: Float
) -> None:
    """Record a decision for diversity measures."""
    notes, samples, seated = session.notes[0], session.samples, session.seated
    if notes.wants_letters:
        _write(session, 48 + _bin(deal.strength[side, street]))
        _write(session, 48 + _bin(deal.potential[side, street]))
        _write(session, 102 if action == FOLDS else 99 if action == CALLS else 114)
    if not notes.is_team:
        return
    memory = seated.work.memory[0]
    if u < notes.sample_chance and notes.n_samples < len(samples):
        for i in range(N_INPUTS):
            samples[notes.n_samples, i] = memory[INPUTS + i]
        notes.n_samples += 1
    n_masked = 0 if notes.is_layered else RAISES + 1  # all lower teams may be chosen
    mask = seated.work.choices[0].mask[:n_masked]
    program, _ = highest_bid(seated.batch.weights[0], TEAMS, memory, PROGRAMS, mask)
    if program >= 0:
        notes.active[program] = 1


@kernel
def _decide(session: Session, actor: Int, raise_to: Int, u: Float) -> Int:
    """Choose an action of the player to act: fold, call or raise."""
    choices = session.seated.work.choices[0]
    choices.mask[:] = 0
    choices.mask[FOLDS] = choices.mask[CALLS] = 1  # folds are legal even with nothing to call
    choices.mask[RAISES] = raise_to > 0
    choices.least = choices.most = raise_to
    call_policy(actor, session.tables[0], session.seated.work.inputs, session.seated)
    return drawn_id(choices, u)


@kernel
def _play(deal: DealRecord, address: Int, match: Int, session: Session, out: OutcomeRecord) -> None:
    """Play one match."""
    table, seated = session.tables[0], session.seated
    event = seated.work.event[0]
    seat = match & 1  # seat of the first player; 0 is the button
    for side in range(2):
        table.player[side] = seat ^ side
        seated.batch.traits[side].book = address
    decision = 0
    out.folds = out.calls = out.raises = 0
    begin(table, session.blinds)
    notify_table(HAND_BEGINS, table, seated)
    while table.actor != NO_PLAYER:
        side, street = table.actor, table.street
        actor = seat ^ side
        _, raise_to = legal_raise(table)
        u, _, sampled = random_stream.decision_units(session.seed, decision, match, actor, 0)
        decision += 1
        action = _decide(session, actor, raise_to, u)
        if actor == 0:
            _note_decision(deal, side, street, action, session, sampled)
            out.folds += np.int8(action == FOLDS)
            out.calls += np.int8(action == CALLS)
            out.raises += np.int8(action == RAISES)
        event.seat, event.street = side, street
        event.pot, event.to_call = table.pot, amount_to_call(table)
        event.action = act(table, action, raise_to)
        notify_table(ACTED, table, seated)
    if table.unfolded == 1:
        folded = np.int64(table.status[1] == OUT)
        won = table.hand_bet[folded] * (1 if folded == 1 else -1)  # chips won by the button
        out.folder = seat ^ folded
    else:
        won = table.hand_bet[0] * deal.result
        out.folder = NO_PLAYER
        for side in range(2):
            event.seat = side
            notify_table(SHOWN, table, seated)
    for side in range(2):
        table.won[side] = table.hand_bet[side] + (won if side == 0 else -won)
    event.seat = NO_PLAYER
    notify_table(HAND_ENDS, table, seated)
    out.chips = won if seat == 0 else -won
    out.street = table.street


@kernel
def _play_session(deals: Records, matches: I64, session: Session, outcomes: Records) -> None:
    """Play matches in order, with one memory."""
    seated, notes = session.seated, session.notes[0]
    seated.work.event[0].what = SESSION_BEGINS
    for player in range(2):
        notify_player(player, session.tables[0], player, seated)
    for i in range(len(matches)):
        match = matches[i]
        number = match >> 1
        if notes.wants_letters:
            power = 10 ** (_DIGITS - 1)
            for _ in range(_DIGITS):
                _write(session, 48 + number // power % 10)
                power //= 10
            _write(session, 48 + (match & 1))
        address = session.deal_address + number * deals.itemsize
        _play(deals[number], address, match, session, outcomes[i])


@dataclass(frozen=True, eq=False)
class Matches:
    """Results of a player's matches.

    Attributes:
        outcomes: ``(n,)`` records of dtype ``OUTCOME``.
        letters: Behaviour as text, if requested: for every match its deal in five digits and the
            seat, and for every decision bins of strength and potential and ``f``, ``c`` or ``r``.
        samples: ``(n_samples, 14)`` inputs of sampled decisions.
        active: ``(64,)`` whether each program of a team has won a bid.
    """

    outcomes: Records
    letters: bytes
    samples: F32
    active: AnyArray


def play_matches(
    library: MatchLibrary,
    matches: I64,
    player: CompiledPlayer,
    opponent: CompiledPlayer,
    *,
    betting: BettingRule = "two-calls",
    seed: int = 0,
    wants_letters: bool = False,
    sample_chance: float = 0.0,
    opponent_memory: F32 | None = None,
) -> Matches:
    """Play a session: matches in order, in which both players may learn about each other.

    Args:
        library: Library of the matches.
        matches: ``(n,)`` match numbers.
        player: The measured player: a team, a rule or a random player; the numbers determine its
            seats.
        opponent: Its opponent, another such player.
        betting: Rule for the end of a round.
        seed: Seed of random players.
        wants_letters: Whether to record behaviour as text.
        sample_chance: Probability of keeping a team decision as an input sample, up to four per
            match.
        opponent_memory: ``(n,)`` memory of the opponent, updated; default: empty.

    Raises:
        ValueError: A player does not support predealt matches.
    """
    players = [player, opponent]
    for each in players:
        if each.kind not in _KINDS:
            names = ", ".join(repr(kind.name) for kind in _KINDS)
            raise ValueError(
                f"matches support only players of the kinds {names}; got {each.kind.name!r}"
            )
    n = len(matches)
    seated = _seated(players)
    if opponent_memory is not None:
        width = min(len(opponent_memory), seated.work.memory.shape[1])
        seated.work.memory[1, :width] = opponent_memory[:width]
    notes = np.zeros(1, NOTES)
    notes["wants_letters"], notes["sample_chance"] = wants_letters, sample_chance
    notes["is_layered"] = player.kind is LAYERED_TEAM
    notes["is_team"] = player.kind is LAYERED_TEAM or player.kind is LIMIT_TEAM
    letters: U8 = np.zeros(n * _MOST_LETTERS if wants_letters else 1, np.uint8)
    samples = np.zeros((4 * n if sample_chance > 0.0 else 0, N_INPUTS), np.float32)
    outcomes = np.zeros(n, OUTCOME)
    session = Session(
        seated=seated,
        tables=match_table(betting),
        blinds=BLINDS,
        seed=np.uint64(random_stream.make_seed(seed)),
        deal_address=library.deals.ctypes.data,
        notes=notes,
        letters=letters,
        samples=samples,
    )
    _play_session(library.deals, np.ascontiguousarray(matches, np.int64), session, outcomes)
    if opponent_memory is not None:
        opponent_memory[:width] = seated.work.memory[1, :width]
    return Matches(
        outcomes,
        letters[: notes["n_letters"][0]].tobytes(),
        samples[: notes["n_samples"][0]],
        notes["active"][0],
    )


def _seated(players: Sequence[CompiledPlayer]) -> Seated:
    """Players for kernels; packing a batch would take as long as fifty matches."""
    traits = np.zeros(len(players), TRAITS)
    weights = np.zeros((len(players), max(len(each.weights) for each in players)), np.float32)
    for i, player in enumerate(players):
        kind = player.kind
        traits["policy"][i], traits["listener"][i] = kind.policy_address, kind.listener_address
        traits["wants"][i] = kind.wants_code
        traits["sizes"][i] = player.sizes
        weights[i, : len(player.weights)] = player.weights
    width = max(count(player.kind.memory, player.sizes) for player in players)
    work = WorkArrays(
        inputs=np.zeros(0, np.float32),
        choices=np.zeros(1, CHOICES),
        event=np.zeros(1, EVENT),
        scratch=np.zeros(0, np.float32),
        memory=np.zeros((len(players), width), np.float32),
        no_fractions=np.zeros(0),
    )
    return Seated(PlayerArrays(traits, weights), blank_tables(), work)


@kernel
def _profile(
    weights: F32, is_layered: Truth, samples: F32, memory: F32, mask: I8, actions: U8
) -> None:
    for i in range(len(samples)):
        for k in range(N_INPUTS):
            memory[INPUTS + k] = samples[i, k]
        memory[PROGRAMS:] = np.float32(0.0)
        if is_layered:
            let_layers_bid(weights, memory, True)
            actions[i] = layers_action(weights, memory, mask)
        else:
            let_bid(weights, TEAMS, memory, PROGRAMS, True)
            actions[i] = highest_bid(weights, TEAMS, memory, PROGRAMS, mask)[1]


def bid_profile(player: CompiledPlayer, samples: F32) -> U8:
    """``(n,)`` actions of a team for ``(n, 14)`` inputs, if all actions are legal."""
    actions = np.zeros(len(samples), np.uint8)
    memory = np.zeros(memory_of(player.sizes), np.float32)
    is_layered = player.kind is LAYERED_TEAM
    _profile(player.weights, is_layered, samples, memory, ALL_LEGAL.copy(), actions)
    return actions


def scores_of(outcomes: Records) -> F64:
    """Scores from 0 (maximum loss) to 1, with 0.5 even (before equation 4.1)."""
    return np.asarray((outcomes["chips"] + MOST) / (2.0 * MOST), np.float64)


def ceilings(
    library: MatchLibrary,
    matches: I64,
    rule: tuple[float, float],
    *,
    betting: BettingRule = "two-calls",
) -> F64:
    """``(n,)`` best score of each match against a rule, in hindsight.

    The mean is an upper bound on the score of any set of players, even if the best player is chosen
    for each match.

    Args:
        library: Library of the matches.
        matches: ``(n,)`` match numbers.
        rule: The opponent's thresholds for playing and raising.
        betting: Rule for the end of a round.
    """
    seats, deals = matches & 1, library.deals[matches >> 1]
    rows = np.arange(len(matches))
    strengths = deals["strength"][rows, 1 - seats]
    play, rise = map(np.float32, rule)
    answers = (strengths >= play).astype(np.int64) * (1 + (strengths >= rise))
    results = np.where(seats == 0, deals["result"], -deals["result"])
    cases, which = np.unique(
        np.column_stack([seats, results, answers]), axis=0, return_inverse=True
    )
    chips = [_best(betting, seat, result, remaining) for seat, result, *remaining in cases.tolist()]
    return np.asarray((np.array(chips)[which.ravel()] + MOST) / (2.0 * MOST))


def _best(betting: BettingRule, seat: int, result: int, answers: Sequence[int]) -> int:
    """Maximum win in a match in chips.

    Args:
        betting: Rule for the end of a round.
        seat: Seat of the player.
        result: Result at showdown: 1 for a win, -1 for a loss, 0 for a tie.
        answers: Answers of the opponent on each street.
    """
    best, levels = -int(MOST), {0}
    for street, answer in enumerate(answers):
        ends = _ends(betting, street, seat, answer)
        best = max([best, *(level + end for level in levels for end in ends.won)])
        best = max([best, *(-level - end for level in levels for end in ends.lost)])
        levels = {level + end for level in levels for end in ends.matched}
    return max([best, *(result * level for level in levels)])


class _Ends(NamedTuple):
    """Chips added by the possible ends of a street against a rule."""

    won: frozenset[int]
    """Chips of the opponent if it folds."""
    lost: frozenset[int]
    """Chips of the player if it folds."""
    matched: frozenset[int]
    """Chips of each player if the match continues."""


@functools.cache
def _ends(betting: BettingRule, street: int, seat: int, answer: int) -> _Ends:
    """All ends of a street; its betting does not depend on earlier chips.

    Args:
        betting: Rule for the end of a round.
        street: 0 to 3.
        seat: Seat of the player.
        answer: Answer of the opponent: 0 checks or folds, 1 checks or calls, 2 raises if legal.
    """
    first = UnfinishedMatch.first(betting)
    while first.street < street:
        first = first.after(CALLS)
    before = first.put_in(seat) if street else 0
    won, lost, matched = set[int](), set[int](), set[int]()
    left = [first]
    while left:
        here = left.pop()
        owed, raise_to = here.options()
        if here.actor == seat:
            actions = [FOLDS, CALLS, *([RAISES] if raise_to else [])]
        elif answer == 2 and raise_to:
            actions = [RAISES]
        else:
            actions = [CALLS if answer or not owed else FOLDS]
        for action in actions:
            if action == FOLDS:
                side = won if here.actor != seat else lost
                side.add(here.put_in(here.actor) - before)
                continue
            after = here.after(action)
            if after.actor != NO_PLAYER and after.street == street:
                left.append(after)
            else:
                matched.add(after.put_in(seat) - before)
    return _Ends(frozenset(won), frozenset(lost), frozenset(matched))
