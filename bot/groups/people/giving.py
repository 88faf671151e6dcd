"""The orders to forget a person that were given in this group, until all have obeyed."""

import asyncio
import logging
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.known import Groups, KnownGroup, numbers, uncovered
from bot.groups.layout import Layout
from bot.groups.people.feed import Feed, News
from bot.groups.people.obeying import Obeying
from bot.groups.people.orders import Given, Order, OrderStore, Progress, PublishedOrders
from bot.ids import UserId

log = logging.getLogger(__name__)

AGAIN = 60.0
"""Seconds after which every group is told again what it hasn't carried out."""


class Giving:
    """Give orders, and keep each until every group has carried it out.

    An order stands in this group's file before anything is done, and in Valkey, where it is put
    again if that was emptied. It counts as done once each group that is known now has said so, and
    these have all shards: a group that was split or merged since is no longer known, and its data
    is in others.
    """

    def __init__(
        self,
        published: PublishedOrders,
        feed: Feed,
        groups: Groups,
        store: OrderStore,
        obeying: Obeying,
        ways: tuple[Layout, Clock],
    ) -> None:
        self._published = published
        self._layout, self._clock = ways
        self._feed = feed
        self._groups = groups
        self._store = store
        self._obeying = obeying
        self._looked = self._clock.now()
        self._following = asyncio.Lock()
        feed.on("carried out", self._heard)
        feed.on_gap.insert(0, self._adopt)  # before they are carried out here, and noted as that
        feed.on_gap.append(self._compare)

    async def give(self, user: UserId, at: int, groups: Sequence[KnownGroup]) -> Order:
        """Keep an order to forget somebody, carry it out here, and tell every group.

        `at`: Unix ms. `groups`: those that have to, as far as they are known. Those that can't be
        told now are told later.
        """
        order = Order(secrets.token_hex(16), user, at, self._feed.number)
        async with self._following:
            earlier = [one.order for one in await self.kept(user)]
            await self._store.give(order, groups)
            await self._obeying.carry_out(order)
            try:
                await self._tell(order)
                await self._obeying.tell(order)
                await self._store.carried_out(order.id, {self._feed.number})
                for one in earlier:
                    await self._published.withdraw(one)
            except ValkeyAwayError:
                log.info("people: an order to forget somebody waits for Valkey")
        return order

    async def left(self, user: UserId) -> Mapping[KnownGroup, Progress]:
        """Return the groups that haven't carried out an order about somebody.

        Orders that were given in any group count, and those of this one that Valkey hasn't been
        told yet. Raises ValkeyAwayError.
        """
        known = await self._groups.known()
        mine = {one.order.id: one for one in await self._store.given()}
        found: dict[KnownGroup, Progress] = {}
        published = {one.id: one for one in await self._published.all()}
        untold = {number: one.order for number, one in mine.items()}
        for order in (published | untold).values():
            if order.user == user:
                states = await self._published.states(order)
                given = mine.get(order.id, Given(order, (), frozenset()))
                gaps = uncovered(known, self._layout)
                for group in joined(known, given.groups if gaps else (), gaps):
                    state = states.get(group.number, Progress.UNHEARD)
                    if state is not Progress.DONE and group.number not in given.done:
                        found[group] = state
        return found

    async def kept(self, user: UserId) -> Sequence[Given]:
        """Return the orders about somebody in this group's file, for when Valkey is away."""
        return [one for one in await self._store.given() if one.order.user == user]

    async def tick(self) -> None:
        """Drop what is done, and tell again what isn't, every AGAIN seconds."""
        is_time = self._clock.now() >= self._looked + AGAIN
        try:
            if is_time:
                self._looked = self._clock.now()
                await self._follow_up()
            else:
                await self._end_all_done()
        except ValkeyAwayError:
            if await self._store.given():
                log.info("people: orders to forget somebody wait for Valkey")

    async def _adopt(self, is_new: bool) -> None:  # noqa: ARG002, FBT001 as all parts are told
        """Keep the orders of this group of which its file has never heard: it is an older copy."""
        async with self._following:
            kept = {one.order.id for one in await self._store.given()}
            for order in await self._published.all():
                is_ours = order.by == self._feed.number and order.id not in kept
                if is_ours and not await self._store.is_done(order.id):
                    await self._store.adopt(order)

    async def _compare(self, is_new: bool) -> None:  # noqa: ARG002, FBT001 as all parts are told
        await self._follow_up()

    async def _heard(self, news: News) -> None:
        async with self._following:
            for given in await self._store.given():
                if given.order.id == news["id"]:
                    await self._store.carried_out(given.order.id, {news["from"]})
                    done = replace(given, done=given.done | {news["from"]})
                    await self._end_if_done(done, await self._all_groups())

    async def _follow_up(self) -> None:
        """Publish what isn't done, note who has obeyed, and withdraw what is no longer kept."""
        async with self._following:
            kept = {one.order.id: one for one in await self._store.given()}
            published = await self._published.all()
            self._obeying.keep([*published, *(one.order for one in kept.values())])
            for order in published:
                if order.by == self._feed.number and order.id not in kept:
                    await self._published.withdraw(order)
            groups = await self._all_groups() if kept else None
            for given in kept.values():
                states = await self._published.states(given.order)
                done = {group for group, state in states.items() if state is Progress.DONE}
                await self._store.carried_out(given.order.id, done - given.done)
                if not await self._end_if_done(replace(given, done=given.done | done), groups):
                    await self._tell(given.order)

    async def _end_all_done(self) -> None:
        async with self._following:
            kept = await self._store.given()
            groups = await self._all_groups() if kept else None
            for given in kept:
                await self._end_if_done(given, groups)

    async def _tell(self, order: Order) -> None:
        await self._published.publish(order)
        await self._feed.tell("forget", id=order.id, user=order.user, at=order.at)

    async def _all_groups(self) -> frozenset[int] | None:
        """Return the groups that have all shards; None while some group isn't known."""
        known = await self._groups.known()
        return None if uncovered(known, self._layout) else frozenset(numbers(known))

    async def _end_if_done(self, given: Given, groups: frozenset[int] | None) -> bool:
        """Drop an order if every group has carried it out. Return whether it is dropped."""
        if groups is None or not groups <= given.done:
            return False
        await self._store.end(given.order.id)
        await self._published.withdraw(given.order)
        log.info("people: a person was forgotten in every group")
        return True


def joined(*groups: Iterable[KnownGroup]) -> list[KnownGroup]:
    """Return each group once, as it is in the first that has it, in the order of their shards."""
    found: dict[int, KnownGroup] = {}
    for one in (group for some in groups for group in some):
        found.setdefault(one.number, one)
    return sorted(found.values(), key=lambda group: group.shards)
