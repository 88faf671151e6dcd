"""`--keep`: what Discord itself would keep between two runs: messages, threads, emojis and files.

It is written beside the database at a clean end and read once. After a crash there is none, and
the bot posts its tables again.
"""

import base64
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.demo.backend.world import DemoWorld
from bot.fakediscord import Channel, Message, User

log = logging.getLogger(__name__)


def beside(database: Path) -> Path:
    return database.with_name(f"{database.name}.channel.json")


def save(world: DemoWorld, file: Path) -> None:
    """Write what everybody sees, and direct messages. Private messages end with a client."""
    places = list(_places(world))
    lines = [_line(one) for place in places for one in place.messages.values()]
    messages = [one for one in lines if one is not None]
    attached = {a["id"] for one in messages for a in one["files"]}
    blobs = world.server.blobs
    state = {
        "places": [_place(one) for one in places],
        "messages": messages,
        "emojis": list(world.server.world.emojis.values()),
        "pictures": {str(key): uri for key, uri in world.server.pictures.items()},
        "files": {
            key: base64.b64encode(blob).decode() for key, blob in blobs.items() if key in attached
        },
    }
    file.touch(mode=0o600)
    file.write_text(json.dumps(state), "utf-8")


def load(world: DemoWorld, file: Path) -> None:
    """Put back what an earlier run has saved, and remove the file. Without one nothing happens."""
    if not file.exists():
        return
    try:
        state = json.loads(file.read_text("utf-8"))
        _restore(world, state)
    except (ValueError, LookupError, TypeError) as error:
        log.warning("kept channel %s: not read (%r), posting tables again", file, error)
    file.unlink()


def _places(world: DemoWorld) -> Iterator[Channel]:
    yield world.channel
    yield from (one for one in world.server.channels.values() if one.thread and not one.deleted)
    yield from (user.dm for user in world.people.values() if user.dm is not None)


def _place(one: Channel) -> dict[str, Any]:
    user = str(one.user.id) if one.user is not None else None
    return {
        "id": str(one.id),
        "name": one.name,
        "type": int(one.type),
        "user": user,
        "archived": one.archived,
        "locked": one.locked,
    }


def _line(one: Message) -> dict[str, Any] | None:
    if one.ephemeral or one.deleted or one.loading:
        return None
    return {
        "id": str(one.id),
        "place": str(one.channel.id),
        "author": str(one.author.id),
        "data": one.data,
        "files": list(one.files),
    }


def _restore(world: DemoWorld, state: dict[str, Any]) -> None:
    server = world.server
    users = {str(user.id): user for user in (*world.people.values(), server.bot)}
    places = {told["id"]: _found(world, users, told) for told in state["places"]}
    for told in state["messages"]:
        place, author = places[told["place"]], users[told["author"]]
        number = int(told["id"])
        place.messages[number] = Message(
            number, place, author, told["data"], files=tuple(told["files"])
        )
    server.world.emojis.update({int(one["id"]): one for one in state["emojis"]})
    server.pictures.update({int(key): uri for key, uri in state["pictures"].items()})
    server.blobs.update({key: base64.b64decode(blob) for key, blob in state["files"].items()})


def _found(world: DemoWorld, users: dict[str, User], told: dict[str, Any]) -> Channel:
    """Return the channel itself, or a thread or direct messages that are made again."""
    number = int(told["id"])
    if number == world.channel.id:
        return world.channel
    place = Channel(number, told["name"], type=told["type"])
    if told["user"] is not None:
        place.user = users[told["user"]]
        place.user.dm = place
    else:
        place.guild, place.parent, place.owner = (
            world.channel.guild,
            world.channel,
            world.server.bot,
        )
        place.archived, place.locked = told["archived"], told["locked"]
    world.server.world.keep(place)
    return place
