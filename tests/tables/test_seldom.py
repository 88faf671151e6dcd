"""Sentences and decisions that few evenings need."""

from dataclasses import replace

from bot.games.values import Refused, Seat
from bot.i18n import say
from bot.ids import UserId
from bot.tables.arena import events as arena_events
from bot.tables.arena.decisions import NOT_IN
from bot.tables.decisions import decide as d
from bot.tables.decisions.decide import START_AFTER
from bot.tables.decisions.lobby import rematch
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.rated_or_practice import agreed_rounds
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.registry.unreadable import known_session
from bot.tables.state import events as e
from bot.tables.state.evolve import apply
from bot.tables.state.journal import JournalLine, TableId
from bot.tables.state.notices import Notices, Stuck
from bot.tables.state.seating import forgotten
from bot.tables.state.session import NOBODY
from bot.tables.views.results.standings import stopper
from bot.tables.views.screens import panel as panels
from bot.tables.views.screens import table_message
from bot.text import Text
from tests.tables.test_arena import after as later
from tests.tables.test_arena import arena, joined
from tests.tables.test_screens import ended, words
from tests.tables.views import BORN
from tests.ui.matches import HOST, accepted, after, live, lobby, started, user

BEN = user(1)


def test_a_table_says_that_discord_is_slow_while_it_is() -> None:
    session = started(lobby(["Anna", "Ben"]))
    quick, slow = (
        words(table_message.public(session, Presence(0, born=BORN, slow=slow)))
        for slow in (False, True)
    )
    (said,) = set(slow) - set(quick)
    assert said.startswith("Discord is slow here")


def test_a_panel_says_what_is_wrong_with_the_message_until_the_table_is_closed() -> None:
    stuck = Presence(0, born=BORN, notices=Notices(stuck=next(iter(Stuck))))
    playing = live(lobby(["Anna", "Ben"]))
    closed = apply(playing, e.Closed("table.closed.idle"), playing.at)
    told = [words(panels.panel(one, HOST, stuck, None)) for one in (playing, closed)]
    fine = [
        words(panels.panel(one, HOST, Presence(0, born=BORN), None)) for one in (playing, closed)
    ]
    assert len(told[0]) == len(fine[0]) + 1
    assert told[1] == fine[1]


def test_the_seat_that_ended_a_round_is_counted_from_one() -> None:
    assert stopper(ended(lobby(["Anna", "Ben"]), ((5, 0), (1, 0)))) == 1


def test_a_host_who_starts_too_soon_hears_after_how_many_seconds() -> None:
    first = started(lobby(["Anna", "Ben"]))
    session = accepted(first, d.ready(first, HOST))
    soon = d.deal(after(session, START_AFTER - 1), HOST)
    assert isinstance(soon, Refused)
    assert (soon.why, dict(soon.values)) == (TableRefusal.START_LATER, {"n": 30})


def test_a_message_says_when_the_host_may_start_and_then_that_they_may() -> None:
    first = started(lobby(["Anna", "Ben", "Cem"]))
    waiting = accepted(first, d.ready(first, HOST))
    soon, now = (
        "\n".join(words(table_message.public(waiting, Presence(lived, born=BORN))))
        for lived in (waiting.lived, waiting.lived + START_AFTER)
    )
    assert ":R>" in soon
    assert ":R>" not in now


def test_rounds_are_agreed_where_a_table_knows_no_target() -> None:
    assert agreed_rounds("ligretto", {"rounds": "3"}, 2) == 3
    assert agreed_rounds("ligretto", {"rounds": "3", "target": "99"}, 2) is None


def test_a_host_who_is_forgotten_is_no_host_and_others_stay_what_they_are() -> None:
    session = ended(lobby(["Anna", "Ben"], rounds="1"), ((5, 0), (1, 0)))
    without = forgotten(session, BEN)
    assert (without.host, without.chairs[1].user) == (HOST, NOBODY)
    without = forgotten(session, HOST)
    assert (without.host, without.chairs[1].user) == (NOBODY, BEN)


def test_nobody_who_was_forgotten_has_a_seat_in_the_rematch() -> None:
    session = ended(lobby(["Anna", "Ben", "Cem"], rounds="1"), ((5, 0), (1, 0), (2, 0)))
    session = forgotten(session, BEN)
    opened, _ = rematch(session, HOST, "Anna")
    assert [one.user for one in opened.held] == [user(2)]


def test_somebody_who_is_back_after_a_restart_has_been_seen() -> None:
    session = replace(live(lobby(["Anna", "Ben"])), unseen=frozenset({Seat(0)}))
    assert session.seen(Seat(0)).unseen == frozenset()
    assert session.seen(Seat(1)).unseen == {0}


def test_a_table_whose_match_has_ended_keeps_its_message_even_if_it_cannot_be_read() -> None:
    session = lobby(["Anna", "Ben"])
    entries: tuple[e.Entry, ...] = (
        session.opened,
        e.Closed("table.closed.version"),
        e.MatchEnded(counts=True),
    )
    lines = [JournalLine(TableId(1), seq, session.at, one) for seq, one in enumerate(entries)]
    assert known_session(lines) is None
    assert known_session(lines[:2]) is not None


def test_an_arena_is_quiet_since_somebody_became_free() -> None:
    state = later(arena(*joined(1)), arena_events.Freed(UserId(1)), 5_000)
    assert state.quiet_since == 5_000


def test_whoever_is_not_in_an_arena_hears_which_button_brings_them_in() -> None:
    assert "Join" in say(Text(NOT_IN.why, NOT_IN.values), "en")
