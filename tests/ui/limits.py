"""What Discord takes of a message, and what a phone has room for."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from discord import ui

from bot.fakediscord.validation.components import Components
from bot.fakediscord.validation.errors import Form
from bot.screen import ASIDE, Picture, Screen
from bot.ui.render.components import layout
from bot.ui.render.custom_ids import parse
from bot.ui.render.marks import Reader
from bot.ui.render.names import columns
from tests.ui.matches import PICTURE, TABLE

ROW, BUTTON, SELECT, TEXT = 1, 2, 3, 10
PAYLOAD = 10_170
"""Bytes of texts and 12 for each component above which Discord answers with an error 500."""
CARD = 6
"""Characters on a card's button: three in a row fit on a narrow phone."""
LABEL = 25
"""Columns of a button's words that a phone shows whole where it stands alone."""
PHONE = 25
"""Columns of a code block on a phone of 390 px."""
ENGLISH = Reader("en-US")


def sent(view: ui.LayoutView) -> list[dict[str, Any]]:
    """What discord.py would send."""
    payload: list[dict[str, Any]] = view.to_components()  # type: ignore[no-untyped-call]
    return payload


def nested(payload: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for one in payload:
        yield one
        yield from nested(one.get("components", ()))


def drawn(screen: Screen, reader: Reader = ENGLISH) -> list[dict[str, Any]]:
    """Every component of a screen."""
    return list(nested(sent(layout(screen, TABLE, reader))))


def fits(screen: Screen, reader: Reader = ENGLISH) -> list[dict[str, Any]]:
    """Every component of a screen. Raises when Discord would refuse it, or when it would not look
    as meant.
    """
    payload = sent(layout(screen, TABLE, reader))
    parts = list(nested(payload))
    texts = [part["content"] for part in parts if part["type"] == TEXT]
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(parts) <= 40
    assert sum(map(len, texts)) <= 4000
    assert all(text.strip() for text in texts)
    assert sum(len(text.encode()) for text in texts) + 12 * len(parts) <= PAYLOAD
    assert len(set(ids)) == len(ids)
    assert all(map(_can_be_sent, ids))
    for part in parts:
        if part["type"] == ROW:
            assert len(part["components"]) <= 3
        elif part["type"] == BUTTON:
            _fits_button(part["label"], part["custom_id"])
        elif part["type"] == SELECT:
            assert len(part["options"]) <= 25
            assert sum(option["default"] for option in part["options"]) <= 1
    files = {PICTURE, *(one.file for one in screen.blocks if isinstance(one, Picture))}
    Components(Form(), v2=True, known_emojis=_known(reader), files=files).message(payload)
    return parts


@cache  # the same buttons are on many screens
def _can_be_sent(custom_id: str) -> bool:
    return len(custom_id) <= 100 and (custom_id.startswith(ASIDE) or parse(custom_id) is not None)


def _known(reader: Reader) -> set[int]:
    """The ids of the faces this reader sees."""
    return {int(face.rstrip(">").rpartition(":")[2]) for face in reader.faces.values()}


def ends_round(label: str) -> bool:
    """The press that ends the round, which has a row of its own."""
    return re.match(r"¡?Ligretto\s?!", label) is not None


@cache
def _fits_button(label: str, custom_id: str) -> None:
    assert 0 < columns(label) <= LABEL, label
    parsed = parse(custom_id)
    sent = str(parsed[2]) if parsed else ""
    if sent[:1] in tuple("rygb") and sent[1:2].isdigit() and not ends_round(label):
        assert len(label) <= CARD


def table_lines(screen: Screen, reader: Reader = ENGLISH) -> Iterator[str]:
    """The lines of its code blocks."""
    return code_lines(drawn(screen, reader))


def code_lines(parts: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The lines of the code blocks in these components."""
    for part in parts:
        if part["type"] == TEXT:
            for block in part["content"].split("```")[1::2]:
                yield from block.splitlines()
