"""Panels whose tokens die together are told in time, each by its own writer."""

import asyncio
import re
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from bot.ids import ChannelId, GuildId, MessageId
from bot.tables.presses.discord_time import DiscordTime
from bot.tables.running.supervisor import Supervisor
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.message_refs import TOKEN_LIFE, Token
from bot.tasks import OwnedTasks
from bot.ui.connection.lean_http.replies import Headers, Reply
from bot.ui.limits.channel_pace import of_a_minute
from bot.ui.limits.edit_budget import Budget, CountedChannel
from bot.ui.panel_states.last_words import EARLY, SPARE, DyingToken, starts
from bot.ui.panels.context import PanelContext
from bot.ui.tables.messages import LOOK, TableMessages
from tests.simulate.loop import VirtualLoop
from tests.simulate.process import VirtualClock
from tests.tables.table import SlowJournal
from tests.tables.unowned import never, new_table
from tests.ui.matches import PEOPLE, live, lobby

CHANNELS, AT_A_TABLE, TABLES = 50, 10, 2
HANG = range(3)
"""Channels in which every edit hangs."""
SLOW = range(3, 8)
"""Channels that have shown a limit of a dozen calls a minute."""
MOST, MOST_SLOW = 30, 12
"""Calls that a channel takes in a minute."""
LEFT = 200.0
"""Seconds for which the tokens still live at first."""
BORN_WITHIN = 20.0
_PATH = re.compile(r"/webhooks/1/([^/]+)/messages/(\d+)$")


def test_one_panel_is_told_in_its_last_minute() -> None:
    assert starts([DyingToken(left=100.0, channel=ChannelId(1), gap=2.0)], gap=0.1) == [
        100.0 - EARLY
    ]


def test_panels_of_a_slow_channel_begin_in_the_order_in_which_they_die() -> None:
    endings = [DyingToken(100.0 + number, ChannelId(1), 5.0) for number in range(20)]
    begin = starts(endings, gap=0.1)
    assert begin == sorted(begin)
    assert max(begin) <= 119.0 - EARLY
    assert begin[0] <= 119.0 - SPARE - 19 * 5.0


def test_a_slow_channel_makes_no_other_begin_earlier() -> None:
    slow = [DyingToken(100.0, ChannelId(1), 5.0) for _ in range(20)]
    *_, other = starts([*slow, DyingToken(100.0, ChannelId(2), 1.0)], gap=0.01)
    assert other == 100.0 - EARLY


def test_all_that_die_at_once_begin_as_early_as_the_bot_needs() -> None:
    begin = starts(
        [DyingToken(1000.0, ChannelId(channel), 1.0) for channel in range(4000)], gap=1 / 40
    )
    assert min(begin) == pytest.approx(1000.0 - SPARE - 3999 / 40)


@dataclass
class Discord:
    """Takes edits by tokens as Discord does: so many a minute in a channel, or never answers."""

    now: Any
    most: Mapping[int, int]
    last_words: dict[str, float] = field(default_factory=dict)
    refused: int = 0
    taken: dict[int, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    async def request(self, _: str, path: str, body: bytes, **__: object) -> Reply:
        found = _PATH.search(path)
        assert found is not None, path
        token, message = found[1], found[2]
        await asyncio.sleep(0.05)
        if int(message) // 1000 in HANG:
            await asyncio.sleep(3600.0)
        return self._answer(token, message, body)

    def _answer(self, token: str, message: str, data: bytes) -> Reply:
        channel = int(message) // 1000
        now, taken = self.now(), self.taken[channel]
        while taken and taken[0] <= now - 60.0:
            taken.popleft()
        if len(taken) >= self.most[channel]:
            self.refused += 1
            pause = taken[0] + 60.0 - now
            return Reply(
                429, Headers({b"x-ratelimit-scope": b"shared"}), b'{"retry_after":%f}' % pause
            )
        taken.append(now)
        if b"timed out" in data:
            self.last_words[token] = now
        return Reply(200, Headers({}), f'{{"id":"{message}"}}'.encode())


class Notes:
    """Keeps nothing."""

    def panel_at(self, *_: object, **__: object) -> None: ...
    def panel_gone(self, *_: object) -> None: ...
    def direct_at(self, *_: object, **__: object) -> None: ...
    def direct_gone(self, *_: object) -> None: ...


async def _never(_: Table) -> None:
    raise AssertionError("no table is given up")


@dataclass
class SimulatedBot:
    """Tables in many channels, and panels of all who sit there. `dies`: by token, loop time."""

    messages: TableMessages
    discord: Discord
    dies: dict[str, float] = field(default_factory=dict)

    def seat(self, clock: VirtualClock) -> None:
        """Two tables of ten in each channel. A panel's message tells its channel."""
        session = live(lobby(PEOPLE[:AT_A_TABLE]))
        births = iter(range(CHANNELS * TABLES * AT_A_TABLE))
        for number in range(CHANNELS * TABLES):
            here = replace(session, channel=ChannelId(number // TABLES))
            table = new_table(TableId(number + 1), here, 10, SlowJournal(), clock)
            for seat in range(AT_A_TABLE):
                birth = next(births) * 7919 % 1000 / 1000 * BORN_WITHIN
                token = f"t{number}s{seat}"
                message = MessageId(here.channel * 1000 + number % TABLES * 20 + seat)
                born = clock.wall() - (TOKEN_LIFE - LEFT) + birth
                self.dies[token] = clock.now() + LEFT + birth
                user = session.chairs[seat].user
                assert user is not None, "people sit there"
                panel = self.messages.panels.of(table, user, "en-US")
                panel.restore(Token(token, message, born))
                panel.draw_again()

    def deaths(self) -> dict[int, dict[str, float]]:
        """When each token of a channel dies."""
        found: dict[int, dict[str, float]] = defaultdict(dict)
        for token, dies in self.dies.items():
            found[int(token[1:].partition("s")[0]) // TABLES][token] = dies
        return found


@asynccontextmanager
async def simulated_bot() -> AsyncIterator[SimulatedBot]:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    clock, tasks = VirtualClock(loop), OwnedTasks()
    budget = Budget(clock)
    most = {one: MOST_SLOW if one in SLOW else MOST for one in range(CHANNELS)}
    for one in SLOW:
        limited = of_a_minute(MOST_SLOW, 0.0)
        budget.rehearsed(CountedChannel(ChannelId(one), ChannelId(one), GuildId(77 + one)), limited)
    emojis: Any = SimpleNamespace(faces={}, doubt=lambda _: False)
    unused: Any = None
    plain: Any = set()
    newcomers: Any = SimpleNamespace(is_first=lambda *_: False)
    notes: Any = Notes()
    supervisor = Supervisor(tasks, _never, clock, never)
    time = DiscordTime(clock)
    discord = Discord(clock.now, most)
    client: Any = SimpleNamespace(application_id=1, lean=discord)
    router = PanelContext(
        client, notes, budget, supervisor, clock, emojis, plain, newcomers, unused, time, unused
    )
    messages = TableMessages(router, notes, lambda _: False, lambda _: False, unused)
    try:
        yield SimulatedBot(messages, discord)
    finally:
        await tasks.stop()


async def test_a_thousand_panels_in_fifty_channels_are_all_told() -> None:
    """They die within 20 seconds. Three channels hang, and five take a dozen calls a minute."""
    async with simulated_bot() as sim:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        sim.seat(VirtualClock(loop))
        until = max(sim.dies.values()) + 30.0
        while loop.time() < until:
            await asyncio.sleep(LOOK)
            await sim.messages.tick()
        told = sim.discord.last_words
        for channel, dies in sim.deaths().items():
            order = sorted(dies, key=dies.__getitem__)
            left = {token: dies[token] - told.get(token, inf) for token in order}
            if channel in HANG:
                assert set(left.values()) == {-inf}
                continue
            assert min(left.values()) > 0, channel
            assert order == sorted(dies, key=told.__getitem__), "those first that die first"
            if channel not in SLOW:
                assert max(left.values()) <= EARLY + LOOK, "no panel sleeps before it has to"
        assert all(panel.token is None for panel in sim.messages.panels)
