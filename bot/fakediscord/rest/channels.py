"""Channels, threads and pins."""

from bot.fakediscord.constants import ChannelType, Intent
from bot.fakediscord.model.events import Event
from bot.fakediscord.model.ids import timestamp
from bot.fakediscord.model.payloads import channel_payload
from bot.fakediscord.model.places import Channel, Message
from bot.fakediscord.rest.call import Answer, Call, Routes, require
from bot.fakediscord.validation.errors import ApiError, Form

MOST_PINS = 250
WITH_THREADS = (ChannelType.TEXT, ChannelType.NEWS)


def get(call: Call, channel_id: str) -> Answer:
    return channel_payload(call.channel(channel_id))


def edit(call: Call, channel_id: str) -> Answer:
    channel = call.channel(channel_id)
    if not channel.thread:
        require(channel, "manage_channels")
    elif channel.locked or (channel.owner is not call.world.bot and not _opens(call)):
        require(channel, "manage_threads")
    channel.name = call.json.get("name", channel.name)
    channel.archived = call.json.get("archived", channel.archived)
    channel.locked = call.json.get("locked", channel.locked)
    call.world.tell_of(channel, "THREAD_UPDATE" if channel.thread else "CHANNEL_UPDATE")
    return channel_payload(channel)


def _opens(call: Call) -> bool:
    """Return whether a thread is only opened again, which whoever may write in it can do."""
    return bool(call.json == {"archived": False})


def delete(call: Call, channel_id: str) -> Answer:
    channel = call.channel(channel_id)
    require(channel, "manage_threads" if channel.thread else "manage_channels")
    call.world.delete_channel(channel)
    return channel_payload(channel)


def typing(call: Call, channel_id: str) -> None:
    call.channel(channel_id, "send_messages")


def start_thread(call: Call, channel_id: str, message_id: str | None = None) -> Answer:
    """Begin a thread, on a message if there is one: then it has the message's id."""
    kind = ChannelType.PUBLIC_THREAD
    if message_id is None:
        kind = call.json.get("type", kind)
    private = kind == ChannelType.PRIVATE_THREAD
    parent = call.channel(
        channel_id, "create_private_threads" if private else "create_public_threads"
    )
    if parent.type not in WITH_THREADS:
        raise ApiError(50024)
    form = Form()
    form.length("name", call.json.get("name"), 1, 100)
    form.check()
    if message_id is not None:
        call.message(parent, message_id)
        if int(message_id) in call.world.channels:
            raise ApiError(160004)
    number = int(message_id) if message_id else call.world.ids()
    owner = call.world.bot
    thread = Channel(number, call.json["name"], parent.guild, kind, parent, owner=owner)
    call.world.keep(thread)
    payload = channel_payload(thread)
    call.world.tell_of(thread, "THREAD_CREATE", payload | {"newly_created": True})
    return payload


def thread_member(call: Call, channel_id: str, _user_id: str = "") -> None:
    call.channel(channel_id)


def pins(call: Call, channel_id: str) -> Answer:
    channel = call.channel(channel_id)
    there = [channel.messages[one] for one in channel.pins if one in channel.messages]
    items = [{"pinned_at": timestamp(), "message": message.data} for message in there]
    return {"items": items, "has_more": False}


def pin(call: Call, channel_id: str, message_id: str) -> None:
    channel = _pinning(call, channel_id)
    message = call.message(channel, message_id)
    if not message.data["pinned"]:
        if len(channel.pins) >= MOST_PINS:
            raise ApiError(30003)
        channel.pins.append(message.id)
        _pinned(call, message, now=True)


def unpin(call: Call, channel_id: str, message_id: str) -> None:
    channel = _pinning(call, channel_id)
    message = call.message(channel, message_id)
    if message.data["pinned"]:
        channel.pins.remove(message.id)
        _pinned(call, message, now=False)


def _pinning(call: Call, channel_id: str) -> Channel:
    channel = call.channel(channel_id)
    require(channel, "pin_messages", "manage_messages")
    return channel


def _pinned(call: Call, message: Message, *, now: bool) -> None:
    channel = message.channel
    message.change({**message.data, "pinned": now})
    call.world.tell_of_message("MESSAGE_UPDATE", message)
    if channel.guild is not None:
        data = {
            "guild_id": str(channel.guild.id),
            "channel_id": str(channel.id),
            "last_pin_timestamp": timestamp(),
        }
        event = Event("CHANNEL_PINS_UPDATE", data, channel.guild.id, Intent.GUILDS)
        call.world.announce(event)


ROUTES: Routes = {
    "GET /channels/#": get,
    "PATCH /channels/#": edit,
    "DELETE /channels/#": delete,
    "POST /channels/#/typing": typing,
    "POST /channels/#/threads": start_thread,
    "POST /channels/#/messages/#/threads": start_thread,
    "PUT /channels/#/thread-members/#": thread_member,
    "DELETE /channels/#/thread-members/#": thread_member,
    "PUT /channels/#/thread-members/@me": thread_member,
    "DELETE /channels/#/thread-members/@me": thread_member,
    "GET /channels/#/pins": pins,
    "PUT /channels/#/pins/#": pin,
    "DELETE /channels/#/pins/#": unpin,
    "GET /channels/#/messages/pins": pins,
    "PUT /channels/#/messages/pins/#": pin,
    "DELETE /channels/#/messages/pins/#": unpin,
}
