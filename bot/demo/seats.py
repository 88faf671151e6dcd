"""`--seats`: a table that is already open when the page opens."""

from bot.demo.world import World
from bot.fakediscord import Item, Message
from bot.games.ligretto import LIGRETTO

PATIENCE = 60.0
"""Seconds the bot may take to start."""


async def open_table(world: World, seats: int) -> None:
    """Let the first person open a table and add computer players until it has `seats` players.

    Stops early if the bot refuses. Waits up to PATIENCE seconds for the bot to start.
    """
    server, channel = world.server, world.channel
    host = next(iter(world.people.values()))
    await server.wait_ready(PATIENCE, commands=True)
    opened = await server.slash(host, channel, LIGRETTO.key).wait()
    table = opened.original
    if not isinstance(table, Message) or table.ephemeral:
        return  # a kept database already has this person's table
    for _ in range(seats - 1):
        added = await server.click(host, table, _adds).wait()
        if not added.ok:
            return


def _adds(item: Item) -> bool:
    return str(item.custom_id).endswith(":add")
