"""The parts by which the groups of a bot share what they know of people."""

from collections.abc import Callable, Coroutine
from typing import Any

from bot.composition.core import Core
from bot.groups.known import RecordedGroups
from bot.groups.people.asking import Asking
from bot.groups.people.chain_list import ChainList
from bot.groups.people.claims import Claims
from bot.groups.people.feed import Feed
from bot.groups.people.giving import Giving
from bot.groups.people.handing import Handing, Payload
from bot.groups.people.obeying import Obeying
from bot.groups.people.orders import Order, OrderStore, PublishedOrders
from bot.groups.people.switches import Switches
from bot.ids import UserId
from bot.store.daily.claims import SqliteClaims
from bot.store.daily.places import SqlitePlaces
from bot.store.people.orders import SqliteOrders
from bot.store.people.shared_plain_text import SqlitePlainText
from bot.tasks import Ticking
from bot.ui.caches.shared_plain_text_users import SharedPlainTextUsers
from bot.ui.connection.client import Client
from bot.ui.daily.group_homes import GroupHomes
from bot.ui.daily.parts import DailyParts
from bot.ui.daily.secrets import Agree
from bot.ui.daily.shared_chains import SharedChains
from bot.ui.daily.told_places import ToldPlaces
from bot.ui.people.all_groups import AllGroups, Ways
from bot.ui.people.everywhere import Everywhere
from bot.ui.people.own_data import OwnData
from bot.ui.presses.raw_payloads import RawPayloads


class PeopleOfGroups:
    """The feed, and what hears it."""

    def __init__(self, core: Core) -> None:
        group = core.group
        assert group.valkey is not None, "there are other groups"
        self._core, self._valkey = core, group.valkey
        self._groups = RecordedGroups(group.valkey, group.layout)
        self._now = core.tables.discord.now
        self.feed = Feed(group.valkey, group.number, core.clock, self._now)
        self.ticking: list[Ticking] = []
        self._work: list[tuple[Callable[[], Coroutine[Any, Any, None]], str]] = []
        self._orders = SqliteOrders(core.database.reading, core.writer)
        self._published = PublishedOrders(group.valkey)
        store = SqlitePlainText(core.database.reading, core.writer)
        self._plain = Switches("plain", group.valkey, self.feed, store, self._now)
        self.plain = SharedPlainTextUsers(self._plain)

    def everywhere(self, own: OwnData) -> Everywhere:
        """Return what `/privacy` asks in all groups."""
        core, group = self._core, self._core.group
        people = PeopleHere(own, self._orders, self._plain)
        obeying = Obeying(self._published, self.feed, self._orders, people)
        ways = (group.layout, core.clock)
        giving = Giving(self._published, self.feed, self._groups, self._orders, obeying, ways)
        self.ticking += (obeying, giving)
        asking = Asking(self._valkey, self.feed, group.number, core.clock, core.tasks)
        return AllGroups(
            own,
            Ways(group.number, group.layout, self._groups, asking, giving, core.clock, self._now),
        )

    @property
    def agree(self) -> Agree:
        """The way in which the groups agree on chains of dailies."""
        return SharedChains(ChainList(self._valkey, self.feed, self._groups)).agree

    def join(self, daily: DailyParts, client: Client) -> None:
        """Have each person's dailies in one group. Called once."""
        core, group = self._core, self._core.group
        reading, writer, layout = core.database.reading, core.writer, group.layout
        places = ToldPlaces(self.feed, SqlitePlaces(reading, writer), layout, core.clock)
        handing = Handing(self._valkey, group.number, core.clock, self._now)
        payloads = RawPayloads(client)

        def take(payload: Payload, age: float) -> None:
            client.handed_over(int(payload["id"]), age)
            payloads.take(payload)

        handing.take = take
        claims = Claims(self._valkey, self.feed, self._groups, layout)
        daily.rounds.homes = homes = GroupHomes(
            claims,
            SqliteClaims(reading, writer),
            daily.secrets,
            handing,
            (layout, group.number, places.ended),
        )

        async def put_back_chains(_: bool) -> None:  # noqa: FBT001 as all parts are told
            await daily.secrets.tick()

        self.feed.on_gap += (homes.put_back, put_back_chains)
        self.ticking.append(places)
        self._work += [
            (handing.run, "dailies handed over by other groups"),
            (places.run, "results for other groups"),
        ]

    async def begin(self) -> None:
        """Do what was missed, before presses are taken."""
        await self.feed.begin()

    @property
    def work(self) -> tuple[tuple[Callable[[], Coroutine[Any, Any, None]], str], ...]:
        """The work that goes on as long as the bot runs, each with its name."""
        return ((self.feed.run, "news of other groups"), *self._work)


class PeopleHere:
    """The people of this process, whom an order may be about."""

    def __init__(self, own: OwnData, orders: OrderStore, plain: Switches) -> None:
        self._own = own
        self._orders = orders
        self._plain = plain

    def playing(self, user: UserId) -> tuple[str, ...]:
        return self._own.playing(user)

    async def forget(self, order: Order) -> None:
        async def stored(_: UserId) -> None:
            await self._orders.forget(order)

        await self._own.forget(order.user, stored)
        await self._plain.forget(order.user, order.at)
