"""What the players agree on among themselves: to end a round, to go on without somebody."""

from collections.abc import Collection

from bot.games.kernel import Reason, Refused, Seat
from bot.games.screen import Name, Text
from bot.tables import entries as e
from bot.tables.consequences import ended
from bot.tables.decisions import Decision, Done, Why, why_not_in, why_not_live
from bot.tables.entries import Entry
from bot.tables.session import Phase, Session


def end_round(session: Session, user: int, absent: Collection[int]) -> Decision:
    """The round ends when everybody in it who is not absent agrees (A30). Users, not seats."""
    seat = session.seat_of(user)
    if seat is None:
        return Refused(why_not_in(session, user))
    if session.phase is not Phase.LIVE:
        return Refused(why_not_live(session))
    if not session.dealt_in(seat):
        return Refused(Why.SITS_OUT)
    needed = [s for s in _here(session, absent) if session.dealt_in(s)]
    asked = session.end_asked | {seat}
    entries: list[Entry] = [] if seat in session.end_asked else [e.EndAsked(seat)]
    if asked.issuperset(needed):
        entries.append(ended(session, Reason.ABORT))
    agreed = len(asked.intersection(needed))
    return Done(tuple(entries), Text("table.end_asked", (("n", agreed), ("of", len(needed)))))


def release(session: Session, user: int, away: int, absent: Collection[int]) -> Decision:
    """An absent player leaves the match when most of those who are here agree."""
    seat = session.seat_of(user)
    if seat is None:
        return Refused(why_not_in(session, user))
    whom = session.seat_of(away)
    if whom is None or away not in absent:
        return Refused(Why.NOT_ABSENT)
    here = _here(session, absent)
    votes = {voter for voter, of in session.released if of == whom and voter in here} | {seat}
    known = (seat, whom) in session.released
    entries: list[Entry] = [] if known else [e.ReleaseAsked(seat, whom)]
    if 2 * len(votes) > len(here):
        entries.append(e.Unseated(whom) if session.round == 0 else e.Left(whom))
    name = Name(session.chairs[whom].name)
    needed = len(here) // 2 + 1
    values = (("name", name), ("n", len(votes)), ("of", needed))
    return Done(tuple(entries), Text("table.release_asked", values))


def returned(session: Session, user: int) -> Decision:
    """Who presses is here: votes against him are void."""
    seat = session.seat_of(user)
    away = seat is not None and any(whom == seat for _, whom in session.released)
    entries = (e.Returned(seat),) if away and seat is not None else ()
    return Done(entries, Text("table.in_already"))


def _here(session: Session, absent: Collection[int]) -> list[Seat]:
    return [seat for seat in session.humans_in if session.chairs[seat].user not in absent]
