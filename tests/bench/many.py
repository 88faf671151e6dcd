"""A thousand live tables in one process: memory, public edits, and a start with all of them."""

import asyncio
import random
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from bot.art.faces import faces
from tests.bench.figures import Row
from tests.bench.people import live_tables
from tests.bench.standin import Server
from tests.loopback.bots import BotProcess, bot_process
from tests.loopback.players import Player
from tests.real import PATIENCE

IN_A_SERVER = 25
MOST_MEMORY, MOST_EDITS, SOON = 60.0, 45.0, 5.0
SETTLED = 3.0
LAID = """
SELECT tables.channel, journal.at FROM journal JOIN tables ON tables.id = journal.table_id
WHERE kind = 'Moved' AND body NOT LIKE '%flip%' AND at >= ? ORDER BY at
"""
"""The moves that everybody sees."""


async def many(folder: Path, tables: int, rate: float, seconds: float) -> list[Row]:
    """`rate`: presses a second at all tables together, for so many seconds."""
    async with (
        Server(guilds=-(-tables // IN_A_SERVER), channels=IN_A_SERVER) as server,
        bot_process(server, folder / "many.db", faces=True, rtt=0.0) as bot,
    ):
        # The uploads take of the same fifty requests a second.
        _ = await server.wait_for(lambda: len(server.emojis) == len(faces()), PATIENCE)
        await asyncio.sleep(SETTLED)
        before = bot.memory
        people = await live_tables(server, tables, 4)
        grown = bot.memory - before
        rows = [
            Row(
                f"memory of {tables:,} live tables of 4",
                f"at most {MOST_MEMORY:.0f} MB",
                f"{grown:.1f} MB",
                grown <= MOST_MEMORY,
            )
        ]
        rows += await _edits(server, bot.database, people, rate, seconds)
        rows += await _start(server, bot, people)
        assert not server.crashes
    return rows


async def _edits(
    server: Server,
    database: Path,
    tables: Sequence[Sequence[Player]],
    rate: float,
    seconds: float,
) -> list[Row]:
    """People play what fits at every table; what the tables' messages get of it."""
    limited, began = server.ratelimited, time.perf_counter()
    chance, ends = random.Random(1), began + seconds
    while time.perf_counter() < ends:
        player = chance.choice(chance.choice(tables))
        item = player.choose()
        if item is not None:
            _ = server.click(player.user, player.panel, item.custom_id, stale=True)
        await asyncio.sleep(1 / rate)
    edits = [
        (at, int(path.split("/channels/")[1].split("/")[0]))
        for at, method, path, _, _ in list(server.calls)
        if method == "PATCH" and "/channels/" in path and at > began
    ]
    a_second = max(Counter(int(at - began) for at, _ in edits).values(), default=0)
    laid = _laid(database, began)
    mean, refused = len(edits) / seconds, server.ratelimited - limited
    oldest, share = _oldest(laid, edits, ends), len(laid) / max(mean, 1)
    fair = max(share, 2.0)
    return [
        Row(
            "public edits a second",
            f"at most {MOST_EDITS:.0f}",
            f"{mean:.1f}, in one second {a_second}",
            mean <= MOST_EDITS,
        ),
        Row("answers with 429", "0", str(refused), refused == 0),
        Row(
            "oldest picture of a table that changed",
            f"its fair share, {fair:.1f} s",
            f"{oldest:.1f} s",
            oldest <= fair * 1.5,
        ),
    ]


def _laid(database: Path, began: float) -> dict[int, list[float]]:
    """When cards were laid since then, by channel, as `time.perf_counter` tells it."""
    found: dict[int, list[float]] = defaultdict(list)
    ahead = time.time() - time.perf_counter()
    with closing(sqlite3.connect(database)) as db:
        for channel, at in db.execute(LAID, (int((began + ahead) * 1000),)):
            found[channel].append(at / 1000 - ahead)
    return found


def _oldest(
    laid: Mapping[int, list[float]], edits: Sequence[tuple[float, int]], end: float
) -> float:
    """Seconds for which a table showed less than had happened, at most."""
    drawn: dict[int, list[float]] = defaultdict(list)
    for at, channel in edits:
        drawn[channel].append(at)
    oldest = 0.0
    for channel, times in laid.items():
        last = 0.0
        for at in (*drawn[channel], end):
            waiting = [t for t in times if last < t < at]
            oldest = max(oldest, at - waiting[0]) if waiting else oldest
            last = at
    return oldest


async def _start(server: Server, bot: BotProcess, tables: Sequence[Sequence[Player]]) -> list[Row]:
    """Killed in the middle of all rounds, and started again; a command in the first second."""
    await bot.kill()
    limited, began = server.ratelimited, time.perf_counter()
    await bot.start()
    took = time.perf_counter() - began
    guest = server.user("guest")
    asked = time.perf_counter()
    answer = await server.slash(guest, tables[0][0].channel, "help").wait()
    answered = time.perf_counter() - asked
    await server.wait_for(lambda: "Ready" in _labels(tables[0][0]), PATIENCE)
    refused = server.ratelimited - limited
    return [
        Row(
            f"start with {len(tables):,} tables",
            f"under {SOON:.0f} s",
            f"{took:.1f} s, then a command in {answered * 1000:.0f} ms",
            took < SOON and bool(answer.ok) and answered < 1,
        ),
        Row("answers with 429 after that start", "0", str(refused), refused == 0),
    ]


def _labels(player: Player) -> set[str]:
    return {item.label or "" for item in player.panel.controls}
