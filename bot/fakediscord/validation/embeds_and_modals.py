"""Discord's limits of a message's embeds, and of modals."""

from collections.abc import Container, Iterator, Sequence

from bot.fakediscord.constants import ComponentType
from bot.fakediscord.types import Json
from bot.fakediscord.validation.components import ATTACHMENT
from bot.fakediscord.validation.errors import Form

MOST_EMBEDS = 10
MOST_FIELDS = 25
MOST_EMBED_TEXT = 6000


def check_embeds(form: Form, embeds: Sequence[Json], files: Container[str]) -> None:
    """Note what Discord would refuse. `files`: names of the message's attachments."""
    if len(embeds) > MOST_EMBEDS:
        form.most("embeds", MOST_EMBEDS)
    total = 0
    for index, embed in enumerate(embeds):
        path = f"embeds.{index}"
        _fields(form, path, embed)
        for where, text, most in _texts(path, embed):
            form.length(where, text, 0, most)
            total += len(str(text).strip())
        _pictures(form, path, embed, files)
    if total > MOST_EMBED_TEXT:
        form.add(
            "embeds",
            "MAX_EMBED_SIZE_EXCEEDED",
            f"Embed size exceeds maximum size of {MOST_EMBED_TEXT}",
        )


def _fields(form: Form, path: str, embed: Json) -> None:
    fields = embed.get("fields") or []
    if len(fields) > MOST_FIELDS:
        form.most(f"{path}.fields", MOST_FIELDS)
    for index, field in enumerate(fields):
        for key in ("name", "value"):
            if not (field.get(key) or "").strip():
                form.require(f"{path}.fields.{index}.{key}")


def _texts(path: str, embed: Json) -> Iterator[tuple[str, object, int]]:
    """Return the texts of an embed that are there: path, text, most characters."""
    texts = [
        (f"{path}.title", embed.get("title"), 256),
        (f"{path}.description", embed.get("description"), 4096),
        (f"{path}.footer.text", (embed.get("footer") or {}).get("text"), 2048),
        (f"{path}.author.name", (embed.get("author") or {}).get("name"), 256),
    ]
    for index, field in enumerate(embed.get("fields") or []):
        here = f"{path}.fields.{index}"
        texts.append((f"{here}.name", field.get("name"), 256))
        texts.append((f"{here}.value", field.get("value"), 1024))
    return (text for text in texts if text[1] is not None)


def _pictures(form: Form, path: str, embed: Json, files: Container[str]) -> None:
    for key in ("image", "thumbnail"):
        url = (embed.get(key) or {}).get("url", "")
        if url.startswith(ATTACHMENT) and url.removeprefix(ATTACHMENT) not in files:
            form.add(
                f"{path}.{key}.url",
                "MESSAGE_ATTACHMENT_NOT_FOUND",
                "The specified attachment was not found",
            )


def check_modal(modal: Json) -> None:
    """Raise an `ApiError` for a modal that Discord would refuse."""
    form = Form()
    form.length("data.custom_id", modal.get("custom_id"), 1, 100)
    form.length("data.title", modal.get("title"), 1, 45)
    components = modal.get("components") or []
    form.between("data.components", len(components), 1, 5)
    seen: set[str | None] = set()
    for index, component in enumerate(components):
        path = f"data.components.{index}"
        for field in _modal_fields(form, path, component):
            _modal_field(form, path, field, seen)
    form.check()


def _modal_fields(form: Form, path: str, component: Json) -> Sequence[Json]:
    """Return the fields in one component of a modal."""
    match component.get("type"):
        case ComponentType.LABEL:
            form.length(f"{path}.label", component.get("label"), 1, 45)
            if component.get("description") is not None:
                form.length(f"{path}.description", component["description"], 0, 100)
            return [component.get("component") or {}]
        case ComponentType.ROW:
            return component.get("components") or [{}]
        case ComponentType.TEXT:
            return []
        case _:
            message = 'Value of field "type" must be one of (1, 10, 18).'
            form.add(f"{path}.type", "UNION_TYPE_CHOICES", message)
            return []


def _modal_field(form: Form, path: str, field: Json, seen: set[str | None]) -> None:
    custom_id = field.get("custom_id")
    form.length(f"{path}.custom_id", custom_id, 1, 100)
    if custom_id in seen:
        form.add(
            f"{path}.custom_id",
            "COMPONENT_CUSTOM_ID_DUPLICATED",
            "Component custom id cannot be duplicated",
        )
    seen.add(custom_id)
    if field.get("type") == ComponentType.TEXT_INPUT:
        for key, most in (("placeholder", 100), ("value", 4000), ("label", 45)):
            if field.get(key) is not None:
                form.length(f"{path}.{key}", field[key], 0, most)
