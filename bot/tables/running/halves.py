"""The first halves of moves, kept for the second press."""

from bot.ids import UserId


class Halves:
    """The half that each person at a table has made, until their next press or the next round."""

    def __init__(self) -> None:
        self._made: dict[UserId, tuple[int, str]] = {}

    def of(self, user: UserId, round_: int) -> str | None:
        """Return the first half that this person has made in this round, or None."""
        made_in, word = self._made.get(user, (0, ""))
        return word if word and made_in == round_ else None

    def pressed(self, user: UserId, round_: int, half: str | None) -> None:
        """Drop the half made before this press, and keep the half that this one makes, if any."""
        self._made.pop(user, None)
        if half is not None:
            self._made[user] = (round_, half)
