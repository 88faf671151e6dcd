"""After an upgrade every rating is worked out anew, once, while the bot plays on."""

import asyncio
import json
import logging
import sqlite3
import zlib

import aiosqlite
import pytest

from bot.clock import SystemClock
from bot.ids import GuildId, UserId
from bot.records.rated_rounds import RatedRound
from bot.records.ratings import Shown
from bot.store.records.recomputing import recompute
from bot.store.records.rerating import Rerating
from bot.store.records.rewriting import Due, Rewriting
from bot.store.records.stored_ratings import Forecast, forecast
from bot.tables.decisions.rated_or_practice import Standing
from bot.tasks import OwnedTasks
from tests.store.conftest import Store
from tests.store.matches import ANNA, BEN, CHLOE, GUILD, NOON, match, play

OTHER = GuildId(78)
EVENING: tuple[dict[UserId | None, int], ...] = (
    {ANNA: 9, BEN: 5, CHLOE: 5},
    {BEN: 9, CHLOE: -5},
    {CHLOE: 9, ANNA: 9},
)


def log(*ends: str) -> bytes:
    """Two people press; then a round ends so. Anna has 9 points, Ben 5."""
    events: list[dict[str, object]] = [{"e": "start", "rounds": 3}]
    for reason in ends:
        events.append({"e": "deal", "seats": [{}, {}]})
        events += [{"e": "move", "p": 0}, {"e": "reject", "p": 1}]
        events.append({"e": "end", "reason": reason, "scores": [9, 5]})
    return zlib.compress("".join(json.dumps(one) + "\n" for one in events).encode())


async def old(store: Store) -> None:
    """As the version before has left it: other ratings, and nothing known of rounds."""
    await store.db.execute("UPDATE matches SET rated_rounds = NULL")
    await store.db.execute("UPDATE seats SET mu = 20, sigma = 8 WHERE player IS NOT NULL")
    await store.db.execute("UPDATE ratings SET mu = 20, sigma = 8, shown = 939, margin = 197")
    await store.db.execute(
        "INSERT INTO ratings_due (guild, game) SELECT DISTINCT guild, game FROM matches"
    )


@pytest.fixture
async def upgraded(store: Store) -> Store:
    for guild in (GUILD, OTHER):
        for points in EVENING:
            await play(store, match(points, guild=guild))
    await old(store)
    return store


async def work(store: Store) -> None:
    await Rerating(store.archive._reader, store.writer, SystemClock()).run()


async def shown(store: Store, guild: GuildId = GUILD) -> dict[int, Shown | None]:
    people = (ANNA, BEN, CHLOE)
    return {user: (await store.archive.stats(guild, user, "ligretto")).rating for user in people}


async def everything(store: Store) -> list[list[tuple[object, ...]]]:
    columns = (
        "* FROM ratings",
        "match_id, seat, mu, sigma FROM seats",
        "rated_rounds FROM matches",
    )
    return [await store.rows(f"SELECT {one}") for one in columns]


async def is_as_worked_out_at_once(store: Store) -> None:
    found = await everything(store)
    await recompute(store.db)
    assert await everything(store) == found
    assert await store.rows("SELECT * FROM ratings_due") == []


async def test_all_ratings_are_worked_out_once_and_said_so(
    upgraded: Store, caplog: pytest.LogCaptureFixture
) -> None:
    before = await shown(upgraded)
    with caplog.at_level(logging.INFO):
        await work(upgraded)
    assert len(set((await shown(upgraded)).values()) | set(before.values())) == 4
    assert "6 matches recalculated" in caplog.text
    assert await upgraded.rows("SELECT * FROM ratings_due") == []
    await is_as_worked_out_at_once(upgraded)
    caplog.clear()
    await work(upgraded)
    assert caplog.text == ""


async def test_a_server_never_sees_old_and_new_at_once(
    upgraded: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its numbers change between two looks, all of them."""
    old_ones, seen = await shown(upgraded), []

    async def watched(db: aiosqlite.Connection, guild: GuildId, game: str, since: int) -> Forecast:
        seen.append((await shown(upgraded), await shown(upgraded, OTHER)))
        return await forecast(db, guild, game, since)

    monkeypatch.setattr("bot.store.records.rerating.forecast", watched)
    await work(upgraded)
    new = await shown(upgraded)
    assert set(new.values()).isdisjoint(old_ones.values())
    assert seen == [(old_ones, old_ones), (new, old_ones)]


async def test_it_goes_on_after_a_kill(upgraded: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """One server's are new then, the other's are still the old ones. The next start does these."""
    reached, calls, old_ones = asyncio.Event(), list[int](), await shown(upgraded)

    async def killed(db: aiosqlite.Connection, guild: GuildId, game: str, since: int) -> Forecast:
        if guild == OTHER:
            reached.set()
            await asyncio.Event().wait()
        calls.append(guild)
        return await forecast(db, guild, game, since)

    monkeypatch.setattr("bot.store.records.rerating.forecast", killed)
    tasks = OwnedTasks()
    tasks(work(upgraded), name="rerating")
    await reached.wait()
    await tasks.stop()
    assert await upgraded.rows("SELECT guild FROM ratings_due") == [(OTHER,)]
    assert await shown(upgraded, OTHER) == old_ones
    monkeypatch.undo()
    await work(upgraded)
    assert calls == [GUILD]
    await is_as_worked_out_at_once(upgraded)


async def test_a_match_that_ends_meanwhile_is_rated_with_the_others(upgraded: Store) -> None:
    before = await shown(upgraded)
    number = await play(upgraded, match({ANNA: 9, BEN: 5}))
    assert await shown(upgraded) == before, "not a new match on top of old ratings"
    await work(upgraded)
    assert (await upgraded.rows(f"SELECT mu > 20 FROM seats WHERE match_id = {number}"))[0] == (1,)  # noqa: S608
    await is_as_worked_out_at_once(upgraded)


async def test_what_changes_between_working_out_and_the_swap_is_not_lost(
    upgraded: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match ends, and another is taken back, while a server's ratings are worked out."""

    async def slow(db: aiosqlite.Connection, guild: GuildId, game: str, since: int) -> Forecast:
        ready = await forecast(db, guild, game, since)
        if guild == GUILD and await upgraded.archive.void(GUILD, 1, moderator=UserId(9), at=NOON):
            await play(upgraded, match({CHLOE: 9, BEN: 5}))
        return ready

    monkeypatch.setattr("bot.store.records.rerating.forecast", slow)
    await work(upgraded)
    await is_as_worked_out_at_once(upgraded)
    assert (await upgraded.rows("SELECT count(mu) FROM seats WHERE match_id = 1"))[0] == (0,)


async def test_nothing_is_held_up_meanwhile(upgraded: Store) -> None:
    """Writes are carried out between its steps, and a start does not wait for it."""
    done: list[int] = []

    async def writes() -> None:
        for number in range(20):
            await upgraded.writer.write([("UPDATE notes SET value = value", ())])
            done.append(number)
            await asyncio.sleep(0)

    tasks = OwnedTasks()
    tasks(work(upgraded), name="rerating")
    await writes()
    assert await upgraded.rows("SELECT count(*) FROM ratings_due") == [(2,)], "it is not done yet"
    await tasks.stop()


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        (log("ligretto", "abort", "dead"), [RatedRound((1, 2)), RatedRound((1, 2))]),
        (log("abort"), []),
        (None, [RatedRound((1, 2)), *[RatedRound((1, 1), idle=())] * 2]),
        (b"no log", [RatedRound((1, 2)), *[RatedRound((1, 1), idle=())] * 2]),
    ],
)
async def test_rounds_are_found_in_the_log_or_else_in_the_result(
    store: Store, kept: bytes | None, expected: list[RatedRound]
) -> None:
    await play(store, match({ANNA: 9, BEN: 5}), kept)
    await old(store)
    await work(store)
    ((text,),) = await store.rows("SELECT rated_rounds FROM matches")
    found = [RatedRound(tuple(one["ranks"]), tuple(one["idle"])) for one in json.loads(str(text))]
    assert found == expected


async def test_a_dropped_match_whose_log_rates_a_round_is_shown(store: Store) -> None:
    forfeit = log("abort")
    events = (
        zlib.decompress(forfeit)
        .decode()
        .replace('{"e": "end"', '{"e": "leave", "p": 1}\n{"e": "end"')
    )
    for kept in (zlib.compress(events.encode()), forfeit):
        await play(store, match({ANNA: 9, BEN: 5}, standing=Standing.DROPPED), kept)
    await old(store)
    await work(store)
    found = await store.rows("SELECT standing FROM matches ORDER BY id")
    assert found == [("practice",), ("dropped",)]


async def test_without_a_log_a_leaver_is_last_in_their_last_round(store: Store) -> None:
    await play(store, match({ANNA: 9, BEN: 5}))
    await store.db.execute("UPDATE seats SET gone = 1 WHERE seat = 0")
    await old(store)
    await work(store)
    ((text,),) = await store.rows("SELECT rated_rounds FROM matches")
    assert [one["ranks"] for one in json.loads(str(text))] == [[1, 2], [1, 1], [2, 1]]


async def test_what_fails_is_tried_again(
    upgraded: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A disk that is full now may not be in an hour."""
    calls: list[Forecast] = []

    async def fails_once(rewriting: Rewriting, due: Due, ready: Forecast) -> None:
        calls.append(ready)
        if len(calls) == 1:
            raise sqlite3.OperationalError("disk full")
        await write(rewriting, due, ready)

    write = Rewriting.write
    monkeypatch.setattr(Rewriting, "write", fails_once)
    await work(upgraded)
    assert "retrying in 3600 s: disk full" in caplog.text
    assert await upgraded.rows("SELECT * FROM ratings_due") == []


async def test_a_server_that_is_deleted_leaves_nothing_to_do(upgraded: Store) -> None:
    await upgraded.archive.delete(OTHER)
    assert await upgraded.rows("SELECT guild FROM ratings_due") == [(GUILD,)]
