"""Channels as people see them."""

from bot.fakediscord.model.places import Channel, Message, User
from bot.fakediscord.world import World


class ChannelViews:
    """Messages of a world as its people see them."""

    def __init__(self, world: World) -> None:
        self._world = world

    def view(self, user: User, channel: Channel) -> list[Message]:
        """Return messages this person sees there, oldest first, private ones included."""
        return [one for one in channel.messages.values() if is_seen(user, one)]

    def panels(self, user: User, channel: Channel) -> list[Message]:
        """Return private messages of this person, oldest first."""
        return [message for message in self.view(user, channel) if message.ephemeral]

    def public(self, channel: Channel) -> list[Message]:
        """Return messages that everybody sees, oldest first."""
        return [message for message in channel.messages.values() if not message.ephemeral]

    def dismiss(self, user: User, message: Message) -> None:
        """Dismiss a private message. The bot does not hear of it."""
        user.hidden.add(message.id)
        self._world.changes.happened()

    def restart_client(self, user: User) -> None:
        """Restart a person's client: private messages are gone then."""
        for channel in self._world.channels.values():
            for message in channel.messages.values():
                if message.ephemeral_for is user:
                    user.hidden.add(message.id)


def is_seen(user: User, message: Message) -> bool:
    return message.ephemeral_for in {None, user} and message.id not in user.hidden
