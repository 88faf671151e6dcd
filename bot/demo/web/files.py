"""Files of messages and pictures of emojis, as a browser on this machine may have them."""

import base64
import mimetypes
from urllib.parse import quote

from aiohttp import web

PICTURES = frozenset({"image/png", "image/gif", "image/jpeg", "image/webp"})
"""Kinds that a browser shows without running anything that is in them."""
TEXTS = (".json", ".jsonl", ".txt", ".csv", ".log")
"""Endings of files that open as plain text."""


def attachment(blob: bytes, name: str) -> web.Response:
    """Serve a file: pictures and texts open in the browser, all else is only saved."""
    kind, _ = mimetypes.guess_type(name)
    if kind in PICTURES:
        return web.Response(body=blob, content_type=kind)
    if name.lower().endswith(TEXTS):
        return web.Response(body=blob, content_type="text/plain", charset="utf-8")
    saved = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
    return web.Response(body=blob, content_type="application/octet-stream", headers=saved)


def emoji(uri: str) -> web.Response:
    """Serve a picture as the bot uploaded it. Raises HTTPNotFound if it is no picture."""
    head, _, body = uri.partition(",")
    kind = head.removeprefix("data:").partition(";")[0]
    if kind not in PICTURES:
        raise web.HTTPNotFound
    return web.Response(body=base64.b64decode(body), content_type=kind)
