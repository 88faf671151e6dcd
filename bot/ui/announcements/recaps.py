"""The recaps of dailies: which is due in a server, and its words."""

from bot.daily.dates import DayNumber, day_at, iso, parse, told_at
from bot.daily.recap_screen import recap_screen, recap_title
from bot.daily.store import DailyStore
from bot.ids import GuildId
from bot.records.periods import Bounds
from bot.records.post_settings import Posts
from bot.records.seasons.posts import PostKey
from bot.screen import Screen
from bot.text import Text

WHAT = "daily"
BACK = 2
"""Dates that may be due at once: the day before, and one whose hour clocks have put off."""


def due_recaps(guild: GuildId, posts: Posts, zone: str, now: int) -> list[tuple[PostKey, Bounds]]:
    """Return the dates whose hour has come, with the end of each at that hour. `now`: Unix ms."""
    if posts.recap_hour is None:
        return []
    found = []
    for back in range(BACK, 0, -1):
        day = DayNumber(day_at(now / 1000) - back)
        told = told_at(day, zone, posts.recap_hour)
        if posts.recap_since <= told <= now:
            found.append((PostKey(guild, WHAT, iso(day)), Bounds(0, told)))
    return found


async def recap_words(store: DailyStore, key: PostKey) -> tuple[Screen, Text] | None:
    """Return a recap, and the line by which it is found again; None if nobody has finished one."""
    day = parse(key.period)
    games = await store.recap(key.guild, day)
    return (recap_screen(day, games), recap_title(day)) if games else None
