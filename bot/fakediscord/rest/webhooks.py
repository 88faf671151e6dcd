"""Messages by an interaction's token."""

from dataclasses import replace

from bot.fakediscord.constants import CallbackType, MessageType
from bot.fakediscord.rest.call import ORIGINAL, Answer, Call, Routes
from bot.fakediscord.rest.callbacks import reply_to
from bot.fakediscord.rest.messages import refer


def follow_up(call: Call, _app_id: str, token: str) -> Answer:
    """Post a further message, or the first one after a deferred answer."""
    interaction = call.interaction(token)
    original, files = interaction.original, call.request.files
    deferred = interaction.callback_type == CallbackType.DEFERRED_MESSAGE
    if original is not None and original.deleted:
        original = None
    if original is not None and deferred and original.loading:
        return call.messages.edit(original, call.json, files).data
    reply = reply_to(call, interaction, call.json)
    if original is not None:
        extra = {key: value for key, value in reply.extra.items() if key != "interaction"}
        extra["message_reference"] = refer(original.id, interaction.channel)
        reply = replace(reply, type=MessageType.REPLY, extra=extra)
    return call.messages.create(interaction.channel, call.json, files, reply).data


def get(call: Call, _app_id: str, token: str, message_id: str = ORIGINAL) -> Answer:
    return call.token_message(token, message_id).data


def edit(call: Call, _app_id: str, token: str, message_id: str = ORIGINAL) -> Answer:
    message = call.token_message(token, message_id)
    return call.messages.edit(message, call.json, call.request.files).data


def delete(call: Call, _app_id: str, token: str, message_id: str = ORIGINAL) -> None:
    call.world.delete_message(call.token_message(token, message_id))


ROUTES: Routes = {
    "POST /webhooks/#/*": follow_up,
    "GET /webhooks/#/*/messages/#": get,
    "GET /webhooks/#/*/messages/@original": get,
    "PATCH /webhooks/#/*/messages/#": edit,
    "PATCH /webhooks/#/*/messages/@original": edit,
    "DELETE /webhooks/#/*/messages/#": delete,
    "DELETE /webhooks/#/*/messages/@original": delete,
}
