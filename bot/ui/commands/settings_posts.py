"""The page of `/settings` for what the bot posts by itself: where, what, and when."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import discord

from bot.ids import ChannelId, GuildId
from bot.records.archive import PostStore
from bot.records.models import Settings
from bot.records.periods import known_zone
from bot.records.post_settings import Posts
from bot.records.seasons.digest import DAYS
from bot.screen import Block, Choice, Line, Look, Pick, PickChannel, Row, Words
from bot.tables.presses.discord_time import DiscordTime
from bot.tables.views.lines import sentence
from bot.text import Joined, Text, Weekday, bare
from bot.ui.caches.guild_settings import GuildSettings
from bot.ui.connection.responses import Interaction, redrawn
from bot.ui.toolkit.command_answers import guild_of, page, tell
from bot.ui.toolkit.command_router import custom_id

TO_ID = partial(custom_id, "settings")
PAGE, CHANNEL, SEASONS, DAY, HOUR = "posts", "posts_in", "post_seasons", "digest_day", "digest_hour"
RECAP = "recap_hour"
NEVER = "never"
SWITCH = ("off", "on")
HOURS = 24
NEEDED = ("view_channel", "send_messages")


class PostSettings:
    """The page and its lists. `retry`: called with a server whose channel was chosen anew."""

    def __init__(
        self,
        guild_settings: GuildSettings,
        store: PostStore,
        time: DiscordTime,
        retry: Callable[[GuildId], None],
    ) -> None:
        self._guild_settings = guild_settings
        self._store = store
        self._time = time
        self._retry = retry

    def takes(self, words: Sequence[str]) -> bool:
        return len(words) == 1 and words[0] in (PAGE, CHANNEL, SEASONS, DAY, HOUR, RECAP)

    async def press(self, interaction: Interaction, words: Sequence[str], chosen: str) -> None:
        """Show the page, or change what a list says; nothing by a value that wasn't offered."""
        guild = guild_of(interaction)
        settings = self._guild_settings.of(guild)
        if words[0] != PAGE:
            now = int(self._time.now() * 1000)
            posts = changed(settings.posts, words[0], chosen, now)
            is_chosen = words[0] == CHANNEL
            if posts is None or (is_chosen and not _is_here(interaction, posts.channel)):
                await tell(interaction, Text("request.refused.older"))
                return
            change = partial(_with, posts=posts)
            settings = await self._guild_settings.change(guild, change)
            if is_chosen:
                await self._store.try_again(guild)
                self._retry(guild)
        refused = await self._store.refused_in(guild)
        blocks = posts_page(settings, refused, missing(interaction, settings.posts.channel))
        await redrawn(interaction, page(interaction, TO_ID, *blocks))


def _with(settings: Settings, posts: Posts) -> Settings:
    return replace(settings, posts=posts)


def changed(posts: Posts, word: str, chosen: str, now: int) -> Posts | None:
    """Return what a server wants after a choice; None for one that isn't offered.

    What was over before is not told: by a first channel for all, by another day or hour for the
    digest. `now`: Unix ms.
    """
    number = int(chosen) if chosen.isascii() and chosen.isdecimal() else None
    match word:
        case "posts_in" if not chosen:
            return replace(posts, channel=None)
        case "posts_in" if number is not None and 0 < number < 2**63:
            is_first = posts.channel is None
            chosen_in = replace(posts, channel=ChannelId(number))
            if not is_first:
                return chosen_in
            return replace(chosen_in, since=now, digest_since=now, recap_since=now)
        case "post_seasons" if chosen in SWITCH:
            return replace(posts, seasons=chosen == SWITCH[1])
        case "digest_day" if chosen == NEVER:
            return replace(posts, day=None)
        case "digest_day" if number is not None and number < DAYS:
            return replace(posts, day=number, digest_since=now)
        case "digest_hour" if number is not None and number < HOURS:
            return replace(posts, hour=number, digest_since=now)
        case "recap_hour" if chosen == NEVER:
            return replace(posts, recap_hour=None)
        case "recap_hour" if number is not None and number < HOURS:
            return replace(posts, recap_hour=number, recap_since=now)
        case _:
            return None


def posts_page(
    settings: Settings, refused: ChannelId | None, lacking: Sequence[str]
) -> tuple[Block, ...]:
    """Draw the page. `lacking`: the permissions that the bot lacks in the chosen channel."""
    posts = settings.posts
    zone = (("zone", known_zone(settings.time_zone)),)
    never = (NEVER, Text("settings.never"))
    days = (never, *((str(day), _day(day)) for day in range(DAYS)))
    hours = tuple((str(hour), _hour(hour)) for hour in range(HOURS))
    return (
        Words(
            (
                sentence("settings.posts_title", look=Look.HEAD),
                sentence("settings.posts_what", look=Look.SMALL),
                sentence("settings.posts_zone", zone, Look.SMALL),
                *_trouble(posts, refused, lacking),
            )
        ),
        Words((sentence("settings.posts_in"),)),
        PickChannel(CHANNEL, posts.channel),
        Words((sentence("settings.post_seasons"),)),
        Pick(
            SEASONS,
            tuple((word, Text(f"settings.switch.{word}")) for word in SWITCH),
            SWITCH[posts.seasons],
        ),
        Words((sentence("settings.digest"),)),
        Pick(DAY, days, NEVER if posts.day is None else str(posts.day)),
        Pick(HOUR, hours, str(posts.hour)),
        Words((sentence("settings.recap"),)),
        Pick(RECAP, (never, *hours), NEVER if posts.recap_hour is None else str(posts.recap_hour)),
        Row((Choice(Text("button.back"), "general"),)),
    )


def _trouble(posts: Posts, refused: ChannelId | None, lacking: Sequence[str]) -> tuple[Line, ...]:
    """Say why nothing can be posted, as far as that is known."""
    if posts.channel is None:
        wants = posts.day is not None or posts.recap_hour is not None
        return (sentence("settings.posts_nowhere"),) if wants else ()
    if lacking:
        names = Joined(tuple(Text(f"permission.{name}") for name in lacking))
        values = (("where", f"<#{posts.channel}>"), ("names", names))
        return (sentence("settings.posts_lacking", values),)
    if refused is not None:
        return (sentence("settings.posts_refused", (("where", f"<#{refused}>"),)),)
    return ()


def _day(day: int) -> Text:
    return bare(Weekday(day))


def _hour(hour: int) -> Text:
    return Text("settings.digest_hour", (("hour", f"{hour:02}:00"),))


def _is_here(interaction: Interaction, channel: ChannelId | None) -> bool:
    """Return whether a channel is this server's, as far as Discord has told of its channels."""
    there = interaction.guild
    return channel is None or there is None or there.get_channel(channel) is not None


def missing(interaction: Interaction, channel: ChannelId | None) -> tuple[str, ...]:
    """Return which permissions the bot lacks in a channel; none of them if that is unknown."""
    guild = interaction.guild
    there = guild.get_channel(channel) if guild is not None and channel is not None else None
    if guild is None or there is None or not isinstance(guild.me, discord.Member):
        return ()
    may = there.permissions_for(guild.me)
    return tuple(name for name in NEEDED if not getattr(may, name))
