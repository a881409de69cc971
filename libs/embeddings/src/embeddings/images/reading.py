"""What a request gives for a picture, to a picture: an address is fetched, base64 is unpacked."""

import asyncio
import base64
import binascii
import re
from typing import TYPE_CHECKING

from embeddings.images.protocol import Picture, PictureRefused

if TYPE_CHECKING:
    from embeddings.images.fetching import PictureFetcher

# What unpacks and fetches is imported with the first picture: a start pays a quarter of a second less.

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_MAX_UNPACKED = 2
"""Pictures that are unpacked at a time: each may take 100 MB for a moment."""

_DATA = re.compile(r"data:[^,]{0,200};base64,", re.IGNORECASE)


class PictureReader:
    """Reads pictures that somebody else chose."""

    def __init__(self, fetcher: "PictureFetcher | None" = None) -> None:
        self._fetcher = fetcher
        self._unpacking = asyncio.Semaphore(_MAX_UNPACKED)

    async def read(self, query: str, *, timeout: float) -> Picture:
        """The picture behind an http or https URL, in a `data:` URL of base64, or in plain base64.

        Raises:
            PictureRefused: it can't be had or used; the reason is safe to show.
        """
        try:
            async with asyncio.timeout(timeout):
                data = await self._bytes(query.strip(), timeout)
                async with self._unpacking:
                    # A thread can't be stopped: what it may unpack is bounded instead.
                    return await asyncio.to_thread(_decoded, data)
        except TimeoutError as error:
            raise PictureRefused("the picture could not be read in time") from error

    async def _bytes(self, query: str, timeout: float) -> bytes:
        if _ADDRESS.match(query):
            if self._fetcher is None:
                self._fetcher = await asyncio.to_thread(_new_fetcher)
            return await self._fetcher.fetch(query, timeout=timeout)
        begin = _DATA.match(query)
        if begin is None and query[:5].casefold() == "data:":
            raise PictureRefused("a data: URL of a picture must be base64")
        return await asyncio.to_thread(_unpacked, query[begin.end() :] if begin else query)


def _new_fetcher() -> "PictureFetcher":
    from embeddings.images.fetching import PictureFetcher

    return PictureFetcher()


def _decoded(data: bytes) -> Picture:
    from embeddings.images.decoding import decode_picture

    return decode_picture(data)


def _unpacked(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise PictureRefused("neither a URL nor base64") from error
