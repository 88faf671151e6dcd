"""The secrets of dailies: drawn once, kept in memory, and published in their time."""

import logging
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import TypeAlias

from bot.daily.chain import Chain, agreed, chain_of, lacking, to_come
from bot.daily.dates import DayNumber, day_at, newest_over, publishes
from bot.daily.store import DailyStore
from bot.tables.presses.discord_time import DiscordTime
from bot.ui.daily.homes import AwayError

log = logging.getLogger(__name__)

Agree: TypeAlias = Callable[[tuple[Chain, ...], Chain | None], Awaitable[tuple[Chain, ...]]]
"""Offers chains for the days to come, and perhaps a new one, and returns the whole bot's.

Raises AwayError.
"""
SHARED = 12
"""Ticks after which all groups are asked again for chains, though none is missing here."""
KEPT = 50
"""Secrets in memory, so that no press waits for thousands of hashes."""


class DailySecrets:
    """The chains of secrets, by Discord's clock.

    `draw` returns unguessable bytes: their SHA-256 is a chain's last secret.

    What is published stays published, however the clock is set: a date whose secret may be known is
    never played again, even after a restart.
    """

    def __init__(
        self,
        store: DailyStore,
        time: DiscordTime,
        draw: Callable[[], bytes],
        passes: Callable[[Exception], bool],
        agree: Agree | None = None,
    ) -> None:
        self._store = store
        self._time = time
        self._draw = draw
        self._passes = passes
        self._agree = agree
        self._floor: DayNumber | None = None
        self._known: dict[DayNumber, bytes] = {}
        self._ticks = 0
        self.chains: tuple[Chain, ...] = ()

    async def begin(self) -> None:
        """Read what is stored, and do what is due. Raises what the store's reading does."""
        self.chains = await self._store.chains()
        self._floor = await self._store.published()
        for chain in self.chains:
            log.info("daily: chain: %s", chain)
        await self.tick()

    async def compare(self) -> None:
        """Do what is due, and compare the chains with those of all groups now."""
        self._ticks = 0
        await self.tick()

    async def tick(self) -> None:
        """Do what is due. A failure is logged, and the next tick tries again."""
        try:
            await self._due()
        except Exception as error:
            if self._passes(error):
                log.warning("daily: chain or published day not stored, retrying: %s", error)
            else:
                log.exception("daily: chain or published day not stored, retrying")

    async def _due(self) -> None:
        """Draw a chain when there is none for the days to come, and publish what is over."""
        today = self.today
        if self._agree is not None:
            if self._ticks % SHARED == 0 or lacking(self.chains, today) is not None:
                await self._share(self._agree, today)
            self._ticks += 1
        elif (first := lacking(self.chains, today)) is not None:
            chain = self._drawn(first)
            await self._store.add(chain)
            self.chains = (*self.chains, chain)
            log.info("daily: new chain: %s", chain)
        over = newest_over(self._time.now())
        if self._floor is None or over > self._floor:
            await self._store.publish(over)
            self._floor = over
            self._known = {day: one for day, one in self._known.items() if day > over}

    def _drawn(self, first: DayNumber) -> Chain:
        return Chain(first, sha256(self._draw()).digest())

    async def _share(self, agree: Agree, today: DayNumber) -> None:
        """Take over the whole bot's chains for the days to come, and draw one if all lack it.

        Without the other groups nothing is drawn.
        """
        try:
            chains = agreed(self.chains, await agree(to_come(self.chains, today), None), today)
            if (first := lacking(chains, today)) is not None:
                kept = to_come(chains, today)
                chains = agreed(chains, await agree(kept, self._drawn(first)), today)
        except AwayError:
            return
        if set(chains) != set(self.chains):
            await self._store.replace(chains)
            self.chains = chains
            self._known.clear()
            for chain in to_come(chains, today):
                log.info("daily: chain of all groups: %s", chain)

    @property
    def today(self) -> DayNumber:
        return day_at(self._time.now())

    @property
    def published(self) -> DayNumber | None:
        """The newest date whose secret is published, as noted."""
        return self._floor

    def is_published(self, day: DayNumber) -> bool:
        """Return whether a date's secret is or should be published: its rounds are closed."""
        return (self._floor is not None and day <= self._floor) or (
            self._time.now() >= publishes(day)
        )

    def secret(self, day: DayNumber) -> bytes | None:
        """Return a date's secret; None without a chain for it. It is for deals and logs only."""
        if day not in self._known:
            chain = chain_of(self.chains, day)
            if chain is None:
                return None
            if len(self._known) > KEPT:
                self._known.clear()
            self._known[day] = chain.secret(day)
        return self._known[day]
