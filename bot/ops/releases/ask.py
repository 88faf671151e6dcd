"""Newer releases: asked for once a day, told once."""

import asyncio
import logging
from collections.abc import Callable
from importlib.metadata import version

import aiohttp

from bot.clock import Clock
from bot.groups.once import Always, Once
from bot.ops.releases import upgrade
from bot.ops.releases.versions import UnreadableError, is_newer, newest_named
from bot.settings.home import NAME
from bot.ui.connection.lean_http.proxies import proxy_of
from bot.ui.limits.errors import one_line

log = logging.getLogger(__name__)

SOON, DAY = 60.0, 24 * 60 * 60.0
"""Seconds after a start until the first question, and between two."""
HOUR = 60 * 60.0
"""Seconds between two looks at what the group that asks has found."""
TOPIC = "release"
PATIENCE = 10.0
"""Seconds for a whole answer."""
MOST = 2**20
"""Bytes of an answer. What is longer is not read to its end."""
REDIRECTS = 3
OK = 200
FAILURES = (aiohttp.ClientError, UnreadableError, TimeoutError, OSError, ValueError)


async def newest(url: str) -> str:
    """Ask which release is the newest. Nothing is sent but the request.

    Raises `FAILURES` for everything but a release in GitHub's format.
    """
    async with (
        asyncio.timeout(PATIENCE),
        aiohttp.ClientSession(
            headers={"User-Agent": NAME}, cookie_jar=aiohttp.DummyCookieJar()
        ) as http,
        http.get(url, max_redirects=REDIRECTS, proxy=proxy_of(url)) as answer,
    ):
        if answer.status != OK:
            raise UnreadableError(f"HTTP {answer.status}")
        content = bytearray()
        async for part in answer.content.iter_chunked(2**16):
            content += part
            if len(content) > MOST:
                raise UnreadableError(f"the answer has more than {MOST} bytes")
    return newest_named(bytes(content))


class Releases:
    """The question of the running bot whether there is a newer release.

    `url`: RELEASES_URL; nobody is asked if it is empty. `own`: the version that runs. `once`: the
    right to ask for the whole bot, called by `run`. Groups without it read what the one has found.
    """

    def __init__(
        self, url: str, clock: Clock, own: str | None = None, once: Callable[[], Once] = Always
    ) -> None:
        self._url = url
        self._clock = clock
        self._own = own or version(NAME)
        self._once = once
        self._asked_at: float | None = None
        self._newer: str | None = None
        self._has_failed = False

    def news(self) -> tuple[str, str] | None:
        """Return a newer release and the command that upgrades to it, once one is known."""
        return None if self._newer is None else (self._newer, upgrade.command())

    async def run(self) -> None:
        """Ask every day until cancelled."""
        if not self._url:
            return
        once = self._once()
        await self._clock.sleep(SOON)
        while True:
            if not once.is_ours:
                self._newest(await once.told(TOPIC))
            elif self._is_due:
                await self._ask()
            await self._clock.sleep(HOUR if once.is_shared else DAY)

    @property
    def _is_due(self) -> bool:
        return self._asked_at is None or self._clock.now() - self._asked_at >= DAY - HOUR / 2

    async def _ask(self) -> None:
        """Log each newer release once, and failures once until an answer can be read again."""
        self._asked_at = self._clock.now()
        try:
            release = await newest(self._url)
        except FAILURES as error:
            if not self._has_failed:
                log.info("releases: %s gave no answer: %s", self._url, one_line(error))
            self._has_failed = True
            return
        except Exception:
            log.exception("releases: %s not asked", self._url)
            return
        self._has_failed = False
        await self._once().tell(TOPIC, release)
        if self._newest(release):
            log.info("release %s", upgrade.advice(release, self._own))

    def _newest(self, release: str | None) -> bool:
        """Return whether a release is news."""
        if release is None or not is_newer(release, self._newer or self._own):
            return False
        self._newer = release
        return True
