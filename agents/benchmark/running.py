"""Play on the bench: a player against the anchors of suites, within a budget."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from importlib.metadata import version
from pathlib import Path
from typing import Any

from agents.benchmark.game_logs import GameLog
from agents.benchmark.referee import Referee, refereed
from agents.benchmark.scorecard import OpponentResult, Scorecard, SuiteResult, has_card
from agents.benchmark.suites import (
    SUITES,
    Suite,
    anchor_hash,
    anchors,
    find_suite,
    player_hash,
)
from agents.external.player_lifecycle import as_players, close_all, take_seats
from agents.match.playing import play
from agents.match.schedules import Blocks
from agents.match.tally import Tally
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.player_batch import pack_players
from nlhe_env.arguments import number, whole_number
from nlhe_env.system.cores import n_cores

USUAL_HANDS = 10_000
"""Default number of hands against each anchor."""
_USUAL_BLOCKS = 100
"""Default minimum number of blocks, since blocks of tournaments have many hands."""
_MOST_HANDS = 1_000_000
"""Hands after which a player and an anchor count as equal if nothing else ends the match."""
_CHUNK_S = 2.0
"""Approximate time between checks in seconds."""
_TIMED_S = 0.2
"""Minimum CPU time in seconds for timing compiled players."""
_BOUND_SHARE = 0.2
"""Share of the time for exploitability bounds."""

_MODEL_FILES = (".zip", ".pt", ".pth", ".ckpt", ".safetensors")
_MODEL_EXAMPLE = """
    import agents
    from sb3_contrib import MaskablePPO

    def player():
        return agents.from_sb3(MaskablePPO.load("{}"))
"""

Progress = Callable[[SuiteResult, OpponentResult], None]


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Limits of an evaluation; the first one reached ends it.

    Attributes:
        hands: Number of hands against each anchor, rounded up to whole blocks.
        minutes: Total time limit in minutes; each anchor is played at least once.
        until_sure: Stop with an anchor as soon as it is known who is better.
    """

    hands: int | None = None
    minutes: float | None = None
    until_sure: bool = False

    def __post_init__(self) -> None:
        if self.hands is not None:
            whole_number("hands", self.hands, least=1)
        if self.minutes is not None:
            number("minutes", self.minutes, least=0.0)

    def blocks(self, suite: Suite) -> int:
        """Maximum number of duplicate blocks against an anchor."""
        if self.hands is not None:
            hands = self.hands
        elif self.minutes is None and not self.until_sure:
            hands = max(USUAL_HANDS, _USUAL_BLOCKS * suite.hands_of_block)
        else:
            hands = _MOST_HANDS
        return max(1, -(-hands // suite.hands_of_block))


def bench(
    player: Player | str | os.PathLike[str],
    suites: Sequence[str] = ("heads-up",),
    *,
    hands: int | None = None,
    minutes: float | None = None,
    until_sure: bool = False,
    seed: int | None = None,
    out: str | os.PathLike[str] | None = None,
    bound: bool = True,
    on_progress: Progress | None = None,
) -> Scorecard:
    """Evaluate a player against the anchors of suites.

    Matches are duplicate: in a block the player holds the cards of every seat once. Without a
    budget, 10,000 hands are played against each anchor. With ``out``, the card is written
    regularly, and another call with the same folder resumes where the last one ended, even after
    Ctrl-C.

    Args:
        player: Any player accepted by ``agents.play``, or the folder of a run.
        suites: Names of suites, see ``agents.benchmark.suites.SUITES``.
        hands: Maximum number of hands against each anchor.
        minutes: Time limit in minutes for all suites together.
        until_sure: Whether to stop with an anchor as soon as it is known who is better.
        seed: Seed of cards and decisions; None to draw one after the player is fixed.
        out: Folder for the card, and for the hands of players that are not compiled.
        bound: Whether to measure an exploitability bound, where possible.
        on_progress: Callback after every check.

    Raises:
        ValueError: The object is not a player, it cannot play a suite, the budget is invalid, or
            the folder has the card of another player.
        RuntimeError: An anchor plays differently from when the suite was made, or the player fails.

    >>> card = bench("folder", hands=1000, seed=1, bound=False)
    >>> round(card.suites["heads-up"].results["caller"].estimate(find_suite("heads-up"))[0])
    -25
    """
    budget = Budget(hands=hands, minutes=minutes, until_sure=until_sure)
    began = time.monotonic()
    chosen = [find_suite(name) for name in dict.fromkeys(suites)]
    if not chosen:
        raise ValueError(f"suites must name at least one of {', '.join(SUITES)}; got none")
    folder = None if out is None else Path(out)
    seated = _as_player(player)
    made_here = isinstance(player, (str, os.PathLike))
    for suite in chosen:
        check_playable(seated, suite)
    try:
        card = _opened(seated, chosen, seed, folder)
        run = _Run(card, seated, budget, folder, on_progress, began)
        run.play(chosen, 1.0 - _BOUND_SHARE if bound else 1.0)
        run.time_decisions(chosen)
        if bound:
            run.measure_bounds(chosen)
            run.play(chosen)
    finally:
        if made_here:
            close_all([seated])
    return card


def _as_player(player: Any) -> Player:
    """The player, or the champion of a run folder."""
    if isinstance(player, (str, os.PathLike)) and Path(player).is_dir():
        champion = Path(player) / "champion.npz"
        if not champion.is_file():
            raise ValueError(f"{player} is not a run folder: it has no champion.npz")
        player = champion
    elif isinstance(player, (str, os.PathLike)) and Path(player).suffix in _MODEL_FILES:
        raise ValueError(
            f"{player} looks like a model from another library. Write a file my_bot.py with a "
            f"function that loads it, such as\n{_MODEL_EXAMPLE.format(player)}\nand give "
            '"my_bot.py:player"'
        )
    (seated,) = as_players([player])
    return seated


def check_playable(player: Player, suite: Suite) -> None:
    """Check that a player can play a suite.

    Raises:
        ValueError: The player cannot; the message says what is missing.
    """
    if not isinstance(player, CompiledPlayer):
        return
    try:
        pack_players([player]).check(suite.game.arrays(suite.seats).tables)
    except ValueError as error:
        raise ValueError(
            f"{player.name} cannot play the suite {suite.name} ({suite.about}): {error}"
        ) from None


def _opened(
    player: Player, suites: Sequence[Suite], seed: int | None, folder: Path | None
) -> Scorecard:
    """The folder's card to resume, or a new one."""
    name = str(getattr(player, "name", type(player).__name__))
    if isinstance(player, CompiledPlayer):
        known = hash_of(player)
    else:
        kind = type(player)
        identity = getattr(player, "identity", name)
        known = f"{kind.__module__}.{kind.__qualname__} {identity}"
    names = dict.fromkeys(anchor for suite in suites for anchor in anchors(suite))
    hashes = {anchor: anchor_hash(anchor) for anchor in names}
    if folder is not None and has_card(folder):
        card = Scorecard.load(folder)
        if card.player_hash != known:
            raise ValueError(
                f"{folder} contains the scorecard of {card.player}, another player or the same one "
                "with different weights: choose another folder"
            )
        if seed not in (None, card.seed):
            raise ValueError(f"{folder} was started with seed {card.seed}; got {seed}")
        card.anchors |= hashes
    else:
        drawn = secrets.randbits(62) if seed is None else whole_number("seed", seed, least=0)
        card = Scorecard(
            player=name,
            player_hash=known,
            seed=drawn,
            seed_was_given=seed is not None,
            gives_probabilities=isinstance(player, CompiledPlayer)
            or getattr(player, "chances", None) is not None,
            anchors=hashes,
            package=version("nlhe-env"),
        )
    for suite in suites:
        results = {anchor: OpponentResult(anchor) for anchor in suite.anchors}
        card.suites.setdefault(suite.name, SuiteResult(suite.name, results))
    return card


def hash_of(player: CompiledPlayer) -> str:
    """``player_hash`` of a player over all suites that it can play."""

    def can_play(suite: Suite) -> bool:
        try:
            check_playable(player, suite)
        except ValueError:
            return False
        return True

    return player_hash(player, filter(can_play, SUITES.values()))


class Table:
    """A match of a player and an anchor, block by block.

    Args:
        player: The player.
        anchor: The anchor in all other seats.
        suite: The suite.
        seed: Seed of cards and decisions.
    """

    def __init__(self, player: Player, anchor: Player, suite: Suite, seed: int) -> None:
        self._suite, self._seed = suite, seed
        self._players: Any = suite.lineup(player, anchor)
        self.is_compiled = isinstance(player, CompiledPlayer)
        if self.is_compiled:
            self._players = pack_players(self._players)

    def play(self, first: int, count: int, record: list[Any] | None = None) -> Tally:
        """Play blocks and return their tally, which depends on their numbers alone.

        Args:
            first: Number of the first block.
            count: Number of blocks.
            record: List that receives the hands of a player that is not compiled.
        """
        if not self.is_compiled:
            return self.play_part(first, count, record)
        threads = min(n_cores(), count)
        bounds = [first + count * k // threads for k in range(threads + 1)]
        with ThreadPoolExecutor(threads) as pool:
            parts = list(
                pool.map(
                    lambda k: self.play_part(bounds[k], bounds[k + 1] - bounds[k]),
                    range(threads),
                )
            )
        return reduce(Tally.__add__, parts)

    def play_part(self, first: int, count: int, record: list[Any] | None = None) -> Tally:
        """``play`` in this thread only."""
        return play(
            self._players,
            Blocks(count, first),
            self._suite.game,
            seed=self._seed,
            variance_reduction=self._suite.variance_reduction,
            record=record,
        )


class _Run:
    """State of one call of ``bench``."""

    def __init__(
        self,
        card: Scorecard,
        player: Player,
        budget: Budget,
        folder: Path | None,
        on_progress: Progress | None,
        began: float,
    ) -> None:
        self._card, self._budget, self._folder = card, budget, folder
        self._on_progress = on_progress
        self._referee: Referee | None = None
        if not isinstance(player, CompiledPlayer):
            take_seats([player])
            self._referee = refereed(player)
        self._player: Any = self._referee or player
        self._began = began

    def _is_late(self, share: float) -> bool:
        minutes = self._budget.minutes
        return minutes is not None and time.monotonic() - self._began >= 60.0 * minutes * share

    def play(self, suites: Sequence[Suite], share: float = 1.0) -> None:
        """Play all suites alternately, so that they share time evenly.

        Args:
            suites: The suites.
            share: Share of the time limit to use; every anchor is played at least once.
        """
        left = [
            (self._looks(suite, name), self._card.suites[suite.name].results[name])
            for suite in suites
            for name in suite.anchors
        ]
        while left:
            for looks, one in list(left):
                is_over = one.blocks > 0 and self._is_late(share)
                if is_over or next(looks, None) is None:
                    left.remove((looks, one))

    def _looks(self, suite: Suite, name: str) -> Iterator[int]:
        """Play against an anchor; yields the number of blocks so far after every check."""
        result = self._card.suites[suite.name]
        one = result.results[name]
        table = Table(self._player, anchors(suite)[name], suite, self._card.seed)
        most, count = self._budget.blocks(suite), 1
        while one.blocks < most and not (self._budget.until_sure and result.is_decided(name)):
            count = min(count, most - one.blocks)
            began = time.monotonic()
            self._play(table, result, one, count)
            seconds = time.monotonic() - began
            if seconds < _CHUNK_S:
                count *= 2
            elif seconds > 2 * _CHUNK_S:
                count = max(1, count // 2)
            if self._on_progress is not None:
                self._on_progress(result, one)
            yield one.blocks

    def _play(self, table: Table, result: SuiteResult, one: OpponentResult, count: int) -> None:
        referee = self._referee
        hands: list[Any] = []
        before = (0, 0.0, 0) if referee is None else referee.counts
        is_logged = self._folder is not None and not table.is_compiled
        tally = table.play(one.blocks, count, hands if is_logged else None)
        if referee is not None:
            decisions, seconds, illegal = referee.counts
            result.decisions += decisions - before[0]
            result.seconds += seconds - before[1]
            result.illegal += illegal - before[2]
        if is_logged and self._folder is not None:
            GameLog(self._folder, result.name, one.opponent).write(one.blocks, hands)
        one.add(tally)
        self._save()

    def time_decisions(self, suites: Sequence[Suite]) -> None:
        """Time a compiled player in self-play, where all decisions are its own."""
        for suite in suites:
            result = self._card.suites[suite.name]
            if self._referee is not None or result.decisions:
                continue
            batch, count = pack_players([self._player] * suite.seats), 1
            play(batch, Blocks(1), suite.game, seed=0)  # compile first
            while result.seconds < _TIMED_S:
                began = time.thread_time()
                result.decisions = play(batch, Blocks(count), suite.game, seed=0).decisions
                result.seconds = time.thread_time() - began
                count *= 4
        self._save()

    def measure_bounds(self, suites: Sequence[Suite]) -> None:
        """Measure exploitability bounds of the player, where possible."""
        # Imported here, because best responses import much that most users of ``agents`` do not
        # need.
        from agents.benchmark.bounds import NoBoundError, bound_of

        minutes = self._budget.minutes
        for k, suite in enumerate(suites):
            result = self._card.suites[suite.name]
            if result.bound is not None:
                continue
            if minutes is None:
                seconds = 30.0
            else:
                spent = time.monotonic() - self._began
                seconds = max(0.0, 60.0 * minutes - spent) / (len(suites) - k)
            try:
                result.bound = bound_of(
                    self._player,
                    suite,
                    seed=self._card.seed,
                    seconds=seconds,
                    seconds_per_decision=result.seconds_per_decision,
                )
            except NoBoundError as reason:
                result.no_bound = str(reason)
            self._save()

    def _save(self) -> None:
        if self._folder is not None:
            self._card.save(self._folder)
