"""The HTTP calls of the bot: their answers tell of rate limits, Discord's time and late answers."""

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Protocol

import aiohttp
import discord

from bot.ids import ChannelId
from bot.ui.connection.fast_path import leave_out_unsound_limits, refusal
from bot.ui.connection.lean_http.refusals import refusal as lean_refusal
from bot.ui.connection.lean_http.replies import Reply
from bot.ui.limits.answers import note_status
from bot.ui.limits.errors import is_too_old
from bot.ui.limits.headers import LONGEST, is_everywhere
from bot.ui.limits.retry_after import is_named, noted, seconds

NOT_FOUND, TOO_MANY = 404, 429
SHORT_WAIT = 1.0
"""Seconds for which a rate limit counts that names no end."""
LONG = 30.0
"""Seconds of a rate limit up to which logins and command registrations wait without an error."""
_CHANNEL = re.compile(r"/api/v[0-9]+/channels/([0-9]+)/")
_GATEWAY = re.compile(r"/gateway/bot$")
_COMMANDS = re.compile(r"/applications/[0-9]+/(guilds/[0-9]+/)?commands$")
_WEBHOOK = re.compile(r"/api/v[0-9]+/webhooks/")
_CALLBACK = re.compile(r"/callback(\?|$)")


class Listener(Protocol):
    """An object that wants to know what Discord's answers tell. `date`: their Date header."""

    def rate_limited(self, channel: ChannelId | None) -> None: ...
    def answered_late(self) -> None: ...
    def dated(self, date: str) -> None: ...


class HttpCalls:
    """The calls of one client. `limit`: the last rate limit that its login has met."""

    def __init__(self, client: discord.Client, listener: Listener) -> None:
        self._client, self._listener = client, listener
        self.edits = self.limits_met = 0
        self.limit: discord.HTTPException | None = None

    def trace(self) -> aiohttp.TraceConfig:
        """Return the hooks of each HTTP call: its User-Agent, rate limits and Discord's time.

        discord.py keeps the headers of answers to itself, and names itself only in calls with the
        bot's own token (PLATFORM 2).
        """

        async def request_start(
            _: aiohttp.ClientSession, __: SimpleNamespace, start: aiohttp.TraceRequestStartParams
        ) -> None:
            start.headers.setdefault("User-Agent", self._client.http.user_agent)

        async def request_end(
            _: aiohttp.ClientSession, __: SimpleNamespace, end: aiohttp.TraceRequestEndParams
        ) -> None:
            note_status(end.response.status)
            leave_out_unsound_limits(end.response)
            self._listener.dated(end.response.headers.get("Date", ""))
            if end.method == "PATCH":
                self.edits += 1
                await self._refuse_old(end.response)
            self.refused(str(end.url), end.response.status, end.response.headers)
            await self._refuse_long(end.response)

        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(request_start)
        trace.on_request_end.append(request_end)
        return trace

    def heard(self, method: str, path: str, reply: Reply) -> None:
        """Note a reply to the lean client, as the trace notes those to aiohttp.

        The limit of an old message is its own, and slows nothing else down.
        """
        note_status(reply.status)
        self._listener.dated(reply.headers.get("Date", ""))
        self.edits += method == "PATCH"
        if reply.status == TOO_MANY and method == "PATCH" and is_too_old(lean_refusal(reply)):
            self.limits_met += 1
            return
        self.refused(path, reply.status, reply.headers)

    async def _refuse_old(self, reply: aiohttp.ClientResponse) -> None:
        """Raise HTTPException for a 429 that an old message has met.

        discord.py would wait it out like any other and try again, five times. The limit is the
        message's own, and slows nothing else down.
        """
        if reply.status == TOO_MANY and is_too_old(error := await refusal(reply)):
            self.limits_met += 1
            raise error

    async def _refuse_long(self, reply: aiohttp.ClientResponse) -> None:
        """Raise HTTPException for a 429 that the caller handles better than discord.py.

        discord.py would wait for hours inside the call. A login ends with an error message instead,
        and the registration of commands logs it and tries again. A 429 that doesn't name its pause
        is the caller's too.
        """
        if reply.status != TOO_MANY:
            return
        told, at_start = seconds(reply.headers), self._client.application_id is None
        asks = (_COMMANDS, _GATEWAY)
        may_be_long = at_start or any(one.search(reply.url.path) for one in asks)
        if at_start:
            self.limit = await refusal(reply)
        is_long = may_be_long and (told is None or told > LONG)
        if is_long or not is_named(await reply.text()):
            raise await refusal(reply)

    def refused(self, url: str, status: int, headers: Mapping[str, str]) -> None:
        """Note Discord's answer to a call.

        The caller that met a 429 waits it out; pushes slow down for it. An interaction that is not
        found was answered too late (PLATFORM 1).
        """
        if status == TOO_MANY:
            self.limits_met += 1
            noted(headers)
            self._slow_down(url, headers)
            self._goes_on_after(headers)
        elif status == NOT_FOUND and _CALLBACK.search(url):
            self._listener.answered_late()

    def _slow_down(self, url: str, headers: Mapping[str, str]) -> None:
        """Slow down pushes after a 429, in its channel or everywhere.

        A limit without a scope counts everywhere, unless it is a webhook's. Uploads have limits of
        their own, and panels learn theirs themselves (PLATFORM 2).
        """
        unsaid = "panels" if _WEBHOOK.search(url) else "global"
        if headers.get("X-RateLimit-Scope", unsaid) == "global" or is_everywhere(headers):
            self._listener.rate_limited(None)
        elif (channel := _CHANNEL.search(url)) is not None:
            self._listener.rate_limited(ChannelId(int(channel[1])))

    def _goes_on_after(self, headers: Mapping[str, str]) -> None:
        """Let other requests go on when the global limit is over.

        discord.py holds back every request until the one that met the limit goes on. If that one
        was given up meanwhile, nothing would release the others (PLATFORM 2). They wait LONGEST
        seconds at most: a request that goes too early only meets the limit again.
        """
        if "X-RateLimit-Global" in headers:
            told = seconds(headers)
            after = SHORT_WAIT if told is None else min(told, LONGEST)
            self._client.loop.call_later(after, self._client.http._global_over.set)  # noqa: SLF001 said above
