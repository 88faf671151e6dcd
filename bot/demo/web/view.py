"""One person's view of a channel, as JSON for the page."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

from bot.demo.backend import words
from bot.demo.backend.world import DemoWorld
from bot.fakediscord import Channel, Message, User
from bot.i18n import language, languages

Json: TypeAlias = dict[str, Any]

SHOWN = 80
"""The most messages on the page, the newest ones."""
COMMAND, ON_PERSON = 1, 2
"""Discord's types of commands: typed, and in a person's menu."""
PERSON = 6
"""Discord's type of an option that is a person."""
SUBCOMMANDS = frozenset({1, 2})


def places(world: DemoWorld, viewer: User) -> list[Channel]:
    """List the places a person can open: the channel, its threads, and direct messages if any."""
    direct = world.server.dm(viewer)
    threads = [channel for channel in world.server.channels.values() if channel.thread]
    return [world.channel, *threads, *([direct] if direct.messages else [])]


def seen(world: DemoWorld, viewer: User, where: Channel) -> list[Message]:
    """Return the newest messages that this person may see there, oldest first."""
    return world.server.view(viewer, where)[-SHOWN:]


def message(one: Message, names: Mapping[str, str]) -> Json:
    """Describe a message. `names`: the viewer's names of commands by the bot's own."""
    data = one.data
    used = data.get("interaction")
    return {
        "id": str(one.id),
        "author": person(one.author),
        "at": datetime.fromisoformat(data["timestamp"]).timestamp(),
        "content": one.content,
        "components": data["components"],
        "private": one.ephemeral,
        "thinking": one.loading,
        "attachments": [
            {"name": file["filename"], "url": file["url"], "size": file["size"]}
            for file in data.get("attachments") or ()
        ],
        "used": used
        and {
            "by": used["user"]["global_name"],
            "id": used["user"]["id"],
            "name": names.get(used["name"], used["name"]),
        },
    }


def person(user: User) -> Json:
    return {"id": str(user.id), "name": user.name.title(), "bot": user.bot}


def channel(one: Channel, locale: str) -> Json:
    kind = "thread" if one.thread else "channel" if one.guild else "direct"
    name = one.name if one.guild else words.said("direct", locale)
    return {"id": str(one.id), "name": name, "kind": kind, "archived": one.archived}


def unchanging(world: DemoWorld, viewer: User, where: Channel) -> Json:
    """Describe all that stays the same while a page is open."""
    return {
        "you": {**person(viewer), "key": viewer.name},
        "people": [
            {**person(user), "key": user.name, "language": language(user.locale)}
            for user in world.people.values()
        ],
        "channel": channel(where, viewer.locale),
        "languages": languages(),
    }


def commands(world: DemoWorld, locale: str) -> list[Json]:
    """List every command in a client's language, with subcommands under their full names.

    `real` is the bot's own name of a command or an option, in any language.
    """
    people = [user.name.title() for user in world.people.values()]
    return [
        line
        for command in world.server.commands.values()
        if command["type"] == COMMAND
        for line in _lines(command, locale, people, ())
    ]


def apps(world: DemoWorld, locale: str) -> list[Json]:
    """List what the bot offers in a person's menu, in a client's language."""
    return [
        {"name": said(command, "name", locale), "real": command["name"]}
        for command in world.server.commands.values()
        if command["type"] == ON_PERSON
    ]


def _lines(command: Json, locale: str, people: list[str], above: tuple[Json, ...]) -> list[Json]:
    path = (*above, command)
    options = command.get("options") or []
    inner = [option for option in options if option["type"] in SUBCOMMANDS]
    if inner:
        return [line for option in inner for line in _lines(option, locale, people, path)]
    wanted = [_option(option, locale, people) for option in options]
    return [
        {
            "name": " ".join(said(one, "name", locale) for one in path),
            "real": " ".join(one["name"] for one in path),
            "description": said(command, "description", locale),
            "options": wanted,
        }
    ]


def _option(option: Json, locale: str, people: list[str]) -> Json:
    """Describe an option. `asks`: the bot suggests values while somebody types."""
    choices = [said(choice, "name", locale) for choice in option.get("choices") or ()]
    return {
        "name": said(option, "name", locale),
        "real": option["name"],
        "required": bool(option.get("required")),
        "description": said(option, "description", locale),
        "choices": people if option["type"] == PERSON else choices,
        "asks": bool(option.get("autocomplete")),
    }


def said(node: Json, what: str, locale: str) -> str:
    """Return a name or a description in a client's language, or else the bot's own."""
    local = node.get(f"{what}_localizations") or {}
    return str(local.get(locale) or node.get(what, ""))
