"""The payloads of presses, trimmed so that discord.py builds no object for each button."""

import logging
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from itertools import islice

import discord

from bot.screen import ASIDE
from bot.ui.connection import fast_path
from bot.ui.connection.fast_path import UNREAD, Payload

log = logging.getLogger(__name__)

_READ = frozenset({"id", "type", "flags"})
"""The fields kept of the message in a press on a table."""
_BESIDE = f"{ASIDE}:"
_PRIVATE = discord.MessageFlags(ephemeral=True).value


def trim_press_payloads(client: discord.Client) -> None:
    """Trim the message in each press on a table to the fields that are read, from now on.

    They are its id, type and flags. Somebody else's private message also keeps its owner, and a
    public message the pressed component. Other presses keep their whole message.
    """
    parsers: MutableMapping[str, Callable[[Payload], None]] | None
    parsers = getattr(client._connection, "parsers", None)  # noqa: SLF001 discord.py has no hook
    ordinary = parsers.get("INTERACTION_CREATE") if parsers is not None else None
    if not fast_path.KNOWN or parsers is None or ordinary is None:
        log.info("Unsupported discord.py version: fast path disabled")
        return

    def read(press: Payload) -> None:
        message = press.get("message")
        if message is not None and not press["data"]["custom_id"].startswith(_BESIDE):
            press["message"] = {
                **UNREAD,
                **{key: message[key] for key in _READ & message.keys()},
                **_anothers(press, message),
                **_pressed(press, message),
            }
        ordinary(press)

    parsers["INTERACTION_CREATE"] = read


def _anothers(press: Payload, message: Payload) -> Payload:
    """Return the metadata of a pressed private message that isn't the user's own, else nothing."""
    asked = message.get("interaction_metadata")
    if asked is None or not message.get("flags", 0) & _PRIVATE:
        return {}
    user = press["member"]["user"] if "member" in press else press["user"]
    return {} if asked["user"]["id"] == user["id"] else {"interaction_metadata": asked}


def _pressed(press: Payload, message: Payload) -> Payload:
    """Return the pressed component of a public message, if the message has it."""
    if "member" not in press or message.get("flags", 0) & _PRIVATE:
        return {}
    sent = press["data"]["custom_id"]
    found = (one for one in _parts(message.get("components", ())) if one.get("custom_id") == sent)
    return {"components": [*islice(found, 1)]}


def _parts(components: Iterable[Payload]) -> Iterator[Payload]:
    for one in components:
        yield one
        yield from _parts(one.get("components", ()))
