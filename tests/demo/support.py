"""A demo in a process of its own, and a page without a browser."""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Self

import aiohttp

from tests.children import PIPE, Process
from tests.demo.panel_buttons import Button
from tests.forks import python
from tests.real import PATIENCE

"""Seconds a loaded machine may take."""
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


class Demo:
    """`python -m bot demo`, started and listening."""

    def __init__(self, process: Process, url: str, greeting: str) -> None:
        self.process, self.url, self.greeting = process, url, greeting

    async def end(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """Its exit code, and what it wrote after the greeting. Errors are shown to pytest."""
        if self.process.returncode is None:
            self.process.send_signal(number)
        out, errors = await asyncio.wait_for(self.process.communicate(), PATIENCE)
        sys.stderr.write(errors.decode())
        assert "Traceback" not in errors.decode()
        assert self.process.returncode is not None
        return self.process.returncode, out.decode()


async def run(*options: str, fresh: bool = False) -> Process:
    """The demo's command with these options, in a place without settings. `fresh`: it imports the
    bot itself.
    """
    env = {key: value for key, value in os.environ.items() if key != "DISCORD_TOKEN"}
    return await python("-m", "bot", *options, env=env, stdout=PIPE, stderr=PIPE, fresh=fresh)


async def started(*options: str, fresh: bool = False) -> Demo:
    process = await run("demo", "--port", "0", "--no-browser", *options, fresh=fresh)
    assert process.stdout is not None
    greeting = ""
    while "Ctrl-C" not in greeting:
        line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
        assert line, (await process.communicate())[1].decode()
        greeting += line.decode()
    found = ADDRESS.search(greeting)
    assert found is not None
    return Demo(process, found[0], greeting)


@asynccontextmanager
async def demo(*options: str, fresh: bool = False) -> AsyncIterator[Demo]:
    running = await started(*options, fresh=fresh)
    try:
        yield running
    finally:
        if running.process.returncode is None:
            await running.end()


class Page:
    """What a page holds, and what it can ask for."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.answers: dict[int | None, dict[str, Any]] = {}
        self._messages: dict[str, dict[str, Any]] = {}
        self._number = 0

    @classmethod
    @asynccontextmanager
    async def of(cls, url: str, person: str) -> AsyncIterator[Self]:
        async with (
            aiohttp.ClientSession() as http,
            http.ws_connect(f"{url}/socket?as={person}", origin=url) as socket,
        ):
            page = cls(socket)
            await page.until(lambda: page.state.get("online"))
            yield page

    async def until(self, done: Callable[[], Any]) -> Any:
        """Take what the server sends until this is so."""
        async with asyncio.timeout(PATIENCE):
            while not (found := done()):
                self._take(json.loads(await self.socket.receive_str()))
        return found

    def _take(self, news: dict[str, Any]) -> None:
        for message in news.pop("messages", ()):
            self._messages[message["id"]] = message
        for answer in news.pop("answers", ()):
            self.answers[answer["n"]] = answer
        self.state |= news

    async def ask(self, **what: Any) -> dict[str, Any]:
        """Send it; the answer."""
        self._number += 1
        number = self._number
        await self.socket.send_json({"n": number, **what})
        await self.until(lambda: number in self.answers)
        return self.answers[number]

    async def press(self, message: dict[str, Any], word: str) -> dict[str, Any]:
        """Press the button whose custom id ends like this."""
        button = next(b for b in buttons(message) if b.id.endswith(word))
        return await self.ask(do="press", message=message["id"], id=button.id)

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [self._messages[key] for key in self.state.get("order", ())]

    @property
    def table(self) -> dict[str, Any] | None:
        """The newest public message of the bot."""
        found = [m for m in self.messages if m["author"]["bot"] and not m["private"]]
        return found[-1] if found else None

    @property
    def panel(self) -> dict[str, Any] | None:
        """The newest private message with buttons, or the newest at all."""
        found = [m for m in self.messages if m["private"]]
        return next((m for m in reversed(found) if buttons(m)), found[-1] if found else None)

    async def panel_with(self, word: str) -> dict[str, Any]:
        """Wait for a panel with a button whose custom id ends like this."""
        panel: dict[str, Any] = await self.until(lambda: having(self.panel, word))
        return panel

    def now(self, message: dict[str, Any]) -> dict[str, Any]:
        return self._messages[message["id"]]


def parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Every component, inner ones after what holds them."""
    found: list[dict[str, Any]] = []
    waiting = list(message["components"])
    while waiting:
        one = waiting.pop(0)
        found.append(one)
        waiting = one.get("components", []) + waiting
    return found


def buttons(message: dict[str, Any]) -> list[Button]:
    """Those that can be pressed."""
    return [
        Button(part["custom_id"], part.get("label", ""))
        for part in parts(message)
        if part["type"] == 2 and not part.get("disabled")
    ]


def having(message: dict[str, Any] | None, word: str) -> dict[str, Any] | None:
    """The message, if it has such a button to press."""
    if message is not None and any(b.id.endswith(word) for b in buttons(message)):
        return message
    return None


def text(message: dict[str, Any]) -> str:
    return "\n".join(part["content"] for part in parts(message) if part["type"] == 10)
