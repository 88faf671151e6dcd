"""The index of open tables: by id, by channel, and by the people at them."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

from bot.ids import ChannelId, GuildId, UserId
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase


class TableIndex:
    """One table per channel, one seat per person and server. A match that is over takes neither.

    An arena takes a channel as a table does. Its own tables take none: they are found by id and by
    their people. `arenas`: by channel, a link to the arena that takes it.
    """

    def __init__(self) -> None:
        self.arenas: dict[ChannelId, str] = {}
        self._tables: dict[TableId, Table] = {}
        self._channels: dict[ChannelId, TableId] = {}
        self._places: dict[TableId, ChannelId] = {}
        self._persons: dict[tuple[GuildId, UserId], TableId] = {}
        self._arrived: dict[tuple[GuildId, UserId], list[asyncio.Future[Any]]] = {}
        self._seated: dict[TableId, tuple[object, frozenset[UserId]]] = {}

    def __iter__(self) -> Iterator[Table]:
        return iter(tuple(self._tables.values()))

    def records_changed(self, guild: GuildId | None = None) -> None:
        """Have matches that are over, of one server or all, show what the records have now."""
        for table in self:
            if guild in (None, table.session.opened.guild):
                table.records_changed()

    def get(self, table_id: TableId) -> Table | None:
        return self._tables.get(table_id)

    def at(self, channel: ChannelId) -> Table | None:
        """Return the table in play in a channel, or else the newest one whose match is over."""
        newest = self._tables.get(self._channels.get(channel, TableId(0)))
        if newest is None or _in_play(newest):
            return newest
        here = (self._tables.get(other) for other, at in self._places.items() if at == channel)
        return next((table for table in here if table is not None and _in_play(table)), newest)

    def in_play_at(self, channel: ChannelId) -> bool:
        """Return whether a table is in a lobby or a match in a channel."""
        table = self.at(channel)
        return table is not None and _in_play(table)

    def in_play(self, guild: GuildId) -> int:
        """Count the tables of a server that are in a lobby or a match, without those of arenas."""
        return sum(
            _in_play(table) and table.session.opened.arena is None
            for table in self
            if table.session.opened.guild == guild
        )

    def elsewhere(self, guild: GuildId, user: UserId, here: Table | None = None) -> Table | None:
        """Return another table of this server where this person sits, or None."""
        table = self._tables.get(self._persons.get((guild, user), TableId(0)))
        return None if table is here else table

    def arrived(self, guild: GuildId, user: UserId, turn: asyncio.Future[Any]) -> None:
        """Note a turn that may seat this person. What they ask for later comes after it."""
        turns = self._arrived.setdefault((guild, user), [])
        turns.append(turn)
        turn.add_done_callback(partial(self._had_turn, (guild, user)))

    def _had_turn(self, person: tuple[GuildId, UserId], turn: asyncio.Future[Any]) -> None:
        self._arrived[person].remove(turn)
        if not self._arrived[person]:
            del self._arrived[person]

    def earlier(
        self, guild: GuildId, user: UserId, here: Table | None = None
    ) -> tuple[asyncio.Future[Any], ...]:
        """Return the turns to wait for until it is known where this person sits.

        They are what they have asked for, and the last turn in line at another table where they
        sit.
        """
        seated = self.elsewhere(guild, user, here)
        last = seated.turns.last if seated is not None else None
        asked = self._arrived.get((guild, user), ())
        return tuple(asked) if last is None else (*asked, last)

    def enter(self, table: Table) -> None:
        self._tables[table.id] = table
        self._places.pop(table.id, None)
        self.note(table)

    def note(self, table: Table) -> None:
        """Bring the index up to date with a table. Cheap when nobody and nothing has moved."""
        if table.id not in self._tables:
            return
        session = table.session
        if session.opened.arena is None:
            self._moves_to(table, session.channel)
        playing = _in_play(table)
        chairs = session.chairs if playing else None
        known, before = self._seated.get(table.id, (None, frozenset[UserId]()))
        if known is chairs:
            return
        users = (session.chairs[seat].user for seat in session.humans_in if playing)
        seated = frozenset(user for user in users if user is not None)
        guild = session.opened.guild
        for user in before - seated:
            if self._persons.get((guild, user)) == table.id:
                del self._persons[guild, user]
        for user in seated:
            self._persons[guild, user] = table.id
        self._seated[table.id] = (chairs, seated)

    def remove(self, table: Table) -> None:
        guild = table.session.opened.guild
        self._tables.pop(table.id, None)
        self._leaves(table)
        _, seated = self._seated.pop(table.id, (None, frozenset[UserId]()))
        for user in seated:
            if self._persons.get((guild, user)) == table.id:
                del self._persons[guild, user]

    def _moves_to(self, table: Table, channel: ChannelId) -> None:
        """Note the channel of a table. It is the table there, unless another is in play."""
        if self._places.get(table.id) == channel:
            return
        self._leaves(table)
        there = self.at(channel)
        self._places[table.id] = channel
        if there is None or not _in_play(there):
            self._channels[channel] = table.id

    def _leaves(self, table: Table) -> None:
        channel = self._places.pop(table.id, None)
        if channel is None or self._channels.get(channel) != table.id:
            return
        del self._channels[channel]
        for other, place in self._places.items():
            if place == channel and other in self._tables and _in_play(self._tables[other]):
                self._channels[channel] = other


def _in_play(table: Table) -> bool:
    return table.session.phase not in (Phase.OVER, Phase.CLOSED)
