"""The stand-in for Discord: a world and everything around it, on one port of this machine."""

import asyncio
import logging
import os
from pathlib import Path
from typing import Self

from aiohttp import StreamReader, web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http import RawRequestMessage
from aiohttp.web_protocol import RequestHandler

from bot.fakediscord.faults import Fault, adding, cut
from bot.fakediscord.gateway.gateway import Gateway
from bot.fakediscord.model.places import Channel
from bot.fakediscord.people.chat import Chat
from bot.fakediscord.people.commands import Commands
from bot.fakediscord.people.components import Components
from bot.fakediscord.people.interactions import InteractionSender
from bot.fakediscord.people.views import ChannelViews
from bot.fakediscord.rate_limits import Limiter
from bot.fakediscord.recorder import Recorder
from bot.fakediscord.rest.api import RestApi
from bot.fakediscord.serving.assets import asset
from bot.fakediscord.serving.certificates import Certificate
from bot.fakediscord.serving.control import PATH, Control
from bot.fakediscord.serving.orders import orders
from bot.fakediscord.settings import Settings
from bot.fakediscord.world import GATEWAY_PATH, World

log = logging.getLogger("fakediscord")

ADDRESS = "127.0.0.1"
SITE = Path(__file__).resolve().parents[1] / "site"
"""On the path of a bot, it points discord.py at this server."""
ANY_TOKEN = "MTIz.fake.token"  # noqa: S105 for a server that takes any
MOST_BODY = 64 * 2**20
"""Bytes of a request."""
PATIENCE = 1.0
"""Seconds in which calls may end when the server stops."""


class Server:
    """One Discord: `async with Server() as server`. `port` 0: any free one.

    `record`: a file for a record of every call and event; one that is there is overwritten. The
    parts are attributes: `world`, `gateway`, `rest`, `recorder`; what tests use most stands here
    under its own name.
    """

    def __init__(
        self,
        port: int = 0,
        *,
        guilds: int = 1,
        channels: int = 1,
        settings: Settings | None = None,
        world: World | None = None,
        record: str | os.PathLike[str] | None = None,
    ) -> None:
        self.world = world = world or World(settings)
        self.settings = world.settings
        self.recorder = Recorder(Path(record) if record is not None else None)
        self.gateway = Gateway(world, self.recorder)
        self.rest = RestApi(world, self.gateway, self.recorder)
        world.audience.append(self.gateway.tell)
        self._mount_world()
        self._mount_people()
        self._mount_rest()
        self._control = Control(world, orders(self))
        self._port = port
        self._runner: web.ServerRunner | None = None
        self._certificate: Certificate | None = None
        for _ in range(guilds):
            world.add_guild(channels=channels)

    def _mount_world(self) -> None:
        world, changes = self.world, self.world.changes
        self.bot, self.owner, self.app_id = world.bot, world.owner, world.app_id
        self.users, self.guilds, self.channels = world.users, world.guilds, world.channels
        self.tokens, self.commands, self.emojis = world.tokens, world.commands, world.emojis
        self.pictures, self.blobs = world.pictures, world.blobs
        self.listeners, self.changed = changes.listeners, changes.happened
        self.wait_for = changes.wait_for
        self.user, self.dm, self.react = world.user, world.dm, world.react
        self.add_guild, self.add_channel = world.add_guild, world.add_channel
        self.kick_bot, self.invite_bot = world.kick_bot, world.invite_bot
        self.outage, self.deny = world.outage, world.deny
        self.delete_channel, self.delete_message = world.delete_channel, world.delete_message
        self.add_emoji, self.age_tokens = world.add_emoji, world.age_tokens

    def _mount_people(self) -> None:
        views, sender = ChannelViews(self.world), InteractionSender(self.world)
        commands = Commands(self.world, sender)
        components = Components(self.world, sender)
        self.view, self.panels, self.public = views.view, views.panels, views.public
        self.dismiss, self.restart_client = views.dismiss, views.restart_client
        self.say = Chat(self.world).say
        self.send, self.redeliver = sender.send, sender.redeliver
        self.command, self.slash = commands.command, commands.slash
        self.autocomplete, self.context = commands.autocomplete, commands.context
        self.click, self.select = components.click, components.select
        self.modal_submit = components.modal_submit

    def _mount_rest(self) -> None:
        traffic = self.rest.traffic
        self.calls, self.statuses, self.codes = traffic.calls, traffic.statuses, traffic.codes
        self.unknown, self.crashes = traffic.unknown, traffic.crashes
        self.faults = self.rest.faults.rules
        self.fault = adding(Fault, self.faults)

    # -- life -----------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    async def start(self) -> Self:
        self.recorder.open()
        self._runner = web.ServerRunner(
            web.Server(self._handle, request_factory=_request, access_log=None),
            shutdown_timeout=PATIENCE,
        )
        await self._runner.setup()
        if self.settings.tls:
            self._certificate = Certificate()
        context = self._certificate.context() if self._certificate else None
        site = web.TCPSite(self._runner, ADDRESS, self._port, backlog=1024, ssl_context=context)
        await site.start()
        self.world.port = self._runner.addresses[0][1]
        return self

    async def stop(self) -> None:
        """Cut every connection."""
        for request in [*(one.request for one in self.gateway.conns), *self.rest.faults.held]:
            cut(request)
        if self._runner is not None:
            await self._runner.cleanup()
        if self._certificate is not None:
            self._certificate.close()
        self.recorder.close()

    async def wait_ready(self, within: float = 30.0, *, commands: bool = False) -> None:
        """Wait until a bot is connected, and has registered its commands if these matter."""
        await self.wait_for(lambda: self.gateway.ready and (self.commands or not commands), within)

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path
        if path.startswith(GATEWAY_PATH):
            return await self.gateway.handle(request)
        if path.startswith("/api"):
            return await self.rest.handle(request)
        if path == PATH and request.method == "POST":
            return await self._control.handle(request)
        found = asset(self.world, path)
        if found is None:
            self.unknown[path] += 1
            log.error("UNKNOWN PATH %s %s", request.method, path)
            return web.Response(status=404)
        return found

    # -- what there is --------------------------------------------------------------------------

    @property
    def url(self) -> str:
        return self.world.url

    @property
    def ws_url(self) -> str:
        return self.world.ws_url

    @property
    def cert(self) -> str | None:
        """The file of the certificate, with TLS."""
        return str(self._certificate.file) if self._certificate else None

    @property
    def env(self) -> dict[str, str]:
        """Environment variables that point an unmodified discord.py process here."""
        paths = (str(SITE), os.environ.get("PYTHONPATH"))
        return {
            "FAKE_DISCORD": self.url,
            "DISCORD_TOKEN": self.settings.token or ANY_TOKEN,
            **({"SSL_CERT_FILE": self.cert} if self.cert else {}),
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        }

    @property
    def all_channels(self) -> list[Channel]:
        """Every channel of every guild, without threads."""
        return self.world.all_channels

    @property
    def limiter(self) -> Limiter:
        """The rate limits."""
        return self.rest.limiter

    @property
    def late(self) -> int:
        """Interactions that a connected bot did not answer by their deadline."""
        return self.world.deadlines.late

    @property
    def ratelimited(self) -> int:
        """Calls that were answered with a 429."""
        return self.rest.traffic.ratelimited

    @property
    def inflight(self) -> int:
        """Calls that are being worked on."""
        return self.rest.traffic.inflight


def _request(
    message: RawRequestMessage,
    payload: StreamReader,
    protocol: RequestHandler,
    writer: AbstractStreamWriter,
    task: asyncio.Task[None],
) -> web.BaseRequest:
    """Return a request that may be larger than aiohttp allows by itself."""
    loop = asyncio.get_running_loop()
    return web.BaseRequest(
        message, payload, protocol, writer, task, loop, client_max_size=MOST_BODY
    )
