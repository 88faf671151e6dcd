"""Where messages and panels are comes back after a restart."""

import asyncio
from dataclasses import replace

from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.store.database.writer import BEHIND
from bot.tables.presses.discord_time import DiscordTime
from bot.tables.state.events import Closed, Moved
from bot.tables.state.journal import JournalLine, TableId
from bot.tables.state.message_refs import Direct, PicturePlace, TablePlace, Token
from bot.ui.limits.picture_lessons import DOUBTED_AFTER, Lesson, ServerLessons
from tests.store.conftest import Store
from tests.store.lines import line, opening
from tests.store.matches import GUILD
from tests.tables.clock import HandClock

ONE, TWO = TableId(1), TableId(2)


async def test_a_table_nobody_has_shown_yet_is_nowhere(store: Store) -> None:
    await store.journal.append(opening(1), durable=False)
    assert await store.places.place(ONE) == TablePlace()
    assert await store.places.place(TWO) == TablePlace()


async def test_a_message_is_under_way_and_then_there(store: Store) -> None:
    first, *seats = opening(1)
    opened = [replace(first, token="a secret"), *seats, *opening(2)]
    await store.journal.append(opened, durable=False)
    await store.places.posting(ONE, "1-123")
    assert await store.places.place(ONE) == TablePlace(None, "a secret", "1-123")

    store.places.message_at(ONE, MessageId(555))
    await store.places.remember("barrier", "")
    assert await store.places.place(ONE) == TablePlace(MessageId(555), None, None)
    assert await store.places.place(TWO) == TablePlace()


async def test_a_message_that_is_posted_anew_is_known_with_the_old_one(store: Store) -> None:
    await store.journal.append(opening(1), durable=False)
    store.places.message_at(ONE, MessageId(555))
    await store.places.posting(ONE, "1-124")
    assert await store.places.place(ONE) == TablePlace(MessageId(555), None, "1-124")


async def test_a_panel_has_one_place_and_its_newest_token(store: Store) -> None:
    await store.journal.append([*opening(1), *opening(2)], durable=False)
    newest = Token("newer", MessageId(12), 1_800_000_100.25)
    store.places.panel_at(ONE, UserId(1001), Token("old", MessageId(11), 1_800_000_000.5), "de")
    store.places.panel_at(ONE, UserId(1001), newest, "fr")
    store.places.panel_at(ONE, UserId(1002), Token("ben's", MessageId(13), 1.0), "de")
    store.places.panel_at(TWO, UserId(1001), Token("elsewhere", MessageId(14), 2.0), "de")
    await store.places.remember("barrier", "")
    assert sorted(await store.places.panels(ONE)) == [
        (1001, newest, "fr"),
        (1002, Token("ben's", MessageId(13), 1.0), "de"),
    ]

    store.places.panel_gone(ONE, UserId(1001))
    await store.places.remember("barrier", "")
    assert await store.places.panels(ONE) == [(1002, Token("ben's", MessageId(13), 1.0), "de")]

    store.places.panels_gone(ONE)
    await store.places.remember("barrier", "")
    assert await store.places.panels(ONE) == []
    assert await store.places.panels(TWO) == [(1001, Token("elsewhere", MessageId(14), 2.0), "de")]


async def test_newer_token_of_a_known_message_is_written_behind(store: Store) -> None:
    """A new message is stored with the next move, and its newer tokens within two seconds."""
    await store.journal.append(opening(1), durable=False)
    place(store, "first")
    place(store, "second", is_known=True)
    place(store, "third", is_known=True)
    await store.journal.append([line(1, 1, Moved(0, "r1"))], durable=False)
    assert await tokens(store) == ["first", "first"]
    await asyncio.sleep(BEHIND + 0.1)
    assert await tokens(store) == ["third", "third"]


async def test_no_deletion_is_overtaken_by_a_token_written_behind(store: Store) -> None:
    await store.journal.append([*opening(1), *opening(2)], durable=False)
    closed = [JournalLine(ONE, 9, 0, Closed("table.closed.version"))]
    for delete in (
        lambda: gone(store),
        lambda: store.archive.forget(UserId(1001)),
        lambda: asyncio.gather(store.journal.append(closed, durable=False), tidied(store)),
        lambda: store.archive.delete(GUILD),
    ):
        place(store, "first")
        place(store, "second", is_known=True)
        await delete()
        await asyncio.sleep(2 * BEHIND)
        assert await tokens(store) == []


def place(store: Store, token: str, *, is_known: bool = False) -> None:
    """Store a panel in the channel and one in direct messages."""
    told = Token(token, MessageId(11), 1.0)
    store.places.panel_at(ONE, UserId(1001), told, token, is_known=is_known)
    direct = Direct(ChannelId(500), MessageId(12))
    store.places.direct_at(ONE, UserId(1001), direct, token, is_known=is_known)


async def tokens(store: Store) -> list[object]:
    """The languages stored, which are named like the tokens."""
    sql = "SELECT locale FROM panels UNION ALL SELECT locale FROM direct_panels"
    return [locale for (locale,) in await store.rows(sql)]


async def gone(store: Store) -> None:
    store.places.panel_gone(ONE, UserId(1001))
    store.places.direct_gone(ONE, UserId(1001))


async def tidied(store: Store) -> None:
    store.places.tidy(0.0)


async def test_a_letter_has_one_place_too_and_goes_with_its_table(store: Store) -> None:
    await store.journal.append([*opening(1), *opening(2)], durable=False)
    store.places.direct_at(ONE, UserId(1001), Direct(ChannelId(500), MessageId(11)), "de")
    store.places.direct_at(ONE, UserId(1001), Direct(ChannelId(500), MessageId(12)), "de")
    store.places.direct_at(ONE, UserId(1002), Direct(ChannelId(501), MessageId(13)), "de")
    store.places.direct_at(TWO, UserId(1001), Direct(ChannelId(500), MessageId(14)), "de")
    store.places.direct_gone(ONE, UserId(1002))
    await store.places.remember("barrier", "")
    assert await store.places.direct_panels(ONE) == [
        (1001, Direct(ChannelId(500), MessageId(12)), "de")
    ]

    store.places.panels_gone(ONE)
    await store.places.remember("barrier", "")
    assert await store.places.direct_panels(ONE) == []
    assert await store.places.direct_panels(TWO) == [
        (1001, Direct(ChannelId(500), MessageId(14)), "de")
    ]


async def test_picture_of_its_own_goes_with_its_table(store: Store) -> None:
    await store.journal.append([*opening(1), *opening(2)], durable=False)
    for table in (ONE, TWO):
        store.places.picture_at(table, PicturePlace(1, ChannelId(500), MessageId(11)))
        store.places.picture_at(table, PicturePlace(2, ChannelId(500), MessageId(12)))
    await store.places.remember("barrier", "")
    assert await store.places.picture(ONE) == PicturePlace(2, ChannelId(500), MessageId(12))
    store.places.panels_gone(ONE)
    await store.places.remember("barrier", "")
    assert await store.places.picture(ONE) is None
    await store.journal.append(
        [JournalLine(TWO, 9, 0, Closed("table.closed.version"))], durable=False
    )
    store.places.tidy(0.0)
    await store.places.remember("barrier", "")
    assert await store.places.picture(TWO) is None


async def test_lesson_is_kept_until_it_is_old(store: Store) -> None:
    clock = HandClock()
    learned = ServerLessons(store.places, DiscordTime(clock))
    learned.learn(GuildId(77), Lesson.PICTURES_APART)
    await store.places.remember("barrier", "")
    again = ServerLessons(store.places, DiscordTime(clock))
    assert not again.holds(GuildId(77), Lesson.PICTURES_APART)
    await again.recall()
    for one in (learned, again):
        assert one.holds(GuildId(77), Lesson.PICTURES_APART)
        assert not one.holds(GuildId(78), Lesson.PICTURES_APART)
    clock.unix += DOUBTED_AFTER
    assert not again.holds(GuildId(77), Lesson.PICTURES_APART)


async def test_what_the_bot_remembers_of_itself_can_change(store: Store) -> None:
    assert await store.places.note("commands") is None
    await store.places.remember("commands", "abc")
    await store.places.remember("commands", "def")
    assert await store.places.note("commands") == "def"


def test_a_token_is_never_shown() -> None:
    assert "secret" not in repr(Token("secret", MessageId(1), 1.0))
    assert "secret" not in repr(TablePlace(MessageId(1), "secret"))


async def test_panels_of_closed_tables_are_gone_after_a_start(store: Store) -> None:
    """Those of a table that was closed because nobody can read it, for one."""
    await store.journal.append([*opening(1), *opening(2)], durable=False)
    for table in (ONE, TWO):
        store.places.panel_at(table, UserId(1001), Token("a secret", MessageId(11), 1.0), "de")
        store.places.direct_at(table, UserId(1002), Direct(ChannelId(500), MessageId(12)), "de")
    await store.journal.append(
        [JournalLine(ONE, 9, 0, Closed("table.closed.version"))], durable=False
    )
    store.places.tidy(0.0)
    await store.places.remember("barrier", "")
    assert await store.rows("SELECT table_id FROM panels") == [(TWO,)]
    assert await store.rows("SELECT table_id FROM direct_panels") == [(TWO,)]
