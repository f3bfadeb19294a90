"""Iterators over pages, records and parts."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, Optional

from ._answer import Page
from ._errors import ConnectionFailedError
from ._request import Operation
from ._transport import Transport


def pages(
    transport: Transport,
    operation: Operation,
    parameters: Dict[str, Any],
    timeout: Optional[float],
    max_retries: Optional[int],
) -> Iterator[Any]:
    """Requests pages until the last."""
    has_more = True
    while has_more:
        page = transport.request(operation, parameters, timeout, max_retries)
        yield page
        cursor = page.paging["next_cursor"]
        previous = parameters.get("cursor")
        # A feed of changes always has a cursor, and ends where no more changes are waiting.
        has_more = cursor is not None and page.paging.get("has_more", True)
        if has_more and cursor == previous:
            # Every page is charged.
            raise ConnectionFailedError("the service returned the same cursor again")
        parameters = {**parameters, "cursor": cursor}


def records(source: Iterable[Page[Any, Any]]) -> Iterator[Any]:
    """Yields the records of pages."""
    for page in source:
        yield from page.payload


def in_parts(
    transport: Transport,
    operation: Operation,
    parameters: Dict[str, Any],
    name: str,
    size: int,
    timeout: Optional[float],
    max_retries: Optional[int],
) -> Iterator[Any]:
    """Requests values in parts, in order and each value once, because a repeated value would be charged again."""
    values = list(dict.fromkeys(parameters[name]))
    for start in range(0, len(values), size):
        part = {**parameters, name: values[start : start + size]}
        yield transport.request(operation, part, timeout, max_retries)
