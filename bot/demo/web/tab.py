"""One open page, which receives what its person sees whenever that changes."""

import asyncio
import logging
from typing import assert_never

import orjson
from aiohttp import WSMsgType, web

from bot.demo.backend.bot_runner import BotRunner
from bot.demo.backend.opening import start_match
from bot.demo.backend.words import said
from bot.demo.backend.world import DemoWorld
from bot.demo.web import requested, typed, view
from bot.demo.web.members import members
from bot.demo.web.page_requests import (
    Apps,
    Choose,
    Dismiss,
    Fill,
    PageRequest,
    Play,
    Press,
    Restart,
    Speak,
    Suggest,
    Write,
    parse,
)
from bot.demo.web.typed import TypoError
from bot.fakediscord import Channel, Interaction, User
from bot.i18n import language
from bot.tasks import OwnedTasks

log = logging.getLogger(__name__)

GAP = 0.03
"""Seconds between two updates. Changes in between are sent together."""
AT_ONCE = 50
"""The most presses of one page that may wait for the bot."""
FAILED, NO_ANSWER = "failed", "no_answer"
"""Keys of what a client says of a press and of a command that the bot hasn't answered in time."""


class Tab:
    """The link between a page and the stand-in. It holds nothing that a reload would lose."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        viewer: User,
        where: Channel,
        world: DemoWorld,
        bot: BotRunner,
    ) -> None:
        self._socket, self._viewer, self._where = socket, viewer, where
        self._world, self._bot = world, bot
        self._tasks = OwnedTasks()
        self._changed = asyncio.Event()
        self._sent: dict[int, int] = {}
        self._state: view.Json = {}
        self._waiting: dict[int, Interaction | None] = {}
        self._answers: list[view.Json] = []
        self._form: Interaction | None = None
        self._opened: view.Json | None = None

    async def run(self) -> None:
        """Serve the page until it is closed."""
        listeners = self._world.server.listeners
        listeners.append(self._changed.set)
        self._world.pages[self._viewer.id] += 1
        self._world.server.changed()
        self._tasks(self._show(), name="page")
        try:
            async for frame in self._socket:
                if frame.type is WSMsgType.TEXT:
                    self._take(frame.data)
        finally:
            listeners.remove(self._changed.set)
            self._world.pages[self._viewer.id] -= 1
            self._world.server.changed()
            await self._tasks.stop()

    # -- to the page ------------------------------------------------------------------------

    async def _show(self) -> None:
        await self._send(view.unchanging(self._world, self._viewer, self._where))
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
        world, viewer = self._world, self._viewer
        messages = view.seen(world, viewer, self._where)
        state: view.Json = {
            "order": [str(one.id) for one in messages],
            "online": world.online,
            "language": language(viewer.locale),
            "commands": view.commands(world, viewer.locale),
            "apps": view.apps(world, viewer.locale),
            "places": [view.channel(one, viewer.locale) for one in view.places(world, viewer)],
            "members": members(world, self._bot, self._where),
        }
        news = {key: value for key, value in state.items() if self._state.get(key) != value}
        names = {one["real"]: one["name"] for one in state["commands"]}
        changed = [view.message(m, names) for m in messages if self._sent.get(m.id) != m.version]
        self._state, self._sent = state, {m.id: m.version for m in messages}
        if changed:
            news["messages"] = changed
        for number, pressed in tuple(self._waiting.items()):
            if pressed is not None and pressed.ok:
                self._done(number, pressed)
        if self._opened is not None:
            news["form"], self._opened = self._opened, None
        if self._answers:
            news["answers"], self._answers = self._answers, []
        return news

    def _refuse(self, number: int | None, key: str) -> None:
        """Tell the page in its words why a request failed."""
        self._answer(number, said(key, self._viewer.locale))

    def _answer(self, number: int | None, why: str | None = None, **more: object) -> None:
        """Tell the page that a request is done, or why it is not."""
        self._answers.append({"n": number, "ok": why is None, "why": why, **more})
        self._changed.set()

    # -- from the page ----------------------------------------------------------------------

    def _take(self, frame: str) -> None:
        request = parse(frame)
        if request is None:
            self._refuse(None, "reload")
        elif len(self._waiting) >= AT_ONCE:
            self._refuse(request.n, FAILED)
        else:
            self._carry_out(request)

    def _carry_out(self, request: PageRequest) -> None:
        match request:
            case Press() | Choose():
                self._send_on(request, FAILED)
            case Apps():
                self._send_on(request, NO_ANSWER)
            case Fill():
                self._fill(request)
            case Write():
                self._write(request)
            case Suggest():
                self._suggest(request)
            case Dismiss():
                requested.dismiss(self._world, self._viewer, self._where, request)
                self._answer(request.n)
            case Play():
                self._waiting[request.n] = None
                self._tasks(self._play(request), name="play")
            case Speak():
                self._world.speak(request.language)
                self._answer(request.n)
            case Restart():
                self._bot.restart()
                self._answer(request.n)
            case _:
                assert_never(request)

    def _send_on(self, request: Press | Choose | Apps, silence: str) -> None:
        pressed = requested.sent(self._world, self._viewer, self._where, request)
        if pressed is None:
            self._refuse(request.n, FAILED)
        else:
            self._wait(request.n, pressed, silence)

    def _write(self, request: Write) -> None:
        try:
            pressed = typed.enter(self._world, self._viewer, self._where, request.text)
        except TypoError as typo:
            self._answer(request.n, typo.words(self._viewer.locale))
            return
        if pressed is None:
            self._answer(request.n)
        else:
            self._wait(request.n, pressed, NO_ANSWER)

    def _suggest(self, request: Suggest) -> None:
        asked = typed.suggested(self._world, self._viewer, self._where, request.text)
        if asked is None:
            self._answer(request.n)
            return
        self._waiting[request.n] = None
        self._tasks(self._suggested(request.n, asked), name="suggest")

    async def _suggested(self, number: int, asked: Interaction) -> None:
        await asked.wait()
        del self._waiting[number]
        self._answer(number, choices=asked.choices or [])

    async def _play(self, request: Play) -> None:
        here = self._bot.session(self._where)
        why: str | None = NO_ANSWER
        try:
            last = await start_match(self._world, self._viewer, self._where, request.game, here)
            why = None if last.ok else NO_ANSWER
        except LookupError as error:
            log.debug("play: %s", error)
        finally:
            self._finish(request.n, why)

    def _wait(self, number: int, pressed: Interaction, silence: str) -> None:
        """Wait for the bot. `silence`: the key of what is said if it doesn't answer in time."""
        self._waiting[number] = pressed
        self._tasks(self._deadline(number, pressed, silence), name="press")

    async def _deadline(self, number: int, pressed: Interaction, silence: str) -> None:
        await pressed.wait()
        if pressed.ok:
            self._done(number, pressed)
        else:
            self._finish(number, silence)

    def _done(self, number: int, pressed: Interaction) -> None:
        """Answer a request that the bot has answered. A form is opened on the page."""
        if number in self._waiting and pressed.modal is not None:
            self._form, self._opened = pressed, pressed.modal
        self._finish(number, None)

    def _fill(self, request: Fill) -> None:
        form, self._form = self._form, None
        if form is None:
            self._refuse(request.n, FAILED)
            return
        sent = self._world.server.modal_submit(self._viewer, form, request.values)
        self._wait(request.n, sent, FAILED)

    def _finish(self, number: int, key: str | None) -> None:
        """Answer a request that was waiting. `key`: why it failed."""
        if number in self._waiting:
            del self._waiting[number]
            self._answer(number, said(key, self._viewer.locale) if key else None)
