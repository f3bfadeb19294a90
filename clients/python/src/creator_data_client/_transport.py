"""Sends requests, and retries them."""

from __future__ import annotations

import json
import socket
import time
import zlib
from dataclasses import replace
from email.message import Message
from http.client import HTTPException
from typing import Any, Dict, MutableMapping, NamedTuple, Optional, Union

from ._answer import Answer, Page, details_of
from ._connections import Connections
from ._errors import ApiError, ConnectionFailedError, RequestTimeoutError
from ._request import Operation, body_of, path_of
from ._retries import retry_after_in, retry_delay


# More than any answer of the service has, and less than fills a machine.
_MAX_ANSWER_BYTES = 256 * 1024 * 1024


class Received(NamedTuple):
    """A response whose body has arrived."""

    status: int
    headers: Message
    text: str


class Transport:
    """Sends requests. All operations only read, so all may be retried."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        timeout: float,
        max_retries: int,
        max_retry_wait: float,
        cache: Optional[MutableMapping[str, Answer[Any, Any]]],
        test_answer: Optional[str],
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._connections = Connections(base_url)
        self._headers = {"Accept": "application/json", "Accept-Encoding": "gzip", "x-api-key": api_key}
        if test_answer is not None:
            self._headers["X-Test-Answer"] = test_answer
        self._timeout = timeout
        self._max_retries = max_retries
        self._max_retry_wait = max_retry_wait
        self._cache = cache

    def close(self) -> None:
        """Closes idle connections."""
        self._connections.close()

    def request(
        self,
        operation: Operation,
        parameters: Dict[str, Any],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[Any, Any]] = None,
    ) -> Any:
        """Requests an operation. Raises ApiError, ConnectionFailedError or RequestTimeoutError."""
        path = path_of(operation, parameters)
        url = self._base_url + path
        cache = self._cache if operation.method == "GET" else None
        if previous is None and cache is not None:
            previous = cache.get(url)
        body = body_of(operation, parameters)
        headers = dict(self._headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        if previous is not None and previous.etag is not None:
            headers["If-None-Match"] = previous.etag

        timeout = self._timeout if timeout is None else timeout
        max_retries = self._max_retries if max_retries is None else max_retries
        wait_left = self._max_retry_wait
        attempts = 1
        while True:
            received = self._send(operation.method, path, headers, body, timeout)
            delay = retry_delay(None if isinstance(received, ConnectionFailedError) else received, attempts)
            if delay is None or attempts > max_retries or delay > wait_left:
                break
            wait_left -= delay
            attempts += 1
            time.sleep(delay)
        if isinstance(received, ConnectionFailedError):
            raise received
        answer = _answer(received, attempts, previous)
        if cache is not None and answer.etag is not None and not answer.not_modified:
            cache[url] = answer
        return answer

    def _send(
        self, method: str, path: str, headers: Dict[str, str], body: Optional[bytes], timeout: float
    ) -> Union[Received, ConnectionFailedError]:
        """Sends a request once. Returns the error if the connection failed, which may be retried."""
        connection = self._connections.acquire(timeout)
        is_complete = False
        try:
            connection.request(method, self._connections.path + path, body, headers)
            response = connection.getresponse()
            content = response.read()
            if response.headers.get("Content-Encoding") == "gzip":
                content = _decompress(content)
            is_complete = True
        except (TimeoutError, socket.timeout) as error:  # two types until Python 3.10
            raise RequestTimeoutError(f"no response within {timeout} s") from error
        except (OSError, HTTPException, zlib.error) as error:
            failure = ConnectionFailedError(f"the connection failed: {error}")
            failure.__cause__ = error
            return failure
        finally:
            if is_complete:
                self._connections.release(connection)
            else:
                connection.close()
        return Received(response.status, response.headers, content.decode(errors="replace"))


def _decompress(content: bytes) -> bytes:
    stream = zlib.decompressobj(16 + zlib.MAX_WBITS)
    text = stream.decompress(content, _MAX_ANSWER_BYTES)
    if not stream.eof:
        raise OSError("the answer is incomplete, or too large")
    return text


def _is_success(body: Any) -> bool:
    """Tells the body of a success from that of a proxy in between."""
    if not isinstance(body, dict) or "payload" not in body or not isinstance(body.get("meta"), dict):
        return False
    return "paging" not in body or (isinstance(body["paging"], dict) and "next_cursor" in body["paging"])


def _answer(received: Received, attempts: int, previous: Optional[Answer[Any, Any]]) -> Answer[Any, Any]:
    details = details_of(received.status, received.headers, attempts)
    members = {name: getattr(details, name) for name in details.__dataclass_fields__}
    if received.status == 304 and previous is not None:
        return replace(previous, **members, not_modified=True)
    try:
        body = json.loads(received.text)
    except (ValueError, RecursionError):
        body = received.text
    if received.status != 200 or not _is_success(body):
        raise ApiError(details, body, retry_after_in(received.headers))
    etag = received.headers.get("ETag")
    kind = Page if "paging" in body else Answer
    paging = {"paging": body["paging"]} if "paging" in body else {}
    return kind(**members, payload=body["payload"], meta=body["meta"], etag=etag, not_modified=False, **paging)
