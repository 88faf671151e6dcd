"""Components of a message, with and without Components V2."""

from collections.abc import Callable, Container, Mapping, Sequence

from bot.fakediscord.constants import SELECTS, ButtonStyle, ComponentType
from bot.fakediscord.types import Json
from bot.fakediscord.validation.errors import Form

ATTACHMENT = "attachment://"
IN_CONTAINER = (
    ComponentType.ROW,
    ComponentType.SECTION,
    ComponentType.TEXT,
    ComponentType.GALLERY,
    ComponentType.FILE,
    ComponentType.SEPARATOR,
)
TOP = (*IN_CONTAINER, ComponentType.CONTAINER)
MOST_ROWS = 5
MOST_COMPONENTS = 40
MOST_TEXT = 4000
MOST_VALUES = 25
FIRST_EMOJI = 0xA9
"""Code point below which a character is no emoji."""


class Components:
    """The checks of one message's components.

    `known_emojis`: ids of custom emojis; `files`: names that a component may show a file by;
    `pictures`: those that a gallery or thumbnail may, if not the same.
    """

    def __init__(
        self,
        form: Form,
        *,
        v2: bool,
        known_emojis: Container[int],
        files: Container[str],
        pictures: Container[str] | None = None,
    ) -> None:
        self._form, self._v2 = form, v2
        self._known, self._files = known_emojis, files
        self._pictures = files if pictures is None else pictures
        self._custom_ids: set[str | None] = set()
        self._ids: set[int] = set()
        self._count = self._text = 0
        self._checks: Mapping[int, Callable[[Json, str], None]] = {
            ComponentType.ROW: self._row,
            ComponentType.BUTTON: self._button,
            ComponentType.SECTION: self._section,
            ComponentType.TEXT: self._text_display,
            ComponentType.THUMBNAIL: self._thumbnail,
            ComponentType.GALLERY: self._gallery,
            ComponentType.FILE: self._file,
            ComponentType.CONTAINER: self._container,
            **dict.fromkeys(SELECTS, self._select),
        }

    def message(self, components: Sequence[Json]) -> None:
        """Raise an `ApiError` for what Discord would refuse."""
        if not self._v2 and len(components) > MOST_ROWS:
            self._form.between("components", len(components), 1, MOST_ROWS)
        for index, component in enumerate(components):
            allowed = TOP if self._v2 else (ComponentType.ROW,)
            self._component(component, f"components.{index}", allowed)
        if self._v2:
            self._totals()
        self._form.check()

    def _totals(self) -> None:
        if self._count > MOST_COMPONENTS:
            self._form.add(
                "components",
                "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
                f"The total number of components cannot exceed {MOST_COMPONENTS}",
            )
        if self._text > MOST_TEXT:
            self._form.add(
                "components",
                "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                "The total displayable text size of components exceeds the maximum size of "
                f"{MOST_TEXT}",
            )

    def _component(self, component: Json, path: str, allowed: Sequence[int]) -> None:
        kind = component.get("type")
        self._count += 1
        if kind not in allowed:
            self._form.add(
                f"{path}.type",
                "UNION_TYPE_CHOICES",
                f'Value of field "type" must be one of {tuple(map(int, allowed))}.',
            )
            return
        self._id(component, path)
        check = self._checks.get(component["type"])
        if check is not None:
            check(component, path)

    def _id(self, component: Json, path: str) -> None:
        if component.get("id"):
            if component["id"] in self._ids:
                self._form.add(
                    f"{path}.id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"
                )
            self._ids.add(component["id"])

    def _text_display(self, display: Json, path: str) -> None:
        content = display.get("content")
        self._form.length(f"{path}.content", content, 1, MOST_TEXT)
        self._text += len(content or "")

    def _children(self, component: Json, path: str, allowed: Sequence[int]) -> None:
        for index, child in enumerate(component.get("components") or []):
            self._component(child, f"{path}.components.{index}", allowed)

    def _row(self, row: Json, path: str) -> None:
        children = row.get("components") or []
        self._form.between(f"{path}.components", len(children), 1, 5)
        if len(children) > 1 and any(child.get("type") in SELECTS for child in children):
            self._form.add(
                path,
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )
        self._children(row, path, (ComponentType.BUTTON, *SELECTS))

    def _section(self, section: Json, path: str) -> None:
        self._form.between(f"{path}.components", len(section.get("components") or []), 1, 3)
        self._children(section, path, (ComponentType.TEXT,))
        if section.get("accessory"):
            accessories = (ComponentType.BUTTON, ComponentType.THUMBNAIL)
            self._component(section["accessory"], f"{path}.accessory", accessories)
        else:
            self._form.require(f"{path}.accessory")

    def _container(self, container: Json, path: str) -> None:
        if not container.get("components"):
            self._form.between(f"{path}.components", 0, 1, MOST_COMPONENTS)
        self._children(container, path, IN_CONTAINER)

    def _thumbnail(self, thumbnail: Json, path: str) -> None:
        self._media(thumbnail.get("media"), f"{path}.media", self._pictures)

    def _file(self, file: Json, path: str) -> None:
        self._media(file.get("file"), f"{path}.file", self._files)

    def _gallery(self, gallery: Json, path: str) -> None:
        items = gallery.get("items") or []
        self._form.between(f"{path}.items", len(items), 1, 10)
        for index, item in enumerate(items):
            self._media(item.get("media"), f"{path}.items.{index}.media", self._pictures)

    def _media(self, media: Json | None, path: str, names: Container[str]) -> None:
        url = (media or {}).get("url") or ""
        if not url.startswith(("http://", "https://", ATTACHMENT)):
            self._form.require(f"{path}.url")
        elif url.startswith(ATTACHMENT) and url.removeprefix(ATTACHMENT) not in names:
            self._form.add(
                f"{path}.url",
                "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                "The referenced attachment was not found",
            )

    def _custom_id(self, component: Json, path: str) -> None:
        custom_id = component.get("custom_id")
        self._form.length(f"{path}.custom_id", custom_id, 1, 100)
        if custom_id in self._custom_ids:
            self._form.add(
                f"{path}.custom_id",
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        self._custom_ids.add(custom_id)

    def _emoji(self, component: Json, path: str) -> None:
        emoji = component.get("emoji")
        if emoji and not self._is_emoji(emoji):
            key = "id" if emoji.get("id") else "name"
            self._form.add(f"{path}.emoji.{key}", "COMPONENT_INVALID_EMOJI", "Invalid emoji")

    def _is_emoji(self, emoji: Json) -> bool:
        if emoji.get("id"):
            return int(emoji["id"]) in self._known
        return any(ord(character) >= FIRST_EMOJI for character in emoji.get("name") or "")

    def _button(self, button: Json, path: str) -> None:
        style = button.get("style")
        if style not in range(ButtonStyle.PRIMARY, ButtonStyle.PREMIUM + 1):
            self._form.add(
                f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}."
            )
        if style == ButtonStyle.LINK:
            self._form.length(f"{path}.url", button.get("url"), 1, 512)
        elif style != ButtonStyle.PREMIUM:
            self._custom_id(button, path)
            if button.get("url"):
                self._form.add(
                    f"{path}.custom_id",
                    "COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified",
                )
        if button.get("label") is not None:
            self._form.length(f"{path}.label", button["label"], 0, 80)
        if not button.get("label") and not button.get("emoji") and style != ButtonStyle.PREMIUM:
            self._form.add(path, "BUTTON_COMPONENT_INVALID", "A button must have a label or emoji")
        self._emoji(button, path)

    def _select(self, select: Json, path: str) -> None:
        self._custom_id(select, path)
        if select.get("placeholder") is not None:
            self._form.length(f"{path}.placeholder", select["placeholder"], 0, 150)
        most = MOST_VALUES
        if select["type"] == ComponentType.TEXT_SELECT:
            self._options(select, path)
            most = min(most, len(select.get("options") or []))
        low, high = select.get("min_values", 1), select.get("max_values", 1)
        if not 0 <= low <= high or not 1 <= high <= most:
            self._form.add(
                f"{path}.max_values", "NUMBER_TYPE_MAX", "min_values / max_values out of range"
            )

    def _options(self, select: Json, path: str) -> None:
        options = select.get("options") or []
        self._form.between(f"{path}.options", len(options), 1, MOST_VALUES)
        seen: set[str | None] = set()
        for index, option in enumerate(options):
            here = f"{path}.options.{index}"
            self._form.length(f"{here}.label", option.get("label"), 1, 100)
            self._form.length(f"{here}.value", option.get("value"), 1, 100)
            if option.get("description") is not None:
                self._form.length(f"{here}.description", option["description"], 0, 100)
            if option.get("value") in seen:
                self._form.add(
                    f"{here}.value",
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            seen.add(option.get("value"))
            self._emoji(option, here)
