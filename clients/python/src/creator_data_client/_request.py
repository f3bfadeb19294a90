"""Requests of operations."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, NamedTuple, Optional, Tuple
from urllib.parse import quote, urlencode


class Operation(NamedTuple):
    """How an operation is requested: which parameters go into its query and its body. The others are in its path."""

    method: str
    path: str
    """With the names of parameters in braces."""
    query: Tuple[str, ...]
    body: Tuple[str, ...]


def path_of(operation: Operation, parameters: Dict[str, Any]) -> str:
    """Returns the path and query of a request. Raises ValueError for a parameter that cannot be a segment of a path."""
    path = re.sub(r"\{(\w+)\}", lambda match: _segment(match[1], parameters[match[1]]), operation.path)
    query = {name: _text(parameters[name]) for name in operation.query if parameters[name] is not None}
    return f"{path}?{urlencode(query)}" if query else path


def body_of(operation: Operation, parameters: Dict[str, Any]) -> Optional[bytes]:
    """Returns the JSON body of a request; None if the operation has none."""
    if operation.method == "GET":
        return None
    values = {name: parameters[name] for name in operation.body if parameters[name] is not None}
    # `list` reads any iterable.
    return json.dumps(values, default=list).encode()


def _segment(name: str, value: Any) -> str:
    # A proxy may drop dots, so that the request would have another path.
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f'{name} must be a string, and not "", "." or ".."')
    return quote(value, safe="")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
