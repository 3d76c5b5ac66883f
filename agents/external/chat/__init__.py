"""Players that ask a chat model (a large language model) for every decision."""

from agents.external.chat.answers import read_answer
from agents.external.chat.player import ChatPlayer
from agents.external.chat.report import BudgetError, ChatError, ChatReport

__all__ = ["BudgetError", "ChatError", "ChatPlayer", "ChatReport", "read_answer"]
