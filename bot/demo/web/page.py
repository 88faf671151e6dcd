"""The page's web server: its files, its pictures, and a socket for each open tab."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from aiohttp import web
from yarl import URL

from bot.demo.backend.bot_runner import BotRunner
from bot.demo.backend.words import translated
from bot.demo.backend.world import DemoWorld
from bot.demo.web import files, view
from bot.demo.web.page_requests import MOST
from bot.demo.web.tab import Tab
from bot.verify.page import PAGE

STATIC = Path(__file__).parent / "static"
ADDRESS = "127.0.0.1"
LOCAL = frozenset({ADDRESS, "localhost"})
POLICY = "Content-Security-Policy"
HEADERS = {
    POLICY: "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
"""Headers that restrict the page to this server and keep other pages from embedding it."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class PortError(Exception):
    """The page cannot be served on this port. The message says what to do."""


class Page:
    """The server of one world to browsers on this machine."""

    def __init__(self, world: DemoWorld, bot: BotRunner) -> None:
        self._world = world
        self._bot = bot
        app = web.Application(middlewares=[_only_here])
        app.add_routes(
            [
                web.get("/", self._page),
                web.get("/verify", _check_page),
                web.get("/{name:[a-z]+\\.(?:css|js|svg)}", _file),
                web.get("/socket", self._socket),
                web.get("/emojis/{id:[0-9]+}", self._emoji),
                web.get("/attachments/{channel:[0-9]+}/{id:[0-9]+}/{name}", self._attachment),
            ]
        )
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)

    async def start(self, port: int) -> int:
        """Listen on `port`, or on any free one if it is 0, and return it. Raises PortError."""
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, ADDRESS, port).start()
        except OSError as error:
            raise PortError(
                f"cannot use port {port} for the page: {error.strerror}; "
                "choose another with --port, or any free one with --port 0"
            ) from None
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        await self._runner.cleanup()

    async def _page(self, request: web.Request) -> web.Response:
        """Serve the page in the language of whoever opens it."""
        people = self._world.people
        viewer = people.get(request.query.get("as", ""), next(iter(people.values())))
        template = (STATIC / "page.html").read_text("utf-8")
        text = translated(template, viewer.locale)
        return web.Response(text=text, content_type="text/html", charset="utf-8")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        viewer = self._world.people.get(request.query.get("as", ""))
        origin = URL(request.headers.get("Origin", ""))
        if viewer is None or origin.authority != request.host:
            raise web.HTTPForbidden
        there = {str(one.id): one for one in view.places(self._world, viewer)}
        where = there.get(request.query.get("in", ""), self._world.channel)
        socket = web.WebSocketResponse(max_msg_size=MOST, heartbeat=30.0)
        await socket.prepare(request)
        await Tab(socket, viewer, where, self._world, self._bot).run()
        return socket

    async def _emoji(self, request: web.Request) -> web.Response:
        """Serve a custom emoji as the bot uploaded it."""
        uri = self._world.server.pictures.get(int(request.match_info["id"]))
        if uri is None:
            raise web.HTTPNotFound
        return files.emoji(uri)

    async def _attachment(self, request: web.Request) -> web.Response:
        blob = self._world.server.blobs.get(request.match_info["id"])
        if blob is None:
            raise web.HTTPNotFound
        return files.attachment(blob, request.match_info["name"])


async def _file(request: web.Request) -> web.FileResponse:
    path = STATIC / request.match_info["name"]
    if not path.is_file():
        raise web.HTTPNotFound
    return web.FileResponse(path)


async def _check_page(_: web.Request) -> web.FileResponse:
    """Serve the page that checks logs. It may load nothing, by a policy of its own."""
    return web.FileResponse(PAGE, headers={POLICY: "frame-ancestors 'none'"})


@web.middleware
async def _only_here(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse requests whose Host is not this machine's own address, and add the headers."""
    if URL(f"http://{request.host}").host not in LOCAL:
        raise web.HTTPForbidden
    response = await handler(request)
    if not response.prepared:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
    return response
