"""One player's panel and the table, at every moment of a round that robots play.

The robots play for everyone. Now and then the player presses for a place that another has just
taken, or for a card that does not fit, and asks for a column and goes back.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bot.games.chance import Chance
from bot.games.values import Refused, Seat
from bot.screen import Line, Screen
from bot.tables.decisions import decide as d
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.state import events as e
from bot.tables.state.evolve import apply
from bot.tables.state.session import Phase, Session
from bot.tables.views.screens import panel as panels
from bot.tables.views.screens import table_message
from bot.tables.views.screens.panel import note
from bot.text import Icon, Name
from tests.ui.matches import HOST, KEEN, accepted, after, all_ready, halves, lobby, started

ME = Seat(0)
LONG = (
    *("Annabelle", "Benedikta", "Charlotte", "Robot 1", "Dominique", "Emmanuela"),
    *("Robot 10", "Friederik", "Gwendolin", "Robot 11", "Hildegard", "Wilhelmin"),
)


@dataclass(frozen=True, slots=True)
class Moment:
    """What one player and everybody see. `what` led to it, for a test's words."""

    what: str
    session: Session
    panel: Screen
    table: Screen


def round_of(players: int, luck: int = 0, **chosen: Any) -> Iterator[Moment]:
    """Yield a round from its count to the last moment before its end."""
    session = all_ready(started(lobby(LONG[:players], **chosen)))
    for count in (3, 2, 1):
        yield _moment(f"count {count}", session, None, count)
    session = accepted(session, d.go_live(session), wait=3000)
    said: Line | None = None
    yield _moment("go", session, said)
    for number, (seat, move, decision) in enumerate(_moves(session, luck), 1):
        session = accepted(session, decision, wait=250)
        if session.phase is not Phase.LIVE:
            return
        said = note(decision) if seat == ME else said
        yield _moment(f"{number}. {seat} {move}", session, said)
        if seat != ME and number % 5 == 0 and session.news and session.news[-1].claim == move:
            session, said = _late(session, seat, move, 20 + number)
            yield _moment(f"{number}. late for {move}", session, said)
        if number % 7 == 0:
            yield from _halves(session, number)


def _moves(session: Session, luck: int) -> Iterator[tuple[Seat, str, d.Done]]:
    """Yield what robots do, seats in a random order. It never ends by itself."""
    chance = Chance(bytes([luck] * 32), session.round, 0)
    while True:
        seat = chance.pick(session.seats_in)
        move = session.game.choose(session.game.view(session.in_play, seat), KEEN, chance)
        if move is None:
            continue
        decision = d.move(session, d.Move(seat, str(move)))
        assert isinstance(decision, d.Done), decision
        yield seat, str(move), decision
        session = accepted(session, decision, wait=250)


def _late(session: Session, rival: Seat, move: str, ms: int) -> tuple[Session, Line | None]:
    """The player presses for this place as well, so much later."""
    rejected = e.Rejected(ME, move, ("play", "row0"), None, rival, ms)
    session = apply(after(session, ms), rejected, session.at + ms, lived=session.lived + ms)
    values = (
        ("card", Icon(move)),
        ("who", Name(session.chairs[rival].name)),
        ("ms", ms),
    )
    return session, note(Refused(TableRefusal.TOO_LATE, values))


def _halves(session: Session, number: int) -> Iterator[Moment]:
    for half in halves(session, ME):
        decision = d.half(session, ME, half)
        assert isinstance(decision, d.Done), decision
        yield _moment(f"{number}. {half}", session, note(decision), half=half)


def _moment(
    what: str, session: Session, said: Line | None, count: int = 0, half: str | None = None
) -> Moment:
    presence = Presence(session.lived, count)
    panel = panels.panel(session, HOST, presence, said, half)
    return Moment(what, session, panel, table_message.public(session, presence))
