"""A player's private panel: their cards and buttons, or what they are waiting for."""

from bot.games.contract import Frame
from bot.games.values import Refused, Seat
from bot.ids import UserId
from bot.screen import Block, Choice, Line, Look, Row, Screen, Sentence, Style, Words
from bot.tables.decisions.decide import Done
from bot.tables.state import actions as a
from bot.tables.state.notices import small
from bot.tables.state.options import assisted
from bot.tables.state.presence import Presence
from bot.tables.state.session import Phase, Session
from bot.tables.views import get_ready, lobby
from bot.tables.views.lines import (
    end_round,
    ending_line,
    sentence,
    title,
)
from bot.tables.views.own_score import is_of_the_round, own_match, own_round
from bot.text import Name, Text


def note(decision: Done | Refused) -> Sentence:
    """Draw the one short line that says what a press led to."""
    return Sentence(decision.text if isinstance(decision, Refused) else decision.said)


def quiet() -> Sentence:
    """Draw the line for when nothing has happened. It is always there, so nothing moves."""
    return sentence("panel.quiet", look=Look.SMALL)


def panel(
    session: Session, user: UserId, presence: Presence, said: Line, half: str | None = None
) -> Screen:
    """Draw a person's panel.

    `said`: the line that says what their last press led to. `half`: the first half of a move whose
    other half is asked for.
    """
    seat = session.seat_of(user)
    if session.phase is Phase.LIVE and seat is not None and session.dealt_in(seat):
        blocks = _playing(session, seat, presence, said, half)
    else:
        blocks = _blocks(session, seat, presence, said)
    if presence.notices.stuck is not None and session.phase is not Phase.CLOSED:
        blocks = (*blocks, Words((small(presence.notices.stuck),)))
    return Screen(blocks, session.round)


def _playing(
    session: Session, seat: Seat, presence: Presence, said: Line, half: str | None
) -> tuple[Block, ...]:
    """Draw the game's own panel.

    If the round hangs, or somebody wants to end it, the panel says so and offers to end it.
    """
    view = session.game.view(session.in_play, seat)
    frame = Frame(_head(session), said, half, assisted(session.options))
    blocks = session.game.panel(view, frame)
    if not presence.quiet and not session.end_asked:
        return blocks
    why = ending_line(session) or sentence("table.quiet", look=Look.SMALL)
    return (*blocks, Words((why,)), Row((end_round(session),)))


def _blocks(
    session: Session, seat: Seat | None, presence: Presence, said: Line
) -> tuple[Block, ...]:
    if session.phase is Phase.CLOSED:
        return (Words((sentence(session.closed or "table.closed.broken"), said)),)
    if seat is None:
        return (Words((sentence("panel.out"),)),)
    match session.phase:
        case Phase.LOBBY:
            return lobby.on_panel(session, seat, presence, said)
        case Phase.READY:
            return _get_ready(session, seat, presence, said)
        case Phase.OVER:
            return _over(session, seat, said)
        case Phase.COUNT if session.dealt_in(seat):
            number = sentence("table.count", (("n", presence.count),), Look.HUGE)
            return (Words((title(session), number, said)),)
        case Phase.COUNT | Phase.LIVE:
            return (Words((title(session), sentence("panel.sits_out"), said)),)


def asleep(screen: Screen) -> Screen:
    """Add a line that says how to wake a panel to which nothing more can be pushed."""
    sleeping = Words((sentence("panel.asleep", look=Look.SMALL),))
    return Screen((sleeping, *screen.blocks), screen.round)


def news_first(screen: Screen, said: Line) -> Screen:
    """Put what has happened before the rest, for players who hear the panel from the top."""
    rest = tuple(
        Words(tuple(line for line in block.lines if line != said))
        if isinstance(block, Words)
        else block
        for block in screen.blocks
    )
    news = () if said == quiet() else (Words((said,)),)
    filled = (block for block in rest if block != Words(()))
    return Screen((*news, *filled), screen.round)


def leaving(session: Session) -> Screen:
    """Ask somebody in a match whether they mean to leave it."""
    choices = (
        Choice(Text("button.leave_really"), str(a.LeaveForSure())),
        Choice(Text("button.stay"), str(a.Stay()), style=Style.PRIMARY),
    )
    return Screen((Words((sentence("leave.sure"),)), Row(choices)), session.round)


def _get_ready(session: Session, seat: Seat, presence: Presence, said: Line) -> tuple[Block, ...]:
    between = session.state is None and bool(session.history)
    above = tuple(own_round(session, seat)) if between else ()
    said = quiet() if between and is_of_the_round(session, said) else said
    return get_ready.on_panel(session, seat, presence, said, above)


def _over(session: Session, seat: Seat, said: Line) -> tuple[Block, ...]:
    told = () if said == quiet() or is_of_the_round(session, said) else (said,)
    again = Choice(Text("button.rematch"), str(a.Rematch()), style=Style.SUCCESS)
    return (Words((*own_match(session, seat), *told)), Row((again,)))


def _head(session: Session) -> Sentence:
    """Draw what a player wants to know about the others: `2/3 · fewest left: Anna 4`."""
    left = session.game.left(session.in_play)
    seat, fewest = min(
        ((i, n) for i, n in enumerate(left) if n is not None), key=lambda item: item[1]
    )
    target = session.options.get("target", "off")
    limit = session.rounds if target == "off" else int(target)
    values = (
        ("round", len(session.history) + 1),
        ("limit", limit),
        ("name", Name(session.chairs[seat].name, 9)),
        ("left", fewest),
    )
    return sentence("panel.head" if target == "off" else "panel.head_target", values, Look.SMALL)
