"""Messages of a channel, by the bot's own token."""

from bot.fakediscord.constants import ChannelType, MessageFlag
from bot.fakediscord.model.permissions import BITS
from bot.fakediscord.rest.call import Answer, Call, Routes
from bot.fakediscord.validation.errors import ApiError

PAGE = 50
"""Messages of a history that asks for no number."""

WITHOUT_TEXT = (ChannelType.CATEGORY, ChannelType.FORUM, ChannelType.MEDIA)


def create(call: Call, channel_id: str) -> Answer:
    files = call.request.files
    needed = ("send_messages", *(["attach_files"] if files else []))
    channel = call.channel(channel_id, *needed)
    if channel.type in WITHOUT_TEXT:
        raise ApiError(50008)
    if channel.user is not None and channel.user.dm_closed:
        raise ApiError(50007)
    if channel.archived and channel.locked:
        raise ApiError(50083)
    flags = (call.json.get("flags") or 0) & ~MessageFlag.EPHEMERAL
    return call.messages.create(channel, {**call.json, "flags": flags}, files).data


def history(call: Call, channel_id: str) -> Answer:
    """Return a page of messages, the newest first. `before` and `after` are ids."""
    channel, query = call.channel(channel_id), call.request.query
    if not channel.bot_perms() & BITS["read_message_history"]:
        return []
    there = [one for one in channel.messages.values() if not one.ephemeral]
    limit = int(query.get("limit", PAGE))
    if "after" in query:
        found = [one for one in there if one.id > int(query["after"])][:limit]
    else:
        before = int(query["before"]) if "before" in query else None
        found = [one for one in there if before is None or one.id < before][-limit:]
    return [message.data for message in reversed(found)]


def get(call: Call, channel_id: str, message_id: str) -> Answer:
    channel = call.channel(channel_id, "read_message_history")
    return call.message(channel, message_id).data


def edit(call: Call, channel_id: str, message_id: str) -> Answer:
    channel = call.channel(channel_id)
    message = call.message(channel, message_id)
    if message.author is not call.world.bot:
        raise ApiError(50005)
    if channel.archived:
        raise ApiError(50083)
    if call.request.files:
        call.channel(channel_id, "attach_files")
    return call.messages.edit(message, call.json, call.request.files).data


def delete(call: Call, channel_id: str, message_id: str) -> None:
    message = call.message(call.channel(channel_id), message_id)
    if message.author is not call.world.bot:
        call.channel(channel_id, "manage_messages")
    call.world.delete_message(message)


def bulk_delete(call: Call, channel_id: str) -> None:
    channel = call.channel(channel_id, "manage_messages")
    for message_id in call.json["messages"]:
        message = channel.messages.get(int(message_id))
        if message is not None:
            call.world.delete_message(message)


ROUTES: Routes = {
    "POST /channels/#/messages": create,
    "GET /channels/#/messages": history,
    "GET /channels/#/messages/#": get,
    "PATCH /channels/#/messages/#": edit,
    "DELETE /channels/#/messages/#": delete,
    "POST /channels/#/messages/bulk-delete": bulk_delete,
}
