"""The event loop that the bot and the demo run in."""

import asyncio

try:
    import uvloop
except ImportError:  # Windows has none
    new_loop = asyncio.new_event_loop
else:
    new_loop = uvloop.new_event_loop
