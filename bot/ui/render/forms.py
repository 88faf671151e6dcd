"""Forms as Discord's modals: each field has a label, in every client."""

from typing import Any, cast

import discord
from discord import ui

from bot.screen import Form, Pick, Ticks
from bot.tables.state.journal import TableId
from bot.ui.render.components import label
from bot.ui.render.custom_ids import custom_id
from bot.ui.render.marks import Reader

LABEL, LIST, BOXES = (
    kind.value
    for kind in (
        discord.ComponentType.label,
        discord.ComponentType.select,
        discord.ComponentType.checkbox_group,
    )
)


class DrawnForm:
    """A modal as raw JSON. discord.py only has to send it: what is sent in is handled by its id."""

    def __init__(self, payload: dict[str, Any]) -> None:
        self._payload = payload

    def to_dict(self) -> dict[str, Any]:
        return self._payload

    def is_finished(self) -> bool:
        """Return True, so that discord.py keeps no reference to it."""
        return True


def modal(form: Form, table: TableId, reader: Reader) -> ui.Modal:
    """Return a form ready to send."""
    fields = [
        {"type": LABEL, "label": label(name, reader), "component": _field(field, reader)}
        for name, field in form.fields
    ]
    payload = {
        "title": label(form.title, reader),
        "custom_id": custom_id(table, 0, form.word),
        "components": fields,
    }
    return cast("ui.Modal", DrawnForm(payload))


def _field(field: Pick | Ticks, reader: Reader) -> dict[str, Any]:
    now = {field.chosen} if isinstance(field, Pick) else field.ticked
    options = [
        {"label": label(words, reader), "value": value, "default": value in now}
        for value, words in field.values
    ]
    shared = {"custom_id": field.word, "options": options}
    if isinstance(field, Pick):
        return {"type": LIST, **shared, "required": True}
    most = len(options)
    return {"type": BOXES, **shared, "min_values": 0, "max_values": most, "required": False}
