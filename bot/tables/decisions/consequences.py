"""The events that need no press: a round ends, a match ends, the next round is dealt."""

from collections.abc import Collection, Sequence

from bot.games.contract import GameState
from bot.games.values import Played, Reason, Seat
from bot.tables.decisions.arena_rounds import is_under_way
from bot.tables.decisions.rated_or_practice import verdict
from bot.tables.state import events as e
from bot.tables.state import match_seed
from bot.tables.state.events import Entry
from bot.tables.state.evolve import apply
from bot.tables.state.session import Phase, Session

MOST_ROUNDS = 30
"""Rounds after which a match with a points target ends at the latest."""


def settle(
    session: Session, entries: Sequence[Entry], at: int, played: Played[GameState] | None = None
) -> tuple[tuple[Entry, ...], Session]:
    """Apply these entries and all that follow from them. Return them all, and the table after.

    `at`: Unix ms. `played`: the outcome of the move among `entries`, if it is known already.
    """
    written: list[Entry] = []
    for entry in entries:
        session = apply(session, entry, at, played)
        written.append(entry)
    while (entry_ := _consequence(session)) is not None:
        session = apply(session, entry_, at)
        written.append(entry_)
    return tuple(written), session


def _consequence(session: Session) -> Entry | None:
    """Return the next entry that needs no press, or None."""
    if session.phase is Phase.LOBBY:
        return None if session.humans_in else e.Closed("table.closed.empty")
    if session.phase not in (Phase.READY, Phase.COUNT, Phase.LIVE):
        return None
    few = len(session.seats_in) < session.game.seats.start or not session.humans_in
    if few and not session.played:
        return e.Closed("table.closed.unplayed")
    if session.state is not None:
        if few:
            return ended(session, Reason.ABORT)
        if session.end_asked and session.end_asked.issuperset(_playing(session)):
            return ended(session, Reason.ABORT, voters=session.end_asked)
        if session.phase is Phase.LIVE and (ending := session.game.ending(session.state)):
            return ended(session, ending.reason, ending.by)
    elif few or is_finished(session) or _was_the_one_round(session):
        return _match_ended(session)
    if match_seed.is_incomplete(session):
        return None  # there is no seed to deal from
    if session.phase is Phase.READY and session.ready and not session.awaited:
        return e.Dealt(next_deal(session)) if session.state is None else e.Resumed()
    return None


def cut_short(session: Session) -> tuple[Entry, ...]:
    """Return the entries that end a match in progress; none before its first live round."""
    if session.phase not in (Phase.READY, Phase.COUNT, Phase.LIVE) or not session.played:
        return ()
    if session.state is None:
        return (_match_ended(session),)
    stopped = ended(session, Reason.ABORT)
    return (stopped, _match_ended(apply(session, stopped, session.at)))


def is_finished(session: Session) -> bool:
    """Return whether the agreed rounds are played, or a total has reached the points target.

    A match with a target is also finished after `MOST_ROUNDS`.
    """
    target = session.options.get("target", "off")
    if target == "off":
        return len(session.history) >= session.rounds
    return len(session.history) >= MOST_ROUNDS or max(session.totals) >= int(target)


def _was_the_one_round(session: Session) -> bool:
    """Return whether an arena's table has had its round, even if that was stopped."""
    return session.opened.arena is not None and session.round > 0


def plays_next(session: Session, seat: Seat) -> bool:
    """Return whether the next round would be dealt to this seat: ready, or a robot's."""
    return seat in session.ready or not session.chairs[seat].human


def next_deal(session: Session) -> tuple[bool, ...]:
    """Return, seat by seat, whether the next round would be dealt to it now."""
    seats = range(len(session.chairs))
    return tuple(s in session.seats_in and plays_next(session, Seat(s)) for s in seats)


def _playing(session: Session) -> tuple[Seat, ...]:
    """Return the humans in the round."""
    return tuple(seat for seat in session.humans_in if session.dealt_in(seat))


def _match_ended(session: Session) -> e.MatchEnded:
    counts = session.began > 1 and bool(session.history)
    return e.MatchEnded(counts, verdict(session))


def ended(
    session: Session, reason: Reason, by: Seat | None = None, voters: Collection[Seat] = ()
) -> e.RoundEnded:
    """Return the end of the round as it stands, with its points.

    `voters`: those who asked for it, if enough have.
    """
    points = session.game.scores(session.in_play)
    return e.RoundEnded(
        reason,
        by,
        plus=tuple(seat.plus for seat in points),
        minus=tuple(seat.minus for seat in points),
        forfeited=_is_forfeited(session),
        met=session.met,
        agreed=bool(voters),
        voters=tuple(sorted(voters)),
        closest=session.closest,
    )


def _is_forfeited(session: Session) -> bool:
    """Return whether all people but one have left the round after its first press.

    At an arena's table it must be under way: else two people could win in turn, each as fast as the
    other leaves.
    """
    stayed = _playing(session)
    if not session.fled or len(stayed) != 1:
        return False
    return session.opened.arena is None or is_under_way(session, stayed[0])
