"""Options typed in a command, checked against those that this version has.

discord.py passes on what a client sends: a string where a user belongs, if an older command had
one.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from discord import AppCommandOptionType as Kind
from discord import app_commands

Command: TypeAlias = app_commands.Command[Any, ..., Any]
Sent: TypeAlias = Mapping[str, Any]
"""An option as Discord sends it: `name`, `type` and `value`."""

_PLAIN: dict[Kind, Callable[[Any], bool]] = {
    Kind.string: lambda value: isinstance(value, str),
    Kind.integer: lambda value: isinstance(value, int) and not isinstance(value, bool),
    Kind.boolean: lambda value: isinstance(value, bool),
    Kind.number: lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}
_RESOLVED = {
    Kind.user: ("users",),
    Kind.channel: ("channels",),
    Kind.role: ("roles",),
    Kind.mentionable: ("users", "roles"),
    Kind.attachment: ("attachments",),
}
"""Sections of the interaction's `resolved` data that hold the object an id stands for."""


def unfit(command: Command, data: Sent) -> str | None:
    """Return the name of an option that doesn't fit this version's command; None if all do.

    `data`: the interaction's. A required option that is missing is unfit too.
    """
    sent = {str(one.get("name")): one for one in _leaves(data)}
    known = {one.display_name: one for one in command.parameters}
    for name, option in sent.items():
        if name not in known or not _is_sound(known[name].type, option, data.get("resolved") or {}):
            return name
    missing = (name for name, one in known.items() if one.required and name not in sent)
    return next(missing, None)


def _leaves(data: Sent) -> list[Sent]:
    """Return the options of the command itself: those of groups only lead to it."""
    options = data.get("options") or []
    while options and options[0].get("type") in (
        Kind.subcommand.value,
        Kind.subcommand_group.value,
    ):
        options = options[0].get("options") or []
    return list(options)


def _is_sound(kind: Kind, option: Sent, resolved: Mapping[str, Any]) -> bool:
    value = option.get("value")
    if option.get("type") != kind.value:
        return False
    if kind in _PLAIN:
        return _PLAIN[kind](value)
    return any(str(value) in resolved.get(group, ()) for group in _RESOLVED[kind])
