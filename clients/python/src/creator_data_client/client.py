# Generated from docs/openapi.json by `npm run openapi`. Do not edit.
"""The client, with a method for each operation."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Literal, MutableMapping, Optional

from . import types
from ._answer import Answer, Page
from ._lists import in_parts, pages, records
from ._request import Operation
from ._transport import Transport

_PROFILES_LIST = Operation("GET", "/platforms/{platform}/profiles", ("order", "cursor", "start_date", "end_date", "limit", "sort"), ())
_PROFILES_BATCH = Operation("POST", "/platforms/{platform}/profiles", (), ("profile_ids",))
_PROFILES_LOOKUP = Operation("POST", "/platforms/{platform}/profiles/lookup", (), ("handles",))
_PROFILES_SEARCH = Operation("POST", "/platforms/{platform}/profiles/search", (), ("text", "filters", "not", "exclude_ids", "sort", "order", "limit", "cursor", "count", "facets"))
_PROFILES_GET = Operation("GET", "/platforms/{platform}/profiles/{profile_id}", ("include",), ())
_HISTORY_GET = Operation("GET", "/platforms/{platform}/profiles/{profile_id}/history", ("start_date", "end_date", "interval"), ())
_CONTENT_LIST = Operation("GET", "/platforms/{platform}/content", ("order", "cursor", "start_date", "end_date", "limit", "sort", "content_type"), ())
_CONTENT_BATCH = Operation("POST", "/platforms/{platform}/content", (), ("content_ids",))
_CONTENT_GET = Operation("GET", "/platforms/{platform}/content/{content_id}", (), ())
_CONTENT_BY_PROFILE = Operation("GET", "/platforms/{platform}/profiles/{profile_id}/content", ("order", "cursor", "start_date", "end_date", "limit", "sort", "content_type"), ())
_CONTENT_BY_GAME = Operation("GET", "/platforms/{platform}/games/{game_id}/content", ("order", "cursor", "start_date", "end_date", "limit", "sort", "content_type", "include"), ())
_GAMES_SEARCH = Operation("GET", "/games/search", ("query", "platform", "exact", "limit"), ())
_GAMES_GET = Operation("GET", "/platforms/{platform}/games/{game_id}", (), ())
_GAMES_CHANGES = Operation("GET", "/games/changes", ("cursor", "from", "limit"), ())
_ANALYSIS_GET = Operation("GET", "/platforms/{platform}/profiles/{profile_id}/analysis", (), ())
_AUDIENCE_GET = Operation("GET", "/platforms/{platform}/profiles/{profile_id}/audience", (), ())
_SOCIALS_GET = Operation("GET", "/platforms/{platform}/profiles/{profile_id}/socials", (), ())
_EMAIL_GET = Operation("GET", "/platforms/{platform}/profiles/{profile_id}/email", (), ())
_CHANGES_LIST = Operation("GET", "/platforms/{platform}/changes", ("cursor", "from", "limit", "kind"), ())
_USAGE_GET = Operation("GET", "/usage", ("start_date", "end_date"), ())
_HEALTH = Operation("GET", "/health", (), ())
_HEALTH_LIVE = Operation("GET", "/health/live", (), ())


class CreatorDataClient:
    """Client of the service. Threads may share it.

    ``base_url``: address of the service, such as ``https://creators.example.com``; it may have a path.
    ``timeout``: seconds that the service may be silent.
    ``max_retries``: retries after a 429, a 503 or a broken connection.
    ``max_retry_wait``: seconds that a call spends waiting for retries. A longer wait fails at once.
    ``cache``: makes every GET conditional: a 304 is free, and returns the cached answer. A ``dict`` is one; use a
    bounded one where URLs are many. Every use is checked with the service.
    ``test_answer``: answer that a test key forces: ``402``, ``404``, ``429``, ``500``, ``503``, ``slow`` or ``nulls``.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        max_retries: int = 4,
        max_retry_wait: float = 120.0,
        cache: Optional[MutableMapping[str, Answer[Any, Any]]] = None,
        test_answer: Optional[str] = None,
    ) -> None:
        self._transport = Transport(base_url, api_key, timeout, max_retries, max_retry_wait, cache, test_answer)
        self.profiles = ProfilesOperations(self._transport)
        self.history = HistoryOperations(self._transport)
        self.content = ContentOperations(self._transport)
        self.games = GamesOperations(self._transport)
        self.analysis = AnalysisOperations(self._transport)
        self.audience = AudienceOperations(self._transport)
        self.socials = SocialsOperations(self._transport)
        self.email = EmailOperations(self._transport)
        self.changes = ChangesOperations(self._transport)
        self.usage = UsageOperations(self._transport)
        self.health = HealthOperations(self._transport)

    def close(self) -> None:
        """Closes idle connections."""
        self._transport.close()

    def __enter__(self) -> CreatorDataClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ProfilesOperations:
    """Operations ``profiles``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        platform: types.Platform,
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["updated_at", "last_active_at", "followers"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Page[types.Profile, types.ProfilesListMeta]] = None,
    ) -> Page[types.Profile, types.ProfilesListMeta]:
        """List profiles."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
        }
        return self._transport.request(_PROFILES_LIST, parameters, timeout, max_retries, previous)

    def list_pages(
        self,
        *,
        platform: types.Platform,
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["updated_at", "last_active_at", "followers"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Page[types.Profile, types.ProfilesListMeta]]:
        """Pages of ``list``, from ``cursor`` or the first to the last."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
        }
        return pages(self._transport, _PROFILES_LIST, parameters, timeout, max_retries)

    def list_all(
        self,
        *,
        platform: types.Platform,
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["updated_at", "last_active_at", "followers"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[types.Profile]:
        """Records of all pages of ``list``."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
        }
        return records(pages(self._transport, _PROFILES_LIST, parameters, timeout, max_retries))

    def batch(
        self,
        *,
        platform: types.Platform,
        profile_ids: Iterable[str],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Answer[List[types.Profile], types.ProfilesBatchMeta]:
        """Get up to 100 profiles."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "profile_ids": profile_ids,
        }
        return self._transport.request(_PROFILES_BATCH, parameters, timeout, max_retries)

    def batch_in_parts(
        self,
        *,
        platform: types.Platform,
        profile_ids: Iterable[str],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Answer[List[types.Profile], types.ProfilesBatchMeta]]:
        """Answers of ``batch`` for any number of ``profile_ids``, with at most 100 in a request."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "profile_ids": profile_ids,
        }
        return in_parts(self._transport, _PROFILES_BATCH, parameters, "profile_ids", 100, timeout, max_retries)

    def lookup(
        self,
        *,
        platform: types.Platform,
        handles: Iterable[str],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Answer[List[types.HandleMapping], types.ProfilesLookupMeta]:
        """Look up handles."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "handles": handles,
        }
        return self._transport.request(_PROFILES_LOOKUP, parameters, timeout, max_retries)

    def lookup_in_parts(
        self,
        *,
        platform: types.Platform,
        handles: Iterable[str],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Answer[List[types.HandleMapping], types.ProfilesLookupMeta]]:
        """Answers of ``lookup`` for any number of ``handles``, with at most 100 in a request."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "handles": handles,
        }
        return in_parts(self._transport, _PROFILES_LOOKUP, parameters, "handles", 100, timeout, max_retries)

    def search(
        self,
        *,
        platform: types.Platform,
        text: Optional[str] = None,
        filters: Optional[types.SearchFilters] = None,
        not_: Optional[types.SearchFilters] = None,
        exclude_ids: Optional[Iterable[str]] = None,
        sort: Optional[Literal["followers", "last_active_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        count: Optional[bool] = None,
        facets: Optional[Iterable[Literal["language", "account_type", "topics", "countries"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Page[types.Profile, types.ProfilesSearchMeta]:
        """Search for creators."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "text": text,
            "filters": filters,
            "not": not_,
            "exclude_ids": exclude_ids,
            "sort": sort,
            "order": order,
            "limit": limit,
            "cursor": cursor,
            "count": count,
            "facets": facets,
        }
        return self._transport.request(_PROFILES_SEARCH, parameters, timeout, max_retries)

    def search_pages(
        self,
        *,
        platform: types.Platform,
        text: Optional[str] = None,
        filters: Optional[types.SearchFilters] = None,
        not_: Optional[types.SearchFilters] = None,
        exclude_ids: Optional[Iterable[str]] = None,
        sort: Optional[Literal["followers", "last_active_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        count: Optional[bool] = None,
        facets: Optional[Iterable[Literal["language", "account_type", "topics", "countries"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Page[types.Profile, types.ProfilesSearchMeta]]:
        """Pages of ``search``, from ``cursor`` or the first to the last."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "text": text,
            "filters": filters,
            "not": not_,
            "exclude_ids": exclude_ids,
            "sort": sort,
            "order": order,
            "limit": limit,
            "cursor": cursor,
            "count": count,
            "facets": facets,
        }
        return pages(self._transport, _PROFILES_SEARCH, parameters, timeout, max_retries)

    def search_all(
        self,
        *,
        platform: types.Platform,
        text: Optional[str] = None,
        filters: Optional[types.SearchFilters] = None,
        not_: Optional[types.SearchFilters] = None,
        exclude_ids: Optional[Iterable[str]] = None,
        sort: Optional[Literal["followers", "last_active_at"]] = None,
        order: Optional[Literal["asc", "desc"]] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        count: Optional[bool] = None,
        facets: Optional[Iterable[Literal["language", "account_type", "topics", "countries"]]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[types.Profile]:
        """Records of all pages of ``search``."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "text": text,
            "filters": filters,
            "not": not_,
            "exclude_ids": exclude_ids,
            "sort": sort,
            "order": order,
            "limit": limit,
            "cursor": cursor,
            "count": count,
            "facets": facets,
        }
        return records(pages(self._transport, _PROFILES_SEARCH, parameters, timeout, max_retries))

    def get(
        self,
        *,
        profile_id: str,
        platform: types.Platform,
        include: Optional[Literal["available"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[types.Profile, types.ProfilesGetMeta]] = None,
    ) -> Answer[types.Profile, types.ProfilesGetMeta]:
        """Get a profile."""
        parameters: Dict[str, Any] = {
            "profile_id": profile_id,
            "platform": platform,
            "include": include,
        }
        return self._transport.request(_PROFILES_GET, parameters, timeout, max_retries, previous)



class HistoryOperations:
    """Operations ``history``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        profile_id: str,
        platform: types.Platform,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        interval: Optional[Literal["day", "week", "month"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[List[types.HistoryPoint], types.HistoryGetMeta]] = None,
    ) -> Answer[List[types.HistoryPoint], types.HistoryGetMeta]:
        """Get the history of a profile."""
        parameters: Dict[str, Any] = {
            "profile_id": profile_id,
            "platform": platform,
            "start_date": start_date,
            "end_date": end_date,
            "interval": interval,
        }
        return self._transport.request(_HISTORY_GET, parameters, timeout, max_retries, previous)



class ContentOperations:
    """Operations ``content``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        platform: types.Platform,
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["created_at"]] = None,
        content_type: Optional[Literal["stream", "video", "short", "all"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Page[types.Content, types.ContentListMeta]] = None,
    ) -> Page[types.Content, types.ContentListMeta]:
        """List content."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
            "content_type": content_type,
        }
        return self._transport.request(_CONTENT_LIST, parameters, timeout, max_retries, previous)

    def list_pages(
        self,
        *,
        platform: types.Platform,
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["created_at"]] = None,
        content_type: Optional[Literal["stream", "video", "short", "all"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Page[types.Content, types.ContentListMeta]]:
        """Pages of ``list``, from ``cursor`` or the first to the last."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
            "content_type": content_type,
        }
        return pages(self._transport, _CONTENT_LIST, parameters, timeout, max_retries)

    def list_all(
        self,
        *,
        platform: types.Platform,
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["created_at"]] = None,
        content_type: Optional[Literal["stream", "video", "short", "all"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[types.Content]:
        """Records of all pages of ``list``."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
            "content_type": content_type,
        }
        return records(pages(self._transport, _CONTENT_LIST, parameters, timeout, max_retries))

    def batch(
        self,
        *,
        platform: types.Platform,
        content_ids: Iterable[str],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Answer[List[types.Content], types.ContentBatchMeta]:
        """Get up to 100 items of content."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "content_ids": content_ids,
        }
        return self._transport.request(_CONTENT_BATCH, parameters, timeout, max_retries)

    def batch_in_parts(
        self,
        *,
        platform: types.Platform,
        content_ids: Iterable[str],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Answer[List[types.Content], types.ContentBatchMeta]]:
        """Answers of ``batch`` for any number of ``content_ids``, with at most 100 in a request."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "content_ids": content_ids,
        }
        return in_parts(self._transport, _CONTENT_BATCH, parameters, "content_ids", 100, timeout, max_retries)

    def get(
        self,
        *,
        content_id: str,
        platform: types.Platform,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[types.Content, types.ContentGetMeta]] = None,
    ) -> Answer[types.Content, types.ContentGetMeta]:
        """Get an item of content."""
        parameters: Dict[str, Any] = {
            "content_id": content_id,
            "platform": platform,
        }
        return self._transport.request(_CONTENT_GET, parameters, timeout, max_retries, previous)

    def by_profile(
        self,
        *,
        profile_id: str,
        platform: types.Platform,
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["created_at"]] = None,
        content_type: Optional[Literal["stream", "video", "short", "all"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Page[types.Content, types.ContentByProfileMeta]] = None,
    ) -> Page[types.Content, types.ContentByProfileMeta]:
        """List the content of a creator."""
        parameters: Dict[str, Any] = {
            "profile_id": profile_id,
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
            "content_type": content_type,
        }
        return self._transport.request(_CONTENT_BY_PROFILE, parameters, timeout, max_retries, previous)

    def by_profile_pages(
        self,
        *,
        profile_id: str,
        platform: types.Platform,
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["created_at"]] = None,
        content_type: Optional[Literal["stream", "video", "short", "all"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Page[types.Content, types.ContentByProfileMeta]]:
        """Pages of ``by_profile``, from ``cursor`` or the first to the last."""
        parameters: Dict[str, Any] = {
            "profile_id": profile_id,
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
            "content_type": content_type,
        }
        return pages(self._transport, _CONTENT_BY_PROFILE, parameters, timeout, max_retries)

    def by_profile_all(
        self,
        *,
        profile_id: str,
        platform: types.Platform,
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["created_at"]] = None,
        content_type: Optional[Literal["stream", "video", "short", "all"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[types.Content]:
        """Records of all pages of ``by_profile``."""
        parameters: Dict[str, Any] = {
            "profile_id": profile_id,
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
            "content_type": content_type,
        }
        return records(pages(self._transport, _CONTENT_BY_PROFILE, parameters, timeout, max_retries))

    def by_game(
        self,
        *,
        game_id: str,
        platform: Literal["live_platform", "video_platform"],
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["created_at"]] = None,
        content_type: Optional[Literal["stream", "video", "short", "all"]] = None,
        include: Optional[Literal["creators"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Page[types.Content, types.ContentByGameMeta]] = None,
    ) -> Page[types.Content, types.ContentByGameMeta]:
        """List the content of a game."""
        parameters: Dict[str, Any] = {
            "game_id": game_id,
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
            "content_type": content_type,
            "include": include,
        }
        return self._transport.request(_CONTENT_BY_GAME, parameters, timeout, max_retries, previous)

    def by_game_pages(
        self,
        *,
        game_id: str,
        platform: Literal["live_platform", "video_platform"],
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["created_at"]] = None,
        content_type: Optional[Literal["stream", "video", "short", "all"]] = None,
        include: Optional[Literal["creators"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Page[types.Content, types.ContentByGameMeta]]:
        """Pages of ``by_game``, from ``cursor`` or the first to the last."""
        parameters: Dict[str, Any] = {
            "game_id": game_id,
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
            "content_type": content_type,
            "include": include,
        }
        return pages(self._transport, _CONTENT_BY_GAME, parameters, timeout, max_retries)

    def by_game_all(
        self,
        *,
        game_id: str,
        platform: Literal["live_platform", "video_platform"],
        order: Optional[Literal["asc", "desc"]] = None,
        cursor: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        limit: Optional[int] = None,
        sort: Optional[Literal["created_at"]] = None,
        content_type: Optional[Literal["stream", "video", "short", "all"]] = None,
        include: Optional[Literal["creators"]] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[types.Content]:
        """Records of all pages of ``by_game``."""
        parameters: Dict[str, Any] = {
            "game_id": game_id,
            "platform": platform,
            "order": order,
            "cursor": cursor,
            "start_date": start_date,
            "end_date": end_date,
            "limit": limit,
            "sort": sort,
            "content_type": content_type,
            "include": include,
        }
        return records(pages(self._transport, _CONTENT_BY_GAME, parameters, timeout, max_retries))



class GamesOperations:
    """Operations ``games``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def search(
        self,
        *,
        query: str,
        platform: Optional[Literal["live_platform", "video_platform"]] = None,
        exact: Optional[bool] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[List[types.Game], types.GamesSearchMeta]] = None,
    ) -> Answer[List[types.Game], types.GamesSearchMeta]:
        """Search games."""
        parameters: Dict[str, Any] = {
            "query": query,
            "platform": platform,
            "exact": exact,
            "limit": limit,
        }
        return self._transport.request(_GAMES_SEARCH, parameters, timeout, max_retries, previous)

    def get(
        self,
        *,
        game_id: str,
        platform: Literal["live_platform", "video_platform", "gamedb"],
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[types.GameDetails, types.GamesGetMeta]] = None,
    ) -> Answer[types.GameDetails, types.GamesGetMeta]:
        """Get a game."""
        parameters: Dict[str, Any] = {
            "game_id": game_id,
            "platform": platform,
        }
        return self._transport.request(_GAMES_GET, parameters, timeout, max_retries, previous)

    def changes(
        self,
        *,
        cursor: Optional[str] = None,
        from_: Optional[Literal["now"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Page[types.GameChange, types.GamesChangesMeta]] = None,
    ) -> Page[types.GameChange, types.GamesChangesMeta]:
        """Follow changes of games."""
        parameters: Dict[str, Any] = {
            "cursor": cursor,
            "from": from_,
            "limit": limit,
        }
        return self._transport.request(_GAMES_CHANGES, parameters, timeout, max_retries, previous)

    def changes_pages(
        self,
        *,
        cursor: Optional[str] = None,
        from_: Optional[Literal["now"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Page[types.GameChange, types.GamesChangesMeta]]:
        """Pages of ``changes``, from ``cursor`` or the first to the last."""
        parameters: Dict[str, Any] = {
            "cursor": cursor,
            "from": from_,
            "limit": limit,
        }
        return pages(self._transport, _GAMES_CHANGES, parameters, timeout, max_retries)

    def changes_all(
        self,
        *,
        cursor: Optional[str] = None,
        from_: Optional[Literal["now"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[types.GameChange]:
        """Records of all pages of ``changes``."""
        parameters: Dict[str, Any] = {
            "cursor": cursor,
            "from": from_,
            "limit": limit,
        }
        return records(pages(self._transport, _GAMES_CHANGES, parameters, timeout, max_retries))



class AnalysisOperations:
    """Operations ``analysis``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        profile_id: str,
        platform: types.Platform,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[types.CreatorAnalysis, types.AnalysisGetMeta]] = None,
    ) -> Answer[types.CreatorAnalysis, types.AnalysisGetMeta]:
        """Analyse a creator."""
        parameters: Dict[str, Any] = {
            "profile_id": profile_id,
            "platform": platform,
        }
        return self._transport.request(_ANALYSIS_GET, parameters, timeout, max_retries, previous)



class AudienceOperations:
    """Operations ``audience``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        profile_id: str,
        platform: types.Platform,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[types.AudienceAnalysis, types.AudienceGetMeta]] = None,
    ) -> Answer[types.AudienceAnalysis, types.AudienceGetMeta]:
        """Analyse an audience."""
        parameters: Dict[str, Any] = {
            "profile_id": profile_id,
            "platform": platform,
        }
        return self._transport.request(_AUDIENCE_GET, parameters, timeout, max_retries, previous)



class SocialsOperations:
    """Operations ``socials``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        profile_id: str,
        platform: types.Platform,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[List[types.SocialLink], types.SocialsGetMeta]] = None,
    ) -> Answer[List[types.SocialLink], types.SocialsGetMeta]:
        """Find a creator on other platforms."""
        parameters: Dict[str, Any] = {
            "profile_id": profile_id,
            "platform": platform,
        }
        return self._transport.request(_SOCIALS_GET, parameters, timeout, max_retries, previous)



class EmailOperations:
    """Operations ``email``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        profile_id: str,
        platform: types.Platform,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[types.Email, types.EmailGetMeta]] = None,
    ) -> Answer[types.Email, types.EmailGetMeta]:
        """Get an e-mail address."""
        parameters: Dict[str, Any] = {
            "profile_id": profile_id,
            "platform": platform,
        }
        return self._transport.request(_EMAIL_GET, parameters, timeout, max_retries, previous)



class ChangesOperations:
    """Operations ``changes``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        platform: types.Platform,
        kind: Literal["profiles", "content", "analysis", "audience", "socials", "emails"],
        cursor: Optional[str] = None,
        from_: Optional[Literal["now"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Page[types.Change, types.ChangesListMeta]] = None,
    ) -> Page[types.Change, types.ChangesListMeta]:
        """Follow changes of a platform."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "cursor": cursor,
            "from": from_,
            "limit": limit,
            "kind": kind,
        }
        return self._transport.request(_CHANGES_LIST, parameters, timeout, max_retries, previous)

    def list_pages(
        self,
        *,
        platform: types.Platform,
        kind: Literal["profiles", "content", "analysis", "audience", "socials", "emails"],
        cursor: Optional[str] = None,
        from_: Optional[Literal["now"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[Page[types.Change, types.ChangesListMeta]]:
        """Pages of ``list``, from ``cursor`` or the first to the last."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "cursor": cursor,
            "from": from_,
            "limit": limit,
            "kind": kind,
        }
        return pages(self._transport, _CHANGES_LIST, parameters, timeout, max_retries)

    def list_all(
        self,
        *,
        platform: types.Platform,
        kind: Literal["profiles", "content", "analysis", "audience", "socials", "emails"],
        cursor: Optional[str] = None,
        from_: Optional[Literal["now"]] = None,
        limit: Optional[int] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Iterator[types.Change]:
        """Records of all pages of ``list``."""
        parameters: Dict[str, Any] = {
            "platform": platform,
            "cursor": cursor,
            "from": from_,
            "limit": limit,
            "kind": kind,
        }
        return records(pages(self._transport, _CHANGES_LIST, parameters, timeout, max_retries))



class UsageOperations:
    """Operations ``usage``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[List[types.UsageLine], types.UsageGetMeta]] = None,
    ) -> Answer[List[types.UsageLine], types.UsageGetMeta]:
        """Get your usage."""
        parameters: Dict[str, Any] = {
            "start_date": start_date,
            "end_date": end_date,
        }
        return self._transport.request(_USAGE_GET, parameters, timeout, max_retries, previous)



class HealthOperations:
    """Operations ``health``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[types.Health, types.HealthMeta]] = None,
    ) -> Answer[types.Health, types.HealthMeta]:
        """Check readiness."""
        parameters: Dict[str, Any] = {}
        return self._transport.request(_HEALTH, parameters, timeout, max_retries, previous)

    def live(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        previous: Optional[Answer[types.Liveness, types.HealthLiveMeta]] = None,
    ) -> Answer[types.Liveness, types.HealthLiveMeta]:
        """Check liveness."""
        parameters: Dict[str, Any] = {}
        return self._transport.request(_HEALTH_LIVE, parameters, timeout, max_retries, previous)
