"""The upload of the small pictures: broken off at every step, resumed, and patient."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.art.drawing import Drawing, digest
from bot.art.faces import faces
from bot.fakediscord import Server
from bot.groups.once import Once
from bot.store.database.file import connect
from bot.store.database.writer import Writer
from bot.store.tables.message_refs import SqliteMessageRefs
from bot.ui.limits.edit_budget import PUSHES, Budget
from bot.ui.limits.shared.alone import MOST
from bot.ui.render import emojis
from bot.ui.render.emojis import AGAIN, EmojiUploader
from tests.loopback.bots import PATIENCE, bot_here, bot_process
from tests.tables.clock import HandClock

SOME = {name: faces()[name] for name in ("r7", "b10", "rd3", "crown")}
POST, DELETE = "POST /applications/#/emojis", "DELETE /applications/#/emojis/#"
GET = "GET /applications/#/emojis"
OLD = "r7_000000"
UPLOAD = ("POST", "/emojis")


@dataclass
class Upload:
    """A gallery at work: logged in, with a database of its own."""

    emojis: EmojiUploader
    clock: HandClock

    async def complete(self) -> None:
        await until(lambda: len(self.emojis.faces) == len(SOME))


def uploads(server: Server) -> list[float]:
    """When each one was answered, in seconds of one clock."""
    return [at for at, method, path, _, _ in server.calls if (method, path[-7:]) == UPLOAD]


def fullest_second(times: Sequence[float]) -> int:
    """How many of these fall into one second, at most."""
    return max(sum(first <= at < first + 1 for at in times) for first in times)


async def until(condition: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 a gallery tells nobody
            await asyncio.sleep(0.005)


@asynccontextmanager
async def uploading(
    server: Server,
    database: Path,
    drawings: Mapping[str, Drawing] = SOME,
    once: Once | None = None,
) -> AsyncIterator[Upload]:
    """What ends with this block is broken off where it is."""
    loop, clock = asyncio.get_running_loop(), HandClock()
    client = discord.Client(intents=discord.Intents.none())
    db = await connect(database)
    writer = Writer(db, clock)
    tasks = [loop.create_task(writer.run())]
    try:
        await client.login("a.b.c")
        emojis = EmojiUploader(
            client, SqliteMessageRefs(db, writer), Budget(clock), clock, drawings, once
        )
        await emojis.recall()
        tasks.append(loop.create_task(emojis.run()))
        yield Upload(emojis, clock)
    finally:
        for task in tasks:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks)
        await client.close()
        await db.close()


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    async with Server() as one:
        monkeypatch.setattr(discord.http.Route, "BASE", f"{one.url}/api/v10")
        yield one


def names(server: Server) -> list[str]:
    return sorted(emoji["name"] for emoji in server.emojis.values())


def wanted(drawings: Mapping[str, Drawing] = SOME) -> list[str]:
    return sorted(f"{name}_{digest(drawing)}" for name, drawing in drawings.items())


def count(server: Server, route: str) -> int:
    return sum(n for (template, _), n in server.statuses.items() if template == route)


def kept(database: Path) -> dict[str, dict[str, str]]:
    """What the database knows of emojis, by its key."""
    with sqlite3.connect(database) as db:
        rows = db.execute("SELECT key, value FROM notes WHERE key LIKE 'emojis:%'").fetchall()
    db.close()
    return {key: json.loads(value) for key, value in rows}


async def test_all_faces_are_uploaded_once_and_known_after_a_restart(
    server: Server, tmp_path: Path
) -> None:
    database = tmp_path / "once.db"
    async with uploading(server, database) as first:
        assert not first.emojis.faces
        await first.complete()
        await until(lambda: kept(database))
    assert names(server) == wanted()
    server.fault(r"GET /api/v10/applications/\d+/emojis", hold=asyncio.Event())
    async with uploading(server, database) as again:
        assert again.emojis.faces == first.emojis.faces, "before Discord has said anything"
    ids = {emoji["name"]: emoji["id"] for emoji in server.emojis.values()}
    name = f"r7_{digest(SOME['r7'])}"
    assert first.emojis.faces["r7"] == f"<:{name}:{ids[name]}>"
    assert count(server, POST) == len(SOME)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", range(1 + len(SOME)))
async def test_an_upload_broken_off_at_any_step_is_resumed_there(
    server: Server, tmp_path: Path, step: int, when: str
) -> None:
    """`before`: that request never reached Discord; `after`: its answer never came back.

    The steps: the list, and each face.
    """
    database = tmp_path / "broken.db"
    server.add_emoji(OLD)
    breaking = server.fault("/emojis", when=when, hold=asyncio.Event(), skip=step)
    async with uploading(server, database) as first:
        await asyncio.wait_for(breaking.reached.wait(), PATIENCE)
        assert not first.emojis.faces, "all of them or none"
    server.faults.clear()
    async with uploading(server, database) as second:
        await second.complete()
        await until(lambda: names(server) == sorted([*wanted(), OLD]))
    taken = sum(n for (route, code), n in server.codes.items() if route == POST)
    assert not taken, "nothing is uploaded twice"


async def test_an_update_replaces_only_what_has_changed(server: Server, tmp_path: Path) -> None:
    database = tmp_path / "update.db"
    foreign = server.add_emoji("party_parrot")
    async with uploading(server, database) as first:
        await first.complete()
        await until(lambda: kept(database))
    before = first.emojis.faces
    changed = {**SOME, "crown": tuple(replace(one, colour="#ffffff") for one in SOME["crown"])}
    async with uploading(server, database, changed) as second:
        assert second.emojis.faces == before, "until the new one is there"
        await until(lambda: second.emojis.faces != before)
        await until(lambda: kept(database).popitem()[1].keys() == set(wanted(changed)))
    assert names(server) == sorted({*wanted(), *wanted(changed), "party_parrot"})
    assert count(server, POST) == len(SOME) + 1
    assert not count(server, DELETE), "old messages still show it"
    differing = {face for face in SOME if before[face] != second.emojis.faces[face]}
    assert differing == {"crown"}
    assert foreign in server.emojis.values(), "what is not ours stays"


async def test_a_face_that_the_last_version_lacks_is_a_unicode_emoji_until_it_is_there(
    server: Server, tmp_path: Path
) -> None:
    database, full = tmp_path / "new.db", {**SOME, "stop": faces()["stop"]}
    async with uploading(server, database) as first:
        await first.complete()
        await until(lambda: kept(database))
    held = server.fault("POST .*/emojis", hold=asyncio.Event())
    async with uploading(server, database, full) as second:
        await asyncio.wait_for(held.reached.wait(), PATIENCE)
        assert second.emojis.faces == {**first.emojis.faces, "stop": "🛑"}
        assert held.hold is not None
        held.hold.set()
        await until(lambda: second.emojis.faces["stop"].startswith("<:stop_"))


async def test_outdated_emojis_go_oldest_first_where_they_are_many(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emojis, "KEPT", len(SOME) + 2)
    monkeypatch.setattr(emojis, "SETTLED", 1.0)
    for name in ("r7_000000", "b10_000000", "party_parrot", "rd3_000000"):
        server.add_emoji(name)
    async with uploading(server, tmp_path / "many.db") as upload:
        await upload.complete()
        await until(lambda: count(server, DELETE) == 2)
    assert names(server) == sorted([*wanted(), "party_parrot", "rd3_000000"])


async def test_a_full_application_is_asked_again_later(server: Server, tmp_path: Path) -> None:
    full = server.fault("POST .*/emojis", status=400, code=30008)
    async with uploading(server, tmp_path / "full.db") as upload:
        await until(lambda: full.hits)
        await until(lambda: upload.clock._sleepers)
        assert not upload.emojis.faces
        server.faults.clear()
        await upload.clock.advance(AGAIN)
        await upload.complete()


async def test_a_rate_limit_is_waited_out(server: Server, tmp_path: Path) -> None:
    server.fault("POST .*/emojis", retry_after=0.05, times=2)
    async with uploading(server, tmp_path / "limit.db") as upload:
        await upload.complete()
    assert server.statuses[POST, 429] == 2
    assert server.statuses[POST, 201] == len(SOME)


async def test_what_somebody_has_deleted_is_missed_and_uploaded_again(
    server: Server, tmp_path: Path
) -> None:
    database = tmp_path / "deleted.db"
    async with uploading(server, database) as first:
        await first.complete()
        await until(lambda: kept(database))
    server.emojis.pop(next(iter(server.emojis)))
    async with uploading(server, database) as second:
        assert second.emojis.faces, "nobody knows yet"
        await until(lambda: second.emojis.faces not in ({}, first.emojis.faces))
    assert names(server) == wanted()


async def test_another_application_has_emojis_of_its_own(server: Server, tmp_path: Path) -> None:
    database = tmp_path / "two.db"
    async with uploading(server, database) as first:
        await first.complete()
        await until(lambda: kept(database))
    async with Server() as other:
        discord.http.Route.BASE = f"{other.url}/api/v10"
        async with uploading(other, database) as second:
            assert not second.emojis.faces
            await second.complete()
            await until(lambda: len(kept(database)) == 2)
        assert names(other) == names(server) == wanted()


async def test_the_bot_uploads_every_face_behind_its_tables(tmp_path: Path) -> None:
    """The real process: commands are there before the first face, and no face is missing."""
    async with Server() as server:
        held = server.fault("GET .*/emojis", hold=asyncio.Event())
        async with bot_process(server, tmp_path / "all.db", faces=True) as bot:
            await asyncio.wait_for(held.reached.wait(), PATIENCE)
            assert server.commands, "the bot has started without them"
            assert held.hold is not None
            held.hold.set()
            await server.wait_for(lambda: len(server.emojis) == len(faces()), PATIENCE)
            await until(lambda: kept(bot.database))
        assert names(server) == wanted(faces())


async def test_a_rate_limit_on_uploads_slows_no_panel_down(tmp_path: Path) -> None:
    async with Server() as server:
        limit = server.fault("POST .*/emojis", retry_after=0.01, times=2)
        async with bot_here(server, tmp_path / "calm.db", faces=True) as here:
            await server.wait_for(lambda: limit.hits == 2 and len(server.emojis) > 0, PATIENCE)
            assert here.running.messages.budget.gap == 1 / PUSHES


async def test_a_first_start_leaves_room_for_others_in_every_second(tmp_path: Path) -> None:
    """Fifty requests a second is all that a bot may make (PLATFORM 2), uploads among them."""
    async with Server() as server, bot_here(server, tmp_path / "first.db", faces=True):
        await until(lambda: len(uploads(server)) == len(faces()))
        assert len(server.emojis) == len(faces())
        assert fullest_second(uploads(server)) <= MOST
        assert not server.ratelimited
