"""Pages of scorecards: HTML with a chart, the chart as PNG, and a table of several cards."""

from __future__ import annotations

import base64
import html
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.measure.bench.rating import best_anchor
from agents.measure.bench.scorecard import OpponentResult, Scorecard, SuiteResult
from agents.measure.figures import show_names_as_they_are
from agents.statistics.estimates import LEAST_COUNT
from nlhe_env.arguments import printable
from nlhe_env.extras import install_command
from nlhe_env.system.files import replacing

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: right; padding: 0.3rem 0.6rem; border-bottom: 1px solid #ccc; }
th:first-child, td:first-child { text-align: left; }
img { max-width: 100%; }
@media (prefers-color-scheme: dark) { body { background: #161616; color: #eee; } }
"""
_WIDE = 3.0
"""Size of a suite's chart in inches."""
_UNTIL_SURE = "played until sure: the signs are reliable, but the sizes are exaggerated"
_SIGN = "± is one standard error"


def write_page(card: Scorecard, folder: Path) -> list[Path]:
    """Write ``scorecard.html``, and ``scorecard.png`` if matplotlib is installed.

    Returns:
        Paths of the files.
    """
    try:
        picture = draw(card)
    except ModuleNotFoundError:
        picture = b""
    written = {folder / "scorecard.html": as_html(card, picture).encode()}
    if picture:
        written[folder / "scorecard.png"] = picture
    for path, content in written.items():
        with replacing(path) as file:
            file.write(content)
    return list(written)


def as_html(card: Scorecard, picture: bytes) -> str:
    """Page of a card, with its chart if given."""
    name = html.escape(card.player)
    if picture:
        data = base64.b64encode(picture).decode()
        chart = f'<img alt="Results" src="data:image/png;base64,{data}">'
    else:
        chart = f"<p>For a chart: {html.escape(install_command('plot'))}</p>"
    seed = "given" if card.seed_was_given else "drawn when the player was known"
    body = "\n".join(_suite(result) for result in card.suites.values())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name} on the bench</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{name} on the bench</h1>
{chart}
{body}
<p>{_SIGN}.</p>
<p>Suites of version {card.version}, nlhe-env {html.escape(card.package)}, seed {card.seed}
({seed}), player {html.escape(card.player_hash)}.</p>
</body>
</html>
"""


def _suite(result: SuiteResult) -> str:
    suite = result.suite
    facts = [
        _bound(result),
        *_invalid(result),
        f"illegal answers {result.illegal:,}",
        _speed(result),
        *(f"{key.replace('_', ' ')} {value:.2f}" for key, value in result.style.items()),
    ]
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"
        for cells in _rows(result)
    )
    listed = "\n".join(f"<li>{html.escape(fact)}</li>" for fact in facts)
    head_row = "".join(f"<th>{cell}</th>" for cell in _columns(suite.unit))
    return f"""<h2>{html.escape(_title(result))}</h2>
<p>{html.escape(suite.about[0].upper() + suite.about[1:])}.</p>
<table>
<tr>{head_row}</tr>
{rows}
</table>
<ul>
{listed}
</ul>"""


def _title(result: SuiteResult) -> str:
    if not result.is_own_play:
        return (
            f"{result.name}: not rated, since {result.invalid_share:.0%} of the decisions were not "
            "the player's own"
        )
    if result.until_sure:
        return f"{result.name}: not rated ({_UNTIL_SURE})"
    if result.rating is None:
        return f"{result.name}: not rated yet"
    suite = result.suite
    words = f"{suite.anchors[0]} has 0, {best_anchor(suite)} 100"
    if any(each.blocks < LEAST_COUNT for each in result.results.values()):
        words += "; rough, from few hands"
    return f"{result.name}: rating {_rating(result)} ({words})"


def _rating(result: SuiteResult) -> str:
    if result.rating is None or result.rating_error is None:
        return "-"
    return f"{result.rating:.1f} ± {result.rating_error:.1f}"


def _invalid(result: SuiteResult) -> list[str]:
    """Share of decisions without a valid answer, if there are any."""
    text = result.invalid.text(result.decisions)
    return [text] if text else []


def _speed(result: SuiteResult) -> str:
    """Time of a decision, in the unit that suits it."""
    seconds = result.seconds_per_decision
    for unit, least in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= least:
            return f"{seconds / least:.3g} {unit} a decision"
    return f"{1e6 * seconds:.3g} µs a decision"


def _bound(result: SuiteResult) -> str:
    """The exploitability bound, or the reason why there is none."""
    bound = result.bound
    if bound is None:
        return f"what a best response wins: {result.no_bound}"
    by = bound.by if bound.by in result.suite.anchors else f"a local best response ({bound.by})"
    return (
        f"the best response found, {by}, wins {bound.value:,.0f} ± {bound.error:,.0f} "
        f"{result.suite.unit} in {bound.hands:,} hands"
    )


def _columns(unit: str) -> tuple[str, ...]:
    return ("opponent", "hands", unit, "asymptotic 95% interval", f"{unit} as the cards fell")


def _rows(result: SuiteResult) -> list[tuple[str, ...]]:
    """Cells of a suite's table."""
    return [
        (
            each.opponent,
            f"{each.hands:,}",
            _with_error(each.mean, each.error),
            _interval(each),
            _with_error(each.plain_mean, each.plain_error),
        )
        for each in result.results.values()
    ]


def _interval(one: OpponentResult) -> str:
    if math.isfinite(one.low):
        return f"{_number(one.low)} to {_number(one.high)}"
    return f"from {LEAST_COUNT * one.suite.hands_of_block:,} hands on"


def _with_error(mean: float, error: float) -> str:
    return _number(mean) if math.isnan(error) else f"{_number(mean)} ± {_number(error)}"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:z,.2f}" if abs(value) < 10 else f"{value:z,.0f}"


def as_text(result: SuiteResult) -> str:
    """Table of a suite for a terminal."""
    rows = [_columns(result.suite.unit), *_rows(result)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    answers = f"illegal answers {result.illegal:,}; {_speed(result)}"
    return "\n".join([_title(result), *lines, *_invalid(result), answers, _bound(result), _SIGN])


def draw(card: Scorecard) -> bytes:
    """PNG of the results with their intervals, one panel per suite.

    Raises:
        ModuleNotFoundError: matplotlib is not installed.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, _WIDE * len(card.suites)), layout="constrained")
    FigureCanvasAgg(figure)
    panels: Any = figure.subplots(len(card.suites), 1, squeeze=False)[:, 0]
    for axes, result in zip(panels, card.suites.values(), strict=True):
        for k, one in enumerate(result.results.values()):
            mean, low, high = one.mean, one.low, one.high
            if not math.isfinite(low):
                low, high = mean - 2 * one.error, mean + 2 * one.error
            if not math.isnan(mean):
                axes.plot([low, high], [k, k], color="tab:blue", linewidth=3, alpha=0.5)
                axes.plot([mean], [k], "o", color="tab:blue")
        axes.axvline(0.0, color="gray", linewidth=1)
        axes.set_yticks(range(len(result.results)), list(result.results))
        axes.invert_yaxis()
        if result.suite.unit == "bb/100":
            axes.set_xscale("symlog", linthresh=10.0)
        axes.set_xlabel(result.suite.unit)
        shown = "" if result.rating is None else f", rating {_rating(result)} (standard error)"
        axes.set_title(f"{card.player}, {result.name}{shown}")
    show_names_as_they_are(figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=120)
    return buffer.getvalue()


def as_markdown(cards: Sequence[Scorecard]) -> str:
    """Table of cards for each suite, the best rating first.

    Raises:
        ValueError: The cards are of different versions of the suites.
    """
    versions = {card.version: card.player for card in cards}
    if len(versions) > 1:
        found = ", ".join(f"{player} has {version}" for version, player in versions.items())
        raise ValueError(
            f"scorecards of different versions of the suites are not comparable: {found}"
        )
    parts = []
    for name in dict.fromkeys(name for card in cards for name in card.suites):
        results = [(card, card.suites[name]) for card in cards if name in card.suites]
        results.sort(
            key=lambda each: -math.inf if (r := each[1].rating) is None else r, reverse=True
        )
        suite = results[0][1].suite
        lines = [
            f"### {name}",
            "",
            f"{suite.about[0].upper()}{suite.about[1:]}; results in {suite.unit}; {_SIGN}.",
            "",
            f"| player | rating | {' | '.join(suite.anchors)} | best response found | illegal | "
            "ms a decision | hands |",
            f"| --- |{' ---: |' * (len(suite.anchors) + 5)}",
        ]
        lines += [f"| {' | '.join(_cells(card, result))} |" for card, result in results]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _cells(card: Scorecard, result: SuiteResult) -> list[str]:
    """Cells of a card in the table; its texts may come from a stranger."""
    bound = result.bound
    means = [_with_error(one.mean, one.error) for one in result.results.values()]
    cells = [
        card.player,
        "until sure" if result.until_sure else _rating(result),
        *means,
        "-" if bound is None else f"{bound.value:,.0f} ± {bound.error:,.0f} ({bound.by})",
        f"{result.illegal:,}",
        f"{1000 * result.seconds_per_decision:.3g}",
        f"{sum(one.hands for one in result.results.values()):,}",
    ]
    return [printable(cell).replace("|", "\\|") for cell in cells]
