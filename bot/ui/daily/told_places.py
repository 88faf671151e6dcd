"""Results told to the groups whose servers they were played on, until these have them."""

import asyncio
import logging

from bot.clock import Clock
from bot.daily.dates import DayNumber, day_at
from bot.daily.places import Placed, PlaceStore
from bot.daily.result import Result
from bot.groups.away import ValkeyAwayError
from bot.groups.layout import Layout
from bot.groups.people.feed import Feed, News
from bot.groups.people.forgotten import Forgotten
from bot.ids import GuildId, UserId

log = logging.getLogger(__name__)

AGAIN = 60.0
"""Seconds after which what nobody took is told again."""


class ToldPlaces:
    """The results that go from group to group."""

    def __init__(
        self,
        feed: Feed,
        store: PlaceStore,
        layout: Layout,
        forgotten: Forgotten,
        clock: Clock,
    ) -> None:
        self._feed = feed
        self._store = store
        self._layout = layout
        self._forgotten = forgotten
        self._clock = clock
        self._told = clock.now()
        self._is_new = asyncio.Event()
        feed.on("place", self._got)
        feed.on("placed", self._has)
        feed.on_gap.append(self._again)

    def ended(self) -> None:
        """Tell at once: a round has ended."""
        self._is_new.set()

    async def place(self, one: Placed) -> bool:
        """Keep a result that another group tells. Return False for one that is to be forgotten."""
        if one.day <= day_at(self._forgotten.until(one.user) / 1000):
            return False
        await self._store.place(one)
        return True

    async def tick(self) -> None:
        """Tell every AGAIN seconds what nobody took."""
        if self._clock.now() >= self._told + AGAIN:
            await self._tell()

    async def run(self) -> None:
        """Tell results as they come, until cancelled."""
        while True:
            await self._clock.park(self._is_new.wait(), "results for other groups")
            self._is_new.clear()
            await self._tell()

    async def _again(self, is_new: bool) -> None:  # noqa: ARG002, FBT001 as all parts are told
        self._is_new.set()

    async def _tell(self) -> None:
        self._told = self._clock.now()
        try:
            for one in await self._store.to_tell():
                there = {"guild": one.guild, "day": one.day, "game": one.game, "user": one.user}
                result = {"points": one.result.points, "presses": one.result.presses}
                await self._feed.tell("place", **there, name=one.name, **result)
        except ValkeyAwayError:
            log.info("daily: results on other groups' servers wait for Valkey")

    async def _got(self, news: News) -> None:
        guild = GuildId(news["guild"])
        if not self._layout.owns(guild):
            return
        day, user = DayNumber(news["day"]), UserId(news["user"])
        result = Result(news["points"], news["presses"])
        if not await self.place(Placed(guild, day, news["game"], user, news["name"], result)):
            return
        there = {"guild": guild, "day": day, "game": news["game"], "user": user}
        await self._feed.tell("placed", **there)

    async def _has(self, news: News) -> None:
        there = (GuildId(news["guild"]), DayNumber(news["day"]))
        await self._store.told(*there, news["game"], UserId(news["user"]))
