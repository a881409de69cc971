"""What a request gives for a picture, to a picture: an address is fetched, base64 is unpacked."""

import asyncio
import base64
import binascii
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from embeddings.images.limits import PictureLimits
from embeddings.images.protocol import Picture, PictureRefused

if TYPE_CHECKING:
    from embeddings.images.fetching import PictureFetcher

# What unpacks and fetches is imported with the first picture: a start pays a quarter of a second less.

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_DATA = re.compile(r"data:[^,]{0,200};base64,", re.IGNORECASE)


class PictureReader:
    """Reads pictures that somebody else chose."""

    def __init__(self, limits: PictureLimits | None = None) -> None:
        self._limits = limits or PictureLimits()
        self._fetcher: PictureFetcher | None = None
        # A thread can't be stopped: one whose picture was given up keeps its place, and its memory, until it is done.
        self._unpacking = ThreadPoolExecutor(self._limits.at_once, thread_name_prefix="picture")

    async def read(self, query: str, *, timeout: float) -> Picture:
        """The picture behind an http or https URL, in a `data:` URL of base64, or in plain base64.

        Raises:
            PictureRefused: it can't be had or used; the reason is safe to show.
        """
        try:
            async with asyncio.timeout(timeout):
                data = await self._bytes(query.strip(), timeout)
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._unpacking, _decoded, data, self._limits)
        except TimeoutError as error:
            raise PictureRefused("the picture could not be read in time") from error

    async def _bytes(self, query: str, timeout: float) -> bytes:
        if _ADDRESS.match(query):
            if self._fetcher is None:
                self._fetcher = await asyncio.to_thread(_new_fetcher, self._limits)
            return await self._fetcher.fetch(query, timeout=timeout)
        begin = _DATA.match(query)
        if begin is None and query[:5].casefold() == "data:":
            raise PictureRefused("a data: URL of a picture must be base64")
        return await asyncio.to_thread(_unpacked, query[begin.end() :] if begin else query)


def _new_fetcher(limits: PictureLimits) -> "PictureFetcher":
    from embeddings.images.fetching import PictureFetcher

    return PictureFetcher(limits)


def _decoded(data: bytes, limits: PictureLimits) -> Picture:
    from embeddings.images.decoding import decode_picture

    return decode_picture(data, limits)


def _unpacked(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise PictureRefused("neither a URL nor base64") from error
