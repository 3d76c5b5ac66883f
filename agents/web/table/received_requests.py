"""Numbers of the requests of each page, so that one that is sent again is not done twice."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from agents.web.request_validation import whole_number
from agents.web.table.participants import Refused

_MOST_PAGES = 1000
_LONGEST_KEY = 40
_LARGEST_NUMBER = 2**53


class ReceivedRequests:
    """The latest request of each page.

    A page numbers its requests and sends again, in order, what has not been acknowledged. A request
    is new if its number is larger than all that its page has sent before.
    """

    def __init__(self) -> None:
        self._latest: OrderedDict[tuple[str, str], int] = OrderedDict()

    def is_new(self, session: str, page: Any, number: Any) -> bool:
        """Note a request; whether it has not been received before.

        Args:
            session: Session of the page.
            page: Key that the page has chosen for itself.
            number: Number of the request, from 1.

        Raises:
            ValueError: They are no such values.
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
