"""Waiting for a world to change."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Changes:
    """The signal that something in the world has changed.

    `listeners` are called after every change, before those who wait are woken.
    """

    def __init__(self) -> None:
        self.listeners: list[Callable[[], object]] = []
        self._waiting: list[tuple[Callable[[], Any], asyncio.Future[Any]]] = []

    def happened(self) -> None:
        for listener in self.listeners:
            listener()
        for predicate, found in list(self._waiting):
            if not found.done() and (value := predicate()):
                found.set_result(value)

    async def wait_for(self, predicate: Callable[[], T], within: float = 5.0) -> T:
        """Return the first truthy value, evaluated after every change; else TimeoutError."""
        if value := predicate():
            return value
        entry: tuple[Callable[[], T], asyncio.Future[T]]
        entry = predicate, asyncio.get_running_loop().create_future()
        self._waiting.append(entry)
        try:
            return await asyncio.wait_for(entry[1], within)
        finally:
            self._waiting.remove(entry)
