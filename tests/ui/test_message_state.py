"""The public message of a table: every state, and what each event makes of it."""

from collections.abc import Callable
from functools import partial

import pytest

from bot.ids import MessageId
from bot.screen import Screen
from bot.ui.tables.public_message.state import (
    Awaited,
    Gone,
    MessageState,
    Posted,
    Posting,
    Unanswered,
    arrived,
    deleted,
    edited,
    ended,
    found,
    in_doubt,
    is_due,
    message_id,
    move_down,
    moved,
    not_coming,
    on_screen,
    posted,
    refused,
    sent,
    shows,
)

OLD, NEW = Screen((), 1), Screen((), 2)
HERE, BELOW = MessageId(100), MessageId(200)
NONCE = "1-5"

awaited = Awaited()
up_to_date = Posted(HERE, NEW)
out_of_date = Posted(HERE, OLD)
unknown = Posted(HERE, None)
first = Posting()
moving = Posting(out_of_date)
lost = Unanswered(NONCE)
lost_below = Unanswered(NONCE, out_of_date)
stays = Posted(HERE, OLD, NONCE)
gone = Gone(HERE)
STATES: tuple[MessageState, ...] = (
    awaited,
    Awaited(below=True),
    up_to_date,
    out_of_date,
    unknown,
    first,
    moving,
    lost,
    lost_below,
    stays,
    gone,
    Gone(),
)

Case = tuple[str, MessageState, Callable[[MessageState], MessageState], MessageState]


def goes_out(state: MessageState) -> MessageState:
    assert isinstance(state, Posting | Unanswered)
    return sent(state, NONCE)


def is_answered(state: MessageState) -> MessageState:
    assert isinstance(state, Posting | Unanswered)
    return posted(state, BELOW, NEW)


def is_refused(state: MessageState) -> MessageState:
    assert isinstance(state, Posting | Unanswered)
    return refused(state)


comes = partial(arrived, message=BELOW, shown=NEW)
is_edited = partial(edited, message=HERE, shown=NEW)
edit_is_lost = partial(edited, message=HERE, shown=None)
finds_nothing = partial(found, message=None, nonce=None)
finds_it = partial(found, message=HERE, nonce=None)
finds_posting = partial(found, message=None, nonce=NONCE)
finds_both = partial(found, message=HERE, nonce=NONCE)

CASES: tuple[Case, ...] = (
    ("the command is answered", awaited, comes, Posted(BELOW, NEW)),
    ("... after Move down was pressed", Awaited(below=True), comes, Posting(Posted(BELOW, NEW))),
    ("... when the table has ended", gone, comes, gone),
    ("the command cannot be answered", awaited, not_coming, first),
    ("... although Move down was pressed", Awaited(below=True), not_coming, first),
    ("the search ends on a message", awaited, finds_it, unknown),
    ("... on one that is to move down", Awaited(below=True), finds_it, Posting(unknown)),
    ("... on a first posting", awaited, finds_posting, lost),
    ("... on a posting further down", awaited, finds_both, Unanswered(NONCE, unknown)),
    ("... on nothing", awaited, finds_nothing, first),
    ("... when the table has ended", gone, finds_both, gone),
    ("Move down is pressed", up_to_date, move_down, Posting(up_to_date)),
    ("... while the answer is awaited", awaited, move_down, Awaited(below=True)),
    ("... while it is about to move", moving, move_down, moving),
    ("... before anything is posted", first, move_down, first),
    ("... while a posting is out", lost_below, move_down, lost_below),
    ("... after one that may be there", stays, move_down, lost_below),
    ("... when the table has ended", gone, move_down, gone),
    ("a first posting goes out", first, goes_out, lost),
    ("a posting further down goes out", moving, goes_out, lost_below),
    ("a posting goes out again", lost_below, goes_out, lost_below),
    ("a posting is answered", first, is_answered, Posted(BELOW, NEW)),
    ("... further down", moving, is_answered, Posted(BELOW, NEW)),
    (
        "... the second time: which picture it has is unknown",
        lost,
        is_answered,
        Posted(BELOW, None),
    ),
    ("... the second time further down", lost_below, is_answered, Posted(BELOW, None)),
    ("a first posting is refused", first, is_refused, first),
    ("a posting further down is refused: it stays", moving, is_refused, out_of_date),
    ("a first one is refused that may be there", lost, is_refused, lost),
    ("one further down is refused that may be there", lost_below, is_refused, stays),
    ("an edit is carried out", out_of_date, is_edited, up_to_date),
    ("... before it moves down", moving, is_edited, Posting(up_to_date)),
    ("... while a posting is out", lost_below, is_edited, Unanswered(NONCE, up_to_date)),
    ("... and a posting may be there", stays, is_edited, Posted(HERE, NEW, NONCE)),
    ("... of a message that was left", Posted(BELOW, OLD), is_edited, Posted(BELOW, OLD)),
    ("... after it was deleted", first, is_edited, first),
    ("... when the table has ended", gone, is_edited, gone),
    ("the answer of an edit is lost", up_to_date, edit_is_lost, unknown),
    ("... before it moves down", moving, edit_is_lost, Posting(unknown)),
    ("somebody asks for the message", up_to_date, in_doubt, unknown),
    ("... before it moves down", moving, in_doubt, Posting(unknown)),
    ("... while a posting is out", lost_below, in_doubt, Unanswered(NONCE, unknown)),
    ("... and a posting may be there", stays, in_doubt, Posted(HERE, None, NONCE)),
    ("... before anything is posted", first, in_doubt, first),
    ("... while the answer is awaited", awaited, in_doubt, awaited),
    ("... when the table has ended", gone, in_doubt, gone),
    ("the message is deleted", up_to_date, deleted, first),
    ("... before it moves down", moving, deleted, first),
    ("... while a posting is out", lost_below, deleted, lost),
    ("... and a posting may be there", stays, deleted, lost),
    ("... before anything is posted", first, deleted, first),
    ("... while the answer is awaited", awaited, deleted, awaited),
    ("the table gets its thread", up_to_date, moved, first),
    ("... while a posting is out, which was for the channel", lost_below, moved, first),
    ("... when it has ended", gone, moved, gone),
    ("the table ends", up_to_date, ended, gone),
    ("... before anything is posted", first, ended, Gone()),
    ("... while it is about to move down", moving, ended, gone),
    ("... twice", gone, ended, gone),
)


def full(cases: tuple[Case, ...]) -> list[str]:
    """Names in full: `...` goes on where the last full name ended."""
    names, head = [], ""
    for name, *_ in cases:
        head = head if name.startswith("...") else name
        names.append(name.replace("...", head))
    return names


@pytest.mark.parametrize("case", CASES, ids=full(CASES))
def test_event_leads_to_state(case: Case) -> None:
    _, before, event, after = case
    assert event(before) == after


@pytest.mark.parametrize(
    ("state", "message", "picture"),
    [
        (awaited, None, None),
        (up_to_date, HERE, NEW),
        (unknown, HERE, None),
        (first, None, None),
        (moving, HERE, OLD),
        (lost, None, None),
        (lost_below, HERE, OLD),
        (gone, HERE, None),
        (Gone(), None, None),
    ],
)
def test_people_see_the_old_message_until_the_new_one_is_there(
    state: MessageState, message: int | None, picture: Screen | None
) -> None:
    there = on_screen(state)
    assert message_id(state) == message
    assert (there.shown if there is not None else None) == picture
    assert shows(state, NEW) is (picture is NEW)


@pytest.mark.parametrize(
    ("state", "due"),
    [
        (awaited, False),
        (up_to_date, False),
        (out_of_date, True),
        (unknown, True),
        (first, True),
        (Posting(up_to_date), True),
        (lost, True),
        (gone, False),
    ],
)
def test_something_is_sent_only_where_it_changes_what_people_see(
    state: MessageState, *, due: bool
) -> None:
    assert is_due(state, NEW) is due


@pytest.mark.parametrize(
    "event", [move_down, deleted, moved, not_coming, is_edited, edit_is_lost, in_doubt, ended]
)
@pytest.mark.parametrize("state", STATES, ids=str)
def test_no_event_brings_an_ended_message_back_or_loses_one(
    state: MessageState, event: Callable[[MessageState], MessageState]
) -> None:
    """Ended stays ended, and a message leaves the screen only when it is deleted or left."""
    after = event(state)
    assert isinstance(after, Gone) or not isinstance(state, Gone)
    assert message_id(after) == message_id(state) or event in (deleted, moved)
