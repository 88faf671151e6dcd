"""Edits keep to Discord's limits and to the order in which they were asked for."""

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import pairwise

import pytest

from bot.clock import Bell
from bot.ids import ChannelId, GuildId
from bot.tasks import OwnedTasks
from bot.ui.limits.channel_pace import (
    ASSUMED,
    FULL,
    Pace,
    Refusal,
    SentCall,
    of_a_minute,
    refused,
    taken,
)
from bot.ui.limits.edit_budget import Budget, CountedChannel
from bot.ui.limits.headers import Scope
from bot.ui.limits.urgency import Claim, Worth, last_word
from tests.tables.clock import HandClock, settle

CHANNEL = ChannelId(88)
NEWS, TURN, DEAL = (Claim(worth) for worth in (Worth.NEWS, Worth.TURN, Worth.DEAL))


def where(channel: ChannelId = CHANNEL) -> CountedChannel:
    return CountedChannel(channel, channel, GuildId(1))


async def turn(budget: Budget, claim: Callable[[], Claim], channel: ChannelId = CHANNEL) -> None:
    """Wait for a turn, as a task of its own."""
    await budget.take(where(channel), claim)


class Counter:
    """A budget, and when each edit that asked for its turn got it."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.budget = Budget(self.clock)
        self.tasks = OwnedTasks()
        self.urgent = {"!"}
        self.went: list[tuple[float, str]] = []

    async def ask(self, *edits: str, channel: ChannelId = CHANNEL) -> None:
        for edit in edits:
            self.tasks(self._edit(edit, channel), name=edit)
            await settle()

    async def _edit(self, edit: str, channel: ChannelId) -> None:
        await self.budget.take(where(channel), lambda: DEAL if edit in self.urgent else NEWS)
        self.budget.spend(where(channel))
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
    await counter.tasks.stop()


def known(counter: Counter) -> None:
    """From now on, every channel is known to take whatever is sent."""
    counter.budget.rehearsed(where(), Pace(FULL))


async def test_a_call_that_may_go_at_once_says_only_once_what_it_claims(counter: Counter) -> None:
    """Saying it looks through a whole table: an evening's pushes do it hundreds of times a second.

    While it waits, it is asked again each time it looks.
    """
    asked = list[float]()

    def claim() -> Claim:
        asked.append(counter.clock.now())
        return NEWS

    known(counter)
    assert await counter.budget.take(where(), claim) is NEWS
    assert asked == [0.0]
    await counter.ask(*"x" * 12)
    waits = asyncio.ensure_future(counter.budget.take(where(), claim))
    await settle()
    await counter.clock.advance(10)
    assert await waits is NEWS
    assert len(asked) > 2


async def test_six_go_at_once_and_then_six_a_second(counter: Counter) -> None:
    known(counter)
    await counter.ask(*"x" * 24)
    await counter.clock.advance(10)
    assert [counter.by(t) for t in (0, 1, 2, 3)] == [6, 12, 18, 24]


async def test_after_a_pause_no_more_go_at_once_than_before(counter: Counter) -> None:
    known(counter)
    await counter.ask(*"x" * 6)
    await counter.clock.advance(3600)
    counter.went.clear()
    await counter.ask(*"x" * 12)
    await counter.clock.advance(10)
    assert counter.by(3600) == 6
    assert counter.by(3601) == 12


async def test_who_asked_first_goes_first(counter: Counter) -> None:
    known(counter)
    await counter.ask(*"abcdefghijkl")
    await counter.clock.advance(0.5)
    await counter.ask(*"mnop")
    await counter.clock.advance(10)
    assert counter.order == "abcdefghijklmnop"


async def test_a_busy_channel_does_not_hold_up_another(counter: Counter) -> None:
    await counter.ask(*"a" * 12)
    await counter.clock.advance(0.5)
    counter.went.clear()
    await counter.ask("b", channel=ChannelId(89))
    assert counter.went == [(0.5, "b")]


async def test_forty_a_second_go_in_all(counter: Counter) -> None:
    known(counter)
    for channel in map(ChannelId, range(30)):
        await counter.ask(*"x" * 4, channel=channel)
    await counter.clock.advance(10)
    assert len(counter.went) == 120
    assert [counter.by(t) for t in (0, 1, 2)] == [6, 46, 86]


async def test_an_urgent_edit_never_waits_but_takes_its_turn(counter: Counter) -> None:
    known(counter)
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
    known(counter)
    await counter.ask(*"x" * 30, "a", "b")
    await counter.clock.advance(1.0)
    counter.urgent.add("b")
    await counter.clock.advance(0.1)
    assert counter.order == "x" * 12 + "b"


async def test_a_rate_limit_halves_what_goes(counter: Counter) -> None:
    known(counter)
    counter.budget.rate_limited()
    await counter.ask(*"x" * 12)
    await counter.clock.advance(10)
    assert [counter.by(t) for t in (0, 1, 2)] == [6, 9, 12]


async def test_a_channels_own_rate_limit_slows_no_other(counter: Counter) -> None:
    known(counter)
    refuse(counter)
    await counter.clock.advance(1)
    await counter.ask(*"x" * 12)
    await counter.ask(*"y" * 12, channel=ChannelId(CHANNEL + 1))
    await counter.clock.advance(10)
    ours = [when for when, edit in counter.went if edit == "x"]
    others = [when for when, edit in counter.went if edit == "y"]
    assert ours[-1] == pytest.approx(1 + 11 / 3, abs=0.4), "without a burst"
    assert others[-1] == pytest.approx(1 + 1)


def refuse(counter: Counter, wait: float = 0.5, channel: ChannelId = CHANNEL) -> None:
    """A call that has just gone out is refused, for the whole channel."""
    sent = counter.budget.spend(where(channel))
    counter.budget.refused(where(channel), whose=Scope.CHANNEL, wait=wait, sent=sent)


async def test_nothing_goes_before_discord_says_so_not_even_cards(counter: Counter) -> None:
    refuse(counter, wait=3)
    await counter.ask("!", "x")
    await counter.clock.advance(2.9)
    assert not counter.went
    await counter.clock.advance(1)
    assert counter.order == "!x"


async def test_calls_that_were_under_way_together_are_one_refusal(counter: Counter) -> None:
    sent = [counter.budget.spend(where()) for _ in range(8)]
    await counter.clock.advance(0.1)
    for one in sent:
        counter.budget.refused(where(), whose=Scope.CHANNEL, wait=0.5, sent=one)
    assert counter.budget.pace(where()).per_minute == FULL / 2


def test_pace_of_the_worked_example() -> None:
    """The numbers in the docstring of `bot.ui.limits.channel_pace`."""
    assert Pace().in_a_minute == 26
    limited = refused(Pace(30), Refusal(30, 20.0, sent=40.0, is_minute=True), 40.1)
    assert (limited.filled, limited.in_a_minute) == (30, 27)
    two_hours = 40.1 + 2 * 60 * 60
    assert (limited.may_try(two_hours - 1), limited.may_try(two_hours)) == (False, True)
    assert (taken(Pace(30), went=60, now=60).is_free, taken(Pace(30), went=61, now=60).is_free) == (
        False,
        True,
    )


async def test_a_refusal_takes_back_its_own_call_of_two_at_once(counter: Counter) -> None:
    """Cards and news go out at the same moment, and the cards are refused, for their token only."""
    news, cards = (counter.budget.spend(where(), is_deal=is_deal) for is_deal in (False, True))
    counter.budget.refused(where(), whose=Scope.TOKEN, wait=2, sent=cards)
    here = counter.budget._queue(where())
    assert (list(here._calls), list(here._others)) == ([news], [news])


async def filled(counter: Counter, calls: int, wait: float = 40) -> None:
    """After a quiet minute, one more call than so many is refused."""
    await counter.clock.advance(90)
    for _ in range(calls):
        counter.budget.spend(where())
    await counter.clock.advance(10)
    refuse(counter, wait=wait)


@pytest.mark.parametrize(("calls", "wait", "kept"), [(30, 50, 27), (20, 49, 18), (30, 2, None)])
async def test_a_minute_that_ends_when_it_must_is_believed_in(
    counter: Counter, calls: int, wait: float, kept: float | None
) -> None:
    """So many have gone, one more is refused until the first is a minute old: a tenth less from
    now on.
    """
    await filled(counter, calls, wait)
    assert counter.budget.pace(where()).per_minute == (kept or FULL / 2)


async def test_one_odd_wait_leaves_an_unknown_channel_unknown(counter: Counter) -> None:
    """It goes as carefully as before, and tries nothing for a minute."""
    await filled(counter, 20, wait=30)
    pace = counter.budget.pace(where())
    assert (pace.per_minute, pace.is_limited) == (ASSUMED, False)
    assert not pace.may_try(counter.clock.now() + 59)
    assert pace.may_try(counter.clock.now() + 60)


async def test_one_odd_wait_halves_a_known_channel(counter: Counter) -> None:
    """Also one that looks like a minute: so few calls cannot fill one here."""
    known(counter)
    await filled(counter, 30, wait=50)
    pace = counter.budget.pace(where())
    assert (pace.per_minute, pace.is_long) == (FULL / 2, False)


@pytest.mark.parametrize(("then", "kept"), [(20, 18.0), (21, 18.9), (12, 90.0), (28, 90.0)])
async def test_a_second_refusal_after_as_many_calls_is_believed(
    counter: Counter, then: int, kept: float
) -> None:
    known(counter)
    await filled(counter, 20)
    await filled(counter, then)
    assert counter.budget.pace(where()).per_minute == pytest.approx(kept)


async def test_refusals_that_are_long_ago_confirm_nothing(counter: Counter) -> None:
    for _ in range(3):
        await filled(counter, 20)
        await counter.clock.advance(16 * 60)
    assert not counter.budget.pace(where()).is_limited


async def test_calls_that_were_taken_disprove_a_refusal(counter: Counter) -> None:
    """No two windows of a minute have so many."""
    known(counter)
    await filled(counter, 20)
    for _ in range(41):
        counter.budget.spend(where())
        counter.budget.taken(where())
    await filled(counter, 20)
    assert not counter.budget.pace(where()).is_long


async def test_the_last_refusal_of_many_shows_how_many_were_taken(counter: Counter) -> None:
    await counter.clock.advance(60)
    sent = [counter.budget.spend(where()) for _ in range(42)]
    await counter.clock.advance(0.1)
    for one in sent[30:]:
        counter.budget.refused(where(), whose=Scope.CHANNEL, wait=59, sent=one)
    assert counter.budget.pace(where()).per_minute == 27


@pytest.mark.parametrize(("hours", "tried"), [(1.9, False), (2.1, True)])
async def test_no_more_are_tried_for_hours_where_a_minute_is_counted(
    counter: Counter, hours: float, *, tried: bool
) -> None:
    """Then as in an unknown channel, at the end of a minute, until as many are refused again."""
    counter.budget.rehearsed(where(), of_a_minute(30, 0.0))
    await counter.clock.advance(hours * 3600)
    for _ in range(8):
        counter.budget.spend(where(), is_deal=True)
    await counter.clock.advance(50)
    await news(counter, 24)
    await counter.clock.advance(5)
    assert (len(counter.went) == 24) is tried
    for _ in range(30):
        counter.budget.taken(where())
    assert counter.budget.pace(where()).per_minute == 27.0
    refuse(counter, wait=5)
    assert counter.budget.pace(where()).per_minute == 27.0
    assert not counter.budget.pace(where()).may_try(counter.clock.now() + 3600)


async def test_a_call_more_than_filled_a_minute_shows_that_it_takes_more(counter: Counter) -> None:
    counter.budget.rehearsed(where(), of_a_minute(30, 0.0))
    for _ in range(31):
        assert counter.budget.pace(where()).is_limited
        counter.budget.spend(where())
        counter.budget.taken(where())
    assert not counter.budget.pace(where()).is_limited


async def test_two_deals_are_kept_room_for_while_people_play(counter: Counter) -> None:
    """A round may be short: the cards of the next one go in the same minute."""
    counter.budget.rehearsed(where(), Pace(27.0, is_limited=True, is_long=True))
    for _ in range(20):
        counter.tasks(taking(counter, Claim(Worth.NEWS, 8)), name="push")
    await counter.clock.advance(59)
    assert len(counter.went) == 27 - 2 * 8
    await counter.ask(*"!" * 16)
    assert len(counter.went) == 27


async def test_a_tokens_own_limit_slows_no_channel(counter: Counter) -> None:
    sent = counter.budget.spend(where())
    counter.budget.refused(where(), whose=Scope.TOKEN, wait=2, sent=sent)
    assert counter.budget.pace(where()) == Pace()
    await counter.ask("x")
    assert counter.order == "x"


@pytest.mark.parametrize(
    ("before", "deal", "tried"), [(None, 50, True), (None, 30, False), (20, 50, False)]
)
async def test_an_unknown_channel_is_tried_at_the_end_of_a_minute(
    counter: Counter, before: float | None, deal: float, *, tried: bool
) -> None:
    """Eight were dealt this many seconds ago. A refusal is over within ten seconds and has room for
    the next cards then, also if a call `before` the deal has begun the minute that counts.
    """
    if before is not None:
        counter.budget.spend(where())
        await counter.clock.advance(before)
    for _ in range(8):
        counter.budget.spend(where(), is_deal=True)
    await counter.clock.advance(deal)
    await news(counter, 24)
    await counter.clock.advance(5)
    assert (len(counter.went) == 24) is tried


async def test_news_are_spread_over_the_minute(counter: Counter) -> None:
    """Where two deals of eight and ten other calls fit into it."""
    for _ in range(8):
        counter.budget.spend(where(), is_deal=True)
    await news(counter, 20)
    await counter.clock.advance(49)
    assert [when for when, _ in counter.went] == pytest.approx([6.0 * n for n in range(9)], abs=1.1)


async def test_a_second_deal_in_a_minute_leaves_room_for_a_third(counter: Counter) -> None:
    for _ in range(16):
        counter.budget.spend(where(), is_deal=True)
    await news(counter, 20)
    await counter.clock.advance(49)
    assert len(counter.went) == 26 - 16 - 8


async def test_cards_that_are_promised_go_before_what_is_over(counter: Counter) -> None:
    assert counter.budget.deals(where()) is None, "a deal shows how many an unknown channel takes"
    await filled(counter, 30, wait=50)
    await counter.clock.advance(120)
    for _ in range(23):
        counter.budget.spend(where())
    assert counter.budget.deals(where()) == 4
    waits = [
        counter.budget.wait(where(), 0.0, Claim(Worth.TURN, promised=promised))
        for promised in (3, 4)
    ]
    assert waits[0] == 0
    assert waits[1] > 0


async def test_the_panel_that_has_waited_longest_goes_first(counter: Counter) -> None:
    """One that its owner's press has brought up to date meanwhile waits behind the others."""
    since = {"a": 0.0, "b": 0.0, "c": 0.0}

    async def push(one: str) -> None:
        await counter.budget.take(where(), lambda: Claim(Worth.NEWS, 8, since=since[one]))
        counter.budget.spend(where())
        counter.went.append((counter.clock.now(), one))

    counter.budget.spend(where())
    for one in since:
        counter.tasks(push(one), name="push")
    await counter.clock.advance(3)
    since["a"] = 2.0
    await counter.clock.advance(30)
    assert counter.order == "bca"


async def news(counter: Counter, pushes: int) -> None:
    """So many panels of a table of eight have news."""
    for _ in range(pushes):
        counter.tasks(taking(counter, Claim(Worth.NEWS, leaves=8)), name="push")
    await settle()


@pytest.mark.parametrize("limited", [True, False])
async def test_old_panels_wait_until_after_the_deal(counter: Counter, *, limited: bool) -> None:
    if limited:
        counter.budget.rehearsed(where(), of_a_minute(30, 0.0))
    tidy = [Claim(Worth.TIDY, 8, is_kept_short=True)]
    counter.tasks(turn(counter.budget, lambda: tidy[-1]), name="delete")
    for _ in range(300):
        await counter.clock.advance(1)
    assert counter.budget.wait(where(), 0.0, tidy[-1]) > 0
    tidy.append(Claim(Worth.TIDY, 8))
    assert counter.budget.wait(where(), 0.0, tidy[-1]) == 0


async def test_a_limit_of_all_stops_every_panel_and_teaches_nothing(counter: Counter) -> None:
    """Each call would be refused until it is over; after it each channel goes as it went before."""
    sent = counter.budget.spend(where())
    counter.budget.refused(where(), whose=Scope.EVERYWHERE, wait=2, sent=sent)
    assert counter.budget.pace(where()) == Pace()
    await counter.ask("x", "!")
    await counter.ask("y", channel=ChannelId(CHANNEL + 1))
    await counter.clock.advance(1.9)
    assert not counter.went
    await counter.clock.advance(0.2)
    assert set(counter.order) == set("x!y")


async def test_quiet_minutes_that_are_used_give_back_what_was_taken(counter: Counter) -> None:
    refuse(counter)
    paces = []
    for _ in range(5):
        for _ in range(200):
            await counter.clock.advance(60.1 / 200)
            counter.budget.spend(where())
            counter.budget.taken(where())
        paces.append(counter.budget.pace(where()).per_minute)
    assert paces == [pytest.approx(180 * 1.25**n) for n in (1, 2, 3)] + [FULL, FULL]
    assert counter.budget.pace(where()).is_free


async def test_silence_teaches_nothing(counter: Counter) -> None:
    """A night without a call is no sign that more may go than in the evening."""
    refuse(counter)
    await counter.clock.advance(8 * 3600)
    counter.budget.taken(where())
    assert counter.budget.pace(where()).per_minute == FULL / 2


async def test_a_channel_is_free_once_it_has_taken_twice_what_others_report(
    counter: Counter,
) -> None:
    """From 31 calls on, those of a limit twice as large are planned with."""
    for number in range(61):
        pace = counter.budget.pace(where())
        assert not pace.is_free
        assert pace.in_a_minute == (ASSUMED if number <= 30 else 56)
        counter.budget.spend(where())
        counter.budget.taken(where())
    assert counter.budget.pace(where()).is_free


async def test_calls_of_two_minutes_prove_nothing(counter: Counter) -> None:
    """Discord may count them anew in each: then thirty at the end of one and thirty at the
    beginning of the next are no more than thirty a minute.
    """
    counter.budget.spend(where())
    for wait in (55, 6):
        await counter.clock.advance(wait)
        for _ in range(30):
            counter.budget.spend(where())
            counter.budget.taken(where())
    assert counter.budget.pace(where()).in_a_minute == ASSUMED


async def test_calls_under_way_prove_nothing(counter: Counter) -> None:
    """Thirty were taken and the last two of this minute will be refused."""
    sent = [counter.budget.spend(where()) for _ in range(32)]
    await counter.clock.advance(0.1)
    for _ in sent[:30]:
        counter.budget.taken(where())
    assert not counter.budget.pace(where()).is_free
    for one in sent[30:]:
        counter.budget.refused(where(), whose=Scope.CHANNEL, wait=59.9, sent=one)
    assert counter.budget.pace(where()).per_minute == 27


@pytest.mark.parametrize(("people", "before"), [(8, 18), (12, 14), (4, 22)])
async def test_calls_before_a_deal_leave_room_for_it(
    counter: Counter, people: int, before: int
) -> None:
    """In a channel of which nothing is known; the deal itself is not held back."""
    kept = Claim(Worth.TURN, people, is_kept_short=True)
    for _ in range(40):
        counter.tasks(taking(counter, kept), name="push")
    await counter.clock.advance(59)
    assert len(counter.went) == before
    await counter.ask(*"!" * people)
    assert len(counter.went) == before + people


@pytest.mark.parametrize(("people", "at_once"), [(2, 18), (4, 10), (5, 6), (8, 1), (12, 1)])
async def test_what_is_urgent_goes_at_once_if_it_leaves_room_for_four_deals(
    counter: Counter, people: int, at_once: int
) -> None:
    for _ in range(40):
        counter.tasks(taking(counter, Claim(Worth.TURN, people)), name="push")
    await settle()
    assert len(counter.went) == at_once


async def taking(counter: Counter, claim: Claim) -> None:
    await counter.budget.take(where(), lambda: claim)
    counter.budget.spend(where())
    counter.went.append((counter.clock.now(), "k"))


async def test_a_thread_learns_for_its_channel(counter: Counter) -> None:
    thread, other = (
        CountedChannel(ChannelId(5), CHANNEL, GuildId(1)),
        CountedChannel(ChannelId(6), CHANNEL, GuildId(1)),
    )
    sent = counter.budget.spend(thread)
    counter.budget.refused(thread, whose=Scope.CHANNEL, wait=0.5, sent=sent)
    assert counter.budget.pace(other).is_limited
    assert counter.budget.wait(other, 0, TURN) == 0, "its own calls are counted for themselves"


async def test_a_rate_limit_lets_nobody_go_earlier(counter: Counter) -> None:
    known(counter)
    await counter.ask(*"abcdefg")
    counter.budget.rate_limited()
    await counter.ask("h")
    assert counter.order == "abcdef"
    await counter.clock.advance(10)
    assert counter.order == "abcdefgh"


async def test_edits_of_a_channel_that_refuses_some_come_later(counter: Counter) -> None:
    async def draw(channel: ChannelId) -> None:
        await counter.budget.take_own(channel=channel)
        counter.went.append((counter.clock.now(), str(channel)))

    counter.budget.rate_limited(CHANNEL)
    for channel in (CHANNEL, ChannelId(CHANNEL + 1)):
        counter.tasks(draw(channel), name="edit")
    await counter.clock.advance(5)
    assert counter.went == [(0, "89"), (pytest.approx(1.05), "88")]


async def test_a_quiet_minute_gives_a_quarter_back(counter: Counter) -> None:
    known(counter)
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
    known(counter)
    counter.budget.rate_limited()
    await counter.clock.advance(50)
    counter.budget.rate_limited()
    await counter.clock.advance(50)
    await counter.ask(*"x" * 9)
    await counter.clock.advance(8)
    assert counter.went[-1][0] == pytest.approx(100 + 3 / 1.5)


async def test_a_storm_of_rate_limits_does_not_stop_everything(counter: Counter) -> None:
    known(counter)
    for _ in range(50):
        counter.budget.rate_limited()
    await counter.ask(*"x" * 7)
    await counter.clock.advance(3)
    assert len(counter.went) == 7


async def test_a_channel_nobody_waits_for_is_forgotten_after_a_minute(counter: Counter) -> None:
    """Its calls of the last minute are counted until then."""
    known(counter)
    await counter.ask(*"x" * 6)
    await counter.clock.advance(59)
    counter.budget.tidy()
    assert counter.budget.queues == 1
    await counter.clock.advance(2)
    counter.budget.tidy()
    assert counter.budget.queues == 0


async def test_the_bot_itself_edits_39_times_a_second_whoever_asks(counter: Counter) -> None:
    async def draw(edit: str) -> None:
        await counter.budget.take_own()
        counter.went.append((counter.clock.now(), edit))

    for edit in "abcdefghij" * 10:
        counter.tasks(draw(edit), name=edit)
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
        counter.tasks(draw(), name=str(number))
    await counter.clock.advance(10)
    assert went[-1] == pytest.approx(20 / 19.5)


class CountingClock(HandClock):
    naps = 0

    async def sleep(self, seconds: float) -> None:
        self.naps += 1
        await super().sleep(seconds)


async def test_hundreds_that_wait_are_no_load() -> None:
    """Each looks whether it has become urgent, the more often the sooner its turn comes."""
    clock, tasks = CountingClock(), OwnedTasks()
    budget = Budget(clock)
    for channel in map(ChannelId, range(600)):
        tasks(turn(budget, lambda: NEWS, channel), name="push")
    await settle()
    await clock.advance(20)
    await tasks.stop()
    assert clock.naps < 600 * 25, "looking ten times a second would be 45,000"


async def test_a_call_with_a_bell_looks_once_a_second(counter: Counter) -> None:
    """Its owner rings when it becomes urgent, and then it goes at once."""
    known(counter)
    await counter.ask(*"x" * 12)
    bell, looks = Bell(), 0

    def claim() -> Claim:
        nonlocal looks
        looks += 1
        return DEAL if "b" in counter.urgent else NEWS

    async def edit() -> None:
        await counter.budget.take(where(), claim, bell)
        counter.went.append((counter.clock.now(), "b"))

    counter.tasks(edit(), name="b")
    await settle()
    await counter.clock.advance(0.95)
    assert looks <= 3, "when it asks, and when it looks for the first time"
    counter.urgent.add("b")
    bell.ring()
    await settle()
    assert counter.went[-1] == (0.95, "b")


async def test_whoever_comes_first_in_line_is_told(counter: Counter) -> None:
    """The first panel in line was brought up to date by an answer: the next one has its turn."""
    counter.budget.rehearsed(where(), Pace(12.0, is_limited=True))
    await counter.ask("x")
    since = {"a": -20.0, "b": -10.0}

    async def edit(name: str) -> None:
        claim = lambda: Claim(Worth.NEWS, since=since[name])  # noqa: E731 as panels have it
        await counter.budget.take(where(), claim, Bell())
        counter.budget.spend(where())
        counter.went.append((counter.clock.now(), name))

    for name in since:
        counter.tasks(edit(name), name=name)
        await counter.clock.advance(0.2)  # so that they look at different times
    await counter.clock.advance(4.1)
    since["a"] = 4.5
    await counter.clock.advance(0.55)
    assert counter.went == [(0.0, "x"), (5.0, "b")]


class LateClock(HandClock):
    """On a machine that stood still: whoever sleeps wakes up at the next full two seconds."""

    async def sleep(self, seconds: float) -> None:
        now = self.now()
        await super().sleep(2 - now % 2 if now < 2 else seconds)


async def test_after_the_machine_stood_still_no_more_go_than_discord_takes() -> None:
    clock, tasks = LateClock(), OwnedTasks()
    budget, went = Budget(clock), list[float]()

    async def edit() -> None:
        await budget.take_own()
        went.append(clock.now())

    for _ in range(120):
        tasks(edit(), name="edit")
    await settle()
    await clock.advance(10)
    await tasks.stop()
    assert len(went) == 120
    assert 40 <= max(sum(0 <= one - first < 1 for one in went) for first in went) <= 45


async def test_an_unknown_channel_starts_from_what_was_tried_in_its_server(
    counter: Counter,
) -> None:
    tried = Pace(27.0, is_limited=True)
    counter.budget.rehearsed(where(), tried)
    assert counter.budget.pace(where()) == counter.budget.pace(where(ChannelId(89))) == tried
    assert counter.budget.pace(CountedChannel(ChannelId(7), ChannelId(7), GuildId(2))) == Pace(), (
        "another server"
    )
    counter.budget.refused(where(ChannelId(89)), whose=Scope.CHANNEL, wait=1.0, sent=SentCall(0.0))
    assert counter.budget.pace(where(ChannelId(89))) != tried == counter.budget.pace(where())


async def test_old_panels_hold_up_no_news_where_a_channel_is_limited(counter: Counter) -> None:
    """Ten messages wait to be deleted, a call every five seconds: what is news goes before them."""
    counter.budget.rehearsed(where(), Pace(12.0, is_limited=True))
    tidy = Claim(Worth.TIDY)

    async def delete() -> None:
        await counter.budget.take(where(), lambda: tidy)
        counter.budget.spend(where())
        counter.went.append((counter.clock.now(), "-"))

    for _ in range(10):
        counter.tasks(delete(), name="delete")
    await settle()
    await counter.ask("x", "y")
    await counter.clock.advance(11)
    assert counter.order == "-xy"
    await counter.clock.advance(60)
    assert counter.order == "-xy" + "-" * 9, "and none of them is forgotten"


async def test_last_words_go_before_news_in_their_order(counter: Counter) -> None:
    """A call every five seconds, and each panel that waits lives on for a while."""
    counter.budget.rehearsed(where(), Pace(12.0, is_limited=True))

    async def say(word: str) -> None:
        await counter.budget.take(where(), lambda: last_word(may_wait=True))
        counter.budget.spend(where())
        counter.went.append((counter.clock.now(), word))

    await counter.ask(*"xyz")
    for word in "1234":
        counter.tasks(say(word), name="last word")
        await settle()
    await counter.clock.advance(60)
    assert counter.order == "x1234yz"
    gaps = [after - before for (before, _), (after, _) in pairwise(counter.went)]
    assert min(gaps) >= 5.0 - 1e-6


async def test_urgent_edits_leave_no_debt_of_minutes(counter: Counter) -> None:
    """Cards that Discord takes no note of are tried again and again. When all is well, what is
    news waits for a burst of them at most.
    """
    known(counter)
    for _ in range(60):
        await counter.ask(*"!" * 12)
        await counter.clock.advance(1)
    counter.went.clear()
    await counter.ask(*"xyz")
    await counter.clock.advance(2)
    assert counter.order == "xyz"


async def test_cards_of_many_tables_leave_no_debt_to_others(counter: Counter) -> None:
    """After a limit of all there are 2.5 pushes a second: a hundred and twenty cards would hold
    up every other table for 48 s, though they have waited for nothing.
    """
    for _ in range(4):
        counter.budget.rate_limited()
    for channel in map(ChannelId, range(30)):
        await counter.ask(*"!" * 4, channel=channel)
    counter.went.clear()
    await counter.ask("x", channel=ChannelId(89))
    await counter.clock.advance(6)
    assert counter.order == "x"


async def test_urgent_posts_leave_no_debt_to_other_edits(counter: Counter) -> None:
    async def draw() -> None:
        await counter.budget.take_own()
        counter.went.append((counter.clock.now(), "x"))

    for _ in range(4):
        counter.budget.rate_limited()
    for _ in range(40):
        await counter.budget.take_own(urgent=lambda: True)
    counter.tasks(draw(), name="edit")
    await counter.clock.advance(6)
    assert counter.order == "x"
