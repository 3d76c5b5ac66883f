"""NLBot1 to NLBot4: rule-based heads-up players that remember shown hands.

Of the published players only results are known (quoted by Nicolai, MSc thesis, University of
Regina, 2008, under related work), and that they are four versions of a rule-based heads-up no-limit
player. The rules here are our interpretation, every choice is a field of ``NLBotSettings``, and
only results can be compared.

Decisions start from the exact equity of the hand against a random one. Its odds are divided by the
odds of the hands that the opponent tends to hold after its last action, as in a paired comparison
(Bradley and Terry, 1952). The resulting win share is compared with the pot odds, and sizes a raise
by Kelly's rule: for an even bet with win probability p, stake 2p - 1 of all chips.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agents.external.chips import check_full, chips_id_of
from agents.player_records import PLAYERS
from nlhe_env.arguments import one_of
from nlhe_env.assessment.odds import pot_odds, required_fold_equity
from nlhe_env.equity import hand_equity
from nlhe_env.game import random_stream as rng
from nlhe_env.game.table import STREET_NAMES
from nlhe_env.jit.array_types import I8
from nlhe_env.spaces.actions import CALL_ID, CHIPS, FIRST_RAISE_ID, FOLD_ID, SIZED, ActionEncoding
from nlhe_env.spaces.cards_observation import cards_parts

NOTHING, SHOWN_HANDS, FREQUENCIES = "nothing", "shown hands", "frequencies"

_PASSIVE, _AGGRESSIVE = 0, 1
_BEFORE_FLOP, _AFTER_FLOP = 0, 1
_N_BOARD = (0, 3, 4, 5)  # number of board cards by street

_FIELDS = {field.name: slice(field.start, field.stop) for field in cards_parts(2)}
_OBSERVATION_SIZE = cards_parts(2)[-1].stop

_SIZED_MEDIANS = (0.043, 0.167, 0.573)
"""Medians of the published small, medium and large bets, as shares of the maximum at stake."""
_PREFLOP_SPREAD = 0.23
"""Spread of the log-odds of starting hands, relative to those on a full board."""


@dataclass(frozen=True, kw_only=True)
class NLBotSettings:
    """Parameters of an NLBot, all of them interpretations, since the sources name none.

    Args:
        remembers: Source of learning: ``"shown hands"``, the strength of shown hands by action;
            ``"frequencies"``, how often the opponent bets or raises; or ``"nothing"``.
        bluffs: Whether it counts how often its raises win the pot at once, and bluffs if
            profitable.
        keeps_memory: Whether memory persists into a next match without a call of ``begin``.
        prior_rate: Share of hands, the best ones, bet or raised by an unknown opponent.
        sharpness: Degree, 0 to 1, to which betting hands are taken as the best ones; applies to
            rates, not to shown hands.
        prior_weight: Weight of the prior in shown hands or observed turns.
        caution: Required win share beyond the pot odds for a call with all chips; proportionally
            less for smaller calls.
        raise_from: Minimum win share for a raise.
        kelly: Chips put in after a raise, as a multiple of Kelly's stake.
        most_pots: Maximum raise in pots after the call, unless the minimum raise is larger.
        bluff_pots: Size of a bluff in pots.
        bluff_rate: Probability of taking an opportunity to bluff.
        bluff_margin: Required excess of the fold rate over the break-even rate for a bluff.
        prior_folds: Share of raises to which an unknown opponent folds.

    Raises:
        ValueError: A number is out of range or ``remembers`` is unknown.
    """

    remembers: str = SHOWN_HANDS
    bluffs: bool = False
    keeps_memory: bool = False
    prior_rate: float = 0.5
    sharpness: float = 0.5
    prior_weight: float = 6.0
    caution: float = 0.1
    raise_from: float = 0.6
    kelly: float = 1.0
    most_pots: float = 0.5
    bluff_pots: float = 0.5
    bluff_rate: float = 0.5
    bluff_margin: float = 0.1
    prior_folds: float = 0.3

    def __post_init__(self) -> None:
        one_of("remembers", self.remembers, (NOTHING, SHOWN_HANDS, FREQUENCIES))
        for name in (
            "sharpness",
            "caution",
            "raise_from",
            "bluff_rate",
            "bluff_margin",
            "prior_folds",
        ):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be in 0..1; got {getattr(self, name)!r}")
        if not 0 < self.prior_rate < 1:
            raise ValueError(f"prior_rate must be between 0 and 1; got {self.prior_rate!r}")
        for name in ("prior_weight", "kelly", "most_pots", "bluff_pots"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be above 0; got {getattr(self, name)!r}")


VERSIONS = {
    1: NLBotSettings(),
    2: NLBotSettings(remembers=NOTHING),
    3: NLBotSettings(remembers=FREQUENCIES),
    4: NLBotSettings(bluffs=True),
}
"""Assumed parameters of the four versions."""


class Situation(NamedTuple):
    """Situation of an NLBot at its turn; chips are integers."""

    hand: int
    decision: int
    hole: str
    board: str
    street: int
    to_call: int
    least: int
    """Minimum legal raise, as chips on this street afterwards; 0 if none."""
    most: int
    """Maximum legal raise, as chips on this street afterwards."""
    street_bet: int
    """Chips put in by the player on this street."""
    hand_bets: tuple[int, int]
    """Chips put in during the hand, by the player and by the opponent."""
    stacks: tuple[int, int]
    """Chips behind of the player and of the opponent."""
    acts: tuple[int | None, ...]
    """By street: 1 if the opponent raised, 0 if it only checked or called, None if it did not
    act."""

    @property
    def pot(self) -> int:
        """Winnable part of the pot, without chips that the opponent cannot match."""
        mine, theirs = self.hand_bets
        return mine + min(theirs, mine + self.to_call)

    @property
    def chips(self) -> int:
        """All chips of both players."""
        return sum(self.hand_bets) + sum(self.stacks)

    @property
    def at_stake(self) -> int:
        """Maximum loss of either player in this hand."""
        return min(bet + stack for bet, stack in zip(self.hand_bets, self.stacks, strict=True))

    @property
    def last_act(self) -> tuple[int, int] | None:
        """Street phase and manner of the opponent's last action; None if it has not acted."""
        for street in range(self.street, -1, -1):
            act = self.acts[street]
            if act is not None:
                return _phase(street), act
        return None


def read_turn(observation: Mapping[str, Any], info: Mapping[str, Any]) -> Situation:
    """Situation of the player to act.

    Args:
        observation: With ``"observation"``, the ``"cards"`` of a game of two players.
        info: Info of the same turn.

    Raises:
        ValueError: The observation has another shape.
    """
    cards = observation["observation"]
    if cards.shape != (_OBSERVATION_SIZE,):
        raise ValueError(
            'an NLBot plays heads-up and needs num_players=2, observation="cards": '
            f"{_OBSERVATION_SIZE} numbers; got a vector of shape {cards.shape}"
        )
    chips = info["big_blind"]

    def amounts(name: str) -> tuple[int, int]:
        mine, theirs = cards[_FIELDS[name]]
        return round(float(mine) * chips), round(float(theirs) * chips)

    raises = cards[_FIELDS["raises_by_street"]][1::2]
    calls = cards[_FIELDS["calls_by_street"]][1::2]
    return Situation(
        hand=info["hand_number"],
        decision=info["decision"],
        hole=info["hole_cards"],
        board=info["board"],
        street=STREET_NAMES.index(info["street"]),
        to_call=info["to_call"],
        least=info["min_raise_to"],
        most=info["max_raise_to"],
        street_bet=amounts("street_bets")[0],
        hand_bets=amounts("hand_bets"),
        stacks=amounts("stacks"),
        acts=tuple(
            _AGGRESSIVE if raised else _PASSIVE if called else None
            for raised, called in zip(raises, calls, strict=True)
        ),
    )


class Notes:
    """Observations about the opponent.

    Args:
        settings: Settings with the priors.
    """

    def __init__(self, settings: NLBotSettings) -> None:
        self._settings = settings
        self.hands = np.zeros((2, 2), np.int64)
        """Hands shown, by phase (before the flop, after) and manner (passive, aggressive)."""
        self.log_odds = np.zeros((2, 2))
        """Sums of the log-odds of their pot shares at that time, by the same."""
        self.acts = np.zeros((2, 2), np.int64)
        """Turns seen, by the same; a fold is passive."""
        self.raises = 0
        """Own raises."""
        self.folds = 0
        """Pots that they won at once."""

    def note_hand(
        self, last: Situation, last_action: int, shown: Mapping[str, str], board: str = ""
    ) -> None:
        """Learn from a finished hand.

        Args:
            last: The player's last turn in the hand.
            last_action: Id of the action at that turn.
            shown: Cards shown by name; empty if a player folded.
            board: All cards of the board.
        """
        acts = list(last.acts)
        if last_action != FOLD_ID and acts[last.street] is None and last.stacks[1] > 0:
            acts[last.street] = _PASSIVE  # after our turn it called, checked or folded
        for street, act in enumerate(acts):
            if act is not None:
                self.acts[_phase(street), act] += 1
        if last_action == FOLD_ID:
            return
        if not shown:
            self.folds += 1
            return
        mine = {last.hole[:2], last.hole[2:]}
        for hole in shown.values():
            if mine.isdisjoint((hole[:2], hole[2:])):
                self._note_shown(hole, board, acts)

    def _note_shown(self, hole: str, board: str, acts: Iterable[int | None]) -> None:
        for street, act in enumerate(acts):
            if act is not None:
                known = board[: 2 * _N_BOARD[street]]
                self.log_odds[_phase(street), act] += _log_odds(hand_equity(hole, known))
                self.hands[_phase(street), act] += 1

    def strength(self, phase: int, act: int) -> float:
        """Log-odds of the mean equity of the opponent's hands after this kind of action."""
        settings = self._settings
        weight = settings.prior_weight
        rate = settings.prior_rate
        if settings.remembers == FREQUENCIES:
            passive, aggressive = self.acts[phase].tolist()
            rate = (weight * rate + aggressive) / (weight + passive + aggressive)
        expected = settings.sharpness * _strength_at_rate(rate, act)
        if phase == _BEFORE_FLOP:
            expected *= _PREFLOP_SPREAD
        if settings.remembers != SHOWN_HANDS:
            return expected
        total = weight * expected + self.log_odds[phase, act]
        return float(total / (weight + self.hands[phase, act]))

    @property
    def fold_rate(self) -> float:
        """Frequency with which the opponent folds to a raise."""
        settings = self._settings
        weight = settings.prior_weight
        return (weight * settings.prior_folds + self.folds) / (weight + self.raises)


class NLBot:
    """A rule-based heads-up player with memory; one object plays one opponent.

    Args:
        version: 1 to 4, a key of ``VERSIONS``.
        settings: Settings that replace those of the version.
        actions: The argument ``actions`` of the environment. By default, ``"chips"`` is recognised,
            and five ids are taken as the environment's default ``(0.5, 1.0)``. A raise becomes the
            legal amount nearest to the wanted one.
        name: Name for tables and plots.

    Raises:
        ValueError: The version or ``actions`` is unknown.

    >>> NLBot(4).name, NLBot(4).settings.bluffs
    ('nlbot-4', True)
    """

    observation = "cards"
    """Observation used at every table."""
    known_seats = PLAYERS["nlbot-1"].seats
    """Number of players of its games."""

    def __init__(
        self,
        version: int = 1,
        *,
        settings: NLBotSettings | None = None,
        actions: str | Iterable[float] | None = None,
        name: str | None = None,
    ) -> None:
        if version not in VERSIONS:
            known = ", ".join(map(str, VERSIONS))
            raise ValueError(f"version must be one of {known}; got {version!r}")
        self.name = f"nlbot-{version}" if name is None else name
        self.settings = VERSIONS[version] if settings is None else settings
        self._encoding = None if actions is None else ActionEncoding.of(actions)
        self.begin(0, 0)

    def begin(self, seed: int, player: int, episode: int = 0) -> None:
        """Start a match without memory; the numbers seed the bluffs."""
        self._stream = (np.uint64(rng.make_seed(seed)), player, episode)
        self.notes = Notes(self.settings)
        self._last: tuple[Situation, int] | None = None

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Id of the chosen action; see ``agents.Player``.

        A hand is remembered only if it is the last finished one at the player's next turn: a shown
        hand followed by a fold of the opponent's blind is missed.

        Raises:
            ValueError: The environment has another observation or unknown action ids.
        """
        check_full(info)
        turn = read_turn(observation, info)
        if self._last is not None:
            last, action = self._last
            if turn == last:  # repeated query
                return action
            self._recall(last, action, turn, info)
        mask = observation["action_mask"]
        action = self._choose(turn, mask)
        if action >= FIRST_RAISE_ID:
            self.notes.raises += 1
        self._last = turn, action
        return action

    def _recall(
        self, last: Situation, action: int, turn: Situation, info: Mapping[str, Any]
    ) -> None:
        """Learn from the events since the last turn."""
        if (turn.hand, turn.decision) <= (last.hand, last.decision):  # another match
            if not self.settings.keeps_memory:
                self.notes = Notes(self.settings)
        elif turn.hand > last.hand:
            result = info.get("last_hand", {})
            if result.get("hand_number") == last.hand:
                self.notes.note_hand(last, action, result["shown"], result["board"])

    def win_share(self, turn: Situation) -> float:
        """Expected pot share, given the opponent's last action."""
        own = _log_odds(hand_equity(turn.hole, turn.board))
        if turn.last_act is not None:
            own -= self.notes.strength(*turn.last_act)
        return 1 / (1 + math.exp(-own))

    def _choose(self, turn: Situation, mask: I8) -> int:
        settings = self.settings
        share = self.win_share(turn)
        wanted = 0  # target for chips put in on this street
        if share >= settings.raise_from:
            kelly = settings.kelly * (2 * share - 1) * turn.at_stake
            largest = turn.to_call + settings.most_pots * (turn.pot + turn.to_call)
            largest = max(largest, turn.least - turn.street_bet)
            wanted = turn.street_bet + round(min(kelly - turn.hand_bets[0], largest))
        elif self._bluffs(turn):
            wanted = turn.street_bet + round(settings.bluff_pots * turn.pot)
        if turn.least and wanted >= turn.least:
            return self._nearest(turn, min(wanted, turn.most), mask)
        if turn.to_call == 0:
            return CALL_ID
        needed = pot_odds(turn.pot, turn.to_call)
        needed += settings.caution * turn.to_call / max(1, turn.at_stake)
        return CALL_ID if share >= needed else FOLD_ID

    def _bluffs(self, turn: Situation) -> bool:
        settings = self.settings
        if not settings.bluffs or turn.street == 0 or turn.to_call > 0:
            return False
        needed = required_fold_equity(1, settings.bluff_pots) + settings.bluff_margin
        seed, player, episode = self._stream
        u, _, _ = rng.decision_units(seed, turn.decision, turn.hand, player, episode)
        return bool(self.notes.fold_rate > needed and u < settings.bluff_rate)

    def _nearest(self, turn: Situation, wanted: int, mask: I8) -> int:
        """Id of the legal raise or call nearest to a wanted amount."""
        encoding = self._encoding or _recognise(turn, len(mask))
        expected = encoding.size(turn.chips)
        # With a rake or carried stacks, there can be fewer chips than ids.
        if len(mask) < expected or (len(mask) > expected and encoding.kind != CHIPS):
            raise ValueError(
                f"{self.name} expects {expected} action ids; got {len(mask)}: give it "
                'the actions of the environment, as in NLBot(1, actions="sized")'
            )
        if encoding.kind == CHIPS:
            return chips_id_of(wanted)
        bet = turn.street_bet + turn.to_call
        if encoding.kind == SIZED:
            most = turn.at_stake - turn.hand_bets[0]
            amounts = [turn.street_bet + round(median * most) for median in _SIZED_MEDIANS]
            amounts = [min(max(amount, turn.least), turn.most) for amount in amounts]
        else:
            pot = sum(turn.hand_bets) + turn.to_call
            amounts = [bet + math.floor(share * pot + 0.5) for share in encoding.fractions]
            amounts.append(turn.most)
        legal = [i for i in range(1, len(mask)) if mask[i]]
        return min(legal, key=lambda i: abs([bet, *amounts][i - 1] - wanted))


def _recognise(turn: Situation, n_actions: int) -> ActionEncoding:
    """Action encoding for a number of ids: chips if they suffice for all chips at the table."""
    chips, usual = ActionEncoding.of("chips"), ActionEncoding.of((0.5, 1.0))
    least = chips.size(turn.chips)
    if n_actions == least or (n_actions > least and n_actions != usual.size(turn.chips)):
        return chips
    return usual


def _phase(street: int) -> int:
    return _BEFORE_FLOP if street == 0 else _AFTER_FLOP


def _log_odds(share: float) -> float:
    """Log-odds of a share, clipped away from 0 and 1."""
    bounded = min(max(share, 0.02), 0.98)
    return math.log(bounded / (1 - bounded))


def _strength_at_rate(rate: float, act: int) -> float:
    """Mean log-odds on a full board of the best ``rate`` of all hands, or of the rest.

    Equities are uniform there, and the mean log-odds of the best r is H(r) / r, where H is the
    entropy; the mean over all hands is 0.
    """
    if not 0 < rate < 1:
        return 0.0
    entropy = -rate * math.log(rate) - (1 - rate) * math.log(1 - rate)
    return entropy / rate if act == _AGGRESSIVE else -entropy / (1 - rate)
