"""When a request is retried."""

from __future__ import annotations

import random
import time
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Optional, Protocol

_FIRST_BACKOFF = 0.25
_MAX_BACKOFF = 8.0
# Part of `Retry-After` that is added at random, so that waiting clients do not return in the same instant.
_JITTER = 0.1


class Response(Protocol):
    """What decides about a retry."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Message: ...


def retry_delay(response: Optional[Response], attempts: int) -> Optional[float]:
    """Returns the seconds to wait before the next attempt; None if the response is final.

    ``response``: None if the connection failed. ``attempts``: number of attempts so far.
    """
    if response is not None and response.status not in (429, 503):
        return None
    seconds = None if response is None else retry_after_in(response.headers)
    if seconds is not None:
        return seconds * (1 + random.random() * _JITTER)
    return min(_MAX_BACKOFF, _FIRST_BACKOFF * 2 ** (attempts - 1)) * (0.5 + random.random() / 2)


def retry_after_in(headers: Message) -> Optional[float]:
    """Returns the seconds of ``Retry-After``, which proxies may send as a date; None without one."""
    text = headers.get("Retry-After", "")
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
