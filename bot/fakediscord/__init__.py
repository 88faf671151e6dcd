"""The loopback Discord: gateway and REST v10 on 127.0.0.1, for bots that run unmodified.

A bot process started with `server.env` in its environment connects to the server; the test
plays the users and breaks things:

    async with Server(guilds=2, channels=3) as server:
        ...  # start the bot with os.environ | server.env
        await server.wait_ready(30, commands=True)
        ann, channel = server.user("ann", locale="pl"), server.all_channels[0]
        answer = await server.slash(ann, channel, "game new", {"seats": 4}).wait()
        message = server.public(channel)[-1]
        answer = await server.click(ann, message, label="Join").wait()
        await server.wait_for(lambda: server.panels(ann, channel))

`wait` waits for the first answer to an interaction, or for its deadline. Faults are rules on REST
calls (`server.fault`) and methods of `server.gateway`. A test should end with
`assert not server.unknown and not server.crashes`.
"""

from bot.fakediscord.faults import Fault
from bot.fakediscord.model.events import Event
from bot.fakediscord.model.interactions import Interaction
from bot.fakediscord.model.items import Item
from bot.fakediscord.model.permissions import permissions
from bot.fakediscord.model.places import Channel, Guild, Message, User
from bot.fakediscord.serving.server import Server
from bot.fakediscord.settings import Settings
from bot.fakediscord.world import World

__all__ = [
    "Channel",
    "Event",
    "Fault",
    "Guild",
    "Interaction",
    "Item",
    "Message",
    "Server",
    "Settings",
    "User",
    "World",
    "permissions",
]
