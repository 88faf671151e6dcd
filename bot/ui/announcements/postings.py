"""The calls to Discord for what the bot posts by itself. Nothing in it mentions anybody."""

import logging
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import discord

from bot.i18n import say
from bot.records.seasons.posts import Post
from bot.screen import Screen
from bot.text import Text
from bot.ui.connection import fast_path
from bot.ui.limits.answers import answered_within
from bot.ui.limits.edit_budget import Budget
from bot.ui.render import marks
from bot.ui.render.components import view

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds after which a call counts as lost."""
AROUND = timedelta(minutes=5)
"""The time around a lost post in which it is looked for: it may have been sent more than once."""
LOOKED_AT = 100
"""Messages of a channel that are looked through for it."""


class Postings:
    """The posts of every server. Calls wait for their turn, and raise `FAILURES`."""

    def __init__(self, client: discord.Client, budget: Budget) -> None:
        self._client = client
        self._budget = budget

    async def send(self, post: Post, screen: Screen, locale: str) -> None:
        """Post a screen, or nothing if Discord still knows a post with this nonce (PLATFORM 2)."""
        reader = marks.Reader(locale)
        await self._budget.take_own()
        async with answered_within(PATIENCE):
            await self._at(post).send(
                view=view(screen, lambda word: word, reader),
                nonce=post.nonce,
                allowed_mentions=fast_path.NOBODY,
            )

    async def is_there(self, post: Post, title: Text, locale: str) -> bool:
        """Look in the channel for a post whose answer was lost, by its title.

        Where the bot may not read the channel's history, it counts as there: no post comes twice.
        """
        wanted, sent = say(title, locale), datetime.fromtimestamp(post.at, UTC)
        if not self._may_look(post):
            return True
        await self._budget.take_own()
        try:
            async with answered_within(PATIENCE):
                near = self._at(post).history(
                    after=sent - AROUND, before=sent + AROUND, limit=LOOKED_AT
                )
                async for message in near:
                    is_ours = self._client.user is not None and (
                        message.author.id == self._client.user.id
                    )
                    if is_ours and any(wanted in said for said in _said(message.components)):
                        return True
        except discord.Forbidden:
            log.info("channel %d: cannot look for a lost post, not sending it again", post.channel)
            return True
        return False

    def _may_look(self, post: Post) -> bool:
        """Return whether the bot may read a channel's history; else Discord lists no message."""
        guild = self._client.get_guild(post.key.guild)
        there = guild.get_channel(post.channel) if guild is not None else None
        if guild is None or there is None or not isinstance(guild.me, discord.Member):
            return True
        return there.permissions_for(guild.me).read_message_history

    def _at(self, post: Post) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(post.channel, guild_id=post.key.guild)


def _said(parts: Iterable[Any]) -> Iterator[str]:
    for part in parts:
        yield getattr(part, "content", "")
        yield from _said(getattr(part, "children", ()))
