"""A table that the demo opens for somebody: it types and presses what a person would."""

from collections.abc import Callable

from bot.demo.backend.world import DemoWorld
from bot.fakediscord import Channel, Interaction, Item, Message, User
from bot.games.ligretto import LIGRETTO
from bot.tables.state.session import Phase, Session

PATIENCE = 60.0
"""Seconds the bot may take to start."""
PLAYERS = 3
"""Players at a table that the page's own buttons start: a person and two robots."""


async def open_table(world: DemoWorld, seats: int) -> None:
    """Let the first person open a table and add robots until it has `seats` players.

    Stops early if the bot refuses. Waits up to PATIENCE seconds for the bot to start.
    """
    await world.server.wait_ready(PATIENCE, commands=True)
    host = next(iter(world.people.values()))
    opened = await world.server.slash(host, world.channel, LIGRETTO.key).wait()
    if (table := _posted(opened)) is not None:  # else this person's table was kept
        await _add_robots(world, host, table, seats - 1)


async def start_match(
    world: DemoWorld, host: User, where: Channel, game: str, here: Session | None
) -> Interaction:
    """Open a table, add two robots and start: everything but Ready.

    `here`: the table in this place, if any. The host's own lobby of this game is used.
    Returns the last press. If it wasn't answered in time or its answer is a refusal, the match
    hasn't started. Raises LookupError while the bot has no commands.
    """
    server = world.server
    table, robots = _own_lobby(host, where, game, here), PLAYERS - 1
    if table is not None and here is not None:
        robots = PLAYERS - len(here.chairs)
    else:
        opened = await server.slash(host, where, game).wait()
        if (table := _posted(opened)) is None:
            return opened
    await _add_robots(world, host, table, robots)
    return await server.click(host, table, _asks_for("start")).wait()


def _own_lobby(host: User, where: Channel, game: str, here: Session | None) -> Message | None:
    """Return the message of this person's lobby of a game, or None."""
    if here is None or here.phase is not Phase.LOBBY:
        return None
    if (here.host, here.game.key) != (host.id, game):
        return None
    is_start = _asks_for("start")
    posted = (one for one in where.messages.values() if not one.ephemeral)  # a panel has it too
    lobbies = [one for one in posted if any(map(is_start, one.controls))]
    return lobbies[-1] if lobbies else None


async def _add_robots(world: DemoWorld, host: User, table: Message, number: int) -> None:
    for _ in range(number):
        if not (await world.server.click(host, table, _asks_for("add")).wait()).ok:
            return


def _posted(opened: Interaction) -> Message | None:
    """Return the table that a command has opened, or None if it was refused."""
    message = opened.original
    return message if isinstance(message, Message) and not message.ephemeral else None


def _asks_for(action: str) -> Callable[[Item], bool]:
    """Find a table's button by what it asks for."""
    return lambda item: str(item.custom_id).endswith(f":{action}")
