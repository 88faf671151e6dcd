"""Messages of people."""

from bot.fakediscord.constants import Intent
from bot.fakediscord.model.events import Event
from bot.fakediscord.model.payloads import empty_fields, message_event, new_message
from bot.fakediscord.model.places import Channel, Message, User
from bot.fakediscord.world import World


class Chat:
    """Messages of a world's people."""

    def __init__(self, world: World) -> None:
        self._world = world

    def say(self, user: User, channel: Channel, content: str) -> Message:
        """Write a message.

        The content reaches the bot only with the MESSAGE_CONTENT intent, in direct messages or
        where it is mentioned.
        """
        message_id = self._world.ids()
        data = new_message(message_id, channel, user) | empty_fields() | {"content": content}
        message = Message(message_id, channel, user, data)
        channel.messages[message_id] = message
        event, guild = message_event(message), channel.guild
        is_private = guild is not None and f"<@{self._world.bot.id}>" not in content
        self._world.announce(
            Event(
                "MESSAGE_CREATE",
                event,
                channel.guild_id,
                Intent.GUILD_MESSAGES if guild else Intent.DIRECT_MESSAGES,
                without_content={**event, "content": ""} if is_private else None,
            )
        )
        return message
