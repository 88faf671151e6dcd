"""The people whom this group has forgotten, while other groups may still tell of them."""

from collections.abc import Collection

from bot.ids import UserId


class Forgotten:
    """The moments up to which people are forgotten, while an order about them isn't over."""

    def __init__(self) -> None:
        self._until: dict[UserId, int] = {}
        self._may_be_over: frozenset[UserId] = frozenset()

    def add(self, user: UserId, at: int) -> None:
        """Note that all of somebody up to a moment (Unix ms) is to stay forgotten."""
        self._until[user] = max(at, self.until(user))
        self._may_be_over -= {user}

    def until(self, user: UserId) -> int:
        """Return up to when somebody is forgotten, in Unix ms; 0 for anyone else."""
        return self._until.get(user, 0)

    def keep(self, users: Collection[UserId]) -> None:
        """Drop those about whom there is no order now, and was none the last time.

        Nothing that was told before the end of an order is on its way by then.
        """
        over = self._until.keys() - users
        for user in over & self._may_be_over:
            del self._until[user]
        self._may_be_over = frozenset(over & self._until.keys())
