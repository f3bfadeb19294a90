"""Errors of this client."""

from __future__ import annotations

from email.message import Message
from typing import Any, List, Optional

from ._answer import Cost, Details, RateLimit


class CreatorDataError(Exception):
    """Base class of the errors of this client."""


class ConnectionFailedError(CreatorDataError):
    """The service could not be reached, the connection broke, or the answer could not be read, also when retried."""


class RequestTimeoutError(CreatorDataError):
    """The service was silent for ``timeout``. Not retried, because it may have charged the request."""


class ApiError(CreatorDataError):
    """The service answered with an error.

    ``code``, ``parameter``, ``allowed``, ``hint`` and ``documentation_url`` are None from services that do not send them.
    """

    status: int
    message: str
    code: Optional[str]
    """Stable name of the error."""
    parameter: Optional[str]
    """Name of the invalid parameter."""
    allowed: Optional[List[Any]]
    """Values that the parameter accepts."""
    hint: Optional[str]
    """What to do about the error."""
    documentation_url: Optional[str]
    retry_after: Optional[float]
    """Seconds until a retry is useful; None if the service did not say."""
    request_id: Optional[str]
    cost: Cost
    rate_limit: Optional[RateLimit]
    headers: Message
    attempts: int
    body: Any
    """The parsed body, or its text if it is not JSON."""

    def __init__(self, details: Details, body: Any, retry_after: Optional[float]) -> None:
        # A proxy in between may send any other body.
        error = body.get("error") if isinstance(body, dict) else None
        if not isinstance(error, dict):
            error = {}
        self.status = details.status
        self.message = str(error.get("message", f"HTTP status {details.status}"))
        self.code = error.get("code")
        self.parameter = error.get("parameter")
        self.allowed = error.get("allowed")
        self.hint = error.get("hint")
        self.documentation_url = error.get("documentation_url")
        self.retry_after = retry_after
        self.request_id = details.request_id
        self.cost = details.cost
        self.rate_limit = details.rate_limit
        self.headers = details.headers
        self.attempts = details.attempts
        self.body = body
        request = "" if self.request_id is None else f", request {self.request_id}"
        super().__init__(f"{self.message} (status {self.status}{request})")
