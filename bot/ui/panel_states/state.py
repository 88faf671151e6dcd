"""The known state of a player's panel, and the effect of each event on it: pure values.

Where it is:         Asleep, ByToken, DirectMessage
What is on it:       Unknown, UpToDate, MaybeOld
Answers under way:   a number; while there is one, nothing is pushed

Answers and pushes travel at once, and Discord does not tell in which order it has carried them out.
So a picture counts as known only while no other that looks different was sent beside it.
`bot.ui.panels` applies these: `pushes` is the only module that pushes, and `panel` hears what came
of every answer.
"""

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from bot.ids import MessageId
from bot.screen import Screen
from bot.tables.state.message_refs import Direct, Token
from bot.tables.state.session import Session
from bot.ui.panel_states.panel_place import (
    Asleep,
    ByToken,
    DirectMessage,
    Place,
    direct_of,
    ends,
    left_behind,
    message_id,
    moved,
    token_of,
)


@dataclass(frozen=True, slots=True, eq=False)
class Delivery:
    """One sending of a picture, as an answer or a push. Equal only to itself.

    `session`: the table as this picture shows it. `heard`: the number of other deliveries whose
    outcome was known when it was sent. `message`: the one it was sent to; None for a new one.
    """

    screen: Screen
    session: Session
    heard: int = 0
    message: MessageId | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody knows what the player sees: the newest picture is pushed, whatever it looks like.

    `is_overtaken`: an older picture may lie on top of the answer to the player's own press.
    """

    is_overtaken: bool = False


@dataclass(frozen=True, slots=True)
class UpToDate:
    """A picture that was sent last, with no change since."""

    sent: Delivery


@dataclass(frozen=True, slots=True)
class MaybeOld:
    """A picture that was sent last, before a change. It is pushed if it looks different now."""

    sent: Delivery


Picture: TypeAlias = Unknown | UpToDate | MaybeOld


@dataclass(frozen=True, slots=True)
class PanelState:
    """One player's panel. `answering`: how many of their presses are being worked on."""

    place: Place = field(default_factory=Asleep)
    picture: Picture = field(default_factory=Unknown)
    answering: int = 0


def can_push(state: PanelState) -> bool:
    """Return whether the panel can be edited, and no answer is about to do so."""
    return not state.answering and not isinstance(state.place, Asleep)


def is_due(state: PanelState) -> bool:
    """Return whether a push may be needed, and is possible."""
    is_old = not isinstance(state.picture, UpToDate)
    return can_push(state) and (is_old or ends(state.place) is not None)


def shows(state: PanelState, screen: Screen) -> bool:
    """Return whether the player is known to see, or to be about to see, this picture."""
    return not isinstance(state.picture, Unknown) and state.picture.sent.screen == screen


def shown(state: PanelState) -> Session | None:
    """Return the table as it was last sent to the player; None if nobody knows what they see."""
    return None if isinstance(state.picture, Unknown) else state.picture.sent.session


def is_overtaken(state: PanelState) -> bool:
    """Return whether the player may see a picture from before their own last press."""
    return isinstance(state.picture, Unknown) and state.picture.is_overtaken


def is_outdated(state: PanelState) -> bool:
    """Return whether it is noted already that something has happened since the last picture."""
    return isinstance(state.picture, MaybeOld)


# -- pictures -------------------------------------------------------------------------------


def touched(state: PanelState) -> PanelState:
    """Return the state after something has happened at the table."""
    if not isinstance(state.picture, UpToDate):
        return state
    return PanelState(state.place, MaybeOld(state.picture.sent), state.answering)


def looked_at(state: PanelState) -> PanelState:
    """Return the state after a change that this panel doesn't show."""
    picture = state.picture
    return (
        replace(state, picture=UpToDate(picture.sent)) if isinstance(picture, MaybeOld) else state
    )


def sent(state: PanelState, delivery: Delivery) -> PanelState:
    """Return the state once an answer or a push with the newest picture goes out."""
    return PanelState(state.place, UpToDate(delivery), state.answering)


def delivered(state: PanelState, delivery: Delivery) -> PanelState:
    """Return the state after Discord has taken a delivery.

    If another was sent meanwhile, either may lie on top.
    """
    if shows(state, delivery.screen):
        return state
    return replace(state, picture=Unknown(is_overtaken=True))


def refused(state: PanelState, delivery: Delivery) -> PanelState:
    """Return the state after Discord has not taken a delivery: it is on no panel."""
    picture = state.picture
    if isinstance(picture, Unknown) or picture.sent is not delivery:
        return state
    return replace(state, picture=Unknown())


def lost(state: PanelState) -> PanelState:
    """Return the state in which nobody knows what the player sees."""
    return replace(state, picture=Unknown())


# -- answers --------------------------------------------------------------------------------


def begun(state: PanelState) -> PanelState:
    """Return the state while a press is being worked on: its answer is the next picture."""
    return PanelState(state.place, state.picture, state.answering + 1)


def finished(state: PanelState) -> PanelState:
    """Return the state after a press is done with."""
    return PanelState(state.place, state.picture, state.answering - 1)


def answered(state: PanelState, delivery: Delivery, where: Token | Direct) -> PanelState:
    """Return the state after Discord has taken an answer.

    The panel is there, and shows it unless another is on top.
    """
    after = delivered(state, delivery)
    return PanelState(moved(state.place, where), after.picture, state.answering)


# -- places ---------------------------------------------------------------------------------


def placed(state: PanelState, where: Token | Direct) -> PanelState:
    """Return the state of a panel that is here from now on.

    If this is another message than before, nothing is known of its picture.
    """
    after = PanelState(moved(state.place, where), state.picture, state.answering)
    return after if left_behind(state.place, after.place) is None else lost(after)


def restored(state: PanelState, where: Token | Direct) -> PanelState:
    """Return the state of a panel that was here before a restart.

    A press that came first knows better.
    """
    place = state.place
    known = token_of(place) if isinstance(where, Token) else direct_of(place)
    is_older = (message_id(place) or 0) > where.message
    return state if known is not None or is_older else placed(state, where)


def ending(state: PanelState) -> PanelState:
    """Return the state with its token about to die. A direct message is edited without one."""
    match state.place:
        case ByToken(token, ends=False):
            return replace(state, place=ByToken(token, ends=True))
        case DirectMessage(direct, Token()):
            return replace(state, place=DirectMessage(direct))
        case _:
            return state


def without_token(state: PanelState, token: Token | None) -> PanelState:
    """Return the state after this token has died. A direct message stays as it is."""
    if token is None or token_of(state.place) is not token:
        return state
    direct = direct_of(state.place)
    return let_go(state) if direct is None else replace(state, place=DirectMessage(direct))


def without_message(state: PanelState, used: Place) -> PanelState:
    """Return the state after an edit by `used` found no message, or none that may be edited."""
    after, direct = without_token(state, token_of(used)), direct_of(used)
    if direct is None or direct_of(after.place) != direct:
        return after
    newer = token_of(after.place)
    return let_go(after) if newer is None else replace(after, place=ByToken(newer))


def let_go(state: PanelState) -> PanelState:
    """Return the state of a panel that is nowhere.

    Its message is gone, or shows another table from now on.
    """
    return replace(state, place=Asleep(), picture=Unknown())
