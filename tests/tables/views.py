"""Screens of a table at the time of its last entry."""

from bot.games.screen import Line, Screen
from bot.tables import panels, screens
from bot.tables.moment import Moment
from bot.tables.session import Session

BORN = 1_800_000_000.0
"""Unix seconds at which every table here was opened."""


def public(session: Session, count: int) -> Screen:
    return screens.public(session, Moment(session.lived, count, born=BORN))


def panel(session: Session, user: int, count: int, said: Line) -> Screen:
    return panels.panel(session, user, Moment(session.lived, count, born=BORN), said)
