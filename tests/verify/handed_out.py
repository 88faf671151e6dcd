"""Logs that the running bot has handed out: of an arena's table, and of both deals of a day.

`HURT` are damages to them, each with the line that can't be true from then on.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

from bot.fakediscord import Interaction
from tests.simulate.loop import VirtualLoop
from tests.stories.arena import answers, dealt, opened, played
from tests.stories.calendar import until
from tests.stories.daily import Alone, alone
from tests.stories.world import LONG, World, at_rest, given
from tests.verify.damages import Lines

DAY, PUBLISHED = "2026-06-01 12:00", "2026-06-03 00:01"
GAMES = ("ligretto", "dice")


def logs(folder: Path) -> dict[str, str]:
    """Play an evening in simulated time, and return what people got. Call it outside any loop."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(_evening(folder))


async def _evening(folder: Path) -> dict[str, str]:
    async with at_rest(folder) as world:
        until(DAY, "UTC")
        await world.start()
        anna = alone(world, "anna")
        for game in GAMES:
            await anna.begin(game)
            await anna.finish()
        arena = await _arena(world)
        _ = await world.bot.stop()
        until(PUBLISHED, "UTC")
        await world.start()
        return {"arena": arena, **{game: await _daily(world, anna, game) for game in GAMES}}


async def _arena(world: World) -> str:
    people = await opened(world, "ben", "cleo", "dora")
    await dealt(*people)
    await played(*people)
    await answers(people[0], await people[0].press("End arena"), "Yes, end it")
    await asyncio.sleep(LONG)
    return _file(world, await world.server.slash(people[0].user, world.channel, "replay").wait())


async def _daily(world: World, person: Alone, game: str) -> str:
    ((day,),) = world.rows("SELECT first_day FROM daily_chains")
    await person.asks_for_proof()
    return _file(world, await person.pick("lr1:daily:log", f"{day}:{game}"))


def _file(world: World, answer: Interaction) -> str:
    given(answer.original is not None and answer.original.files, "there is a file")
    assert answer.original is not None
    (file,) = answer.original.files
    return world.server.blobs[str(file["id"])].decode()


def _at(lines: Lines, number: int) -> int:
    """Return where the n-th move of seat 1 stands that has a card."""
    found = [at for at, one in enumerate(lines) if one.get("p") == 1 and "card" in one]
    return found[number]


def _another_message(lines: Lines) -> int:
    start = lines[0]
    start["public"] = start["public"][:-1] + ("2" if start["public"].endswith("1") else "1")
    return 1


def _another_deal(lines: Lines) -> int:
    deal = lines[1]
    if "seats" in deal:
        deal["seats"][0]["hand"].reverse()
    else:
        deal["rolls"][2][0] = deal["rolls"][2][0] % 6 + 1
    return 2


def _another_seat(lines: Lines) -> int:
    at = _at(lines, 1)
    lines[at]["p"] = 2
    return at + 1


def _another_card(lines: Lines) -> int:
    at = _at(lines, 2)
    lines[at]["card"] = "R3" if lines[at]["card"] != "R3" else "B3"
    return at + 1


def _a_point_more(lines: Lines) -> int:
    lines[-2]["scores"][0] += 1
    return len(lines) - 1


def _another_winner(lines: Lines) -> int:
    lines[-1]["winners"] = [0, 1, 2]
    return len(lines)


HURT: list[Callable[[Lines], int]] = [
    _another_message,
    _another_deal,
    _another_seat,
    _another_card,
    _a_point_more,
    _another_winner,
]
