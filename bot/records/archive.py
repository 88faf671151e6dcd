"""The interface of the records: queries, settings and changes."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from bot.ids import ChannelId, GuildId, UserId
from bot.records.badges.badges import Badge
from bot.records.feat_models import (
    Best,
    FallenRecord,
    FavouriteRival,
    Highlight,
    PersonalBests,
    Rivalry,
    ServerRecord,
)
from bot.records.models import (
    History,
    LeaderboardPage,
    ListedMatch,
    MatchDetails,
    Moderated,
    Person,
    Place,
    RatedAt,
    Settings,
    Stats,
    Wanted,
)
from bot.records.periods import Bounds
from bot.records.seasons.digest import Week
from bot.records.seasons.posts import Outcome, Post, PostKey
from bot.records.seasons.season import OpenSeason, SeasonOfGame
from bot.text import Month


class Seasons(Protocol):
    """The seasons of every server. Times are Unix ms."""

    async def open_seasons(self) -> Mapping[GuildId, OpenSeason]:
        """Return the open season of each server that has one."""

    async def open_season(self, guild: GuildId) -> OpenSeason | None:
        """Return the open season of a server; None before its first match is noticed."""

    async def unopened(self, application: int) -> Mapping[GuildId, int]:
        """Return when the first match ended in each other server that has played any."""

    async def open(self, seasons: Mapping[GuildId, OpenSeason]) -> None:
        """Keep the first season of servers that have none."""

    async def close(self, guild: GuildId, season: OpenSeason, ended: int) -> OpenSeason:
        """Keep a season's champions for ever. Return the season that is open now."""

    async def months(self, guild: GuildId) -> tuple[Month, ...]:
        """Return the past seasons that have a champion, newest first."""

    async def season(self, guild: GuildId, month: Month) -> Bounds | None:
        """Return the time of a past season."""

    async def played(self, guild: GuildId, within: Bounds) -> tuple[SeasonOfGame, ...]:
        """Return what was played in a time, with whoever was best.

        Games without rated matches are left out.
        """

    async def champions(self, guild: GuildId) -> frozenset[tuple[str, UserId]]:
        """Return the last season's champions, each with the game. Forgotten ones are left out."""

    async def every_champion(self) -> Mapping[GuildId, frozenset[tuple[str, UserId]]]:
        """Return the last season's champions of every server."""


class PostStore(Protocol):
    """The posts that the bot makes by itself."""

    async def since(self, at: float) -> tuple[Post, ...]:
        """Return what was sent after a moment, in Unix seconds."""

    async def sends(self, post: Post) -> None:
        """Note a post on the disk, before it is sent."""

    async def ended(self, key: PostKey, outcome: Outcome) -> None: ...

    async def refused_in(self, guild: GuildId) -> ChannelId | None:
        """Return the channel in which Discord refused a server's post, if it did."""

    async def try_again(self, guild: GuildId) -> None:
        """Post again what was refused, if it is recent."""


class Archive(Protocol):
    """The records of every server.

    Times are Unix ms, matches are named by their number, pages count from 0. A call for one server
    never returns a match, a log or a player of another.
    """

    @property
    def seasons(self) -> Seasons: ...
    @property
    def posts(self) -> PostStore: ...

    async def week(self, guild: GuildId, within: Bounds) -> Week:
        """Return what was played in a week."""

    async def leaderboard(self, wanted: Wanted, user: UserId) -> LeaderboardPage:
        """Return a page, and the row of the asking user."""

    async def stats(self, guild: GuildId, user: UserId, game: str) -> Stats: ...

    async def rating_history(self, guild: GuildId, user: UserId, game: str) -> tuple[RatedAt, ...]:
        """Return the rating after each match that changed it, oldest first."""

    async def place(self, guild: GuildId, user: UserId, game: str) -> Place | None:
        """Return a user's place on the leaderboard by rating, None if they aren't on it."""

    async def latest_game(self, guild: GuildId) -> str | None:
        """Return the game of the newest match in the history, None if it is empty."""

    async def history(self, guild: GuildId, page: int) -> History: ...

    async def listed(self, guild: GuildId, limit: int) -> tuple[ListedMatch, ...]:
        """Return a server's newest matches, newest first, to choose from."""

    async def match(self, guild: GuildId, number: int) -> MatchDetails | None: ...

    async def match_of_table(self, guild: GuildId, table: int) -> MatchDetails | None:
        """Return the match played at a table, or None until it has ended."""

    async def bests_before(self, guild: GuildId, number: int) -> Mapping[UserId, Best]:
        """Return the best that each of a match's people had before it, by user.

        It is that of matches of the same variant and category. People without any are left out.
        """

    async def personal_bests(
        self, guild: GuildId, user: UserId, game: str
    ) -> tuple[PersonalBests, ...]:
        """Return a user's bests in one game, by variant and category."""

    async def server_records(
        self, guild: GuildId, game: str, variant: str
    ) -> tuple[ServerRecord, ...]:
        """Return the server's records in one variant of a game, in the order of Feat."""

    async def fallen_records(self, guild: GuildId, number: int) -> tuple[FallenRecord, ...]:
        """Return the records that a match has broken."""

    async def person(self, guild: GuildId, user: UserId) -> Person:
        """Return a user with the last known name; without one if they never played here."""

    async def badges(self, guild: GuildId, user: UserId) -> Mapping[Badge, int]:
        """Return how often a user has earned each badge, the first one first."""

    async def rivalry(self, guild: GuildId, user: UserId, other: UserId, game: str) -> Rivalry:
        """Return two users against each other in one game; all zero if they never met."""

    async def favourite_rival(
        self, guild: GuildId, user: UserId, game: str
    ) -> FavouriteRival | None:
        """Return whom a user has met most in one game, twice at least; None if nobody."""

    async def highlight(self, guild: GuildId, user: UserId, game: str) -> Highlight | None:
        """Return a record that a user holds, else their biggest comeback or best round."""

    async def packed_log(self, guild: GuildId, number: int) -> bytes | None:
        """Return the log of a match without names, compressed with zlib; None as `match_log`."""

    async def match_log(self, guild: GuildId, number: int, nameless: str) -> str | None:
        """Return a match's log with the last known names, and `nameless` for forgotten players."""

    async def settings(self, guild: GuildId) -> Settings: ...
    async def every_settings(self) -> Mapping[GuildId, Settings]: ...

    async def set(self, guild: GuildId, chosen: Settings) -> None:
        """Store a server's settings. Raises ValueError for an unknown time zone."""

    async def plain_readers(self) -> frozenset[UserId]:
        """Return every user, on any server, who reads panels as plain text."""

    async def read_plainly(self, user: UserId, *, plain: bool) -> None:
        """Store whether this user reads panels as plain text."""

    async def void(self, guild: GuildId, number: int, *, moderator: UserId, at: int) -> bool:
        """Void a match and rate the others as if it had not been played.

        Returns False if there is no such match or it is already void.
        """

    async def ratings_due(self, guild: GuildId, game: str) -> bool:
        """Return whether ratings of a game are still being worked out again."""

    async def closed(self, guild: GuildId, table: int, *, moderator: UserId, at: int) -> None:
        """Record that a moderator closed a table."""

    async def moderated(self, guild: GuildId, limit: int) -> tuple[Moderated, ...]:
        """Return the latest `limit` actions of this server's moderators, newest first."""

    async def export(self, user: UserId) -> dict[str, Any]:
        """Return everything stored under a user's id, on every server, as JSON values."""

    async def forget(self, user: UserId) -> None:
        """Make a user nameless on every server. Nobody else's figures change."""

    async def joined(self, guild: GuildId, application: int) -> None: ...

    async def left(self, guild: GuildId, application: int, at: int) -> None:
        """Record that the bot was removed from a server. Not for outages."""

    async def compare(self, application: int, present: Collection[GuildId], at: int) -> None:
        """Update at start which servers the bot is in.

        `present` is every server that Discord lists here, including unavailable ones. A server of
        another group has not left.
        """

    async def purge(self, application: int, now: int) -> None:
        """Delete servers left 30 days ago and logs past their server's retention. Called daily."""

    async def delete(self, guild: GuildId) -> None:
        """Delete everything stored about a server, now."""
