"""Where a table and its panels are on the screens, as it is kept across restarts."""

from dataclasses import dataclass, field

TOKEN_LIFE = 15 * 60.0
"""Seconds for which a token can edit what it has brought (PLATFORM 1)."""


@dataclass(frozen=True, slots=True)
class TablePlace:
    """A table's message. `token`: of the command that opened it; `nonce`: while one is posted."""

    message: int | None = None
    token: str | None = field(default=None, repr=False)
    nonce: str | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """What can edit a panel: a token, the message it is for, and its birth by Discord's clock (Unix
    seconds).
    """

    token: str = field(repr=False)
    message: int
    born: float


@dataclass(frozen=True, slots=True)
class PicturePlace:
    """The picture of a score as a message of its own: of the score after so many rounds."""

    rounds: int
    channel: int
    message: int


@dataclass(frozen=True, slots=True)
class Direct:
    """A panel that is a direct message."""

    channel: int
    message: int
