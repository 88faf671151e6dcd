"""The backoff of starts: after each refusal, the next login waits longer, even across restarts.

A service manager starts the bot again at once or after the same pause, and some of them whatever
the exit code. 10,000 refused requests block an address, and 1,000 identifies a day reset the token
(PLATFORM 2).
"""

import hashlib
import json
import logging
import sqlite3
from dataclasses import asdict, dataclass

import aiosqlite

from bot.clock import Clock
from bot.ops.health.systemd import notify

log = logging.getLogger(__name__)

NOTE = "refused"
FIRST, MOST = 15.0, 60 * 60.0
"""Seconds from a refused start to the next login: doubled by each refusal, up to the most."""
LONGEST = 24 * 60 * 60.0
"""Seconds of a pause that Discord asks for itself, at most."""
FORGIVEN = 60 * 60.0
"""Seconds after the pause from which on a refusal is a first one again."""
START = 10 * 60
"""Seconds in which systemd wants a start to be over (`TimeoutStartSec`)."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The last refused start.

    `at`: its time, in seconds of the wall clock; `count`: the number of refusals in a row; `after`:
    the seconds that Discord asked for; `token`: a digest of the token.
    """

    at: float
    count: int
    after: float
    token: str

    @property
    def pause(self) -> float:
        """Seconds from the refusal to the next login."""
        doubled = FIRST * 2.0 ** min(self.count - 1, 16)
        return max(min(doubled, MOST), min(self.after, LONGEST))

    def left(self, now: float, token: str) -> float:
        """Return the seconds to wait: none with another token.

        It is never more than the pause, whatever the clock was set to meanwhile.
        """
        if token != self.token:
            return 0.0
        return min(max(self.at + self.pause - now, 0.0), self.pause)


def next_refusal(last: Refusal | None, now: float, after: float, token: str) -> Refusal:
    """Return the refusal that follows the last one. One that is long past does not count."""
    in_a_row = (
        last is not None and last.token == token and abs(now - last.at) < last.pause + FORGIVEN
    )
    return Refusal(now, last.count + 1 if in_a_row and last is not None else 1, after, token)


class Backoff:
    """The refused starts that a database remembers. Used while its writer isn't running."""

    def __init__(self, db: aiosqlite.Connection, token: str, clock: Clock) -> None:
        self._db = db
        self._clock = clock
        self._token = hashlib.sha256(token.encode()).hexdigest()[:16]

    async def wait(self) -> None:
        """Wait until Discord may be asked again."""
        last = await self._last()
        left = last.left(self._clock.wall(), self._token) if last is not None else 0.0
        if last is None or not left:
            return
        log.warning("Discord has refused %d starts: waiting %d s before the next", last.count, left)
        notify(f"EXTEND_TIMEOUT_USEC={int(left + START) * 1_000_000}")
        await self._clock.sleep(left)

    async def refused(self, after: float) -> None:
        """Note that Discord has refused this start, and the seconds that it asked for."""
        one = next_refusal(await self._last(), self._clock.wall(), after, self._token)
        sql = (
            "INSERT INTO notes (key, value) VALUES (?, ?) "
            "ON CONFLICT DO UPDATE SET value = excluded.value"
        )
        try:
            await self._db.execute(sql, (NOTE, json.dumps(asdict(one))))
        except sqlite3.Error as error:
            log.warning("refused start not recorded: %s", error)

    async def _last(self) -> Refusal | None:
        async with self._db.execute("SELECT value FROM notes WHERE key = ?", (NOTE,)) as cursor:
            row = await cursor.fetchone()
        return Refusal(**json.loads(row[0])) if row is not None else None
