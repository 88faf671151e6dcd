"""Files of a message: those that stay, those that come, and what components may show."""

import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.fakediscord.model.components import Medium
from bot.fakediscord.model.items import walk
from bot.fakediscord.model.places import Channel, Message
from bot.fakediscord.rest.requests.routing import File
from bot.fakediscord.types import Json
from bot.fakediscord.validation.components import ATTACHMENT
from bot.fakediscord.validation.errors import ApiError
from bot.fakediscord.world import World


@dataclass(frozen=True, slots=True)
class Attached:
    """The attachments of a message while a request is read.

    `all_of_them`: those it has afterwards; `named`: those that the request may show by name;
    `pictures`: of these, those that a media gallery may show.
    """

    world: World
    all_of_them: Sequence[Json]
    named: Mapping[str, Json]
    pictures: Mapping[str, Json]

    def medium(self, url: str) -> Medium:
        """Find what a component shows by its address."""
        number = str(self.world.ids())
        file = self.named.get(url.removeprefix(ATTACHMENT))
        if file is None or not url.startswith(ATTACHMENT):
            return Medium({"id": number, "url": url, "proxy_url": url})
        sizes = {key: file[key] for key in ("width", "height", "content_type")}
        told = {"id": number, "url": file["url"], "proxy_url": file["proxy_url"], **sizes}
        told["attachment_id"] = file["id"]
        return Medium(told, file["filename"], file["size"])

    def listed(self, components: Sequence[Json]) -> list[Json]:
        """Return those that no component shows: a message lists no others."""
        if not self.all_of_them:
            return []
        shown = {_shown(media) for one in walk(components) for media in _media(one)}
        return [one for one in self.all_of_them if not shown & {one["id"], one["url"]}]


def _media(component: Json) -> list[Json]:
    items = [one.get("media") for one in component.get("items") or ()]
    return [one for one in (component.get("media"), component.get("file"), *items) if one]


def _shown(media: Json) -> str:
    """Return the id of the attachment that is shown, or its URL if the payload has no id."""
    return str(media.get("attachment_id") or media.get("url"))


def attached(
    world: World,
    channel: Channel,
    given: Json,
    files: Mapping[str, File],
    old: Message | None,
    *,
    keeps: bool,
) -> Attached:
    """Work out the attachments of a new or edited message. ApiError for a file that is too large.

    `keeps`: whether those that the request does not speak of stay. An answer to a press keeps none
    (discord-api-docs 6277); who brings a new one has to list the others (5170).
    """
    described = {str(one["id"]): one for one in given.get("attachments") or []}
    before = old.files if old else ()
    if given.get("attachments") is not None:
        kept = [one for one in before if one["id"] in described]
    else:
        kept = [*before] if keeps and not files else []
    new = [_new(world, channel, file, described.get(key, {})) for key, file in files.items()]
    told = {number for number, one in described.items() if one.get("filename")}
    named = [one for one in kept if world.settings.kept_names or one["id"] in told]
    pictures = [*named, *new] if old is None or world.settings.edits_show_files else named
    return Attached(world, [*kept, *new], _by_name([*named, *new]), _by_name(pictures))


def _by_name(files: Sequence[Json]) -> Mapping[str, Json]:
    return {one["filename"]: one for one in files}


def _new(world: World, channel: Channel, file: File, described: Json) -> Json:
    number, name = str(world.ids()), described.get("filename") or file.name
    if len(file.content) > world.settings.max_file:
        raise ApiError(40005)
    world.blobs[number] = file.content
    url = f"{world.url}/attachments/{channel.id}/{number}/{name}"
    said = {"description": described["description"]} if described.get("description") else {}
    return {
        "id": number,
        "filename": name,
        "size": len(file.content),
        "url": url,
        "proxy_url": url,
        **said,
        "content_type": mimetypes.guess_type(name)[0] or "application/octet-stream",
        "flags": 0,
        "width": 1,
        "height": 1,
    }
