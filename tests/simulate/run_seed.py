"""One seed: three tables for five minutes, everything going wrong, and what is true afterwards."""

import asyncio
import random
from dataclasses import dataclass
from pathlib import Path

from bot.demo.discordpy import pointed_at
from bot.fakediscord import Server
from tests.loopback.players import Player
from tests.simulate.around import AFTERWARDS, Part, discord_of, heard, mounted, outcome
from tests.simulate.checker import Checker
from tests.simulate.disk import Disk
from tests.simulate.kept import compared
from tests.simulate.loop import VirtualLoop
from tests.simulate.people import OPTIONS, Group, Habits, racing
from tests.simulate.plan import Outcome, Plan
from tests.simulate.power import PowerSupply
from tests.simulate.process import Log, Process
from tests.simulate.trouble import Rates, Trouble
from tests.simulate.trust import trusted
from tests.simulate.witness import Witness

SIZES = (2, 2, 3, 4, 4, 6)
CROWDS = (6, 8, 12)


async def evening(plan: Plan, folder: Path) -> Outcome:
    server, chance = discord_of(plan, guilds=1, channels=plan.tables)
    server.settings.tls = plan.is_tls
    power, disk, log = PowerSupply(folder), Disk(), Log()
    async with server:
        with (
            pointed_at(server.url, server.ws_url),
            trusted(server.cert),
            power.on(),
            mounted(disk),
            heard(log),
        ):
            bot = Process(folder, plan.seed, log_level="DEBUG", http_client=plan.http_client)
            bot.power = power
            async with asyncio.timeout(plan.seconds + AFTERWARDS):
                return await _played(plan, _World(server, bot, disk, log, chance))


@dataclass(frozen=True, slots=True)
class _World:
    """What an evening is played in."""

    server: Server
    bot: Process
    disk: Disk
    log: Log
    chance: random.Random


async def _played(plan: Plan, world: _World) -> Outcome:
    loop, server, bot = asyncio.get_running_loop(), world.server, world.bot
    assert isinstance(loop, VirtualLoop)
    witness = Witness(server, loop.time, lambda: bot.database)
    server.world.audience.append(witness.saw)
    with compared(witness.broken):
        return await _witnessed(plan, world, witness)


async def _witnessed(plan: Plan, world: _World, witness: Witness) -> Outcome:
    loop, server, bot = asyncio.get_running_loop(), world.server, world.bot
    bot.start()
    await server.wait_ready(60, commands=True)
    witness.keep_journal()
    groups = _groups(plan, server, witness, world.chance)
    rates = Rates().times(plan.trouble or 1.0)
    trouble = Trouble(server, bot, world.disk, witness, world.chance, rates, plan.seed)
    ends = loop.time() + plan.seconds
    over = lambda: loop.time() > ends  # noqa: E731 used twice
    async with asyncio.TaskGroup() as together:
        if plan.trouble:
            together.create_task(trouble.rage(over))
        for group in groups:
            together.create_task(group.play(over))
    trouble.calm()
    matches = await Checker(server, bot, witness, trouble, groups, world.log).check()
    return outcome(plan, server, [Part(witness, trouble, world.log, groups)], matches)


def _groups(plan: Plan, server: Server, witness: Witness, chance: random.Random) -> list[Group]:
    groups = []
    for number, channel in enumerate(server.all_channels[: plan.tables]):
        game = chance.choice(("ligretto", "ligretto", "dice"))
        size = min(chance.choice(CROWDS if plan.races else SIZES), 4 if game == "dice" else 12)
        names = [f"t{number}p{one}" for one in range(size)]
        groups.append(
            Group(
                server,
                witness,
                channel,
                [Player(server, server.user(name), channel) for name in names],
                random.Random(chance.random()),
                racing(plan.pace) if plan.races else Habits(pace=plan.pace),
                game,
                chance.choice(OPTIONS[game]) | {"set.rounds": chance.choice(("1", "2", "3"))},
            )
        )
    return groups
