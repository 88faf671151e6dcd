"""The leaderboards of dailies in a bot of several groups: each is in the file of its server's."""

from typing import Any, Protocol

import orjson

from bot.daily.dates import DayNumber
from bot.daily.places import Placed
from bot.daily.result import Result
from bot.daily.store import Leaderboard, LeaderboardRow, RoundKey
from bot.groups.away import ValkeyAwayError
from bot.groups.entries import Entries
from bot.groups.known import Groups
from bot.groups.layout import Layout, shard_of
from bot.groups.people.asking import Asking
from bot.groups.people.feed import News
from bot.ids import GuildId, UserId
from bot.ui.daily.told_places import ToldPlaces

PATIENCE = 1.0
"""Seconds in which the other group has to answer. Discord waits for 3 (PLATFORM 1)."""
QUESTION = "leaderboard"


class LeaderboardStore(Protocol):
    """The leaderboards in this group's file."""

    async def leaderboard(self, guild: GuildId, key: RoundKey) -> Leaderboard: ...


class GroupLeaderboards:
    """Leaderboards of every server. `places`: the results that groups tell each other.

    The question to another group has the person's own result, which may not have been told yet.
    """

    def __init__(
        self,
        store: LeaderboardStore,
        places: ToldPlaces,
        asking: Asking,
        groups: Groups,
        layout: Layout,
    ) -> None:
        self._store = store
        self._places = places
        self._asking = asking
        self._groups = groups
        self._layout = layout
        self._entries = Entries("leaderboards of dailies")
        asking.answers[QUESTION] = self._answer

    async def of(self, guild: GuildId, key: RoundKey) -> Leaderboard | None:
        """Return a server's leaderboard; None if its group doesn't answer in time."""
        here = await self._store.leaderboard(guild, key)
        if self._layout.owns(guild) or here.own is None:
            return here
        result = {"points": here.own.result.points, "presses": here.own.result.presses}
        there = {"guild": guild, "day": key.day, "game": key.game, "name": here.own.name, **result}
        try:
            groups = [
                one.number for one in await self._groups.known() if self._has(one.shards, guild)
            ]
        except ValkeyAwayError:
            return None
        found = await self._asking.ask(QUESTION, key.user, groups, PATIENCE, **there)
        told = [one for one in found.values() if isinstance(one, bytes)]
        return next(iter(self._entries.each(told, _read)), None)

    def _has(self, shards: tuple[int, ...], guild: GuildId) -> bool:
        return shard_of(guild, self._layout.count or 1) in shards

    async def _answer(self, news: News) -> bytes:
        guild, day, user = GuildId(news["guild"]), DayNumber(news["day"]), UserId(news["user"])
        result = Result(news["points"], news["presses"])
        await self._places.place(Placed(guild, day, news["game"], user, news["name"], result))
        found = await self._store.leaderboard(guild, RoundKey(user, day, news["game"]))
        rows = [_written(row) for row in found.rows]
        return orjson.dumps([rows, found.players, found.own and _written(found.own)])


def _written(row: LeaderboardRow) -> list[object]:
    return [row.place, row.user, row.name, row.result.points, row.result.presses]


def _read(answer: bytes) -> Leaderboard:
    rows, players, own = orjson.loads(answer)
    return Leaderboard(tuple(map(_row, rows)), int(players), None if own is None else _row(own))


def _row(written: Any) -> LeaderboardRow:  # noqa: ANN401 JSON
    place, user, name, points, presses = written
    return LeaderboardRow(
        int(place), UserId(int(user)), str(name), Result(int(points), int(presses))
    )
