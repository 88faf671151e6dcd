"""What is told of a match at its end, to everybody and to each player."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.games.values import Reason, Seat
from bot.i18n import say
from bot.records.feat_models import Feat
from bot.screen import Sentence
from bot.tables.decisions import highlights
from bot.tables.decisions.presence import Presence
from bot.tables.state import events as e
from bot.tables.state.evolve import apply
from bot.tables.state.session import Session
from bot.tables.views.results.records import Records
from bot.tables.views.results.story import clock, praise, story
from bot.ui.records.feats.server_records import in_short
from tests.ui.matches import HOST, after_moves, live, lobby, round_over, user

ANNA, BEN, CEM = Seat(0), Seat(1), Seat(2)


def match(
    *rounds: Sequence[int], by: Sequence[int | None] = (0,) * 9, lasted: Sequence[int] = (60,) * 9
) -> Session:
    """Three people after rounds of these points, stopped by these seats after these seconds."""
    session = live(lobby(["Anna", "Ben", "Cem"], rounds=str(len(rounds))))
    for number, points in enumerate(rounds):
        reason = Reason.DEAD if by[number] is None else Reason.LIGRETTO
        plus, minus = [max(n, 0) for n in points], [max(-n, 0) for n in points]
        entry = e.RoundEnded(reason, by[number], tuple(plus), tuple(minus))
        session = apply(session, entry, session.at + lasted[number] * 1000)
        if number + 1 < len(rounds):
            session = live(session)
    return session


def duelling(session: Session, number: int, ms: int, first: int = 1, late: int = 0) -> Session:
    """The same match with a closest duel in one of its rounds."""
    result = session.history[number]
    ended = replace(result.ended, closest=e.CloseCall(first, late, "r5", ms))
    history = (
        *session.history[:number],
        replace(result, ended=ended),
        *session.history[number + 1 :],
    )
    return replace(session, history=history)


def told(session: Session, bests: dict[Seat, int] | None = None) -> list[str]:
    return [said(line) for line in story(session, Records(bests=bests or {}))]


def told_to(session: Session, seat: Seat) -> str:
    line = praise(session, seat, Presence(0))
    return "" if line is None else said(line)


def said(line: Sentence) -> str:
    """The English words, with spaces that may break."""
    return say(line.text, "en-US").replace("\u00a0", " ")


# -- to everybody ---------------------------------------------------------------------------------


def test_a_story_has_the_rarest_first_and_three_lines_at_most() -> None:
    session = match((-10, 13, 0), (40, 3, 1), by=(1, 0), lasted=(70, 52))
    session = duelling(duelling(session, 0, 3), 1, 80)
    assert told(session, {ANNA: 31, BEN: 20}) == [
        "RISE Anna came back from 23 behind",
        "BEST Personal best for Anna: +40 in one round",
        "DUEL R5 Ben beat Anna by 3 ms",
    ]
    assert told(session)[1:] == [
        "DUEL R5 Ben beat Anna by 3 ms",
        "FAST Fastest stop: Anna, 52.00 s",
    ]


@pytest.mark.parametrize(
    ("feats", "icons"),
    [
        ((), ["RISE", "BEST", "DUEL"]),
        ((Feat.COME_BACK,), ["BEST", "DUEL", "FAST"]),
        ((Feat.POINTS,), ["RISE", "DUEL", "FAST"]),
        ((Feat.DUEL,), ["RISE", "BEST", "FAST"]),
        ((Feat.COME_BACK, Feat.STOP), ["BEST", "DUEL"]),
    ],
)
def test_a_fallen_record_is_not_told_once_more(feats: Sequence[Feat], icons: list[str]) -> None:
    session = duelling(match((-10, 13, 0), (40, 3, 1), by=(1, 0), lasted=(70, 52)), 0, 3)
    fallen = {str(feat): Sentence(in_short(feat, 1)) for feat in feats}
    lines = story(session, Records(bests={ANNA: 31}, fallen=fallen))
    assert [said(line).split()[0] for line in lines] == icons


def test_nothing_is_told_that_did_not_happen() -> None:
    assert told(match((5, 4, 3))) == [], "one stop is not the fastest of any"
    assert told(match((5, 9, 3), (5, 0, 0), by=(None, None))) == [], "4 points are no come-back"
    assert told(match((5, 4, 3)), {ANNA: 5}) == [], "as good as before is no new best"


def test_the_closest_duel_of_all_rounds_is_told_whatever_else_there_is() -> None:
    session = match((0, 30, 0), (60, 0, 0), (1, 0, 0), by=(1, 0, 2))
    session = duelling(duelling(session, 0, 300), 2, 12, first=2, late=1)
    assert "DUEL R5 Cem beat Ben by 12 ms" in told(session, dict.fromkeys((ANNA, BEN, CEM), 0))


def test_the_best_that_grew_most_is_told_of_several() -> None:
    session = match((20, 25, 9))
    assert told(session, {ANNA: 10, BEN: 24, CEM: 30}) == [
        "BEST Personal best for Anna: +20 in one round"
    ]


def test_a_stop_is_told_once_and_as_records_have_it() -> None:
    """Ben has stopped faster than ever before, and fastest of all; Anna than ever before."""
    session = match((5, 9, 0), (8, 9, 0), by=(1, 0), lasted=(41, 52))
    records = Records(stops={BEN: 50_000})
    assert [said(line) for line in story(session, records)] == [
        "FAST Personal best for Ben: stopped in 41.00 s"
    ]
    records = Records(stops={ANNA: 59_990})
    assert [said(line) for line in story(session, records)] == [
        "FAST Personal best for Anna: stopped in 52.00 s",
        "FAST Fastest stop: Ben, 41.00 s",
    ]


def test_a_stop_as_fast_as_ever_is_no_new_best() -> None:
    assert story(match((5, 9, 0), lasted=(41,)), Records(stops={ANNA: 41_000})) == ()


def test_a_duel_of_no_measured_time_is_won_by_less_than_a_millisecond() -> None:
    session = duelling(match((5, 9, 0), (8, 9, 0), by=(None, None)), 0, 0)
    assert told(session) == ["DUEL R5 Ben beat Anna by less than 1 ms"]
    assert told_to(session, BEN) == "You won the closest duel, by less than 1 ms"


def test_a_stopwatch_has_minutes_and_seconds() -> None:
    assert [clock(ms) for ms in (0, 52_400, 67_000, 600_000)] == ["0:00", "0:52", "1:07", "10:00"]


# -- to each player -------------------------------------------------------------------------------


def test_everybody_hears_something_good_about_their_match() -> None:
    session = match((-10, 13, -2), (40, 3, 1), (0, 2, 8), by=(1, 0, 2), lasted=(70, 52, 50))
    assert [told_to(session, seat) for seat in (ANNA, BEN, CEM)] == [
        "You came back from 23 behind",
        "You won round 1",
        "You had the fastest stop: 50.00 s",
    ]
    session = duelling(session, 0, 3)
    assert told_to(session, BEN) == "You won the closest duel, by 3 ms"


def test_whoever_only_lost_hears_how_near_they_were() -> None:
    session = match((9, -3, -20), (4, 1, -1))
    assert told_to(session, ANNA) == "Your +9 in round 1 was the match’s best"
    assert told_to(session, BEN) == "Your best round: round 2, +1"
    assert told_to(session, CEM) == "You were 5 points short of winning round 2"


def test_nobody_is_praised_for_a_round_that_all_have_tied() -> None:
    session = match((-4, -4, -4), (9, -3, -6))
    assert told_to(session, BEN) == ""
    nearer = match((-4, -4, -4), (2, -1, -6))
    assert told_to(nearer, BEN) == "You were 3 points short of winning round 2"


def test_nobody_is_mocked_with_how_near_they_were() -> None:
    """Six points are no near miss, and of a single round the line above has told it already."""
    assert told_to(match((9, 8, -20), (5, 1, -1)), CEM) == ""
    assert told_to(match((9, 8, -20)), BEN) == ""


def test_a_best_round_is_told_to_whoever_played_it() -> None:
    session = match((1, 5, 0), (2, 7, 0))
    line = praise(session, BEN, Presence(0, bests={BEN: 6}))
    assert line is not None
    assert said(line) == "Your new personal best: +7 in one round"
    line = praise(session, BEN, Presence(0, bests={BEN: 7}))
    assert line is not None
    assert "personal best" not in said(line)


def test_a_server_record_is_told_to_whoever_broke_it() -> None:
    """Rather than the personal best that it is as well."""
    session = match((1, 5, 0), (2, 7, 0))
    presence = Presence(0, bests={BEN: 6}, broken={BEN: in_short(Feat.POINTS, 7)})
    line = praise(session, BEN, presence)
    assert line is not None
    assert said(line) == "You set a new server record: +7 in one round"
    other = praise(session, ANNA, presence)
    assert other is not None
    assert "record" not in said(other)


def test_whoever_finished_no_round_is_told_nothing() -> None:
    session = match((9, -3, 0))
    result = session.history[0]
    session = replace(session, history=(replace(result, seats=(ANNA, BEN)),))
    assert praise(session, CEM, Presence(0)) is None


# -- where the facts come from --------------------------------------------------------------------


def refused(session: Session, seat: int, first: int, ms: int) -> Session:
    entry = e.Rejected(seat, "r5", (), None, first, ms, None)
    return apply(session, entry, session.at)


@pytest.mark.parametrize(
    ("duels", "closest"),
    [
        (((0, 1, 300), (1, 0, 40), (0, 1, 90)), (1, 0, 40)),
        (((0, 1, 1_001),), None),  # a second apart is no duel
        (((2, 3, 1), (0, 3, 70)), (0, 3, 70)),  # two robots
    ],
)
def test_a_round_remembers_its_closest_duel(
    duels: tuple[tuple[int, int, int], ...], closest: tuple[int, int, int] | None
) -> None:
    session = live(lobby(["Anna", "Ben"], computers=2))
    for first, late, ms in duels:
        session = refused(session, late, first, ms)
    over = round_over(session)
    found = highlights.closest_duel(over)
    assert (found and (found.first, found.late, found.ms)) == closest
    assert live(over).closest is None, "the next round has none yet"


def test_the_story_is_the_same_after_the_presses_are_deleted() -> None:
    """A restart after the match reads a journal without the presses of its rounds."""
    session = refused(after_moves(live(lobby(["Anna", "Ben"], rounds="1")), 9), 0, 1, 7)
    over = round_over(session)
    kept = live(lobby(["Anna", "Ben"], rounds="1"))
    kept = apply(kept, over.history[-1].ended, kept.at + over.history[-1].lasted)
    assert told(kept) == told(over) == ["DUEL R5 Ben beat Anna by 7 ms"]
    for person, seat in ((HOST, ANNA), (user(1), BEN)):
        assert over.seat_of(person) == seat
        assert told_to(kept, seat) == told_to(over, seat)
