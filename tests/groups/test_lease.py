"""A group has one holder at a time, a shard one group, and a number one database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from bot.groups.away import ValkeyAwayError
from bot.groups.layout import WHOLE, Layout
from bot.groups.lease.joining import PATIENCE, PUT_BACK
from bot.groups.lease.leases import LIFE, RENEWAL
from bot.groups.lease.refusals import GroupAwayError, GroupError
from bot.store.database.file import open_database
from bot.store.groups.part import part_of
from tests.groups.starts import Bot, Machine, bot_in

RESTORED = RENEWAL + 2.0
"""Seconds until a running group has put back what Valkey lost."""


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[Bot]:
    async with bot_in(tmp_path) as one:
        _ = one.say("SADD", "ligretto:bot:groups", "0")  # so that nobody waits for lost numbers
        await asyncio.sleep(PUT_BACK)
        yield one


def elapsed(bot: Bot, since: float) -> float:
    return bot.server.loop.time() - since


async def test_each_database_has_a_number_and_counts_its_starts(bot: Bot) -> None:
    one, other = bot.machine(), bot.machine()
    assert (await one.start("0")).number == 1
    assert (await other.start("1")).number == 2
    await one.stop()
    again = await one.start("0")
    assert (again.number, again.start) == (1, 2)
    assert bot.say("GET", "ligretto:bot:lease:1") == f"{again.holder} 2"


async def test_a_killed_holder_has_its_group_back_at_once(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    await one.kill()
    began = bot.server.loop.time()
    assert (await one.start()).start == 2
    assert elapsed(bot, began) == pytest.approx(0, abs=0.1)


async def test_a_lease_is_renewed_and_runs_out(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    await asyncio.sleep(10 * LIFE)
    assert bot.has_lease(1)
    await one.kill()
    await asyncio.sleep(LIFE - RENEWAL - 0.1)
    assert bot.has_lease(1)
    await asyncio.sleep(RENEWAL + 0.2)
    assert not bot.has_lease(1)


async def test_a_copy_of_a_running_group_is_refused(bot: Bot) -> None:
    """It waits whether the holder stops, and no option makes it start."""
    one = bot.machine()
    await one.start()
    for takes_over in (False, True):
        began = bot.server.loop.time()
        with pytest.raises(GroupError, match="group 1 is running elsewhere"):
            await bot.copied(one).start(takes_over=takes_over)
        assert elapsed(bot, began) >= PATIENCE
    await asyncio.sleep(RENEWAL)
    assert one.lost() is None


async def test_a_copy_starts_as_soon_as_the_holder_has_stopped(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    await one.stop()
    began = bot.server.loop.time()
    moved = await bot.copied(one).start()
    assert (moved.number, moved.start) == (1, 2)
    assert elapsed(bot, began) == pytest.approx(0, abs=0.1)


async def test_a_copy_waits_for_a_holder_that_stops_meanwhile(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    copy = bot.copied(one)
    starting = bot.server.loop.create_task(copy.start())
    await asyncio.sleep(3.0)
    await one.stop()
    assert (await starting).start == 2


async def test_a_copy_of_a_group_that_was_not_stopped_needs_take_over(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    await one.kill()
    copy = bot.copied(one)
    with pytest.raises(GroupError, match="here with --take-over"):
        await copy.start()
    assert (await copy.start(takes_over=True)).start == 2


async def test_a_copy_that_is_older_than_the_last_start_needs_take_over(bot: Bot) -> None:
    """However often it is tried: what was played since isn't in it."""
    one = bot.machine()
    await one.start()
    await one.stop()
    old = bot.copied(one)
    await one.start()
    await one.stop()
    for _ in range(3):
        with pytest.raises(GroupError, match="here with --take-over"):
            await old.start()
    assert (await old.start(takes_over=True)).start == 3


async def test_taking_over_waits_until_the_lease_has_run_out(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    copy = bot.copied(one)
    await one.kill()
    began = bot.server.loop.time()
    await copy.start(takes_over=True)
    assert LIFE - RENEWAL <= elapsed(bot, began) <= LIFE + 1.0


async def test_a_holder_that_was_taken_over_loses_its_lease(bot: Bot) -> None:
    """It was cut off from Valkey, and plays until it sees the other start."""
    one = bot.machine()
    await one.start()
    copy = bot.copied(one)
    bot.server.is_cut = lambda process: process == one.number
    await asyncio.sleep(LIFE + RENEWAL)
    await copy.start(takes_over=True)
    assert one.lost() is None
    bot.server.is_cut = lambda process: False
    await asyncio.sleep(RESTORED)
    assert one.lost() == (
        "group 1 was started elsewhere (start 2, this was start 1), so this process has stopped"
    )
    assert copy.lost() is None
    await asyncio.sleep(LIFE)
    assert bot.has_lease(1)


async def test_a_cut_from_valkey_costs_nothing_if_nobody_has_started(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    bot.server.is_cut = lambda process: True
    await asyncio.sleep(2 * LIFE)
    assert not bot.has_lease(1)
    bot.server.is_cut = lambda process: False
    await asyncio.sleep(RESTORED)
    assert bot.has_lease(1)
    assert one.lost() is None


async def test_no_shard_has_two_groups(bot: Bot) -> None:
    one, other = bot.machine(), bot.machine()
    await one.start("0,1")
    with pytest.raises(GroupError, match=r"SHARD_IDS: group 1 already runs shards 1: "):
        await other.start("1,2")
    await one.stop()
    await other.start("1,2", takes_over=True)
    with pytest.raises(GroupError, match=r"SHARD_IDS: group 2 already runs shards 1: "):
        await one.start("0,1")


async def test_all_groups_have_the_same_number_of_shards(bot: Bot) -> None:
    one, other = bot.machine(), bot.machine()
    await one.start("0", 4)
    with pytest.raises(GroupError, match="SHARD_COUNT: group 1 runs with 4, and this process has"):
        await other.start("1", 8)
    await one.stop()
    await other.start("1", 8)
    assert bot.say("GET", "ligretto:bot:layout") == "8"


async def test_servers_of_other_shards_are_not_ignored(bot: Bot) -> None:
    """The file of a bot that was one process is given to a group, or that of another group."""
    one = bot.machine()
    await one.start("0,1", 2)
    await one.stop()
    with one.changed() as db:
        for shard in (0, 1, 1, 3):
            guild = (db.total_changes * 4 + shard) << 22
            db.execute("INSERT INTO guilds VALUES (?, 1, NULL)", (guild,))
        db.execute("INSERT INTO guilds VALUES (?, 1, 1)", (98 << 22,))  # it has left
    with pytest.raises(GroupError) as refused:
        await one.start("0", takes_over=True)
    assert str(refused.value) == (
        f"SHARD_IDS: with SHARD_COUNT=4, {one.path} has servers of shards 1,3 (3 in all), which "
        "this group does not have. If SHARD_COUNT and SHARD_IDS are right, set DATABASE_PATH to "
        "this group's own file, or split it with the command split"
    )
    assert not bot.has_lease(1)
    await one.start("0,1,3")


async def test_a_file_notes_the_shards_of_its_group(bot: Bot) -> None:
    """A merge of groups that were never split knows then which are missing."""
    one = bot.machine()
    await one.start("0,1")
    assert part_of(one.path) == Layout(4, (0, 1))
    await one.stop()
    await one.start("0,1,2,3")
    assert part_of(one.path) == WHOLE


async def test_empty_database_in_place_of_a_groups_own_is_refused(bot: Bot) -> None:
    """DATABASE_PATH has a typo: the servers of these shards would find nothing of theirs."""
    one, typo = bot.machine(), bot.machine()
    await one.start("0,1")
    await one.stop()
    with pytest.raises(GroupError) as refused:
        await typo.start("1,2")
    assert str(refused.value) == (
        f"DATABASE_PATH: {typo.path} is new, but group 1 last had shards 1. Set it to the database "
        "of that group; or, if that is lost, begin without it with --take-over"
    )
    with pytest.raises(GroupError, match="is new"):
        await typo.start("1,2")
    assert (await typo.start("1,2", takes_over=True)).number == 2
    await typo.stop()
    await typo.start("1,2")


async def test_right_database_after_a_start_with_a_typo_is_no_new_one(bot: Bot) -> None:
    """The first start made an empty file elsewhere. It is named by the servers it doesn't have."""
    typo, right = bot.machine(), bot.machine()
    await typo.start("0,1")
    await typo.stop()
    await (await open_database(right.path)).close()
    with right.changed() as db:
        db.execute("INSERT INTO guilds VALUES (?, 1, NULL), (?, 1, NULL)", (1 << 22, 4 << 22))
    with pytest.raises(GroupError) as refused:
        await right.start("0,1")
    assert str(refused.value) == (
        f"DATABASE_PATH: {right.path} has servers (2 in all), but has not run as a group yet, and "
        "group 1 last had shards 0-1. Set it to the database of that group; or, if that one began "
        "with an empty file by mistake, begin with this one with --take-over"
    )
    await right.start("0,1", takes_over=True)


async def test_of_two_groups_with_a_shard_the_one_that_ran_last_is_named(bot: Bot) -> None:
    """The other is the empty one that a typo had begun."""
    one, typo, again = bot.machine(), bot.machine(), bot.machine()
    await one.start("0,1")
    await one.stop()
    await typo.start("0,1", takes_over=True)
    await typo.stop()
    for group, seen in ((1, "200.5"), (2, "100.5")):
        bot.say("HSET", f"ligretto:bot:seen:{group}", "seen", seen)
    with pytest.raises(GroupError, match="is new, but group 1 last had shards 0-1"):
        await again.start("0,1")


async def test_a_file_whose_shards_were_begun_anew_is_refused(bot: Bot) -> None:
    """The other one has all matches since then. They would be gone without a word."""
    one, anew = bot.machine(), bot.machine()
    await one.start("0,1")
    await one.stop()
    bot.say("HSET", "ligretto:bot:seen:1", "seen", "100.5")
    await anew.start("1", takes_over=True)
    await anew.stop()
    bot.say("HSET", "ligretto:bot:seen:2", "seen", "200.5")
    with pytest.raises(GroupError) as refused:
        await one.start("0,1")
    assert str(refused.value) == (
        f"DATABASE_PATH: group 2 has had shards 1 since {one.path} was last used: what was played "
        "then is in the database of that group. Set it to that one; or, if that one no longer "
        "counts, start this one with --take-over"
    )
    await one.start("0,1", takes_over=True)
    await one.stop()
    bot.say("HSET", "ligretto:bot:seen:1", "seen", "300.5")
    await one.start("0,1")
    await one.stop()
    with pytest.raises(GroupError, match="group 1 has had shards 1 since"):
        await anew.start("1")


async def test_a_file_that_was_made_of_a_groups_own_is_no_new_one(bot: Bot) -> None:
    """A split and a merge keep the numbers of the groups whose servers they have taken."""
    one = bot.machine()
    await one.start("0,1")
    await one.stop()
    part = bot.copied(one)
    with part.changed() as db:
        db.execute("DELETE FROM own_group")
    assert (await part.start("1")).number == 2


async def test_an_emptied_valkey_gets_everything_back_from_those_who_run(bot: Bot) -> None:
    one, other = bot.machine(), bot.machine()
    await one.start("0,1")
    before = bot.say("HGETALL", "ligretto:bot:group:1")
    await other.start("2")
    await asyncio.sleep(RENEWAL + 1)  # and group 1 has heard of group 2
    await other.stop()
    await bot.restart_valkey(away=30.0)
    await asyncio.sleep(RESTORED)
    assert bot.has_lease(1)
    assert bot.say("HGETALL", "ligretto:bot:group:1") == before
    assert bot.say("GET", "ligretto:bot:layout") == "4"
    assert sorted(bot.members("groups")) == [0, 1, 2]


async def test_a_number_is_not_given_again_while_a_file_knows_it(bot: Bot) -> None:
    """Group 1 has heard of group 2, and tells Valkey at its start."""
    one, other, third = bot.machine(), bot.machine(), bot.machine()
    await one.start("0")
    await other.start("1")
    await asyncio.sleep(RENEWAL + 1)
    await one.stop()
    await other.stop()
    await bot.restart_valkey()
    await one.start("0")
    assert (await third.start("1")).number == 3


async def test_a_file_that_was_split_off_gets_a_number_above_all_that_it_knows(bot: Bot) -> None:
    one = bot.machine()
    await one.start("0")
    await one.stop()
    part = bot.copied(one)
    with part.changed() as db:
        db.execute("DELETE FROM own_group")
        db.execute("INSERT INTO used_groups VALUES (7)")
    await bot.restart_valkey()
    assert (await part.start("1")).number == 8


async def test_a_new_group_waits_for_numbers_that_valkey_has_lost(bot: Bot) -> None:
    one, new = bot.machine(), bot.machine()
    await one.start("0")
    await asyncio.sleep(0.1)
    await bot.restart_valkey()
    began = bot.server.loop.time()
    assert (await new.start("1")).number == 2
    assert elapsed(bot, began) >= PUT_BACK


async def test_a_new_group_waits_for_numbers_that_an_old_snapshot_lacks(bot: Bot) -> None:
    """Valkey is back with the groups of yesterday. Group 1, of today, runs."""
    one, new = bot.machine(), bot.machine()
    await one.start("0")
    await bot.restart_valkey()
    _ = bot.say("SADD", "ligretto:bot:groups", "0")
    began = bot.server.loop.time()
    assert (await new.start("1")).number == 2
    assert PUT_BACK <= elapsed(bot, began) <= PUT_BACK + 1


async def test_a_copy_waits_for_a_holder_that_valkey_has_lost(bot: Bot) -> None:
    """The copy is of the last orderly stop. Its holder plays on, and is the one that stays."""
    one = bot.machine()
    await one.start()
    await one.stop()
    old, yesterday = bot.copied(one), bot.words("HGETALL", "ligretto:bot:group:1")
    await one.start()
    await asyncio.sleep(0.1)
    for snapshot in ([], yesterday):
        await bot.restart_valkey()
        if snapshot:
            _ = bot.say("SADD", "ligretto:bot:groups", "1")
            _ = bot.say("HSET", "ligretto:bot:group:1", *snapshot)
        with pytest.raises(GroupError, match="group 1 is running elsewhere"):
            await old.start()
        assert one.lost() is None


async def test_a_number_that_was_given_twice_is_given_up_by_the_later_start(bot: Bot) -> None:
    """Nobody who knew it was running, when Valkey had lost it."""
    one, other = bot.machine(), bot.machine()
    await one.start("0")
    await one.stop()
    await bot.restart_valkey()
    assert (await other.start("1")).number == 1
    assert (await one.start("0")).number == 2
    assert other.lost() is None


async def test_a_copy_is_refused_by_an_emptied_valkey_as_well(bot: Bot) -> None:
    """The file itself says that its holder has not stopped."""
    one = bot.machine()
    await one.start()
    copy = bot.copied(one)
    await one.kill()
    await bot.restart_valkey()
    with pytest.raises(GroupError, match="here with --take-over"):
        await copy.start()
    assert (await one.start()).start == 2


async def test_a_start_that_has_heard_of_another_holder_needs_valkey(bot: Bot) -> None:
    """The machine that was given up is back, and Valkey is killed while it waits for the lease."""
    one = bot.machine()
    await one.start()
    copy = bot.copied(one)
    await one.kill()
    await copy.start(takes_over=True)
    starting = bot.server.loop.create_task(one.start())
    await asyncio.sleep(3.0)
    bot.server.kill()
    with pytest.raises(GroupAwayError, match="only Valkey knows whether it may start here"):
        await starting
    assert copy.lost() is None


async def test_a_start_that_has_heard_of_another_holder_remembers_it(bot: Bot) -> None:
    """Valkey loses its data while the group that runs is cut off, and can't put them back."""
    one = bot.machine()
    await one.start()
    copy = bot.copied(one)
    await one.kill()
    await copy.start(takes_over=True)
    starting = bot.server.loop.create_task(one.start())
    await asyncio.sleep(3.0)
    bot.server.is_cut = lambda process: process == copy.number
    bot.server.store.empty()
    with pytest.raises(GroupError, match="here with --take-over"):
        await starting
    bot.server.is_cut = lambda process: False
    await asyncio.sleep(RESTORED)
    assert copy.lost() is None


async def test_without_valkey_only_the_last_holder_starts(bot: Bot) -> None:
    one, new = bot.machine(), bot.machine()
    await one.start()
    await one.kill()
    copy = bot.copied(one)
    bot.server.kill()
    with pytest.raises(GroupAwayError, match="Group 1 last ran elsewhere"):
        await copy.start(takes_over=True)
    with pytest.raises(GroupAwayError, match="first start of a group needs it"):
        await new.start("1")
    assert (await one.start()).start == 1, "no start that Valkey knows of is outranked"


async def test_a_copy_that_was_refused_is_not_the_last_holder(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    copy = bot.copied(one)
    with pytest.raises(GroupError):
        await copy.start()
    bot.server.kill()
    with pytest.raises(GroupAwayError):
        await copy.start()


async def test_a_machine_that_was_given_up_never_starts_without_valkey(bot: Bot) -> None:
    """It has heard of the other holder, while it ran or at a start."""
    one, other = bot.machine(), bot.machine()
    await one.start("0")
    await other.start("1")
    copies = bot.copied(one), bot.copied(other)
    await other.kill()
    bot.server.is_cut = lambda process: process == one.number
    await asyncio.sleep(LIFE + RENEWAL)
    await copies[0].start("0", takes_over=True)
    await copies[1].start("1", takes_over=True)
    bot.server.is_cut = lambda process: False
    await asyncio.sleep(RESTORED)
    await one.stop()
    with pytest.raises(GroupError, match="group 2 is running elsewhere"):
        await other.start("1")
    bot.server.kill()
    for machine, ids in ((one, "0"), (other, "1")):
        with pytest.raises(GroupAwayError, match="last ran elsewhere"):
            await machine.start(ids)


async def test_a_start_without_valkey_takes_its_lease_once_it_can(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    await one.kill()
    bot.server.kill()
    own = await one.start()
    await bot.server.start()
    await asyncio.sleep(RESTORED)
    assert bot.say("GET", "ligretto:bot:lease:1") == f"{own.holder} 1"


async def test_of_two_starts_that_could_not_know_of_each_other_one_stops(bot: Bot) -> None:
    """The one that had Valkey stays."""
    one = bot.machine()
    await one.start()
    await one.kill()
    copy = bot.copied(one)
    bot.server.is_cut = lambda process: process == one.number
    await one.start()
    await copy.start(takes_over=True)
    bot.server.is_cut = lambda process: False
    await asyncio.sleep(RESTORED)
    assert one.lost() is not None
    assert copy.lost() is None


async def test_a_start_without_valkey_stops_if_its_shards_are_taken(bot: Bot) -> None:
    one, other = bot.machine(), bot.machine()
    await one.start("0")
    await one.kill()
    await asyncio.sleep(LIFE)
    bot.server.is_cut = lambda process: process == one.number
    await one.start("0")
    await other.start("0", takes_over=True)
    bot.server.is_cut = lambda process: False
    await asyncio.sleep(RESTORED)
    assert str(one.lost()).startswith("SHARD_IDS: group 2 already runs shards 0: ")
    assert other.lost() is None


async def test_group_that_lost_its_shards_is_released_all_the_same(bot: Bot) -> None:
    """It stopped in order, and its lease had run out before: its copy has everything."""
    one, other = bot.machine(), bot.machine()
    await one.start("0")
    bot.server.is_cut = lambda process: process == one.number
    await asyncio.sleep(LIFE + RENEWAL)
    await other.start("0", takes_over=True)
    bot.server.is_cut = lambda process: False
    await asyncio.sleep(RESTORED)
    assert str(one.lost()).startswith("SHARD_IDS: group 2 already runs shards 0: ")
    await one.stop()
    assert bot.say("HGET", "ligretto:bot:group:1", "released") == "1"
    await other.stop()
    assert (await bot.copied(one).start("0")).number == 1


async def test_running_group_whose_number_was_given_twice_gives_it_up(bot: Bot) -> None:
    """It could not put its number back while Valkey gave it to another."""
    one, other = bot.machine(), bot.machine()
    await one.start("0")
    bot.server.is_cut = lambda process: process == one.number
    await bot.restart_valkey()
    assert (await other.start("1")).number == 1
    bot.server.is_cut = lambda process: False
    await asyncio.sleep(RESTORED)
    assert one.lost() == (
        "group 1: this number was also given to another database, since Valkey had lost its data. "
        "This database gets a new one at its start"
    )
    await one.stop()
    bot.server.kill()
    with pytest.raises(GroupAwayError, match="first start of a group"):
        await one.start("0")
    await bot.server.start()
    await asyncio.sleep(PUT_BACK)
    assert (await one.start("0")).number == 2
    assert other.lost() is None


async def test_group_that_has_a_number_but_never_ran_is_told_so(bot: Bot) -> None:
    one, other = bot.machine(), bot.machine()
    await one.start("0")
    with pytest.raises(GroupError, match="already runs shards 0"):
        await other.start("0")
    bot.server.kill()
    with pytest.raises(GroupAwayError, match="first start of a group"):
        await other.start("1")


async def test_a_stop_without_valkey_ends_all_the_same(bot: Bot) -> None:
    """The file knows that it was stopped; Valkey does not."""
    one = bot.machine()
    await one.start()
    bot.server.kill()
    await one.stop()
    await bot.server.start()
    assert (await bot.copied(one).start()).start == 2


async def test_a_holder_that_stood_still_is_not_sure_until_it_has_asked(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    lease = one.lease
    assert lease is not None
    await asyncio.sleep(10 * LIFE)
    sure = [lease.is_sure]
    bot.server.loop.stand_still(2 * LIFE)
    sure.append(lease.is_sure)
    await asyncio.sleep(RENEWAL)
    sure.append(lease.is_sure)
    assert sure == [True, False, True]


async def test_holder_whose_machine_was_suspended_is_not_sure_either(bot: Bot) -> None:
    """Linux's monotonic clock, and with it the next renewal, knows nothing of it."""
    one = bot.machine()
    await one.start()
    lease = one.lease
    assert lease is not None
    one.clock.asleep += LIFE
    sure = [lease.is_sure]
    await asyncio.sleep(RESTORED)
    sure.append(lease.is_sure)
    assert sure == [False, True]


async def test_a_holder_that_was_taken_over_while_it_stood_still_is_never_sure(bot: Bot) -> None:
    """Not even though the first that it hears of Valkey is that an answer came too late."""
    one = bot.machine()
    await one.start()
    lease = one.lease
    assert lease is not None
    await asyncio.sleep(0.7 * RENEWAL)
    waiting = bot.server.loop.create_task(_waits(one))  # it ends before the renewal after it does
    await asyncio.sleep(1.5 * RENEWAL)
    bot.server.loop.stand_still(2 * LIFE)
    sure = [lease.is_sure]
    bot.say("HSET", "ligretto:bot:group:1", "holder", "b" * 16, "start", "2")
    bot.say("SET", "ligretto:bot:lease:1", "b" * 16 + " 2")
    for _ in range(200):
        await asyncio.sleep(0.1)
        sure.append(lease.is_sure)
    waiting.cancel()
    assert not any(sure)
    assert one.lost() is not None


async def _waits(one: Machine) -> None:
    """Wait for news of Valkey, as a running group does. It hears too late if it stood still."""
    assert one.valkey is not None
    while True:
        with suppress(ValkeyAwayError):
            await one.valkey.wait_for(lambda db: db.xread({"news": "0-0"}, block=5000), 5.0)


async def test_start_without_valkey_outranks_none_that_valkey_knows(bot: Bot) -> None:
    """Somebody starts the machine that the group has left, while nobody can tell."""
    old = bot.machine()
    await old.start()
    await old.stop()
    new = bot.copied(old)
    await new.start()
    await asyncio.sleep(RENEWAL)
    bot.server.kill()
    for _ in range(3):
        await old.start()
        await old.kill()
    await old.start()
    await bot.server.start()
    await asyncio.sleep(RESTORED)
    assert new.lost() is None
    assert old.lost() is not None


async def test_group_that_is_given_anothers_shards_is_refused(bot: Bot) -> None:
    one, other = bot.machine(), bot.machine()
    await one.start("0")
    await other.start("1,2")
    await other.stop()
    await one.stop()
    with pytest.raises(GroupError, match="never had shards 1, and group 2 had them last"):
        await one.start("0,1")
    assert (await one.start("0,3")).start == 2
    await one.stop()
    assert (await one.start("0,1", takes_over=True)).number == 1


async def test_last_holder_returns_to_a_valkey_that_has_forgotten_that_it_moved(bot: Bot) -> None:
    """It came back with what it had on its disk. The group's file knows a later start."""
    old = bot.machine()
    await old.start()
    await asyncio.sleep(RESTORED)
    then = bot.words("HGETALL", "ligretto:bot:group:1")
    await old.stop()
    new = bot.copied(old)
    await new.start()
    await new.kill()
    await bot.restart_valkey(away=10.0)
    bot.say("SADD", "ligretto:bot:groups", "1")
    bot.say("HSET", "ligretto:bot:group:1", *then)
    assert (await new.start()).start == 3


async def test_machine_that_a_group_has_left_waits_for_where_it_runs(bot: Bot) -> None:
    """Valkey has lost everything, and the old machine is first to ask."""
    old = bot.machine()
    await old.start()
    await old.stop()
    new = bot.copied(old)
    await new.start()
    await bot.restart_valkey(away=5.3)
    with pytest.raises(GroupError, match="is running elsewhere"):
        await old.start()
    assert new.lost() is None


async def test_group_number_that_cannot_be_read_deafens_nobody(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    bot.say("SADD", "ligretto:bot:groups", "junk")
    await asyncio.sleep(3 * LIFE)
    assert one.lease is not None
    assert one.lease.is_sure
    assert (await bot.machine().start("1")).number == 2


async def test_a_holder_is_sure_of_itself_while_valkey_is_away(bot: Bot) -> None:
    one = bot.machine()
    await one.start()
    bot.server.kill()
    await asyncio.sleep(3 * LIFE)
    assert one.lease is not None
    assert one.lease.is_sure
    await one.kill()
