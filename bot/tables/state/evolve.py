"""A table as the sum of its entries: `apply` adds one more."""

from typing import assert_never

from bot.games.contract import GameState
from bot.games.values import Played, Reason, Refused, Seat
from bot.tables.state import events as e
from bot.tables.state.duels import is_contested, is_duel
from bot.tables.state.events import Entry
from bot.tables.state.match_seed import chance, mixed, next_chance, public_part
from bot.tables.state.options import arena_part
from bot.tables.state.seating import seated, voted
from bot.tables.state.session import Phase, Session
from bot.tables.state.session_values import RACES, Alarm, LostRace, News, RoundResult, replace

ALARM_FROM = 3
"""A player with so few cards or dice left is about to finish, and everybody is told."""


def begin(opened: e.Opened, at: int) -> Session:
    """Return the lobby that this entry opens. `at`: Unix ms."""
    return Session(
        opened=opened,
        at=at,
        since=0,
        host=opened.host,
        channel=opened.channel,
        options=opened.options,
        parent=opened.parent,
        held=opened.held,
    )


def apply(
    session: Session,
    entry: Entry,
    at: int,
    played: Played[GameState] | None = None,
    *,
    lived: int | None = None,
) -> Session:
    """Return the table after one more entry.

    `played` is the outcome of a move, if it is known already. `at`: Unix ms. `lived`: ms of the
    table's life; None if the time since the last entry counts by the dates. Raises ValueError for
    `Opened`, and AssertionError for a move that the rules refuse.
    """
    if lived is None:
        lived = session.lived + max(0, at - session.at)
    if at != session.at or lived != session.lived:
        session = session.dated(at, lived)
    if isinstance(entry, e.Moved):
        return _moved(session, entry, played)
    match entry:
        case e.Rejected():
            return _rejected(session, entry)
        case (
            e.Seated()
            | e.Unseated()
            | e.Queued()
            | e.HeldSeatsFreed()
            | e.OptionSet()
            | e.SeatOptionSet()
            | e.Left()
        ):
            return seated(session, entry)
        case e.RoundEnded() | e.MatchEnded() | e.Closed():
            return _ended(session, entry)
        case e.Promised() | e.Started() | e.PostingBegun() | e.Published():
            return _begun(session, entry)
        case e.Readied() | e.Dealt() | e.Paused() | e.Resumed() | e.WentLive():
            return _round(session, entry)
        case (
            e.EndAsked() | e.ReleaseAsked() | e.EndTakenBack() | e.ReleaseTakenBack() | e.Returned()
        ):
            return voted(session, entry)
        case e.ChannelChanged(channel, parent):
            return replace(session, channel=channel, parent=parent)
        case e.Opened():
            raise ValueError("a table is opened once, by begin")
        case _:
            assert_never(entry)


def _enter(session: Session, phase: Phase) -> Session:
    return replace(
        session, phase=phase, since=session.lived, ready=frozenset(), first_ready_at=None
    )


def _ended(session: Session, entry: e.RoundEnded | e.MatchEnded | e.Closed) -> Session:
    played = tuple(seat for seat in session.seats_in if session.dealt_in(seat))
    dealt = sum(session.dealt_in(Seat(seat)) for seat in range(len(session.chairs)))
    session = replace(session, state=None)
    match entry:
        case e.RoundEnded():
            dropped = entry.reason is Reason.ABORT and not session.game.abort_counts
            result = () if dropped else (RoundResult(entry, session.played_for, played, dealt),)
            ended = replace(
                session,
                history=(*session.history, *result),
                live_at=None,
                was_live=0,
                dropped=dropped,
                dropped_by=entry.voters if dropped else (),
                pressed=False,
                fled=frozenset(),
                met=session.began > 1 if entry.met is None else entry.met,
                forfeited=session.forfeited or (entry.forfeited and entry.reason is Reason.ABORT),
                end_asked=frozenset(),
            )
            return _enter(ended, Phase.READY)
        case e.MatchEnded(counts, verdict):
            over = replace(session, counts=counts, verdict=verdict, release_votes=frozenset())
            return _enter(over, Phase.OVER)
        case e.Closed(reason):
            return _enter(replace(session, closed=reason), Phase.CLOSED)


def _begun(
    session: Session, entry: e.Promised | e.Started | e.PostingBegun | e.Published
) -> Session:
    match entry:
        case e.Promised(secret, scheme):
            return replace(session, secret=bytes.fromhex(secret), scheme=scheme)
        case e.Started(seed):
            chairs = tuple(replace(one, stream=i) for i, one in enumerate(session.chairs))
            of_arena = arena_part(session.options)
            known = mixed(session.secret, of_arena) if of_arena else bytes.fromhex(seed)
            started = replace(
                session,
                seed=known,
                held=(),
                chairs=chairs,
                started=len(chairs),
                started_at=session.at,
            )
            return _enter(started, Phase.READY)
        case e.PostingBegun():
            return replace(session, postings=session.postings + 1)
        case e.Published(channel, message):
            fixed = session.seed or mixed(session.secret, public_part(channel, message))
            return replace(session, seed=fixed, published=(*session.published, entry))


def _round(
    session: Session,
    entry: e.Readied | e.Dealt | e.Paused | e.Resumed | e.WentLive,
) -> Session:
    match entry:
        case e.Readied(seat):
            first = session.first_ready_at
            first = session.lived if first is None else first
            ready = session.ready | {Seat(seat)}
            return replace(session.seen(Seat(seat)), ready=ready, first_ready_at=first)
        case e.Dealt(dealt):
            number = session.round + 1
            state = session.game.deal(dealt, session.all_options, chance(session, number, 0))
            began = session.began or sum(chair.human for chair in session.chairs)
            dealt_now = replace(
                session,
                round=number,
                moves=0,
                state=state,
                live_at=None,
                was_live=0,
                dropped=False,
                dropped_by=(),
                news=(),
                lost_races=(),
                alarms=(),
                closest=None,
                began=began,
            )
            return _enter(dealt_now, Phase.COUNT)
        case e.Paused():
            was_live = session.played_for
            in_arena = session.opened.arena is not None
            unseen = filter(session.dealt_in, session.humans_in) if in_arena else ()
            paused = replace(session, live_at=None, was_live=was_live, unseen=frozenset(unseen))
            return _enter(paused, Phase.READY)
        case e.Resumed():
            return _enter(session, Phase.COUNT)
        case e.WentLive():
            lived = session.lived
            live = replace(session, live_at=lived, laid_at=lived, played=True)
            return _enter(live, Phase.LIVE)


def _moved(session: Session, entry: e.Moved, played: Played[GameState] | None) -> Session:
    game, seat = session.game, Seat(entry.seat)
    session = session.seen(seat)
    move = game.parse(entry.move)
    outcome = played or game.play(session.in_play, seat, move, next_chance(session))
    assert not isinstance(outcome, Refused), f"journal and rules disagree: {entry} {outcome}"
    moves = session.moves + len(outcome.moves)
    claim = game.claim(move)
    laid = News(seat, claim) if claim is not None else None
    if not session.pressed and not session.met and session.meet:
        session = replace(session, met=True)
    alarm = _alarm(session, outcome.state, seat, claim)
    return session.moved(outcome.state, moves, laid, alarm)


def _alarm(session: Session, after: GameState, seat: Seat, claim: str | None) -> Alarm | None:
    """Return the alarm that a move raises; None if it brings its player no nearer to the end."""
    left = session.game.left(after)[seat]
    if left is None or not 0 < left <= ALARM_FROM:
        return None
    before = session.game.left(session.in_play)[seat]
    if before is None or left >= before:
        return None
    return Alarm(seat, left, claim, session.lived)


def _rejected(session: Session, entry: e.Rejected) -> Session:
    """Count a refused press. A lost race is kept to be told."""
    session = session.seen(Seat(entry.seat))
    if not session.pressed:
        session = replace(session, pressed=True, met=session.met or session.meet)
    if not is_contested(entry) or entry.late_to is None or entry.late_ms is None:
        return session
    claim = session.game.claim(session.game.parse(entry.move))
    if claim is None:
        return session
    lost = LostRace(
        Seat(entry.late_to), Seat(entry.seat), claim, entry.late_ms, session.lived, is_duel(entry)
    )
    lost_races = (*session.lost_races, lost)[-RACES:]
    closest = _closest(session, lost) if lost.is_duel else session.closest
    return replace(session, lost_races=lost_races, closest=closest)


def _closest(session: Session, duel: LostRace) -> e.CloseCall | None:
    """Return the round's closest duel after this one. Duels between robots don't count."""
    known = session.closest
    is_closer = known is None or duel.ms < known.ms
    if not is_closer or not any(session.chairs[s].human for s in (duel.winner, duel.loser)):
        return known
    return e.CloseCall(duel.winner, duel.loser, duel.claim, duel.ms)
