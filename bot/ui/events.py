"""Events of the gateway that discord.py cannot read: each costs itself, and no more, but the first
of a session costs the session.

discord.py would let the error through, and with it its connection and the process end, again at
each start for as long as Discord sends the like (measured).
"""

import logging
from collections.abc import Callable, MutableMapping
from typing import Any, TypeAlias

import discord

log = logging.getLogger(__name__)

GREETING = "READY"
"""Without it there is no session: a connection that it can't be read on has to end."""

INTERACTION = "INTERACTION_CREATE"

Read: TypeAlias = Callable[[Any], None]


def survive(client: discord.Client) -> None:
    """Drop what cannot be read from now on. Tell of each kind of event once."""
    parsers: MutableMapping[str, Read] | None
    parsers = getattr(client._connection, "parsers", None)  # noqa: SLF001 discord.py has no hook
    if parsers is None:
        log.info("Unsupported discord.py version: an unreadable event ends the process")
        return
    told: set[str] = set()
    for kind, read in tuple(parsers.items()):
        parsers[kind] = _guarded(kind, read, told)


def _guarded(kind: str, read: Read, told: set[str]) -> Read:
    def guarded(event: Any) -> None:  # noqa: ANN401 whatever Discord sends
        try:
            if kind == INTERACTION:
                _ = _person(event)
            read(event)
        except Exception as error:
            if kind == GREETING:
                raise
            if kind not in told:
                told.add(kind)
                log.warning("%s: event dropped, discord.py cannot read it: %r", kind, error)

    return guarded


def _person(event: Any) -> Any:  # noqa: ANN401 said above
    """Return who has pressed. Without them discord.py makes an interaction of nobody. Raises what
    a missing field raises.
    """
    return event["member"]["user"] if event.get("guild_id") else event["user"]["id"]
