"""The table message, for everybody: lobby, waiting, count, play, score, end."""

from functools import cache

from bot.games.values import Seat
from bot.screen import (
    Block,
    Choice,
    Line,
    Look,
    Row,
    Rule,
    Screen,
    Sentence,
    Style,
    Words,
)
from bot.tables.decisions.decide import may_deal
from bot.tables.decisions.lobby import has_room_next
from bot.tables.decisions.presence import ABSENT_AFTER, Presence
from bot.tables.state import actions as a
from bot.tables.state.notices import small
from bot.tables.state.session import Phase, Session
from bot.tables.views.get_ready import ready_button, waiting
from bot.tables.views.lines import (
    end_round,
    ending_line,
    fair,
    game_name,
    in_its_thread,
    listed,
    mine,
    promised,
    rules,
    sentence,
    title,
)
from bot.tables.views.news import table_news
from bot.tables.views.results.ended import closed, over
from bot.tables.views.results.records import NO_RECORDS, Records
from bot.tables.views.results.score import score
from bot.tables.views.results.standings import Pictured
from bot.tables.views.screens import lobby
from bot.tables.views.still_left import all_left
from bot.text import Joined, Name, Text

AT_A_TIME = 3
"""Players that the others may release at a time."""
RELEASED = 9
"""Columns of a name on the button that releases its player."""
PROMISED = (Phase.LOBBY, Phase.READY, Phase.OVER)
"""The phases in which the promise stands at the bottom; in play, `Fair deal?` tells it."""


def public(
    session: Session,
    presence: Presence,
    picture: Pictured | None = None,
    records: Records = NO_RECORDS,
) -> Screen:
    """Draw the message that everybody sees.

    `picture`: the one of its score, if it has one; `records`: what they add to a finished match.
    """
    match session.phase:
        case Phase.READY if session.is_between_rounds:
            missing = Words(waiting(session, presence))
            blocks = (*score(session, picture), missing, *_rows(session, presence))
        case Phase.OVER:
            blocks = over(session, picture, records)
        case Phase.CLOSED:
            blocks = closed(session, picture, records)
        case _:
            blocks = _blocks(session, presence)
    if session.queue and session.phase is not Phase.CLOSED:
        blocks += (Words((_queue(session),)),)
    if session.phase in PROMISED and (session.secret or session.seed):
        blocks += (Words((promised(session),)),)
    if presence.notices.no_thread is not None:
        blocks += (Words((small(presence.notices.no_thread),)),)
    if presence.slow and session.phase in (Phase.READY, Phase.COUNT, Phase.LIVE):
        blocks += (Words((sentence("table.slow", look=Look.SMALL),)),)
    if presence.notices.restarting:
        blocks += (Words((sentence("table.restarting", look=Look.SMALL),)),)
    return Screen(blocks, session.round)


def moved(session: Session) -> Screen:
    """Draw what stays where the table was before it got a thread of its own."""
    name = Sentence(game_name(session), Look.HEAD)
    return Screen((Words((name, in_its_thread(session))),))


def _queue(session: Session) -> Line:
    """Name those who want a seat in the next match."""
    names = Joined(tuple(Name(one.name) for one in session.queue))
    return sentence("table.next_match", (("names", names),), Look.SMALL)


def linked(session: Session, where: str) -> Screen:
    """Draw the lobby's message from Start on. `where`: a link to the table message."""
    name = Sentence(game_name(session), Look.HEAD)
    link = sentence("lobby.started", (("where", where),))
    return Screen((Words((name, link, promised(session))), Row((fair(),))), session.round)


def _blocks(session: Session, presence: Presence) -> tuple[Block, ...]:
    """Draw a table without a score."""
    match session.phase:
        case Phase.LOBBY:
            return lobby.lobby(session, presence)
        case Phase.READY:
            lines = (title(session), *lobby.agreed(session), *waiting(session, presence))
            return (Words(lines), *_rows(session, presence))
        case Phase.COUNT:
            number = sentence("table.count", (("n", presence.count),), Look.HUGE)
            return (Words((title(session), number)), *_rows(session, presence))
        case _:
            return _live(session, presence)


def _live(session: Session, presence: Presence) -> tuple[Block, ...]:
    view = session.game.view(session.in_play, None)
    news = table_news(session, presence.lived)
    return (
        Words((title(session), *session.game.centre(view))),
        Words(all_left(session)),
        Rule(),
        Words((*news, *_hanging(session, presence))),
        *_rows(session, presence),
    )


def _hanging(session: Session, presence: Presence) -> tuple[Line, ...]:
    """Say that somebody wants to end the round, or that nobody has played for a while."""
    line = ending_line(session)
    if line is None and presence.quiet:
        line = sentence("table.quiet", look=Look.SMALL)
    return () if line is None else (line,)


def _rows(session: Session, presence: Presence) -> tuple[Block, ...]:
    """Draw the table's buttons, and below them the players for whom the others wait in vain.

    Rows of two fit a phone in every language, and buttons keep their places from Start to the end.
    """
    if session.phase is Phase.READY:
        second = ready_button(session)
        may_start = may_deal(session, presence.lived) and bool(session.awaited)
        last = Choice(Text("button.start"), str(a.Deal()), off=not may_start)
    else:
        live = session.phase is Phase.LIVE
        second, last = end_round(session, off=not live, urged=presence.quiet), fair()
    rows = ((mine(session), second), (rules(session), _leave()), (_down(), last))
    return (*map(Row, rows), *_outsiders(session), *_absent(session, presence))


def _outsiders(session: Session) -> tuple[Row, ...]:
    """Draw the one button for people without a seat, while the next match has room."""
    if not has_room_next(session):
        return ()
    return (Row((lobby.next_match(Style.SECONDARY),)),)


def _absent(session: Session, presence: Presence) -> tuple[Block, ...]:
    """Name the players who have not pressed for long, unless that is everybody.

    The others may release some of them at a time, those with votes against them first.
    """
    if not presence.absent or len(presence.absent) == len(session.humans_in):
        return ()
    seats = [seat for user in presence.absent if (seat := session.seat_of(user)) is not None]
    values = (("names", listed(session, seats)), ("n", int(ABSENT_AFTER // 60)))
    voted = {away for _, away in session.release_votes}
    seats.sort(key=lambda seat: seat not in voted)
    release = (Row((_release(session, seat),)) for seat in seats[:AT_A_TIME])
    return (Words((sentence("table.absent", values, Look.SMALL),)), *release)


def _release(session: Session, seat: Seat) -> Choice:
    votes = sum(away == seat for _, away in session.release_votes)
    key = "button.release_votes" if votes else "button.release"
    name = Name(session.names[seat], RELEASED)
    away = session.chairs[seat].user
    assert away is not None, "a robot is never away"
    return Choice(Text(key, (("name", name), ("n", votes))), str(a.Release(away)))


@cache
def _leave() -> Choice:
    return Choice(Text("button.leave"), str(a.Leave()))


@cache
def _down() -> Choice:
    return Choice(Text("button.move_down"), str(a.MoveDown()))
