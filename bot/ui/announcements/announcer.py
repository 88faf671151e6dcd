"""The posts that a manager wants: the champions of a season, and the weekly digest."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bot.clock import Clock
from bot.daily.store import DailyStore
from bot.i18n import say
from bot.ids import ChannelId, GuildId
from bot.records.archive import Archive
from bot.records.models import Person
from bot.records.periods import Bounds
from bot.records.post_settings import Posts
from bot.records.seasons.digest import newest_week
from bot.records.seasons.posts import RECENT, Outcome, Post, PostKey, Step, next_step
from bot.records.seasons.season import SETTLED
from bot.screen import Screen
from bot.tables.presses.discord_time import DiscordTime
from bot.text import Month, Name, Text
from bot.ui.announcements.postings import Postings
from bot.ui.announcements.recaps import due_recaps, recap_words
from bot.ui.announcements.screens import season_screen, season_title, week_screen, week_title
from bot.ui.announcements.season_ends import SeasonEnds
from bot.ui.caches.guild_settings import GuildSettings, public_locale
from bot.ui.limits.errors import FAILURES, Trouble, one_line, trouble

log = logging.getLogger(__name__)

LOOK = 20.0
"""Seconds between two looks for what is due, by Discord's clock."""
GAP = 0.5
"""Seconds between two posts. Thousands of servers end their month at once, and tables go first."""
AGAIN, MOST = 15.0, 10 * 60.0
"""Seconds until a post is tried again whose answer was lost: doubled each time up to `MOST`."""
NOTED = 9 * 24 * 60 * 60.0
"""Seconds that notes of posts are read back at the start: as far as the week before."""


@dataclass(frozen=True, slots=True)
class Due:
    """Something to post now. `within`: what it covers, up to when it is due.

    `season`: its month, None for anything else.
    """

    key: PostKey
    channel: ChannelId
    within: Bounds
    season: Month | None


@dataclass(frozen=True, slots=True)
class Sources:
    """The stores of what is posted."""

    archive: Archive
    dailies: DailyStore


@dataclass(frozen=True, slots=True)
class Told:
    """The words of a post. `title` is the line by which it is found again."""

    screen: Screen
    title: Text


class Announcer:
    """The posts of all servers, one after the other.

    A post is noted with its channel and its nonce before it is sent, so a process that ends in
    between finds it again, and posts nothing twice. Where nobody played, nothing is posted.
    """

    def __init__(
        self,
        sources: Sources,
        guild_settings: GuildSettings,
        ends: SeasonEnds,
        postings: Postings,
        clock: Clock,
        time: DiscordTime,
    ) -> None:
        self._archive, self._dailies = sources.archive, sources.dailies
        self._guild_settings = guild_settings
        self._ends = ends
        self._postings = postings
        self._clock = clock
        self._time = time
        self._noted: dict[PostKey, Post] | None = None
        self._nothing: set[PostKey] = set()  # nobody played then
        self._later: dict[PostKey, tuple[float, float]] = {}  # when again, and the pause
        self._next = 0.0

    async def tick(self) -> None:
        if self._time.now() < self._next:
            return
        self._next = self._time.now() + LOOK
        noted = self._noted
        if noted is None:
            recent = await self._archive.posts.since(self._time.now() - NOTED)
            noted = self._noted = {one.key: one for one in recent}
        all_due = tuple(self._due())
        self._forget(noted, {due.key for due in all_due})
        for due in all_due:
            posts = self._guild_settings.of(due.key.guild).posts
            if posts.channel == due.channel:  # a manager may have changed it meanwhile
                await self._tell(noted, due)

    def _forget(self, noted: dict[PostKey, Post], wanted: set[PostKey]) -> None:
        """Forget what is due no longer, and posts before those of the last week."""
        self._nothing &= wanted
        self._later = {key: when for key, when in self._later.items() if key in wanted}
        oldest = self._time.now() - NOTED
        for key in [key for key, post in noted.items() if post.at < oldest]:
            del noted[key]

    def retry(self, guild: GuildId) -> None:
        """Send anew what was refused in a server: its manager chose a channel."""
        noted = self._noted or {}
        for key, post in tuple(noted.items()):
            if key.guild == guild and post.outcome is Outcome.REFUSED:
                del noted[key]

    def _due(self) -> Iterator[Due]:
        """Yield what is over, recent and wanted. Whether it was told is another question."""
        now = int(self._time.now() * 1000)
        for guild, posts in self._guild_settings.posting():
            if posts.channel is None or not self._ends.is_here(guild):
                continue
            for due in self._of(guild, posts, posts.channel, now):
                since = _since(posts, due.key.what)
                if due.within.end >= since and now - due.within.end <= RECENT[due.key.what]:
                    yield due

    def _of(self, guild: GuildId, posts: Posts, channel: ChannelId, now: int) -> Iterator[Due]:
        season = self._ends.of(guild)
        if posts.seasons and season is not None:
            before = season.month.before
            within = Bounds(0, season.began)
            yield Due(PostKey(guild, "season", str(before)), channel, within, before)
        if posts.day is not None and season is not None:
            zone = self._ends.zone(guild)
            within = newest_week(now - SETTLED, zone, posts.day, posts.hour)
            yield Due(PostKey(guild, "week", str(within.end)), channel, within, None)
        for key, told in due_recaps(guild, posts, self._ends.zone(guild), now):
            yield Due(key, channel, told, None)

    async def _tell(self, noted: dict[PostKey, Post], due: Due) -> None:
        """Take the next step about something that is due. Failures are logged."""
        now, key = self._time.now(), due.key
        step = next_step(noted.get(key), now)
        if step is Step.NOTHING or key in self._nothing or now < self._later.get(key, (0.0,))[0]:
            return
        try:
            told, locale = await self._told(due), self._locale(key.guild)
            if told is None:
                self._nothing.add(key)
                return
            await self._sent(noted, due, told, locale, step)
        except Exception:
            self._wait(key)
            log.exception("server %d: %s not posted, retrying", key.guild, key.what)

    async def _sent(
        self, noted: dict[PostKey, Post], due: Due, told: Told, locale: str, step: Step
    ) -> None:
        """Send a post, or find the one that was sent."""
        key, post = due.key, noted.get(due.key)
        try:
            if step is Step.LOOK:
                assert post is not None, "it was sent"
                if await self._postings.is_there(post, told.title, locale):
                    await self._ended(noted, post, Outcome.POSTED)
                    return
            if post is None or step is Step.LOOK:
                now = self._time.now()
                post = Post(key, due.channel, f"{key.what}{int(now * 1000)}", now)
                await self._archive.posts.sends(post)
                noted[key] = post
            await self._postings.send(post, told.screen, locale)
        except FAILURES as error:
            await self._failed(noted, due, error)
            return
        await self._ended(noted, post, Outcome.POSTED)
        await self._clock.sleep(GAP)

    async def _failed(self, noted: dict[PostKey, Post], due: Due, error: Exception) -> None:
        """Note what Discord refused. It is tried again if nobody knows what became of it."""
        key, why = due.key, trouble(error)
        if why is Trouble.LATER:
            self._wait(key)
            log.info("server %d: %s perhaps not posted: %s", key.guild, key.what, one_line(error))
            return
        where, said = due.channel, one_line(error)
        log.warning("server %d: %s not posted in channel %d: %s", key.guild, key.what, where, said)
        if (post := noted.get(key)) is not None:
            await self._ended(noted, post, Outcome.REFUSED)

    def _wait(self, key: PostKey) -> None:
        _, pause = self._later.get(key, (0.0, AGAIN / 2))
        pause = min(2 * pause, MOST)
        self._later[key] = (self._time.now() + pause, pause)

    async def _ended(self, noted: dict[PostKey, Post], post: Post, outcome: Outcome) -> None:
        noted[post.key] = replace(post, outcome=outcome)
        self._later.pop(post.key, None)
        await self._archive.posts.ended(post.key, outcome)

    async def _told(self, due: Due) -> Told | None:
        """Return the words of a post; None if nobody played."""
        guild, locale = due.key.guild, self._locale(due.key.guild)

        def named(person: Person) -> Name:
            return Name(person.name or say(Text("records.nameless"), locale))

        if due.key.what == "daily":
            words = await recap_words(self._dailies, due.key)
            return None if words is None else Told(*words)
        if due.season is None:
            week = await self._archive.week(guild, self._untold(due))
            return Told(week_screen(week, named), week_title()) if week.matches else None
        within = await self._archive.seasons.season(guild, due.season)
        games = await self._archive.seasons.played(guild, within) if within is not None else ()
        if not games:
            return None
        return Told(season_screen(due.season, games, named), season_title(due.season))

    def _untold(self, due: Due) -> Bounds:
        """Leave out what the week before has told, if it ended on another day."""
        told = (
            int(key.period)
            for key, post in (self._noted or {}).items()
            if (key.guild, key.what) == (due.key.guild, "week")
            and key != due.key
            and post.outcome is not Outcome.REFUSED
        )
        newest = max((one for one in told if one < due.within.end), default=0)
        return Bounds(max(due.within.start, newest), due.within.end)

    def _locale(self, guild: GuildId) -> str:
        settings = self._guild_settings.of(guild)
        return public_locale(settings, self._ends.locale(guild))


def _since(posts: Posts, what: str) -> int:
    """Return the moment before which nothing of a kind is told, in Unix ms."""
    since = {"season": posts.since, "week": posts.digest_since, "daily": posts.recap_since}
    return since[what]
