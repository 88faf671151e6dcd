"""Signals of the system, on Windows too."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress


def subscribe(number: signal.Signals, tell: Callable[[], None]) -> None:
    """Call `tell` in the running loop when the process gets this signal.

    On Windows, asyncio can't; there, Python's own handler calls it.
    """
    loop = asyncio.get_running_loop()
    try:
        loop.add_signal_handler(number, tell)
    except NotImplementedError:
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(tell))


def unsubscribe(number: signal.Signals) -> None:
    """Stop hearing a signal: the next one ends the process. Does nothing on Windows."""
    with suppress(NotImplementedError):
        asyncio.get_running_loop().remove_signal_handler(number)
