"""Typed lines: `/ligretto` runs a command, anything else is a message to the channel."""

import re
from contextlib import suppress
from typing import Any

from bot.demo.backend.words import said
from bot.demo.backend.world import DemoWorld
from bot.demo.web import view
from bot.fakediscord import Channel, Interaction, User

_OPTION = re.compile(r"(\w+):\s*")
_WHOLE = re.compile(r"[-+]?[0-9]{1,15}")
_YES_OR_NO = {"true": True, "false": False}
WHOLE, YES_OR_NO, USER = 4, 5, 6
"""Discord's types of options. All others of the bot are texts."""
SHOWN = 40
"""Characters of a typed word that an answer repeats."""


class TypoError(Exception):
    """A command that cannot be run. The message says why, in the words of `key`."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, values)
        self.key, self.values = key, values

    def words(self, locale: str) -> str:
        return said(self.key, locale, **self.values)


def enter(world: DemoWorld, user: User, where: Channel, text: str) -> Interaction | None:
    """Run a command and return its interaction, or post a message and return None.

    Raises TypoError.
    """
    text = text.strip()
    if not text.startswith("/"):
        if text:
            world.server.say(user, where, text)
        return None
    typed, command = _command(world, user, text[1:])
    options = _options(world, user, typed, command, text[1 + len(typed) :])
    return world.server.slash(user, where, command["real"], options)


def suggested(world: DemoWorld, user: User, where: Channel, text: str) -> Interaction | None:
    """Ask the bot for values of the option that a line ends with. None if it offers none."""
    if not text.startswith("/"):
        return None
    try:
        typed, command = _command(world, user, text[1:])
    except TypoError:
        return None
    _, *pairs = _OPTION.split(text[1 + len(typed) :])
    if not pairs:
        return None
    declared = {one["name"]: one for one in _node(world, command["real"]).get("options", [])}
    real = {one[key]: one["real"] for key in ("real", "name") for one in command["options"]}
    *others, (name, value) = zip(pairs[::2], pairs[1::2], strict=True)
    found: dict[str, Any] = {}
    for other, word in others:
        with suppress(TypoError, KeyError):
            found[real[other]] = _value(world, user, declared[real[other]], other, word.strip())
    focused = real.get(name)
    if focused is None or not declared[focused].get("autocomplete"):
        return None
    given = {**found, focused: value.strip()}
    return world.server.autocomplete(user, where, command["real"], given, focused)


def _command(world: DemoWorld, user: User, line: str) -> tuple[str, view.Json]:
    """Find the longest command that the line begins with, in the person's language or the bot's.

    Returns its name as typed, and its description. Raises TypoError.
    """
    words = " ".join(line.split())
    known = {c[key]: c for key in ("real", "name") for c in view.commands(world, user.locale)}
    for name in sorted(known, key=len, reverse=True):
        if words == name or words.startswith(f"{name} "):
            return name, known[name]
    raise TypoError("no_command", command=words[:SHOWN])


def _options(
    world: DemoWorld, user: User, typed: str, command: view.Json, rest: str
) -> dict[str, Any]:
    """Parse options such as `seats:4 rounds:1` into the types that the command declares.

    Raises TypoError.
    """
    extra, *pairs = _OPTION.split(rest)
    if words := extra.strip()[:SHOWN]:
        if not command["options"]:
            raise TypoError("no_more", command=typed)
        raise TypoError("extra", command=typed, words=words, option=command["options"][0]["name"])
    declared = {one["name"]: one for one in _node(world, command["real"]).get("options", [])}
    names = {one["real"]: one["name"] for one in command["options"]}
    real = {one[key]: one["real"] for key in ("real", "name") for one in command["options"]}
    found: dict[str, Any] = {}
    for name, value in zip(pairs[::2], pairs[1::2], strict=True):
        if (key := real.get(name)) is None:
            raise TypoError("no_option", command=typed, option=name[:SHOWN])
        found[key] = _value(world, user, declared[key], names[key], value.strip())
    for key, one in declared.items():
        if one.get("required") and key not in found:
            raise TypoError("missing", command=typed, option=names[key])
    return found


def _node(world: DemoWorld, name: str) -> dict[str, Any]:
    root, *inner = name.split()
    node: dict[str, Any] = world.server.command(root, world.channel.guild)
    for word in inner:
        node = next(option for option in node["options"] if option["name"] == word)
    return node


def _value(world: DemoWorld, user: User, option: view.Json, name: str, word: str) -> object:
    """Return what a typed word stands for. `name`: the option's, as the person knows it."""
    if option.get("choices"):
        return _choice(option["choices"], user.locale, name, word)
    if option["type"] == USER:
        person = world.people.get(word.lstrip("@").lower())
        if person is None:
            raise TypoError("nobody", value=word[:SHOWN])
        return person
    if option["type"] == WHOLE:
        if not _WHOLE.fullmatch(word):
            raise TypoError("no_number", option=name, value=word[:SHOWN])
        _check_size(option, "value", int(word), name)
        return int(word)
    if option["type"] == YES_OR_NO:
        if word.lower() not in _YES_OR_NO:
            raise TypoError("no_choice", option=name, choices=", ".join(_YES_OR_NO))
        return _YES_OR_NO[word.lower()]
    _check_size(option, "length", len(word), name)
    return word


def _choice(choices: list[view.Json], locale: str, name: str, word: str) -> object:
    """Return the value of the choice with this name in any language, or with this value."""
    shown = [view.said(choice, "name", locale) for choice in choices]
    for choice, label in zip(choices, shown, strict=True):
        if word.lower() in {str(choice["value"]).lower(), label.lower(), choice["name"].lower()}:
            return choice["value"]
    raise TypoError("no_choice", option=name, choices=", ".join(shown))


def _check_size(option: view.Json, what: str, size: int, name: str) -> None:
    """Raise a TypoError for a size out of the option's range. `what`: `value` or `length`."""
    least, most = option.get(f"min_{what}"), option.get(f"max_{what}")
    if least is not None and size < least:
        raise TypoError("too_small", option=name, most=least)
    if most is not None and size > most:
        raise TypoError("too_large", option=name, most=most)
