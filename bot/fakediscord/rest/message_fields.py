"""The fields of a message that its author chooses: checked, and with files in place."""

import mimetypes
from collections.abc import Iterator, Mapping, Sequence

from bot.fakediscord.constants import MessageFlag
from bot.fakediscord.model.items import walk
from bot.fakediscord.model.payloads import empty_fields
from bot.fakediscord.model.places import Channel, Message
from bot.fakediscord.rest.routing import File
from bot.fakediscord.types import Json
from bot.fakediscord.validation.components import ATTACHMENT, Components
from bot.fakediscord.validation.errors import ApiError, Form
from bot.fakediscord.validation.forms import check_embeds
from bot.fakediscord.world import World

MOST_CONTENT = 2000
MOST_ATTACHMENTS = 10
CHANGEABLE = MessageFlag.V2 | MessageFlag.SUPPRESS_EMBEDS
"""Flags that an edit may set."""
SETTABLE = CHANGEABLE | MessageFlag.SILENT | MessageFlag.EPHEMERAL
LEGACY = ("content", "embeds", "poll", "sticker_ids")
"""Fields that a message of Components V2 cannot have."""


def message_fields(
    world: World, channel: Channel, given: Json, files: Mapping[str, File], old: Message | None
) -> Json:
    """Return content, embeds, components, attachments and flags of a new or edited message.

    ApiError for what Discord would refuse.
    """
    before = old.data if old else empty_fields()
    attachments = _attachments(world, channel, given, files, before["attachments"])
    fields: Json = {
        "content": _chosen(given, before, "content", ""),
        "embeds": _chosen(given, before, "embeds", []),
        "components": _chosen(given, before, "components", []),
        "attachments": attachments,
        "flags": _flags(given, old),
    }
    is_new = old is None or fields["components"] is not before["components"]
    if old is not None and is_new:
        _check_pictures(world, given, files, fields["components"])
    _check(world, channel, given, fields, components=is_new)
    fields["content"] = fields["content"].strip()
    return fields


def _chosen(given: Json, before: Json, key: str, empty: object) -> object:
    return (given[key] or empty) if key in given else before[key]


def _flags(given: Json, old: Message | None) -> int:
    asked: int = given.get("flags") or 0
    if old is None:
        return asked & SETTABLE
    flags = old.flags & ~MessageFlag.LOADING | asked & CHANGEABLE
    if "flags" in given and not asked & MessageFlag.SUPPRESS_EMBEDS:
        flags &= ~MessageFlag.SUPPRESS_EMBEDS
    return flags


def _attachments(
    world: World,
    channel: Channel,
    given: Json,
    files: Mapping[str, File],
    before: Sequence[Json],
) -> list[Json]:
    """Return the attachments that stay, and those that come as files."""
    described = {str(one["id"]): one for one in given.get("attachments") or []}
    if given.get("attachments") is not None:
        before = [one for one in before if one["id"] in described]
    new = [
        _attachment(world, channel, file, described.get(number, {}))
        for number, file in files.items()
    ]
    return [*before, *new]


def _attachment(world: World, channel: Channel, file: File, described: Json) -> Json:
    number, name = str(world.ids()), described.get("filename") or file.name
    if len(file.content) > world.settings.max_file:
        raise ApiError(40005)
    world.blobs[number] = file.content
    url = f"{world.url}/attachments/{channel.id}/{number}/{name}"
    return {
        "id": number,
        "filename": name,
        "size": len(file.content),
        "url": url,
        "proxy_url": url,
        "description": described.get("description"),
        "content_type": mimetypes.guess_type(name)[0] or "application/octet-stream",
        "flags": 0,
        "width": 1,
        "height": 1,
    }


def _check(world: World, channel: Channel, given: Json, fields: Json, *, components: bool) -> None:
    """`components`: whether these are new, and not those of before."""
    form, names = Form(), {one["filename"] for one in fields["attachments"]}
    form.length("content", fields["content"], 0, MOST_CONTENT)
    is_v2 = bool(fields["flags"] & MessageFlag.V2)
    if is_v2:
        _no_legacy(form, given | {key: fields[key] for key in ("content", "embeds")})
    elif fields["embeds"]:
        check_embeds(form, fields["embeds"], names)
    if len(fields["attachments"]) > MOST_ATTACHMENTS:
        form.most("attachments", MOST_ATTACHMENTS)
    if fields["components"] and components:
        known = world.known_emojis(channel.guild)
        checks = Components(form, v2=is_v2, known_emojis=known, files=names)
        checks.message(fields["components"])
        _settle(fields["components"], fields["attachments"])
    form.check()
    if not _has_something(given, fields):
        raise ApiError(50006)
    for embed in fields["embeds"]:
        embed.setdefault("type", "rich")
        for key in ("image", "thumbnail"):
            _fill_in(embed.get(key), fields["attachments"])


def _check_pictures(
    world: World, given: Json, files: Mapping[str, File], components: Sequence[Json]
) -> None:
    """ApiError for an edit that shows a file as this Discord does not take it."""
    brought = {file.name for file in files.values()}
    listed = brought | {one.get("filename") for one in given.get("attachments") or []}
    shown = set(_shown(components))
    if shown - listed and not world.settings.kept_names:
        form = Form()
        form.add(
            "components",
            "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
            "The referenced attachment was not found in the attachments list",
        )
        form.check()
    if shown & brought and not world.settings.edits_show_files:
        raise ApiError(50035, 400, "Invalid Form Body")


def _shown(components: Sequence[Json]) -> Iterator[str]:
    """Return the names of the message's own files that it shows."""
    for component in walk(components):
        items = component.get("items") or []
        for media in (component.get("media"), component.get("file"), *(i["media"] for i in items)):
            if media and str(media.get("url")).startswith(ATTACHMENT):
                yield media["url"].removeprefix(ATTACHMENT)


def _no_legacy(form: Form, given: Json) -> None:
    for key in LEGACY:
        if given.get(key):
            form.add(
                key,
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )


def _has_something(given: Json, fields: Json) -> bool:
    shown = [fields[key] for key in ("embeds", "components", "attachments")]
    asked = [given.get("poll"), given.get("sticker_ids")]
    return bool(fields["content"].strip() or any(shown) or any(asked))


def _settle(components: Sequence[Json], attachments: Sequence[Json]) -> None:
    """Write components as Discord answers them: ids as strings, files by their addresses."""
    for component in walk(components):
        emoji = component.get("emoji")
        if emoji and emoji.get("id"):
            emoji["id"] = str(emoji["id"])
        _fill_in(component.get("media"), attachments)
        _fill_in(component.get("file"), attachments)
        for item in component.get("items") or []:
            _fill_in(item.get("media"), attachments)


def _fill_in(media: Json | None, attachments: Sequence[Json]) -> None:
    """Replace an address within the message by that of the file."""
    url = (media or {}).get("url") or ""
    if media is None or not url.startswith(ATTACHMENT):
        return
    name = url.removeprefix(ATTACHMENT)
    found = next((one for one in attachments if one["filename"] == name), None)
    if found is not None:
        media["url"] = media["proxy_url"] = found["url"]
        media["attachment_id"] = found["id"]
