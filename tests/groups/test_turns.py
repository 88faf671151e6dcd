"""The shared turns on a real server: its script does as its twin, and groups keep to the limit."""

from collections.abc import AsyncIterator
from random import Random

import pytest

from bot.clock import SystemClock
from bot.groups.away import ValkeyAwayError
from bot.groups.turns import FURTHEST, GAP, SLACK, ValkeyTurns
from bot.groups.valkey import Valkey
from bot.ui.limits.shared.alone import MOST
from tests import valkey
from tests.groups.sharing import most_in_a_second
from tests.groups.turns import run, told
from tests.groups.twin_turns import take

PLACES = (
    (-10_000, 0),
    (-SLACK, 2 * SLACK),
    (FURTHEST - 5_000, FURTHEST + 5_000),
    (10 * FURTHEST, 10 * FURTHEST),
)
"""Where the next turn may stand: from so many milliseconds after now, to so many."""


@pytest.fixture
async def here(server: valkey.Server) -> AsyncIterator[Valkey]:
    one = Valkey(server.url, "1", SystemClock())
    yield one
    await one.close()


async def milliseconds(one: Valkey) -> int:
    """The server's clock."""
    seconds, micros = await one.ask(lambda db: db.time())
    return int(seconds * 1000 + micros // 1000)


async def place(one: Valkey, chance: Random) -> int | None:
    """Leave the next turn where it stands, or move it somewhere. Return where it is."""
    key = one.key("edits")
    match chance.randrange(3):
        case 0:
            await one.ask(lambda db: db.delete(key))
        case 1:
            turn = await milliseconds(one) + chance.randint(*chance.choice(PLACES))
            await one.ask(lambda db: db.set(key, turn))
        case _:
            pass
    return await placed(one)


async def placed(one: Valkey) -> int | None:
    turn = await one.ask(lambda db: db.get(one.key("edits")))
    return None if turn is None else int(turn)


async def test_the_script_does_as_its_twin(here: Valkey) -> None:
    """The server's clock goes on: they agree for one of the milliseconds that it may have read."""
    chance = Random(1)
    for _ in range(300):
        gap, before = GAP * chance.choice([1, 2, 16]), await place(here, chance)
        began, count = await milliseconds(here), chance.choice([1, 1, 6])
        waits = [round(one * 1000) for one in await ValkeyTurns(here).next(GAP / gap, count)]
        after, ended = await placed(here), await milliseconds(here)
        told = [take(before, now, gap * count) for now in range(began, ended + 1)]
        assert (after, waits) in [
            (turn, [max(0, wait + number * gap) for number in range(count)]) for turn, wait in told
        ]


async def test_a_server_that_is_gone_gives_no_turn(here: Valkey, server: valkey.Server) -> None:
    server.kill()
    with pytest.raises(ValkeyAwayError):
        await ValkeyTurns(here).next(1.0, 1)


async def test_groups_keep_to_the_limit_on_a_real_server(server: valkey.Server) -> None:
    """Four unequal groups with twelve waiting tables each, by the clock that all of them have."""
    found = await run(server, sizes=(1, 1, 2, 4), tables=12, seconds=2.0)
    assert most_in_a_second(found.times) <= MOST, told(found)
