"""The homes of people's days in a bot of several groups."""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from bot.daily.chain import chain_of
from bot.daily.dates import DayNumber, begins, iso
from bot.daily.marks import mark, shared_key
from bot.groups.away import ValkeyAwayError
from bot.groups.hops.hops import Hops
from bot.groups.hops.press import HandedPress
from bot.groups.layout import Layout
from bot.groups.people.claims import Claims
from bot.ids import GuildId, UserId
from bot.ui.connection.responses import Interaction
from bot.ui.daily.homes import AwayError, HandOver
from bot.ui.daily.secrets import DailySecrets
from bot.ui.presses.handed_over import current

log = logging.getLogger(__name__)

KEPT = 10_000
"""Rounds of this group in memory, so that a press on one needn't ask whose it is. None becomes
another's; those of others may, once their group is gone.
"""


class ClaimStore(Protocol):
    """The claims of this group: the rounds that were begun here."""

    async def keep_key(self, day: DayNumber, key: bytes) -> None:
        """Keep a day's key, under which marks of forgotten people are made, unless it has one."""

    async def has_begun(self, user: UserId, day: DayNumber) -> bool:
        """Return whether somebody has begun a round of a date here."""

    async def begun(self, after: DayNumber | None) -> Mapping[DayNumber, set[UserId]]:
        """Return who has begun a round, by date, of dates whose secret isn't published."""

    async def marks(self, after: DayNumber | None) -> Mapping[DayNumber, set[bytes]]:
        """Return the marks of forgotten people, by date."""


class GroupHomes:
    """`Homes` by claims in Valkey. A day's claim is taken before its first round begins."""

    def __init__(
        self,
        claims: Claims,
        store: ClaimStore,
        secrets: DailySecrets,
        hops: Hops,
        ways: tuple[Layout, int, Callable[[], None]],
    ) -> None:
        self._claims = claims
        self._store = store
        self._secrets = secrets
        self._hops = hops
        self._layout, self._number, self.ended = ways
        self._known: dict[tuple[UserId, DayNumber], int] = {}

    async def elsewhere(self, user: UserId, day: DayNumber) -> int | None:
        found = self._known.get((user, day))
        if found is None and (mine := self._mark(user, day)) is not None:
            try:
                found = await self._claims.holder(iso(day), mine)
                if found not in {None, self._number} and await self._store.has_begun(user, day):
                    found = await self._claims.inherit(iso(day), mine, found)
            except ValkeyAwayError as error:
                raise AwayError from error
        return self._other(user, day, found)

    async def last_elsewhere(self, user: UserId, today: DayNumber) -> int | None:
        if (found := await self.elsewhere(user, today)) is not None:
            return found
        if (user, today) in self._known:
            return None
        found = await self.elsewhere(user, DayNumber(today - 1))
        try:
            return found if found is not None and await self._claims.is_running(found) else None
        except ValkeyAwayError as error:
            raise AwayError from error

    async def claim(self, user: UserId, day: DayNumber) -> int | None:
        mine = self._mark(user, day)
        if mine is None:
            raise AwayError
        await self._store.keep_key(day, self._key(day) or b"")
        try:
            return self._other(user, day, await self._claims.take(iso(day), mine, begins(day)))
        except ValkeyAwayError as error:
            raise AwayError from error

    def hand_over(self, interaction: Interaction) -> HandOver:
        return partial(self._hand_over, interaction, current())

    def is_away(self, guild: GuildId) -> bool:
        return not self._layout.owns(guild)

    async def put_back(self, is_new: bool) -> None:  # noqa: FBT001 as all parts are told
        """Put back the claims of what was begun here, where Valkey has lost them."""
        if not is_new:
            return
        kept: set[tuple[str, str]] = set()
        until = self._secrets.published
        marks = await self._store.marks(until)
        for day, users in (await self._store.begun(until)).items():
            for user in users:
                if (mine := self._mark(user, day)) is not None:
                    kept.add((iso(day), mine))
        for day, found in marks.items():
            kept.update((iso(day), one.hex()) for one in found)
        await self._claims.put_back(kept)

    async def _hand_over(
        self, interaction: Interaction, sent: HandedPress | None, group: int
    ) -> None:
        """Hand an interaction over, once."""
        if sent is None or sent.visited or interaction.response.is_done():
            raise AwayError
        try:
            if not await self._hops.hand_over(sent, group):
                raise AwayError
        except ValkeyAwayError as error:
            raise AwayError from error

    def _other(self, user: UserId, day: DayNumber, found: int | None) -> int | None:
        if found != self._number:
            return found
        if len(self._known) > KEPT:
            self._known.clear()
        self._known[user, day] = found
        return None

    def _mark(self, user: UserId, day: DayNumber) -> str | None:
        key = self._key(day)
        return None if key is None else mark(key, user).hex()

    def _key(self, day: DayNumber) -> bytes | None:
        chain = chain_of(self._secrets.chains, DayNumber(day + 1))
        return None if chain is None else shared_key(chain, day)
