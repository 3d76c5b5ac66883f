"""Request numbers of each page, so that a repeated request is not executed twice."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from agents.web.request_validation import whole_number
from agents.web.table.participants import Refused

_MOST_PAGES = 1000
_LONGEST_KEY = 40
_LARGEST_NUMBER = 2**53


class ReceivedRequests:
    """Latest request number of each page.

    A page numbers its requests and resends unacknowledged ones in order. A request is new if its
    number is larger than all earlier ones from its page.
    """

    def __init__(self) -> None:
        self._latest: OrderedDict[tuple[str, str], int] = OrderedDict()

    def is_new(self, session: str, page: Any, number: Any) -> bool:
        """Record a request; returns whether it is new.

        Args:
            session: Session of the page.
            page: Key chosen by the page.
            number: Number of the request, from 1.

        Raises:
            ValueError: A value is invalid.
        """
        if not isinstance(page, str) or len(page) > _LONGEST_KEY:
            raise Refused(f"the key of a page is text of at most {_LONGEST_KEY} letters")
        number = whole_number("the number of a request", number, 1, _LARGEST_NUMBER)
        key = session, page
        if number <= self._latest.get(key, 0):
            return False
        self._latest[key] = number
        self._latest.move_to_end(key)
        while len(self._latest) > _MOST_PAGES:
            self._latest.popitem(last=False)
        return True
