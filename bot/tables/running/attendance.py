"""The attendance at a table: the last press of each player."""

from bot.ids import UserId
from bot.tables.decisions.presence import ABSENT_AFTER
from bot.tables.presses.press import Press
from bot.tables.running.lifetime import Lifetime
from bot.tables.state.session import Session


class Attendance:
    """The last presses at one table, in seconds of its life.

    Somebody who hasn't pressed anything yet counts as here since the bot's start.
    """

    def __init__(self, life: Lifetime) -> None:
        self._life = life
        self._since = life.now()
        self._pressed: dict[UserId, float] = {}

    @property
    def idle(self) -> float:
        """The seconds since a human last pressed anything, or since the bot's start."""
        return self._life.now() - max(self._pressed.values(), default=self._since)

    def idle_by_user(self, session: Session, now: float) -> dict[UserId, float]:
        """Return the seconds since the last press of each person still in. `now`: monotonic."""
        then = self._life.at(now)
        return {
            user: then - self._pressed.get(user, self._since)
            for user in (session.chairs[seat].user for seat in session.humans_in)
            if user is not None
        }

    def came(self, session: Session, press: Press) -> bool:
        """Note a press by somebody seated. Return whether they were away until now."""
        user = press.user
        if session.seat_of(user) is None:
            return False
        before, now = self._pressed.get(user, self._since), self._life.at(press.arrived)
        self._pressed[user] = now
        return now - before >= ABSENT_AFTER
