"""Counters of a chat player, its budgets, and the errors that stop it."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.external.invalid_decisions import InvalidDecisions
from nlhe_env.arguments import number, whole_number

_PER_PRICE = 1_000_000
"""Number of tokens per price."""


class ChatError(RuntimeError):
    """A chat model cannot be queried; the match stops."""


class BudgetError(ChatError):
    """A budget of a chat player is exhausted; the match stops."""


@dataclass
class ChatReport:
    """Counters of a chat player over all games so far; replayed answers count in full.

    All but ``failures``, ``replayed`` and ``seconds`` are determined by the answers.
    """

    name: str
    decisions: int = 0
    illegal: int = 0
    """Unreadable or illegal answers; up to two per decision."""
    requests: int = 0
    """Answered requests, including those rejected for an unknown option."""
    replayed: int = 0
    """Requests answered from a log."""
    failures: int = 0
    """Requests without an answer (rejected, late or cut off) that were retried."""
    tokens_in: int = 0
    """Prompt tokens as counted by the server, or a third of the characters."""
    tokens_out: int = 0
    """Answer tokens, with those of reasoning that a server counts apart."""
    tokens_cached: int = 0
    """Prompt tokens that the server had cached; part of ``tokens_in``."""
    cost: float = 0.0
    """Price of the tokens."""
    seconds: float = 0.0
    """Wall time of the original answers, without waits between requests."""
    cut_off: int = 0
    """Answers that were cut off at the limit of their length and do not count."""
    invalid: InvalidDecisions = field(default_factory=InvalidDecisions)
    """Decisions without a valid answer even after a correction, by the reason of the second
    answer."""

    @property
    def failed(self) -> int:
        """Number of decisions without a valid answer, which become a check or fold."""
        return self.invalid.total

    def __str__(self) -> str:
        mean = self.seconds / self.requests if self.requests else 0.0
        text = (
            f"{self.name}: {self.decisions} decisions, {self.failed} without a valid answer, "
            f"{self.illegal} illegal answers ({self.cut_off} cut off), {self.requests} requests "
            f"({self.replayed} from a log), {self.failures} failures, {self.tokens_in} tokens in "
            f"({self.tokens_cached} cached), {self.tokens_out} out, cost {self.cost:.4f}, "
            f"{mean:.2f} s a request"
        )
        invalid = self.invalid.text(self.decisions)
        return f"{text}\n  {invalid}" if invalid else text


class Budget:
    """Limits and prices of a chat player.

    Args:
        max_requests: Number of requests; None for no limit.
        max_tokens: Number of tokens, in and out; None for no limit.
        budget: Maximum cost; None for no limit.
        price_in: Price of a million prompt tokens.
        price_out: Price of a million answer tokens.
        price_cached: Price of a million cached prompt tokens; None for ``price_in``.

    Raises:
        ValueError: A number is out of range, or a cost limit is given without prices.
    """

    def __init__(
        self,
        max_requests: int | None,
        max_tokens: int | None,
        budget: float | None,
        price_in: float,
        price_out: float,
        price_cached: float | None = None,
    ) -> None:
        if max_requests is not None:
            whole_number("max_requests", max_requests, least=1)
        if max_tokens is not None:
            whole_number("max_tokens", max_tokens, least=1)
        if budget is not None:
            number("budget", budget, least=0.0, above=True)
        self._max_requests, self._max_tokens, self._money = max_requests, max_tokens, budget
        self._price_in = number("price_in", price_in, least=0.0)
        self._price_out = number("price_out", price_out, least=0.0)
        self._price_cached = self._price_in
        if price_cached is not None:
            self._price_cached = number("price_cached", price_cached, least=0.0)
        if budget is not None and not price_in + price_out > 0:
            raise ValueError("a budget needs price_in or price_out, per million tokens")

    def check(self, report: ChatReport) -> None:
        """Check that another request is within the budgets.

        Raises:
            BudgetError: A budget is exhausted.
        """
        tokens = report.tokens_in + report.tokens_out
        for name, spent, limit in (
            ("max_requests", report.requests, self._max_requests),
            ("max_tokens", tokens, self._max_tokens),
            ("budget", report.cost, self._money),
        ):
            if limit is not None and spent >= limit:
                raise BudgetError(
                    f"{report.name} has spent its budget: {name}={limit:g}, and so far "
                    f"{report.requests} requests, {tokens} tokens, cost {report.cost:.4f}. With "
                    "log=FILE and replay=FILE, the same command and a higher limit continue"
                )

    def add(self, report: ChatReport, tokens_in: int, tokens_out: int, cached: int = 0) -> None:
        """Count the tokens of an answer and their cost; ``cached`` is a part of ``tokens_in``."""
        report.tokens_in += tokens_in
        report.tokens_cached += cached
        report.tokens_out += tokens_out
        cost = (
            (report.tokens_in - report.tokens_cached) * self._price_in
            + report.tokens_cached * self._price_cached
            + report.tokens_out * self._price_out
        )
        report.cost = cost / _PER_PRICE
