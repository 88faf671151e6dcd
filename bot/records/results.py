"""The record of a finished match: its rounds, seats and places."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.games.values import Reason
from bot.ids import GuildId, UserId
from bot.records.rated_rounds import RatedRound, of_replay
from bot.records.replay import ReplayStep
from bot.tables.decisions.rated_or_practice import Standing, Unranked, standing, unranked
from bot.tables.state import events as e
from bot.tables.state.duels import is_duel
from bot.tables.state.session import Session
from bot.tables.state.session_values import Chair


@dataclass(frozen=True, slots=True)
class Duel:
    """A close race for one place: the first seat, the late seat, and the margin in ms."""

    first: int
    late: int
    ms: int


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round that counts. `lasted` is in ms, from the moment it went live to its end.

    By seat, None if it was not dealt in: `plus` and `minus` points, both counted upwards, and
    `laid`, the cards or dice it put on the table. `gone`: the seats that had left before its end.
    """

    reason: Reason
    by: int | None
    lasted: int
    plus: tuple[int | None, ...]
    minus: tuple[int | None, ...]
    laid: tuple[int | None, ...]
    duels: tuple[Duel, ...] = ()
    gone: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """The match of one seat. `user` is None for a robot.

    `place` is among all seats and `rank` among humans; ties share one (1, 1, 3) and leavers are
    last. A robot's `rank` is None. `won` means the best score of all who stayed. `rounds` and
    `lasted` (ms) cover the rounds it was dealt into; `best` and `worst` are its points in one of
    them. `firsts` and `lates` count duels won and lost; `firsts_ms` and `lates_ms` add up their
    margins.
    """

    user: UserId | None
    name: str
    place: int
    rank: int | None
    won: bool
    left: bool
    points: int
    rounds: int
    lasted: int
    laid: int
    best: int | None
    worst: int | None
    firsts: int
    firsts_ms: int
    lates: int
    lates_ms: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match that has ended. `began` (the first deal) and `ended` are Unix ms.

    `unranked` is the reason it is on no leaderboard. `forfeited` means that a round was stopped
    because all people but one had left it. Such a round may appear only in `rated_rounds`; then it
    counts for nothing but ratings.
    """

    table: int
    guild: GuildId
    game: str
    began: int
    ended: int
    options: Mapping[str, str]
    standing: Standing
    rounds: tuple[RoundRecord, ...]
    seats: tuple[SeatRecord, ...]
    rated_rounds: tuple[RatedRound, ...] = ()
    unranked: Unranked | None = None
    forfeited: bool = False


@dataclass(slots=True)
class _Tally:
    """The events of a round so far."""

    dealt: tuple[bool, ...] = ()
    laid: Counter[int] = field(default_factory=Counter)
    duels: list[Duel] = field(default_factory=list)


def result(steps: Sequence[ReplayStep]) -> MatchResult | None:
    """Return the match of a replay with a MatchEnded, or None if no round was dealt."""
    ending = next(s for s in reversed(steps) if isinstance(s.line.entry, e.MatchEnded))
    began = next((s.line.at for s in steps if isinstance(s.line.entry, e.Dealt)), None)
    if began is None:
        return None
    session, opened = ending.session, ending.session.opened
    rounds = _rounds(steps)
    return MatchResult(
        table=ending.line.table,
        guild=opened.guild,
        game=opened.game,
        began=began,
        ended=ending.line.at,
        options=session.all_options,
        standing=standing(session),
        rounds=rounds,
        seats=tuple(_seat(session, rounds, seat) for seat in range(len(session.chairs))),
        rated_rounds=of_replay(steps),
        unranked=unranked(session),
        forfeited=session.forfeited,
    )


def _rounds(steps: Sequence[ReplayStep]) -> tuple[RoundRecord, ...]:
    rounds: list[RoundRecord] = []
    tally = _Tally()
    for step in steps:
        session = step.session
        match step.line.entry:
            case e.Dealt(dealt):
                tally = _Tally(dealt)
            case e.Moved(seat, move, _):
                tally.laid[seat] += session.game.claim(session.game.parse(move)) is not None
            case e.Rejected(seat, late_to=int(first), late_ms=int(ms)) as refused:
                if is_duel(refused):
                    tally.duels.append(Duel(first, seat, ms))
            case e.RoundEnded() if len(session.history) > len(rounds):
                rounds.append(_round(session, tally))
            case _:
                pass
    return tuple(rounds)


def _round(session: Session, tally: _Tally) -> RoundRecord:
    last = session.history[-1]
    ended, dealt = last.ended, tally.dealt
    return RoundRecord(
        reason=ended.reason,
        by=ended.by,
        lasted=last.lasted,
        plus=_of_dealt(dealt, ended.plus),
        minus=_of_dealt(dealt, ended.minus),
        laid=_of_dealt(dealt, [tally.laid[seat] for seat in range(len(dealt))]),
        duels=tuple(tally.duels),
        gone=tuple(seat for seat, is_in in enumerate(dealt) if is_in and seat not in last.seats),
    )


def _of_dealt(dealt: Iterable[bool], values: Iterable[int]) -> tuple[int | None, ...]:
    return tuple(v if is_in else None for is_in, v in zip(dealt, values, strict=True))


def _seat(session: Session, rounds: Sequence[RoundRecord], seat: int) -> SeatRecord:
    chair = session.chairs[seat]
    dealt = [one for one in rounds if one.plus[seat] is not None]
    points = [(one.plus[seat] or 0) - (one.minus[seat] or 0) for one in dealt]
    firsts = [duel.ms for one in rounds for duel in one.duels if duel.first == seat]
    lates = [duel.ms for one in rounds for duel in one.duels if duel.late == seat]
    return SeatRecord(
        user=chair.user,
        name=chair.name,
        place=session.places[seat],
        rank=_rank(session, chair, seat),
        won=seat in session.winners,
        left=chair.left,
        points=sum(points),
        rounds=len(dealt),
        lasted=sum(one.lasted for one in dealt),
        laid=sum(one.laid[seat] or 0 for one in dealt),
        best=max(points, default=None),
        worst=min(points, default=None),
        firsts=len(firsts),
        firsts_ms=sum(firsts),
        lates=len(lates),
        lates_ms=sum(lates),
    )


def _rank(session: Session, chair: Chair, seat: int) -> int | None:
    if not chair.human:
        return None
    rivals = [session.places[i] for i, other in enumerate(session.chairs) if other.human]
    return 1 + sum(place < session.places[seat] for place in rivals)
