"""Answers to interactions by the lean client: tried again while they are in time."""

import asyncio
from urllib.parse import quote

from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.lean_http.refusals import read, refusal
from bot.ui.connection.lean_http.replies import Reply
from bot.ui.limits import headers
from bot.ui.limits.answers import UnreadableAnswerError
from bot.ui.limits.errors import UPSTREAM, is_answered_already

NO_CONTENT, TOO_MANY = 204, 429
JSON = "application/json"
SHORTEST = 0.5
"""Seconds of the remaining time that each rate limit costs at least, to bound the retries."""
FIRST_PAUSE = 0.5
"""Seconds until an answer is sent again that Discord, or what stands before it, failed to take.
Each further pause is twice as long.
"""


async def answer(
    client: LeanClient, interaction: int, token: str, body: bytes, left: float, query: str = ""
) -> Reply | None:
    """Send the first answer to an interaction. `left`: seconds in which Discord takes one.

    Returns Discord's reply; None if only an earlier try was taken, whose reply nobody has.

    A rate limit is waited out, and an error from 500 on is tried again after a pause, while the
    answer can still be in time. All tries are made here, on this client: Discord may have taken one
    that seemed to fail, and says so to the next (40060), which only whoever knows of both can
    understand. discord.py would take that for a refusal, and its pauses (1, 3, 5 s) are as long as
    an answer may take.

    Raises discord.HTTPException if Discord refuses the answer, UnreadableAnswerError for a page
    (Discord says nothing, or JSON), and OSError if the network fails.
    """
    path = f"/interactions/{interaction}/{quote(token, safe='')}/callback{query}"
    loop, failed, is_repeat = asyncio.get_running_loop(), FIRST_PAUSE, False
    until = loop.time() + left
    while True:
        reply = await client.request("POST", path, body, repeatable=True)
        is_repeat = is_repeat or reply.is_repeat
        if _is_taken(reply):
            return reply
        error, pause = refusal(reply), _asked_for(reply)
        if is_repeat and is_answered_already(error):
            return None
        if reply.status >= UPSTREAM:
            is_repeat, pause, failed = True, failed, failed * 2
        if pause is None or loop.time() + pause > until:
            raise error
        until -= max(0.0, SHORTEST - pause)
        await asyncio.sleep(pause)


def _is_taken(reply: Reply) -> bool:
    """Return whether it is a success. Raises UnreadableAnswerError for a page that says yes."""
    if reply.status == NO_CONTENT:
        return True
    kind = reply.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if reply.ok and kind != JSON:
        raise UnreadableAnswerError(f"unreadable (HTTP {reply.status}): {kind}")
    return reply.ok


def _asked_for(reply: Reply) -> float | None:
    """Return the seconds until a retry; None unless it is a rate limit that names them."""
    if reply.status != TOO_MANY:
        return None
    return headers.asked_for(reply.headers, read(reply.text))
