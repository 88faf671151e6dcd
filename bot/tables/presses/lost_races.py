"""Races at a table: the loser hears who was first, and the log notes it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from bot.games.contract import GameState
from bot.games.values import Refused, Seat
from bot.ids import UserId
from bot.tables.decisions.decide import Move
from bot.tables.decisions.refusal_reasons import TableRefusal
from bot.tables.presses.claims import Claims, Contest
from bot.tables.state import events as e
from bot.tables.state.duels import is_contested
from bot.tables.state.session import Phase, Session
from bot.text import Icon, Name, margin

Made: TypeAlias = tuple[e.Moved, int, Session]
"""A move, when it was made in ms of the table's life, and the table with it."""

NOTED = 300
"""Refusals per seat and round that are kept for the log: five minutes at one per second."""


class Races:
    """The races at one table: names the winner to the loser, and the refusal to the log.

    `now` and `arrived` are monotonic seconds.
    """

    def __init__(self) -> None:
        self._claims = Claims()
        self._noted: Counter[tuple[int, Seat]] = Counter()

    def shown(self, user: UserId, session: Session, now: float) -> None:
        """Record that this player sees a picture of this session, or a newer one."""
        self._claims.delivered(user, session, now)

    def seen(self, user: UserId | None, session: Session) -> GameState | None:
        """Return the state of this round that this player was last shown; None if there is none."""
        return self._claims.seen(user, session) if user is not None else None

    def resumed(self, made: Iterable[Made], session: Session, lived: int, now: float) -> None:
        """Take in the moves from before a restart, in their order. `lived`: ms until now."""
        for moved, at, then in made:
            ago = max(0, lived - at + moved.waited) / 1000
            self.take(then, Move(Seat(moved.seat), moved.move), now - ago)
        self._claims.restarted(session, now)

    def take(self, session: Session, made: Move, arrived: float) -> None:
        """Record an accepted move. `session` includes it."""
        place = session.game.claim(session.game.parse(made.text))
        if place is not None:
            self._claims.taken(session, place, made.seat, arrived)

    def lost(
        self, session: Session, refused: Refused, asked: Move, arrived: float
    ) -> tuple[Refused, e.Rejected | None]:
        """Return what to say about a move that a rule has refused, and the entry for the log.

        A lost race is refused with the name of the player who was first. The entry is None outside
        a live round, for a refusal that the game calls lapsed, for a move that the game can't write
        down, and once this seat has `NOTED` entries in the round.
        """
        game = session.game
        if session.phase is not Phase.LIVE or game.lapsed(refused):
            return refused, None
        user = session.chairs[asked.seat].user
        parsed = game.parse(asked.text)
        place = game.claim(parsed)
        contest = None
        if refused.why is game.no_fit and place is not None:
            contest = self._claims.contest(session, place, asked.seat, user, arrived)
        seen = self.seen(user, session)
        written = game.written(seen, asked.seat, parsed) if seen is not None else None
        plain, card = written or game.written(session.in_play, asked.seat, parsed) or ((), None)
        move = tuple(part for part in plain if isinstance(part, str | int))
        noted = e.Rejected(asked.seat, asked.text, move, card)
        told = refused
        if contest is not None:
            rival, margin, shown = contest.rival, contest.margin, contest.shown
            noted = replace(noted, late_to=rival, late_ms=margin, shown=shown)
            if is_contested(noted):
                told = _too_late(session, place or asked.text, contest)
        return told, noted if plain and self._count(session.round, asked.seat) else None

    def _count(self, round_: int, seat: Seat) -> bool:
        """Count a refusal. Return whether it is one of those that are kept."""
        if self._noted[round_, seat] >= NOTED:
            return False
        self._noted[round_, seat] += 1
        return True


def _too_late(session: Session, place: str, contest: Contest) -> Refused:
    name = Name(session.chairs[contest.rival].name)
    values = (("card", Icon(place)), ("who", name), ("ms", margin(contest.margin)))
    return Refused(TableRefusal.TOO_LATE, values)
