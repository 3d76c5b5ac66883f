"""Measurements of ASHE: its actions, its adaptation to opponents, the accuracy of its ranges.

Source: X. Li (PhD thesis, University of Texas at Austin, 2018).

- Actions on every street (section 4.3.2, table 4-3). Frequencies are relative to opportunities:
  decisions in which a raise was legal, and decisions after a bet or raise of the opponent on the
  street for folds. The size of a raise is the raiser's total in the hand minus the opponent's.
- Adaptation (section 5.3.3, table 5-7). In one session the player faces several opponents in
  sequence. At each change of opponent its memory is copied, and the winnings with this frozen
  memory are measured against reference players in separate hands.
- Ranges of ASHE 2.3 (section 8.3.2): a prediction is correct if the likeliest of the nine ranges
  contains the opponent's hand. Our reading: it predicts at each of its own decisions on the river,
  with the ranges of that board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import agents
import nlhe_env
from agents.policy.compiled_player import CompiledPlayer
from agents.policy.explanations import Explanation
from agents.policy.kinds import count
from agents.policy.session import Session
from agents.theses.li.ashe2 import ModelPlayer
from agents.theses.li.boards import N_RANGES, ranges_on
from nlhe_env import Game
from nlhe_env.arguments import whole_number
from nlhe_env.equity.tables.suits import hole_numbers
from nlhe_env.game.table import RIVER, STREET_NAMES
from nlhe_env.jit.array_types import F32, F64, I64
from nlhe_env.spaces.actions import CALL_ID


@dataclass(frozen=True, eq=False)
class ActionStatistics:
    """Actions of a player in some hands.

    Attributes:
        hands: Number of hands.
        raises: ``(4,)`` raises on every street.
        could_raise: ``(4,)`` decisions with a legal raise on every street.
        raised: ``(4,)`` sums of the sizes of the raises, in big blinds.
        folds: Folds after bets or raises of the opponent.
        faced: Decisions after bets or raises of the opponent.
        opponent_raises: Bets and raises of the opponent.
    """

    hands: int
    raises: I64
    could_raise: I64
    raised: F64
    folds: int
    faced: int
    opponent_raises: int

    @property
    def raise_frequency(self) -> F64:
        """``(4,)`` raises per opportunity on every street; nan without one."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.raises / self.could_raise)

    @property
    def mean_raise(self) -> F64:
        """``(4,)`` mean size of a raise in big blinds; nan without one."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.raised / self.raises)

    @property
    def fold_frequency(self) -> float:
        """Folds per bet or raise faced; nan without one."""
        return self.folds / self.faced if self.faced else float("nan")


def measure_actions(
    player: agents.Player, opponent: agents.Player, game: Game, *, seed: int = 1
) -> ActionStatistics:
    """Actions of a player against an opponent in one session.

    Args:
        player: Player whose actions are counted.
        opponent: Its opponent.
        game: A heads-up cash game of ``num_hands`` hands.
        seed: Seed of cards and the players' own randomness.

    Raises:
        ValueError: The game is not a cash game.
    """
    if not game.is_cash:
        raise ValueError(f"actions are counted in cash games only; got {game!r}")
    env = nlhe_env.raw_env(game=game, num_players=2, actions="chips", infos="full")
    me, other = env.possible_agents
    seats = agents.Lineup(env, {me: player, other: opponent})
    env.reset(seed=seed)
    raises, could = np.zeros(4, np.int64), np.zeros(4, np.int64)
    raised = np.zeros(4)
    folds = faced = opponent_raises = 0
    while env.agents and not _is_over(env):
        agent, table = env.agent_selection, env.tables[0]
        info, action = env.infos[agent], seats.action()
        street = STREET_NAMES.index(info["street"])
        if agent == other:
            opponent_raises += action > CALL_ID
        else:
            could[street] += info["max_raise_to"] > 0
            raises[street] += action > CALL_ID
            if action > CALL_ID:
                raised[street] += (action - int(table["current_bet"])) / game.big_blind
            if table["raises"][street].sum() > table["raises"][street][table["actor"]]:
                faced += 1
                folds += action == 0
        env.step(action)
    return ActionStatistics(
        game.num_hands or 1, raises, could, raised, folds, faced, opponent_raises
    )


def _is_over(env: nlhe_env.raw_env) -> bool:
    agent = env.agent_selection
    return bool(env.terminations[agent] or env.truncations[agent])


@dataclass(frozen=True, eq=False)
class Adaptation:
    """Winnings of a player with copies of its memory from several times.

    Attributes:
        after: ``(n,)`` session hands before each copy of the memory; the first is 0.
        scores: ``(n, n_judges)`` big blinds per hand with that memory.
        errors: ``(n, n_judges)`` standard errors of the scores; a column shares its cards.
        session: ``(n - 1,)`` big blinds per hand in each part of the session itself.
    """

    after: I64
    scores: F64
    errors: F64
    session: F64


def measure_adaptation(
    player: agents.CompiledPlayer | str,
    met: Sequence[agents.CompiledPlayer | str],
    reference_players: Sequence[agents.CompiledPlayer | str],
    game: Game,
    *,
    every: int = 50,
    hands: int = 4000,
    seed: int = 1,
) -> Adaptation:
    """Copy a player's memory at intervals during a session, and measure its value.

    Args:
        player: Player with memory, which adapts.
        met: Opponents in the session, in order.
        reference_players: Opponents for measuring the copies.
        game: A heads-up cash game; its number of hands is ignored.
        every: Hands against each of ``met``.
        hands: Hands per measurement; the same cards are replayed with exchanged seats.
        seed: Seed of cards and the players' own randomness.

    Raises:
        ValueError: The player has no memory, or a player does not support the game.

    >>> import agents, nlhe_env
    >>> game = nlhe_env.Game.cash(starting_stack=20_000, blinds=(50, 100))
    >>> found = measure_adaptation(
    ...     "ashe-1.0", ["early-scared-limper"], ["early-scared-limper"], game, every=5, hands=5
    ... )
    >>> found.after.tolist(), found.scores.shape
    ([0, 5], (2, 1))
    """
    whole_number("every", every, least=1)
    whole_number("hands", hands, least=2)
    one = _compiled(player)
    n = count(one.kind.memory, one.sizes)
    if n == 0:
        raise ValueError(f"the player must have a memory; {one.name!r} has none")
    blank = Session([one, _compiled(reference_players[0])], game, seed=seed)
    memories, parts = [blank.memory[0, :n]], []
    for i, opponent in enumerate(met, start=1):  # 0 is for the cards that measure all copies
        session = Session([one, _compiled(opponent)], game, seed=seed, number=i)
        session.memory[0, :n] = memories[-1]
        won = session.play(every)[:, 0]
        memories.append(session.memory[0, :n])
        parts.append(won.mean() / game.big_blind)
    scores = np.empty((len(memories), len(reference_players)))
    errors = np.empty_like(scores)
    for i, known in enumerate(memories):
        for j, reference in enumerate(map(_compiled, reference_players)):
            pair = []
            for seat in (0, 1):
                session = Session([one, reference], game, seed=seed, seat=seat)
                session.memory[0, :n] = known
                pair.append(session.play(hands, holds_memory=True)[:, 0])
            both = np.mean(pair, axis=0) / game.big_blind
            scores[i, j] = both.mean()
            errors[i, j] = both.std(ddof=1) / len(both) ** 0.5
    return Adaptation(every * np.arange(len(memories)), scores, errors, np.array(parts))


def _compiled(player: agents.CompiledPlayer | str) -> CompiledPlayer:
    return agents.make_compiled(player) if isinstance(player, str) else player


@dataclass(frozen=True, eq=False)
class RangeAccuracy:
    """Predictions of a session.

    Attributes:
        hands: ``(n,)`` hand number of each prediction, from 0.
        predicted: ``(n,)`` the likeliest range, 0 to 8.
        actual: ``(n,)`` the range of the opponent's hand.
    """

    hands: I64
    predicted: I64
    actual: I64

    def right(self, first_hand: int = 0) -> float:
        """Share of correct predictions from a hand on; nan without predictions."""
        selected = self.hands >= first_hand
        hits = (self.predicted == self.actual)[selected]
        return float(hits.mean()) if len(hits) else float("nan")

    def most_frequent(self, first_hand: int = 0) -> float:
        """Accuracy of always predicting the most frequent range."""
        selected = self.actual[self.hands >= first_hand]
        counts = np.bincount(selected, minlength=N_RANGES)
        return float(counts.max() / len(selected)) if len(selected) else float("nan")


def measure_ranges(
    player: ModelPlayer, opponent: agents.Player, game: Game, *, seed: int = 1
) -> RangeAccuracy:
    """Predictions of a player in a session, and the opponent's actual ranges.

    Args:
        player: ASHE 2.3.
        opponent: Its opponent.
        game: A heads-up cash game of ``num_hands`` hands.
        seed: Seed of cards and the players' own randomness.

    Raises:
        ValueError: The player is not ASHE 2.3, or the game is not a cash game.
    """
    if getattr(player, "version", "") != "2.3":
        raise ValueError(f"only ASHE 2.3 estimates ranges; got {player!r}")
    if not game.is_cash:
        raise ValueError(f"ranges are counted in cash games only; got {game!r}")
    env = nlhe_env.raw_env(game=game, num_players=2, actions="chips")
    me, other = env.possible_agents
    seats = agents.Lineup(env, {me: player, other: opponent})
    env.reset(seed=seed)
    found = []
    while env.agents and not (env.terminations[me] or env.truncations[me]):
        agent, table = env.agent_selection, env.tables[0]
        action = seats.action()
        if agent == me and table["street"] == RIVER:
            own, theirs, board = _cards(table)
            ranges, weights = ranges_on(own, board), _weights(seats.explanation())
            chances = np.bincount(ranges[ranges >= 0], weights[ranges >= 0], N_RANGES)
            low, high = sorted(theirs)
            actual = ranges[hole_numbers(high, low)]
            found.append((int(env.game_record["hands"][0]), int(chances.argmax()), int(actual)))
        env.step(action)
    columns = np.array(found, np.int64).reshape(-1, 3).T
    return RangeAccuracy(*columns)


def _weights(explanation: Explanation | None) -> F32:
    """Weights of the opponent's holdings."""
    if explanation is None:
        raise RuntimeError("a player with ranges explains nothing")
    return next(iter(explanation.ranges.values()))


def _cards(table: np.void) -> tuple[list[int], list[int], list[int]]:
    """Card codes of the player to act, the opponent and the board."""
    cards, seat, seats = table["cards"], int(table["actor"]), int(table["seats"])
    other = next(i for i in range(seats) if i != seat and table["player"][i] >= 0)
    own, theirs = (cards[2 * i : 2 * i + 2].tolist() for i in (seat, other))
    return own, theirs, cards[2 * seats : 2 * seats + 5].tolist()
