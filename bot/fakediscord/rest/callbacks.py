"""Answers to interactions."""

import time
from collections.abc import Callable, Mapping

from bot.fakediscord.constants import CallbackType, InteractionType, MessageFlag, MessageType
from bot.fakediscord.model.interactions import Attempt, Interaction
from bot.fakediscord.model.payloads import empty_fields, user_payload
from bot.fakediscord.rest.call import Answer, Call, Routes
from bot.fakediscord.rest.messages import Reply, refer
from bot.fakediscord.types import Json
from bot.fakediscord.validation.embeds_and_modals import check_modal
from bot.fakediscord.validation.errors import ApiError, Form

MOST_CHOICES = 25
UPDATES = (CallbackType.DEFERRED_UPDATE, CallbackType.UPDATE)
WITH_MESSAGE = (CallbackType.MESSAGE, CallbackType.UPDATE)
"""Callbacks whose answer shows a message."""


def answer(call: Call, _interaction_id: str, token: str) -> Answer:
    """Handle `POST /interactions/ID/TOKEN/callback`."""
    now, kind = time.perf_counter(), call.json["type"]
    interaction = call.world.tokens.get(token)
    if interaction is None:
        raise ApiError(10062)
    if interaction.called_back_at is None:
        interaction.called_back_at, interaction.status = now, 200
    status = 200
    try:
        _require_unanswered(call, interaction, now)
        _require_kind(interaction, kind)
        _ANSWERS[kind](call, interaction, call.json.get("data") or {})
    except ApiError as error:
        interaction.error, status = error.code, error.status
        if not interaction.ok:
            interaction.status = status
        raise
    finally:
        interaction.attempts.append(Attempt(now, kind, status))
    _answered(call, interaction, kind)
    asked = call.request.query.get("with_response") in {"1", "true"}
    return _response(interaction, kind) if asked else None


def _answered(call: Call, interaction: Interaction, kind: int) -> None:
    interaction.callback_type, interaction.status = kind, 200
    if not call.world.settings.keep_payloads:
        interaction.payload = None
    interaction.resolve()
    call.world.deadlines.answered(interaction)


def _require_unanswered(call: Call, interaction: Interaction, now: float) -> None:
    if interaction.ok:
        raise ApiError(40060)
    if now - interaction.created > interaction.deadline:
        call.world.deadlines.missed(interaction)
        raise ApiError(10062)


def _require_kind(interaction: Interaction, kind: int) -> None:
    """Raise an `ApiError` unless the interaction can be answered so."""
    is_autocomplete = interaction.type == InteractionType.AUTOCOMPLETE
    is_modal = interaction.type == InteractionType.MODAL
    on_message = interaction.type == InteractionType.COMPONENT or (
        is_modal and interaction.message is not None
    )
    if (
        kind not in _ANSWERS
        or (kind in UPDATES and not on_message)
        or (kind == CallbackType.CHOICES) != is_autocomplete
        or (kind == CallbackType.MODAL and is_modal)
    ):
        form = Form()
        form.add(
            "type",
            "BASE_TYPE_CHOICES",
            "Value must be one of the callback types valid for this interaction.",
        )
        form.check()


def _message(call: Call, interaction: Interaction, data: Json) -> None:
    reply = reply_to(call, interaction, data)
    files = call.request.files
    interaction.original = call.messages.create(interaction.channel, data, files, reply)


def _deferred_message(call: Call, interaction: Interaction, data: Json) -> None:
    reply = reply_to(call, interaction, data)
    hidden = MessageFlag.EPHEMERAL if reply.ephemeral else 0
    interaction.original = call.messages.create(
        interaction.channel, {}, reply=reply, fields=empty_fields(MessageFlag.LOADING | hidden)
    )


def _deferred_update(_call: Call, interaction: Interaction, _data: Json) -> None:
    message = interaction.message
    if message is None or message.deleted:
        raise ApiError(10008)
    interaction.original = message


def _update(call: Call, interaction: Interaction, data: Json) -> None:
    _deferred_update(call, interaction, data)
    if interaction.message is not None:
        call.messages.edit(interaction.message, data, call.request.files, keeps=False)


def _choices(_call: Call, interaction: Interaction, data: Json) -> None:
    choices, form = data.get("choices") or [], Form()
    if len(choices) > MOST_CHOICES:
        form.most("data.choices", MOST_CHOICES)
    for index, choice in enumerate(choices):
        form.length(f"data.choices.{index}.name", choice.get("name"), 1, 100)
    form.check()
    interaction.choices = choices


def _modal(_call: Call, interaction: Interaction, data: Json) -> None:
    check_modal(data)
    interaction.modal = data


_ANSWERS: Mapping[int, Callable[[Call, Interaction, Json], None]] = {
    CallbackType.MESSAGE: _message,
    CallbackType.DEFERRED_MESSAGE: _deferred_message,
    CallbackType.DEFERRED_UPDATE: _deferred_update,
    CallbackType.UPDATE: _update,
    CallbackType.CHOICES: _choices,
    CallbackType.MODAL: _modal,
}


def _response(interaction: Interaction, kind: int) -> Json:
    """Return the body of an answer to a callback that asked for one."""
    told: Json = {"id": str(interaction.id), "type": interaction.type}
    if kind == CallbackType.DEFERRED_MESSAGE:
        told["response_message_loading"] = True
    message = interaction.original
    if message is None:
        return {"interaction": told}
    told["response_message_id"] = str(message.id)
    told["response_message_ephemeral"] = message.ephemeral
    if kind not in WITH_MESSAGE:
        return {"interaction": told}
    return {"interaction": told, "resource": {"type": kind, "message": message.data}}


def reply_to(call: Call, interaction: Interaction, data: Json) -> Reply:
    """Return what a message made with the interaction's token has beside the others."""
    metadata = _metadata(interaction)
    extra: Json = {
        "application_id": str(call.world.app_id),
        "webhook_id": str(call.world.app_id),
        "interaction_metadata": metadata,
    }
    kind = MessageType.REPLY
    if interaction.type == InteractionType.COMMAND:
        kind = MessageType.COMMAND
        user = user_payload(interaction.user)
        extra["interaction"] = {
            "id": str(interaction.id),
            "type": interaction.type,
            "name": interaction.name,
            "user": user,
        }
    elif interaction.message is not None:
        extra["message_reference"] = refer(interaction.message.id, interaction.channel)
    is_ephemeral = bool((data.get("flags") or 0) & MessageFlag.EPHEMERAL)
    return Reply(interaction, is_ephemeral, kind, extra)


def _metadata(interaction: Interaction) -> Json:
    """Return what a message tells of the interaction that it answers."""
    guild = interaction.channel.guild
    told: Json = {
        "id": str(interaction.id),
        "type": interaction.type,
        "user": user_payload(interaction.user),
        "authorizing_integration_owners": {"0": str(guild.id if guild else 0)},
    }
    if interaction.trigger is not None:
        told["triggering_interaction_metadata"] = _metadata(interaction.trigger)
    elif interaction.type == InteractionType.COMPONENT and interaction.message is not None:
        told["interacted_message_id"] = str(interaction.message.id)
    return told


ROUTES: Routes = {"POST /interactions/#/*/callback": answer}
