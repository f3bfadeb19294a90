"""Connections that stay open between requests."""

from __future__ import annotations

import selectors
import threading
from http.client import HTTPConnection, HTTPSConnection
from typing import List, Tuple
from urllib.parse import urlsplit


class Connections:
    """Idle connections to the service. Each is used by one thread at a time."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError("base_url must begin with http:// or https:// and have a host")
        self._type = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._address: Tuple[str, int] = (parts.hostname, parts.port or self._type.default_port)
        self._lock = threading.Lock()
        self._idle: List[HTTPConnection] = []
        self.path = parts.path.rstrip("/")

    def acquire(self, timeout: float) -> HTTPConnection:
        """Returns an idle connection that is still open, or a new one that is not yet connected."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._type(*self._address, timeout=timeout)
            if not _is_readable(connection):
                connection.sock.settimeout(timeout)
                return connection
            connection.close()

    def release(self, connection: HTTPConnection) -> None:
        """Keeps a connection, unless the response closed it."""
        if connection.sock is None:
            return
        with self._lock:
            self._idle.append(connection)

    def close(self) -> None:
        """Closes idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


def _is_readable(connection: HTTPConnection) -> bool:
    """Whether the service closed an idle connection, which makes its socket readable."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return bool(selector.select(timeout=0))
