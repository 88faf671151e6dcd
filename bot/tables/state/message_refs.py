"""References to a table's messages and panels, kept across restarts."""

from dataclasses import dataclass, field

from bot.ids import ChannelId, MessageId

TOKEN_LIFE = 15 * 60.0
"""Seconds for which an interaction's token can edit its message (PLATFORM 1)."""


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A table message.

    `token`: of the command that opened the table. `nonce`: only while a message is being posted.
    """

    message: MessageId | None = None
    token: str | None = field(default=None, repr=False)
    nonce: str | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A token that can edit a panel.

    `message`: the panel's id. `born`: the token's birth in Unix seconds by Discord's clock.
    """

    token: str = field(repr=False)
    message: MessageId
    born: float


@dataclass(frozen=True, slots=True)
class PicturePlace:
    """The message with the picture of a score. `rounds`: how many rounds the score covers."""

    rounds: int
    channel: ChannelId
    message: MessageId


@dataclass(frozen=True, slots=True)
class Direct:
    """A panel that is a direct message."""

    channel: ChannelId
    message: MessageId
