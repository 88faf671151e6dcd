"""Many questions at once are no failure of Valkey's, and no failure tells of a person."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from bot.groups.away import ValkeyAwayError
from bot.groups.valkey import CONNECTIONS, PATIENCE, Valkey
from tests.loopback.bots import clock_here
from tests.simulate.valkey import Valkey as Standin


@pytest.fixture
async def link(standin: Standin) -> AsyncIterator[Valkey]:
    one = Valkey(standin.url, "1", clock_here())
    yield one
    await one.close()


async def test_more_questions_than_connections_wait_for_each_other(
    standin: Standin, link: Valkey
) -> None:
    """At midnight everybody asks for their daily. The server has all answers in time."""
    standin.delay = lambda: 0.01
    said = await asyncio.gather(*(link.ask(lambda db: db.ping()) for _ in range(3 * CONNECTIONS)))
    assert said == [True] * 3 * CONNECTIONS
    assert not link.is_away


async def test_question_that_got_no_connection_in_time_has_failed(
    standin: Standin, link: Valkey
) -> None:
    standin.delay = lambda: 0.6 * PATIENCE
    many = (link.ask(lambda db: db.ping()) for _ in range(3 * CONNECTIONS))
    said = await asyncio.gather(*many, return_exceptions=True)
    assert sum(isinstance(found, ValkeyAwayError) for found in said) >= CONNECTIONS
    standin.delay = lambda: 0.0
    await asyncio.sleep(PATIENCE)
    assert await link.ask(lambda db: db.ping()), "no connection is lost by a failure"


async def test_log_has_nothing_of_what_was_asked(
    link: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    """A server without memory refuses commands, and the client writes them into its errors."""
    caplog.set_level(logging.WARNING)

    async def asked(db: object) -> None:
        async with db.pipeline(transaction=False) as many:  # type: ignore[attr-defined]
            many.hget("plain", "4711")
            many.rpush("plain", "token-of-4711")
            await many.execute()

    await link.ask(lambda db: db.set("plain", "of another type"))
    with pytest.raises(ValkeyAwayError):
        await link.ask(asked)
    (line,) = [record.getMessage() for record in caplog.records]
    assert line == "Valkey cannot be reached: " + line.partition(": ")[2]
    assert "WRONGTYPE" in line
    assert "4711" not in line
