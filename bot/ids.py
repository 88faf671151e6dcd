"""Discord's ids as types: a server's id in the place of a channel's is a type error.

Ids are converted where they come in: from discord.py's objects, rows, journal lines, custom ids and
settings.
"""

from typing import NewType

GuildId = NewType("GuildId", int)
"""A server."""
ChannelId = NewType("ChannelId", int)
"""A channel or a thread, which is a channel of its own."""
MessageId = NewType("MessageId", int)
"""A message. A thread begun at a message has the same number as `ChannelId`."""
UserId = NewType("UserId", int)
"""A person or an application's user."""
ArenaId = NewType("ArenaId", int)
"""An arena's own number, which no other arena of this installation has."""
