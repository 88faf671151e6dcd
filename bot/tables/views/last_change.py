"""The changes that time alone makes to a screen."""

from bot.tables.decisions.decide import START_AFTER
from bot.tables.state.session import Session
from bot.tables.views.news import GONE_MS, HELD_MS


def last_change(session: Session, now: int) -> int:
    """Return when a screen of this session has changed last. It looks the same ever since.

    Both are ms of the table's life. A screen of a session reads its age only to see whether one of
    these moments has passed: news is no longer shown, or the host may start without the others.
    """
    ends = [one.at + HELD_MS for one in session.lost_races]
    ends += [one.at + HELD_MS for one in session.alarms]
    ends += [one.at + GONE_MS for one in session.departures]
    if session.first_ready_at is not None:
        ends.append(session.first_ready_at + START_AFTER)
    return max((one for one in ends if one <= now), default=0)
