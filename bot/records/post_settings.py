"""A server's wishes for posts that the bot makes by itself."""

from dataclasses import dataclass

from bot.ids import ChannelId


@dataclass(frozen=True, slots=True)
class Posts:
    """A server's wishes for posts of the bot: none before a manager has chosen a channel.

    `seasons`: the champions at the end of a month. `day`: the day of the weekly digest, 0 for
    Monday, None for no digest; it comes at `hour`, 0 to 23. Seasons that
    were over before `since` and weeks before `digest_since` (Unix ms) get no post. The recap of the
    daily comes at `recap_hour` (None: never), and not for days that were due before `recap_since`.
    """

    channel: ChannelId | None = None
    seasons: bool = True
    day: int | None = None
    hour: int = 18
    since: int = 0
    digest_since: int = 0
    recap_hour: int | None = None
    recap_since: int = 0


NO_POSTS = Posts()
