"""Costs of decisions, by play-outs of every action with sampled hidden cards.

A model, any compiled player, stands for all players of the hand. It gives the opponents' ranges, by
the probability of their actions with each hand, and it plays the rest of the hand in every seat.
The value of an action is the mean result of such play-outs, so a cost is relative to the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from agents.policy.compiled_player import CompiledPlayer
from agents.policy.dispatch import act_and_notify, any_has_memory, play_on
from agents.policy.hand_replay import DecisionSnapshot, HandReplay
from agents.policy.player_batch import Seated
from agents.solvers.resolving import hands_at
from agents.solvers.solution import SolvedDecision
from agents.solvers.subgame_from_hand import (
    StreetSolution,
    StreetSubgame,
    event_name,
    find_street,
    solve_street_of,
)
from nlhe_env.arguments import LARGEST_SEED, whole_number
from nlhe_env.assessment.estimators.estimator import Estimator, no_estimator
from nlhe_env.cards import N_CARDS, parse_cards
from nlhe_env.equity.calculator.spot import HOLES
from nlhe_env.game import betting, tournament
from nlhe_env.game.description import GameArrays
from nlhe_env.game.player import PLAYER
from nlhe_env.game.rake import Rake
from nlhe_env.game.random_stream import make_seed
from nlhe_env.game.table import (
    ACTIVE,
    ALL_IN,
    CHECK_OR_CALL,
    FOLD,
    STREET_NAMES,
    TableRecord,
    TableRecords,
)
from nlhe_env.game.tournament import GAME
from nlhe_env.hand_history import Hand
from nlhe_env.hand_history.batches import pack, play_packed
from nlhe_env.hand_history.record import CALL, RAISE
from nlhe_env.jit.array_types import F64, I64, Int
from nlhe_env.jit.compilation import kernel

_POT_SHARES = (0.5, 1.0)
"""Raise sizes tried in addition to the actual raise and all-in."""

_TREMBLE = 0.05
"""Share of opponents' actions taken as uninformative, because the model is not the player."""

_SOLVED_STREETS = ("turn", "river")
"""Streets whose decisions are also compared with an equilibrium between two players."""

_SECONDS = 1.0
"""Estimated time of all iterations of a street, which limits the bet sizes."""


class EquilibriumValue(NamedTuple):
    """Value of an action in an equilibrium."""

    action: str
    value: float
    """Big blinds won from the street on, counting half of the initial pot as put in."""
    probability: float
    """Equilibrium probability with the player's hole cards."""


class EquilibriumCheck(NamedTuple):
    """A decision compared with an equilibrium from the start of its street on."""

    values: tuple[EquilibriumValue, ...]
    """Values of all actions, the best first."""
    cost: float
    """Loss of the taken action against the best one in big blinds."""
    exploitability: float
    """Exploitability of the solution in big blinds."""


class ActionValue(NamedTuple):
    """An action and its value."""

    action: str
    """Action, such as ``"fold"``, ``"check"`` or ``"raise to 300"``."""
    value: float
    """Mean win over the whole hand in big blinds."""
    error: float
    """Standard error of the value."""


class CoachedDecision(NamedTuple):
    """A decision with the values of its alternatives."""

    hand: int
    """Index of the hand."""
    decision: int
    """Index of the action in the hand."""
    street: str
    hole_cards: str
    board: str
    taken: str
    """The action that was taken."""
    values: tuple[ActionValue, ...]
    """Values of all tried actions, the best first; standard errors are of single values."""
    best: str
    """The action with the largest win in one half of the deals."""
    cost: float
    """Loss against the best action in big blinds, estimated without bias from the other half of the
    deals, so that it may be negative. 0 if the best action was taken."""
    error: float
    """Standard error of the cost."""
    equilibrium: EquilibriumCheck | None = None
    """The decision in an equilibrium of its street; None if the street was not solved."""


def known_players(hands: Sequence[Hand]) -> dict[str, int]:
    """Number of hands with known hole cards by player, most hands first."""
    known = Counter(
        name
        for hand in hands
        for name, cards in zip(hand.players, hand.hole_cards, strict=False)
        if name and cards
    )
    return dict(known.most_common())


def coach(
    hands: Sequence[Hand],
    player: str,
    model: CompiledPlayer,
    *,
    deals: int = 400,
    solver_iterations: int = 0,
    seed: int = 1,
    rake: Rake | None = None,
) -> Iterator[CoachedDecision]:
    """Evaluate the decisions of a player, in the order of play.

    Args:
        hands: Recorded hands; those without the player, or without its hole cards, are skipped.
        player: Name of the player.
        model: Compiled player that models all players of the hands. It starts every hand without
            memory of earlier ones.
        deals: Number of deals per decision, at least 4.
        solver_iterations: Largest number of iterations to solve each turn and river between two
            players; 0 to solve none.
        seed: Seed of the deals.
        rake: Rake of the game; default: as ``estimate_rake`` finds it in the hands.

    Yields:
        A result for each decision with more than one action.

    Raises:
        ValueError: No hand has the player, or the model does not support the game.
    """
    whole_number("deals", deals, least=4)
    whole_number("solver_iterations", solver_iterations, least=0)
    whole_number("seed", seed, least=0, most=LARGEST_SEED)
    names = {name for hand in hands for name in hand.players if name}
    if player not in names:
        known = ", ".join(sorted(names)) or "none"
        raise ValueError(f"no hand has a player {player!r}; the players named are: {known}")
    rake = rake or estimate_rake(hands)
    for index, hand in enumerate(hands):
        if player in hand.players:
            place = hand.players.index(player)
            if hand.hole_cards[place]:
                found, replay = _coach_hand(index, hand, place, model, deals, seed, rake)
                checks: dict[int, EquilibriumCheck] = {}
                if solver_iterations > 0:
                    checks = _check_decisions(
                        hand,
                        place,
                        replay,
                        iterations=solver_iterations,
                        tremble=_TREMBLE,
                        rake=rake,
                    )
                yield from (one._replace(equilibrium=checks.get(one.decision)) for one in found)


def estimate_rake(hands: Sequence[Hand]) -> Rake | None:
    """Rake of the game that hands are of, from what was taken; None if nothing was.

    The largest rake is the cap. Hands below it give the share of the pots.
    """
    raked = [hand for hand in hands if hand.rake]
    if not raked:
        return None
    taken = [hand.rake or 0 for hand in raked]
    won = play_packed(pack(raked)).tables["won"].sum(axis=1).tolist()
    below = [k for k, rake in enumerate(taken) if rake < max(taken)] or range(len(raked))
    rake = sum(taken[k] for k in below)
    pots = rake + sum(won[k] for k in below)
    return Rake(
        share=round(rake / pots, 6),
        cap=max(taken),
        no_flop_no_drop=all(hand.board for hand in raked),
    )


def _coach_hand(
    index: int,
    hand: Hand,
    place: int,
    model: CompiledPlayer,
    deals: int,
    seed: int,
    rake: Rake | None,
) -> tuple[list[CoachedDecision], HandReplay]:
    """Decisions of a hand, and the replay of the hand with the model."""
    found: list[CoachedDecision] = []

    def look(replay: HandReplay) -> None:
        if int(replay.table["actor"]) == place:
            found.extend(_coach_decision(replay, hand, index, deals=deals, seed=seed, rake=rake))

    return found, HandReplay(model, hand, before_action=look)


def _coach_decision(
    replay: HandReplay,
    hand: Hand,
    index: int,
    *,
    deals: int,
    seed: int,
    rake: Rake | None,
) -> Iterator[CoachedDecision]:
    table, count = replay.table, replay.index
    made = hand.actions[count]
    taken = _number(made.kind, made.to)
    actions = _actions(table, taken)
    if len(actions) < 2:
        return
    won = _play_out(replay, hand, actions, deals=deals, rng_key=(seed, index, count), rake=rake)
    won /= hand.big_blind
    half = len(won) // 2
    chosen, counted = won[:half], won[half:]
    best = int(chosen.mean(axis=0).argmax())
    lost = counted[:, best] - counted[:, actions.index(taken)]
    values = [
        ActionValue(_words(table, action), float(column.mean()), _error(column))
        for action, column in zip(actions, won.T, strict=True)
    ]
    yield CoachedDecision(
        hand=index,
        decision=count,
        street=STREET_NAMES[int(table["street"])],
        hole_cards=hand.hole_cards[int(table["actor"])],
        board=hand.board[: 2 * int(table["board_cards"])],
        taken=_words(table, taken),
        values=tuple(sorted(values, key=lambda one: -one.value)),
        best=_words(table, actions[best]),
        cost=float(lost.mean()),
        error=_error(lost),
    )


def _play_out(
    replay: HandReplay,
    hand: Hand,
    actions: Sequence[int],
    *,
    deals: int,
    rng_key: tuple[int, int, int],
    rake: Rake | None,
) -> F64:
    """``(deals, n_actions)`` chips won in the hand by the player to act."""
    snapshot = replay.snapshot()
    table = snapshot.table[0]
    if rake is not None:
        table["rake_share"], table["rake_cap"] = rake.millionths, rake.most
        table["rake_needs_flop"] = rake.no_flop_no_drop
    place, n = int(table["actor"]), len(hand.stacks)
    status = table["status"][:n]
    rivals = [seat for seat in range(n) if seat != place and status[seat] in (ACTIVE, ALL_IN)]
    after_all = len(STREET_NAMES)  # include all decisions so far
    ranges = [replay.reach(seat, after_all, _TREMBLE) for seat in rivals]
    board = hand.board[: 2 * int(table["board_cards"])]
    holes, boards = draw_deals(
        parse_cards(hand.hole_cards[place]),
        parse_cards(board),
        ranges,
        deals,
        np.random.default_rng(rng_key),
    )
    game = np.zeros(1, GAME)
    game["players"], game["tables"], game["cash"] = n, 1, 1
    game["decision_seed"] = make_seed(rng_key[0])
    levels = np.zeros((1, 3), np.int64)
    arrays = GameArrays(game, snapshot.table.copy(), np.zeros(n, PLAYER), levels)
    won = np.zeros((deals, len(actions)))
    unknown = PossibleDeals(np.array(rivals, np.int64), holes, boards)
    play_actions(
        snapshot,
        unknown,
        np.array(actions, np.int64),
        arrays,
        replay.seated,
        no_estimator(n),
        won,
    )
    replay.seated.work.memory[:] = snapshot.memory
    return won


def _actions(table: np.void, taken: int) -> list[int]:
    """Actions to try: fold, call, the actual raise and other raises."""
    record = np.atleast_1d(table)
    to_call, least, most = map(int, _limits(record))
    actions = {CHECK_OR_CALL, taken}
    if to_call > 0:
        actions.add(FOLD)
    if most > 0:
        pot = int(table["pot"]) + to_call
        sizes = [int(table["current_bet"]) + round(share * pot) for share in _POT_SHARES]
        actions.update(min(max(size, least), most) for size in (*sizes, most))
    return sorted(actions)


@kernel
def _limits(tables: TableRecords) -> tuple[Int, Int, Int]:
    """Chips to call, and minimum and maximum raise, both 0 if no raise is legal."""
    least, most = betting.legal_raise(tables[0])
    return betting.amount_to_call(tables[0]), least, most


def _number(kind: str, to: int) -> int:
    return to if kind == RAISE else CHECK_OR_CALL if kind == CALL else FOLD


def _words(table: np.void, action: int) -> str:
    if action == FOLD:
        return "fold"
    bets = int(table["current_bet"])
    if action == CHECK_OR_CALL:
        place = int(table["actor"])
        return "call" if bets > int(table["street_bet"][place]) else "check"
    return f"raise to {action}" if bets > 0 else f"bet {action}"


def _error(values: F64) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))


class PossibleDeals(NamedTuple):
    """Possible hidden cards."""

    seats: I64
    """``(k,)`` seats of the opponents still in the hand."""
    holes: I64
    """``(n, k, 2)`` hole cards of these opponents."""
    boards: I64
    """``(n, 10)`` board cards, the last five for a second board."""


@kernel
def play_actions(
    decision: DecisionSnapshot,
    deals: PossibleDeals,
    actions: I64,
    arrays: GameArrays,
    seated: Seated,
    no_estimator: Estimator,
    won: F64,
) -> None:
    """Play out each action with each deal.

    For each deal, all actions share the cards and the players' random numbers.

    Args:
        decision: The decision.
        deals: The hidden cards.
        actions: ``(a,)`` legal actions of the game.
        arrays: Arrays of a game for this number of players, overwritten.
        seated: The players.
        no_estimator: Of ``no_estimator``.
        won: ``(n, a)`` chips won in the whole hand by the player to act, written.
    """
    game, tables, players, _ = arrays
    notifies = any_has_memory(seated.batch)
    seat = decision.table[0].actor
    for i in range(len(deals.holes)):
        for a in range(len(actions)):
            tables[0] = decision.table[0]
            for j in range(len(players)):
                players[j] = decision.players[j]
            _deal(tables[0], deals, i)
            for j in range(decision.memory.shape[0]):
                for k in range(decision.memory.shape[1]):
                    seated.work.memory[j, k] = decision.memory[j, k]
            seated.work.event[0].hand_runs = 1
            game[0].decision_tournament = i
            tournament.resume(game[0], tables)
            act_and_notify(game[0], tables, players, actions[a], seated, notifies)
            play_on(arrays, seated, notifies, no_estimator)
            won[i, a] = np.float64(tables[0].won[seat] - tables[0].hand_bet[seat])


@kernel
def _deal(table: TableRecord, deals: PossibleDeals, i: Int) -> None:
    """Put the cards of a deal on the table."""
    for k in range(len(deals.seats)):
        for c in range(2):
            table.cards[2 * deals.seats[k] + c] = deals.holes[i, k, c]
    for c in range(deals.boards.shape[1]):
        table.cards[2 * table.seats + c] = deals.boards[i, c]
    table.strength_key[:] = 0  # drop the cache for other cards


_ROUNDS = 60
"""Rounds of rejection sampling for disjoint hands, before hands are drawn sequentially."""

_CARD_SETS = np.uint64(1) << HOLES.astype(np.uint64)
HOLE_MASKS = _CARD_SETS[:, 0] | _CARD_SETS[:, 1]
"""``(1326,)`` cards of every hand as bits."""


def draw_deals(
    known: Sequence[int],
    board: Sequence[int],
    ranges: Sequence[F64],
    count: int,
    rng: np.random.Generator,
) -> tuple[I64, I64]:
    """Draw deals of all cards hidden from a player.

    Args:
        known: The player's hole cards.
        board: Dealt cards of the board.
        ranges: For each opponent still in the hand ``(1326,)`` weights of its hands, in the order
            of ``HOLES``; impossible hands may have weights.
        count: Number of deals.
        rng: Source of the cards.

    Returns:
        ``(count, n_opponents, 2)`` hole cards and ``(count, 10)`` board cards, the last five for a
        second board. Hands have the joint distribution of the weights, given that no card is dealt
        twice.

    Raises:
        ValueError: An opponent has no possible hand.
    """
    seen = int(sum(1 << card for card in (*known, *board)))
    chances = [_possible(weights, seen) for weights in ranges]
    hands = _draw_hands(chances, count, rng)
    holes = HOLES[hands].reshape(count, len(ranges), 2)
    boards = np.empty((count, 10), np.int64)
    boards[:, : len(board)] = board
    order = rng.random((count, N_CARDS))
    order[:, [*known, *board]] = 2.0
    np.put_along_axis(order, holes.reshape(count, -1), 2.0, axis=1)
    boards[:, len(board) :] = np.argsort(order, axis=1)[:, : 10 - len(board)]
    return holes, boards


def _possible(weights: F64, seen: int) -> F64:
    """Probabilities of the hands without known cards."""
    chances = np.where(HOLE_MASKS & np.uint64(seen), 0.0, weights)
    total = chances.sum()
    if not total > 0:
        raise ValueError("an opponent has no possible hand: all weights are 0")
    return chances / total


def _draw_hands(chances: Sequence[F64], count: int, rng: np.random.Generator) -> I64:
    """``(count, n)`` disjoint hands."""
    drawn = np.empty((count, len(chances)), np.int64)
    done = 0
    for _ in range(_ROUNDS):
        some = [rng.choice(len(HOLES), count, p=each) for each in chances]
        rows = np.stack(some, axis=1) if some else np.empty((count, 0), np.int64)
        used, apart = np.zeros(count, np.uint64), np.ones(count, np.bool_)
        for column in rows.T:
            apart &= (used & HOLE_MASKS[column]) == 0
            used |= HOLE_MASKS[column]
        fitting = rows[apart][: count - done]
        drawn[done : done + len(fitting)] = fitting
        done += len(fitting)
        if done == count:
            return drawn
    for i in range(done, count):  # narrow ranges that nearly always collide
        drawn[i] = _draw_in_turn(chances, rng)
    return drawn


def _draw_in_turn(chances: Sequence[F64], rng: np.random.Generator) -> I64:
    """``(n,)`` hands drawn sequentially, each disjoint from the earlier ones."""
    hands = np.empty(len(chances), np.int64)
    used = np.uint64(0)
    for i in rng.permutation(len(chances)):
        left = np.where(HOLE_MASKS & used, 0.0, chances[i])
        if not left.any():  # all hands of the range are blocked: use any other
            left = np.where(HOLE_MASKS & used, 0.0, 1.0)
        hands[i] = rng.choice(len(HOLES), p=left / left.sum())
        used |= HOLE_MASKS[hands[i]]
    return hands


def _check_decisions(
    hand: Hand,
    place: int,
    replay: HandReplay,
    *,
    iterations: int,
    tremble: float,
    rake: Rake | None,
) -> dict[int, EquilibriumCheck]:
    """Decisions of a player on turn and river, compared with an equilibrium.

    Both players' ranges at the start of the street are those of the replay's model.

    Args:
        hand: The hand.
        place: Place of the player in the hand.
        replay: Replay of the whole hand.
        iterations: Largest number of iterations of each street.
        tremble: See ``HandReplay.reach``.
        rake: Rake of the game.

    Returns:
        Results by index of the action in the hand, without streets seen by more than two players
        and hands that the model never holds there.
    """
    checks: dict[int, EquilibriumCheck] = {}
    for street in _SOLVED_STREETS:
        try:
            found = find_street(hand, street)
        except ValueError:  # nothing to solve on this street
            continue
        if place not in found.seats:
            continue
        number = STREET_NAMES.index(street)
        ranges = [hands_at(replay.reach(seat, number, tremble)) for seat in found.seats]
        first, second = ranges
        if first is None or second is None:
            continue
        try:
            solved = solve_street_of(
                hand,
                found,
                (first, second),
                seconds=_SECONDS,
                iterations=iterations,
                rake=rake,
            )
        except ValueError:  # too large
            continue
        checks.update(_of_street(hand, place, street, found, solved))
    return checks


def _of_street(
    hand: Hand, place: int, street: str, found: StreetSubgame, solved: StreetSolution
) -> Iterator[tuple[int, EquilibriumCheck]]:
    """The player's decisions on one street, with their numbers."""
    first = len(hand.actions) - len(found.events)
    steps: list[str | int] = []
    for number, event in enumerate(found.events, first):
        if event["street"] != street:
            return
        if event["seat"] == place:
            decision = solved.solution.at(*steps)
            own = solved.subgame.column(decision.player, hand.hole_cards[place])
            # Hands compatible with none of the other player's hands have no value.
            if own is not None and np.isfinite(decision.values[:, own]).all():
                yield number, _check(hand, event_name(event), decision, own, solved)
        steps.append(event.get("to", event["action"]))


def _check(
    hand: Hand, taken: str, decision: SolvedDecision, own: int, solved: StreetSolution
) -> EquilibriumCheck:
    values = decision.values[:, own] / hand.big_blind
    chances = decision.chances[:, own]
    order = np.argsort(-values, kind="stable").tolist()
    return EquilibriumCheck(
        tuple(
            EquilibriumValue(decision.actions[i], float(values[i]), float(chances[i]))
            for i in order
        ),
        cost=float(values.max() - values[decision.actions.index(taken)]),
        exploitability=solved.exploitability * solved.subgame.pot / hand.big_blind,
    )
