"""The orders to forget a person that this group has to carry out."""

import logging
from collections.abc import Iterable

from bot.groups.away import ValkeyAwayError
from bot.groups.people.feed import Feed, News
from bot.groups.people.forgotten import Forgotten
from bot.groups.people.orders import Order, OrderStore, People, Progress, PublishedOrders
from bot.ids import UserId

log = logging.getLogger(__name__)


class Obeying:
    """Carry out each order once, and nothing that is newer than the order.

    What was ordered while this group was away is carried out at the start, before presses are
    taken. At a start without Valkey nobody can tell: what somebody plays until it is back is newer
    than the order, which then waits for another one.
    """

    def __init__(
        self,
        published: PublishedOrders,
        feed: Feed,
        store: OrderStore,
        people: People,
        forgotten: Forgotten,
    ) -> None:
        self._published = published
        self._feed = feed
        self._store = store
        self._people = people
        self._forgotten = forgotten
        self._waiting: dict[str, Order] = {}
        feed.on("forget", self._heard)
        feed.on_gap.insert(0, self._compare)  # before choices of theirs are told again

    async def carry_out(self, order: Order) -> None:
        """Forget a person. Their earlier orders, which had to wait here, are done by that."""
        self._forgotten.add(order.user, order.at)
        await self._people.forget(order)
        self._waiting.pop(order.id, None)
        log.info("people: a person was forgotten in this group")
        for one in [one for one in self._waiting.values() if one.user == order.user]:
            if one.at <= order.at:
                await self.carry_out(one)

    async def tell(self, order: Order) -> None:
        """Tell every group that an order is carried out here. Raises ValkeyAwayError.

        By then Valkey has forgotten the person, too, and so has this group what others have told of
        them since.
        """
        self._forgotten.add(order.user, order.at)
        await self._store.forget_places(order)
        await self._people.forget_choices(order)
        await self._published.note(order, self._feed.number, Progress.DONE)
        await self._feed.tell("carried out", id=order.id)

    async def tick(self) -> None:
        """Carry out what had to wait, if it can be done now."""
        try:
            for order in list(self._waiting.values()):
                await self._try(order)
        except ValkeyAwayError:
            log.info("people: an order to forget somebody waits for Valkey")

    def keep(self, orders: Iterable[Order]) -> None:
        """Let others tell again of whomever no order is about any more."""
        self._forgotten.keep({order.user for order in orders})

    async def _compare(self, is_new: bool) -> None:  # noqa: ARG002, FBT001 as all parts are told
        for order in await self._published.all():
            await self._try(order)

    async def _heard(self, news: News) -> None:
        await self._try(Order(news["id"], UserId(news["user"]), news["at"], news["from"]))

    async def _try(self, order: Order) -> None:
        """Carry out an order if it can be done now, and tell its state."""
        if await self._store.is_done(order.id):
            self._waiting.pop(order.id, None)
            await self.tell(order)
        elif self._people.playing(order.user):
            await self._wait(order, Progress.WAITS)
        elif await self._store.has_newer(order.user, order.at):
            await self._wait(order, Progress.NEWER)
        else:
            await self.carry_out(order)
            await self.tell(order)

    async def _wait(self, order: Order, why: Progress) -> None:
        if order.id not in self._waiting:
            self._waiting[order.id] = order
            log.info("people: an order to forget somebody waits here: %s", why.value)
        await self._published.note(order, self._feed.number, why)
