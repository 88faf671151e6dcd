"""Votes among the players: to end a round, and to go on without somebody."""

from collections.abc import Collection, Sized

from bot.games.values import Reason, Refused, Seat
from bot.ids import UserId
from bot.tables.decisions.consequences import ended, is_finished
from bot.tables.decisions.decide import Decision, Done
from bot.tables.decisions.refusal_reasons import TableRefusal, why_not_in, why_not_live
from bot.tables.state import events as e
from bot.tables.state.events import Entry
from bot.tables.state.evolve import apply
from bot.tables.state.session import Phase, Session
from bot.text import Icon, Name, Text, change


def end_round(
    session: Session, user: UserId, absent: Collection[UserId], *, sure: bool = False
) -> Decision:
    """Vote to end the round, which ends when everybody in it who is not absent agrees (A30).

    Somebody who agrees already takes it back, in any phase in which the vote stands. `absent`:
    users, not seats. Whoever decides alone is asked first, unless they are `sure`.
    """
    seat = session.seat_of(user)
    if seat is None:
        return Refused(why_not_in(session, user))
    if seat in session.end_asked and not sure:
        return Done((e.EndTakenBack(seat),), Text("table.end_taken_back"))
    if session.phase is not Phase.LIVE:
        return Refused(why_not_live(session))
    if not session.dealt_in(seat):
        return Refused(TableRefusal.SITS_OUT)
    needed = _needed(session, absent)
    asked = session.end_asked | {seat}
    is_alone = asked == {seat} and asked.issuperset(needed)
    if is_alone and not sure:
        return Done((), ask_to_end(session, seat))
    entries: list[Entry] = [e.EndAsked(seat)]
    if asked.issuperset(needed):
        entries.append(ended(session, Reason.ABORT, voters=asked))
    if is_alone:
        return Done(tuple(entries), Text("score.ended_you", (("hand", Icon("hand")),)))
    agreed = len(asked.intersection(needed))
    return Done(tuple(entries), Text("table.end_asked", (("n", agreed), ("of", len(needed)))))


def ask_to_end(session: Session, seat: Seat) -> Text:
    """Ask somebody who would end the round alone, and say what that means to them."""
    if not session.game.abort_counts:
        return Text("end.sure_dropped")
    end = ended(session, Reason.ABORT, voters=(seat,))
    own = end.scores[seat]
    said = Text("score.points", (("points", change(own)), ("n", abs(own))))
    is_last = is_finished(apply(session, end, session.at))
    return Text("end.sure_last" if is_last else "end.sure", (("points", said),))


def play_on(session: Session, user: UserId) -> Decision:
    """Play on: the end of the round was not meant."""
    if session.seat_of(user) is None:
        return Refused(why_not_in(session, user))
    return Done((), Text("end.kept"))


def release(session: Session, user: UserId, away: UserId, absent: Collection[UserId]) -> Decision:
    """Vote to let an absent player leave the match, which takes most of those who are here.

    Somebody who agrees already takes it back, as long as the vote stands, even if nobody is absent.
    """
    seat = session.seat_of(user)
    if seat is None:
        return Refused(why_not_in(session, user))
    whom = session.seat_of(away)
    if whom is not None and (seat, whom) in session.release_votes:
        entry = e.ReleaseTakenBack(seat, whom)
        name = Name(session.chairs[whom].name)
        return Done((entry,), Text("table.release_taken_back", (("name", name),)))
    if whom is None or away not in absent:
        return Refused(TableRefusal.NOT_ABSENT)
    here = _here(session, absent)
    votes = _votes(session, whom, here) | {seat}
    entries: list[Entry] = [e.ReleaseAsked(seat, whom)]
    if 2 * len(votes) > len(here):
        entries.append(_gone(session, whom))
    return Done(tuple(entries), _told(session, whom, votes, here))


def agreed(session: Session, absent: Collection[UserId]) -> Decision | None:
    """Return what enough of those who are here agree on now that another went away, or None.

    A second press takes a vote back, so nobody can be asked to press once more.
    """
    if not (session.end_asked or session.release_votes):
        return None
    needed = _needed(session, absent) if session.phase is Phase.LIVE else []
    if session.end_asked and needed and session.end_asked.issuperset(needed):
        count = len(needed)
        return Done(
            (ended(session, Reason.ABORT, voters=session.end_asked),),
            Text("table.end_asked", (("n", count), ("of", count))),
        )
    here = _here(session, absent)
    for away in absent:
        whom = session.seat_of(away)
        votes = _votes(session, whom, here) if whom is not None else set()
        if whom is not None and votes and 2 * len(votes) > len(here):
            return Done((_gone(session, whom),), _told(session, whom, votes, here))
    return None


def returned(session: Session, user: UserId) -> tuple[Entry, ...]:
    """Return the entry that voids the votes against a player who presses; nothing without votes.

    It is part of whatever the press leads to.
    """
    seat = session.seat_of(user)
    if seat is None or all(whom != seat for _, whom in session.release_votes):
        return ()
    return (e.Returned(seat),)


def _here(session: Session, absent: Collection[UserId]) -> list[Seat]:
    return [seat for seat in session.humans_in if session.chairs[seat].user not in absent]


def _needed(session: Session, absent: Collection[UserId]) -> list[Seat]:
    """Return the seats that have to agree to end the round."""
    return [seat for seat in _here(session, absent) if session.dealt_in(seat)]


def _votes(session: Session, whom: Seat, here: Collection[Seat]) -> set[Seat]:
    """Return the seats, of those here, that want to go on without this one."""
    return {voter for voter, of in session.release_votes if of == whom and voter in here}


def _told(session: Session, whom: Seat, votes: Sized, here: Sized) -> Text:
    """Return the line about votes to go on without somebody: how many, of how many needed."""
    name = Name(session.chairs[whom].name)
    values = (("name", name), ("n", len(votes)), ("of", len(here) // 2 + 1))
    return Text("table.release_asked", values)


def _gone(session: Session, whom: Seat) -> Entry:
    return e.Unseated(whom) if session.round == 0 else e.Left(whom, away=True)
