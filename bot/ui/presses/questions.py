"""The kinds of answers to a press: a question, words in its place, a new panel, or a note."""

from bot.screen import Screen
from bot.tables.decisions.decide import Decision, Done
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.presses.router import PressRefusal
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

NEW_PANEL = (a.Join, a.ShowPanel, a.Rematch)
"""Actions on a public message that are answered by a private panel of one's own."""
STRANGE = (
    PressRefusal.NO_TABLE,
    PressRefusal.STRANGER,
    PressRefusal.SEATED_ELSEWHERE,
    PressRefusal.UNKNOWN,
    TableRefusal.JOIN_FIRST,
    TableRefusal.WATCHING,
    TableRefusal.QUEUED,
    TableRefusal.FULL_NEXT,
)
"""Refusals that have no panel to be shown on."""


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
