"""One seed of several groups: their people play, everything goes wrong, and questions are asked."""

import asyncio
import random
from contextlib import ExitStack
from pathlib import Path

from bot.demo.discordpy import pointed_at
from bot.fakediscord import Channel, Server
from tests.loopback.players import Player
from tests.simulate.around import AFTERWARDS, Part, discord_of, heard, mounted, outcome
from tests.simulate.disk import Disk
from tests.simulate.groups.checker import Overall, few_requests_a_second
from tests.simulate.groups.member import Logs, Member, Shards
from tests.simulate.groups.storm import Storm
from tests.simulate.groups.trouble import MemberTrouble
from tests.simulate.groups.wanderers import wanderers
from tests.simulate.kept import compared
from tests.simulate.people import OPTIONS, Group, Habits
from tests.simulate.plan import Outcome, Plan
from tests.simulate.process import Process
from tests.simulate.trouble import Rates
from tests.simulate.valkey import Valkey
from tests.simulate.witness import Witness

SHARDS_EACH = 2
TABLES = 2
SIZES = (2, 2, 3)
CROWD = 40
"""Tables of a group in an evening in which the limit of all calls is reached."""
DIRECT = {"set.panels": "dm"}
"""Options of a table whose presses go from group to group."""


async def evening(plan: Plan, folder: Path) -> Outcome:
    server, chance = discord_of(plan, guilds=0)
    server.gateway.enforce_identify = True
    valkey = Valkey()
    await valkey.start()
    async with server, asyncio.timeout(plan.seconds + AFTERWARDS):
        with ExitStack() as around:
            around.enter_context(pointed_at(server.url, server.ws_url))
            around.enter_context(mounted(Disk()))
            members = [
                _member(plan, folder, number, server, valkey, chance)
                for number in range(plan.groups)
            ]
            around.enter_context(heard(Logs(members)))
            around.enter_context(compared(members[0].witness.broken))
            return await _played(plan, server, valkey, members)


def _member(
    plan: Plan, folder: Path, number: int, server: Server, valkey: Valkey, chance: random.Random
) -> Member:
    """A group that isn't started yet, with servers and people of its own."""
    loop = valkey.loop
    count = SHARDS_EACH * plan.groups
    ids = tuple(range(number * SHARDS_EACH, (number + 1) * SHARDS_EACH))
    shards = Shards(server, count, ids)
    (home := folder / str(number)).mkdir()
    bot = Process(
        home,
        1000 * plan.seed + number,
        log_level="DEBUG",
        shard_count=count,
        shard_ids=ids,
        valkey_url=valkey.url,
    )
    witness = Witness(server, loop.time, lambda: bot.database)
    server.world.audience.append(witness.saw)
    trouble = MemberTrouble(
        server,
        bot,
        Disk(),
        witness,
        random.Random(f"trouble of group {number} in {plan.seed}"),
        Rates().times(plan.trouble or 1.0),
        1000 * plan.seed + number,
        shards=shards,
        valkey=valkey,
    )
    one = Member(shards, bot, witness, trouble)
    for channel in _channels(server, shards, CROWD if plan.is_crowded else plan.tables):
        one.people.append(_people(plan, server, witness, channel, chance))
    return one


def _channels(server: Server, shards: Shards, tables: int) -> list[Channel]:
    """A server with a channel for each table, on one of these shards."""
    while True:
        guild = server.add_guild(channels=tables)
        if shards.owns(guild.id):
            return list(guild.channels.values())


def _people(
    plan: Plan, server: Server, witness: Witness, channel: Channel, chance: random.Random
) -> Group:
    game = chance.choice(("ligretto", "ligretto", "dice"))
    names = [f"c{channel.id % 1_000_000}p{one}" for one in range(chance.choice(SIZES))]
    return Group(
        server,
        witness,
        channel,
        [Player(server, server.user(name), channel) for name in names],
        random.Random(chance.random()),
        Habits(pace=plan.pace),
        game,
        chance.choice((DIRECT, *OPTIONS[game])) | {"set.rounds": chance.choice(("1", "2"))},
    )


async def _played(plan: Plan, server: Server, valkey: Valkey, members: list[Member]) -> Outcome:
    loop = valkey.loop
    for one in members:
        one.bot.start()
    ready = lambda: all(one.shards.ready for one in members) and bool(server.commands)  # noqa: E731
    await server.wait_for(ready, 60)
    for one in members:
        one.witness.keep_journal()
    if plan.is_crowded:
        await _crowd(plan, server, members)
        return _outcome(plan, server, members, 0)
    storm = Storm(server, valkey, members, random.Random(f"storm of {plan.seed}"))
    ends = loop.time() + plan.seconds
    over = lambda: loop.time() > ends  # noqa: E731 used twice
    going_about = wanderers(server, members, plan.seed)
    async with asyncio.TaskGroup() as together:
        for wanderer in going_about:
            together.create_task(wanderer.wander(ends))
        if plan.trouble:
            together.create_task(storm.rage(over))
        for one in members:
            for people in one.people:
                together.create_task(people.play(over))
    await storm.calm()
    matches = await Overall(server, members, valkey, going_about).check()
    return _outcome(plan, server, members, matches)


async def _crowd(plan: Plan, server: Server, members: list[Member]) -> None:
    """Nothing goes wrong, and everybody plays: only how many calls Discord gets is looked at."""
    ends = asyncio.get_running_loop().time() + plan.seconds
    over = lambda: asyncio.get_running_loop().time() > ends  # noqa: E731 short
    await asyncio.gather(*(people.play(over) for one in members for people in one.people))
    few_requests_a_second(server, members[0].witness)
    for one in members:
        one.bot.kill()


def _outcome(plan: Plan, server: Server, members: list[Member], matches: int) -> Outcome:
    parts = [Part(one.witness, one.trouble, one.log, one.people) for one in members]
    return outcome(plan, server, parts, matches)
