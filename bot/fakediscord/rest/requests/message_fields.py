"""The fields of a message that its author chooses: checked, and with files in place."""

import copy
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.fakediscord.constants import MessageFlag
from bot.fakediscord.model.components import answered
from bot.fakediscord.model.payloads import empty_fields
from bot.fakediscord.model.places import Channel, Message
from bot.fakediscord.rest.requests.attachments import Attached, attached
from bot.fakediscord.rest.requests.routing import File
from bot.fakediscord.types import Json
from bot.fakediscord.validation.components import ATTACHMENT, Components
from bot.fakediscord.validation.embeds_and_modals import check_embeds
from bot.fakediscord.validation.errors import ApiError, Form
from bot.fakediscord.world import World

MOST_CONTENT = 2000
MOST_ATTACHMENTS = 10
CHANGEABLE = MessageFlag.V2 | MessageFlag.SUPPRESS_EMBEDS
"""Flags that an edit may set."""
SETTABLE = CHANGEABLE | MessageFlag.SILENT | MessageFlag.EPHEMERAL
LEGACY = ("content", "embeds", "poll", "sticker_ids")
"""Fields that a message of Components V2 cannot have."""


class Fields(NamedTuple):
    """The author's part of a message: its `payload`, and `files`, shown in components or not."""

    payload: Json
    files: Sequence[Json]


def message_fields(
    world: World,
    channel: Channel,
    given: Json,
    files: Mapping[str, File],
    old: Message | None,
    *,
    keeps: bool = True,
) -> Fields:
    """Return content, embeds, components, attachments and flags of a new or edited message.

    `keeps`: whether files stay that the request does not speak of. ApiError for what Discord would
    refuse.
    """
    before = old.data if old else empty_fields()
    there = attached(world, channel, given, files, old, keeps=keeps)
    fields: Json = {
        "content": _chosen(given, before, "content", ""),
        "embeds": copy.deepcopy(_chosen(given, before, "embeds", [])),
        "components": _chosen(given, before, "components", []),
        "attachments": there.all_of_them,
        "flags": _flags(given, old),
    }
    is_new = old is None or fields["components"] is not before["components"]
    _check(world, channel, given, fields, there if is_new else None)
    if fields["components"] and is_new:
        fields["components"] = answered(fields["components"], there.medium)
    fields["content"] = fields["content"].strip()
    fields["attachments"] = there.listed(fields["components"])
    return Fields(fields, there.all_of_them)


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


def _check(
    world: World, channel: Channel, given: Json, fields: Json, shown: Attached | None
) -> None:
    """Check the fields of a message.

    `shown`: the files that components show, if there are new ones and not those of before.
    """
    form, names = Form(), {one["filename"] for one in fields["attachments"]}
    form.length("content", fields["content"], 0, MOST_CONTENT)
    is_v2 = bool(fields["flags"] & MessageFlag.V2)
    if is_v2:
        _no_legacy(form, given | {key: fields[key] for key in ("content", "embeds")})
    elif fields["embeds"]:
        check_embeds(form, fields["embeds"], names)
    if len(fields["attachments"]) > MOST_ATTACHMENTS:
        form.most("attachments", MOST_ATTACHMENTS)
    if fields["components"] and shown is not None:
        known = world.known_emojis(channel.guild)
        named, pictures = shown.named, shown.pictures
        checks = Components(form, v2=is_v2, known_emojis=known, files=named, pictures=pictures)
        checks.message(fields["components"])
    form.check()
    if not _has_something(given, fields):
        raise ApiError(50006)
    for embed in fields["embeds"]:
        embed.setdefault("type", "rich")
        for key in ("image", "thumbnail"):
            _fill_in(embed.get(key), fields["attachments"])


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


def _fill_in(media: Json | None, attachments: Sequence[Json]) -> None:
    """Replace an address within the message by that of the file."""
    url = (media or {}).get("url") or ""
    if media is None or not url.startswith(ATTACHMENT):
        return
    name = url.removeprefix(ATTACHMENT)
    found = (one["url"] for one in attachments if one["filename"] == name)
    media["url"] = media["proxy_url"] = next(found, url)
