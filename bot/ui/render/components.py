"""Screens as Discord components: one container with texts and rows of buttons."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias, assert_never

import discord
from discord import ui

from bot.i18n import figure, say
from bot.screen import (
    ASIDE,
    Bar,
    Block,
    Cell,
    Choice,
    Column,
    Grid,
    Line,
    Look,
    Pick,
    PickChannel,
    Picture,
    Piles,
    Row,
    Rule,
    Screen,
    Sentence,
    Style,
    Track,
    Words,
)
from bot.tables.state.journal import TableId
from bot.text import Name, Number, Text
from bot.ui.render import marks
from bot.ui.render.custom_ids import CustomId, custom_id
from bot.ui.render.marks import Reader
from bot.ui.render.names import columns

STYLES = {
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.SUCCESS: discord.ButtonStyle.success,
    Style.SECONDARY: discord.ButtonStyle.secondary,
}
CELLS = 5
"""Cells in a bar."""
ALARM = "🚨"
"""Beside the name of whoever is about to finish."""

BETWEEN = " · "
"""The separator between two items in a line."""
APART = "\u2002"
"""The space between piles of two colours in a line: no client drops or breaks it."""

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
KEPT = 4096
"""Entries in the caches of buttons and lines, most of which are drawn again and again."""

Part: TypeAlias = dict[str, Any]
"""A component as Discord's JSON."""
_ASIDE = f"{ASIDE}:"


class Drawn(ui.LayoutView):
    """A message's content as raw JSON, which discord.py only has to send.

    Building a discord.py object per button would cost more than the rest of an answer. The view
    is stopped and not dispatchable, so discord.py keeps no reference to it: presses are handled
    by custom id only (`bot.ui.presses.presses`), before and after a restart.
    """

    def __init__(self, *parts: Part) -> None:
        super().__init__(timeout=None)
        self._parts = list(parts)
        self.stop()

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


def note(text: Text, locale: str) -> ui.LayoutView:
    """Return a short message without buttons, ready to send."""
    return Drawn(_text(say(text, locale, marks.Words(Reader(locale)))))


def _block(block: Block, to_id: CustomId, reader: Reader) -> Part:
    match block:
        case Words(lines):
            return _text("\n".join(line(one, reader) for one in lines))
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
            emojis: Part = ui.MediaGallery[Any](item).to_component_dict()  # type: ignore[no-untyped-call]
            return emojis
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


@lru_cache(KEPT)
def line(one: Line, reader: Reader) -> str:
    """Return a line of a screen in Discord's markdown."""
    match one:
        case Sentence(text, look):
            return _sentence(text, look, reader)
        case Track():
            return _track(one, reader)
        case Piles():
            return _piles(one, reader)
        case Column():
            return _column(one, reader)
        case Bar():
            return _bar(one, reader)
        case Grid(rows):
            return _grid(rows, reader)
        case _:
            assert_never(one)


def _sentence(text: Text, look: Look, reader: Reader) -> str:
    """Return a sentence; for plain text, one line per item and no small type."""
    said = say(text, reader.locale, marks.Words(reader))
    if not reader.plain:
        return look.value + said
    return ("" if look is Look.SMALL else look.value) + said.strip().replace(BETWEEN, "\n")


def _track(track: Track, reader: Reader) -> str:
    """Return a track as emojis, else as text with every place; plain text has only its numbers.

    An empty track still shows its colour's shape.
    """
    colour, faces = track.colour, reader.faces
    if faces:
        icons = ("gap", *track.icons[1:]) if track.icons[0] == "dot" else track.icons
        return "".join(marks.place(icon, colour, faces) for icon in icons)
    numbers = [marks.number(icon) for icon in track.icons]
    if reader.plain:
        there = ", ".join(filter(str.isdigit, numbers))
        none = say(Text("track.empty"), reader.locale)
        return f"{reader.card(colour)}: {there or none}"
    numbers += [marks.PLACES["dot"]] * (track.places - len(numbers))
    letter = reader.card(colour)
    return f"{marks.COLOURS[colour]} `{letter} {' '.join(numbers)}`"


def _piles(piles: Piles, reader: Reader) -> str:
    """Return piles as emojis; else a line of text per colour, in plain text in words."""
    if reader.faces:
        cards = APART.join("".join(reader.faces[i] for i in one) for one in piles.groups)
        return piles.look.value + cards
    return "\n".join(_colour(icons, reader) for icons in piles.groups)


def _colour(icons: tuple[str, ...], reader: Reader) -> str:
    colour, tops = icons[0][0], [icon[1:] for icon in icons]
    if not reader.plain:
        marked = {marks.EMPTY: marks.PLACES["gap"], marks.FULL: marks.TICK}
        shown = " ".join(marked.get(top, top) for top in tops)
        return f"{marks.COLOURS[colour]} `{reader.card(colour)} {shown}`"
    full = say(Text("piles.full"), reader.locale)
    there = [full if top == marks.FULL else top for top in tops if top != marks.EMPTY]
    named = (("colour", reader.card(colour)), ("tops", ", ".join(there)))
    return say(Text("piles.there" if there else "piles.none", named), reader.locale)


def _column(column: Column, reader: Reader) -> str:
    if reader.faces:
        return f"`{column.number}` {''.join(reader.faces[icon] for icon in column.icons)}"
    cards = [marks.covered(icon, reader) for icon in column.icons]
    if reader.plain:
        return f"{column.number}: {', '.join(cards)}"
    return f"`{column.number} {' '.join(cards)}`"


def _bar(bar: Bar, reader: Reader) -> str:
    left = bar.left or 0
    full = -(-left * CELLS // bar.top)
    number = "–" if bar.left is None else str(bar.left)
    points = "" if bar.points is None else f"{BETWEEN}{_signed(bar.points)}"
    cells = "▰" * full + "▱" * (CELLS - full)
    name = marks.Words(reader).name(bar.name) + (f" {ALARM}" if bar.alarm else "")
    return f"{cells} **{number}** {name}{points}"


def _signed(points: int) -> str:
    """Return points as a score shows them: with a plus, or a real minus sign."""
    return f"{points:+d}".replace("-", "−") if points else "0"


def _grid(rows: Sequence[Sequence[Cell]], reader: Reader) -> str:
    """Return a table as a code block: first column and names left-aligned, others right-aligned."""
    cells = [[_cell(cell, reader) for cell in row] for row in rows]
    widths = [_widest(cells, i) for i in range(len(cells[0]))]
    lines = [
        " ".join(
            _padded(said, widths[i], left=i == 0 or isinstance(row[i], Name))
            for i, said in enumerate(line)
        )
        for row, line in zip(rows, cells, strict=True)
    ]
    return "\n".join(("```", *(line.rstrip() for line in lines), "```"))


def _cell(cell: Cell, reader: Reader) -> str:
    match cell:
        case Name():
            return marks.Code(reader).name(cell)
        case Text():
            return say(cell, reader.locale, marks.Code(reader))
        case Number():
            return figure(cell, reader.locale)
        case _:
            return str(cell)


def _widest(cells: Sequence[Sequence[str]], i: int) -> int:
    """Return the width of a column."""
    return max(columns(row[i]) for row in cells if i < len(row))


def _padded(text: str, width: int, *, left: bool) -> str:
    space = " " * (width - columns(text))
    return text + space if left else space + text
