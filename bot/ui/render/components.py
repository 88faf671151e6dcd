"""Screens as Discord components: one container with texts and rows of buttons, as JSON."""

from typing import Any, TypeAlias, assert_never

import discord
import orjson
from discord import ui

from bot.i18n import say
from bot.screen import (
    ASIDE,
    Block,
    Pick,
    PickChannel,
    Picture,
    Row,
    Rule,
    Screen,
    Words,
)
from bot.tables.state.journal import TableId
from bot.text import Text
from bot.ui.render import marks
from bot.ui.render.custom_ids import CustomId, custom_id
from bot.ui.render.kept import BUTTON, KeptParts, kept_parts, label
from bot.ui.render.lines import line
from bot.ui.render.marks import Reader

__all__ = ["BUTTON", "ROW", "RULE", "TEXT", "Drawn", "beside", "label", "layout", "note", "view"]

ROW, TEXT, RULE, CONTAINER, CHANNELS = (
    kind.value
    for kind in (
        discord.ComponentType.action_row,
        discord.ComponentType.text_display,
        discord.ComponentType.separator,
        discord.ComponentType.container,
        discord.ComponentType.channel_select,
    )
)

Part: TypeAlias = dict[str, Any]
"""A component as discord.py has it."""
_ASIDE = f"{ASIDE}:"
_TEXT = b'{"type":%d,"content":"' % TEXT
_ROW = b'{"type":%d,"components":[' % ROW
_RULE = b'{"type":%d}' % RULE
_CONTAINER = b'[{"type":%d,"components":[' % CONTAINER


class Drawn(ui.LayoutView):
    """A message's content as JSON, the array of its components, which only has to be sent.

    Building an object per button would cost more than the rest of an answer. Nothing of a
    view's own state is made either: it is finished from the start, so discord.py keeps no reference
    to it. Presses are handled by custom id only (`bot.ui.presses.presses`), before and after a
    restart.
    """

    timeout = None  # discord.py reads it before it asks `is_dispatchable`

    def __init__(self, json: bytes) -> None:
        self.json = json

    def is_finished(self) -> bool:
        return True

    def to_components(self) -> list[Part]:
        """Return the components for a request of discord.py's own."""
        parts: list[Part] = orjson.loads(self.json)
        return parts

    def has_components_v2(self) -> bool:
        return True

    def is_dispatchable(self) -> bool:
        return False


def layout(screen: Screen, table: TableId, reader: Reader) -> Drawn:
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


def view(screen: Screen, to_id: CustomId, reader: Reader, *below: ui.Item[Any]) -> Drawn:
    """Return a screen ready to send, with the items of `below` under it.

    Raises TypeError, as orjson does, for text that is no Unicode: half of a surrogate pair.
    """
    kept = kept_parts(reader)
    parts = [_block(block, to_id, reader, kept) for block in screen.blocks]
    parts += [orjson.dumps(item.to_component_dict()) for item in below]
    return Drawn(_CONTAINER + b",".join(parts) + b"]}]")


class Beside(Drawn):
    """The buttons and lists of a message that has a text and attachments instead of components."""

    def has_components_v2(self) -> bool:
        return False


def beside(screen: Screen, to_id: CustomId, reader: Reader) -> tuple[str, Drawn]:
    """Return a screen as the text of a message, and the buttons below it. Pictures are left out."""
    kept = kept_parts(reader)
    words = [block for block in screen.blocks if isinstance(block, Words)]
    said = [line(one, reader) for block in words for one in block.lines]
    rows = [block for block in screen.blocks if isinstance(block, Row | Pick)]
    drawn = b",".join([_block(row, to_id, reader, kept) for row in rows])
    return "\n".join(filter(None, said)), Beside(b"[%b]" % drawn)


def note(text: Text, locale: str) -> Drawn:
    """Return a short message without buttons, ready to send."""
    said = say(text, locale, marks.Words(Reader(locale)))
    return Drawn(orjson.dumps([{"type": TEXT, "content": said}]))


def _block(block: Block, to_id: CustomId, reader: Reader, kept: KeptParts) -> bytes:
    if isinstance(block, Words):
        return _TEXT + kept.text(block.lines) + b'"}'
    if isinstance(block, Row):
        return _ROW + kept.buttons(block.choices, to_id) + b"]}"
    return _rare(block, to_id, reader)


def _rare(block: Rule | Pick | PickChannel | Picture, to_id: CustomId, reader: Reader) -> bytes:
    match block:
        case Rule():
            return _RULE
        case Pick():
            row = ui.ActionRow[Any](_select(block, to_id, reader))
            return orjson.dumps(row.to_component_dict())
        case PickChannel():
            return orjson.dumps({"type": ROW, "components": [_channels(block, to_id)]})
        case Picture(file, shows):
            told = say(shows, reader.locale, marks.Code(reader))
            item = discord.MediaGalleryItem(f"attachment://{file}", description=told)
            media = ui.MediaGallery[Any](item).to_component_dict()  # type: ignore[no-untyped-call]
            return orjson.dumps(media)
        case _:
            assert_never(block)


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
