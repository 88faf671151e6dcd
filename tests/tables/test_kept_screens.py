"""A screen that is kept is the one that would be drawn, and is drawn only when it may differ."""

from dataclasses import replace
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from bot.games.values import Seat
from bot.screen import Screen
from bot.tables.decisions.decide import START_AFTER
from bot.tables.decisions.presence import ABSENT_AFTER, Presence, may_be_away, presence_at
from bot.tables.state.session import Phase, Session
from bot.tables.state.session_values import Alarm, Departure, LostRace, News
from bot.tables.views.last_change import last_change
from bot.tables.views.news import GONE_MS, HELD_MS
from bot.tables.views.screens.kept import KeptScreen
from bot.tables.views.screens.panel import panel
from bot.tables.views.screens.table_message import public
from tests.ui.matches import HOST, after_moves, live, lobby, moments, user

SEATS = st.sampled_from([Seat(0), Seat(1), Seat(2)])
AGES = st.sampled_from([-1, 0, 1]).flatmap(
    lambda off: st.sampled_from([0, HELD_MS, GONE_MS, START_AFTER, 500, 7000]).map(
        lambda at: max(0, at + off)
    )
)
"""Milliseconds, many of them at the very edge of something that time changes."""


@cache
def table() -> tuple[Session, ...]:
    """A table in every phase."""
    return tuple(moments(lobby(["Anna", "Ben", "Cleo"], rounds="2"), every=12))


def everything(session: Session, lived: int) -> list[Screen]:
    """All that its people see at this age of the table."""
    presence = Presence(lived, born=1_700_000_000.0)
    panels = [panel(session, user(seat), presence, None) for seat in range(3)]
    return [public(session, presence), *panels]


@st.composite
def told(draw: st.DrawFn) -> Session:
    """A table with races, alarms and departures of any age, and a get-ready that may have begun."""
    session = draw(st.sampled_from(table()))
    ages = st.lists(AGES, max_size=3).map(lambda some: sorted(some, reverse=True))
    now = session.lived + 2 * START_AFTER
    races = [
        LostRace(draw(SEATS), Seat(2), "r1", 40, now - age, draw(st.booleans()))
        for age in draw(ages)
    ]
    alarms = [Alarm(draw(SEATS), 2, "r1", now - age) for age in draw(ages)]
    gone = [Departure(draw(SEATS), now - age) for age in draw(ages)]
    first = now - draw(AGES) if session.phase is Phase.READY else session.first_ready_at
    return replace(
        session,
        lived=now,
        lost_races=tuple(races),
        alarms=tuple(alarms),
        departures=tuple(gone),
        first_ready_at=first,
    )


@given(told(), AGES)
def test_a_screen_looks_the_same_since_the_last_change(session: Session, later: int) -> None:
    now = session.lived + later
    then = last_change(session, now)
    assert then <= now
    assert everything(session, then) == everything(session, now)


def test_time_alone_changes_a_screen_then() -> None:
    session = after_moves(live(lobby(["Anna", "Ben", "Cleo"])), 5)
    race = LostRace(Seat(0), Seat(1), "r1", 40, session.lived, is_duel=True)
    session = replace(session, lost_races=(race,))
    over = session.lived + HELD_MS
    assert last_change(session, over - 1) < over == last_change(session, over)
    assert everything(session, over - 1) != everything(session, over)


@given(st.sampled_from(table()), st.integers(0, 400), st.integers(0, 400))
def test_nobody_is_away_where_nobody_may_be(session: Session, waited: int, idle: int) -> None:
    """So who has pressed when is not asked for in play."""
    lived = session.since + waited * 1000
    for_all = dict.fromkeys([HOST, user(1), user(2)], float(idle))
    asked = presence_at(session, lived, 0, for_all)
    if not may_be_away(session, lived):
        assert asked == presence_at(session, lived, 0, {})
    if asked.absent or asked.host_away or asked.forgotten:
        assert idle >= ABSENT_AFTER


class Counting:
    """Draws tables' messages, and counts them."""

    def __init__(self) -> None:
        self.drawn = 0
        self.kept = KeptScreen(self._draw)

    def _draw(self, session: Session, presence: Presence) -> Screen:
        self.drawn += 1
        return public(session, presence)


def test_a_screen_is_drawn_once_for_what_it_shows() -> None:
    counting, session = Counting(), live(lobby(["Anna", "Ben", "Cleo"]))
    first = counting.kept.now(session, Presence(0))
    assert counting.kept.now(session, Presence(0)) is first
    assert counting.drawn == 1
    counting.kept.now(session, Presence(0, quiet=True))
    assert counting.drawn == 2


def test_a_later_session_is_drawn_anew() -> None:
    counting, session = Counting(), live(lobby(["Anna", "Ben", "Cleo"]))
    counting.kept.now(session, Presence(0))
    later = replace(session, news=(News(Seat(1), "r1"),))
    assert counting.kept.now(later, Presence(0)) == public(later, Presence(0))
    assert counting.drawn == 2
