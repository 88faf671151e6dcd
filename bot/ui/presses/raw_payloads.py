"""Interactions as the gateway sent them, for as long as they are answered.

A handler that hands its interaction to another process needs the JSON, which discord.py drops.
"""

from collections.abc import Callable, MutableMapping
from contextvars import ContextVar
from typing import Any

import discord

from bot.ui.connection.fast_path import Payload

CREATED = "INTERACTION_CREATE"
_PAYLOAD: ContextVar[Payload | None] = ContextVar("payload", default=None)
_IS_HANDED: ContextVar[bool] = ContextVar("is_handed", default=False)


class RawPayloads:
    """The payload of each interaction of a client, from now on.

    discord.py answers each in a task of its own, which has the context in which it was started.
    """

    def __init__(self, client: discord.Client) -> None:
        state: Any = client._connection  # noqa: SLF001 discord.py has no hook
        parsers: MutableMapping[str, Callable[[Payload], None]] = state.parsers
        self._read = parsers[CREATED]
        parsers[CREATED] = self._noted

    def _noted(self, payload: Payload) -> None:
        token = _PAYLOAD.set(payload)
        try:
            self._read(payload)
        finally:
            _PAYLOAD.reset(token)

    def take(self, payload: Payload) -> None:
        """Take an interaction that was handed over, as if the gateway had brought it here."""
        token = _IS_HANDED.set(True)
        try:
            self._noted(payload)
        finally:
            _IS_HANDED.reset(token)


def payload() -> Payload | None:
    """Return the JSON of the interaction that the current task answers, if it is known."""
    return _PAYLOAD.get()


def is_handed() -> bool:
    """Return whether the interaction that the current task answers was handed over to here."""
    return _IS_HANDED.get()
