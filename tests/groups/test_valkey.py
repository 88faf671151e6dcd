"""Valkey is asked, is missed, and is found again."""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bot.clock import SystemClock
from bot.groups.away import ValkeyAwayError
from bot.groups.valkey import REST, Valkey
from tests import valkey
from tests.real import PATIENCE


async def test_what_is_asked_is_answered_under_the_bots_own_keys(server: valkey.Server) -> None:
    one, other = (Valkey(server.url, name, SystemClock()) for name in ("1", "2"))
    await one.ask(lambda db: db.set(one.key("lease", 3), b"mine"))
    assert await one.ask(lambda db: db.get(one.key("lease", 3))) == b"mine"
    assert await other.ask(lambda db: db.get(other.key("lease", 3))) is None
    await one.close()
    await other.close()


async def test_a_server_that_was_killed_is_missed_and_found_again(
    server: valkey.Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    found: list[bool] = []
    one = Valkey(server.url, "1", SystemClock())
    one.on_return.append(lambda: found.append(True))
    await one.ask(lambda db: db.ping())
    server.kill()
    for _ in range(3):
        with pytest.raises(ValkeyAwayError):
            await one.ask(lambda db: db.ping())
    assert vars(one)["_failed_at"] is not None
    await server.start()
    while one.is_away:
        try:
            await one.ask(lambda db: db.ping())
        except ValkeyAwayError:
            await asyncio.sleep(0.1)
    assert found == [True]
    first, last = [record.getMessage() for record in caplog.records]
    assert first.startswith("Valkey cannot be reached: ")
    assert last == "Valkey can be reached again"
    await one.close()


async def test_cancellation_that_the_client_swallows_counts(server: valkey.Server) -> None:
    """Python 3.11's `wait_for`, which redis-py sends with, now and then swallows one."""

    async def swallow(_: object) -> str:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(PATIENCE)
        return "sent"

    one = Valkey(server.url, "1", SystemClock())
    asking = asyncio.get_running_loop().create_task(one.ask(swallow))
    waiting = asyncio.get_running_loop().create_task(one.wait_for(swallow, PATIENCE))
    await asyncio.sleep(0)
    for task in (asking, waiting):
        task.cancel()
    await asyncio.wait((asking, waiting))
    assert (asking.cancelled(), waiting.cancelled()) == (True, True)
    await one.close()


async def test_server_that_was_demoted_is_left(server: valkey.Server) -> None:
    """It answers on, but writes nothing. The name in VALKEY_URL leads to another by now."""
    one = Valkey(server.url, "1", SystemClock())
    before = await one.ask(lambda db: db.client_id())
    waiting = asyncio.get_running_loop().create_task(
        one.wait_for(lambda db: db.xread({one.key("people"): "0-0"}, block=0), PATIENCE)
    )
    await one.ask(lambda db: db.ping())
    await one.ask(lambda db: db.replicaof("127.0.0.1", "1"))
    with pytest.raises(ValkeyAwayError):
        await one.ask(lambda db: db.set(one.key("lease", 3), b"mine"))
    with pytest.raises(ValkeyAwayError):
        await waiting
    operator = Redis.from_url(server.url, protocol=2)
    await operator.replicaof("NO", "ONE")
    await operator.aclose()
    await asyncio.sleep(REST)
    assert await one.ask(lambda db: db.client_id()) > before
    await one.close()


@pytest.mark.parametrize(
    ("setting", "refuses", "accepts", "reason"),
    [
        ("maxmemory", "1", "0", "it is full: raise its maxmemory, 64 MB are enough"),
        (
            "min-replicas-to-write",
            "1",
            "0",
            "it takes no writes without its replicas: see min-replicas-to-write there",
        ),
    ],
)
async def test_server_that_only_reads_is_away_until_it_writes(
    server: valkey.Server,
    caplog: pytest.LogCaptureFixture,
    setting: str,
    refuses: str,
    accepts: str,
    reason: str,
) -> None:
    """Reads that succeed meanwhile end nothing: the log has a line for the begin and the end."""
    caplog.set_level(logging.WARNING)
    one = Valkey(server.url, "1", SystemClock())
    operator = Redis.from_url(server.url, protocol=2)
    await operator.config_set(setting, refuses)
    for _ in range(2):
        with pytest.raises(ValkeyAwayError):
            await one.ask(lambda db: db.set(one.key("lease", 3), b"mine"))
        await one.wait_for(lambda db: db.ping(), PATIENCE)
        assert one.is_away
        await asyncio.sleep(REST)
        with pytest.raises(ValkeyAwayError):
            await one.ask(lambda db: db.get(one.key("lease", 3)))
        await asyncio.sleep(REST)
    await operator.config_set(setting, accepts)
    assert await one.ask(lambda db: db.get(one.key("lease", 3))) is None
    assert [record.getMessage() for record in caplog.records] == [
        f"Valkey cannot be used: {reason}",
        "Valkey can be used again",
    ]
    await one.close()
    await operator.aclose()


async def test_server_that_cannot_save_to_its_disk_says_so(
    server: valkey.Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It refuses writes from its first snapshot on that failed."""
    caplog.set_level(logging.WARNING)
    (tmp_path / "dump.rdb").mkdir()
    one = Valkey(server.url, "1", SystemClock())
    operator = Redis.from_url(server.url, protocol=2)
    await operator.config_set("save", "3600 1")
    await operator.bgsave()
    async with asyncio.timeout(PATIENCE):
        while (await operator.info("persistence"))["rdb_last_bgsave_status"] == "ok":  # noqa: ASYNC110 it tells nobody
            await asyncio.sleep(0.01)
    with pytest.raises(ValkeyAwayError):
        await one.ask(lambda db: db.set(one.key("lease", 3), b"mine"))
    assert caplog.messages == [
        "Valkey cannot be used: it takes no writes, since it cannot save to its disk: see its log"
    ]
    await one.close()
    await operator.aclose()
