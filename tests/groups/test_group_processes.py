"""Groups start, are refused, are killed and taken over, as processes of one bot."""

from tests.groups.processes import PREFIX, Groups


async def test_a_group_starts_with_a_lease_and_its_number(groups: Groups) -> None:
    bot = groups.process("a", "0-1")
    await bot.run()
    assert "ready as group 1, shards 0-1 of 4: " in bot.output
    async with groups.asked() as db:
        holder, start = str(await db.get(PREFIX + "lease:1")).split()
        record = await db.hgetall(PREFIX + "group:1")
        assert (record["holder"], record["start"], record["released"]) == (holder, start, "0")
        assert start == "1"
        assert await db.get(PREFIX + "layout") == "4"
        assert await bot.stop() == 0
        assert not await db.exists(PREFIX + "lease:1")
        assert await db.hget(PREFIX + "group:1", "released") == "1"
    assert "stopping as group 1, shards 0-1 of 4 (SIGTERM): " in bot.output


async def test_a_start_with_anothers_shards_is_refused(groups: Groups) -> None:
    await groups.process("a", "0-1").run()
    assert await groups.process("b", "1-3").refused() == (
        2,
        "SHARD_IDS: group 1 already runs shards 1: give each shard to one group only",
    )
