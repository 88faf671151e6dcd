"""Private questions beside a table: what they ask, and what answers them."""

from bot.screen import Screen
from bot.tables.decisions.decide import Decision, Done
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.state import actions as a
from bot.tables.state.actions import Action
from bot.tables.state.session import Session
from bot.tables.views.screens.panel import ending, leaving

IN_WORDS = (a.NextMatch, a.LeaveForSure, a.Stay, a.EndForSure, a.PlayOn)
"""Answers to a private question, whose place words take."""

MAY_COME = (
    TableRefusal.WATCHING,
    TableRefusal.LEFT,
    TableRefusal.AWAY,
    TableRefusal.ABANDONED,
)
"""Refusals of somebody who may have a seat in the next match."""


def question(session: Session, decision: Decision, action: Action) -> Screen | None:
    """Return what to ask before a press is carried out; None if it needs no confirmation."""
    if not isinstance(decision, Done) or decision.entries:
        return None
    match action:
        case a.Leave():
            return leaving(session, decision.said)
        case a.EndRound():
            return ending(session, decision.said)
        case _:
            return None
