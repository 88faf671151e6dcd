"""Components of a message, as Discord answers them."""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from bot.fakediscord.constants import ComponentType
from bot.fakediscord.model.items import walk
from bot.fakediscord.types import Json


class Medium(NamedTuple):
    """A picture or file in a component. `told`: what Discord answers in place of its address."""

    told: Json
    name: str | None = None
    size: int | None = None


Media: TypeAlias = Callable[[str], Medium]
"""Finds a medium by the address that the bot gave."""
_SELECT: Json = {"min_values": 1, "max_values": 1}
_ALWAYS: Mapping[int, Json] = {
    ComponentType.TEXT_SELECT: _SELECT,
    ComponentType.USER_SELECT: _SELECT,
    ComponentType.ROLE_SELECT: _SELECT,
    ComponentType.MENTIONABLE_SELECT: _SELECT,
    ComponentType.CHANNEL_SELECT: _SELECT,
    ComponentType.THUMBNAIL: {"description": None, "spoiler": False},
    ComponentType.FILE: {"spoiler": False},
    ComponentType.SEPARATOR: {"spacing": 1, "divider": True},
    ComponentType.CONTAINER: {"accent_color": None, "spoiler": False},
}
"""Fields that Discord answers whether or not they were given, with their values if not."""
_TOLD = frozenset(
    (
        *("type", "id", "style", "label", "disabled", "custom_id", "url", "sku_id", "content"),
        *("placeholder", "min_values", "max_values", "default_values", "channel_types"),
        *("description", "spoiler", "spacing", "divider", "accent_color"),
    )
)
"""Fields that Discord answers as they were given, unless they are null."""
_CHANGED = frozenset(("emoji", "options", "items", "media", "file", "components", "accessory"))
"""Fields that Discord answers in a form of its own."""
_OPTION = ("label", "value", "description", "default")


def answered(components: Sequence[Json], media: Media) -> list[Json]:
    """Return components as Discord answers them. What was given is left as it is.

    Those without an id get the lowest that is free, each before the components inside it.
    """
    told = [_component(one, media) for one in components]
    every = [*walk(told)]
    taken = {one["id"] for one in every if one.get("id")}
    free = 1
    for component in every:
        if not component.get("id"):
            while free in taken:
                free += 1
            component["id"] = free
            taken.add(free)
    return told


def _component(given: Json, media: Media) -> Json:
    told = dict(_ALWAYS.get(given["type"], {})) | _kept(given, _TOLD)
    if _CHANGED.isdisjoint(given):
        return told
    if given.get("emoji"):
        told["emoji"] = _emoji(given["emoji"])
    if "options" in given:
        told["options"] = [_option(one) for one in given["options"]]
    if "items" in given:
        told["items"] = [_item(one, media) for one in given["items"]]
    if given.get("media"):
        told["media"] = media(given["media"]["url"]).told
    if given.get("file"):
        file = media(given["file"]["url"])
        told |= {"file": file.told, "name": file.name, "size": file.size}
    if "components" in given:
        told["components"] = [_component(one, media) for one in given["components"] or []]
    if given.get("accessory"):
        told["accessory"] = _component(given["accessory"], media)
    return told


def _kept(given: Json, names: Container[str]) -> Json:
    return {key: value for key, value in given.items() if key in names and value is not None}


def _emoji(given: Json) -> Json:
    told: Json = {"name": given.get("name") or "_"}
    if given.get("id"):
        told |= {"id": str(given["id"]), "animated": bool(given.get("animated"))}
    return told


def _option(given: Json) -> Json:
    told = _kept(given, _OPTION)
    return told | ({"emoji": _emoji(given["emoji"])} if given.get("emoji") else {})


def _item(given: Json, media: Media) -> Json:
    return {
        "media": media(given["media"]["url"]).told,
        "description": given.get("description"),
        "spoiler": bool(given.get("spoiler")),
    }
