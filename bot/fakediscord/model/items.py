"""Components of a message one by one, as a person sees them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.fakediscord.types import Json

CHILDREN = ("accessory", "component")
"""Keys under which a component holds one other."""


@dataclass(frozen=True, slots=True, repr=False)
class Item:
    """One component. `raw` is its payload."""

    raw: Json

    @property
    def type(self) -> int:
        return int(self.raw["type"])

    @property
    def custom_id(self) -> str | None:
        return self.raw.get("custom_id")

    @property
    def label(self) -> str | None:
        return self.raw.get("label")

    @property
    def style(self) -> int | None:
        return self.raw.get("style")

    @property
    def disabled(self) -> bool:
        return bool(self.raw.get("disabled"))

    @property
    def options(self) -> Sequence[Json]:
        return self.raw.get("options") or []

    @property
    def content(self) -> str | None:
        return self.raw.get("content")

    @property
    def url(self) -> str | None:
        return self.raw.get("url")

    @property
    def emoji(self) -> str | None:
        """A Unicode emoji, or `<:name:id>`."""
        emoji: Mapping[str, str] = self.raw.get("emoji") or {}
        if emoji.get("id"):
            return f"<:{emoji.get('name')}:{emoji['id']}>"
        return emoji.get("name")

    def __repr__(self) -> str:
        face = f"{self.emoji or ''}{self.label or ''}{' off' if self.disabled else ''}"
        return f"<Item {self.type} {self.custom_id or self.content!r} {face}>"


def walk(components: Sequence[Json]) -> Iterator[Json]:
    """Yield every component, each before those inside it."""
    for component in components:
        yield component
        if inside := component.get("components"):
            yield from walk(inside)
        for key in CHILDREN:
            if component.get(key):
                yield from walk([component[key]])
