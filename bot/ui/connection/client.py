"""The Discord client: discord.py's, with few caches, which hands presses on at once."""

import asyncio
import logging
from collections.abc import Awaitable
from contextvars import copy_context
from typing import Any, Protocol

import aiohttp
import discord
from discord.http import Route

from bot.groups.layout import WHOLE, Layout
from bot.ids import ChannelId, GuildId
from bot.ui.connection import fast_path
from bot.ui.connection.command_tree import Tree
from bot.ui.connection.deadlines import IN_TIME, bound_calls, note_arrival
from bot.ui.connection.gateway.connecting import Connecting
from bot.ui.connection.gateway.unreadable_events import survive
from bot.ui.connection.gateway.unreadable_frames import UnreadableFrames
from bot.ui.connection.http_calls import HttpCalls, Listener
from bot.ui.connection.lazy_interaction import read_presses
from bot.ui.connection.lean_http.choice import lean_client
from bot.ui.connection.lean_http.client import LeanClient
from bot.ui.connection.lean_http.proxies import proxy_of
from bot.ui.connection.responses import Interaction, older, sent_id
from bot.ui.render import custom_ids

log = logging.getLogger(__name__)

KEEP_ALIVE = 120.0
"""Seconds: aiohttp drops idle connections after 15, and a new one costs round trips."""
LOGIN = 60.0
"""Seconds in which Discord has to answer the login."""
PATIENCE = 1.0
"""Seconds for which cancelled answers are waited for."""
FRAME_KIND = "socket_event_type"
INTERACTION = "interaction"
ON_INTERACTION = f"on_{INTERACTION}"
EVENTS = (INTERACTION, "ready", "guild_join", "guild_remove")
ANSWERING = frozenset({*(f"discord.py: on_{event}" for event in EVENTS), "CommandTree-invoker"})
"""The tasks in which discord.py runs what answers a press, a command or news (PLATFORM 3)."""


class ClientOwner(Listener, Protocol):
    """The owner of a client. `ready` is called once every server is known.

    `lost_emojis` returns whether a refusal is due to deleted emojis, which are shown no more then.
    `news` returns a newer release and the command that upgrades to it.
    """

    async def begin(self, client: "Client") -> None: ...
    async def ready(self) -> None: ...
    async def joined(self, guild: GuildId) -> None: ...
    async def left(self, guild: GuildId) -> None: ...
    def deleted(self, channel: ChannelId) -> None: ...
    async def lets_in(self, interaction: Interaction) -> bool: ...
    def press(self, interaction: Interaction) -> Awaitable[None]: ...
    def lost_emojis(self, error: Exception) -> bool: ...
    def news(self) -> tuple[str, str] | None: ...
    async def end(self) -> None: ...


class Client(Connecting):
    """The connection to Discord: no privileged intent, no message or member cache (PLATFORM 9).

    It connects while its owner begins. Events wait for that, in their order. `layout`: the shards
    that it connects. `lean`: the client of answers and pushes, from the login on; None if aiohttp
    makes them.
    """

    def __init__(self, owner: ClientOwner, layout: Layout = WHOLE, *, is_lean: bool = True) -> None:
        self.calls = HttpCalls(self, owner)
        self.layout = layout
        self.lean: LeanClient | None = None
        self._is_lean = is_lean
        self._answering: dict[asyncio.Task[Any], None] = {}  # in the order in which they came
        self._earlier: dict[int, float] = {}  # seconds, by interaction
        self._logged_in, self._has_begun = asyncio.Event(), asyncio.Event()
        self._beginning: asyncio.Task[None] | None = None
        self._held: list[tuple[str, tuple[object, ...], dict[str, object]]] = []
        super().__init__(
            intents=discord.Intents(guilds=True),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE),
            proxy=proxy_of(Route.BASE),
            http_trace=self.calls.trace(),
            shard_count=layout.count,
            shard_ids=list(layout.ids) or None,
        )
        self.tree = Tree(self, self.answering, self._has_begun.wait, owner.lets_in)
        self.owner = owner
        read_presses(self)
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
            if self.calls.limit is not None:  # it was waited out until now
                raise self.calls.limit from None
            raise

    async def setup_hook(self) -> None:
        self._login.reschedule(None)
        self.lean = lean_client(self, self.calls.heard) if self._is_lean else None
        bound_calls(self.lean if fast_path.KNOWN else None, self.application_id or 0)
        loop = asyncio.get_running_loop()
        self._beginning = loop.create_task(self._begin(), name="begin")
        self._logged_in.set()

    async def _begin(self) -> None:
        await self.owner.begin(self)
        self._has_begun.set()
        for event, args, more in self._held:  # in one go, so that nothing later gets between
            super().dispatch(event, *args, **more)
        self._held.clear()

    async def begun(self) -> None:
        """Wait until the client has logged in and its owner has begun. Raises what that raises.

        Cancelled, it cancels the owner's beginning.
        """
        await self._logged_in.wait()
        assert self._beginning is not None
        await self._beginning

    async def on_ready(self) -> None:
        self.answering()
        await self.owner.ready()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        self.answering()
        await self.owner.joined(GuildId(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        self.answering()
        await self.owner.left(GuildId(guild.id))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        self.owner.deleted(ChannelId(channel.id))

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        self.owner.deleted(ChannelId(thread.thread_id))

    async def on_interaction(self, interaction: Interaction) -> None:
        """Take an interaction. Nothing is awaited before a press is in line."""
        self._note_arrival(interaction)
        is_form = interaction.type is discord.InteractionType.modal_submit
        if is_form and custom_ids.parse(sent_id(interaction)) is None:
            await self._form(interaction)
            return
        if not is_form and interaction.type is not discord.InteractionType.component:
            return
        answer, task = self.owner.press(interaction), asyncio.current_task(self.loop)
        assert task is not None
        self._answering[task] = None
        try:
            await answer
        finally:
            del self._answering[task]
            fast_path.release(interaction)

    async def _form(self, interaction: Interaction) -> None:
        """Answer a form that no table of this version has sent."""
        self.answering()
        if await self.owner.lets_in(interaction):
            await older(interaction)

    def handed_over(self, interaction: int, earlier: float) -> None:
        """Expect an interaction that arrived at another group so many seconds ago."""
        self._earlier[interaction] = earlier
        asyncio.get_running_loop().call_later(IN_TIME, self._earlier.pop, interaction, None)

    def _note_arrival(self, interaction: Interaction) -> None:
        note_arrival(interaction, self._earlier.pop(interaction.id, 0.0) if self._earlier else 0.0)

    def dispatch(self, event: str, /, *args: object, **more: object) -> None:
        """Tell whoever listens, once the bot has begun.

        discord.py tells of each frame's kind, and nobody listens to that. Nobody but this client
        listens for interactions: each has a task at once.
        """
        if event == FRAME_KIND:
            return
        if not self._has_begun.is_set():
            self._held.append((event, args, more))
            if args and isinstance(args[0], discord.Interaction):  # in no other task's context
                copy_context().run(self._note_arrival, args[0])
        elif event == INTERACTION:
            _ = self._schedule_event(self.on_interaction, ON_INTERACTION, *args)
        else:
            super().dispatch(event, *args, **more)

    def answering(self) -> None:
        """Note that the current task, discord.py's, answers: `give_up_answers` can end it."""
        task = asyncio.current_task()
        assert task is not None
        self._answering[task] = None
        task.add_done_callback(lambda done: self._answering.pop(done, None))

    @property
    def is_connected(self) -> bool:
        """True while every shard is connected to the gateway and Discord has greeted each once."""
        return self.is_ready() and self.connected() == len(self.shards)

    def connected(self) -> int:
        """Return how many shards are connected to the gateway now."""
        return sum(not one.is_closed() for one in self.shards.values())

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
            if self._beginning is not None and not self._beginning.done():
                self._beginning.cancel()
                await asyncio.wait((self._beginning,))
            await self.owner.end()
        if self.lean is not None:
            self.lean.close()
        await super().close()
