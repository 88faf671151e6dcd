"""The states of a table's public message, and the transitions between them: pure values.

    Awaited ──the answer is there──▶ Posted ──edit, or the answer of one is lost──▶ Posted
       │                              ▲   │
       └─no answer─▶ Posting ─posted──┘   └─move down, deleted, another channel─▶ Posting
                      │    ▲
                  sent│    │refused                         any state ─the table ends─▶ Gone
                      ▼    │
                    Unanswered ──posted again──▶ Posted, with a picture nobody knows

`bot.ui.table_message` applies them and sends what they ask for; `bot.ui.board` tells it when.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.games.screen import Screen


@dataclass(frozen=True, slots=True)
class Awaited:
    """Something else brings the message: a command's answer, or the search after a restart.

    Nothing is sent meanwhile. `below`: it is to be moved down as soon as it is there.
    """

    below: bool = False


@dataclass(frozen=True, slots=True)
class Posted:
    """The message is there. `shown`: its picture; None means that nobody knows, so it is edited.

    `nonce`: of a newer posting that was refused the last time, but may have gone out before.
    """

    message: int
    shown: Screen | None
    nonce: str | None = None


@dataclass(frozen=True, slots=True)
class Posting:
    """The next drawing posts the message; the `old` one is shown until then, and deleted."""

    old: Posted | None = None


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A posting is out, and nobody knows whether Discord has carried it out.

    Sending the same nonce again within a few minutes finds the first message and leaves it as it
    is; later it makes another (PLATFORM 2).
    """

    nonce: str
    old: Posted | None = None


@dataclass(frozen=True, slots=True)
class Gone:
    """Nothing is drawn any more: the table is closed, or its channel is gone."""

    message: int | None = None


Unposted: TypeAlias = Posting | Unanswered
MessageState: TypeAlias = Awaited | Posted | Posting | Unanswered | Gone


def on_screen(state: MessageState) -> Posted | None:
    """Return the message that people see and press now."""
    match state:
        case Posted():
            return state
        case Posting(old) | Unanswered(old=old):
            return old
        case Awaited() | Gone():
            return None


def message_id(state: MessageState) -> int | None:
    """Return the id of the message that people see, or saw last."""
    if isinstance(state, Gone):
        return state.message
    there = on_screen(state)
    return there.message if there is not None else None


def shows(state: MessageState, picture: Screen) -> bool:
    """Return whether people are known to see this picture."""
    there = on_screen(state)
    return there is not None and there.shown == picture


def is_due(state: MessageState, picture: Screen) -> bool:
    """Return whether something must be sent for people to see this picture in its place."""
    match state:
        case Posting() | Unanswered():
            return True
        case Posted():
            return state.shown != picture
        case Awaited() | Gone():
            return False


def arrived(state: MessageState, message: int, shown: Screen | None) -> MessageState:
    """The message that was awaited is there."""
    match state:
        case Gone():
            return state
        case Awaited(below=True):
            return Posting(Posted(message, shown))
        case Awaited() | Posted() | Posting() | Unanswered():
            return Posted(message, shown)


def not_coming(state: MessageState) -> MessageState:
    """The message that was awaited will not come: it is posted instead."""
    return Posting() if isinstance(state, Awaited) else state


def found(state: MessageState, message: int | None, nonce: str | None) -> MessageState:
    """The search after a restart has ended. `nonce`: of a posting that was under way."""
    if nonce is not None and not isinstance(state, Gone):
        return Unanswered(nonce, Posted(message, None) if message is not None else None)
    return not_coming(state) if message is None else arrived(state, message, None)


def move_down(state: MessageState) -> MessageState:
    """The message is wanted below everything else in its channel."""
    match state:
        case Awaited():
            return Awaited(below=True)
        case Posted(message, shown, nonce):
            return _to_post(nonce, Posted(message, shown))
        case Posting() | Unanswered() | Gone():
            return state


def sent(before: Unposted, nonce: str) -> Unanswered:
    """A posting goes out."""
    return Unanswered(nonce, before.old)


def posted(before: Unposted, message: int, picture: Screen) -> Posted:
    """A posting was answered. After one that was not, this may be the first one's message."""
    return Posted(message, picture if isinstance(before, Posting) else None)


def refused(before: Unposted) -> MessageState:
    """Discord takes no posting for now: the message stays where it is, if there is one."""
    old = before.old
    if old is None:
        return before
    return old if isinstance(before, Posting) else replace(old, nonce=before.nonce)


def edited(state: MessageState, message: int, shown: Screen | None) -> MessageState:
    """An edit of this message was carried out; None while it is out, or when its answer is lost."""
    match state:
        case Posted() if state.message == message:
            return replace(state, shown=shown)
        case Posting() | Unanswered() if state.old is not None and state.old.message == message:
            return replace(state, old=replace(state.old, shown=shown))
        case Awaited() | Posted() | Posting() | Unanswered() | Gone():
            return state


def in_doubt(state: MessageState) -> MessageState:
    """The message may be gone: it is edited even if it looks as it should."""
    return edited(state, there.message, None) if (there := on_screen(state)) else state


def deleted(state: MessageState) -> MessageState:
    """Somebody has deleted the message: it is posted."""
    match state:
        case Posted(nonce=nonce):
            return _to_post(nonce, None)
        case Posting() | Unanswered():
            return replace(state, old=None)
        case Awaited() | Gone():
            return state


def moved(state: MessageState) -> MessageState:
    """The table is in another channel: its message is posted there, and the old one stays."""
    return state if isinstance(state, Gone) else Posting()


def ended(state: MessageState) -> Gone:
    """Nothing is drawn from now on."""
    return Gone(message_id(state))


def _to_post(nonce: str | None, old: Posted | None) -> Unposted:
    return Posting(old) if nonce is None else Unanswered(nonce, old)
