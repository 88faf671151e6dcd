"""The state machine of a table's public message: states and transitions as pure values.

    Awaited ──answer arrived───────▶ Posted ──edit, or its response is lost──▶ Posted
       │                              ▲   │
       └─no answer─▶ Posting ─posted──┘   └─move down, deleted, another channel─▶ Posting
                      │    ▲
                  sent│    │refused                       any state ─table ends─▶ Gone
                      ▼    │
                    Unanswered ──posted again──▶ Posted, showing an unknown screen

`table_message` makes the calls and applies their transitions. `bot.ui.tables.upkeep` decides
when, and applies that of a doubt; `bot.ui.tables.table_message_failures` that of a deleted message.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.ids import MessageId
from bot.screen import Screen


@dataclass(frozen=True, slots=True)
class Awaited:
    """The message will come from a command's answer, or from the search after a restart.

    Nothing is sent meanwhile. `below`: move it down as soon as it is there.
    """

    below: bool = False


@dataclass(frozen=True, slots=True)
class Posted:
    """The message exists. `shown`: its screen; None if unknown, so that it is edited.

    `nonce`: that of a newer posting whose last attempt was refused, but an earlier one may have
    succeeded.
    """

    message: MessageId
    shown: Screen | None
    nonce: str | None = None


@dataclass(frozen=True, slots=True)
class Posting:
    """The next drawing posts a new message. The `old` one stays until then, and is deleted."""

    old: Posted | None = None


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A posting was sent, and it is unknown whether Discord carried it out.

    Within a few minutes, sending the same nonce again returns the first message unchanged; later
    it posts another (PLATFORM 2).
    """

    nonce: str
    old: Posted | None = None


@dataclass(frozen=True, slots=True)
class Gone:
    """The final state: the table is closed or its channel was deleted. Nothing is drawn."""

    message: MessageId | None = None


Unposted: TypeAlias = Posting | Unanswered
MessageState: TypeAlias = Awaited | Posted | Posting | Unanswered | Gone


def on_screen(state: MessageState) -> Posted | None:
    """Return the message that people see and press now; None if there is none."""
    match state:
        case Posted():
            return state
        case Posting(old) | Unanswered(old=old):
            return old
        case Awaited() | Gone():
            return None


def message_id(state: MessageState) -> MessageId | None:
    """Return the id of the message that people see, or saw last; None if there is none."""
    if isinstance(state, Gone):
        return state.message
    there = on_screen(state)
    return there.message if there is not None else None


def shows(state: MessageState, picture: Screen) -> bool:
    """Return whether the message is known to show this screen."""
    there = on_screen(state)
    return there is not None and there.shown == picture


def is_due(state: MessageState, picture: Screen) -> bool:
    """Return whether a call must be made for the message to show this screen."""
    match state:
        case Posting() | Unanswered():
            return True
        case Posted():
            return state.shown != picture
        case Awaited() | Gone():
            return False


def arrived(state: MessageState, message: MessageId, shown: Screen | None) -> MessageState:
    """Return the state once the awaited message exists. `shown`: its screen, None if unknown."""
    match state:
        case Gone():
            return state
        case Awaited(below=True):
            return Posting(Posted(message, shown))
        case Awaited() | Posted() | Posting() | Unanswered():
            return Posted(message, shown)


def not_coming(state: MessageState) -> MessageState:
    """Return the state once it is clear that no message will come: it will be posted."""
    return Posting() if isinstance(state, Awaited) else state


def found(state: MessageState, message: MessageId | None, nonce: str | None) -> MessageState:
    """Return the state after the search following a restart.

    `message`: the one found; `nonce`: that of a posting that was under way.
    """
    if nonce is not None and not isinstance(state, Gone):
        return Unanswered(nonce, Posted(message, None) if message is not None else None)
    return not_coming(state) if message is None else arrived(state, message, None)


def move_down(state: MessageState) -> MessageState:
    """Return the state in which the message is reposted at the bottom of its channel."""
    match state:
        case Awaited():
            return Awaited(below=True)
        case Posted(message, shown, nonce):
            return _to_post(nonce, Posted(message, shown))
        case Posting() | Unanswered() | Gone():
            return state


def sent(before: Unposted, nonce: str) -> Unanswered:
    """Return the state while a posting is under way."""
    return Unanswered(nonce, before.old)


def posted(before: Unposted, message: MessageId, picture: Screen) -> Posted:
    """Return the state after a successful posting.

    If an earlier attempt was unanswered, this may be its message, so its screen is unknown.
    """
    return Posted(message, picture if isinstance(before, Posting) else None)


def refused(before: Unposted) -> MessageState:
    """Return the state after a refused posting: an existing message stays where it is."""
    old = before.old
    if old is None:
        return before
    return old if isinstance(before, Posting) else replace(old, nonce=before.nonce)


def edited(state: MessageState, message: MessageId, shown: Screen | None) -> MessageState:
    """Return the state after an edit. `shown`: None while it is under way or its response lost."""
    match state:
        case Posted() if state.message == message:
            return replace(state, shown=shown)
        case Posting() | Unanswered() if state.old is not None and state.old.message == message:
            return replace(state, old=replace(state.old, shown=shown))
        case Awaited() | Posted() | Posting() | Unanswered() | Gone():
            return state


def in_doubt(state: MessageState) -> MessageState:
    """Return the state in which the next drawing edits the message, even if it looks right."""
    return edited(state, there.message, None) if (there := on_screen(state)) else state


def deleted(state: MessageState) -> MessageState:
    """Return the state after somebody deleted the message: it will be posted."""
    match state:
        case Posted(nonce=nonce):
            return _to_post(nonce, None)
        case Posting() | Unanswered():
            return replace(state, old=None)
        case Awaited() | Gone():
            return state


def moved(state: MessageState) -> MessageState:
    """Return the state after a move to another channel: post there, and keep the old message."""
    return state if isinstance(state, Gone) else Posting()


def ended(state: MessageState) -> Gone:
    """Return the final state, which remembers the last message."""
    return Gone(message_id(state))


def _to_post(nonce: str | None, old: Posted | None) -> Unposted:
    return Posting(old) if nonce is None else Unanswered(nonce, old)
