"""What is kept of a person can be had, and can be made nobody's."""

import json
import re
import zlib

from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.records.models import Order, Person, Wanted
from bot.store.people.newcomers import SqliteNewcomers
from bot.tables.state.journal import TableId
from bot.tables.state.message_refs import Direct, Token
from tests.records.played import PlayedMatches
from tests.store.conftest import Store
from tests.store.matches import ANNA, BEN, CHLOE, GUILD, NOON, match, play

LOG = zlib.compress(b'{"e":"start","players":2}\n')


async def everything(store: Store) -> str:
    """All the text and numbers that the database holds."""
    tables = [
        str(name)
        for (name,) in await store.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
    ]
    return repr([await store.rows(f"SELECT * FROM {table}") for table in tables])  # noqa: S608


async def evening(store: Store) -> None:
    for guild in (GUILD, GuildId(78)):
        await play(store, match({ANNA: 9, BEN: 5, CHLOE: 1}, guild=guild), LOG)
        await play(store, match({BEN: 9, ANNA: 5}, guild=guild), LOG)


async def figures(store: Store, *users: UserId) -> list[object]:
    """What a server sees of these people."""
    found: list[object] = []
    for user in users:
        leaderboard = await store.archive.leaderboard(Wanted(GUILD, "ligretto", Order.RATING), user)
        found += [leaderboard.own, await store.archive.stats(GUILD, user, "ligretto")]
        found.append(await store.archive.rating_history(GUILD, user, "ligretto"))
    return found


async def test_an_export_has_all_of_ones_matches_in_every_server(store: Store) -> None:
    await evening(store)
    await store.archive.void(GUILD, 2, moderator=ANNA, at=NOON)
    found = await store.archive.export(ANNA)
    assert json.loads(json.dumps(found)) == found, "it can be written as a file"
    assert [one["server"] for one in found["servers"]] == [GUILD, 78]
    first = found["servers"][0]
    assert first["name"] == "Anna"
    assert [(one["points"], one["standing"]) for one in first["matches"]] == [
        (9, "rated"),
        (5, "void"),
    ]
    assert [(one["round"], one["plus"], one["laid"]) for one in first["rounds"]][:3] == [
        (1, 9, 10),
        (2, 0, 10),
        (3, 0, 10),
    ]
    assert [one["game"] for one in first["ratings"]] == ["ligretto"]
    assert found["moderation"] == [{"server": GUILD, "at": NOON, "action": "void", "subject": 2}]
    assert "Ben" not in json.dumps(found), "nobody else's"


async def test_an_export_says_at_which_open_table_one_sits(store: Store) -> None:
    played = PlayedMatches(store.journal)
    await played.sit("ligretto", (ANNA, BEN))
    found = await store.archive.export(BEN)
    assert [(one["table"], one["what"]) for one in found["tables"]] == [(1, "Seated")]


async def test_an_export_of_a_stranger_is_empty(store: Store) -> None:
    await evening(store)
    assert await store.archive.export(UserId(5)) == {
        "user": 5,
        "servers": [],
        "moderation": [],
        "tables": [],
        "panels": [],
        "direct_panels": [],
        "mentions": [],
        "arenas": [],
        "arena_panels": [],
        "firsts": [],
        "plain_text": False,
        "deletions": [],
        "daily": {"rounds": [], "leaderboards": []},
    }


async def test_first_times_are_kept_exported_and_forgotten(store: Store) -> None:
    newcomers = SqliteNewcomers(store.db, store.writer)
    for user, table in ((ANNA, 7), (BEN, 8), (ANNA, 9)):
        newcomers.first_at(user, "table", TableId(table))
    await store.writer.write([("SELECT 1", ())])
    assert await newcomers.firsts() == [(ANNA, "table", 7), (BEN, "table", 8)]
    found = await store.archive.export(ANNA)
    assert found["firsts"] == [{"what": "table", "table": 7}]
    await store.archive.forget(ANNA)
    assert await newcomers.firsts() == [(BEN, "table", 8)]


async def test_the_wish_for_plain_text_is_kept_exported_and_forgotten(store: Store) -> None:
    for user in (ANNA, BEN, ANNA):
        await store.archive.read_plainly(user, plain=True)
    assert await store.archive.plain_readers() == {ANNA, BEN}
    assert (await store.archive.export(ANNA))["plain_text"]
    await store.archive.forget(ANNA)
    await store.archive.read_plainly(BEN, plain=False)
    assert await store.archive.plain_readers() == set()
    assert not (await store.archive.export(ANNA))["plain_text"]


async def test_panels_and_mentions_are_exported_and_forgotten_too(store: Store) -> None:
    played = PlayedMatches(store.journal)
    await played.sit("ligretto", (ANNA, BEN))
    for user in (ANNA, BEN):
        store.places.panel_at(TableId(1), user, Token("secret", MessageId(11), 1.5), "de")
        store.places.direct_at(TableId(1), user, Direct(ChannelId(500 + user), MessageId(12)), "de")
        store.places.mention_at(TableId(1), user, ChannelId(88), MessageId(user))
    await store.places.remember("barrier", "")
    found = await store.archive.export(ANNA)
    assert found["panels"] == [{"table": 1, "message": 11, "born": 1500, "locale": "de"}]
    assert found["direct_panels"] == [
        {"table": 1, "channel": 500 + ANNA, "message": 12, "locale": "de"}
    ]
    assert found["mentions"] == [{"table": 1, "channel": 88, "message": ANNA}]
    assert "secret" not in json.dumps(found)
    await store.archive.forget(ANNA)
    assert [user for user, *_ in await store.places.panels(TableId(1))] == [BEN]
    assert [user for user, *_ in await store.places.direct_panels(TableId(1))] == [BEN]
    assert [user for user, *_ in await store.places.mentions(TableId(1))] == [BEN]


async def test_who_is_forgotten_is_found_nowhere(store: Store) -> None:
    await evening(store)
    await store.archive.void(GUILD, 2, moderator=ANNA, at=NOON)
    await store.archive.forget(ANNA)
    text = await everything(store)
    assert "Anna" not in text
    assert re.search(rf"(?<![\d.]){ANNA}(?!\d)", text) is None, "digits of a rating are no id"
    assert (await store.archive.export(ANNA))["servers"] == []
    assert (await store.archive.stats(GUILD, ANNA, "ligretto")).matches == 0
    assert await store.archive.match_log(GUILD, 1, "nobody") == (
        '{"e":"start","players":2,"names":["nobody","Ben","Chloe"]}\n'
    )


async def test_nobody_elses_figures_change(store: Store) -> None:
    await evening(store)
    before = await figures(store, BEN, CHLOE)
    leaderboard = await store.archive.leaderboard(Wanted(GUILD, "ligretto", Order.RATING), BEN)
    await store.archive.forget(ANNA)
    assert await figures(store, BEN, CHLOE) == before
    after = await store.archive.leaderboard(Wanted(GUILD, "ligretto", Order.RATING), BEN)
    assert [(one.place, one.rating, one.wins) for one in after.rows] == [
        (one.place, one.rating, one.wins) for one in leaderboard.rows
    ]
    assert Person(None, None) in [one.person for one in after.rows]


async def test_forgetting_twice_changes_nothing_more(store: Store) -> None:
    await evening(store)
    await store.archive.forget(ANNA)
    once = await everything(store)
    await store.archive.forget(ANNA)
    assert await everything(store) == once


async def test_two_who_are_forgotten_stay_two(store: Store) -> None:
    await evening(store)
    await store.archive.forget(ANNA)
    await store.archive.forget(BEN)
    leaderboard = await store.archive.leaderboard(Wanted(GUILD, "ligretto", Order.WINS), CHLOE)
    assert [one.person.user for one in leaderboard.rows] == [None, None, CHLOE]
    assert leaderboard.own is not None


async def test_who_plays_again_is_somebody_new(store: Store) -> None:
    await evening(store)
    await store.archive.forget(ANNA)
    await play(store, match({ANNA: 9, CHLOE: 5}))
    stats = await store.archive.stats(GUILD, ANNA, "ligretto")
    assert (stats.matches, stats.wins, stats.person.name) == (1, 1, "Anna")
    leaderboard = await store.archive.leaderboard(Wanted(GUILD, "ligretto", Order.WINS), ANNA)
    assert [one.person.user for one in leaderboard.rows].count(None) == 1
    assert (await store.archive.stats(GuildId(78), ANNA, "ligretto")).matches == 0
    await store.archive.forget(ANNA)
    assert "Anna" not in await everything(store)


async def test_a_table_whose_match_is_over_forgets_as_well(store: Store) -> None:
    """Also who is only held a seat there, or is its host."""
    played = PlayedMatches(store.journal)
    table = await played.sit("ligretto", (ANNA, BEN), options={"rounds": "1"})
    await played.play_all(table)
    await played.press(table, BEN, "rematch")
    again = next(one for one in played.tables.index if one.id != table.id)
    await played.press(again, CHLOE, "join")
    await played.play_all(again)

    await store.archive.forget(ANNA)

    text = await everything(store)
    assert f"user {ANNA}" not in text
    assert f'"host":{ANNA}' not in text.replace(" ", "")
    assert f'"user":{ANNA}' not in text.replace(" ", "")
    stored = await store.journal.read_open()
    await (fresh := PlayedMatches(store.journal)).tables.resume(stored, 99)
    totals = {one.id: one.session.totals for one in fresh.tables.index}
    assert totals == {table.id: table.session.totals, again.id: again.session.totals}


async def test_a_match_that_is_going_on_is_played_to_its_end(store: Store) -> None:
    played = PlayedMatches(store.journal)
    table = await played.sit("ligretto", (ANNA, BEN))
    await played.begin(table)
    await store.archive.forget(ANNA)
    await played.play(table)
    await played.play_all(table)
    assert (await store.archive.stats(GUILD, ANNA, "ligretto")).matches == 1


async def test_a_seat_asked_for_in_the_next_match_is_exported_and_forgotten(store: Store) -> None:
    """At once, and in what a restart reads: nobody has a place in the queue."""
    played = PlayedMatches(store.journal)
    table = await played.sit("ligretto", (ANNA, BEN))
    await played.begin(table)
    await played.press(table, CHLOE, "next")
    assert [one.user for one in table.session.queue] == [CHLOE]
    found = await store.archive.export(CHLOE)
    assert [(one["table"], one["what"]) for one in found["tables"]] == [(1, "Queued")]

    await store.archive.forget(CHLOE)
    await played.tables.forget(CHLOE)

    assert (await store.archive.export(CHLOE))["tables"] == []
    assert f"user {CHLOE}" not in await everything(store)
    stored = await store.journal.read_open()
    await (fresh := PlayedMatches(store.journal)).tables.resume(stored, 99)
    (again,) = fresh.tables.index
    assert again.session.queue == table.session.queue == ()
