"""One open page, which receives what its person sees whenever that changes."""

import asyncio
import logging
from typing import assert_never

import orjson
from aiohttp import WSMsgType, web

from bot.demo import typed, view
from bot.demo.asks import Ask, Choose, Dismiss, Press, Restart, Write, parse
from bot.demo.host import Host
from bot.demo.typed import TypoError
from bot.demo.world import World
from bot.fakediscord import Channel, Interaction, Message, User
from bot.tables.supervisor import Crew

log = logging.getLogger(__name__)

GAP = 0.03
"""Seconds between two updates. Changes in between are sent together."""
AT_ONCE = 50
"""The most presses of one page that may wait for the bot."""
FAILED = "This interaction failed"
FORM = "The demo cannot show forms"


class Tab:
    """The link between a page and the stand-in. It holds nothing that a reload would lose."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        viewer: User,
        where: Channel,
        world: World,
        host: Host,
    ) -> None:
        self._socket, self._viewer, self._where = socket, viewer, where
        self._world, self._host = world, host
        self._crew = Crew()
        self._changed = asyncio.Event()
        self._sent: dict[int, int] = {}
        self._state: view.Json = {}
        self._waiting: dict[int, Interaction] = {}
        self._answers: list[view.Json] = []

    async def run(self) -> None:
        """Serve the page until it is closed."""
        listeners = self._world.server.listeners
        listeners.append(self._changed.set)
        self._changed.set()
        self._crew(self._show(), name="page")
        try:
            async for frame in self._socket:
                if frame.type is WSMsgType.TEXT:
                    self._take(frame.data)
        finally:
            listeners.remove(self._changed.set)
            await self._crew.stop()

    # -- to the page ------------------------------------------------------------------------

    async def _show(self) -> None:
        await self._send(view.place(self._world, self._viewer, self._where))
        while not self._socket.closed:
            await self._changed.wait()
            self._changed.clear()
            if news := self._news():
                await self._send(news)
                await asyncio.sleep(GAP)

    async def _send(self, what: view.Json) -> None:
        try:
            await self._socket.send_str(orjson.dumps(what).decode())
        except ConnectionError:
            log.debug("page of %s: connection lost", self._viewer.name)

    def _news(self) -> view.Json:
        """Return what has changed since the last update."""
        messages = view.seen(self._world, self._viewer, self._where)
        state = {
            "order": [str(one.id) for one in messages],
            "online": self._world.online,
            "commands": view.commands(self._world, self._viewer.locale),
            "places": [view.channel(one) for one in view.places(self._world, self._viewer)],
        }
        news = {key: value for key, value in state.items() if self._state.get(key) != value}
        changed = [view.message(m) for m in messages if self._sent.get(m.id) != m.version]
        self._state, self._sent = state, {m.id: m.version for m in messages}
        if changed:
            news["messages"] = changed
        for number, pressed in tuple(self._waiting.items()):
            if pressed.ok:
                self._done(number, pressed)
        if self._answers:
            news["answers"], self._answers = self._answers, []
        return news

    def _answer(self, number: int | None, why: str | None = None) -> None:
        """Tell the page that a request is done, or why it is not."""
        self._answers.append({"n": number, "ok": why is None, "why": why})
        self._changed.set()

    # -- from the page ----------------------------------------------------------------------

    def _take(self, frame: str) -> None:
        ask = parse(frame)
        if ask is None:
            self._answer(None, "Unknown request from the page: reload it")
        elif len(self._waiting) >= AT_ONCE:
            self._answer(ask.n, FAILED)
        else:
            self._carry_out(ask)

    def _carry_out(self, ask: Ask) -> None:
        match ask:
            case Press() | Choose():
                self._press(ask)
            case Write():
                self._write(ask)
            case Dismiss():
                if (message := self._find(ask.message)) is not None and message.ephemeral:
                    self._world.server.dismiss(self._viewer, message)
                self._answer(ask.n)
            case Restart():
                self._host.restart()
                self._answer(ask.n)
            case _:
                assert_never(ask)

    def _press(self, ask: Press | Choose) -> None:
        """Send a press as it is, stale or not: judging it is up to the bot."""
        message = self._find(ask.message)
        if message is None:
            self._answer(ask.n, FAILED)
            return
        server, viewer = self._world.server, self._viewer
        if isinstance(ask, Choose):
            pressed = server.select(viewer, message, ask.id, ask.values, stale=True)
        else:
            pressed = server.click(viewer, message, ask.id, stale=True)
        self._wait(ask.n, pressed)

    def _write(self, ask: Write) -> None:
        try:
            pressed = typed.enter(self._world, self._viewer, self._where, ask.text)
        except TypoError as typo:
            self._answer(ask.n, str(typo))
            return
        if pressed is None:
            self._answer(ask.n)
        else:
            self._wait(ask.n, pressed)

    def _find(self, message: str) -> Message | None:
        """Return a message, or None if this person cannot see it."""
        found = self._where.messages.get(int(message))
        if found is None or found.ephemeral_for not in {None, self._viewer}:
            return None
        return found

    def _wait(self, number: int, pressed: Interaction) -> None:
        self._waiting[number] = pressed
        self._crew(self._deadline(number, pressed), name="press")

    async def _deadline(self, number: int, pressed: Interaction) -> None:
        self._done(number, await pressed.wait())

    def _done(self, number: int, pressed: Interaction) -> None:
        if self._waiting.pop(number, None) is not None:
            why = FORM if pressed.modal is not None else None
            self._answer(number, why if pressed.ok else FAILED)
