"""The JSON of a press: what discord.py has to read of it, and whose message it is on.

These are pure functions of what the gateway sent. They raise KeyError or TypeError where a press
is not what Discord sends; `gateway.unreadable_events` drops it then.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

import discord

from bot.screen import ASIDE
from bot.ui.connection.fast_path import UNREAD, Payload

_READ = ("id", "type", "flags")
"""The fields kept of the message in a press on a table."""
_BESIDE = f"{ASIDE}:"
PRIVATE = discord.MessageFlags(ephemeral=True).value
COMPONENT = discord.InteractionType.component.value
IN_SERVERS = frozenset({0, 2, 5, 10, 11, 12, 13})
"""Types of channels with messages: text, voice, announcements, three of threads, stages."""
DIRECT = frozenset({1, 3})
"""Types of channels outside servers: of two people, and of a group."""
_PRESS = frozenset(
    {"id", "token", "version", "application_id", "attachment_size_limit", "data", "channel"}
)
_MESSAGE = frozenset({"id", "type"})
_MEMBER = frozenset({"user", "roles", "flags"})
_USER = frozenset({"id", "username", "discriminator", "avatar"})
"""The fields that discord.py has to have, beside those that are looked at."""


def is_complete(press: Payload) -> bool:
    """Return whether this is a press on a component, and nothing about it is unusual.

    It has a message, is in a channel of a known type, and lacks no field that discord.py needs.
    """
    guild, message = press.get("guild_id"), press.get("message")
    if press.get("type") != COMPONENT or message is None or not press.keys() >= _PRESS:
        return False
    if bool(guild) is not ("member" in press):
        return False
    whose = press["member"] if guild else press
    return bool(
        press["channel"].get("type") in (IN_SERVERS if guild else DIRECT)
        and (not guild or whose.keys() >= _MEMBER)
        and whose["user"].keys() >= _USER
        and message.keys() >= _MESSAGE
        and type(message.get("flags", 0)) is int
        and isinstance(press.get("locale", ""), str)
        and "component_type" in press["data"]
    )


def display_name(press: Payload) -> str:
    """Return the name that a channel shows: a server's own, else one's own, else the account's."""
    member = press.get("member", {})
    user = member["user"] if member else press["user"]
    return str(member.get("nick") or user.get("global_name") or user["username"])


def is_beside(press: Payload) -> bool:
    """Return whether a press is outside tables: on a leaderboard, the rules and the like."""
    return bool(press["data"]["custom_id"].startswith(_BESIDE))


def trimmed(press: Payload) -> Payload:
    """Return a press with only those fields of its message that are read.

    They are its id, type and flags. Somebody else's private message also keeps its owner, and a
    public message the pressed component. Neither we nor discord.py keep each button then.
    """
    message = press["message"]
    kept = {**UNREAD, **{key: message[key] for key in _READ if key in message}}
    is_private = message.get("flags", 0) & PRIVATE
    if is_private and _is_anothers(press, message):
        kept["interaction_metadata"] = message["interaction_metadata"]
    elif not is_private and "member" in press:
        kept["components"] = [*_pressed(press, message)]
    return {**press, "message": kept}


def _is_anothers(press: Payload, message: Payload) -> bool:
    """Return whether a private message was sent to somebody else than who presses on it."""
    asked = message.get("interaction_metadata")
    user = press["member"]["user"] if "member" in press else press["user"]
    return bool(asked is not None and asked["user"]["id"] != user["id"])


def _pressed(press: Payload, message: Payload) -> Iterator[Payload]:
    """Yield the pressed component of a public message, if the message has it."""
    sent = press["data"]["custom_id"]
    found = (one for one in _parts(message.get("components", ())) if one.get("custom_id") == sent)
    yield from islice(found, 1)


def _parts(components: Iterable[Payload]) -> Iterator[Payload]:
    for one in components:
        yield one
        yield from _parts(one.get("components", ()))
