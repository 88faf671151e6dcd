"""A table under racing presses: one at a time, in order of arrival, journal first."""

import asyncio
from dataclasses import replace
from functools import cached_property, partial

import pytest

from bot.games.ligretto.rules import MoveRefusal
from bot.games.values import Reason, Refused, Seat
from bot.i18n import say
from bot.ids import ChannelId, MessageId
from bot.tables.decisions import decide as d
from bot.tables.decisions.decide import Decision, Done
from bot.tables.decisions.lobby import begin_posting, publish
from bot.tables.decisions.presence import ABSENT_AFTER
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.duel_limits import DUEL_WITHIN, READING_TIME
from bot.tables.presses.claims import Claims, Contest
from bot.tables.presses.press import Stale
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state.evolve import apply
from bot.tables.state.journal import TableId
from bot.tables.state.session import Phase, Session
from bot.tables.state.session_values import News
from bot.text import Icon, Name, margin
from tests.games.states import ligretto_state, seat_cards
from tests.tables.clock import HandClock
from tests.tables.table import (
    ANNA,
    BEN,
    CHLOE,
    USERS,
    SlowJournal,
    cards,
    live,
    own,
    press,
    race,
    table,
)
from tests.tables.unowned import new_table


async def moved(one: Table, *moves: tuple[Seat, str, float]) -> list[Decision]:
    """These presses, all at the table before the first is decided. Times in seconds."""
    return await asyncio.gather(*(one.move(seat, text, at, None) for seat, text, at in moves))


def why(decision: Decision) -> object:
    return decision.why if isinstance(decision, Refused) else None


async def test_of_racing_presses_the_first_to_arrive_wins() -> None:
    journal = SlowJournal()
    one = table(race(), journal)
    first, second = await moved(one, (BEN, "r2", 0.0), (ANNA, "r2", 0.084))
    assert isinstance(first, Done)
    assert isinstance(second, Refused)
    assert journal.entries[0] == e.Moved(BEN, "r2")
    assert ligretto_state(one.session).centre[0].owners == (CHLOE, BEN)
    assert cards("r2")[0] in seat_cards(one.session, ANNA).row[0]


async def test_who_was_too_late_is_told_who_won_and_by_how_much() -> None:
    journal = SlowJournal()
    one = table(race(), journal)
    one.shown(USERS[ANNA], one.session)
    _, late = await moved(one, (BEN, "r2", 10.0), (ANNA, "r2", 10.084))
    assert isinstance(late, Refused)
    assert late == Refused(
        TableRefusal.TOO_LATE, (("card", Icon("r2")), ("who", Name("Ben")), ("ms", margin(84)))
    )
    assert say(late.text, "en-US") == "Too late for R2"
    assert one.session.news == (News(BEN, "r2"),)
    (race_,) = one.session.lost_races
    assert (race_.winner, race_.loser, race_.claim, race_.ms) == (BEN, ANNA, "r2", 84)
    assert race_.is_duel
    assert journal.entries[1] == e.Rejected(ANNA, "r2", ("play", "row0"), "R2", BEN, 84)


async def test_who_had_seen_the_card_go_just_does_not_fit() -> None:
    one = table(race())
    await moved(one, (BEN, "r2", 10.0))
    one.shown(USERS[ANNA], one.session)
    (late,) = await moved(one, (ANNA, "r2", 10.2))
    assert why(late) is MoveRefusal.NO_FIT


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize(("after", "is_told"), [(READING_TIME - 1, True), (READING_TIME, False)])
async def test_a_picture_is_read_when_it_was_there_for_a_reading_time(
    after: int, *, is_told: bool, before: bool
) -> None:
    """And not when it was delivered: Anna's thumb was on its way. `before`: whether she had the
    picture of before as well.
    """
    clock, journal = HandClock(), SlowJournal()
    one = table(race(), journal, clock)
    if before:
        one.shown(USERS[ANNA], one.session)
    await one.move(BEN, "r2", clock.now())
    await clock.advance(0.3)
    one.shown(USERS[ANNA], one.session)
    await clock.advance(after / 1000)
    late = await one.move(ANNA, "r2", clock.now())
    assert why(late) is (TableRefusal.TOO_LATE if is_told else MoveRefusal.NO_FIT)
    noted = e.Rejected(ANNA, "r2", ("play", "row0"), "R2", BEN, 300 + after, after)
    assert journal.entries[1] == noted, "told or not, the log can tell"


async def test_who_is_not_shown_it_is_told_however_long_it_takes() -> None:
    """But it is news to nobody else: their connection is slow, and not they."""
    journal = SlowJournal()
    one = table(race(), journal)
    one.shown(USERS[ANNA], one.session)
    await moved(one, (BEN, "r2", 0.0))
    (late,) = await moved(one, (ANNA, "r2", 1 + DUEL_WITHIN / 1000))
    assert isinstance(late, Refused)
    assert (late.why, dict(late.values)["ms"]) == (
        TableRefusal.TOO_LATE,
        margin(1000 + DUEL_WITHIN),
    )
    assert one.session.news == (News(BEN, "r2"),)
    assert journal.entries[1] == e.Rejected(ANNA, "r2", ("play", "row0"), "R2", BEN, 2000, None)


async def test_an_older_picture_after_a_newer_one_hides_what_that_showed() -> None:
    """Nobody knows which of them lies on top, until the newest is delivered once more."""
    clock, journal = HandClock(), SlowJournal()
    one = table(race(), journal, clock)
    older = one.session
    await one.move(BEN, "r2", clock.now())
    one.shown(USERS[ANNA], one.session)
    await clock.advance(2)
    one.shown(USERS[ANNA], older)
    await clock.advance(1)
    assert why(await one.move(ANNA, "r2", clock.now())) is TableRefusal.TOO_LATE
    assert journal.entries[-1] == e.Rejected(ANNA, "r2", ("play", "row0"), "R2", BEN, 3000, None)
    one.shown(USERS[ANNA], one.session)
    await clock.advance(1)
    assert why(await one.move(ANNA, "r2", clock.now())) is MoveRefusal.NO_FIT
    assert journal.entries[-1] == e.Rejected(ANNA, "r2", ("play", "row0"), "R2", BEN, 4000, 1000)


@pytest.mark.parametrize("is_shown_again", [False, True])
async def test_what_is_heard_of_after_a_press_changes_nothing_of_what_it_had_been_shown(
    *, is_shown_again: bool
) -> None:
    """Ben's place has been shown to Anna for 2 s when she presses; her turn comes half a second
    later, and meanwhile an older picture is heard of.
    """
    clock, journal = HandClock(), SlowJournal()
    one = table(race(), journal, clock)
    older = one.session
    await one.move(BEN, "r2", clock.now())
    one.shown(USERS[ANNA], one.session)
    await clock.advance(2)
    arrived = clock.now()
    await clock.advance(0.2)
    one.shown(USERS[ANNA], older)
    if is_shown_again:
        await clock.advance(0.1)
        one.shown(USERS[ANNA], one.session)
    await clock.advance(0.3)
    assert why(await one.move(ANNA, "r2", arrived)) is MoveRefusal.NO_FIT
    assert journal.entries[-1] == e.Rejected(ANNA, "r2", ("play", "row0"), "R2", BEN, 2000, 2000)


async def test_an_older_picture_hides_nothing_that_it_shows_itself() -> None:
    clock, journal = HandClock(), SlowJournal()
    one = table(race(), journal, clock)
    await one.move(BEN, "r2", clock.now())
    older = one.session
    await one.move(CHLOE, "flip:0", clock.now())
    one.shown(USERS[ANNA], one.session)
    await clock.advance(2)
    one.shown(USERS[ANNA], older)
    await clock.advance(0.1)
    assert why(await one.move(ANNA, "r2", clock.now())) is MoveRefusal.NO_FIT
    assert journal.entries[-1] == e.Rejected(ANNA, "r2", ("play", "row0"), "R2", BEN, 2100, 2100)


async def test_what_was_taken_before_a_restart_counts_as_shown_since() -> None:
    """Everybody gets ready before the table goes on, and then sees what was taken. The time for
    which the bot was down is in no margin.
    """
    clock, journal = HandClock(), SlowJournal()
    await table(race(), journal, clock).move(BEN, "r2", clock.now())
    await clock.advance(20)
    one = again(journal, clock)
    await clock.advance(0.5)
    late = await one.move(ANNA, "r2", clock.now())
    assert why(late) is MoveRefusal.NO_FIT
    noted = e.Rejected(ANNA, "r2", ("play", "row0"), "R2", BEN, 500, 500)
    assert journal.entries[1] == noted


async def test_what_is_taken_after_a_restart_is_a_race_as_ever() -> None:
    clock, journal = HandClock(), SlowJournal()
    await table(race(), journal, clock).move(CHLOE, "flip:0", clock.now())
    one = again(journal, clock)
    await one.move(BEN, "r2", clock.now())
    await clock.advance(2)
    late = await one.move(ANNA, "r2", clock.now())
    assert why(late) is TableRefusal.TOO_LATE
    assert journal.entries[2] == e.Rejected(ANNA, "r2", ("play", "row0"), "R2", BEN, 2000, None)


def again(journal: SlowJournal, clock: HandClock) -> Table:
    """The same table after a restart: what it is, and the moves of before, are in the journal."""
    session, made = live(race()), []
    for line in journal.lines:
        session = apply(session, line.entry, line.at, lived=line.lived)
        assert isinstance(line.entry, e.Moved)
        made.append((line.entry, line.lived, session))
    one = new_table(TableId(1), session, journal.lines[-1].seq + 1, journal, clock)
    one.resumed(made)
    return one


async def test_a_refusal_is_dated_when_it_is_decided() -> None:
    """Whatever the table's last entry was, and however long nothing was written since."""
    journal, clock = SlowJournal(), HandClock()
    one = new_table(TableId(1), live(race()), 10, journal, clock)
    before = int(clock.wall() * 1000)
    await clock.advance(66.0)
    await moved(one, (ANNA, "b3", clock.now()))
    assert journal.lines[0].at == before + 66_000


async def test_a_margin_below_half_a_millisecond_is_none() -> None:
    one = table(race())
    _, late = await moved(one, (BEN, "r2", 10.0), (ANNA, "r2", 10.0004))
    assert isinstance(late, Refused)
    assert dict(late.values)["ms"] == margin(0)


async def test_what_nobody_else_took_is_no_lost_race() -> None:
    """Anna's blue three was never for a place that there was."""
    journal = SlowJournal()
    one = table(race(), journal)
    await moved(one, (BEN, "r2", 10.0))
    (late,) = await moved(one, (ANNA, "b3", 10.1))
    assert why(late) is MoveRefusal.NO_FIT
    assert journal.entries[1] == e.Rejected(ANNA, "b3", ("play", "row1"), "B3")


async def test_a_second_press_on_a_card_is_not_a_lost_race() -> None:
    one = table(race())
    one.shown(USERS[BEN], one.session)
    _, again = await moved(one, (BEN, "r2", 0.0), (BEN, "r2", 0.05))
    assert why(again) is MoveRefusal.LAID_ALREADY


async def test_a_second_press_on_flip_never_turns_six_cards() -> None:
    journal = SlowJournal()
    one = table(race(), journal)
    _, again = await moved(one, (ANNA, "flip:0", 0.0), (ANNA, "flip:0", 0.05))
    assert why(again) is MoveRefusal.TURNED_ALREADY
    assert journal.entries == [e.Moved(ANNA, "flip:0")], "such a press is counted only"


async def test_nothing_changes_when_the_journal_cannot_be_written() -> None:
    journal = SlowJournal()
    one = table(race(), journal)
    before = one.session
    journal.broken = True
    with pytest.raises(OSError, match="disk is full"):
        await one.move(ANNA, "r2", 0.0, None)
    assert one.session == before
    journal.broken = False
    assert isinstance(await one.move(ANNA, "r2", 0.0, None), Done)
    assert journal.lines[0].seq == 10


async def test_a_press_the_journal_knows_changes_nothing() -> None:
    """The memory of the last 15 minutes is gone after a restart; the journal is the net."""
    journal = SlowJournal()
    one = table(race(), journal)
    await one.move(ANNA, "flip:0", 0.0, press(ANNA, 7))
    after = one.session
    again = await one.move(ANNA, "flip:1", 0.1, press(ANNA, 7))
    assert why(again) is Stale.SEEN
    assert one.session == after


async def test_refusals_stand_in_the_journal_in_their_order() -> None:
    journal = SlowJournal()
    one = table(race(), journal)
    await moved(
        one, (ANNA, "b3", 0.0), (BEN, "r2", 0.01), (CHLOE, "g3", 0.02), (ANNA, "flip:0", 0.03)
    )
    assert journal.entries == [
        e.Rejected(ANNA, "b3", ("play", "row1"), "B3"),
        e.Moved(BEN, "r2"),
        e.Rejected(CHLOE, "g3", ("play", "row0"), "G3"),
        e.Moved(ANNA, "flip:0"),
    ]
    assert one.session.moves == 3, "play and refill, flip; refusals take no chance number"


async def test_a_posting_is_on_the_disk_before_it_goes_out_and_leads_to_no_other() -> None:
    one = table(race(), journal := SlowJournal())
    one.session = replace(one.session, phase=Phase.READY, round=0, state=None, secret=b"secret")
    drawn: list[Table] = []
    one.on_change = drawn.append
    await one.do(begin_posting)
    assert (journal.entries, journal.durable) == ([e.PostingBegun()], [True])
    assert drawn == [], "it is begun while the table is drawn"
    await one.do(partial(publish, channel=ChannelId(88), message=MessageId(10), lobby=MessageId(5)))
    assert drawn == [one]


async def test_the_last_ligretto_card_ends_the_round_in_one_durable_write() -> None:
    journal = SlowJournal()
    state = race()
    nearly = replace(state, seats=(own("r2 b3 b4", "r2"), *state.seats[1:]))
    one = table(nearly, journal)
    await moved(one, (ANNA, "r2", 0.0))
    assert journal.durable == [False], "the row's two was laid, the Ligretto card is left"
    one = table(
        replace(state, seats=(own("g3 b3 b4", "r2"), *state.seats[1:])), journal_2 := SlowJournal()
    )
    _, after = await moved(one, (ANNA, "r2", 0.0), (BEN, "r2", 0.001))
    assert journal_2.entries == [
        e.Moved(ANNA, "r2"),
        e.RoundEnded(Reason.LIGRETTO, ANNA, plus=(1, 0, 1), minus=(0, 4, 4), met=True),
    ]
    assert journal_2.durable == [True]
    assert why(after) is TableRefusal.ROUND_OVER
    assert one.session.totals == (1, -4, -3)


async def test_a_round_that_a_leave_makes_dead_ends_with_it() -> None:
    """Only Anna could still play: when she leaves, nobody can, and the round is dead (C22)."""
    journal = SlowJournal()
    stuck = replace(
        race(),
        seats=(own("r2 b3 b4", "g7"), own("b5 b6 b7", "y9"), own("g3 g4 g5", "b9")),
    )
    one = table(stuck, journal)
    await one.do(lambda session: d.leave(session, USERS[ANNA]))
    assert journal.entries[:2] == [
        e.Left(ANNA),
        e.RoundEnded(Reason.DEAD, None, plus=(0, 0, 1), minus=(2, 2, 2), met=False),
    ]


async def test_entries_never_go_back_in_time() -> None:
    """The machine's clock may jump back; the log's times never do."""
    journal, clock = SlowJournal(), HandClock()
    one = table(race(), journal, clock)
    await moved(one, (ANNA, "flip:0", 0.0))
    clock.unix -= 3600
    await moved(one, (ANNA, "flip:1", 0.1))
    assert journal.lines[0].at <= journal.lines[1].at


async def test_a_move_outside_a_live_round_says_why() -> None:
    for phase, expected in {
        Phase.COUNT: TableRefusal.NOT_LIVE,
        Phase.READY: TableRefusal.NOT_LIVE,
        Phase.OVER: TableRefusal.MATCH_OVER,
        Phase.CLOSED: TableRefusal.CLOSED,
    }.items():
        one = table(race())
        one.session = replace(one.session, phase=phase)
        (refused,) = await moved(one, (ANNA, "r2", 0.0))
        assert why(refused) is expected


async def test_a_hundred_presses_at_once_lose_none() -> None:
    journal = SlowJournal()
    one = table(race(), journal)
    outcomes = await moved(one, *((ANNA, f"flip:{n}", n / 1000) for n in range(100)))
    assert all(isinstance(outcome, Done) for outcome in outcomes)
    assert [line.seq for line in journal.lines] == list(range(10, 110))


async def told_of(one: Table, *moves: tuple[Seat, str, float]) -> int:
    """How often everybody was told to look at the table while these moves were made. What time
    has brought until then is known to all.
    """
    one.tell_of_time()
    told: list[Table] = []
    one.on_change = told.append
    await moved(one, *moves)
    return len(told)


async def test_turned_cards_are_news_to_nobody_else() -> None:
    """Who turned them gets an answer; to all others the table looks as it did."""
    one = table(race())
    assert await told_of(one, (ANNA, "flip:0", 0.0)) == 0
    assert seat_cards(one.session, ANNA).discard == cards("y1 y2 y3")
    assert await told_of(one, (BEN, "flip:0", 1.0), (BEN, "r2", 1.1)) == 1


async def test_a_refusal_is_news_only_where_somebody_was_faster() -> None:
    one = table(race())
    assert await told_of(one, (ANNA, "b3", 0.0)) == 0
    one.shown(USERS[ANNA], one.session)
    assert await told_of(one, (BEN, "r2", 10.0), (ANNA, "r2", 10.1)) == 2


async def test_turned_cards_that_end_the_round_are_news() -> None:
    """Nobody else can go on, and the last one has only just seen it (C22)."""
    state = race()
    gone = [replace(seat, gone=True) if seat is not None else None for seat in state.seats]
    stuck = own("b3 b4 b5", "g7 g8", "y5 y6 y7")
    one = table(replace(state, seats=(stuck, *gone[1:]), refill=False))
    assert await told_of(one, (ANNA, "flip:0", 0.0)) == 1
    assert one.session.phase is Phase.READY


async def test_who_was_away_and_turns_cards_is_seen_to_be_back() -> None:
    clock = HandClock()
    one = table(race(), clock=clock)
    told: list[Table] = []
    await clock.advance(ABSENT_AFTER + 1)
    assert one.looks_different()
    one.tell_of_time()
    assert not one.looks_different()
    one.on_change = told.append
    await one.move(ANNA, "flip:0", clock.now(), press(ANNA, 1, clock.now()))
    assert told == [one]


def test_what_is_worked_out_of_a_table_stays_true_as_a_round_goes_on() -> None:
    """A move copies a table with all that was worked out of it."""
    derived = [key for key, value in vars(Session).items() if isinstance(value, cached_property)]
    session = live(race())
    assert [getattr(session, key) for key in derived]
    moved = apply(session, e.Moved(ANNA, "r2"), 7000, lived=7000).dated(7001, 7001)
    anew = replace(moved)
    assert moved == anew
    assert moved.laid_at == 7000
    for key in derived:
        assert getattr(moved, key) == getattr(anew, key), key


def test_what_was_taken_in_a_round_is_nobodys_in_the_next() -> None:
    session, claims = live(race()), Claims()
    claims.taken(session, "R2", BEN, 5.0)
    assert claims.contest(session, "R2", ANNA, None, 6.0) == Contest(BEN, 1000, None)
    following = replace(session, round=session.round + 1)
    assert claims.contest(following, "R2", ANNA, None, 60.0) is None
