"""Client of the Creator Data Lookup Service."""

from . import types
from ._answer import Answer, Cost, Page, Paging, RateLimit
from ._errors import ApiError, ConnectionFailedError, CreatorDataError, RequestTimeoutError
from .client import CreatorDataClient

__all__ = [
    "Answer",
    "ApiError",
    "ConnectionFailedError",
    "Cost",
    "CreatorDataClient",
    "CreatorDataError",
    "Page",
    "Paging",
    "RateLimit",
    "RequestTimeoutError",
    "types",
]
