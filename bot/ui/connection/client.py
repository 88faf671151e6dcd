"""Our Discord client: discord.py's, told to keep little and to hand presses on at once."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Mapping
from types import SimpleNamespace
from typing import Any, Protocol

import aiohttp
import discord

from bot.ids import ChannelId, GuildId
from bot.ui.connection.command_tree import Tree
from bot.ui.connection.deadlines import bound_calls, note_arrival
from bot.ui.connection.fast_path import leave_out_unsound_limits, read_lightly, refusal
from bot.ui.connection.gateway import Connecting
from bot.ui.connection.responses import Interaction, older
from bot.ui.connection.unreadable_events import survive
from bot.ui.connection.unreadable_frames import UnreadableFrames
from bot.ui.limits.answers import heard
from bot.ui.limits.errors import is_too_old
from bot.ui.limits.headers import LONGEST, is_everywhere
from bot.ui.limits.retry_after import is_named, noted, seconds

log = logging.getLogger(__name__)

KEEP_ALIVE = 120.0
"""Seconds: aiohttp drops idle connections after 15, and a new one costs round trips."""
NOT_FOUND, TOO_MANY = 404, 429
LOGIN = 60.0
"""Seconds in which Discord has to answer the login."""
SHORT_WAIT = 1.0
"""Seconds that a limit lasts which doesn't say how long."""
LONG = 30.0
"""Seconds of a rate limit that the start and the commands wait out without a word."""
PATIENCE = 1.0
"""Seconds in which an answer that is given up has to end."""
_CHANNEL = re.compile(r"/api/v[0-9]+/channels/([0-9]+)/")
_GATEWAY = re.compile(r"/gateway/bot$")
_COMMANDS = re.compile(r"/applications/[0-9]+/(guilds/[0-9]+/)?commands$")
_WEBHOOK = re.compile(r"/api/v[0-9]+/webhooks/")
_CALLBACK = re.compile(r"/callback(\?|$)")
EVENTS = ("interaction", "ready", "guild_join", "guild_remove")
ANSWERING = frozenset({*(f"discord.py: on_{event}" for event in EVENTS), "CommandTree-invoker"})
"""The tasks in which discord.py runs what answers a press, a command or news (PLATFORM 3)."""


class Life(Protocol):
    """The owner of a client. `ready` is called once every server is known."""

    async def begin(self, client: "Client") -> None: ...
    async def ready(self) -> None: ...
    async def joined(self, guild: GuildId) -> None: ...
    async def left(self, guild: GuildId) -> None: ...
    async def lets_in(self, interaction: Interaction) -> bool: ...
    def press(self, interaction: Interaction) -> Awaitable[None]: ...
    def rate_limited(self, channel: ChannelId | None) -> None: ...
    def answered_late(self) -> None: ...
    def dated(self, date: str) -> None: ...
    async def end(self) -> None: ...


class Client(Connecting):
    """The connection to Discord: no privileged intent, no message or member cache (PLATFORM 9)."""

    def __init__(self, life: Life, *, shard_count: int | None = None) -> None:
        self._life = life
        self._answering: dict[asyncio.Task[Any], None] = {}  # in the order in which they came
        super().__init__(
            intents=discord.Intents(guilds=True),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE),
            http_trace=self._trace(),
            shard_count=shard_count,
        )
        self.tree = Tree(self, self.answering, life.lets_in)
        self.life = life
        self.edits = self.limits_met = 0
        self._limit: discord.HTTPException | None = None  # the last that the login has met
        read_lightly(self)
        survive(self)
        UnreadableFrames().survive(self)

    async def login(self, token: str) -> None:
        """Log in.

        Raises TimeoutError if Discord doesn't answer, and what its refusals raise. Short rate
        limits that outlast that time raise theirs too.
        """
        try:
            async with asyncio.timeout(LOGIN) as self._login:
                await super().login(token)
        except TimeoutError:
            if self._limit is not None:  # it was waited out until now
                raise self._limit from None
            raise

    async def setup_hook(self) -> None:
        self._login.reschedule(None)
        bound_calls()
        await self.life.begin(self)

    async def on_ready(self) -> None:
        self.answering()
        await self.life.ready()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        self.answering()
        await self.life.joined(GuildId(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self.answering()
        await self.life.left(GuildId(guild.id))

    async def on_interaction(self, interaction: Interaction) -> None:
        """Take an interaction. Nothing is awaited before a press is in line."""
        note_arrival(interaction)
        if interaction.type is not discord.InteractionType.component:
            if interaction.type is discord.InteractionType.modal_submit:
                await self._form(interaction)
            return
        answer = self.life.press(interaction)
        self.answering()
        await answer

    async def _form(self, interaction: Interaction) -> None:
        """Answer a form as one of an older version: this version has none."""
        self.answering()
        if await self.life.lets_in(interaction):
            await older(interaction)

    def answering(self) -> None:
        """Note that the current task, discord.py's, answers: `give_up_answers` can end it."""
        task = asyncio.current_task()
        assert task is not None
        self._answering[task] = None
        task.add_done_callback(lambda done: self._answering.pop(done, None))

    @property
    def is_connected(self) -> bool:
        """True while every shard is connected to the gateway and Discord has greeted each once."""
        return self.is_ready() and not any(one.is_closed() for one in self.shards.values())

    async def answered(self) -> None:
        """Wait for the answers that are being worked on."""
        tasks = [task for task in asyncio.all_tasks() if task.get_name() in ANSWERING]
        if tasks:
            await asyncio.wait(tasks)

    async def give_up_answers(self) -> None:
        """Cancel the answers that are left, presses in their order, and wait until they have ended.

        Waits PATIENCE seconds at most: the connection and the database are about to close. What was
        decided stays decided.
        """
        tasks = tuple(self._answering)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=PATIENCE)

    async def close(self) -> None:
        if not self.is_closed():
            await self.life.end()
        await super().close()

    def _trace(self) -> aiohttp.TraceConfig:
        """Return the hooks of each HTTP call: its User-Agent, rate limits and Discord's time.

        discord.py keeps the headers of answers to itself, and names itself only in calls with the
        bot's own token (PLATFORM 2).
        """

        async def request_start(
            _: aiohttp.ClientSession, __: SimpleNamespace, start: aiohttp.TraceRequestStartParams
        ) -> None:
            start.headers.setdefault("User-Agent", self.http.user_agent)

        async def request_end(
            _: aiohttp.ClientSession, __: SimpleNamespace, end: aiohttp.TraceRequestEndParams
        ) -> None:
            heard(end.response.status)
            leave_out_unsound_limits(end.response)
            self.life.dated(end.response.headers.get("Date", ""))
            if end.method == "PATCH":
                self.edits += 1
                await self._refuse_old(end.response)
            self.refused(str(end.url), end.response.status, end.response.headers)
            await self._refuse_long(end.response)

        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(request_start)
        trace.on_request_end.append(request_end)
        return trace

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
        told, at_start = seconds(reply.headers), self.application_id is None
        asks = (_COMMANDS, _GATEWAY)
        may_be_long = at_start or any(one.search(reply.url.path) for one in asks)
        if at_start:
            self._limit = await refusal(reply)
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
            self.life.answered_late()

    def _slow_down(self, url: str, headers: Mapping[str, str]) -> None:
        """Slow down pushes after a 429, in its channel or everywhere.

        A limit without a scope counts everywhere, unless it is a webhook's. Uploads have limits of
        their own, and panels learn theirs themselves (PLATFORM 2).
        """
        unsaid = "panels" if _WEBHOOK.search(url) else "global"
        if headers.get("X-RateLimit-Scope", unsaid) == "global" or is_everywhere(headers):
            self.life.rate_limited(None)
        elif (channel := _CHANNEL.search(url)) is not None:
            self.life.rate_limited(ChannelId(int(channel[1])))

    def _goes_on_after(self, headers: Mapping[str, str]) -> None:
        """Let other requests go on when the global limit is over.

        discord.py holds back every request until the one that met the limit goes on. If that one
        was given up meanwhile, nothing would release the others (PLATFORM 2). They wait LONGEST
        seconds at most: a request that goes too early only meets the limit again.
        """
        if "X-RateLimit-Global" in headers:
            told = seconds(headers)
            after = SHORT_WAIT if told is None else min(told, LONGEST)
            self.loop.call_later(after, self.http._global_over.set)  # noqa: SLF001 said above
