"""Screens of a table at the time of its last entry."""

from bot.ids import UserId
from bot.screen import Line, Screen
from bot.tables.decisions.presence import Presence
from bot.tables.state.session import Session
from bot.tables.views.screens import panel as panels
from bot.tables.views.screens import table_message

BORN = 1_800_000_000.0
"""Unix seconds at which every table here was opened."""


def public(session: Session, count: int) -> Screen:
    return table_message.public(session, Presence(session.lived, count, born=BORN))


def panel(session: Session, user: UserId, count: int, said: Line | None = None) -> Screen:
    return panels.panel(session, user, Presence(session.lived, count, born=BORN), said)
