"""Commands that ask first, answered with a yes."""

import asyncio

from bot.fakediscord.model.places import User
from tests.stories.world import World, given, labels


async def confirmed(world: World, user: User, command: str, **options: object) -> str:
    """The words that stand in place of a command's question after a yes."""
    asked = (await world.server.slash(user, world.channel, command, options).wait()).original
    await asyncio.sleep(2)
    given(asked is not None, "the command is answered")
    assert asked is not None
    yes = next(one for one in labels(asked) if one.startswith("Yes"))
    _ = await world.server.click(user, asked, label=yes).wait()
    await asyncio.sleep(5)
    return asked.text
