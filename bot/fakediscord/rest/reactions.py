"""Reactions of the bot."""

from bot.fakediscord.rest.call import Call, Routes


def _react(call: Call, channel_id: str, message_id: str, emoji: str, *, on: bool) -> None:
    channel = call.channel(channel_id, "add_reactions", "read_message_history")
    message = call.message(channel, message_id)
    if channel.guild is not None:
        call.world.react(call.world.bot, message, emoji, on=on)


def add(call: Call, channel_id: str, message_id: str, emoji: str) -> None:
    _react(call, channel_id, message_id, emoji, on=True)


def remove(call: Call, channel_id: str, message_id: str, emoji: str) -> None:
    _react(call, channel_id, message_id, emoji, on=False)


def clear(call: Call, channel_id: str, message_id: str, *_: str) -> None:
    call.message(call.channel(channel_id, "manage_messages"), message_id)


ROUTES: Routes = {
    "PUT /channels/#/messages/#/reactions/*/@me": add,
    "DELETE /channels/#/messages/#/reactions/*/@me": remove,
    "DELETE /channels/#/messages/#/reactions": clear,
    "DELETE /channels/#/messages/#/reactions/*": clear,
    "DELETE /channels/#/messages/#/reactions/*/#": clear,
}
