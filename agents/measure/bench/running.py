"""Play on the bench: a player against the anchors of suites, within a budget.

A referee queries an external player, times it and counts illegal answers. A wrong answer does not
end a match: the player checks, or folds facing a bet, and the answer is counted. Ten decisions in a
row without a valid answer end the match, and so does an exception from the player, because the
player cannot continue.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Any

import numpy as np

from agents.external.chat import ChatReport
from agents.external.chips import CHECK_OR_CALL, FOLD, ChipPlayer, Turn, is_legal, whole_or_illegal
from agents.external.invalid_decisions import MOST_IN_A_ROW, InvalidDecisions
from agents.external.known_games import check_knows_game
from agents.external.player_lifecycle import as_players, close_all, describe_failure, take_seats
from agents.external.process import BotReport
from agents.match.playing import play
from agents.match.schedules import Blocks
from agents.match.tally import Tally
from agents.match.workers.base import thread_workers
from agents.measure.bench.game_logs import GameLog
from agents.measure.bench.scorecard import (
    PLANNED_BLOCKS,
    OpponentResult,
    Scorecard,
    SuiteResult,
    has_card,
)
from agents.measure.bench.suites import (
    SUITES,
    VERSION,
    VERSIONS,
    Suite,
    anchor_hash,
    anchors,
    find_suite,
    player_hash,
)
from agents.policy.compiled_player import CompiledPlayer, Player
from agents.policy.player_batch import pack_players
from agents.statistics.stop_rules import StopRule
from nlhe_env.arguments import LARGEST_SEED, number, shown, whole_number
from nlhe_env.system.folder_lock import locked

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

Progress = Callable[[SuiteResult, OpponentResult], None]


MODEL_FILES = (".zip", ".pt", ".pth", ".ckpt", ".safetensors")
"""Endings of models from other libraries."""

_SB3 = """\
import agents
from {library} import {algorithm}


def player():
    model = {algorithm}.load({path!r}, device="cpu")
    # Observation and actions as in the training environment; these are the defaults here.
    return agents.from_sb3(model, observation="features_scaled", actions=(0.5, 1.0){options})
"""
_TORCH = """\
import agents
import torch


def player():
    # A file with weights only: make your module here, and give it these weights.
    module = torch.load({path!r}, map_location="cpu", weights_only=False)
    # Observation and actions as in the training environment; these are the defaults here.
    return agents.from_torch(module, observation="features_scaled", actions=(0.5, 1.0))
"""
_POLICIES = {
    "sb3_contrib.common.maskable.policies": ("sb3_contrib", "MaskablePPO"),
    "sb3_contrib.common.recurrent.policies": ("sb3_contrib", "RecurrentPPO"),
    "sb3_contrib.qrdqn.policies": ("sb3_contrib", "QRDQN"),
    "stable_baselines3.dqn.policies": ("stable_baselines3", "DQN"),
    "stable_baselines3.common.policies": ("stable_baselines3", "A2C"),
}
"""Algorithms by the module of their policy."""
_SETTINGS = {
    "clip_range": ("stable_baselines3", "PPO"),
    "cg_max_steps": ("sb3_contrib", "TRPO"),
}
"""Other algorithms with the policy of A2C, by a setting that only they have."""


_MOST_IDS = 10
"""Maximum number of legal ids in a message."""


class Referee:
    """Counts of a refereed player.

    Attributes:
        player: The refereed player.
        decisions: Number of its decisions.
        seconds: Wall time of its decisions.
        invalid: Decisions without a valid answer.
    """

    def __init__(self, player: Any) -> None:
        self.player = player
        self.decisions = 0
        self.seconds = 0.0
        self.invalid = InvalidDecisions()
        self._illegal = 0
        self._caught = 0  # invalid decisions of the player's own report

    def __getattr__(self, name: str) -> Any:
        """Other attributes of the player: hooks, probabilities, observation."""
        found = getattr(self.__dict__["player"], name)
        return self._timed(found) if name == "chances" and found is not None else found

    def _timed(self, chances: Any) -> Any:
        """Time the player's probabilities, which variance reduction queries before the decision."""

        def asked(turn: Any) -> Any:
            began = time.perf_counter()
            try:
                return chances(turn)
            finally:
                self.seconds += time.perf_counter() - began

        return asked

    @property
    def illegal(self) -> int:
        """Number of illegal answers, including those caught by the player itself."""
        report = self._own_report
        if report is None:
            return self._illegal
        return self._illegal + (report.failed if isinstance(report, BotReport) else report.illegal)

    @property
    def counts(self) -> tuple[int, float, int]:
        """Number of decisions, seconds and number of illegal answers so far."""
        return self.decisions, self.seconds, self.illegal

    def take_invalid(self) -> InvalidDecisions:
        """Invalid decisions since the last call."""
        taken, report = self.invalid, self._own_report
        self.invalid = InvalidDecisions(in_a_row=taken.in_a_row)
        self._caught = 0 if report is None else report.invalid.total
        return taken

    @property
    def _own_report(self) -> BotReport | ChatReport | None:
        """Report of a player that catches its own illegal answers."""
        report = getattr(self.player, "report", None)
        return report if isinstance(report, (BotReport, ChatReport)) else None

    def _ask(self, ask: Any, *about: Any) -> Any:
        began = time.perf_counter()
        try:
            answer = ask(*about)
        except RuntimeError:  # errors of bots and servers are self-explanatory
            raise
        except Exception as error:
            raise RuntimeError(describe_failure(self.player, error)) from error
        finally:
            self.seconds += time.perf_counter() - began
            self.decisions += 1
        report = self._own_report
        if report is not None and report.invalid.total > self._caught:
            self._caught = report.invalid.total
            self._add(*report.invalid.last)
        return answer

    def _note(self, answer: Any, expected: str) -> None:
        """Count an illegal answer."""
        self._illegal += 1
        self._add("illegal", f"it returned {shown(answer)}; expected {expected}")

    def _add(self, reason: str, example: str) -> None:
        self.invalid.add(reason, example)
        report = self._own_report
        name = getattr(self.player, "name", type(self.player).__name__)
        if self.invalid.in_a_row >= MOST_IN_A_ROW:
            raise RuntimeError(self.invalid.why_stopped(name))
        if isinstance(report, BotReport):
            report.check_plays()


class _ChipReferee(Referee, ChipPlayer):
    """Referee of a player that answers in chips."""

    def decide(self, turn: Turn) -> int:
        """The player's action, if it is legal."""
        before = self.invalid.total
        answer = self._ask(self.player.decide, turn)
        action = whole_or_illegal(answer)
        if action >= FOLD and is_legal(turn, action):
            if self.invalid.total == before:
                self.invalid.in_a_row = 0
            return action
        raises = f"{turn['min_raise_to']} to {turn['max_raise_to']}"
        fold = "agents.FOLD, " if turn["to_call"] > 0 else ""
        amount = f" or an amount from {raises}" if turn["min_raise_to"] > 0 else ""
        self._note(answer, f"{fold}agents.CHECK_OR_CALL{amount}")
        return FOLD if turn["to_call"] > 0 else CHECK_OR_CALL


class _IdReferee(Referee):
    """Referee of a player that answers with action ids."""

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> int:
        """Id of the player's action, if it is legal."""
        mask = np.asarray(observation["action_mask"])
        answer = self._ask(self.player.act, observation, info)
        action = whole_or_illegal(answer)
        if 0 <= action < len(mask) and mask[action]:
            self.invalid.in_a_row = 0
            return action
        legal = np.flatnonzero(mask)
        more = ", ..." if len(legal) > _MOST_IDS else ""
        self._note(answer, f"one of the ids {', '.join(map(str, legal[:_MOST_IDS]))}{more}")
        return FOLD if mask[FOLD] else CHECK_OR_CALL


def refereed(player: Player) -> Referee:
    """Wrap a player that is not compiled in a referee."""
    return _ChipReferee(player) if isinstance(player, ChipPlayer) else _IdReferee(player)


def loading_file(path: Path) -> str:
    """Text of a Python file whose function ``player`` loads a model.

    The algorithm of a model of Stable-Baselines3 is read from the file's settings, without
    unpickling anything; ``MaskablePPO`` if that fails.
    """
    if path.suffix != ".zip":
        return _TORCH.format(path=str(path))
    library, algorithm = _algorithm(path)
    options = ', memory="hand"' if algorithm == "RecurrentPPO" else ""
    return _SB3.format(library=library, algorithm=algorithm, path=str(path), options=options)


def _algorithm(path: Path) -> tuple[str, str]:
    try:
        with zipfile.ZipFile(path) as archive:
            settings: Any = json.loads(archive.read("data"))
        found = _POLICIES[settings["policy_class"]["__module__"]]
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile):
        return "sb3_contrib", "MaskablePPO"
    if found[1] == "A2C":
        return next((each for name, each in _SETTINGS.items() if name in settings), found)
    return found


@dataclass(frozen=True, kw_only=True)
class EvaluationLimits:
    """Limits of an evaluation; the first one reached ends it.

    Attributes:
        hands: Number of hands against each anchor, rounded up to whole blocks.
        minutes: Total time limit in minutes; each anchor is played at least once.
        until_sure: Stop with an anchor as soon as it is known who is better. Where luck has
            exaggerated a difference, this is early, so the card gives no rating.
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
    version: int = VERSION,
) -> Scorecard:
    """Evaluate a player against the anchors of suites.

    Matches are duplicate: in a block the player holds the cards of every seat once. Without a
    budget, 10,000 hands are played against each anchor. With ``out``, the card is written
    regularly, and another call with the same folder resumes where the last one ended, even after
    Ctrl-C; one process at a time.

    Args:
        player: Any player accepted by ``agents.play``, or the folder of a run.
        suites: Names of suites, see ``agents.measure.bench.suites.SUITES``.
        hands: Maximum number of hands against each anchor.
        minutes: Time limit in minutes for all suites together.
        until_sure: Whether to stop with an anchor as soon as it is known who is better, as
            ``EvaluationLimits.until_sure``; the card then gives no rating.
        seed: Seed of cards and decisions; None to draw one after the player is fixed.
        out: Folder for the card, and for the hands of players that are not compiled.
        bound: Whether to measure an exploitability bound, where possible.
        on_progress: Callback after every check.
        version: Version of the suites; earlier ones are for measurements that began with them.

    Raises:
        ValueError: The object is not a player, it cannot play a suite, the budget is invalid, or
            the folder has the card of another player or version.
        RuntimeError: An anchor plays differently from when the suite was made, the player fails, or
            another process has the folder.

    >>> card = bench("folder", hands=1000, seed=1, bound=False)
    >>> round(card.suites["heads-up"].results["caller"].mean)
    -26
    """
    budget = EvaluationLimits(hands=hands, minutes=minutes, until_sure=until_sure)
    began = time.monotonic()
    seed = None if seed is None else whole_number("seed", seed, least=0, most=LARGEST_SEED)
    chosen = [find_suite(name, version) for name in dict.fromkeys(suites)]
    if not chosen:
        raise ValueError(f"suites must name at least one of {', '.join(SUITES)}; got none")
    folder = None if out is None else Path(out)
    seated = _as_player(player)
    made_here = isinstance(player, (str, os.PathLike))
    for suite in chosen:
        check_playable(seated, suite)
    try:
        with ExitStack() as stack:
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                # Each process writes a whole card, without the results of others.
                stack.enter_context(locked(folder))
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
    elif isinstance(player, (str, os.PathLike)) and Path(player).suffix in MODEL_FILES:
        raise ValueError(
            f"{player} looks like a model from another library. Save these lines as my_bot.py, and "
            f'give "my_bot.py:player":\n\n{loading_file(Path(player))}'
        )
    (seated,) = as_players([player])
    return seated


def check_playable(player: Player, suite: Suite) -> None:
    """Check that a player can play a suite.

    Raises:
        ValueError: The player cannot; the message says what is missing.
    """
    try:
        check_knows_game(player, suite.game, suite.seats)
    except ValueError as error:
        name = getattr(player, "name", type(player).__name__)
        raise ValueError(
            f"{name} cannot play the suite {suite.name} ({suite.about}): {error}"
        ) from None


def _opened(
    player: Player, suites: Sequence[Suite], seed: int | None, folder: Path | None
) -> Scorecard:
    """The folder's card to resume, or a new one."""
    name = str(getattr(player, "name", type(player).__name__))
    if isinstance(player, CompiledPlayer):
        known = hash_of(player, suites[0].version)
    else:
        kind = type(player)
        identity = getattr(player, "identity", name)
        known = f"{kind.__module__}.{kind.__qualname__} {identity}"
    hashes = anchor_hashes(suites)
    if folder is not None and has_card(folder):
        card = Scorecard.load(folder)
        if card.version != suites[0].version:
            raise ValueError(
                f"{folder} contains a scorecard of version {card.version} of the suites, and "
                f"version {suites[0].version} is not comparable with it: choose another folder"
            )
        if card.player_hash != known:
            raise ValueError(
                f"{folder} contains the scorecard of {card.player}, another player or an earlier "
                "version of it: choose another folder"
            )
        if seed not in (None, card.seed):
            raise ValueError(f"{folder} was started with seed {card.seed}; got {seed}")
        card.anchors |= hashes
    else:
        card = Scorecard(
            player=name,
            player_hash=known,
            seed=secrets.randbits(62) if seed is None else seed,
            seed_was_given=seed is not None,
            gives_probabilities=isinstance(player, CompiledPlayer)
            or getattr(player, "chances", None) is not None,
            anchors=hashes,
            version=suites[0].version,
            package=package_version("nlhe-env"),
        )
    for suite in suites:
        results = {anchor: OpponentResult(anchor, suite) for anchor in suite.anchors}
        card.suites.setdefault(suite.name, SuiteResult(suite, results))
    return card


def anchor_hashes(suites: Iterable[Suite]) -> dict[str, str]:
    """Hash of every anchor of some suites, by name.

    Raises:
        RuntimeError: An anchor plays differently from when the suites were made.
    """
    return {name: anchor_hash(name, suite.version) for suite in suites for name in anchors(suite)}


def hash_of(player: CompiledPlayer, version: int = VERSION) -> str:
    """``player_hash`` of a player over all suites of a version that it can play."""

    def can_play(suite: Suite) -> bool:
        try:
            check_playable(player, suite)
        except ValueError:
            return False
        return True

    return player_hash(player, filter(can_play, VERSIONS[version].values()))


class AnchorMatch:
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

    def play(
        self,
        first: int,
        count: int,
        record: list[Any] | None = None,
        *,
        threads: int | None = None,
    ) -> Tally:
        """Play blocks and return their tally, which depends on their numbers alone.

        Args:
            first: Number of the first block.
            count: Number of blocks.
            record: List that receives the hands of a player that is not compiled.
            threads: Threads for compiled players; default: one per core.
        """
        with thread_workers(threads) as workers:
            return play(
                self._players,
                Blocks(count, first),
                self._suite.game,
                seed=self._seed,
                rows=True,
                variance_reduction=self._suite.variance_reduction,
                record=record,
                workers=workers if self.is_compiled else None,
            )


class _Run:
    """State of one call of ``bench``."""

    def __init__(
        self,
        card: Scorecard,
        player: Player,
        budget: EvaluationLimits,
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

    def play(self, suites: Sequence[Suite], share: float = 1.0) -> None:
        """Play all suites alternately, so that they share time evenly.

        Args:
            suites: The suites.
            share: Share of the time limit to use; every anchor is played at least once.
        """
        minutes = self._budget.minutes
        end = math.inf if minutes is None else self._began + 60.0 * minutes * share
        left = [
            self._play_in_chunks(suite, name, end) for suite in suites for name in suite.anchors
        ]
        while left:
            left = [chunks for chunks in left if next(chunks, None) is not None]

    def _play_in_chunks(self, suite: Suite, name: str, end: float) -> Iterator[int]:
        """Play against an anchor; yields the number of blocks so far after every check."""
        result = self._card.suites[suite.name]
        one = result.results[name]
        seed = suite.seed_against(name, self._card.seed)
        match = AnchorMatch(self._player, anchors(suite)[name], suite, seed)
        planned = PLANNED_BLOCKS if self._budget.until_sure else None
        rule = StopRule(most=self._budget.blocks(suite), deadline=end, planned=planned)
        count = 1
        while not rule.ends(one.estimate):
            count = min(count, rule.most - one.blocks)
            began = time.monotonic()
            self._play(match, result, one, count)
            seconds = time.monotonic() - began
            if seconds < _CHUNK_S:
                count *= 2
            elif seconds > 2 * _CHUNK_S:
                count = max(1, count // 2)
            if self._on_progress is not None:
                self._on_progress(result, one)
            yield one.blocks

    def _play(
        self, match: AnchorMatch, result: SuiteResult, one: OpponentResult, count: int
    ) -> None:
        referee = self._referee
        hands: list[Any] = []
        before = (0, 0.0, 0) if referee is None else referee.counts
        if referee is not None:
            referee.take_invalid()  # those of a best response do not count
        is_logged = self._folder is not None and not match.is_compiled
        tally = match.play(one.blocks, count, hands if is_logged else None)
        illegal, invalid = 0, InvalidDecisions()
        if referee is not None:
            decisions, seconds, illegal_so_far = referee.counts
            illegal = illegal_so_far - before[2]
            result.decisions += decisions - before[0]
            result.seconds += seconds - before[1]
            result.illegal += illegal
            invalid = referee.take_invalid()
            result.invalid.merge(invalid)
        if is_logged and self._folder is not None:
            log = GameLog(self._folder, result.name, one.opponent)
            log.write(one.blocks, hands, illegal, invalid)
        one.add(tally)
        one.until_sure = self._budget.until_sure
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
        from agents.measure.bench.bounds import NoBoundError, bound_of

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
