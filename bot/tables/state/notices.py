"""Messages about the bot itself, shown at a table beside the game."""

from dataclasses import dataclass
from enum import StrEnum

from bot.screen import Look, Sentence
from bot.text import Text


class Stuck(StrEnum):
    """The reason a table message isn't up to date. Each value is the key of its words."""

    FORBIDDEN = "notice.forbidden"
    REFUSED = "notice.refused"
    DELETED = "notice.deleted"
    LATE = "notice.late"


class NoThread(StrEnum):
    """The reason a table has no thread of its own. Each value is the key of its words."""

    TOO_MANY = "notice.too_many_threads"
    REFUSED = "notice.no_thread"
    UNANSWERED = "notice.thread_unanswered"
    LOCKED = "notice.thread_locked"


@dataclass(frozen=True, slots=True)
class Notices:
    """The notices at one table. They aren't journaled: one that still matters is found out again.

    `restarting`: the bot is about to stop. Panels show `stuck`; the table message shows the others.
    """

    restarting: bool = False
    stuck: Stuck | None = None
    no_thread: NoThread | None = None


NO_NOTICES = Notices()


def small(notice: Stuck | NoThread) -> Sentence:
    """Return a notice as a small line, for the bottom of a screen."""
    return Sentence(Text(notice), Look.SMALL)
