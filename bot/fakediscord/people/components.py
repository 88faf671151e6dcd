"""Buttons that people press, menus they choose from, and modals they fill in."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from bot.fakediscord.constants import ComponentType, InteractionType
from bot.fakediscord.model.interactions import Interaction
from bot.fakediscord.model.items import Item
from bot.fakediscord.model.places import Message, User
from bot.fakediscord.people.interactions import InteractionSender, NewInteraction, Resolved
from bot.fakediscord.people.views import is_seen
from bot.fakediscord.types import Json
from bot.fakediscord.world import World

Wanted: TypeAlias = str | Callable[[Item], bool] | None
"""A component by its custom id, or by a condition."""


class Components:
    """Components of messages, as people use them.

    Methods raise LookupError for what isn't there or can't be used, ValueError for values that
    can't be chosen or entered.

    `stale` leaves out what a client would prevent: a disabled or vanished component, a message that
    is deleted or somebody else's.
    """

    def __init__(self, world: World, sender: InteractionSender) -> None:
        self._world, self._sender = world, sender

    def click(
        self,
        user: User,
        message: Message | int,
        custom_id: Wanted = None,
        *,
        label: str | None = None,
        emoji: str | None = None,
        stale: bool = False,
    ) -> Interaction:
        """Press a button, found by its custom id, a part of its label or its emoji."""
        message = self._message(message)
        if not stale:
            _require_seen(user, message)
        raw = _find(message, custom_id, label, emoji, stale=stale)
        return self._send(user, message, raw | {"type": ComponentType.BUTTON}, {})

    def select(
        self,
        user: User,
        message: Message | int,
        custom_id: Wanted,
        values: Sequence[object],
        *,
        stale: bool = False,
    ) -> Interaction:
        """Choose values, users or channels in a menu. Without a custom id: in the first one."""
        message = self._message(message)
        wanted = custom_id or (lambda item: item.type != ComponentType.BUTTON)
        if not stale:
            _require_seen(user, message)
        raw = _find(message, wanted, stale=stale)
        if raw["type"] == ComponentType.TEXT_SELECT and not stale:
            _check_choice(raw, values)
        resolved = Resolved(message.channel)
        if raw["type"] == ComponentType.CHANNEL_SELECT:
            values = [self._channel(value) for value in values]
        chosen = [resolved.add(value) for value in values]
        return self._send(user, message, raw, {"values": chosen, **resolved.key})

    def modal_submit(
        self, user: User, interaction: Interaction, values: Mapping[str, object]
    ) -> Interaction:
        """Send in the modal that answered an interaction. `values`: texts or lists by custom id."""
        modal = interaction.modal
        if not modal:
            raise LookupError(f"{interaction} opened no modal")
        components = [
            _filled_in(component, index, values)
            for index, component in enumerate(modal["components"], 1)
        ]
        custom_id = modal["custom_id"]
        data = {"custom_id": custom_id, "components": components}
        channel, message = interaction.channel, interaction.message
        kind = InteractionType.MODAL
        new = NewInteraction(kind, user, channel, custom_id, data, message, interaction)
        return self._sender.send(new)

    def _channel(self, value: object) -> object:
        """Return the channel of an id; what is no channel's as it is."""
        there = {str(number): channel for number, channel in self._world.channels.items()}
        return there.get(str(value), value)

    def _message(self, message: Message | int) -> Message:
        if isinstance(message, Message):
            return message
        for channel in self._world.channels.values():
            if message in channel.messages:
                return channel.messages[message]
        raise LookupError(f"there is no message {message}")

    def _send(self, user: User, message: Message, component: Json, more: Json) -> Interaction:
        custom_id = component["custom_id"]
        data = {
            "component_type": component["type"],
            "custom_id": custom_id,
            "id": component.get("id", 1),
            **more,
        }
        kind = InteractionType.COMPONENT
        sending = NewInteraction(kind, user, message.channel, custom_id, data, message)
        return self._sender.send(sending)


def _require_seen(user: User, message: Message) -> None:
    if message.deleted or not is_seen(user, message):
        raise LookupError(f"{user.name} does not see {message}")


def _find(
    message: Message,
    custom_id: Wanted,
    label: str | None = None,
    emoji: str | None = None,
    *,
    stale: bool,
) -> Json:
    """Find a component that can be used. With `stale`, a missing one is made up as a button."""
    try:
        item = message.find(custom_id, label, emoji)
    except LookupError:
        if not stale:
            raise
        return {"type": ComponentType.BUTTON, "id": 1, "custom_id": custom_id}
    if item.disabled and not stale:
        raise LookupError(f"{item} is disabled")
    return item.raw


def _check_choice(select: Json, values: Sequence[object]) -> None:
    there = [option["value"] for option in select["options"]]
    low, high = select.get("min_values", 1), select.get("max_values", 1)
    if any(value not in there for value in values) or not low <= len(values) <= high:
        raise ValueError(f"{values} cannot be chosen from {there}")


def _filled_in(component: Json, number: int, values: Mapping[str, object]) -> Json:
    """Return a component of a modal as it is sent in."""
    kind = component["type"]
    filled: Json = {"type": kind, "id": number}
    if kind == ComponentType.LABEL:
        filled["component"] = _field(component["component"], values)
    elif kind == ComponentType.ROW:
        filled["components"] = [_field(one, values) for one in component["components"]]
    return filled


def _field(field: Json, values: Mapping[str, object]) -> Json:
    custom_id, is_text = field["custom_id"], field["type"] == ComponentType.TEXT_INPUT
    value = values.get(custom_id, field.get("value", "") if is_text else [])
    if is_text:
        low = field.get("min_length", 1 if field.get("required", True) else 0)
        if not low <= len(str(value)) <= field.get("max_length", 4000):
            raise ValueError(f"{value!r} does not fit {custom_id!r}")
    key = "values" if isinstance(value, list) else "value"
    return {"type": field["type"], "id": field.get("id", 1), "custom_id": custom_id, key: value}
