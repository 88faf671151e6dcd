"""What a channel has taught is kept over a restart, and goes with its server."""

from bot.ids import ChannelId, GuildId
from bot.store.people.guilds import KEPT_FOR
from bot.store.tables.paces import SqlitePaces
from bot.ui.limits.channel_pace import FULL, Pace
from bot.ui.limits.edit_budget import Budget, CountedChannel
from bot.ui.limits.headers import Scope
from tests.store.conftest import Store, purged
from tests.store.matches import NOON
from tests.tables.clock import HandClock

APP = 1
HERE, THERE = (
    CountedChannel(ChannelId(880), ChannelId(88), GuildId(77)),
    CountedChannel(ChannelId(89), ChannelId(89), GuildId(78)),
)


async def learned(store: Store) -> SqlitePaces:
    """One channel has refused a call, another has taken very many."""
    paces = SqlitePaces(store.db, store.writer)
    budget = Budget(HandClock(), paces)
    sent = budget.spend(HERE)
    budget.refused(HERE, whose=Scope.CHANNEL, wait=0.5, sent=sent)
    for _ in range(70):
        budget.spend(THERE)
        budget.taken(THERE)
    await store.writer.write([])
    return paces


async def test_next_process_knows_what_was_learned(store: Store) -> None:
    paces = await learned(store)
    clock = HandClock()
    await clock.advance(5)
    budget = Budget(clock, paces)
    await budget.recall()
    assert budget.pace(HERE) == Pace(FULL / 2, is_limited=True, since=5)
    assert budget.pace(THERE).is_free
    assert budget.pace(CountedChannel(ChannelId(881), ChannelId(88), GuildId(77))).is_limited, (
        "another thread of the same channel"
    )


async def test_little_is_written(store: Store) -> None:
    """A change of what is kept to, and not every call."""
    statements = await store.traced()
    await learned(store)
    assert sum(one.startswith("INSERT INTO paces") for one in statements) == 3


async def test_paces_go_with_their_server(store: Store) -> None:
    paces = await learned(store)
    await store.archive.joined(GuildId(77), APP)
    await store.archive.left(GuildId(77), APP, NOON)
    await purged(store, APP, NOON + KEPT_FOR)
    assert [channel for channel, *_ in await paces.paces()] == [THERE.home]
