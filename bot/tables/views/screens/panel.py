"""A player's private panel: their cards and buttons, or what they are waiting for."""

from bot.games.contract import Frame
from bot.games.values import Refused, Seat
from bot.ids import UserId
from bot.screen import Block, Choice, Line, Look, Row, Screen, Sentence, Style, Words
from bot.tables.decisions.decide import Done
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.rated_or_practice import is_recorded
from bot.tables.decisions.refusal_reasons import name_of_mine, why_not_in
from bot.tables.state import actions as a
from bot.tables.state.notices import small
from bot.tables.state.options import assisted
from bot.tables.state.session import Phase, Session
from bot.tables.views import get_ready
from bot.tables.views.lines import (
    end_round,
    ending_line,
    sentence,
    title,
)
from bot.tables.views.newcomer import First, hints_are_on, offer
from bot.tables.views.news import panel_news
from bot.tables.views.results.own_score import (
    is_of_the_round,
    own_match,
    own_points,
    own_round,
)
from bot.tables.views.screens import lobby
from bot.tables.views.still_left import own_left
from bot.text import SILENT, Icon, Text

REFUSED = "panel.refused"
"""The key of the line that says why a press was refused."""
LIVE = sentence("table.live")


def note(decision: Done | Refused) -> Sentence | None:
    """Draw the one short line that says what a press led to, and whether it worked.

    There is none where the table's message says it.
    """
    if isinstance(decision, Refused):
        return sentence(REFUSED, (("why", decision.text),))
    if decision.said == SILENT:
        return None
    if decision.played is None:
        return Sentence(decision.said)
    return sentence("panel.done", (("icon", Icon("ready")), ("said", decision.said)))


def panel(
    session: Session,
    user: UserId,
    presence: Presence,
    said: Line | None,
    half: str | None = None,
    first: First | None = None,
) -> Screen:
    """Draw a person's panel.

    `said`: the line that says what their last press led to, None if there is nothing to say.
    `half`: the first half of a move whose other half is asked for. `first`: what they do here for
    the first time.
    """
    seat = session.seat_of(user)
    shows_cards = session.phase in (Phase.COUNT, Phase.LIVE)
    if shows_cards and seat is not None and session.dealt_in(seat):
        blocks = _playing(
            session, seat, presence, said, half, helped=first is not None and first.is_alone
        )
    else:
        blocks = _blocks(session, user, seat, presence, said)
    if first is First.TABLE:
        blocks = (*blocks, *offer())
    if presence.notices.stuck is not None and session.phase is not Phase.CLOSED:
        blocks = (*blocks, Words((small(presence.notices.stuck),)))
    return Screen(blocks, session.round)


def _playing(
    session: Session,
    seat: Seat,
    presence: Presence,
    said: Line | None,
    half: str | None,
    *,
    helped: bool,
) -> tuple[Block, ...]:
    """Draw the game's own panel, with the cards face down while it counts.

    If the round hangs, or somebody wants to end it, the panel says so and offers to end it.
    `helped`: there are hints though the table has none.
    """
    covered = session.phase is Phase.COUNT
    if covered:
        said = sentence("panel.count", (("n", presence.count),))
    elif said is None:
        said = LIVE
    frame = Frame(
        own_left(session, seat),
        said,
        half=None if covered else half,
        assist=helped or assisted(session.options),
        news=panel_news(session, seat, presence.lived),
        covered=covered,
        is_refusal=isinstance(said, Sentence) and said.text.key == REFUSED,
    )
    blocks = session.game.panel(session.game.view(session.in_play, seat), frame)
    if helped and not assisted(session.options):
        blocks = (*blocks, hints_are_on())
    if session.opened.arena is not None:  # there is no table message that has the button
        blocks = (*blocks, Row((Choice(Text("button.leave_round"), str(a.Leave())),)))
    waits = get_ready.not_back(session, seat)
    if not presence.quiet and not session.end_asked:
        return (*blocks, Words(waits)) if waits else blocks
    why = ending_line(session, seat) or sentence("table.quiet", look=Look.SMALL)
    return (*blocks, Words((*waits, why)), Row((end_round(session),)))


def _blocks(
    session: Session, user: UserId, seat: Seat | None, presence: Presence, said: Line | None
) -> tuple[Block, ...]:
    if session.phase is Phase.CLOSED:
        return (
            Words((sentence(session.closed or "table.closed.broken"),)),
            *get_ready.outcome(said),
        )
    if seat is None:
        return _out(session, user)
    match session.phase:
        case Phase.LOBBY:
            return lobby.on_panel(session, seat, presence, said)
        case Phase.READY:
            return _get_ready(session, seat, presence, said)
        case Phase.OVER:
            return _over(session, seat, presence, said)
        case Phase.COUNT | Phase.LIVE:
            return (Words((title(session), sentence("panel.sits_out"))), *get_ready.outcome(said))


def asleep(session: Session, screen: Screen) -> Screen:
    """Add a line that says how to wake a panel to which nothing more can be pushed."""
    values = (("button", name_of_mine(session)),)
    sleeping = Words((sentence("panel.asleep", values, Look.SMALL),))
    return Screen((sleeping, *screen.blocks), screen.round)


def elsewhere(session: Session, screen: Screen) -> Screen:
    """Add a link to a table in its own thread, for a panel that was left in the channel."""
    if session.phase in (Phase.OVER, Phase.CLOSED):
        return screen
    link = sentence("table.moved", (("where", f"<#{session.channel}>"),), Look.SMALL)
    return Screen((Words((link,)), *screen.blocks), screen.round)


def leaving(session: Session, asked: Text) -> Screen:
    """Ask somebody in a match whether they mean to leave it."""
    choices = (
        Choice(Text("button.leave_really"), str(a.LeaveForSure())),
        Choice(Text("button.stay"), str(a.Stay()), style=Style.PRIMARY),
    )
    return Screen((Words((Sentence(asked),)), Row(choices)), session.round)


def ending(session: Session, asked: Text) -> Screen:
    """Ask somebody who would end the round alone whether they mean to."""
    choices = (
        Choice(Text("button.end_really"), str(a.EndForSure())),
        Choice(Text("button.play_on"), str(a.PlayOn()), style=Style.PRIMARY),
    )
    return Screen((Words((Sentence(asked),)), Row(choices)), session.round)


def _get_ready(
    session: Session, seat: Seat, presence: Presence, said: Line | None
) -> tuple[Block, ...]:
    if not session.is_between_rounds:
        return get_ready.on_panel(session, seat, presence, said)
    still_holds = None if is_of_the_round(session, said) else said
    return get_ready.on_panel(session, seat, presence, still_holds, own_round(session, seat))


def _out(session: Session, user: UserId) -> tuple[Block, ...]:
    """Draw the panel of somebody who is out: why, how they did, and the way to another match."""
    seat = next((i for i, one in enumerate(session.chairs) if one.user == user), None)
    if seat is None:
        return (Words((sentence("panel.out"),)),)
    why = Sentence(Text(why_not_in(session, user)))
    if session.phase is Phase.OVER:
        own = own_points(session, Seat(seat)) if is_recorded(session) else ()
        return (Words((why, *own)), Row((_rematch(),)))
    is_queued = any(one.user == user for one in session.queue)
    return (Words((why,)), *(() if is_queued else (Row((lobby.next_match(),)),)))


def _rematch() -> Choice:
    return Choice(Text("button.rematch"), str(a.Rematch()), style=Style.SUCCESS)


def _over(session: Session, seat: Seat, presence: Presence, said: Line | None) -> tuple[Block, ...]:
    told = () if is_of_the_round(session, said) else get_ready.outcome(said)
    return (Words(own_match(session, seat, presence)), *told, Row((_rematch(),)))
