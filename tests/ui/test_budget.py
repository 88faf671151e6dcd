"""Edits keep to Discord's limits and to the order in which they were asked for."""

from collections.abc import AsyncIterator

import pytest

from bot.tables.supervisor import Crew
from bot.ui.budget import Budget
from tests.tables.clock import HandClock, settle

CHANNEL = 88


class Counter:
    """A budget, and when each edit that asked for its turn got it."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.budget = Budget(self.clock)
        self.crew = Crew()
        self.urgent = {"!"}
        self.went: list[tuple[float, str]] = []

    async def ask(self, *edits: str, channel: int = CHANNEL) -> None:
        for edit in edits:
            self.crew(self._edit(edit, channel), name=edit)
            await settle()

    async def _edit(self, edit: str, channel: int) -> None:
        await self.budget.take(channel, urgent=lambda: edit in self.urgent)
        self.went.append((self.clock.now(), edit))

    @property
    def order(self) -> str:
        return "".join(edit for _, edit in self.went)

    def by(self, seconds: float) -> int:
        """How many had gone by then."""
        return sum(when <= seconds + 1e-6 for when, _ in self.went)


@pytest.fixture
async def counter() -> AsyncIterator[Counter]:
    counter = Counter()
    yield counter
    await counter.crew.stop()


async def test_six_go_at_once_and_then_six_a_second(counter: Counter) -> None:
    await counter.ask(*"x" * 24)
    await counter.clock.advance(10)
    assert [counter.by(t) for t in (0, 1, 2, 3)] == [6, 12, 18, 24]


async def test_after_a_pause_no_more_go_at_once_than_before(counter: Counter) -> None:
    await counter.ask(*"x" * 6)
    await counter.clock.advance(3600)
    counter.went.clear()
    await counter.ask(*"x" * 12)
    await counter.clock.advance(10)
    assert counter.by(3600) == 6
    assert counter.by(3601) == 12


async def test_who_asked_first_goes_first(counter: Counter) -> None:
    await counter.ask(*"abcdefghijkl")
    await counter.clock.advance(0.5)
    await counter.ask(*"mnop")
    await counter.clock.advance(10)
    assert counter.order == "abcdefghijklmnop"


async def test_a_busy_channel_does_not_hold_up_another(counter: Counter) -> None:
    await counter.ask(*"a" * 12)
    await counter.clock.advance(0.5)
    counter.went.clear()
    await counter.ask("b", channel=89)
    assert counter.went == [(0.5, "b")]


async def test_forty_a_second_go_in_all(counter: Counter) -> None:
    for channel in range(30):
        await counter.ask(*"x" * 4, channel=channel)
    await counter.clock.advance(10)
    assert len(counter.went) == 120
    assert [counter.by(t) for t in (0, 1, 2)] == [6, 46, 86]


async def test_an_urgent_edit_never_waits_but_takes_its_turn(counter: Counter) -> None:
    await counter.ask(*"x" * 6)
    await counter.ask("!", "!")
    assert counter.order == "xxxxxx!!"
    await counter.ask("y")
    await counter.clock.advance(10)
    when, last = counter.went[-1]
    assert last == "y"
    assert when == pytest.approx(3 / 6)


async def test_an_edit_that_becomes_urgent_waits_no_longer(counter: Counter) -> None:
    """The cards are dealt while pictures of the count still wait."""
    await counter.ask(*"x" * 30, "a", "b")
    await counter.clock.advance(1.0)
    counter.urgent.add("b")
    await counter.clock.advance(0.1)
    assert counter.order == "x" * 12 + "b"


async def test_a_rate_limit_halves_what_goes(counter: Counter) -> None:
    counter.budget.rate_limited()
    await counter.ask(*"x" * 12)
    await counter.clock.advance(10)
    assert [counter.by(t) for t in (0, 1, 2)] == [6, 9, 12]


async def test_a_channels_own_rate_limit_slows_no_other(counter: Counter) -> None:
    counter.budget.rate_limited(CHANNEL)
    await counter.ask(*"x" * 12)
    await counter.ask(*"y" * 12, channel=CHANNEL + 1)
    await counter.clock.advance(10)
    ours = [when for when, edit in counter.went if edit == "x"]
    others = [when for when, edit in counter.went if edit == "y"]
    assert ours[-1] == pytest.approx(2)
    assert others[-1] == pytest.approx(1)
    counter.budget.tidy()
    assert list(counter.budget._channels) == [CHANNEL], "it goes carefully for a while"
    await counter.clock.advance(120)
    counter.budget.tidy()
    assert not counter.budget._channels


async def test_a_rate_limit_lets_nobody_go_earlier(counter: Counter) -> None:
    await counter.ask(*"abcdefg")
    counter.budget.rate_limited()
    await counter.ask("h")
    assert counter.order == "abcdef"
    await counter.clock.advance(10)
    assert counter.order == "abcdefgh"


async def test_a_quiet_minute_gives_a_quarter_back(counter: Counter) -> None:
    for _ in range(2):
        counter.budget.rate_limited()
    rates = []
    for minute in range(5):
        counter.went.clear()
        await counter.ask(*"x" * 24)
        await counter.clock.advance(50)
        begin = minute * 60
        # Six have gone at once; the rest keep to the rate.
        rates.append(round(18 / (counter.went[-1][0] - begin), 2))
        await counter.clock.advance(10)
    assert rates == [1.5, 3.0, 4.5, 6.0, 6.0]


async def test_a_new_rate_limit_starts_the_minute_anew(counter: Counter) -> None:
    counter.budget.rate_limited()
    await counter.clock.advance(50)
    counter.budget.rate_limited()
    await counter.clock.advance(50)
    await counter.ask(*"x" * 9)
    await counter.clock.advance(8)
    assert counter.went[-1][0] == pytest.approx(100 + 3 / 1.5)


async def test_a_storm_of_rate_limits_does_not_stop_everything(counter: Counter) -> None:
    for _ in range(50):
        counter.budget.rate_limited()
    await counter.ask(*"x" * 7)
    await counter.clock.advance(3)
    assert len(counter.went) == 7


async def test_a_channel_nobody_waits_for_is_forgotten_and_starts_afresh(counter: Counter) -> None:
    """Direct messages too: there are as many of them as people."""
    await counter.ask(*"x" * 6)
    await counter.ask("d", channel=CHANNEL + 1)
    await counter.clock.advance(0.5)
    counter.budget.tidy()
    assert list(counter.budget._channels) == [CHANNEL], "what is promised there is kept"
    await counter.clock.advance(0.5)
    counter.budget.tidy()
    assert not counter.budget._channels
    await counter.ask(*"y" * 6)
    await counter.clock.advance(0.001)
    assert counter.order == "xxxxxxdyyyyyy"


async def test_the_bot_itself_edits_39_times_a_second_whoever_asks(counter: Counter) -> None:
    async def draw(edit: str) -> None:
        await counter.budget.take_own()
        counter.went.append((counter.clock.now(), edit))

    for edit in "abcdefghij" * 10:
        counter.crew(draw(edit), name=edit)
    await settle()
    await counter.clock.advance(10)
    assert [counter.by(t) for t in (0, 1, 2)] == [6, 45, 84]
    assert counter.order == "abcdefghij" * 10


async def test_a_limit_of_all_halves_what_the_bot_itself_edits(counter: Counter) -> None:
    counter.budget.rate_limited()
    went: list[float] = []

    async def draw() -> None:
        await counter.budget.take_own()
        went.append(counter.clock.now())

    for number in range(26):
        counter.crew(draw(), name=str(number))
    await counter.clock.advance(10)
    assert went[-1] == pytest.approx(20 / 19.5)


class CountingClock(HandClock):
    naps = 0

    async def sleep(self, seconds: float) -> None:
        self.naps += 1
        await super().sleep(seconds)


async def test_hundreds_that_wait_are_no_load() -> None:
    """Each looks whether it has become urgent, the more often the sooner its turn comes."""
    clock, crew = CountingClock(), Crew()
    budget = Budget(clock)
    for channel in range(600):
        crew(budget.take(channel, urgent=lambda: False), name="push")
    await settle()
    await clock.advance(20)
    await crew.stop()
    assert clock.naps < 600 * 25, "looking ten times a second would be 45,000"


class LateClock(HandClock):
    """On a machine that stood still: whoever sleeps wakes up at the next full two seconds."""

    async def sleep(self, seconds: float) -> None:
        now = self.now()
        await super().sleep(2 - now % 2 if now < 2 else seconds)


async def test_after_the_machine_stood_still_no_more_go_than_discord_takes() -> None:
    clock, crew = LateClock(), Crew()
    budget, went = Budget(clock), list[float]()

    async def edit() -> None:
        await budget.take_own()
        went.append(clock.now())

    for _ in range(120):
        crew(edit(), name="edit")
    await settle()
    await clock.advance(10)
    await crew.stop()
    assert len(went) == 120
    assert 40 <= max(sum(0 <= one - first < 1 for one in went) for first in went) <= 45
