"""What one person sees of the channel, as the page draws it."""

from datetime import datetime
from typing import Any, TypeAlias

from bot.demo.fakediscord import Message, User
from bot.demo.world import World
from bot.i18n import language

Json: TypeAlias = dict[str, Any]

SHOWN = 80
"""Messages on the page, counted from the newest."""
COMMAND = 1
SUBCOMMANDS = frozenset({1, 2})


def seen(world: World, viewer: User) -> list[Message]:
    """The newest messages this person may see, oldest first."""
    return world.server.view(viewer, world.channel)[-SHOWN:]


def message(one: Message) -> Json:
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
        "used": used and {"by": used["user"]["global_name"], "name": used["name"]},
    }


def person(user: User) -> Json:
    return {"id": str(user.id), "name": user.name.title(), "bot": user.bot}


def place(world: World, viewer: User) -> Json:
    """What does not change while a page is open."""
    return {
        "you": {**person(viewer), "key": viewer.name},
        "people": [
            {**person(user), "key": user.name, "language": language(user.locale)}
            for user in world.people.values()
        ],
        "channel": {"id": str(world.channel.id), "name": world.channel.name},
    }


def commands(world: World) -> list[Json]:
    """Every command a person can type, subcommands by their full names."""
    return [
        line
        for command in world.server.commands.values()
        if command["type"] == COMMAND
        for line in _lines(command, "")
    ]


def _lines(command: Json, before: str) -> list[Json]:
    name = f"{before}{command['name']}"
    options = command.get("options") or []
    inner = [option for option in options if option["type"] in SUBCOMMANDS]
    if inner:
        return [line for option in inner for line in _lines(option, f"{name} ")]
    wanted = [
        {"name": option["name"], "required": bool(option.get("required"))} for option in options
    ]
    return [{"name": name, "description": command.get("description", ""), "options": wanted}]
