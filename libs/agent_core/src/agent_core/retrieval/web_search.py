"""The web through a search service: SearXNG or Tavily. Titles and excerpts come from it; no found page is fetched."""

import asyncio
import json
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, cast

import httpx
from pydantic import SecretStr

from agent_core.errors import SourceUnavailable
from agent_core.evidence import WebPageEvidence
from agent_core.schemas import RetrievalResult, StepStatus, WebIntent

SOURCE = "web"

_OK = 200

_MAX_TITLE, _MAX_EXCERPT, _MAX_URL = 300, 2_000, 2_000
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


TAVILY_URL = "https://api.tavily.com"


class WebProvider(StrEnum):
    """The services that are spoken to."""

    SEARXNG = "searxng"
    TAVILY = "tavily"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebOptions:
    """`url` ends where `/search` begins. A search brings at most `max_results`, and reads at most `max_bytes`."""

    provider: WebProvider
    url: str
    api_key: SecretStr | None = None
    max_results: int = 2
    max_bytes: int = 1_000_000


class WebSearchClient:
    """See WebSearch for the promises. Follows no redirect, uses no proxy of the environment, keeps no cookie."""

    def __init__(self, options: WebOptions) -> None:
        self._options = options
        self._client = httpx.AsyncClient(follow_redirects=False, trust_env=False)

    async def search(self, intent: WebIntent, *, timeout: float) -> RetrievalResult:
        """Pages as the service describes them, best first. Raises SourceUnavailable."""
        try:
            async with asyncio.timeout(timeout):
                body = await self._asked(intent)
        except TimeoutError as error:
            raise SourceUnavailable(SOURCE, timed_out=True) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise SourceUnavailable(SOURCE) from error
        limit = min(intent.top_k, self._options.max_results)
        source = f"web:{self._options.provider}"
        pages = {page.id: page for row in _rows(body) if (page := _page(row, source)) is not None}
        evidence = tuple(pages.values())[:limit]
        titles = "; ".join(page.title for page in evidence)
        return RetrievalResult(
            status=StepStatus.OK if evidence else StepStatus.EMPTY,
            summary=f"{len(evidence)} pages of the web for '{intent.query}': {titles}"
            if evidence
            else "No page found.",
            evidence=evidence,
        )

    async def close(self) -> None:
        """Hang up; may be called twice."""
        await self._client.aclose()

    async def _asked(self, intent: WebIntent) -> bytes:
        request = self._request(intent)
        response = await self._client.send(request, stream=True)
        try:
            if response.status_code != _OK:
                raise SourceUnavailable(SOURCE)
            body = bytearray()
            async for part in response.aiter_bytes():
                body += part
                if len(body) > self._options.max_bytes:
                    raise SourceUnavailable(SOURCE)
            return bytes(body)
        finally:
            await response.aclose()

    def _request(self, intent: WebIntent) -> httpx.Request:
        options = self._options
        url = f"{options.url.rstrip('/')}/search"
        headers = {"Authorization": f"Bearer {options.api_key.get_secret_value()}"} if options.api_key else {}
        if options.provider is WebProvider.SEARXNG:
            params = {"q": intent.query, "format": "json"}
            return self._client.build_request("GET", url, params=params, headers=headers, timeout=None)
        asked = {"query": intent.query, "max_results": options.max_results, "search_depth": "basic"}
        return self._client.build_request("POST", url, json=asked, headers=headers, timeout=None)


def _rows(body: bytes) -> Iterable[dict[str, Any]]:
    """The results of either service. Raises SourceUnavailable for an answer of another shape."""
    try:
        said = json.loads(body)
        rows = said["results"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise SourceUnavailable(SOURCE) from error
    if not isinstance(rows, list):
        raise SourceUnavailable(SOURCE)
    return (cast("dict[str, Any]", row) for row in cast("list[object]", rows) if isinstance(row, dict))


def _page(row: dict[str, Any], source: str) -> WebPageEvidence | None:
    """A result as evidence; None for one without an address that can be shown, or without a word."""
    url, text = str(row.get("url") or ""), _clean(row.get("content"), _MAX_EXCERPT)
    if not text or len(url) > _MAX_URL or not _is_web_address(url):
        return None
    return WebPageEvidence(
        id=f"web:{sha256(url.encode()).hexdigest()[:16]}",
        source=source,
        title=_clean(row.get("title"), _MAX_TITLE) or url,
        text=text,
        content_hash=sha256(text.encode()).hexdigest(),
        locator=url,
        url=url,
    )


def _is_web_address(url: str) -> bool:
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError, ValueError):
        return False
    return parsed.scheme in ("http", "https") and bool(parsed.host) and not parsed.userinfo


def _clean(text: object, most: int) -> str:
    """One line of what a stranger wrote, without signs that are not seen."""
    if not isinstance(text, str):
        return ""
    spaced = " ".join(text[: 4 * most].split())
    return "".join(sign for sign in spaced if unicodedata.category(sign) not in _UNSEEN)[:most].strip()
