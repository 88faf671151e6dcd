"""The end of a match, for everybody: who won, the story of the match, and what comes next."""

from bot.screen import ASIDE, Block, Choice, Line, Look, Row, Sentence, Style, Words
from bot.tables.decisions.consequences import is_finished
from bot.tables.decisions.rated_or_practice import Unranked, is_recorded, unranked
from bot.tables.state import actions as a
from bot.tables.state.session import Session
from bot.tables.views.lines import fair, game_name, mine, sentence, won
from bot.tables.views.results.records import NO_RECORDS, Records
from bot.tables.views.results.score import stop_line
from bot.tables.views.results.standings import Pictured, nameless, ranking, shown
from bot.tables.views.results.story import story
from bot.text import Icon, Joined, Name, Text, points

TOTALS = 4
"""The most totals in the line below the winner."""


def end(
    session: Session, picture: Pictured | None = None, records: Records = NO_RECORDS
) -> tuple[Block, ...]:
    """Draw the end of a match. Without a picture, each player has a line."""
    is_told = is_finished(session) or session.abandoned
    stopped = () if is_told else (sentence("end.aborted", look=Look.SMALL),)
    if not is_recorded(session):
        nothing = sentence("end.nothing", look=Look.SMALL if session.abandoned else Look.TITLE)
        head = (_headline(session),) if session.abandoned else ()
        return (Words((*head, nothing, *stopped)),)
    told = (*records.fallen.values(), *(story(session, records) if session.history else ()))
    notes = mark(unranked(session), forfeited=session.forfeited)
    if records.is_void:
        notes = (sentence("history.void", look=Look.SMALL),)
    below = (*nameless(session, picture), *told, *records.ratings, *notes, *stopped)
    blocks = (Words((_headline(session), *_in_short(session))),)
    last = (Words(below),) if below else ()
    return (*blocks, shown(session, picture), *last)


def _headline(session: Session) -> Line:
    """Say who has won, or that everybody was away: nobody wins then."""
    if not session.abandoned:
        return won(session)
    away = tuple(Name(chair.name) for chair in session.chairs if chair.away)
    values = (("away", Icon("away")), ("names", Joined(away, sentence=True)), ("n", len(away)))
    return sentence("end.away", values, Look.HUGE)


def _in_short(session: Session) -> tuple[Line, ...]:
    """Draw the totals, the rounds and the minutes in one line, and what else there is to say."""
    if not session.history:
        return ()
    totals = [points(session.totals[seat]) for seat in ranking(session)]
    few = totals if len(totals) <= TOTALS else [*totals[: TOTALS - 1], "…"]
    minutes = max(1, round(sum(one.lasted for one in session.history) / 60_000))
    values = (
        ("totals", " : ".join(few)),
        ("rounds", Text("option.rounds", (("n", len(session.history)),))),
        ("minutes", Text("end.minutes", (("n", minutes),))),
    )
    lines = [sentence("end.short", values, Look.SMALL)]
    if not session.history[-1].ended.reason.is_stop:
        lines.append(stop_line(session, Look.SMALL))
    if len(session.winners) > 1:
        lines.append(sentence("end.shared", look=Look.SMALL))
    return tuple(lines)


def mark(why: Unranked | None, *, forfeited: bool) -> tuple[Line, ...]:
    """Return the lines below the places, at the end and in the history.

    They say why a match is in no leaderboard, and that a round is rated even though it was stopped.
    """
    lines = () if why is None else (not_ranked(why),)
    if not forfeited or (why is not None and not why.rates):
        return lines
    return (*lines, sentence("end.forfeited", look=Look.SMALL))


def not_ranked(why: Unranked) -> Sentence:
    """Say why a match is in no leaderboard, in the same words from the lobby on."""
    return sentence(f"unranked.{why.value}", look=Look.SMALL)


def over(session: Session, picture: Pictured | None, records: Records) -> tuple[Block, ...]:
    rows = ((_rematch(off=False), mine(session)), _recorded(session), _fairness(session))
    return (*end(session, picture, records), *(Row(row) for row in rows if row))


def closed(session: Session, picture: Pictured | None, records: Records) -> tuple[Block, ...]:
    why = Words((sentence(session.closed or "table.closed.broken", look=Look.SMALL),))
    told = tuple(Row(row) for row in (_recorded(session), _fairness(session)) if row)
    if is_recorded(session):
        return (*end(session, picture, records), why, Row((_rematch(off=True),)), *told)
    named = Sentence(game_name(session), Look.TITLE)
    return (Words((named, *why.lines)), *told)


def _recorded(session: Session) -> tuple[Choice, ...]:
    """Draw the buttons to the leaderboard, the moving picture and the log of a recorded match."""
    if not is_recorded(session):
        return ()
    ranks = Choice(Text("button.leaderboard"), f"{ASIDE}:top:{session.game.key}")
    watch = Choice(Text("button.watch"), f"{ASIDE}:watch:")
    return (ranks, watch, Choice(Text("button.replay"), f"{ASIDE}:log:"))


def _fairness(session: Session) -> tuple[Choice, ...]:
    """Draw the button to a match's chance. A match in no record has dealt all the same."""
    return (fair(),) if session.played or is_recorded(session) else ()


def _rematch(*, off: bool) -> Choice:
    return Choice(Text("button.rematch"), str(a.Rematch()), style=Style.SUCCESS, off=off)
