"""Groups start, are refused, are killed and taken over, as processes of one bot."""

import signal

from tests.groups.processes import PREFIX, Groups
from tests.loopback.players import Player, seated


async def test_a_group_starts_with_a_lease_and_its_number(groups: Groups) -> None:
    bot = groups.process("a", "0-1", 4)
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
    place = bot.database.with_name("bot.db.holder")
    assert place.read_text().split()[0] == holder
    assert place.stat().st_mode & 0o777 == 0o600


async def test_a_start_with_anothers_shards_is_refused(groups: Groups) -> None:
    await groups.process("a", "0-1", 4).run()
    assert await groups.process("b", "1-3", 4).refused() == (
        2,
        "SHARD_IDS: group 1 already runs shards 1: give each shard to one group only",
    )


async def test_a_killed_group_plays_on_at_once(groups: Groups) -> None:
    bot = groups.process("a", "0")
    await bot.run()
    players = await seated(groups.discord, groups.discord.all_channels[0], ["anna", "ben"], 3)
    await bot.kill()
    await groups.later()
    await bot.run()
    for player in players:
        _ = await player.press("Ready")
    await players[1].sees("Flip")
    async with groups.asked() as db:
        assert await db.hget(PREFIX + "group:1", "start") == "2"


async def test_a_holder_that_was_taken_over_stops_without_a_word(groups: Groups) -> None:
    """It stood still for longer than its lease lived. The table belongs to the other by now."""
    bot = groups.process("a", "0")
    await bot.run()
    players = await seated(groups.discord, groups.discord.all_channels[0], ["anna", "ben"], 3)
    bot.send(signal.SIGSTOP)
    copy = groups.copied(bot, "copy")
    await groups.later("lease:1")
    code, said = await copy.refused()
    assert (code, said.partition(",")[0]) == (2, "group 1 last ran elsewhere")
    await copy.run("--take-over")
    bot.send(signal.SIGCONT)
    told = "group 1 was started elsewhere (start 2, this was start 1), so this process has stopped"
    assert await bot.last_words() == (2, told)
    assert f"({told}): 1 open table to resume where it was started" in bot.output
    assert "farewell" not in bot.output
    for player in players:
        _ = await player.press("Ready")
    await players[1].sees("Flip")
    assert "restarting" not in str(players[0].public.data)


async def test_valkey_is_killed_and_comes_back_empty_and_nobody_notices(groups: Groups) -> None:
    bot = groups.process("a", "0")
    await bot.run()
    channel = groups.discord.all_channels[0]
    anna = Player(groups.discord, groups.discord.user("anna"), channel)
    _ = await anna.open()
    groups.valkey.kill()
    ben = Player(groups.discord, groups.discord.user("ben"), channel)
    _ = await ben.press_public("Join")
    await bot.says("Valkey cannot be reached")
    await groups.valkey.start()
    await bot.says("Valkey can be reached again")
    async with groups.asked() as db:
        await bot.until(lambda: db.exists(PREFIX + "lease:1"))
        assert await db.hget(PREFIX + "group:1", "start") == "1"
        assert await db.get(PREFIX + "layout") == "1"
        assert await db.sismember(PREFIX + "groups", "1")
    assert await bot.stop() == 0
    assert "ERROR" not in bot.output


async def test_without_valkey_only_the_last_holder_starts(groups: Groups) -> None:
    bot = groups.process("a", "0")
    await bot.run()
    await bot.kill()
    copy = groups.copied(bot, "copy")
    groups.valkey.kill()
    code, said = await copy.refused()
    assert code == 75
    assert said.startswith("VALKEY_URL: Valkey cannot be reached. Group 1 last ran elsewhere, so ")
    await bot.run()
    assert "group 1 starts without Valkey, as its last holder" in bot.output
    assert ": ready as group 1, shards 0 of 1, without Valkey: " in bot.output
    assert await bot.stop() == 0


async def test_a_password_that_valkey_rejects_is_named(groups: Groups) -> None:
    async with groups.asked() as db:
        await db.config_set("requirepass", "sesame")
    bot = groups.process("a", "0")
    bot.number = None
    code, said = await bot.refused()
    assert code == 2
    assert said.startswith("VALKEY_URL: ")
    assert "password" in said


async def test_a_bot_of_one_process_has_nothing_to_take_over(groups: Groups) -> None:
    bot = groups.process("a", "0")
    bot.number = None
    for name in ("SHARD_COUNT", "SHARD_IDS", "VALKEY_URL"):
        del bot.env[name]
    said = "--take-over: this bot is one process, and has no groups"
    assert await bot.refused("--take-over") == (2, said)
    assert not bot.database.with_name("bot.db.holder").exists()
