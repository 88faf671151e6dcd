"""A guard against presses that were seen before, or that are too old to be answered."""

from bot.games.values import Refused
from bot.tables.presses.discord_time import Skew
from bot.tables.presses.press import Press, Stale

TOO_OLD = 2.5
"""Seconds after which a press counts as replayed.

Discord takes no answer after 3 s (PLATFORM 1).
"""


REMEMBERED = 15 * 60.0
"""Seconds for which a press is remembered at least."""


MOST_REMEMBERED = 100_000
"""The most presses remembered at once.

If more come in `REMEMBERED` seconds, at least the last half of this number are.
"""


class ReplayGuard:
    """A guard that knows the latest interactions, and the skew of Discord's clock to ours.

    The age of a press is judged by the smallest difference of the clocks in the last minutes in
    which anybody pressed. Ours is the monotonic one: a machine whose clock is wrong, or is put
    right in the middle of a round, refuses nobody.
    """

    def __init__(self) -> None:
        self._new: set[int] = set()
        self._old: set[int] = set()
        self._since = 0.0  # when the first of the new ones arrived
        self._skew = Skew()

    def check(self, press: Press) -> Refused | None:
        """Refuse a press that was seen before or is too old; None if it is fresh. Remember it."""
        if self.knows(press.interaction):
            return Refused(Stale.SEEN)
        self._remember(press)
        age = press.arrived - press.created
        skew = self._skew.of(age, press.arrived)
        return Refused(Stale.TOO_OLD) if age - skew > TOO_OLD else None

    def knows(self, interaction: int) -> bool:
        return interaction in self._new or interaction in self._old

    @property
    def remembered(self) -> int:
        return len(self._new) + len(self._old)

    def _remember(self, press: Press) -> None:
        """Remember a press. The old ones go all at once, when the new ones are many or old."""
        is_full = len(self._new) >= MOST_REMEMBERED // 2
        if is_full or press.arrived - self._since > REMEMBERED:
            self._old, self._new, self._since = self._new, set(), press.arrived
        self._new.add(press.interaction)
