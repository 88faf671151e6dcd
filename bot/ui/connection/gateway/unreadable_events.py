"""Unreadable gateway events: dropped one by one, except READY, which ends the session.

Without this, discord.py lets the error through, which ends its connection and the process, again
at each start for as long as Discord sends such events (measured).
"""

import logging
from collections.abc import Callable, MutableMapping
from typing import Any, TypeAlias

import discord

log = logging.getLogger(__name__)

GREETING = "READY"
"""The first event of a session: if it can't be read, the connection has to end."""

INTERACTION = "INTERACTION_CREATE"

NAMED = ("username", "global_name", "discriminator", "avatar")
"""Fields of a user that are words, or null."""

Read: TypeAlias = Callable[[Any], None]


def survive(client: discord.Client) -> None:
    """Drop unreadable events from now on. Each kind of event is logged once."""
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
                _check(event)
            read(event)
        except Exception as error:
            if kind == GREETING:
                raise
            if kind not in told:
                told.add(kind)
                log.warning("%s: event dropped, discord.py cannot read it: %r", kind, error)

    return guarded


def _check(event: Any) -> None:  # noqa: ANN401 as above
    """Raise KeyError or TypeError for an interaction whose fields are missing, or no words.

    discord.py would build it without a user, or with names that are numbers.
    """
    member: Any = event["member"] if event.get("guild_id") else event
    user = member["user"]
    sent = event.get("data") or {}
    for fields, names in ((user, NAMED), (member, ("nick",)), (sent, ("custom_id", "name"))):
        for name in names:
            if not isinstance(fields.get(name, ""), str | None):
                raise TypeError(name)
    for name in ("id", "username"):
        if not isinstance(user[name], str):
            raise TypeError(name)
