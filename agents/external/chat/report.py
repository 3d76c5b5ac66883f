"""Counters of a chat player, its budgets, and the errors that stop it."""

from __future__ import annotations

from dataclasses import dataclass

from nlhe_env.arguments import number, whole_number

_PER_PRICE = 1_000_000
"""Tokens that a price is for."""


class ChatError(RuntimeError):
    """A chat model cannot be asked; the match stops."""


class BudgetError(ChatError):
    """A budget of a chat player is spent; the match stops."""


@dataclass
class ChatReport:
    """Counts of a chat player, over all games so far; answers of a replay count as the first time.

    They are those of the answers, except ``failures``, ``replayed`` and ``seconds``.
    """

    name: str
    decisions: int = 0
    failed: int = 0
    """Decisions without a valid answer, even after the correction: checked, or folded to a bet."""
    illegal: int = 0
    """Answers that could not be read, or named no legal action; one decision may have two."""
    requests: int = 0
    """Requests that were answered, those about an unknown option included."""
    replayed: int = 0
    """Requests that were answered from a log."""
    failures: int = 0
    """Requests without an answer, which were sent again: refused, late or cut off."""
    tokens_in: int = 0
    """Tokens of prompts, as the server counts them; a third of the characters if it does not."""
    tokens_out: int = 0
    """Tokens of answers."""
    cost: float = 0.0
    """Price of the tokens."""
    seconds: float = 0.0
    """Wall time of answers, as measured when they were given; waiting between requests apart."""

    def __str__(self) -> str:
        mean = self.seconds / self.requests if self.requests else 0.0
        return (
            f"{self.name}: {self.decisions} decisions, {self.failed} without a valid answer, "
            f"{self.illegal} illegal answers, {self.requests} requests ({self.replayed} from a "
            f"log), {self.failures} failures, {self.tokens_in} tokens in, {self.tokens_out} out, "
            f"cost {self.cost:.4f}, {mean:.2f} s a request"
        )


class Budget:
    """Limits of a chat player, and its prices.

    Args:
        max_requests: Number of requests; None for no limit.
        max_tokens: Number of tokens, in and out; None for no limit.
        budget: Money; None for no limit.
        price_in: Price of a million tokens of prompts.
        price_out: Price of a million tokens of answers.

    Raises:
        ValueError: A number is out of range, or money is limited and nothing has a price.
    """

    def __init__(
        self,
        max_requests: int | None,
        max_tokens: int | None,
        budget: float | None,
        price_in: float,
        price_out: float,
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
        if budget is not None and not price_in + price_out > 0:
            raise ValueError("a budget needs price_in or price_out, per million tokens")

    def check(self, report: ChatReport) -> None:
        """Make sure that another request may be sent.

        Raises:
            BudgetError: A budget is spent.
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
                    f"{report.requests} requests, {tokens} tokens, cost {report.cost:.4f}"
                )

    def add(self, report: ChatReport, tokens_in: int, tokens_out: int) -> None:
        """Count the tokens of an answer and what they cost."""
        report.tokens_in += tokens_in
        report.tokens_out += tokens_out
        tokens = report.tokens_in * self._price_in + report.tokens_out * self._price_out
        report.cost = tokens / _PER_PRICE
