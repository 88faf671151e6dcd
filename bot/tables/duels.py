"""Contested presses: a place was taken, and who came later could not have known it yet.

A refused press is contested if and only if its place was taken by another seat, and the picture
that shows it was not delivered to this player yet, or for less than it takes to read it. They
are told who was first, however late they were. It is a duel, and news to anybody else, only when
it was close: a slow connection makes no heroes. `docs/format.md` specifies both numbers.
"""

from collections import defaultdict
from dataclasses import dataclass

from bot.games.contract import GameState
from bot.games.values import Seat
from bot.tables import entries as e
from bot.tables.session import Phase, Session

DUEL_WITHIN = 1_000
"""Milliseconds between two presses for one place up to which they are a duel.

People who see the same picture answer it within a second of each other. A larger margin says
how slow a connection was, and not how quick its player.
"""
READING_TIME = 400
"""Milliseconds for which a delivered picture counts as not read.

A press on what has just appeared takes about 250 ms when there is one thing to wait for, and
about 400 ms when there are several to choose from. A thumb that comes down sooner was on its way
before the picture was there. It also covers the way from Discord to the player's screen.
"""


def is_contested(entry: e.Rejected) -> bool:
    """Whether this refusal is told as a lost race."""
    return entry.late_to is not None and (entry.shown is None or entry.shown < READING_TIME)


def is_duel(entry: e.Rejected) -> bool:
    """Whether this refusal counts in news, records and statistics."""
    return is_contested(entry) and entry.late_ms is not None and entry.late_ms <= DUEL_WITHIN


@dataclass(frozen=True, slots=True)
class Contest:
    """Another seat had the place first. `margin`: by how many ms. `shown`: for how many ms the
    player's panel had shown it when they pressed; None if no such picture was delivered yet.
    """

    rival: Seat
    margin: int
    shown: int | None


@dataclass(frozen=True, slots=True)
class _Claim:
    seat: Seat
    arrived: float
    moves: int


class Claims:
    """What has been taken in a round, and what each player was shown of it. Times are monotonic.

    A picture is told from another by the number of moves in it, `Session.moves`.
    """

    def __init__(self) -> None:
        self._round = 0
        self._taken: defaultdict[str, list[_Claim]] = defaultdict(list)
        # the moves in what each player was shown, and from when on, one after the other
        self._delivered: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
        self._states: dict[int, GameState] = {}
        self._restart = (-1, 0.0)  # the moves until then, and when it was

    def taken(self, session: Session, place: str, seat: Seat, arrived: float) -> None:
        """This seat has got this place. `session`: as it is with it; `arrived`: of the press."""
        self._turn_to(session)
        self._taken[place].append(_Claim(seat, arrived, session.moves))

    def restarted(self, session: Session, now: float) -> None:
        """What was taken until now counts as shown to everybody from now on: what each was shown
        before is forgotten, and all of them get ready before the round goes on.
        """
        self._turn_to(session)
        self._restart = (session.moves, now)

    def delivered(self, user: int, session: Session, now: float) -> None:
        """This player has a picture of this session before them, or a newer one. What it does not
        show counts as not shown from now on, and as shown until now. Before a round is live no
        picture shows what was taken.
        """
        if session.round < self._round or session.phase is not Phase.LIVE:
            return
        self._turn_to(session)
        pictures = self._delivered[user]
        if not pictures or pictures[-1][0] != session.moves:
            pictures.append((session.moves, now))
        self._states[user] = session.in_play

    def seen(self, user: int, session: Session) -> GameState | None:
        """The state of this round as this player has it before them; None if they have none."""
        return self._states.get(user) if session.round == self._round else None

    def contest(
        self, session: Session, place: str, seat: Seat, user: int | None, arrived: float
    ) -> Contest | None:
        """Who took this place before this seat pressed for it; None if no other seat did."""
        if session.round != self._round:
            return None
        claims = self._taken.get(place, ())
        claim = next((one for one in reversed(claims) if one.seat != seat), None)
        if claim is None:
            return None
        margin = arrived - claim.arrived
        assert margin >= 0, f"{place} went to seat {claim.seat} {-margin} s before they pressed"
        return Contest(claim.seat, _ms(margin), self._shown(claim, user, arrived))

    def _shown(self, claim: _Claim, user: int | None, arrived: float) -> int | None:
        """A computer player looks at the table itself: what it missed was not there yet."""
        moves, restart = self._restart
        if claim.moves <= moves:
            return _ms(arrived - restart)
        since = None
        for shown, at in self._delivered.get(user, ()) if user is not None else ():
            if at > arrived:
                break  # what is heard of later changes nothing of what they had been shown
            if shown < claim.moves:
                since = None
            elif since is None:
                since = at
        return None if since is None else _ms(arrived - since)

    def _turn_to(self, session: Session) -> None:
        """Forget the round before."""
        if session.round != self._round:
            self._round = session.round
            self._restart = (-1, 0.0)
            for known in (self._taken, self._delivered, self._states):
                known.clear()


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
