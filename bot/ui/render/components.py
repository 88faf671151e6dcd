"""Screens as Discord components: one container with texts and rows of buttons."""

from functools import lru_cache
from typing import Any, TypeAlias, assert_never

import discord
import orjson
from discord import ui

from bot.i18n import say
from bot.screen import (
    ASIDE,
    Block,
    Choice,
    Pick,
    PickChannel,
    Picture,
    Row,
    Rule,
    Screen,
    Style,
    Words,
)
from bot.tables.state.journal import TableId
from bot.text import Text
from bot.ui.render import marks
from bot.ui.render.custom_ids import CustomId, custom_id
from bot.ui.render.lines import KEPT, line
from bot.ui.render.marks import Reader

STYLES = {
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.SUCCESS: discord.ButtonStyle.success,
    Style.SECONDARY: discord.ButtonStyle.secondary,
}
ROW, BUTTON, TEXT, RULE, CONTAINER, CHANNELS = (
    kind.value
    for kind in (
        discord.ComponentType.action_row,
        discord.ComponentType.button,
        discord.ComponentType.text_display,
        discord.ComponentType.separator,
        discord.ComponentType.container,
        discord.ComponentType.channel_select,
    )
)

Part: TypeAlias = dict[str, Any]
"""A component as Discord's JSON."""
_ASIDE = f"{ASIDE}:"


class Drawn(ui.LayoutView):
    """A message's content as raw JSON, which discord.py only has to send.

    Building a discord.py object per button would cost more than the rest of an answer. Nothing of a
    view's own state is made either: it is finished from the start, so discord.py keeps no reference
    to it. Presses are handled by custom id only (`bot.ui.presses.presses`), before and after a
    restart.
    """

    timeout = None  # discord.py reads it before it asks `is_dispatchable`

    def __init__(self, *parts: Part) -> None:
        self._parts = list(parts)

    def is_finished(self) -> bool:
        return True

    @property
    def json(self) -> bytes:
        """The JSON array of the components, as requests carry it."""
        return orjson.dumps(self._parts)

    def to_components(self) -> list[Part]:
        return self._parts

    def has_components_v2(self) -> bool:
        return True

    def is_dispatchable(self) -> bool:
        return False


def layout(screen: Screen, table: TableId, reader: Reader) -> ui.LayoutView:
    """Return a table's screen, ready to send.

    Words that begin with `ASIDE` are complete custom ids of buttons outside the table's own; if
    one ends with a colon, the table's number is appended.
    """
    ours = custom_id(table, screen.round, "")

    def to_id(word: str) -> str:
        if not word.startswith(_ASIDE):
            return ours + word
        return f"{word}{table}" if word.endswith(":") else word

    return view(screen, to_id, reader)


def view(screen: Screen, to_id: CustomId, reader: Reader, *below: ui.Item[Any]) -> ui.LayoutView:
    """Return a screen ready to send, with the items of `below` under it."""
    parts = [_block(block, to_id, reader) for block in screen.blocks]
    parts += [item.to_component_dict() for item in below]
    return Drawn({"type": CONTAINER, "components": parts})


class Beside(Drawn):
    """The buttons and lists of a message that has a text and attachments instead of components."""

    def has_components_v2(self) -> bool:
        return False


def beside(screen: Screen, to_id: CustomId, reader: Reader) -> tuple[str, ui.LayoutView]:
    """Return a screen as the text of a message, and the buttons below it. Pictures are left out."""
    texts = [_block(block, to_id, reader) for block in screen.blocks if isinstance(block, Words)]
    rows = [block for block in screen.blocks if isinstance(block, Row | Pick)]
    content = "\n".join(text["content"] for text in texts)
    return content, Beside(*(_block(row, to_id, reader) for row in rows))


def note(text: Text, locale: str) -> ui.LayoutView:
    """Return a short message without buttons, ready to send."""
    return Drawn(_text(say(text, locale, marks.Words(Reader(locale)))))


def _block(block: Block, to_id: CustomId, reader: Reader) -> Part:
    match block:
        case Words(lines):
            return _text("\n".join(said for one in lines if (said := line(one, reader))))
        case Row(choices):
            buttons = [_button(choice, to_id, reader) for choice in choices]
            return {"type": ROW, "components": buttons}
        case Pick():
            return ui.ActionRow[Any](_select(block, to_id, reader)).to_component_dict()
        case PickChannel():
            return {"type": ROW, "components": [_channels(block, to_id)]}
        case Rule():
            return {"type": RULE}
        case Picture(file, shows):
            told = say(shows, reader.locale, marks.Code(reader))
            item = discord.MediaGalleryItem(f"attachment://{file}", description=told)
            media: Part = ui.MediaGallery[Any](item).to_component_dict()  # type: ignore[no-untyped-call]
            return media
        case _:
            assert_never(block)


def _text(content: str) -> Part:
    return {"type": TEXT, "content": content}


def _button(choice: Choice, to_id: CustomId, reader: Reader) -> Part:
    face = _face(choice.label, choice.icon, choice.style, reader)
    return {**face, "disabled": choice.off, "custom_id": to_id(choice.word)}


@lru_cache(KEPT)
def _face(words: Text, icon: str, style: Style, reader: Reader) -> Part:
    """Return a button without its custom id, so that buttons that look alike share an entry."""
    face: Part = {"type": BUTTON, "style": STYLES[style].value, "label": label(words, reader)}
    if icon and (emoji := marks.emoji(icon, reader)) is not None:
        face["emoji"] = discord.PartialEmoji.from_str(emoji).to_dict()
    return face


def _select(pick: Pick, to_id: CustomId, reader: Reader) -> ui.Select[Any]:
    options = [
        discord.SelectOption(label=label(words, reader), value=value, default=value == pick.chosen)
        for value, words in pick.values
    ]
    return ui.Select(custom_id=to_id(pick.word), options=options)


def _channels(pick: PickChannel, to_id: CustomId) -> Part:
    """Return Discord's own list of the channels that whoever picks one can see."""
    chosen = [] if pick.chosen is None else [{"id": str(pick.chosen), "type": "channel"}]
    return {
        "type": CHANNELS,
        "custom_id": to_id(pick.word),
        "channel_types": [discord.ChannelType.text.value, discord.ChannelType.news.value],
        "min_values": 0,
        "max_values": 1,
        "default_values": chosen,
    }


def label(text: Text, reader: Reader) -> str:
    """Return the text of a button or of a choice in a list."""
    return say(text, reader.locale, marks.Label(reader))
