"""Arenas in the database: what they go on from, and what is kept when they are over."""

import asyncio

import pytest

from bot.ids import ArenaId, ChannelId, GuildId, MessageId, UserId
from bot.store.arenas.arenas import SqliteArenas
from bot.store.database.writer import BEHIND
from bot.tables.arena import events as e
from bot.tables.arenas.journal import ArenaLine
from bot.tables.state.journal import DuplicateError
from bot.tables.state.message_refs import Token
from tests.store.conftest import Store
from tests.store.matches import ANNA, BEN, GUILD

ARENA = ArenaId(1)
SECRET = bytes(range(32))
OPENED = e.Opened("dice", 1, GUILD, ChannelId(8), ANNA, "en", {"rounds": "1"}, 4, 30, SECRET.hex())


def lines(*events: e.Event, first: int = 0, pressed: int | None = None) -> list[ArenaLine]:
    return [
        ArenaLine(ARENA, first + i, 1000 + i, event, None if i else pressed, i, "secret-token")
        for i, event in enumerate(events)
    ]


async def opened(store: Store) -> SqliteArenas:
    arenas = SqliteArenas(store.db, store.writer)
    await arenas.append(lines(OPENED, e.Joined(ANNA, "Anna"), pressed=5), durable=True)
    return arenas


async def test_an_arena_goes_on_from_what_was_written(store: Store) -> None:
    arenas = await opened(store)
    (stored,) = await arenas.read_open()
    assert [line.event for line in stored.lines] == [OPENED, e.Joined(ANNA, "Anna")]
    assert await arenas.next_id() == 2
    assert await arenas.token(ARENA) == "secret-token"
    await arenas.append(lines(e.Published(MessageId(9)), first=2), durable=True)
    assert (await arenas.token(ARENA), await arenas.message(ARENA)) == (None, 9)
    arenas.shown_at(ARENA, MessageId(10))
    await store.writer.write(())
    assert await arenas.message(ARENA) == 10


async def test_a_press_is_written_once(store: Store) -> None:
    arenas = await opened(store)
    with pytest.raises(DuplicateError):
        await arenas.append(lines(e.Joined(BEN, "Ben"), first=2, pressed=5), durable=False)


async def test_a_secret_is_told_when_the_arena_is_over_and_no_person_is_kept(store: Store) -> None:
    arenas = await opened(store)
    arenas.panel_at(ARENA, ANNA, Token("t", MessageId(3), 1000.0), "de")
    await arenas.append(lines(e.Published(MessageId(9)), first=2), durable=True)
    assert await arenas.secret(GUILD, ARENA) is None
    assert [user for user, _, _ in await arenas.panels(ARENA, 1000.0)] == [ANNA]
    assert not await arenas.panels(ARENA, 1000.0 + 16 * 60)
    await arenas.append(lines(e.Ended(), first=3), durable=True)
    arenas.put_away(ARENA)
    assert await arenas.secret(GUILD, ARENA) == ("8/9", SECRET)
    assert await arenas.secret(GuildId(78), ARENA) is None
    assert await arenas.read_open() == []
    assert await store.rows("SELECT * FROM arena_journal") == []
    assert await store.rows("SELECT * FROM arena_panels") == []


async def test_newer_token_of_an_arenas_panel_undoes_no_deletion(store: Store) -> None:
    arenas = await opened(store)
    token = Token("t", MessageId(3), 1000.0)

    async def put_away() -> None:
        arenas.put_away(ARENA)

    async def gone() -> None:
        arenas.panel_gone(ARENA, ANNA)

    for delete in (
        gone,
        lambda: store.archive.forget(ANNA),
        put_away,
        lambda: store.archive.delete(GUILD),
    ):
        arenas.panel_at(ARENA, ANNA, token, "de")
        arenas.panel_at(ARENA, ANNA, token, "fr", is_known=True)
        await store.rows("SELECT 1")
        assert await store.rows("SELECT locale FROM arena_panels") == [("de",)]
        await delete()
        await asyncio.sleep(2 * BEHIND)
        assert await store.rows("SELECT * FROM arena_panels") == []


async def test_nothing_of_a_server_that_is_left_stays_but_the_number(store: Store) -> None:
    arenas = await opened(store)

    await store.archive.delete(GUILD)
    assert await arenas.read_open() == []
    assert await arenas.next_id() == 2
    assert await store.rows("SELECT guild, channel, secret, token FROM arenas") == [
        (0, 0, None, None)
    ]


async def test_somebody_forgotten_is_in_no_arena(store: Store) -> None:
    arenas = await opened(store)
    paired = e.Paired(1, (ANNA, BEN))
    await arenas.append(lines(e.Joined(BEN, "Ben"), paired, first=2), durable=True)
    kept = await store.archive.export(BEN)
    assert [one["what"] for one in kept["arenas"]] == ["Joined", "Paired"]
    await store.archive.forget(BEN)
    (stored,) = await arenas.read_open()
    assert [line.event for line in stored.lines[2:]] == [
        e.Joined(UserId(0), "?"),
        e.Paired(1, (ANNA, UserId(0))),
    ]
    assert (await store.archive.export(BEN))["arenas"] == []
