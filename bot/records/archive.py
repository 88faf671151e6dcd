"""What can be asked of the records, and done with them."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from bot.records.figures import (
    Board,
    History,
    MatchDetails,
    Moderated,
    RatedAt,
    Settings,
    Stats,
    Wanted,
)


class Archive(Protocol):
    """Times are Unix ms, matches are named by their number, pages count from 0.

    A match, a log or a player of another server is never shown.
    """

    async def leaderboard(self, wanted: Wanted, user: int) -> Board:
        """A page, and the row of the person who asks."""

    async def stats(self, guild: int, user: int, game: str) -> Stats: ...

    async def rating_history(self, guild: int, user: int, game: str) -> tuple[RatedAt, ...]:
        """The rating after each match that has changed it, in their order."""

    async def history(self, guild: int, page: int) -> History: ...

    async def match(self, guild: int, number: int) -> MatchDetails | None: ...

    async def match_of_table(self, guild: int, table: int) -> MatchDetails | None:
        """The match that was played at a table, from the moment it ended."""

    async def match_log(self, guild: int, number: int, nameless: str) -> str | None:
        """Its text, with the last names known; `nameless` stands for a forgotten player."""

    async def settings(self, guild: int) -> Settings: ...
    async def every_settings(self) -> Mapping[int, Settings]: ...

    async def set(self, guild: int, chosen: Settings) -> None:
        """Raises ValueError for a time zone that does not exist."""

    async def plain_readers(self) -> frozenset[int]:
        """Everybody who wants panels as plain text, in every server."""

    async def read_plainly(self, user: int, *, plain: bool) -> None:
        """Whether this person wants that, from now on."""

    async def void(self, guild: int, number: int, *, moderator: int, at: int) -> bool:
        """Take a match back; ratings become those without it. False: there is nothing to take."""

    async def closed(self, guild: int, table: int, *, moderator: int, at: int) -> None:
        """Note that a moderator has closed a table."""

    async def moderated(self, guild: int, limit: int) -> tuple[Moderated, ...]:
        """What moderators did here, the latest first."""

    async def export(self, user: int) -> dict[str, Any]:
        """All that is kept under a person's id, in every server, as JSON takes it."""

    async def forget(self, user: int) -> None:
        """Make a person nameless in every server. Nobody else's figures change."""

    async def joined(self, guild: int, application: int) -> None: ...

    async def left(self, guild: int, application: int, at: int) -> None:
        """The bot was removed. An outage is no removal."""

    async def compare(self, application: int, present: Collection[int], at: int) -> None:
        """At the start: `present` is every server Discord lists, unavailable ones included."""

    async def purge(self, application: int, now: int) -> None:
        """Once a day: servers that were left 30 days ago, and logs that are kept no longer."""

    async def delete(self, guild: int) -> None:
        """All that is kept of a server, now."""
