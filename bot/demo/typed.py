"""Typed lines: `/ligretto` runs a command, anything else is a message to the channel."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from bot.demo import view
from bot.demo.world import World
from bot.fakediscord import Channel, Interaction, User

_OPTION = re.compile(r"(\w+):\s*")
_READ: Mapping[int, Callable[[str], Any]] = {
    4: int,
    5: lambda word: word.lower() in {"true", "yes", "1", "on"},
    10: float,
}
USER = 6


class TypoError(Exception):
    """A command that cannot be run. The message says why."""


def enter(world: World, user: User, where: Channel, text: str) -> Interaction | None:
    """Run a command and return its interaction, or post a message and return None.

    Raises TypoError.
    """
    text = text.strip()
    if not text.startswith("/"):
        if text:
            world.server.say(user, where, text)
        return None
    typed, command = _command(world, user, text[1:])
    try:
        options = _options(world, command, text[1 + len(typed) :])
        return world.server.slash(user, where, command["real"], options)
    except (LookupError, ValueError) as error:
        raise TypoError(f"/{typed}: {error.args[0] if error.args else error}") from None


def _command(world: World, user: User, line: str) -> tuple[str, view.Json]:
    """Find the longest command that the line begins with, in the person's language or the bot's.

    Returns its name as typed, and its description. Raises TypoError.
    """
    words = " ".join(line.split())
    known = {c[key]: c for key in ("real", "name") for c in view.commands(world, user.locale)}
    for name in sorted(known, key=len, reverse=True):
        if words == name or words.startswith(f"{name} "):
            return name, known[name]
    raise TypoError(f"There is no command /{words[:40]}")


def _options(world: World, command: view.Json, rest: str) -> dict[str, Any]:
    """Parse options such as `seats:4 rounds:1` into the types that the command declares."""
    _, *pairs = _OPTION.split(rest)
    real: dict[str, str] = {one["name"]: one["real"] for one in command["options"]}
    options = _node(world, command["real"]).get("options", [])
    types = {option["name"]: option["type"] for option in options}
    keys = [real.get(key or "", key or "") for key in pairs[::2]]
    return {
        key: _value(world, types.get(key, 0), (value or "").strip())
        for key, value in zip(keys, pairs[1::2], strict=True)
    }


def _node(world: World, name: str) -> dict[str, Any]:
    root, *inner = name.split()
    node: dict[str, Any] = world.server.command(root, world.channel.guild)
    for word in inner:
        node = next(option for option in node["options"] if option["name"] == word)
    return node


def _value(world: World, kind: int, word: str) -> object:
    if kind == USER:
        name = word.lstrip("@").lower()
        if name not in world.people:
            raise ValueError(f"nobody here is called {word}")
        return world.people[name]
    return _READ.get(kind, str)(word)
