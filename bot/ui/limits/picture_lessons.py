"""Lessons on pictures in a server's messages: learned once, and kept across restarts."""

from enum import StrEnum
from typing import Protocol

from bot.ids import GuildId
from bot.tables.presses.discord_time import DiscordTime

DOUBTED_AFTER = 30 * 24 * 60 * 60
"""Seconds after which a lesson no longer counts: Discord changes."""


class Lesson(StrEnum):
    """One thing that can be learned. The value is how it is stored."""

    PICTURES_APART = "pictures apart"
    """An edit that brings a picture is refused; a message that brings one is taken."""
    PICTURES_STAND_STILL = "pictures stand still"
    """Somebody has seen that a moving picture, shown as a gallery, doesn't move."""


class Lessons(Protocol):
    """The store of lessons. `at`: Unix seconds by Discord's clock."""

    async def lessons(self) -> list[tuple[GuildId, str, float]]:
        """Return each server's lessons: server, lesson, at."""

    def learn(self, guild: GuildId, lesson: str, at: float) -> None: ...
    def unlearn(self, guild: GuildId, lesson: str) -> None: ...


class ServerLessons:
    """The lessons of every server, in memory: no call waits for the database."""

    def __init__(self, store: Lessons, time: DiscordTime) -> None:
        self._store = store
        self._time = time
        self._at: dict[tuple[GuildId, str], float] = {}

    async def recall(self) -> None:
        """Read what was learned before the start."""
        self._at = {(guild, lesson): at for guild, lesson, at in await self._store.lessons()}

    def holds(self, guild: GuildId, lesson: Lesson) -> bool:
        """Return whether this was learned there, and not too long ago."""
        at = self._at.get((guild, lesson))
        return at is not None and self._time.now() - at < DOUBTED_AFTER

    def learn(self, guild: GuildId, lesson: Lesson) -> None:
        """Remember a lesson from now on."""
        now = self._at[guild, lesson] = self._time.now()
        self._store.learn(guild, lesson, now)

    def unlearn(self, guild: GuildId, lesson: Lesson) -> None:
        """Forget a lesson: a later try showed the opposite."""
        if self._at.pop((guild, lesson), None) is not None:
            self._store.unlearn(guild, lesson)
