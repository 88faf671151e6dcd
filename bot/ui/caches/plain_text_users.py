"""The users who chose plain text, kept in memory so that no press waits for the database."""

from bot.ids import UserId
from bot.records.archive import Archive


class PlainTextUsers:
    """The set of users with plain text. The choice holds in every server and across restarts."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: set[UserId] = set()

    async def recall(self) -> None:
        self._known = set(await self._archive.plain_readers())

    def __contains__(self, user: UserId) -> bool:
        return user in self._known

    async def turn(self, user: UserId) -> bool:
        """Toggle plain text for a user and return the new setting. Raises what the archive does."""
        plain = user not in self._known
        await self._archive.read_plainly(user, plain=plain)
        if plain:
            self._known.add(user)
        else:
            self.forget(user)
        return plain

    def forget(self, user: UserId) -> None:
        self._known.discard(user)
