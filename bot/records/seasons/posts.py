"""Posts that the bot makes by itself: once each, whatever happens to the process meanwhile."""

from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import NamedTuple

from bot.ids import ChannelId, GuildId

NONCE_LIFE = 120.0
"""Seconds in which Discord surely still knows a nonce: a few minutes (PLATFORM 4)."""
DAY = 24 * 60 * 60 * 1000
RECENT = {"season": 3 * DAY, "week": DAY, "daily": DAY}
"""Milliseconds after which nobody wants to read of it any more: the bot was away meanwhile."""


class Outcome(StrEnum):
    """The end of a post. It has none while nobody knows whether Discord took it."""

    POSTED = "posted"
    REFUSED = "refused"


class PostKey(NamedTuple):
    """The key of something that is posted once.

    `what`: `season`, `week` or `daily`. `period`: which.
    """

    guild: GuildId
    what: str
    period: str


@dataclass(frozen=True, slots=True)
class Post:
    """A post that was or is to be sent. `at`: Unix seconds, when it first went out."""

    key: PostKey
    channel: ChannelId
    nonce: str
    at: float
    outcome: Outcome | None = None


class Step(Enum):
    """The next thing to do about a post."""

    SEND = auto()
    """Note it with a new nonce, and send it."""
    SEND_AGAIN = auto()
    """Send it with its own nonce: Discord posts it, or returns what it has posted."""
    LOOK = auto()
    """Look for it in the channel: its nonce may be forgotten."""
    NOTHING = auto()


def next_step(post: Post | None, now: float) -> Step:
    """Return what to do about something that is due. `post`: as it was noted, or None."""
    if post is None:
        return Step.SEND
    if post.outcome is not None:
        return Step.NOTHING
    return Step.SEND_AGAIN if 0 <= now - post.at < NONCE_LIFE else Step.LOOK
