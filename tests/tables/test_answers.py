"""What a press is answered with, in English: an accepted one, and one that is refused."""

from collections.abc import Callable
from functools import partial

import pytest

from bot.games.values import Refused
from bot.i18n import say
from bot.ids import ChannelId, UserId
from bot.tables.decisions import decide as d
from bot.tables.decisions import lobby as in_lobby
from bot.tables.decisions.decide import Decision, Done
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.state import events as e
from bot.tables.state import options
from bot.tables.state.evolve import apply, begin
from bot.tables.state.session import Phase, Session
from bot.text import SILENT, Text
from tests.tables.test_screens import ended
from tests.ui.matches import AT, HOST, PEOPLE, accepted, after, live, lobby, match_over, user

STRANGER = UserId(5)


def words(decision: Decision) -> str:
    assert isinstance(decision, Done), decision
    return say(decision.said, "en-US")


def why(decision: Decision) -> object:
    assert isinstance(decision, Refused), decision
    return decision.why


def closed(session: Session) -> Session:
    return accepted(session, d.close(session, "table.closed.channel"))


# -- leaving -------------------------------------------------------------------------------


def test_no_to_leaving_keeps_the_seat() -> None:
    session = live(lobby(["Anna", "Ben"]))
    assert d.ask_to_leave(session, HOST) == Done((), Text("leave.sure_ends"))
    assert d.stay(session, HOST) == Done((), Text("leave.stayed"))
    assert words(d.stay(session, HOST)) == "You’re still in. Play on!"


def test_only_players_are_asked_whether_they_leave() -> None:
    session = live(lobby(["Anna", "Ben", "Cem"]))
    left = accepted(session, d.leave(session, user(2)))
    for press in (d.stay, d.ask_to_leave, d.leave):
        assert why(press(session, STRANGER)) is TableRefusal.WATCHING
        assert why(press(left, user(2))) is TableRefusal.LEFT


def test_nobody_leaves_a_table_that_is_over_or_closed() -> None:
    over = match_over(lobby(["Anna", "Ben"]))
    assert why(d.leave(over, HOST)) is TableRefusal.MATCH_OVER
    assert why(d.leave(over, STRANGER)) is TableRefusal.STRANGER
    assert why(d.leave(closed(over), HOST)) is TableRefusal.CLOSED
    assert why(d.leave(closed(over), STRANGER)) is TableRefusal.CLOSED


# -- places --------------------------------------------------------------------------------


def test_a_table_that_moves_tells_nobody_in_words() -> None:
    session = lobby(["Anna", "Ben"], place="thread")
    there = d.move_to_channel(session, ChannelId(99), parent=session.channel)
    assert there == Done((e.ChannelChanged(ChannelId(99), session.channel),), SILENT)
    moved = accepted(session, there)
    assert d.move_to_channel(moved, ChannelId(99), parent=ChannelId(77)) == Done((), SILENT)


def test_a_table_that_moves_back_asks_for_no_other_thread() -> None:
    session = lobby(["Anna", "Ben"], place="thread")
    moved = accepted(session, d.move_to_channel(session, ChannelId(99), parent=session.channel))
    back = accepted(moved, d.move_to_channel(moved, session.channel, parent=None))
    assert (back.channel, back.parent) == (session.channel, None)
    assert not options.in_thread(back.options)


def test_a_table_that_gets_no_thread_stays_in_its_channel() -> None:
    session = lobby(["Anna", "Ben"], place="thread")
    assert not options.in_thread(accepted(session, d.keep_here(session)).options)
    assert d.keep_here(lobby(["Anna", "Ben"])) == Done((), SILENT)


# -- joining, and being ready --------------------------------------------------------------


def test_who_joins_is_told_so() -> None:
    assert words(in_lobby.join(lobby(["Anna"]), STRANGER, "Stranger")) == "You’re in"


def test_only_get_ready_has_anything_to_be_ready_for() -> None:
    waiting = lobby(["Anna", "Ben"])
    assert why(d.ready(waiting, HOST)) is TableRefusal.START_FIRST
    assert why(d.ready(waiting, user(1))) is TableRefusal.NOT_STARTED
    begun = live(waiting)
    assert why(d.ready(begun, HOST)) is TableRefusal.NOTHING_TO_READY
    assert why(d.ready(match_over(begun), HOST)) is TableRefusal.MATCH_OVER


# -- held seats ----------------------------------------------------------------------------


def test_a_held_seat_is_kept_for_its_player_alone() -> None:
    """A table of twelve asks for a rematch: only the other eleven can sit down again."""
    over = ended(live(lobby(PEOPLE)), ((0, 0),) * len(PEOPLE))
    opened, seated = in_lobby.rematch(over, HOST, "Anna")
    session = apply(begin(opened, AT), seated[0], AT)
    assert len(session.held) == 11
    assert session.since == 0, "its life begins with it"
    assert why(in_lobby.join(session, STRANGER, "Stranger")) is TableRefusal.FULL
    for seat in range(1, 12):
        session = accepted(session, in_lobby.join(session, user(seat), PEOPLE[seat]))
    assert not session.held
    assert why(in_lobby.join(session, STRANGER, "Stranger")) is TableRefusal.FULL


# -- a host's presses ----------------------------------------------------------------------


def test_a_full_table_takes_no_robot() -> None:
    assert why(in_lobby.add_robot(lobby(["Anna"], computers=11), HOST)) is TableRefusal.FULL


@pytest.mark.parametrize(
    "field",
    [("rounds", ("99",)), ("rounds", ("1", "2")), ("castle", ("1",)), ("more", ("castle",))],
)
def test_a_form_with_a_choice_that_nobody_offered_changes_nothing(
    field: tuple[str, tuple[str, ...]],
) -> None:
    form = (("level", ("hard",)), field)
    assert why(in_lobby.fill_form(lobby(["Anna"]), HOST, form)) is TableRefusal.BAD_OPTION


@pytest.mark.parametrize(
    "asked",
    [
        partial(in_lobby.start, seed=b""),
        in_lobby.add_robot,
        in_lobby.remove_robot,
        in_lobby.options,
        partial(in_lobby.set_option, key="rounds", value="5"),
        partial(in_lobby.set_seat_option, seat=1, key="dice", value="child"),
        partial(in_lobby.fill_form, values=(("rounds", ("5",)),)),
    ],
)
def test_others_do_what_a_host_does_only_for_one_who_is_away(
    asked: Callable[..., Decision],
) -> None:
    session = lobby(["Anna", "Ben"], computers=1, game="dice")
    assert why(asked(session, user(1))) is TableRefusal.HOST_ONLY
    assert why(asked(session, STRANGER, away=True)) is TableRefusal.JOIN_FIRST
    assert isinstance(asked(session, user(1), away=True), Done)
    assert isinstance(asked(session, HOST), Done)


def test_start_lets_a_paused_round_go_on_with_the_same_cards() -> None:
    session = live(lobby(["Anna", "Ben", "Cem"]))
    paused = accepted(session, d.pause(session))
    waiting = accepted(paused, d.ready(paused, HOST))
    later = after(waiting, d.START_AFTER)
    assert d.deal(later, HOST) == Done((e.Resumed(),), Text("table.started"))
    counted = accepted(later, d.deal(later, HOST))
    assert (counted.phase, counted.round, counted.state) == (Phase.COUNT, 1, session.state)


def test_a_round_is_dealt_only_while_the_table_waits_for_it() -> None:
    session = live(lobby(["Anna", "Ben"]))
    assert why(d.deal(session, HOST)) is TableRefusal.STARTED
    assert why(d.deal(match_over(lobby(["Anna", "Ben"])), HOST)) is TableRefusal.MATCH_OVER
    assert why(d.deal(session, STRANGER)) is TableRefusal.WATCHING


def test_a_table_in_a_thread_is_asked_for_no_thread() -> None:
    session = lobby(["Anna", "Ben"])
    there = accepted(session, d.move_to_channel(session, ChannelId(99), parent=session.channel))
    assert why(in_lobby.set_option(there, HOST, "place", "thread")) is TableRefusal.THREAD_ALREADY
    assert isinstance(in_lobby.set_option(session, HOST, "place", "thread"), Done)
    in_form = (("more", ("place",)),)
    assert in_lobby.fill_form(there, HOST, in_form) == Done((), SILENT), "it has its thread"
