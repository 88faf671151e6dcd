"""The parts of a process that is one group of several, by which it reaches the others."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import version

from bot.composition.core import Core
from bot.groups.away import ValkeyAwayError
from bot.groups.hops.hops import Hops
from bot.groups.known import RecordedGroups
from bot.groups.people.asking import Asking
from bot.groups.people.chain_list import ChainList
from bot.groups.people.claims import Claims
from bot.groups.people.feed import Feed
from bot.groups.people.forgotten import Forgotten
from bot.groups.people.giving import Giving
from bot.groups.people.obeying import Obeying
from bot.groups.people.orders import Order, OrderStore, PublishedOrders
from bot.groups.people.switches import Switches
from bot.groups.presence import Presence
from bot.groups.slowdowns import Slowdowns
from bot.groups.turns import ValkeyTurns
from bot.ids import UserId
from bot.settings.home import NAME
from bot.store.daily.claims import SqliteClaims
from bot.store.daily.daily import SqliteDaily
from bot.store.daily.places import SqlitePlaces
from bot.store.people.orders import SqliteOrders
from bot.store.people.shared_plain_text import SqlitePlainText
from bot.store.tables.origins import SqliteOrigins
from bot.store.tables.paces import SqlitePaces
from bot.tasks import Ticking, Work
from bot.ui.caches.shared_plain_text_users import SharedPlainTextUsers
from bot.ui.connection.client import Client
from bot.ui.daily.group_homes import GroupHomes
from bot.ui.daily.group_leaderboards import GroupLeaderboards
from bot.ui.daily.parts import DailyParts
from bot.ui.daily.shared_chains import SharedChains
from bot.ui.daily.told_places import ToldPlaces
from bot.ui.limits.edit_budget import Budget
from bot.ui.limits.shared.grouped import GroupTurns
from bot.ui.people.all_groups import AllGroups, Ways
from bot.ui.people.everywhere import Everywhere
from bot.ui.people.own_data import OwnData
from bot.ui.presses.fence import fence
from bot.ui.presses.handed_over import HandedOver


class SeveralGroups:
    """Implements `Across` of `bot.composition.groups`, over Valkey.

    `stored` has the tables of this group's database, which were born in the groups `born`.
    """

    def __init__(
        self, core: Core, client: Client, stored: SqliteOrigins, born: Iterable[int]
    ) -> None:
        group, now = core.group, core.tables.discord.now
        assert group.valkey is not None, "there are other groups"
        self._core, self._valkey, self._now = core, group.valkey, now
        fence(client, group.is_sure)
        self._groups = RecordedGroups(group.valkey, group.layout)
        self._feed = Feed(group.valkey, group.number, core.clock, now)
        self._asking = Asking(group.valkey, self._feed, group.number, core.clock, core.tasks)
        self.ticking: list[Ticking] = []
        self.work: dict[str, Work] = {"news of other groups": self._feed.run}
        self.budget = self._shared_budget()
        self._hops = self._handing_over(client, stored, born)
        self.work |= {**self._for_all(client), **self._hops.work}
        reading, writer = core.database.reading, core.writer
        self._orders = SqliteOrders(reading, writer)
        self._published = PublishedOrders(group.valkey)
        store = SqlitePlainText(reading, writer)
        self._forgotten = Forgotten()
        self._plain = Switches("plain", group.valkey, self._feed, store, self._forgotten, now)
        self.plain = SharedPlainTextUsers(self._plain)
        self.agree = SharedChains(ChainList(group.valkey, self._feed, self._groups)).agree

    def everywhere(self, own: OwnData) -> Everywhere:
        core, group = self._core, self._core.group
        people = PeopleHere(own, self._orders, self._plain)
        obeying = Obeying(self._published, self._feed, self._orders, people, self._forgotten)
        ways = (group.layout, core.clock)
        giving = Giving(self._published, self._feed, self._groups, self._orders, obeying, ways)
        self.ticking += (obeying, giving)
        there = (self._groups, self._asking, giving)
        return AllGroups(own, Ways(group.number, group.layout, *there, core.clock, self._now))

    def join(self, daily: DailyParts) -> None:
        core, group = self._core, self._core.group
        reading, writer, layout = core.database.reading, core.writer, group.layout
        stored = SqlitePlaces(reading, writer)
        places = ToldPlaces(self._feed, stored, layout, self._forgotten, core.clock)
        daily.rounds.homes = homes = GroupHomes(
            Claims(self._valkey, self._feed, self._groups, layout),
            SqliteClaims(reading, writer),
            daily.secrets,
            self._hops,
            (layout, group.number, places.ended),
        )

        daily.replies.leaderboard = GroupLeaderboards(
            SqliteDaily(reading, writer), places, self._asking, self._groups, layout
        ).of

        async def put_back_chains(_: bool) -> None:  # noqa: FBT001 as all parts are told
            await daily.secrets.compare()

        self._feed.on_gap += (homes.put_back, put_back_chains)
        self.ticking.append(places)
        self.work["results for other groups"] = places.run

    async def begin(self) -> None:
        await self._feed.begin()

    def _shared_budget(self) -> Budget:
        """Return the budget of this process, which shares its own calls with other groups."""
        core, turns = self._core, ValkeyTurns(self._valkey)
        paces = SqlitePaces(core.database.writing, core.writer)
        share = core.group.layout.share
        return Budget(core.clock, paces, GroupTurns(core.clock, share, turns, core.tasks))

    def _handing_over(self, client: Client, stored: SqliteOrigins, born: Iterable[int]) -> Hops:
        core = self._core
        here = HandedOver(client, core.tables.index, core.load, core.clock, core.tasks, stored.has)
        hops = Hops(core.group, born, self._groups, here, core.clock, core.tasks)
        if core.group.layout.owns_direct_messages:
            here.divert(hops.put)
        return hops

    def _for_all(self, client: Client) -> Mapping[str, Work]:
        """Return the work by which this group acts for all, is seen, and slows down with them."""
        core, number = self._core, self._core.group.number
        limited = self.budget.rate_limited
        slow = Slowdowns(self._valkey, number, core.clock, core.tasks, limited)
        self.rate_limited = slow.rate_limited
        counts = (client.connected, lambda: len(client.guilds))
        seen = Presence(self._valkey, core.group, version(NAME), *counts, core.clock)
        return {"once": core.once.run, "presence": seen.run, "slowdowns": slow.run}


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
        with suppress(ValkeyAwayError):  # it is done again before Valkey hears that this is done
            await self.forget_choices(order)

    async def forget_choices(self, order: Order) -> None:
        await self._plain.forget(order.user, order.at)
