"""An arena as a value: who sits with whom, what a place is worth, and when it is over."""

import random
from collections.abc import Iterator
from dataclasses import replace
from statistics import median

import pytest

from bot.games.values import Refused, Seat
from bot.ids import ArenaId, ChannelId, GuildId, MessageId, UserId
from bot.screen import Row, Screen, Sentence, Words
from bot.tables.arena import decisions as d
from bot.tables.arena import events as e
from bot.tables.arena.message import Around, message
from bot.tables.arena.pairing import PATIENCE, is_stale, next_table
from bot.tables.arena.panel import came_to_nothing, panel
from bot.tables.arena.points import Result, of_place, tally
from bot.tables.arena.state import Arena, Status, apply, begin
from bot.tables.decisions.arena_rounds import LONG_ENOUGH, Uncounted, is_under_way, uncounted
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.presses.router import PressRefusal
from bot.tables.state import events as table_events
from bot.tables.state.evolve import apply as apply_to_table
from bot.tables.state.journal import TableId
from bot.text import Text
from tests.ui.matches import after as after_ms
from tests.ui.matches import live, lobby

MINUTE = 60_000
HOST = UserId(1)
AROUND = Around(ArenaId(1), 1_780_000_000.0)


def arena(*events: e.Event, seats: int = 4, minutes: int = 30) -> Arena:
    """Return an arena with its message, after these events, one a second."""
    opened = e.Opened(
        "ligretto", 1, GuildId(7), ChannelId(8), HOST, "en", {}, seats, minutes, bytes(32).hex()
    )
    state = begin(opened, 0)
    for event in (e.Published(MessageId(9)), *events):
        state = after(state, event, state.lived + 1000)
    return state


def after(state: Arena, event: e.Event, lived: int) -> Arena:
    return apply(state, event, lived, lived)


def joined(*users: int) -> tuple[e.Joined, ...]:
    return tuple(e.Joined(UserId(user), f"p{user}") for user in users)


def scored(number: int, *users: int, counts: bool = True) -> tuple[e.Event, ...]:
    """A table at which these people come in this order."""
    people = tuple(map(UserId, users))
    places = tuple(range(1, len(users) + 1))
    result = e.Scored(number, TableId(number), people, places, places, counts)
    return (e.Paired(number, people), result)


def test_a_new_arena_has_not_lived_yet_and_shows_its_secret_to_no_log() -> None:
    opened = e.Opened("dice", 1, GuildId(7), ChannelId(8), HOST, "en", {}, 4, 30, "5ec2e7")
    state = begin(opened, 1_780_000_000_000)
    assert (state.lived, state.quiet_since) == (0, 0)
    assert "5ec2e7" not in repr(state)


def test_whoever_stays_wins_a_round_that_is_a_minute_old() -> None:
    session = live(lobby(["Anna", "Ben"]))
    assert not is_under_way(after_ms(session, LONG_ENOUGH - 1), Seat(0))
    assert is_under_way(after_ms(session, LONG_ENOUGH), Seat(0))
    assert LONG_ENOUGH == MINUTE


def test_a_round_in_which_somebody_never_came_back_from_a_restart_counts_for_nothing() -> None:
    session = replace(live(lobby(["Anna", "Ben", "Cem"])), unseen=frozenset({Seat(1)}))
    left = apply_to_table(session, table_events.Left(1), session.at)
    assert uncounted(left) is not Uncounted.RESTART, "whoever leaves is back"
    away = apply_to_table(session, table_events.Left(1, away=True), session.at)
    assert uncounted(away) is Uncounted.RESTART


# -- points ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2, 3, 4), (4, 2, 1, 0)),
        ((1, 2), (2, 0)),
        ((1, 1), (1, 1)),
        ((1, 1, 3, 4), (3, 3, 1, 0)),
        ((1, 2, 2), (3, 0, 0)),
    ],
)
def test_a_place_is_worth_those_behind_it(places: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert tuple(of_place(place, places) for place in places) == points


def test_a_third_win_in_a_row_counts_double_until_one_is_lost() -> None:
    people = (UserId(1), UserId(2))
    won, lost = ((1, 2), (2, 1))
    results = [
        Result(number, people, places, (0, 0), counts=True)
        for number, places in enumerate((won, won, won, lost, won))
    ]
    own = tally(results)[UserId(1)]
    assert own.points == 2 + 2 + 4 + 0 + 2
    assert (own.rounds, own.wins, own.longest, own.streak) == (5, 4, 3, 1)


def test_a_round_that_is_taken_back_brings_nothing_to_anybody() -> None:
    state = arena(*joined(1, 2), *scored(1, 1, 2), *scored(2, 1, 2))
    assert state.tally(HOST).points == 4
    state = after(state, e.Voided(1), state.lived)
    assert (state.tally(HOST).points, state.tally(HOST).rounds) == (2, 1)


@pytest.mark.parametrize("why", [TableRefusal.MATCH_OVER, TableRefusal.CLOSED])
def test_nobody_is_told_of_a_rematch_that_an_arena_does_not_have(why: TableRefusal) -> None:
    told = came_to_nothing(Refused(why))
    assert isinstance(told, Sentence)
    assert dict(told.text.values)["why"] == Text(TableRefusal.ROUND_OVER)
    assert came_to_nothing(Refused(PressRefusal.NO_TABLE)) is None, "the panel says it all"


def test_whoever_leaves_a_round_ends_their_streak_even_if_it_does_not_count() -> None:
    """Else bad cards could be left. A restart of the bot ends nobody's."""
    people = (UserId(1), UserId(2))
    won = [Result(number, people, (1, 2), (0, 0), counts=True) for number in (1, 2)]
    early = Result(3, people, (1, 2), (0, 0), counts=False, left=people[:1], why=Uncounted.EARLY)
    assert tally([*won, early])[people[0]].streak == 0
    restart = replace(early, why=Uncounted.RESTART)
    own = tally([*won, restart])[people[0]]
    assert (own.streak, own.place) == (2, None)


def keys(screen: Screen) -> list[str]:
    """The keys of the lines of a screen."""
    blocks = [one for one in screen.blocks if isinstance(one, Words)]
    return [one.text.key for block in blocks for one in block.lines if isinstance(one, Sentence)]


def test_once_no_rounds_begin_the_button_to_join_brings_a_panel_back() -> None:
    state = arena(*joined(1, 2, 3), e.Left(UserId(3)), e.Paired(1, (UserId(1), UserId(2))))
    state = after(state, e.Stopped("arena.stopped.time"), state.lived)
    for user in (1, 2, 3):
        assert isinstance(d.join(state, UserId(user), "", room=d.MOST), d.Done)
    assert d.join(state, UserId(4), "p4", room=d.MOST) == Refused(d.ArenaRefusal.STOPPED)
    (button,) = next(one for one in message(state, AROUND).blocks if isinstance(one, Row)).choices
    assert (button.label, button.off) == (Text("ligretto.mine"), False)
    over = after(state, e.Ended(), state.lived)
    assert d.join(over, UserId(1), "", room=d.MOST) == Refused(d.ArenaRefusal.OVER)


def test_an_arena_that_has_stopped_does_not_end_later() -> None:
    state = arena(*joined(1, 2), e.CameBack(4 * MINUTE))
    assert "arena.was_away" in keys(message(state, AROUND))
    state = after(state, e.Paired(1, (UserId(1), UserId(2))), state.lived)
    state = after(state, e.Stopped("arena.stopped.away"), state.lived)
    assert "arena.was_away" not in keys(message(state, AROUND))


def test_a_panel_says_who_has_left_and_who_was_away() -> None:
    people = tuple(map(UserId, (1, 2, 3)))
    over = e.Scored(
        1, TableId(1), people, (1, 2, 2), (5, 0, -1), counts=True, left=people[1:], away=people[2:]
    )
    seated = arena(*joined(1, 2, 3), e.Paired(1, people))
    gone = after(
        after(seated, e.WalkedOut(1, people[1]), 9), e.WalkedOut(1, people[2], away=True), 9
    )
    assert "arena.left_round" in keys(panel(gone, people[1], AROUND))
    assert "arena.away_round" in keys(panel(gone, people[2], AROUND))
    told = keys(panel(after(seated, over, seated.lived), people[0], AROUND))
    assert [one for one in told if "seat" in one] == [
        "arena.seat",
        "arena.seat_left",
        "arena.seat_away",
    ]


# -- pairing ----------------------------------------------------------------------------------


def test_a_full_table_begins_at_once_and_a_smaller_one_after_a_while() -> None:
    three = arena(*joined(1, 2, 3))
    assert next_table(three, three.lived) == ()
    longest = min(one.since for one in three.free)
    assert next_table(three, longest + PATIENCE) == (1, 2, 3)
    four = arena(*joined(1, 2, 3, 4))
    assert next_table(four, four.lived) == (1, 2, 3, 4)
    assert next_table(four, four.lived, busy={UserId(2)}) == ()


def test_a_table_waits_until_its_cards_can_be_dealt() -> None:
    four = arena(*joined(1, 2, 3, 4))
    assert next_table(four, four.lived, deals=3) == ()
    assert next_table(four, four.lived, deals=4) == (1, 2, 3, 4)


def test_of_five_nobody_is_left_alone_if_nobody_else_plays() -> None:
    five = arena(*joined(1, 2, 3, 4, 5))
    assert len(next_table(five, five.lived)) == 3
    playing = after(arena(*joined(*range(1, 9))), e.Paired(1, (UserId(6), UserId(7))), 20_000)
    assert len(next_table(playing, playing.lived)) == 4


def test_the_same_people_meet_for_the_third_time_only_if_nobody_else_is_free() -> None:
    again = (e.Freed(UserId(user)) for user in (1, 2, 3, 4))
    twice = arena(*joined(1, 2, 3, 4), *scored(1, 1, 2, 3, 4), *scored(2, 4, 3, 2, 1), *again)
    assert set(next_table(twice, twice.lived)) == {1, 2, 3, 4}
    (late,) = joined(5)
    other = after(twice, late, twice.lived + 1)
    playing = replace(other, running={9: (UserId(8),)})
    assert 5 in next_table(playing, playing.lived)
    assert is_stale([other.members[UserId(user)] for user in (1, 2, 3, 4)])


def test_those_who_have_not_met_of_late_sit_together() -> None:
    again = (e.Freed(UserId(user)) for user in (1, 2, 3, 4))
    once = arena(*joined(1, 2, 3, 4), *scored(1, 1, 2, 3, 4), *again, *joined(5, 6))
    assert next_table(once, once.lived) == (1, 5, 6, 2)


def test_a_table_is_made_anew_for_somebody_who_would_meet_the_same_people_again() -> None:
    """The first has met others of late, the second these three and nobody else."""
    people = arena(*joined(1, 2, 3, 4, 5))
    others, same = frozenset(map(UserId, (7, 8, 9))), frozenset(map(UserId, (1, 3, 4)))
    met = {UserId(1): (others,) * 2, UserId(2): (same,) * 2}
    members = {user: replace(one, met=met.get(user, ())) for user, one in people.members.items()}
    state = replace(people, members=members, running={9: (UserId(8),)})
    assert set(next_table(state, state.lived)) == {1, 2, 3, 5}


def test_nobody_is_seated_before_the_message_or_after_the_end() -> None:
    four = arena(*joined(1, 2, 3, 4))
    for state in (
        replace(four, message=None),
        after(four, e.Stopped("arena.stopped.time"), four.lived),
    ):
        assert next_table(state, state.lived) == ()


def evening(people: int, minutes: int, seed: int) -> Iterator[tuple[Arena, tuple[UserId, ...]]]:
    """Yield each table of an evening, with the arena as it was before: rounds of 60 to 180 s, and
    people who ask for the next one after 2 to 9 s, or rest.
    """
    chance = random.Random(seed)
    state, due = arena(minutes=minutes), list[tuple[int, int, e.Event]]()
    for user in range(1, people + 1):
        (first,) = joined(user)
        due.append((chance.randrange(3 * MINUTE), user, first))
    while due:
        due.sort(key=lambda one: one[:2])
        lived, _, event = due.pop(0)
        if lived > minutes * MINUTE:
            return
        ticks = range(state.lived + 5000, lived, 5000)
        for now in (*ticks, lived):
            state = state if now < lived else after(state, event, lived)
            if isinstance(event, e.Scored) and now == lived:
                for user in event.users:
                    tired = chance.random() < 0.03
                    wait = chance.randrange(60_000, 180_000) if tired else 0
                    ready = lived + wait + chance.randrange(2000, 9000)
                    due.append((ready, user, e.Freed(user)))
            while users := next_table(state, now):
                yield state, users
                number = state.last + 1
                state = after(state, e.Paired(number, users), now)
                order = tuple(chance.sample(range(1, len(users) + 1), len(users)))
                over = e.Scored(number, TableId(number), users, order, order, counts=True)
                due.append((now + chance.randrange(60_000, 180_000), number, over))


@pytest.mark.parametrize(("people", "seats"), [(100, 4), (40, 3), (9, 4)])
def test_nobody_waits_long_or_meets_the_same_people_too_often(people: int, seats: int) -> None:
    waits: list[int] = []
    tables = 0
    for state, users in evening(people, 30, seed=people + seats):
        tables += 1
        group = [state.members[user] for user in users]
        others = [one for one in state.free if one.user not in users]
        assert not (is_stale(group) and others)
        waits += [state.lived - one.since for one in group if one.met]
    assert tables > people * 2
    assert median(waits) < 25_000


# -- presses and time -------------------------------------------------------------------------


def test_a_slow_channel_takes_fewer_people_and_says_how_many() -> None:
    state = arena(*joined(1, 2, 3))
    refused = d.join(state, UserId(4), "p4", room=3)
    assert isinstance(refused, Refused)
    assert (refused.why, refused.values) == (d.ArenaRefusal.SLOW, (("n", 3),))
    state = after(state, e.Left(UserId(2)), state.lived)
    assert isinstance(d.join(state, UserId(4), "p4", room=3), d.Done)
    assert isinstance(d.join(state, UserId(1), "p1", room=1), d.Done), "who is in stays in"


def test_only_its_host_ends_an_arena() -> None:
    state = arena(*joined(1, 2))
    assert d.stop(state, UserId(2)) == Refused(d.ArenaRefusal.NOT_YOURS)
    done = d.stop(state, HOST)
    assert isinstance(done, d.Done)
    assert done.events == (e.Stopped("arena.stopped.host"), e.Ended())


def test_whoever_waits_or_rests_for_long_makes_room() -> None:
    state = arena(*joined(1, 2), e.Rested(UserId(2)), minutes=60)
    state = replace(state, running={1: (UserId(8),)})
    rests_since = state.members[UserId(2)].since
    early = d.due(state, rests_since + 20 * MINUTE - 1)
    assert isinstance(early, d.Done)
    assert set(early.events) == {e.Rested(UserId(1))}
    done = d.due(state, rests_since + 20 * MINUTE)
    assert isinstance(done, d.Done)
    assert set(done.events) == {e.Rested(UserId(1)), e.Left(UserId(2))}


def test_an_arena_ends_after_ten_minutes_without_a_table_or_a_press() -> None:
    state = arena(*joined(1))
    ends = (e.Stopped("arena.stopped.empty"), e.Ended())
    for quiet, is_over in ((10 * MINUTE - 1, False), (10 * MINUTE, True)):
        done = d.due(state, state.quiet_since + quiet)
        assert isinstance(done, d.Done)
        assert (done.events == ends) is is_over


def test_time_away_is_not_the_arenas_unless_it_was_too_long() -> None:
    state = arena(*joined(1, 2))
    back = d.came_back(state, state.at + 4 * MINUTE)
    assert isinstance(back, d.Done)
    (event,) = back.events
    assert after(state, event, state.lived).away == 4 * MINUTE
    long = d.came_back(state, state.at + d.LONGEST_AWAY + 1)
    assert isinstance(long, d.Done)
    assert e.Stopped("arena.stopped.away") in long.events
    set_back = d.came_back(state, state.at - MINUTE)
    assert isinstance(set_back, d.Done)
    assert set_back.events == (e.CameBack(0),), "the machine's clock was set back"


def test_an_event_about_somebody_forgotten_is_passed_over() -> None:
    state = arena(*joined(1, 2, 3), *scored(1, 1, 2, 3), e.Forgotten(UserId(2)))
    assert UserId(2) not in state.members
    assert all(UserId(2) not in one.users for one in state.results)
    state = after(state, e.Freed(UserId(2)), state.lived)
    assert [one.status for one in state.members.values()] == [Status.RESTING] * 2
