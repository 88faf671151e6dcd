"""Seats after one more entry: they come and go, with their options and votes."""

from bot.games.values import Seat
from bot.ids import UserId
from bot.tables.state import events as e
from bot.tables.state.session import NAMELESS, NOBODY, Phase, Session
from bot.tables.state.session_values import RACES, Chair, Departure, replace


def seated(
    session: Session,
    entry: e.Seated
    | e.Unseated
    | e.Queued
    | e.HeldSeatsFreed
    | e.OptionSet
    | e.SeatOptionSet
    | e.Left,
) -> Session:
    """Return the table after seats were taken, given up, or had an option set."""
    match entry:
        case e.Seated(user, name, choices):
            held = tuple(seat for seat in session.held if seat.user != user)
            chair = Chair(user, name, choices=choices)
            return replace(session, chairs=(*session.chairs, chair), held=held)
        case e.Unseated(seat):
            return _hosted(_unseated(session, Seat(seat)))
        case e.Left(seat, away):
            return _hosted(_left(session, Seat(seat), away=away))
        case e.Queued(user, name):
            if user == NOBODY:  # a stored entry of somebody who was forgotten
                return session
            return replace(session, queue=(*session.queue, e.Held(user, name)))
        case e.HeldSeatsFreed():
            return replace(session, held=())
        case e.OptionSet(key, value):
            return replace(session, options={**session.options, key: value})
        case e.SeatOptionSet(seat, key, value):
            chair = session.chairs[seat]
            chosen = {**dict(chair.choices), key: value}
            chair = replace(chair, choices=tuple(chosen.items()))
            chairs = (*session.chairs[:seat], chair, *session.chairs[seat + 1 :])
            return replace(session, chairs=chairs)


def voted(
    session: Session,
    entry: e.EndAsked | e.ReleaseAsked | e.EndTakenBack | e.ReleaseTakenBack | e.Returned,
) -> Session:
    """Return the table after a vote on the end of the round, or on who is absent."""
    match entry:
        case e.EndAsked(seat):
            return replace(session, end_asked=session.end_asked | {Seat(seat)})
        case e.ReleaseAsked(seat, absent):
            vote = (Seat(seat), Seat(absent))
            return replace(session, release_votes=session.release_votes | {vote})
        case e.EndTakenBack(seat):
            return replace(session, end_asked=session.end_asked - {Seat(seat)})
        case e.ReleaseTakenBack(seat, absent):
            vote = (Seat(seat), Seat(absent))
            return replace(session, release_votes=session.release_votes - {vote})
        case e.Returned(seat):
            still = frozenset(vote for vote in session.release_votes if vote[1] != seat)
            return replace(session, release_votes=still)


def _left(session: Session, seat: Seat, *, away: bool) -> Session:
    """Return the table without the player of a seat, which stays theirs."""
    gone = replace(session.chairs[seat], left=True, away=away)
    departure = Departure(seat, session.lived)
    after = replace(
        _without_votes(session, seat),
        chairs=(*session.chairs[:seat], gone, *session.chairs[seat + 1 :]),
        fled=session.fled | _fleeing(session, seat),
        unseen=session.unseen if away else session.unseen - {seat},
        state=session.state and session.game.leave(session.state, seat),
        departures=(*session.departures, departure)[-RACES:],
    )
    return replace(after, abandoned=away and not after.humans_in)


def _fleeing(session: Session, seat: Seat) -> frozenset[Seat]:
    """Return this seat, if it is a person's who leaves the round after its first press."""
    flees = session.pressed and session.dealt_in(seat) and session.chairs[seat].human
    return frozenset({seat} if flees else ())


def _without_votes(session: Session, gone: Seat) -> Session:
    """Drop all votes by and against a seat that has left."""
    release_votes = frozenset(vote for vote in session.release_votes if gone not in vote)
    return replace(session, end_asked=session.end_asked - {gone}, release_votes=release_votes)


def _unseated(session: Session, gone: Seat) -> Session:
    """Remove a seat. Those after it move up, with their Ready and their votes."""

    def moved(seat: Seat) -> Seat:
        return Seat(seat - (seat > gone))

    session = _without_votes(session, gone)
    return replace(
        session,
        chairs=session.chairs[:gone] + session.chairs[gone + 1 :],
        ready=frozenset(moved(seat) for seat in session.ready if seat != gone),
        release_votes=frozenset((moved(voter), moved(of)) for voter, of in session.release_votes),
    )


def _hosted(session: Session) -> Session:
    """Make the first person still seated the host, if the host has left."""
    if session.seat_of(session.host) is not None or not session.humans_in:
        return session
    host = session.chairs[session.humans_in[0]].user
    assert host is not None
    return replace(session, host=host)


def forgotten(session: Session, user: UserId) -> Session:
    """Return the session without this person: no seat is held for them.

    If the match is over, `NOBODY` takes their place in it, as in the stored record.
    """
    held = tuple(one for one in session.held if one.user != user)
    queue = tuple(one for one in session.queue if one.user != user)
    if session.phase is not Phase.OVER:
        return replace(session, held=held, queue=queue)
    chairs = tuple(
        replace(chair, user=NOBODY, name=NAMELESS) if chair.user == user else chair
        for chair in session.chairs
    )
    host = NOBODY if session.host == user else session.host
    return replace(session, held=held, queue=queue, chairs=chairs, host=host)
