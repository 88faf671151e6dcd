"""`--seats`: a table that is open already when the page is."""

from bot.demo.world import World
from bot.fakediscord import Item, Message
from bot.games.ligretto import LIGRETTO

PATIENCE = 60.0
"""Seconds the bot may take to start."""


async def open_table(world: World, seats: int) -> None:
    """The first person opens a table and adds computer players, as a person would."""
    server, channel = world.server, world.channel
    host = next(iter(world.people.values()))
    await server.wait_ready(PATIENCE, commands=True)
    opened = await server.slash(host, channel, LIGRETTO.key).wait()
    table = opened.original
    if not isinstance(table, Message) or table.ephemeral:
        return  # a kept database has a table of theirs already
    for _ in range(seats - 1):
        added = await server.click(host, table, _adds).wait()
        if not added.ok:
            return


def _adds(item: Item) -> bool:
    return str(item.custom_id).endswith(":add")
