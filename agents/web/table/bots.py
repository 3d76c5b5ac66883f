"""Reports on programs and chat models at a table for pages: their reliability and errors."""

from __future__ import annotations

from typing import Any, NamedTuple

from agents.external.chat import ChatReport
from agents.external.player_lifecycle import reports_of
from agents.web.table.view import TableSnapshot, visible_seats
from nlhe_env.game.table import EMPTY, FOLDED


class BotFaults(NamedTuple):
    """Immutable report at one moment."""

    decisions: int
    failed: int
    strikes: dict[str, int]
    restarts: int
    forfeited: bool
    milliseconds: float
    """Mean time per answer in milliseconds."""
    last: str
    """Text of the latest strike."""
    error_output: str


def report_of(player: object) -> BotFaults | None:
    """Report on a program or a chat model so far; ``None`` for all other players."""
    for report in reports_of([player]):
        if isinstance(report, ChatReport):
            return _of_chat_model(report)
        last = report.last_strikes[-1] if report.last_strikes else None
        return BotFaults(
            report.decisions,
            report.failed,
            dict(report.strikes),
            report.restarts,
            report.forfeited,
            1000 * report.seconds / max(report.decisions, 1),
            f"{last.reason}: {last.detail}" if last else "",
            report.error_output(),
        )
    return None


def _of_chat_model(report: ChatReport) -> BotFaults:
    strikes = {"illegal": report.illegal} if report.illegal else {}
    milliseconds = 1000 * report.seconds / max(report.decisions, 1)
    return BotFaults(
        report.decisions, report.failed, strikes, 0, False, milliseconds, last="", error_output=""
    )


def bot_view(
    report: BotFaults, snapshot: TableSnapshot, seat: int, viewer: int | None, *, over: bool
) -> dict[str, Any]:
    """Part of a report that a viewer may see.

    A program's output may reveal its cards. All viewers see the numbers, but text is shown only if
    no viewer could profit: after the game, in games between programs only, and once the program is
    out.

    Args:
        report: Report on the program.
        snapshot: The table.
        seat: Seat of the program.
        viewer: Seat of the viewer; ``None`` for a spectator.
        over: Whether the game is over.
    """
    view: dict[str, Any] = {
        "decisions": report.decisions,
        "failed": report.failed,
        "strikes": report.strikes,
        "restarts": report.restarts,
        "forfeited": report.forfeited,
        "milliseconds": round(report.milliseconds, 2),
    }
    hidden = (
        not snapshot.over
        and snapshot.table["status"][seat] not in (EMPTY, FOLDED)
        and seat not in visible_seats(snapshot, viewer)
    )
    if over or snapshot.open_cards or (report.forfeited and not hidden):
        view |= {"last": report.last, "error_output": report.error_output}
    return view
