"""`python -m bot check` sees Valkey and every group."""

from functools import partial
from pathlib import Path

import pytest
from redis.asyncio import Redis

from bot.ops.check.finding import Mark
from bot.ops.check.groups.run import groups as found_between
from bot.settings.config import Config
from tests import valkey
from tests.groups.processes import PREFIX, TOKEN, Groups
from tests.ops.test_process import Ended, typed


async def checked(groups: Groups, database: Path, **env: str) -> Ended:
    settings = {
        "DISCORD_TOKEN": TOKEN,
        "SHARD_COUNT": "4",
        "SHARD_IDS": "0-1",
        "VALKEY_URL": groups.valkey.url,
        "RELEASES_URL": "off",
        **env,
    }
    return await typed(database, "check", **{**groups.discord.env, **settings})


def lines(ended: Ended, *subjects: str) -> list[str]:
    """The lines about these subjects, each without the spaces behind its mark."""
    split = (line.split(maxsplit=1) for line in ended.said.splitlines())
    return [f"{mark} {rest}" for mark, rest in split if rest.partition(":")[0] in subjects]


async def test_before_the_first_start(groups: Groups, tmp_path: Path) -> None:
    groups.discord.gateway.shards = 4
    ended = await checked(groups, tmp_path / "a.db")
    own, others = lines(ended, "this group", "groups")
    assert own == "later this group: the first start gets a number from Valkey"
    assert others.startswith("FIX groups: shards 2-3 of 4 belong to no group")
    (server,) = lines(ended, "Valkey")
    assert server.startswith(("ok Valkey: Redis 7.", "ok Valkey: Redis 8.", "ok Valkey: Valkey "))
    assert server.endswith(" ms, no TLS")
    assert lines(ended, "shards") == [
        "ok shards: 4; Discord advises 4, and lets 1 start at once, so that these 2 take 10 s"
    ]


async def test_two_groups_that_run(groups: Groups) -> None:
    one, two = groups.process("a", "0-1", 4), groups.process("b", "2-3", 4)
    await one.run()
    await two.run()
    assert "1 of 2 shards connected: 5 s or more left" in one.output
    async with groups.asked() as db:
        for number in (1, 2):
            seen = f"{PREFIX}seen:{number}"
            await two.until(partial(connected, db, seen))
    ended = await checked(groups, two.database, SHARD_IDS="2-3")
    assert lines(ended, "this group", "groups") == [
        "ok this group: number 2, held here and running",
        "ok groups: 2 running: 1 (shards 0-1), 2 (shards 2-3)",
    ]
    assert await one.stop() == 0
    (line,) = lines(await checked(groups, two.database, SHARD_IDS="2-3"), "groups")
    assert line.startswith("FIX groups: group 1 (shards 0-1 of 4) is stopped since 20")
    await two.kill()
    async with groups.asked() as db:
        await db.delete(PREFIX + "lease:2")  # it ran out
    *_, down = lines(await checked(groups, two.database, SHARD_IDS="2-3"), "groups")
    assert "group 2 (shards 2-3 of 4) is down since 20" in down


async def connected(db: Redis, seen: str) -> bool:
    """Whether a group says that both of its shards are connected."""
    return await db.hget(seen, "connected") == "2"


async def test_a_valkey_that_may_drop_keys(groups: Groups, tmp_path: Path) -> None:
    async with groups.asked() as db:
        await db.config_set("maxmemory-policy", "allkeys-lru")
    _, policy = lines(await checked(groups, tmp_path / "a.db"), "Valkey")
    assert policy == (
        "FIX Valkey: maxmemory-policy is allkeys-lru, so a full Valkey drops leases: "
        "set it to noeviction"
    )


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("CONFIG SET maxmemory 1", "it is full: raise its maxmemory, 64 MB are enough"),
        (
            "REPLICAOF 127.0.0.1 1",
            "it is a read-only replica: write the address of its primary in VALKEY_URL",
        ),
    ],
)
async def test_a_valkey_that_takes_no_writes(
    server: valkey.Server, tmp_path: Path, command: str, said: str
) -> None:
    """No lease can be renewed there, so that every group seems to be down."""
    config = Config(
        _env_file=None,
        discord_token=TOKEN,
        database_path=tmp_path / "a.db",
        shard_count=4,
        shard_ids=(0, 1),
        valkey_url=server.url,
    )
    assert [one.mark for one in await found_between(config)] == [Mark.OK, Mark.LATER, Mark.FIX]
    operator = Redis.from_url(server.url, protocol=2)
    await operator.execute_command(*command.split())  # type: ignore[no-untyped-call]
    await operator.aclose()
    first, *rest = await found_between(config)
    assert str(first) == f"FIX   Valkey: cannot be used: {said}"
    assert "--take-over" not in "".join(map(str, rest))


async def test_a_valkey_that_does_not_answer(groups: Groups, tmp_path: Path) -> None:
    groups.valkey.kill()
    ended = await checked(groups, tmp_path / "a.db")
    assert ended.code == 2
    (line,) = lines(ended, "Valkey")
    assert line.startswith("FIX Valkey: cannot be used: Error 111 connecting to 127.0.0.1:")
    assert lines(ended, "token"), "the rest is checked all the same"


async def test_too_few_shards_for_discord(groups: Groups, tmp_path: Path) -> None:
    groups.discord.gateway.shards, groups.discord.gateway.max_concurrency = 9, 16
    (line,) = lines(await checked(groups, tmp_path / "a.db"), "shards")
    assert line == (
        "FIX shards: 4; Discord advises 9, and lets 16 start at once, so that these 2 take 5 s: "
        "stop all groups and double SHARD_COUNT"
    )
