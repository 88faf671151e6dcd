"""Where the parts of a message stand in a client: pure arithmetic on component JSON.

Sizes are Discord's own as far as they are known (docs/platform.md), in CSS pixels: text 16 px on
lines of 22, small text 13 px on 18, an emoji 1.375 times its text. A letter's width is that of a
wide system font, so what fits here fits in narrower ones. The origin is the inner top left corner
of the container.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from bot.ui.render.components import BUTTON, ROW, RULE, TEXT

PHONE = 265
"""The inner width of a container that every phone has, down to 320 px."""
NARROW = 250
"""A width at which lines of text should stay whole all the same: people enlarge their letters."""
GAP = 8
"""Pixels between two blocks, two buttons and two lines of buttons."""
BUTTON_HEIGHT = 32
_WIDTHS = {
    "ijl|'!.,:;": 0.30,
    "ftrI()[]{}-` ": 0.38,
    "mwMW%@": 0.92,
    "ABCDEFGHJKLNOPQRSTUVXYZ&#+=…↓": 0.72,
}
_OF = {letter: width for letters, width in _WIDTHS.items() for letter in letters}
_LOOKS = (("# ", 24, 33, 24), ("## ", 20, 28, 24), ("### ", 16, 22, 24), ("-# ", 13, 18, 0))
"""A line's beginning, the size of its letters, its height, and the margins around it."""
_EMOJI = re.compile(r"<a?:\w+:\d+>|[\U0001F300-\U0001FAFF☀-➿]\ufe0f?")
_OWN_EMOJI = re.compile(r"<a?:\w+:\d+>")
"""On the demo's page one of them makes a small line higher. Discord sets both kinds alike."""
_MARKDOWN = re.compile(r"\*\*|\\|[\u2066-\u2069\u200b]")


@dataclass(frozen=True, slots=True)
class Placed:
    """A button where it stands. `row` and `place` count from 0, `row` the rows of the message."""

    row: int
    place: int
    label: str
    x: float
    y: float
    width: float


def placed(parts: list[dict[str, Any]], inner: float) -> list[Placed]:
    """Return every button of a container's parts, in a container that is `inner` pixels wide."""
    found: list[Placed] = []
    y, row = 0.0, 0
    for part in parts:
        if part["type"] == ROW:
            x = 0.0
            for place, button in enumerate(part["components"]):
                width = button_width(button)
                if x and x + width > inner:
                    x, y = 0.0, y + BUTTON_HEIGHT + GAP
                found.append(Placed(row, place, button.get("label", ""), x, y, width))
                x += width + GAP
            y += BUTTON_HEIGHT + GAP
            row += 1
        elif part["type"] == TEXT:
            y += sum(height for _, height in text_lines(part["content"], inner)) + GAP
        elif part["type"] == RULE:
            y += 1 + GAP
    return found


def height(parts: list[dict[str, Any]], inner: float) -> float:
    """Return the height of a message: at the end of a chat a smaller one moves all of it."""
    anchor = {"type": ROW, "components": [{"type": BUTTON}]}
    return placed([*parts, anchor], inner)[-1].y


def row_widths(parts: list[dict[str, Any]]) -> Iterator[tuple[float, str]]:
    """Yield the width of each row of buttons, gaps included, and what stands on them."""
    for part in parts:
        if part["type"] == ROW and all(one["type"] == BUTTON for one in part["components"]):
            widths = [button_width(one) for one in part["components"]]
            labels = " ".join(one.get("label", "") for one in part["components"])
            yield sum(widths) + GAP * (len(widths) - 1), labels


def button_width(button: dict[str, Any]) -> float:
    label = button.get("label", "")
    icon = 20 + (6 if label else 0) if button.get("emoji") else 0
    return max(60.0, 24 + icon + width(label, 14))


def text_lines(content: str, inner: float) -> Iterator[tuple[str, float]]:
    """Yield each line of a text with its height, wrapped at its spaces where it is too long."""
    in_code = False
    for line in content.splitlines():
        if line.startswith("```"):
            in_code = not in_code
            yield line, 15.0  # half of the frame
        elif in_code:
            yield line, 18.0
        else:
            yield line, _height(line, inner)


def _height(line: str, inner: float) -> float:
    start, size, height, margins = next(
        (look for look in _LOOKS if line.startswith(look[0])), ("", 16, 22, 0)
    )
    said = line.removeprefix(start)
    if start == "-# " and _OWN_EMOJI.search(said):
        height = 21
    return margins + height * wrapped(said, size, inner)


@lru_cache(4096)
def wrapped(said: str, size: float, inner: float) -> int:
    """Return how many lines a text takes."""
    lines, x = 1, 0.0
    for word in _words(said):
        wide = width(word, size)
        if x and x + width(word.rstrip(), size) > inner:
            lines, x = lines + 1, 0.0
        x += wide
    return lines


def _words(said: str) -> list[str]:
    """Break a text where a client may: after a space, and on both sides of an emoji."""
    breaks = {0, len(said)}
    breaks.update(found.end() for found in re.finditer(r"[ \u2002]+", said))
    for found in _EMOJI.finditer(said):
        breaks.update(found.span())
    return [said[start:end] for start, end in pairwise(sorted(breaks))]


@lru_cache(4096)
def width(said: str, size: float) -> float:
    """Return the width of a text without line breaks; letters of `size` pixels."""
    emojis = len(_EMOJI.findall(said))
    letters = _MARKDOWN.sub("", _EMOJI.sub("", said))
    return size * (1.375 * emojis + sum(_letter(one) for one in letters))


def _letter(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if unicodedata.combining(letter):
        return 0.0
    plain = unicodedata.normalize("NFD", letter)[0]
    return _OF.get(plain, 0.58)


def too_long(parts: list[dict[str, Any]], inner: float) -> list[str]:
    """Return the lines that are wrapped, for the words of a test."""
    lines = (line for one in parts if one["type"] == TEXT for line in one["content"].splitlines())
    return [line for line in lines if wrapped(*_letters(line), inner) > 1]


def _letters(line: str) -> tuple[str, float]:
    start, size, *_ = next((look for look in _LOOKS if line.startswith(look[0])), ("", 16))
    return line.removeprefix(str(start)), float(size)
