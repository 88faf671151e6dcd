"""The connection to Valkey (or Redis 7), through which the groups of one bot reach each other.

Only a process with VALKEY_URL imports this module.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias, TypeVar

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ReadOnlyError, RedisError

from bot.clock import Clock
from bot.groups.away import NotAskedError, ValkeyAwayError
from bot.groups.failures import in_words, without_writes

log = logging.getLogger(__name__)
T = TypeVar("T")
Commands: TypeAlias = Redis

PATIENCE = 1.0
"""Seconds until a command that isn't answered has failed."""
CONNECTIONS = 32
"""Connections of one process at most. Further questions wait until one is free: the client would
fail at once.
"""
REST = 1.0
"""Seconds after a failure in which nothing is asked: what waits for Valkey fails at once."""


class Valkey:
    """One process's connections to Valkey, made again when they break.

    Every key of a bot begins with its own name, so that several bots can share a server.
    """

    def __init__(self, url: str, bot: str, clock: Clock) -> None:
        self._clock = clock
        self._prefix = f"ligretto:{bot}:"
        made = partial(
            Redis.from_url,
            url,
            socket_timeout=None,  # each question has an end of its own, and two would cost more
            socket_connect_timeout=PATIENCE,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        self._commands: Commands = made(max_connections=CONNECTIONS)
        self._blocking: Commands = made()
        self._free = asyncio.Semaphore(CONNECTIONS)
        self._failed_at: float | None = None
        self._refuses_writes = False
        self._asks = self._failures = 0
        self._seconds = 0.0
        self.on_return: list[Callable[[], None]] = []

    @property
    def is_away(self) -> bool:
        """True from a failed command until one that succeeds.

        If Valkey refused to write, it has to be a write: it may be full, and be read all the same.
        """
        return self._failed_at is not None

    def key(self, *parts: object) -> str:
        """Return a key of this bot, such as `ligretto:1234:lease:3`."""
        return self._prefix + ":".join(map(str, parts))

    async def ask(self, command: Callable[[Commands], Awaitable[T]], *, insists: bool = False) -> T:
        """Run a command. It may have been carried out even if it fails.

        Raises ValkeyAwayError if Valkey can't be reached or doesn't answer within PATIENCE; at
        once, as NotAskedError, within REST seconds after another has failed, unless it `insists`.
        """
        if (
            not insists
            and self._failed_at is not None
            and self._clock.now() < self._failed_at + REST
        ):
            raise NotAskedError
        began, writes = self._clock.now(), self._refuses_writes
        try:
            async with asyncio.timeout(PATIENCE), self._free:
                with Cancellable():
                    if writes:
                        await self._commands.set(self.key("written"), b"", px=1)
                    answer = await command(self._commands)
        except (RedisError, OSError, TimeoutError) as error:
            await self._failed(error)
            raise ValkeyAwayError from error
        self._asks += 1
        self._seconds += self._clock.now() - began
        self._answered(has_written=writes)
        return answer

    async def wait_for(self, command: Callable[[Commands], Awaitable[T]], patience: float) -> T:
        """Run a command that blocks, for at most so many seconds. Raises ValkeyAwayError."""
        try:
            async with asyncio.timeout(patience + PATIENCE):
                with Cancellable():
                    answer = await command(self._blocking)
        except (RedisError, OSError, TimeoutError) as error:
            await self._failed(error)
            raise ValkeyAwayError from error
        self._answered()
        return answer

    async def push(self, key: str, said: bytes, seconds: int) -> None:
        """Append to a list, which ends so many seconds later: both, or nothing.

        Raises ValkeyAwayError.
        """

        async def call(db: Any) -> None:  # noqa: ANN401 redis-py's own
            async with db.pipeline(transaction=True) as both:
                both.rpush(key, said)
                both.expire(key, seconds)
                await both.execute()

        await self.ask(call)

    def figures(self) -> dict[str, float]:
        """Return the metrics of this process's use of Valkey, by name."""
        return {
            "valkey_reachable": float(not self.is_away),
            "valkey_asks": self._asks,
            "valkey_seconds": self._seconds,
            "valkey_failures": self._failures,
        }

    async def close(self) -> None:
        await self._commands.aclose()
        await self._blocking.aclose()

    async def _failed(self, error: Exception) -> None:
        refuses = without_writes(error) is not None
        if self._failed_at is None or (refuses and not self._refuses_writes):
            done = "used" if refuses else "reached"
            log.warning("Valkey cannot be %s: %s", done, in_words(error))
        self._refuses_writes |= refuses
        self._failed_at = self._clock.now()
        self._failures += 1
        if isinstance(error, ReadOnlyError):
            await self._leave()

    async def _leave(self) -> None:
        """Leave a server that was demoted: its name may lead to another by now."""
        for one in (self._commands, self._blocking):
            with suppress(RedisError, OSError, TimeoutError):
                await one.connection_pool.disconnect(inuse_connections=True)

    def _answered(self, *, has_written: bool = False) -> None:
        if self._failed_at is None or (self._refuses_writes and not has_written):
            return
        log.warning("Valkey can be %s again", "used" if self._refuses_writes else "reached")
        self._failed_at, self._refuses_writes = None, False
        for told in self.on_return:
            told()


class Cancellable:
    """Raises CancelledError at the end if the task was cancelled within, and nobody noticed.

    redis-py sends through `asyncio.wait_for`, which on Python 3.11 swallows a cancellation that
    comes with the end of its work. A task that nobody could stop would keep the bot from ending.
    """

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task, self._before = task, task.cancelling()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._task.cancelling() > self._before:
            raise asyncio.CancelledError
