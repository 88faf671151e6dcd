"""Servers that remove the bot, invite it again, or are out for a while, over real sockets."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.fakediscord import Server, World
from bot.groups.group import Group
from bot.groups.layout import Layout, shard_of
from bot.ids import ChannelId, GuildId, UserId
from bot.store.people.guilds import KEPT_FOR
from bot.tables.state.session import Phase
from bot.ui.servers import lifecycle
from tests.loopback.bots import PATIENCE, bot_here, clock_here
from tests.loopback.players import Player, all_ready, seated


def noted(database: Path) -> dict[int, bool]:
    """The servers in the records, and whether the bot has left each."""
    with closing(sqlite3.connect(database)) as db:
        return {guild: left is not None for guild, left in db.execute(LISTED)}


LISTED = "SELECT guild, left_at FROM guilds"


def is_noted(database: Path, guild: int, *, left: bool) -> Callable[[], bool]:
    return lambda: noted(database).get(guild) is left


async def until(condition: Callable[[], bool]) -> None:
    """The server tells only what it has seen itself; the database is looked at again and again."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 SQLite tells nobody
            await asyncio.sleep(0.05)


async def test_a_server_that_removes_the_bot_has_its_tables_closed_at_once(
    tmp_path: Path,
) -> None:
    database = tmp_path / "removed.db"
    async with Server() as server, bot_here(server, database) as here:
        stays = server.all_channels[0]
        gone = server.add_guild("gone")
        channel = next(iter(gone.channels.values()))
        await until(is_noted(database, gone.id, left=False))
        await seated(server, channel, ["anna", "ben"], 3)
        anna = Player(server, server.user("anna"), stays)
        _ = await anna.open()
        table = here.app.tables.index.at(ChannelId(channel.id))
        assert table is not None

        server.kick_bot(gone)
        await until(lambda: table.session.phase is Phase.CLOSED)
        assert here.app.tables.index.at(ChannelId(channel.id)) is None
        assert here.app.tables.index.elsewhere(GuildId(gone.id), UserId(anna.user.id)) is None
        assert here.app.tables.index.at(ChannelId(stays.id)) is not None, "others play on"
        await until(is_noted(database, gone.id, left=True))

        server.invite_bot(gone)
        await until(is_noted(database, gone.id, left=False))
        ben = Player(server, server.user("ben"), channel)
        _ = await ben.open()
        assert here.app.tables.index.at(ChannelId(channel.id)) is not None


async def test_a_removal_while_the_bot_was_away_is_found_at_the_start(tmp_path: Path) -> None:
    database = tmp_path / "away.db"
    async with Server() as server:
        gone, out = server.add_guild("gone"), server.add_guild("out")
        channel = next(iter(gone.channels.values()))
        async with bot_here(server, database) as here:
            await until(is_noted(database, gone.id, left=False))
            await seated(server, channel, ["anna", "ben"], 3)
        server.gateway.enforce_identify = False
        await until(lambda: not server.gateway.ready)
        server.kick_bot(gone)
        server.outage(out)
        async with bot_here(server, database) as here:
            await until(here.client.is_ready)
            found = here.client.get_guild(out.id)
            assert found is not None
            assert found.unavailable
            await until(is_noted(database, gone.id, left=True))
            assert noted(database)[out.id] is False, "it is only out"
            await until(lambda: not list(here.app.tables.index))


async def test_a_server_that_moved_to_another_group_keeps_its_tables(tmp_path: Path) -> None:
    """Its shard isn't connected here any more, so that Discord doesn't list it."""
    database = tmp_path / "moved.db"
    async with Server() as server:
        guilds = [server.add_guild("one"), server.add_guild("other"), server.add_guild("third")]
        gone, moved = (
            next(one for one in guilds if shard_of(GuildId(one.id), 2) == shard) for shard in (0, 1)
        )
        async with bot_here(server, database):
            for guild, people in ((gone, ["anna", "ben"]), (moved, ["cem", "dora"])):
                await until(is_noted(database, guild.id, left=False))
                await seated(server, next(iter(guild.channels.values())), people, 3)
        server.gateway.enforce_identify = False
        await until(lambda: not server.gateway.ready)
        server.kick_bot(gone)
        server.kick_bot(moved)
        async with bot_here(server, database, group=Group(Layout(2, (0,)))) as here:
            await until(is_noted(database, gone.id, left=True))
            await until(lambda: len([*here.app.tables.index]) == 1)
            (table,) = here.app.tables.index
            assert table.session.opened.guild == moved.id
            assert noted(database)[moved.id] is False


async def test_an_outage_is_no_removal(tmp_path: Path) -> None:
    database = tmp_path / "outage.db"
    async with Server() as server, bot_here(server, database) as here:
        channel = server.all_channels[0]
        guild = channel.guild
        assert guild is not None
        await until(is_noted(database, guild.id, left=False))
        await seated(server, channel, ["anna", "ben"], 3)
        server.outage(guild)
        found = here.client.get_guild(guild.id)
        assert found is not None
        await until(lambda: found.unavailable)
        await asyncio.sleep(0.3)
        table = here.app.tables.index.at(ChannelId(channel.id))
        assert table is not None
        assert table.session.phase is Phase.READY
        server.outage(guild, on=False)
        await until(lambda: not found.unavailable)
        assert noted(database) == {guild.id: False}


async def test_another_applications_start_deletes_nothing(tmp_path: Path) -> None:
    """With another token, in other servers, years later: what the first one left stays."""
    database = tmp_path / "application.db"
    async with Server() as server:
        guild = server.all_channels[0].guild
        assert guild is not None
        async with bot_here(server, database):
            await until(is_noted(database, guild.id, left=False))
    with closing(sqlite3.connect(database)) as db:
        db.execute("INSERT INTO settings (guild, defaults) VALUES (?, '{}')", (guild.id,))
        db.execute("UPDATE guilds SET left_at = 1")
        db.commit()
    async with Server() as other:
        mine = other.all_channels[0].guild
        assert mine is not None
        assert mine.id != guild.id
        assert other.app_id != server.app_id
        async with bot_here(other, database) as here:
            await until(is_noted(database, mine.id, left=False))
            await here.running.servers.tidy()
    with closing(sqlite3.connect(database)) as db:
        assert db.execute("SELECT count(*) FROM settings").fetchone() == (1,)
    assert noted(database)[guild.id] is True


async def test_the_tables_of_another_application_go_on_when_it_is_back(tmp_path: Path) -> None:
    """Started with another token by mistake, the bot neither ends them nor touches them."""
    database = tmp_path / "mistake.db"
    async with Server() as server, Server(world=World(worker=1)) as other:
        channel = server.all_channels[0]
        async with bot_here(server, database):
            players = await seated(server, channel, ["anna", "ben"], 3)
        async with bot_here(other, database) as here:
            await until(here.client.is_ready)
            await until(lambda: not here.running.servers.is_due)
            assert not list(here.app.tables.index)
            carl = Player(other, other.user("carl"), other.all_channels[0])
            _ = await carl.open()
        server.gateway.enforce_identify = False
        async with bot_here(server, database) as here:
            (table,) = here.app.tables.index
            assert table.session.phase is Phase.READY
            for player in players:
                _ = await player.press("Ready")
            await players[1].sees("Flip")


async def test_a_panel_keeps_its_language_after_a_restart(tmp_path: Path) -> None:
    database = tmp_path / "language.db"
    async with Server() as server:
        channel, anna = server.all_channels[0], server.user("anna", "de")
        async with bot_here(server, database):
            _ = await Player(server, anna, channel).open()
        server.gateway.enforce_identify = False
        async with bot_here(server, database) as here:
            (table,) = here.app.tables.index
            messages = here.running.messages
            await until(lambda: messages.panels.get(table.id, UserId(anna.id)) is not None)
            panel = messages.panels.get(table.id, UserId(anna.id))
            assert panel is not None
            assert (panel.screen.locale, table.session.opened.locale) == ("de", "en-US")


async def test_a_panel_that_a_power_cut_has_made_unknown_wakes_at_a_press(tmp_path: Path) -> None:
    """The last seconds before it are lost: where a panel was, and that the cards were dealt."""
    database = tmp_path / "cut.db"
    async with Server() as server:
        async with bot_here(server, database):
            anna, ben = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
            await all_ready([anna, ben])
            await ben.sees("Flip")
        with closing(sqlite3.connect(database)) as db:
            db.execute("DELETE FROM panels")
            db.execute(
                "DELETE FROM journal WHERE seq >= "
                "(SELECT min(seq) FROM journal WHERE kind = 'Readied')"
            )
            db.commit()
        server.gateway.enforce_identify = False
        async with bot_here(server, database):
            before = ben.panel
            _ = await ben.press("Flip")
            await ben.sees("Ready")
            assert ben.panel is before


def has_settings(database: Path) -> list[int]:
    with closing(sqlite3.connect(database)) as db:
        return [guild for (guild,) in db.execute("SELECT guild FROM settings")]


async def test_who_came_back_while_the_bot_was_away_keeps_everything(
    tmp_path: Path,
) -> None:
    """Nothing is deleted before it is known who is there; what is overdue then goes."""
    database = tmp_path / "back.db"
    async with Server() as server:
        back = server.all_channels[0].guild
        assert back is not None
        async with bot_here(server, database):
            await until(is_noted(database, back.id, left=False))
        long_ago = int(clock_here().wall() * 1000) - KEPT_FOR - 1
        with closing(sqlite3.connect(database)) as db:
            application = db.execute("SELECT application FROM guilds").fetchone()[0]
            for guild in (back.id, 5):
                db.execute("INSERT INTO settings (guild, defaults) VALUES (?, '{}')", (guild,))
            db.execute("INSERT INTO guilds VALUES (5, ?, NULL)", (application,))
            db.execute("UPDATE guilds SET left_at = ?", (long_ago,))
            db.commit()
        server.gateway.enforce_identify = False
        async with bot_here(server, database):
            await until(lambda: 5 not in noted(database))
            await until(lambda: has_settings(database) == [back.id])
        assert noted(database) == {back.id: False}


async def test_tidying_up_is_done_once_a_day_and_tried_again_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    database = tmp_path / "daily.db"
    async with Server() as server, bot_here(server, database) as here:
        guild = server.all_channels[0].guild
        assert guild is not None
        await until(is_noted(database, guild.id, left=False))
        tidier, clock = here.running.servers, here.app._clock

        def is_due() -> bool:
            return tidier.is_due

        await until(lambda: (tidier._due or 0) > clock.now() + lifecycle.AGAIN + 1)
        now = clock.now()
        monkeypatch.setattr(clock, "now", lambda: now + lifecycle.DAY - 60)
        assert not is_due()
        monkeypatch.setattr(clock, "now", lambda: now + lifecycle.DAY + 60)
        assert is_due()

        async def fails(*_: object) -> None:
            raise OSError("the disk is gone")

        monkeypatch.setattr(here.app.archive, "purge", fails)
        await tidier.tidy()
        assert "daily cleanup failed" in caplog.text
        assert not is_due()
        monkeypatch.setattr(clock, "now", lambda: now + lifecycle.DAY + 60 + lifecycle.AGAIN)
        assert is_due()


async def test_what_a_sick_disk_does_not_take_is_noted_soon_after(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = tmp_path / "sick.db"
    async with Server() as server, bot_here(server, database) as here:
        stays = server.all_channels[0].guild
        assert stays is not None
        await until(is_noted(database, stays.id, left=False))
        await asyncio.sleep(1)
        disk, tidier = here.app.database.writing, here.running.servers
        await disk.execute("PRAGMA query_only = ON")
        new = server.add_guild("new")
        await until(lambda: "could not record that the bot was added" in caplog.text)
        await tidier.tidy()
        assert "daily cleanup failed: attempt to write a readonly database" in caplog.text
        assert not any(record.exc_info for record in caplog.records), "in few words"
        assert not tidier.is_due
        await disk.execute("PRAGMA query_only = OFF")
        await asyncio.sleep(lifecycle.SOON + 10)
        assert noted(database) == {stays.id: False, new.id: False}
