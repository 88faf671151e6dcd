"""The users who chose plain text in any group of the bot."""

from collections.abc import Callable

from bot.groups.people.switches import Switches
from bot.ids import UserId


class SharedPlainTextUsers:
    """`PlainTextUsers` of a bot of several groups."""

    def __init__(self, switches: Switches) -> None:
        self._switches = switches
        self.changed: Callable[[UserId], None] = lambda _: None
        switches.changed = self._changed

    async def recall(self) -> None:
        await self._switches.recall()

    def __contains__(self, user: UserId) -> bool:
        return self._switches.is_on(user)

    async def turn(self, user: UserId) -> bool:
        plain = user not in self
        await self._switches.set(user, is_on=plain)
        return plain

    def _changed(self, user: UserId) -> None:
        self.changed(user)

    def forget(self, user: UserId) -> None:
        """Do nothing: an order to forget somebody goes to the switches, with its time."""
