"""Each end of a connection belongs to its own side: a killed process takes only its own with it."""

import asyncio
import contextvars

from tests.simulate.loop import VirtualLoop
from tests.simulate.owner import NOBODY, PROCESS


async def test_a_listener_belongs_to_whoever_has_opened_it() -> None:
    """A Discord that died with its bot would take the bot's session to be there for ever."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    empty = contextvars.Context()
    listener = empty.run(loop.network.listen, asyncio.Protocol, 0, None)
    token = PROCESS.set(7)
    near, _ = await loop.create_connection(asyncio.Protocol, port=listener.port)
    PROCESS.reset(token)
    assert (near.process, near.peer.process) == (7, NOBODY)
    near.abort()
    listener.close()
