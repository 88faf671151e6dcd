"""The message that a player's panel is, and the means to edit it: pure values."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.ids import MessageId
from bot.tables.state.message_refs import Direct, Token


@dataclass(frozen=True, slots=True)
class Asleep:
    """Nothing can edit the panel: its token has died, or there has been none yet."""


@dataclass(frozen=True, slots=True)
class ByToken:
    """A private message in the channel, edited with the newest token of a press on it.

    `ends`: the token is about to die, and its last edit says how the panel is woken.
    """

    token: Token
    ends: bool = False


@dataclass(frozen=True, slots=True)
class DirectMessage:
    """Edited by the bot itself, or with the `token` of a press on it while that lives."""

    direct: Direct
    token: Token | None = None


Place: TypeAlias = Asleep | ByToken | DirectMessage


def token_of(place: Place) -> Token | None:
    return None if isinstance(place, Asleep) else place.token


def direct_of(place: Place) -> Direct | None:
    return place.direct if isinstance(place, DirectMessage) else None


def message_id(place: Place) -> MessageId | None:
    """Return the message that can still be edited."""
    if isinstance(place, ByToken):
        return place.token.message
    return place.direct.message if isinstance(place, DirectMessage) else None


def ends(place: Place) -> Token | None:
    """Return the token that makes the panel's last edit; None if none is due."""
    return place.token if isinstance(place, ByToken) and place.ends else None


def left_behind(before: Place, after: Place) -> Place | None:
    """Return the message that the panel has left for another one, and that is to be deleted."""
    old, new = message_id(before), message_id(after)
    return before if old is not None and new is not None and old != new else None


def moved(place: Place, where: Token | Direct) -> Place:
    """Return the place of a panel that moves from `place` to this message.

    A token and a direct message stay together while they are for one message.
    """
    stays = message_id(place) == where.message
    if isinstance(where, Direct):
        return DirectMessage(where, token_of(place) if stays else None)
    direct = direct_of(place)
    return DirectMessage(direct, where) if direct and stays else ByToken(where)
