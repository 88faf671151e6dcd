"""Lines of a screen in Discord's markdown: with emojis, as text, or in plain words."""

from collections.abc import Sequence
from functools import lru_cache
from typing import assert_never

from bot.i18n import figure, say
from bot.screen import Bar, Cell, Column, Grid, Letters, Line, Look, Piles, Sentence, Track
from bot.text import Name, Number, Text, change
from bot.ui.render import marks
from bot.ui.render.marks import Reader
from bot.ui.render.names import columns

CELLS = 5
"""Cells in a bar."""
ALARM = "🚨"
"""Beside the name of whoever is about to finish."""

BETWEEN = " · "
"""The separator between two items in a line."""
APART = "\u2002"
"""The space between piles of two colours in a line: no client drops or breaks it."""

NAMED_PILES = 4
"""The most piles of a colour that plain text names one by one."""
NO_CARD = {"dot": Text("column.gap"), "back": Text("column.back")}
"""A column's words in plain text where no card is to be seen."""
NAMED_BELOW = 1
"""The cards under a column's top that plain text names: the next one that comes free."""

KEPT = 4096
"""Entries in the caches of buttons and lines, most of which are drawn again and again."""


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
        case Letters(colours):
            return _letters(colours, reader)
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
        return _told(reader.card(colour), there or none, reader)
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
    return _colour_in_words(reader.card(colour), tops, reader)


def _colour_in_words(colour: str, tops: Sequence[str], reader: Reader) -> str:
    """Return the numbers on top of a colour's piles, from the lowest: what comes next follows.

    A pile that is full takes nothing more, so it isn't named beside others. With many piles each
    number is named once. So it stays one line.
    """
    numbers = sorted(int(top) for top in tops if top not in (marks.EMPTY, marks.FULL))
    many = len(numbers) > NAMED_PILES
    told = ", ".join(str(one) for one in (dict.fromkeys(numbers) if many else numbers))
    if not numbers and marks.FULL in tops:
        told = say(Text("piles.full"), reader.locale)
    key = "piles.many" if many else "piles.there" if told else "piles.none"
    return say(Text(key, (("colour", colour), ("tops", told))), reader.locale)


def _column(column: Column, reader: Reader) -> str:
    if reader.faces:
        return f"`{column.number}` {''.join(reader.faces[icon] for icon in column.icons)}"
    if reader.plain:
        return _column_in_words(column, reader)
    cards = [marks.covered(icon, reader) for icon in column.icons]
    return f"`{column.number} {' '.join(cards)}`"


def _column_in_words(column: Column, reader: Reader) -> str:
    """Return a column's top and the card under it, after how many more lie there: `1: +3, …`."""
    shown = column.icons[-1 - NAMED_BELOW :]
    more = column.below + len(column.icons) - len(shown)
    if (no_card := NO_CARD.get(column.icons[-1])) is not None:
        return _told(str(column.number), say(no_card, reader.locale), reader)
    cards = [reader.card(icon) for icon in shown]
    told = ", ".join([f"+{more}", *cards] if more else cards)
    return _told(str(column.number), told, reader)


def _told(what: str, told: str, reader: Reader) -> str:
    """Return `what: told` with the colon of the reader's language: French has a space before it."""
    return say(Text("piles.many", (("colour", what), ("tops", told))), reader.locale)


def _bar(bar: Bar, reader: Reader) -> str:
    left = bar.left or 0
    full = -(-left * CELLS // bar.top)
    number = "–" if bar.left is None else str(bar.left)
    points = "" if bar.points is None else f"{BETWEEN}{change(bar.points)}"
    cells = "▰" * full + "▱" * (CELLS - full)
    name = marks.Words(reader).name(bar.name) + (f" {ALARM}" if bar.alarm else "")
    return f"{cells} **{number}** {name}{points}"


def _letters(colours: Sequence[str], reader: Reader) -> str:
    """Return the letters that are not the first of their colour's name in the reader's language."""
    words = Reader(reader.locale, plain=True)
    told = [
        f"{letter} = {name}"
        for letter, name in ((reader.card(one), words.card(one)) for one in colours)
        if not name.startswith(letter)
    ]
    if reader.plain or not told:
        return ""
    said = Text("letters.are", (("letters", BETWEEN.join(told)),))
    return Look.SMALL.value + say(said, reader.locale)


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
