"""Lines and buttons as JSON, made once for each reader.

Games and tables keep most of what they draw again and again, so the same object comes back. It is
known by its identity: to hash a value of nested values costs more than to join the rest of a
screen. A new object is looked up by what it says.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeAlias

import discord
import orjson

from bot.i18n import say
from bot.screen import Choice, Line, Style
from bot.text import Text
from bot.ui.render import marks
from bot.ui.render.custom_ids import CustomId
from bot.ui.render.lines import KEPT, line
from bot.ui.render.marks import Reader

KNOWN = 16_384
"""The most lines and buttons known by identity, for all readers together.

Beyond that all are dropped, and soon known again. 200 tables of four in six languages reach it
after some 15,000 panels.
"""
STYLES = {
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.SUCCESS: discord.ButtonStyle.success,
    Style.SECONDARY: discord.ButtonStyle.secondary,
}
BUTTON = discord.ComponentType.button.value

Known: TypeAlias = dict[int, tuple[object, bytes]]
"""JSON by the id of what it was made of, which is kept too, so that no other thing has its id."""


class KeptParts:
    """The lines and buttons of one reader. `count`: those of all readers."""

    count = 0

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._lines: Known = {}
        self._buttons: Known = {}

    def text(self, lines: Iterable[Line]) -> bytes:
        """Return lines as the inside of a JSON string. What says nothing to the reader is no line.

        Raises TypeError for half of a surrogate pair, as `buttons` does.
        """
        known, said = self._lines, []
        for one in lines:
            kept = known.get(id(one))
            if made := kept[1] if kept is not None else self._line(one):
                said.append(made)
        return b"\\n".join(said)

    def buttons(self, choices: Iterable[Choice], to_id: CustomId) -> bytes:
        """Return the JSON of buttons, with commas between them."""
        known, dumps, made = self._buttons, orjson.dumps, []
        for one in choices:
            kept = known.get(id(one))
            face = kept[1] if kept is not None else self._button(one)
            made.append(face + dumps(to_id(one.word)) + b"}")
        return b",".join(made)

    def _line(self, one: Line) -> bytes:
        return _keep(self._lines, one, orjson.dumps(line(one, self._reader))[1:-1])

    def _button(self, one: Choice) -> bytes:
        """Return a button up to its custom id."""
        face = _face(one.label, one.icon, one.style, one.off, self._reader)
        return _keep(self._buttons, one, face)


@lru_cache(KNOWN)
def kept_parts(reader: Reader) -> KeptParts:
    """Return what is kept for a reader. Whoever sees other emojis is another reader."""
    return KeptParts(reader)


def _keep(known: Known, one: object, made: bytes) -> bytes:
    if KeptParts.count >= KNOWN:
        kept_parts.cache_clear()
        KeptParts.count = 0
    KeptParts.count += 1
    known[id(one)] = one, made
    return made


@lru_cache(KEPT)
def _face(words: Text, icon: str | None, style: Style, off: bool, reader: Reader) -> bytes:  # noqa: FBT001 a key
    """Return a button without its custom id, so that buttons that look alike share an entry."""
    face: dict[str, Any] = {
        "type": BUTTON,
        "style": STYLES[style].value,
        "label": label(words, reader),
    }
    if icon and (emoji := marks.emoji(icon, reader)) is not None:
        face["emoji"] = discord.PartialEmoji.from_str(emoji).to_dict()
    return orjson.dumps({**face, "disabled": off})[:-1] + b',"custom_id":'


def label(text: Text, reader: Reader) -> str:
    """Return the text of a button or of a choice in a list."""
    return say(text, reader.locale, marks.Label(reader))
