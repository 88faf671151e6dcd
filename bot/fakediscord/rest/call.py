"""One REST call, and what its handler looks up."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Concatenate, TypeAlias

from bot.fakediscord.gateway.gateway import Gateway
from bot.fakediscord.model.interactions import Interaction
from bot.fakediscord.model.permissions import ADMINISTRATOR, BITS
from bot.fakediscord.model.places import Channel, Guild, Message
from bot.fakediscord.rest.messages import Messages
from bot.fakediscord.rest.requests.routing import Request
from bot.fakediscord.types import Json
from bot.fakediscord.validation.errors import ApiError
from bot.fakediscord.world import World

Answer: TypeAlias = Json | list[Json] | None
"""The body of a successful answer. None: there is none, and the status is 204."""
ORIGINAL = "@original"


@dataclass(frozen=True, slots=True)
class Call:
    """The context of a handler. Look-ups raise the `ApiError` that Discord would answer."""

    world: World
    gateway: Gateway
    messages: Messages
    request: Request

    @property
    def json(self) -> Any:  # noqa: ANN401 it is as the bot sent it
        return self.request.json

    def channel(self, channel_id: str, *needed: str) -> Channel:
        """Find a channel that the bot sees. `needed`: permissions it has to have there."""
        channel = self.world.channels.get(int(channel_id))
        if channel is None or channel.deleted:
            raise ApiError(10003)
        if channel.guild is None:
            return channel
        if not channel.guild.bot_in or not channel.bot_perms() & BITS["view_channel"]:
            raise ApiError(50001)
        for name in needed:
            in_thread = name == "send_messages" and channel.thread
            require(channel, "send_messages_in_threads" if in_thread else name)
        return channel

    def message(self, channel: Channel, message_id: str) -> Message:
        message = channel.messages.get(int(message_id))
        if message is None or message.deleted or message.ephemeral:
            raise ApiError(10008)
        return message

    def guild(self, guild_id: str) -> Guild:
        guild = self.world.guilds.get(int(guild_id))
        if guild is None or not guild.bot_in:
            raise ApiError(10004)
        return guild

    def interaction(self, token: str) -> Interaction:
        """Find an interaction that is answered and whose token still works."""
        interaction = self.world.tokens.get(token)
        if interaction is None or not interaction.ok:
            raise ApiError(10015)
        if time.perf_counter() - interaction.born > self.world.settings.token_life:
            raise ApiError(50027)
        return interaction

    def token_message(self, token: str, message_id: str = ORIGINAL) -> Message:
        """Find a message that a token gives power over."""
        interaction = self.interaction(token)
        if message_id == ORIGINAL:
            message = interaction.original
        else:
            message = interaction.channel.messages.get(int(message_id))
            given = (interaction.message, interaction.original)
            if message and message.id not in interaction.made and message not in given:
                message = None
        if message is None or message.deleted:
            raise ApiError(10008)
        return message


Handler: TypeAlias = Callable[Concatenate[Call, ...], Answer]
Routes: TypeAlias = Mapping[str, Handler]
"""Handlers by their templates. A handler gets the call and the arguments of its path."""


def require(channel: Channel, *names: str) -> None:
    """Raise an `ApiError` unless the bot has one of these permissions in a channel."""
    wanted = sum(BITS[name] for name in names) | ADMINISTRATOR
    if not channel.bot_perms() & wanted:
        raise ApiError(50013)
