"""The stand-in's world as plain JSON, and back.

Nothing else here knows how the stand-in keeps it. Users, channels' messages and commands are
Discord's own payloads; ids are strings, times Unix seconds.
"""

import asyncio
from typing import Any, TypeAlias

from bot.fakediscord import Channel, Guild, Interaction, Message, Server, User
from bot.fakediscord import World as DiscordWorld
from bot.fakediscord.model.payloads import user_payload
from tests.simulate.loop import VirtualLoop

World: TypeAlias = dict[str, Any]


def kept(server: Server) -> World:
    """Everything that Discord would still know tomorrow, and the tokens that live now."""
    channels = server.channels.values()
    messages = [message for channel in channels for message in channel.messages.values()]
    return {
        "bot": str(server.bot.id),
        "owner": str(server.owner.id),
        "users": [{**user_payload(user), "locale": user.locale} for user in server.users.values()],
        "guilds": [_guild(guild) for guild in server.guilds.values()],
        "channels": [_channel(channel) for channel in channels if not channel.deleted],
        "messages": [_message(message) for message in messages if _is_seen(message)],
        "tokens": [_token(one) for one in _living(server)],
        "commands": list(server.commands.values()),
    }


def _guild(guild: Guild) -> World:
    return {
        "id": str(guild.id),
        "name": guild.name,
        "preferred_locale": guild.locale,
        "bot_role": str(guild.bot_role),
        "permissions": str(guild.bot_perms),
        "members": [str(user) for user in guild.members],
    }


def _channel(channel: Channel) -> World:
    return {
        "id": str(channel.id),
        "name": channel.name,
        "type": channel.type,
        "guild_id": channel.guild and str(channel.guild.id),
        "parent_id": channel.parent and str(channel.parent.id),
        "recipient": channel.user and str(channel.user.id),
    }


def _message(message: Message) -> World:
    reader = message.ephemeral_for
    kept: World = {"for": reader and str(reader.id), "payload": message.data}
    hidden = [*message.files] != message.data["attachments"]
    return kept | ({"files": [*message.files]} if hidden else {})


def _token(one: Interaction) -> World:
    """An interaction whose token can still be used. `made`: the messages that it has made."""
    message, original = _seen(one.message), one.original
    return {
        "id": str(one.id),
        "token": one.token,
        "born": round(_loop().wall() - (_loop().time() - one.born), 3),
        "type": one.type,
        "name": one.name,
        "user": str(one.user.id),
        "channel_id": str(one.channel.id),
        "callback": one.callback_type,
        "message": message and str(message.id),
        "original": original and str(original.id),
        "made": sorted(str(made) for made in one.made if _is_seen(one.channel.messages.get(made))),
    }


def _seen(message: Message | None) -> Message | None:
    return message if _is_seen(message) else None


def _is_seen(message: Message | None) -> bool:
    """Whether it is there, and not dismissed by the only one who could see it."""
    if message is None or message.deleted:
        return False
    return message.ephemeral_for is None or message.id not in message.ephemeral_for.hidden


def _living(server: Server) -> list[Interaction]:
    """The newest of each person for each message that is there: bots keep no older ones."""
    newest = {}
    for one in server.tokens.values():
        alive = _loop().time() - one.born < server.settings.token_life
        if alive and (original := _seen(one.original)) is not None:
            newest[one.user.id, original.id] = one
    return list(newest.values())


def _loop() -> VirtualLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop


# -- and back --------------------------------------------------------------------------------


def restored(world: World) -> Server:
    """A stand-in that has not been started, with this world in it."""
    users = {
        one["id"]: User(one["username"], one["locale"], one["bot"], id=int(one["id"]))
        for one in world["users"]
    }
    discord = DiscordWorld(bot=users[world["bot"]], owner=users[world["owner"]])
    server = Server(guilds=0, world=discord)
    for user in users.values():
        discord.users[user.id] = discord.names[user.name] = user
    for one in world["guilds"]:
        _add_guild(server, one)
    for one in world["channels"]:
        _add_channel(server, one)
    for one in world["messages"]:
        _add_message(server, one)
    for one in world["tokens"]:
        _add_token(server, one)
    server.commands |= {one["id"]: one for one in world["commands"]}
    return server


def _add_guild(server: Server, one: World) -> None:
    guild = Guild(
        int(one["id"]),
        one["name"],
        server.owner,
        int(one["bot_role"]),
        one["preferred_locale"],
        int(one["permissions"]),
    )
    server.guilds[guild.id] = guild
    for member in one["members"]:
        guild.join(server.users[int(member)])


def _add_channel(server: Server, one: World) -> None:
    """A thread comes after its channel."""
    channel = Channel(
        int(one["id"]),
        one["name"],
        server.guilds[int(one["guild_id"])] if one["guild_id"] else None,
        one["type"],
        server.channels[int(one["parent_id"])] if one["parent_id"] else None,
        server.users[int(one["recipient"])] if one["recipient"] else None,
        owner=server.bot if one["parent_id"] else None,
    )
    server.world.keep(channel)
    if channel.user is not None:
        channel.user.dm = channel


def _add_message(server: Server, one: World) -> None:
    payload = one["payload"]
    channel = server.channels[int(payload["channel_id"])]
    author = server.users[int(payload["author"]["id"])]
    reader = server.users[int(one["for"])] if one["for"] else None
    files = one.get("files", ())
    message = Message(int(payload["id"]), channel, author, payload, reader, files=files)
    channel.messages[message.id] = message


def _add_token(server: Server, one: World) -> None:
    channel, loop = server.channels[int(one["channel_id"])], _loop()
    messages = channel.messages
    message = messages[int(one["message"])] if one["message"] else None
    record = Interaction(
        int(one["id"]),
        one["type"],
        one["name"],
        server.users[int(one["user"])],
        channel,
        message,
        server.settings.ack_deadline,
    )
    record.token, record.callback_type = one["token"], one["callback"]
    record.born = loop.time() - (loop.wall() - one["born"])
    record.original = messages[int(one["original"])] if one["original"] else None
    record.made = set(map(int, one["made"]))
    record.resolve()
    server.tokens[record.token] = record
