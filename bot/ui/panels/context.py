"""The tools of every panel: client, store, budget, pictures, and the sending of an edit."""

from dataclasses import dataclass
from typing import Protocol

import discord

from bot.clock import Clock
from bot.ids import UserId
from bot.tables.presses.discord_time import DiscordTime
from bot.tables.running.supervisor import Supervisor
from bot.tables.state.journal import TableId
from bot.tables.state.message_refs import Direct, Token
from bot.ui.caches.champions import Champions
from bot.ui.caches.newcomers import Newcomers
from bot.ui.caches.plain_text_users import PlainTextUsers
from bot.ui.limits.edit_budget import Budget
from bot.ui.limits.picture_lessons import ServerLessons
from bot.ui.render.emojis import EmojiUploader


class PanelStore(Protocol):
    """The store of panels, kept across restarts."""

    def panel_at(
        self, table: TableId, user: UserId, token: Token, locale: str, *, is_known: bool = ...
    ) -> None: ...
    def panel_gone(self, table: TableId, user: UserId) -> None: ...
    def direct_at(
        self, table: TableId, user: UserId, direct: Direct, locale: str, *, is_known: bool = ...
    ) -> None: ...
    def direct_gone(self, table: TableId, user: UserId) -> None: ...


@dataclass(slots=True)
class PanelContext:
    """The tools that every panel works with."""

    client: discord.Client
    store: PanelStore
    budget: Budget
    supervisor: Supervisor
    clock: Clock
    emojis: EmojiUploader
    plain: PlainTextUsers
    newcomers: Newcomers
    learned: ServerLessons
    discord_time: DiscordTime
    champions: Champions

    def hook(self, token: str) -> discord.Webhook:
        app = self.client.application_id
        assert app is not None, "the client has logged in"
        return discord.Webhook.partial(app, token, client=self.client)

    def direct_message(self, direct: Direct) -> discord.PartialMessage:
        channel = self.client.get_partial_messageable(direct.channel)
        return channel.get_partial_message(direct.message)
