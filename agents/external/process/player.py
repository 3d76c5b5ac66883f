"""Players that run as external programs."""

from __future__ import annotations

import os
import shlex
import shutil
import time
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.external.chips import Turn
from agents.external.process.bot_player import BotPlayer
from agents.external.process.messages import (
    PROTOCOL,
    read_action,
    read_games,
    read_name,
    read_number,
    read_object,
    shown,
    to_line,
)
from agents.external.process.process import MOST_LINES, BotProcess
from agents.external.process.report import (
    FATAL,
    FLOOD,
    LATE,
    NO_START,
    OUT_OF_TURN,
    BotFault,
    BotReport,
)
from nlhe_env.arguments import number, whole_number

_BYE = to_line("bye", {})


class ProcessPlayer(BotPlayer):
    """External program with the protocol of ``docs/external-bots.md``.

    The program starts when the player takes its seat, and is rejected if it does not answer. After
    that it cannot stop the game: without a valid answer in time it checks, or folds to a bet, and
    gets a strike in ``report``. The first strike of each kind and a forfeit are logged as warnings.
    The program ends with ``close``, a ``with`` block, garbage collection of the player, or the end
    of this process.

    Args:
        command: Program and arguments, as a list or as a shell would split them; no shell runs.
        seconds_per_decision: Time limit for an answer (wall time).
        seconds_to_start: Time limit from the program's start to its ``ready``.
        seconds_to_stop: Time limit for its exit after ``bye``, and again after SIGTERM.
        max_restarts: Number of restarts after a crash, closed input or output, a flood or unread
            input, before it forfeits.
        forfeit_after: Number of consecutive decisions without a valid answer before it forfeits:
            the process ends, and the seat checks or folds.
        name: Name for tables and plots; default: the program's own name.
        cwd: Working directory of the program.

    Raises:
        ValueError: The program does not exist, the command is invalid, or a limit is out of range.

    A player plays one game at a time: use several players for games in several threads. A copied or
    pickled player starts its own program.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        seconds_per_decision: float = 2.0,
        seconds_to_start: float = 10.0,
        seconds_to_stop: float = 0.5,
        max_restarts: int = 3,
        forfeit_after: int = 10,
        name: str | None = None,
        cwd: str | os.PathLike[str] | None = None,
    ) -> None:
        number("seconds_per_decision", seconds_per_decision, least=0.0, above=True)
        number("seconds_to_start", seconds_to_start, least=0.0, above=True)
        number("seconds_to_stop", seconds_to_stop, least=0.0)
        whole_number("max_restarts", max_restarts, least=0)
        whole_number("forfeit_after", forfeit_after, least=1)
        self.cwd = None if cwd is None else os.fspath(cwd)
        self.command = _checked_command(command, self.cwd)
        super().__init__(name or Path(self.command[0]).name, forfeit_after)
        self.seconds_per_decision = seconds_per_decision
        self.seconds_to_start = seconds_to_start
        self.seconds_to_stop = seconds_to_stop
        self.max_restarts = max_restarts
        self._own_name = name
        self._number = 0  # decision number sent to the program
        self._process: BotProcess | None = None
        self._has_answered = False  # since creation or the last close
        self._unanswered: deque[int] = deque(maxlen=MOST_LINES)

    @property
    def identity(self) -> str:
        """Identity among other programs: its command."""
        return shlex.join(self.command)

    @property
    def report(self) -> BotReport:
        """Decisions, strikes with reasons, and restarts over all games so far."""
        if self._process is not None:
            self._keep_words(self._process)
        return self._report

    @property
    def pid(self) -> int | None:
        """Id of the running process, if any."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the program now, and check that it answers.

        Raises:
            RuntimeError: The program does not answer; the message gives the reason. During a game,
                this is a strike instead.
        """
        try:
            self._running()
        except BotFault as fault:
            self._report.add(fault)
            self._kill()
            words = self._report.error_output()
            adds = ascii(words) not in str(fault) and words  # may be in the message
            raise RuntimeError(
                f"the bot {self.identity!r} failed to start: {fault.detail}"
                + (f"\nThe end of its error output:\n{words}" if adds else "")
            ) from None

    def take_seat(self) -> None:
        """Start the program before its first game, see ``start``.

        After its first answer a program is no longer rejected: later faults are strikes.

        Raises:
            RuntimeError: The program does not answer, or has forfeited and was closed.
        """
        if self._has_answered:
            return
        if self._report.forfeited:
            raise RuntimeError(f"the bot {self.identity!r} has forfeited: make a new player")
        self.start()

    def close(self) -> None:
        """End the program; the next message restarts it."""
        process, self._process = self._process, None
        self._has_answered = False
        if process is not None:
            process.end()
            self._keep_words(process)
            self._unanswered.clear()

    def abandon(self) -> None:
        """End the program at once, without restarts.

        It may be called while another thread waits for the program, which then forfeits.
        """
        self._report.forfeited = True
        process = self._process
        if process is not None:
            process.kill()

    def __enter__(self) -> ProcessPlayer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        fresh: dict[str, Any] = {
            "_process": None,
            "_has_answered": False,
            "_is_asked": False,
            "_unanswered": deque(maxlen=MOST_LINES),
        }
        return {**self.__dict__, **fresh}

    def __repr__(self) -> str:
        return f"ProcessPlayer({self.identity!r})"

    # --- the game ---------------------------------------------------------------------------------

    def on_episode_start(self, info: Mapping[str, Any]) -> None:
        """Notify the program; see ``agents.external.hooks`` for the info."""
        self._notify("episode_start", info)

    def on_hand_start(self, info: Mapping[str, Any]) -> None:
        """Notify the program."""
        self._notify("hand_start", info)

    def on_hand_end(self, info: Mapping[str, Any]) -> None:
        """Notify the program."""
        super().on_hand_end(info)
        self._notify("hand_end", info)

    def on_episode_end(self, info: Mapping[str, Any]) -> None:
        """Notify the program."""
        super().on_episode_end(info)
        self._notify("episode_end", info)

    # --- the program ------------------------------------------------------------------------------

    def _notify(self, kind: str, fields: Mapping[str, Any]) -> None:
        if self._report.forfeited:
            return
        try:
            deadline = time.monotonic() + self.seconds_per_decision
            self._running().send(to_line(kind, fields), deadline)
        except BotFault as fault:
            self._take(fault)

    def _ask(self, turn: Turn) -> int:
        process = self._running()
        for line in process.waiting_lines():
            self._read_unasked(line)
        self._number += 1
        number = self._number
        line = to_line("act", {"id": number, **turn})
        deadline = time.monotonic() + self.seconds_per_decision
        process.send(line, deadline)
        try:
            for _ in range(MOST_LINES):
                line = process.receive(deadline)
                message = read_object(line)
                if read_number(message) == number:
                    break
                self._read_other(message, line)
            else:
                raise BotFault(FLOOD, f"{MOST_LINES} lines without the answer to {number}")
        except BotFault:
            self._unanswered.append(number)  # the answer may still arrive
            raise
        return read_action(message, turn)

    def _read_unasked(self, line: bytes) -> None:
        """Read a line that arrived before the query."""
        try:
            self._read_other(read_object(line), line)
        except BotFault as fault:
            super()._take(fault)

    def _read_other(self, message: Mapping[str, Any], line: bytes) -> None:
        """Handle a line other than the expected answer; late answers are already counted."""
        number = read_number(message)
        if number is not None and number in self._unanswered:
            self._unanswered.remove(number)
        else:
            super()._take(BotFault(OUT_OF_TURN, shown(line)))

    def _running(self) -> BotProcess:
        """The running program, started if necessary."""
        process = self._process
        if process is not None and process.is_ours:
            return process
        deadline = time.monotonic() + self.seconds_to_start
        self._unanswered.clear()
        process = self._process = BotProcess(
            self.command, self.cwd, bye=_BYE, patience_s=self.seconds_to_stop
        )
        weakref.finalize(self, process.end).atexit = False  # the module does it in order
        if self._report.forfeited:  # abandoned while it started
            process.kill()
        hello = {"protocol": PROTOCOL, "seconds_per_decision": self.seconds_per_decision}
        try:
            process.send(to_line("hello", hello), deadline)
            ready = process.receive(deadline)
            name = read_name(ready)
        except BotFault as fault:
            late = f'no "ready" within {self.seconds_to_start:g} seconds'
            other = f'{fault.detail}; expected the line {{"type": "ready"}} first'
            raise BotFault(NO_START, late if fault.reason == LATE else other) from None
        self._has_answered = True
        self.known_seats, self.known_betting = read_games(ready)
        if name is not None and self._own_name is None:
            self._report.name = name
        return process

    def _take(self, fault: BotFault) -> None:
        """Count a fault, and discard an unusable process."""
        report = self._report
        super()._take(fault)
        if fault.reason in FATAL:
            self._kill()
            if report.restarts >= self.max_restarts:
                self._forfeit(f"{fault}, after {report.restarts} restarts")
            else:
                report.restarts += 1  # with the next message

    def _forfeit(self, why: str) -> None:
        super()._forfeit(why)
        self._kill()

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            self._keep_words(process)

    def _keep_words(self, process: BotProcess) -> None:
        """Keep the error output of a process, unless it is empty."""
        self._report.last_words = process.last_words() or self._report.last_words


def _checked_command(command: str | Sequence[str], cwd: str | None) -> list[str]:
    """Program and arguments, after a check that the program exists."""
    if isinstance(command, str):
        try:
            parts = shlex.split(command, posix=os.name == "posix")
        except ValueError as error:  # an unterminated quotation or escape
            raise ValueError(
                f"the command of a bot must follow shell syntax; got {command!r}: {error}"
            ) from None
    else:
        parts = [os.fspath(part) for part in command]
    if not parts:
        raise ValueError(f"the command of a bot must name a program; got {command!r}")
    program = parts[0]
    # Path would turn "./bot" into "bot", which is searched for on PATH.
    where = os.path.join(cwd or ".", program) if os.path.dirname(program) else program
    if shutil.which(where) is None:
        raise ValueError(
            f"there is no program {program!r}, or it is not executable; expected a program and its "
            "arguments"
        )
    return parts
