"""The records in SQLite: queries on a read-only connection, changes through the one writer."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

import aiosqlite

from bot.groups.layout import WHOLE, Layout
from bot.ids import GuildId, UserId
from bot.records.badges.badges import Badge
from bot.records.feat_models import (
    Best,
    FallenRecord,
    FavouriteRival,
    Highlight,
    PersonalBests,
    Rivalry,
    ServerRecord,
)
from bot.records.models import (
    History,
    LeaderboardPage,
    ListedMatch,
    MatchDetails,
    Moderated,
    Person,
    Place,
    RatedAt,
    Settings,
    Stats,
    Wanted,
)
from bot.records.periods import Bounds, is_zone
from bot.records.seasons.digest import Week
from bot.store.database.query import rows
from bot.store.database.writer import Writer
from bot.store.feats import card_queries, queries
from bot.store.leaderboards.kept import asked_for
from bot.store.people import deletion, guilds, plain_text, privacy, settings
from bot.store.records import history, leaderboards, match_list, moderation
from bot.store.records.stored_ratings import is_due
from bot.store.seasons import digests
from bot.store.seasons.posts import SqlitePosts
from bot.store.seasons.seasons import SqliteSeasons


class SqliteArchive:
    """The SQLite implementation of `bot.records.archive.Archive`.

    `layout`: the servers of this process. Of others, the archive never decides that they left.
    """

    def __init__(
        self, reader: aiosqlite.Connection, writer: Writer, layout: Layout = WHOLE
    ) -> None:
        self._layout = layout
        self._reader = reader
        self._writer = writer
        self.seasons = SqliteSeasons(reader, writer)
        self.posts = SqlitePosts(reader, writer)

    async def week(self, guild: GuildId, within: Bounds) -> Week:
        return await digests.week(self._reader, guild, within)

    async def leaderboard(self, wanted: Wanted, user: UserId) -> LeaderboardPage:
        found = await leaderboards.leaderboard(self._reader, wanted, user)
        if found.is_missing:
            self._writer.later([asked_for(wanted.guild, wanted.game, wanted.within)])
        return found

    async def stats(self, guild: GuildId, user: UserId, game: str) -> Stats:
        return await leaderboards.stats(self._reader, guild, user, game)

    async def rating_history(self, guild: GuildId, user: UserId, game: str) -> tuple[RatedAt, ...]:
        return await leaderboards.rating_history(self._reader, guild, user, game)

    async def place(self, guild: GuildId, user: UserId, game: str) -> Place | None:
        return await leaderboards.place(self._reader, guild, user, game)

    async def latest_game(self, guild: GuildId) -> str | None:
        return await history.latest_game(self._reader, guild)

    async def history(self, guild: GuildId, page: int) -> History:
        return await history.history(self._reader, guild, page)

    async def listed(self, guild: GuildId, limit: int) -> tuple[ListedMatch, ...]:
        return await match_list.listed(self._reader, guild, limit)

    async def match(self, guild: GuildId, number: int) -> MatchDetails | None:
        return await history.match(self._reader, guild, number)

    async def match_of_table(self, guild: GuildId, table: int) -> MatchDetails | None:
        return await history.match_of_table(self._reader, guild, table)

    async def bests_before(self, guild: GuildId, number: int) -> Mapping[UserId, Best]:
        match = await history.id_of(self._reader, guild, number)
        return await queries.bests_before(self._reader, guild, match)

    async def personal_bests(
        self, guild: GuildId, user: UserId, game: str
    ) -> tuple[PersonalBests, ...]:
        return await queries.personal_bests(self._reader, guild, user, game)

    async def server_records(
        self, guild: GuildId, game: str, variant: str
    ) -> tuple[ServerRecord, ...]:
        return await queries.server_records(self._reader, guild, game, variant)

    async def fallen_records(self, guild: GuildId, number: int) -> tuple[FallenRecord, ...]:
        match = await history.id_of(self._reader, guild, number)
        return await queries.fallen_records(self._reader, guild, match)

    async def person(self, guild: GuildId, user: UserId) -> Person:
        return await queries.person(self._reader, guild, user)

    async def badges(self, guild: GuildId, user: UserId) -> Mapping[Badge, int]:
        return await queries.badges(self._reader, guild, user)

    async def rivalry(self, guild: GuildId, user: UserId, other: UserId, game: str) -> Rivalry:
        return await queries.rivalry(self._reader, guild, user, other, game)

    async def favourite_rival(
        self, guild: GuildId, user: UserId, game: str
    ) -> FavouriteRival | None:
        return await card_queries.favourite_rival(self._reader, guild, user, game)

    async def highlight(self, guild: GuildId, user: UserId, game: str) -> Highlight | None:
        return await card_queries.highlight(self._reader, guild, user, game)

    async def packed_log(self, guild: GuildId, number: int) -> bytes | None:
        return await history.packed_log(self._reader, guild, number)

    async def match_log(self, guild: GuildId, number: int, nameless: str) -> str | None:
        return await history.match_log(self._reader, guild, number, nameless)

    async def settings(self, guild: GuildId) -> Settings:
        return await settings.settings(self._reader, guild)

    async def every_settings(self) -> Mapping[GuildId, Settings]:
        return await settings.every_settings(self._reader)

    async def set(self, guild: GuildId, chosen: Settings) -> None:
        if chosen.time_zone is not None and not is_zone(chosen.time_zone):
            raise ValueError(f"unknown time zone: {chosen.time_zone!r}")
        await self._writer.write([settings.setting(guild, chosen)])

    async def plain_readers(self) -> frozenset[UserId]:
        return await plain_text.plain(self._reader)

    async def read_plainly(self, user: UserId, *, plain: bool) -> None:
        await self._writer.write([plain_text.chosen(user, plain=plain)])

    async def void(self, guild: GuildId, number: int, *, moderator: UserId, at: int) -> bool:
        taken = False
        ready = await moderation.foreseen(self._reader, guild, number)

        async def work(db: aiosqlite.Connection) -> None:
            nonlocal taken
            taken = await moderation.void(db, guild, number, ready, moderator=moderator, at=at)

        await self._writer.write([work], durable=True)
        return taken

    async def ratings_due(self, guild: GuildId, game: str) -> bool:
        return await is_due(self._reader, guild, game)

    async def closed(self, guild: GuildId, table: int, *, moderator: UserId, at: int) -> None:
        await self._writer.write([moderation.noted(guild, at, moderator, "close", table)])

    async def moderated(self, guild: GuildId, limit: int) -> tuple[Moderated, ...]:
        return await moderation.moderated(self._reader, guild, limit)

    async def export(self, user: UserId) -> dict[str, Any]:
        return await privacy.export(self._reader, user)

    async def forget(self, user: UserId) -> None:
        await self._writer.write([partial(privacy.forget, user=user)], durable=True)

    async def joined(self, guild: GuildId, application: int) -> None:
        await self._writer.write([guilds.joined(guild, application)])

    async def left(self, guild: GuildId, application: int, at: int) -> None:
        await self._writer.write([guilds.left(guild, application, at)])

    async def compare(self, application: int, present: Collection[GuildId], at: int) -> None:
        layout = self._layout
        work = partial(
            guilds.compare, application=application, present=present, at=at, layout=layout
        )
        await self._writer.write([work])

    async def purge(self, application: int, now: int) -> None:
        """Delete data past its retention: servers left 30 days ago, and old match logs.

        Servers are deleted by a background job, in small transactions.
        """
        before, layout = now - guilds.KEPT_FOR, self._layout
        work = partial(
            deletion.begin_overdue, application=application, before=before, layout=layout
        )
        await self._writer.write([work], durable=True)
        for statement in await guilds.old_logs(self._reader, now):
            await self._writer.write([statement])

    async def delete(self, guild: GuildId) -> None:
        """Delete all data of a server, in small transactions. Cancelling leaves it to the job."""
        await self._writer.write(deletion.begun(guild), durable=True)
        while (guild,) in await rows(self._reader, deletion.ALL_DUE):
            await self._writer.write([partial(deletion.step, guild=guild)])
