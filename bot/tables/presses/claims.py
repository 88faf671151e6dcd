"""The places taken in a round, and when each player was shown them."""

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass

from bot.games.contract import GameState
from bot.games.values import Seat
from bot.ids import UserId
from bot.tables.presses.press import IN_LINE
from bot.tables.state.session import Phase, Session


@dataclass(frozen=True, slots=True)
class Contest:
    """A place that another seat had first.

    `margin`: ms between the two presses. `shown`: ms for which the player's panel had shown it when
    they pressed; None if no such picture had been delivered yet.
    """

    rival: Seat
    margin: int
    shown: int | None


@dataclass(frozen=True, slots=True)
class _Claim:
    """A place taken. `number`: 1 for the first of the round, whatever its place."""

    seat: Seat
    arrived: float
    number: int


class Claims:
    """The places taken in a round, and when each player was shown which picture.

    Times are monotonic seconds. Pictures are told apart by the number of claims in them. Moves that
    take no place, of which a round may have any number, leave nothing here.
    """

    def __init__(self) -> None:
        self._round = 0
        self._taken: defaultdict[str, list[_Claim]] = defaultdict(list)
        self._moves: list[int] = []  # of each claim in order: `Session.moves` with it
        # by user, in order: the claims in a picture, and when the first such one was delivered
        self._delivered: defaultdict[UserId, list[tuple[int, float]]] = defaultdict(list)
        self._states: dict[UserId, GameState] = {}
        self._restart = (0, 0.0)  # the claims before it, and when it was

    def taken(self, session: Session, place: str, seat: Seat, arrived: float) -> None:
        """Record that this seat has taken this place.

        `session` includes the move; `arrived` is when its press arrived.
        """
        self._turn_to(session)
        self._moves.append(session.moves)
        self._taken[place].append(_Claim(seat, arrived, len(self._moves)))

    def restarted(self, session: Session, now: float) -> None:
        """Count everything taken so far as shown to everybody from now on.

        A restart loses what each player was shown, but all of them get ready before the round goes
        on.
        """
        self._turn_to(session)
        self._restart = (len(self._moves), now)

    def delivered(self, user: UserId, session: Session, now: float) -> None:
        """Record that this player sees a picture of this session, or a newer one.

        Claims that it lacks count as not shown from now on, even if an earlier picture had them.
        Outside a live round nothing is recorded: no picture shows the claims then.
        """
        if session.round < self._round or session.phase is not Phase.LIVE:
            return
        self._turn_to(session)
        pictures, claims = self._delivered[user], bisect_right(self._moves, session.moves)
        if not pictures or pictures[-1][0] != claims:
            pictures.append((claims, now))
        self._states[user] = session.in_play

    def seen(self, user: UserId, session: Session) -> GameState | None:
        """Return the state of this round that this player was last shown; None if there is none."""
        return self._states.get(user) if session.round == self._round else None

    def contest(
        self, session: Session, place: str, seat: Seat, user: UserId | None, arrived: float
    ) -> Contest | None:
        """Return who took this place before this seat pressed for it; None if no other seat did.

        `arrived` is when this seat's press arrived. One in direct messages may have arrived before
        the claim's and come to this group after it: the margin is 0 then. One that is earlier by
        more than a press may wait is an AssertionError.
        """
        if session.round != self._round:
            return None
        claims = self._taken.get(place, ())
        claim = next((one for one in reversed(claims) if one.seat != seat), None)
        if claim is None:
            return None
        margin = arrived - claim.arrived
        assert margin >= -IN_LINE, (
            f"{place}: seat {claim.seat} has it, and pressed {-margin} s later"
        )
        return Contest(claim.seat, _ms(max(0.0, margin)), self._shown(claim, user, arrived))

    def _shown(self, claim: _Claim, user: UserId | None, arrived: float) -> int | None:
        """Return for how many ms the player had been shown a claim; None if they hadn't.

        Robots are shown no pictures, so it is None for any claim since the restart.
        """
        before, restart = self._restart
        if claim.number <= before:
            return _ms(arrived - restart)
        since = None
        for shown, at in self._delivered.get(user, ()) if user is not None else ():
            if at > arrived:
                break  # delivered after the press: it can't have been seen
            if shown < claim.number:
                since = None
            elif since is None:
                since = at
        return None if since is None else _ms(arrived - since)

    def _turn_to(self, session: Session) -> None:
        """Forget the round before, if this session is in another."""
        if session.round != self._round:
            self._round = session.round
            self._restart = (0, 0.0)
            for known in (self._taken, self._moves, self._delivered, self._states):
                known.clear()


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
