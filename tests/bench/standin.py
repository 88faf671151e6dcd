"""What the bench uses of the stand-in for Discord."""

from bot.fakediscord import Channel, Interaction, Message, Server, Settings, User

__all__ = ["Channel", "Interaction", "Message", "Server", "Settings", "User"]
