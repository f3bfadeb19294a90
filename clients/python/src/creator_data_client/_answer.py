"""Answers of the service."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone
from email.message import Message
from typing import Generic, List, Optional, TypedDict, TypeVar

Payload = TypeVar("Payload")
Meta = TypeVar("Meta")


@dataclass(frozen=True)
class Cost:
    """What a request cost. A 404 costs units, too."""

    quota_units: int
    credits: int


@dataclass(frozen=True)
class RateLimit:
    """The key's allowance of requests in the current minute."""

    limit: int
    remaining: int
    reset_at: datetime


@dataclass(frozen=True)
class Details:
    """What every response says about itself, in its headers."""

    status: int
    request_id: Optional[str]
    """Quote it when you report a problem."""
    cost: Cost
    rate_limit: Optional[RateLimit]
    """None if the service did not recognise the key."""
    headers: Message
    attempts: int
    """Number of requests that were sent, retries included."""


class _PagingRequired(TypedDict):
    limit: int
    next_cursor: Optional[str]


class Paging(_PagingRequired, total=False):
    """Where a page is in its list."""

    has_more: bool


@dataclass(frozen=True)
class Answer(Details, Generic[Payload, Meta]):
    """A success."""

    payload: Payload
    meta: Meta
    etag: Optional[str]
    """Pass the answer as ``previous`` to send its tag."""
    not_modified: bool
    """Whether the data is that of ``previous`` or of the cache, because the service says that it has not changed."""


@dataclass(frozen=True)
class Page(Answer[List[Payload], Meta]):
    """A page of a list."""

    paging: Paging


def details_of(status: int, headers: Message, attempts: int) -> Details:
    """Reads the details of a response."""
    cost = Cost(_number(headers, "X-Quota-Units"), _number(headers, "X-Credits"))
    return Details(status, headers.get("X-Request-Id"), cost, _rate_limit(headers), headers, attempts)


def _rate_limit(headers: Message) -> Optional[RateLimit]:
    reset = headers.get("X-RateLimit-minute-reset")
    if reset is None:
        return None
    try:
        if re.fullmatch(r"\d+", reset):
            reset_at = datetime.fromtimestamp(int(reset), timezone.utc)
        else:
            # Python 3.9 and 3.10 do not read the "Z".
            reset_at = datetime.fromisoformat(re.sub("Z$", "+00:00", reset))
    except (ValueError, OverflowError, OSError):  # a proxy changed it
        return None
    limit, remaining = (_number(headers, f"X-RateLimit-minute-{name}") for name in ("limit", "remaining"))
    return RateLimit(limit, remaining, reset_at)


def _number(headers: Message, name: str) -> int:
    text = headers.get(name, "0")
    return int(text) if re.fullmatch(r"[0-9]{1,15}", text) else 0
