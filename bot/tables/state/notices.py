"""What the bot tells the people at a table of itself, beside the game."""

from dataclasses import dataclass
from enum import StrEnum

from bot.screen import Look, Sentence
from bot.text import Text


class Stuck(StrEnum):
    """Why a table's message stands still. Each value is the key of its words."""

    FORBIDDEN = "notice.forbidden"
    REFUSED = "notice.refused"
    DELETED = "notice.deleted"
    LATE = "notice.late"


class NoThread(StrEnum):
    """Why a table isn't in a thread of its own. Each value is the key of its words."""

    TOO_MANY = "notice.too_many_threads"
    REFUSED = "notice.no_thread"
    UNANSWERED = "notice.thread_unanswered"
    LOCKED = "notice.thread_locked"


@dataclass(frozen=True, slots=True)
class Notices:
    """Not journaled: it is found out again where it still matters.

    `restarting`: the bot is about to stop. `stuck` is said on panels, the rest on the table's
    message.
    """

    restarting: bool = False
    stuck: Stuck | None = None
    no_thread: NoThread | None = None


NOTHING = Notices()


def small(notice: Stuck | NoThread) -> Sentence:
    """Return it as a line below everything else."""
    return Sentence(Text(notice), Look.SMALL)
