"""A player's panel: where it is, what is on it, and what each event makes of it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from bot.ids import ChannelId, MessageId
from bot.screen import Screen
from bot.tables.state.message_refs import Direct, Token
from bot.tables.state.session import Session
from bot.ui.limits.errors import Trouble
from bot.ui.panel_states.failed_edits import failed
from bot.ui.panel_states.panel_place import (
    Asleep,
    ByToken,
    DirectMessage,
    Place,
    direct_of,
    left_behind,
    message_id,
    token_of,
)
from bot.ui.panel_states.picture_on_top import Top, made, moved, shown, taken
from bot.ui.panel_states.picture_on_top import lost as lost_top
from bot.ui.panel_states.picture_on_top import refused as refused_top
from bot.ui.panel_states.picture_on_top import sent as sent_top
from bot.ui.panel_states.state import (
    Delivery,
    MaybeOld,
    PanelState,
    Picture,
    Unknown,
    UpToDate,
    answered,
    begun,
    can_push,
    delivered,
    ending,
    finished,
    is_due,
    is_outdated,
    let_go,
    looked_at,
    lost,
    placed,
    refused,
    restored,
    sent,
    shows,
    touched,
    without_message,
    without_token,
)
from bot.ui.panel_states.state import shown as last_shown
from tests.ui.matches import PEOPLE, lobby

Event = Callable[[PanelState], PanelState]
Case = tuple[str, PanelState, Event, PanelState]

SESSION = lobby(PEOPLE[:2])
HERE, ELSEWHERE = MessageId(100), MessageId(200)
token, newer = Token("t1", HERE, 0.0), Token("t2", HERE, 60.0)
token_elsewhere = Token("t3", ELSEWHERE, 60.0)
dm, dm_elsewhere = Direct(ChannelId(7), HERE), Direct(ChannelId(7), ELSEWHERE)

first = Delivery(Screen((), 1), SESSION)
other = Delivery(Screen((), 2), SESSION)
twin = Delivery(Screen((), 2), SESSION)
"""Looks like `other`."""


def at(place: Place, picture: Picture, answering: int = 0) -> PanelState:
    return PanelState(place, picture, answering)


asleep = PanelState()
panel = at(ByToken(token), UpToDate(first))
changed = at(ByToken(token), MaybeOld(first))
unknown = at(ByToken(token), Unknown())
overtaken = at(ByToken(token), Unknown(is_overtaken=True))
message = at(DirectMessage(dm), UpToDate(first))
pressed_message = at(DirectMessage(dm, token), UpToDate(first))
answering = at(ByToken(token), UpToDate(other), 1)
first_answer = at(Asleep(), UpToDate(first))
last_minute = at(ByToken(token, ends=True), UpToDate(first))


def after(*events: Event) -> Event:
    def all_of_them(state: PanelState) -> PanelState:
        for event in events:
            state = event(state)
        return state

    return all_of_them


def sends(delivery: Delivery) -> Event:
    return partial(sent, delivery=delivery)


def takes(delivery: Delivery) -> Event:
    return partial(delivered, delivery=delivery)


def refuses(delivery: Delivery) -> Event:
    return partial(refused, delivery=delivery)


def takes_answer(delivery: Delivery, where: Token | Direct) -> Event:
    return partial(answered, delivery=delivery, where=where)


def is_at(where: Token | Direct) -> Event:
    return partial(placed, where=where)


def was_at(where: Token | Direct) -> Event:
    return partial(restored, where=where)


def dies(dead: Token) -> Event:
    return partial(without_token, token=dead)


def gone(used: Place) -> Event:
    return partial(without_message, used=used)


def fails(kind: Trouble, used: Place | None = None) -> Event:
    """The edit with the first picture does, where the panel is or was."""
    return lambda state: failed(state, kind, first, state.place if used is None else used)


PICTURES: tuple[Case, ...] = (
    ("something happens", panel, touched, changed),
    ("something happens again", changed, touched, changed),
    ("something happens while nobody knows what is seen", unknown, touched, unknown),
    ("it is not seen on the panel", changed, looked_at, panel),
    ("a push goes out", changed, sends(other), at(ByToken(token), UpToDate(other))),
    ("a push is carried out", panel, takes(first), panel),
    ("... and something has happened meanwhile", changed, takes(first), changed),
    ("... after an answer went out", panel, takes(other), overtaken),
    ("... after an answer of the same look", answering, takes(twin), answering),
    ("... after an answer whose fate is unknown", unknown, takes(first), overtaken),
    ("a push is refused", panel, refuses(first), unknown),
    ("... after an answer went out", panel, refuses(other), panel),
    ("... after an answer of the same look", answering, refuses(twin), answering),
    ("a picture is lost", panel, lost, unknown),
    ("two answers cross", panel, after(sends(first), sends(other), takes(first)), overtaken),
    ("... and the newer comes last", overtaken, takes(other), overtaken),
)
ANSWERS: tuple[Case, ...] = (
    ("a press is worked on", panel, begun, replace(panel, answering=1)),
    (
        "two presses are worked on",
        panel,
        after(begun, begun, finished),
        replace(panel, answering=1),
    ),
    ("an answer is taken", panel, takes_answer(first, newer), at(ByToken(newer), UpToDate(first))),
    (
        "... while another push or answer went out",
        panel,
        takes_answer(other, newer),
        at(ByToken(newer), Unknown(is_overtaken=True)),
    ),
    ("a first panel is taken", first_answer, takes_answer(first, token), panel),
    (
        "... and something happened on its way",
        at(Asleep(), MaybeOld(first)),
        takes_answer(first, token),
        changed,
    ),
    ("... as a direct message", first_answer, takes_answer(first, dm), message),
    (
        "a second panel is taken elsewhere",
        panel,
        after(sends(other), takes_answer(other, token_elsewhere)),
        at(ByToken(token_elsewhere), UpToDate(other)),
    ),
    (
        "a press on a direct message is answered",
        message,
        takes_answer(first, token),
        pressed_message,
    ),
)
PLACES: tuple[Case, ...] = (
    ("a newer token", panel, is_at(newer), at(ByToken(newer), UpToDate(first))),
    ("another message", panel, is_at(token_elsewhere), at(ByToken(token_elsewhere), Unknown())),
    (
        "a direct message instead",
        panel,
        is_at(dm_elsewhere),
        at(DirectMessage(dm_elsewhere), Unknown()),
    ),
    (
        "a channel's panel instead",
        message,
        is_at(token_elsewhere),
        at(ByToken(token_elsewhere), Unknown()),
    ),
    ("the token's message is a direct one", panel, is_at(dm), pressed_message),
    (
        "another direct message",
        pressed_message,
        is_at(dm_elsewhere),
        at(DirectMessage(dm_elsewhere), Unknown()),
    ),
    ("a restart with a token", asleep, was_at(token), unknown),
    ("a restart with a direct message", asleep, was_at(dm), at(DirectMessage(dm), Unknown())),
    (
        "... and its token",
        asleep,
        after(was_at(dm), was_at(token)),
        at(DirectMessage(dm, token), Unknown()),
    ),
    (
        "... and an older panel's token",
        at(DirectMessage(dm_elsewhere), Unknown()),
        was_at(token),
        at(DirectMessage(dm_elsewhere), Unknown()),
    ),
    (
        "a restart after a press",
        at(ByToken(newer), UpToDate(first)),
        was_at(token),
        at(ByToken(newer), UpToDate(first)),
    ),
    ("the token is about to die", panel, ending, last_minute),
    ("... and it is looked at again", last_minute, ending, last_minute),
    (
        "... and a press brings another",
        last_minute,
        is_at(newer),
        at(ByToken(newer), UpToDate(first)),
    ),
    ("... and the last word is out", last_minute, dies(token), asleep),
    ("... of a direct message", pressed_message, ending, message),
    ("... of a panel that has none", asleep, ending, asleep),
    ("the token dies", panel, dies(token), asleep),
    ("... on a direct message", pressed_message, dies(token), message),
    (
        "... when a newer one is there",
        at(ByToken(newer), UpToDate(first)),
        dies(token),
        at(ByToken(newer), UpToDate(first)),
    ),
    ("... twice", asleep, dies(token), asleep),
    ("the message is deleted", panel, gone(ByToken(token)), asleep),
    ("a direct message is deleted", message, gone(DirectMessage(dm)), asleep),
    ("... that was edited with a token", pressed_message, gone(DirectMessage(dm, token)), asleep),
    (
        "... as a newer token comes",
        at(DirectMessage(dm, newer), UpToDate(first)),
        gone(DirectMessage(dm, token)),
        at(ByToken(newer), UpToDate(first)),
    ),
    (
        "... after the panel has moved",
        at(DirectMessage(dm_elsewhere), UpToDate(first)),
        gone(DirectMessage(dm)),
        at(DirectMessage(dm_elsewhere), UpToDate(first)),
    ),
    (
        "the message shows another table",
        replace(pressed_message, answering=1),
        let_go,
        replace(asleep, answering=1),
    ),
)


FAILURES: tuple[Case, ...] = (
    ("the edited message is gone", panel, fails(Trouble.MESSAGE_GONE), asleep),
    ("... or its channel", panel, fails(Trouble.PLACE_GONE), asleep),
    ("... or may not be edited", panel, fails(Trouble.FORBIDDEN), asleep),
    ("... and it was a direct one", message, fails(Trouble.MESSAGE_GONE), asleep),
    (
        "... and a newer panel is there",
        at(ByToken(token_elsewhere), UpToDate(other)),
        fails(Trouble.MESSAGE_GONE, ByToken(token)),
        at(ByToken(token_elsewhere), UpToDate(other)),
    ),
    (
        "... and it was a direct one that was pressed meanwhile",
        at(DirectMessage(dm, newer), UpToDate(first)),
        fails(Trouble.MESSAGE_GONE, DirectMessage(dm, token)),
        at(ByToken(newer), Unknown()),
    ),
    ("the token that edits is dead", panel, fails(Trouble.TOKEN_GONE), asleep),
    (
        "... and the message is a direct one",
        pressed_message,
        fails(Trouble.TOKEN_GONE),
        at(DirectMessage(dm), Unknown()),
    ),
    ("an edit is invalid", panel, fails(Trouble.BUG), unknown),
    ("an edit is refused", panel, fails(Trouble.REFUSED), unknown),
    ("... after an answer went out", answering, fails(Trouble.REFUSED), answering),
    ("the fate of an edit is unknown", panel, fails(Trouble.LATER), unknown),
    (
        "... and an answer went out after it",
        answering,
        fails(Trouble.LATER),
        replace(answering, picture=Unknown()),
    ),
    ("the thread is archived", panel, fails(Trouble.ARCHIVED), unknown),
)


def full(cases: tuple[Case, ...]) -> list[str]:
    """Names in full: `...` goes on where the last full name ended."""
    names, head = [], ""
    for name, *_ in cases:
        head = head if name.startswith("...") else name
        names.append(name.replace("...", head))
    return names


@pytest.mark.parametrize("case", PICTURES, ids=full(PICTURES))
def test_event_leads_to_picture(case: Case) -> None:
    _, before, event, expected = case
    assert event(before) == expected


@pytest.mark.parametrize("case", ANSWERS, ids=full(ANSWERS))
def test_answer_leads_to_panel(case: Case) -> None:
    _, before, event, expected = case
    assert event(before) == expected


@pytest.mark.parametrize("case", PLACES, ids=full(PLACES))
def test_event_leads_to_place(case: Case) -> None:
    _, before, event, expected = case
    assert event(before) == expected


@pytest.mark.parametrize("case", FAILURES, ids=full(FAILURES))
def test_failure_leads_to_panel(case: Case) -> None:
    _, before, event, expected = case
    assert event(before) == expected


@pytest.mark.parametrize(
    ("state", "session", "outdated"),
    [(panel, SESSION, False), (changed, SESSION, True), (unknown, None, False)],
)
def test_what_was_sent_last_says_which_table_is_seen(
    state: PanelState, session: Session | None, *, outdated: bool
) -> None:
    assert (last_shown(state), is_outdated(state)) == (session, outdated)


@pytest.mark.parametrize(
    ("state", "possible", "due"),
    [
        (asleep, False, False),
        (first_answer, False, False),
        (panel, True, False),
        (changed, True, True),
        (unknown, True, True),
        (message, True, False),
        (last_minute, True, True),
        (replace(last_minute, answering=1), False, False),
        (replace(changed, answering=1), False, False),
        (replace(unknown, answering=2), False, False),
    ],
)
def test_push_is_due_where_it_shows_news_and_no_answer_will(
    state: PanelState, *, possible: bool, due: bool
) -> None:
    assert (can_push(state), is_due(state)) == (possible, due)


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (asleep, (None, None, None)),
        (panel, (HERE, token, None)),
        (message, (HERE, None, dm)),
        (pressed_message, (HERE, token, dm)),
    ],
)
def test_place_says_what_edits_the_panel(
    state: PanelState, expected: tuple[int | None, Token | None, Direct | None]
) -> None:
    place = state.place
    assert (message_id(place), token_of(place), direct_of(place)) == expected


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (panel, at(ByToken(newer), Unknown()), None),
        (panel, at(ByToken(token_elsewhere), Unknown()), ByToken(token)),
        (pressed_message, at(ByToken(token_elsewhere), Unknown()), DirectMessage(dm, token)),
        (pressed_message, message, None),
        (panel, asleep, None),
        (asleep, panel, None),
    ],
)
def test_only_a_message_that_was_left_for_another_is_deleted(
    before: PanelState, now: PanelState, expected: Place | None
) -> None:
    assert left_behind(before.place, now.place) == expected


def test_only_the_last_picture_sent_is_known() -> None:
    assert shows(panel, first.screen)
    assert shows(changed, first.screen)
    assert not shows(panel, other.screen)
    assert not shows(unknown, first.screen)


def test_deliveries_of_one_look_are_two() -> None:
    assert other != twin
    assert other.screen == twin.screen


def known(*fates: tuple[Callable[[Top, Delivery], Top], Delivery]) -> Session | None:
    """What is shown for sure once the fates of these sendings are known, in this order."""
    top = Top(HERE)
    for fate, delivery in fates:
        top = fate(top, delivery)
    return shown(top)


def sending(moves: int, heard: int = 0, message: MessageId | None = HERE) -> Delivery:
    """A picture after so many moves. `heard`: of how many sendings the fate was known then."""
    return Delivery(Screen((), moves), replace(SESSION, round=1, moves=moves), heard, message)


five, six = sending(5), sending(6)
"""They cross: both are sent before anything is heard of the other."""


@pytest.mark.parametrize(
    ("fates", "moves"),
    [
        ([], None),
        ([(taken, five)], 5),
        ([(taken, five), (taken, sending(6, heard=1))], 6),
        ([(taken, five), (taken, six)], 5),
        ([(taken, six), (taken, five)], 5),
        ([(taken, six), (taken, five), (taken, sending(6, heard=1))], 5),
        ([(taken, six), (taken, five), (taken, sending(6, heard=2))], 6),
        ([(lost_top, six)], None),
        ([(lost_top, five), (taken, six)], 5),
        ([(taken, five), (lost_top, sending(6, heard=1))], 5),
        ([(taken, six), (lost_top, five)], 5),
        ([(taken, six), (lost_top, five), (taken, sending(7, heard=2))], 7),
        ([(taken, sending(6, heard=0)), (lost_top, sending(6, heard=1))], 6),
    ],
    ids=[
        "no picture",
        "one picture",
        "one after the other",
        "two cross",
        "two cross and the newer one is heard of first",
        "a third was sent before the second was heard of",
        "a third was sent after both were heard of",
        "the first is lost",
        "the first is lost and crosses another",
        "the second is lost",
        "a lost one crosses a newer one",
        "a third was sent after one was lost",
        "a lost one looks the same",
    ],
)
def test_crossed_pictures_show_no_more_than_the_older_one(
    fates: list[tuple[Callable[[Top, Delivery], Top], Delivery]], moves: int | None
) -> None:
    session = known(*fates)
    assert (session and session.moves) == moves


@pytest.mark.parametrize(
    ("fate", "moves"), [(None, 5), (taken, 5), (lost_top, 5), (refused_top, 6)]
)
def test_a_newer_picture_is_not_sure_to_stay_while_an_older_one_is_under_way(
    fate: Callable[[Top, Delivery], Top] | None, moves: int
) -> None:
    older, younger = sending(5, heard=1), sending(6, heard=1)
    top = sent_top(taken(Top(HERE), sending(4)), older)
    top = taken(sent_top(top, younger), younger)
    top = fate(top, older) if fate is not None else top
    session = shown(top)
    assert session is not None
    assert session.moves == moves


def test_a_newer_picture_under_way_hides_nothing() -> None:
    assert shown(sent_top(taken(Top(HERE), five), six)) is five.session
    assert shown(sent_top(Top(HERE), six)) is None


@pytest.mark.parametrize("fate", [None, taken, lost_top, refused_top])
def test_what_was_sent_to_another_message_says_nothing_of_this_one(
    fate: Callable[[Top, Delivery], Top] | None,
) -> None:
    """And what lay on the other one is not on this one. The last fate known: an answer that is
    lost, and would have been a message of its own.
    """
    older, answer = sending(5), sending(6, message=None)
    top = made(sent_top(sent_top(Top(HERE), older), answer), answer, ELSEWHERE)
    assert shown(top) is answer.session
    top = fate(top, older) if fate is not None else top
    assert shown(top) is answer.session
    assert shown(lost_top(top, sending(5, message=None))) is answer.session


def test_what_a_message_was_made_of_lies_below_all_that_was_sent_there() -> None:
    """They have pressed on it, and that answer is heard of first."""
    answer, redrawn = sending(5, message=None), sending(6)
    top = sent_top(sent_top(Top(), answer), redrawn)
    assert shown(made(top, answer, HERE)) is answer.session
    assert shown(taken(made(top, answer, HERE), redrawn)) is redrawn.session
    assert shown(made(taken(moved(top, HERE), redrawn), answer, HERE)) is redrawn.session


def test_a_new_message_may_be_redrawn_by_what_is_under_way_to_it() -> None:
    """Two presses on a message that the panel comes back to: either answer may lie on top."""
    first_one, second_one = sending(5, message=ELSEWHERE), sending(6, message=ELSEWHERE)
    top = sent_top(sent_top(taken(Top(HERE), five), first_one), second_one)
    assert shown(taken(moved(top, ELSEWHERE), second_one)) is first_one.session


def test_lost_pictures_of_one_look_are_one() -> None:
    """However long Discord takes nothing, and however often it is tried."""
    top = taken(Top(HERE), five)
    for _ in range(100):
        top = lost_top(top, six)
    assert len(top.maybe) == 2
