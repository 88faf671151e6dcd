"""The users who chose plain text, kept in memory so that no press waits for the database."""

from collections.abc import Callable
from typing import Protocol

from bot.ids import UserId
from bot.records.archive import Archive


class PlainTextUsers(Protocol):
    """The set of users with plain text. The choice holds in every server and across restarts.

    `changed`: called when it was made in another process of the bot.
    """

    changed: Callable[[UserId], None]

    async def recall(self) -> None:
        """Read the stored choices."""

    def __contains__(self, user: UserId) -> bool: ...
    async def turn(self, user: UserId) -> bool:
        """Toggle plain text for a user and return the new setting. Raises what the store does."""

    def forget(self, user: UserId) -> None: ...


class OwnPlainTextUsers:
    """The choices in a bot that is one process."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: set[UserId] = set()
        self.changed: Callable[[UserId], None] = lambda _: None

    async def recall(self) -> None:
        self._known = set(await self._archive.plain_readers())

    def __contains__(self, user: UserId) -> bool:
        return user in self._known

    async def turn(self, user: UserId) -> bool:
        plain = user not in self._known
        await self._archive.read_plainly(user, plain=plain)
        if plain:
            self._known.add(user)
        else:
            self.forget(user)
        return plain

    def forget(self, user: UserId) -> None:
        self._known.discard(user)
