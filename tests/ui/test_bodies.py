"""Requests that show a message carry what discord.py would send for the same view."""

from typing import Any

import discord
import orjson
import pytest
from discord import ui
from discord.http import handle_message_parameters

from bot.screen import Choice, Row, Screen, Sentence, Words
from bot.text import Name, Text, bare
from bot.ui.render import components
from bot.ui.render.bodies import callback_body, message_body
from bot.ui.render.components import Drawn
from bot.ui.render.marks import Reader
from tests.ui.matches import TABLE

SCREEN = Screen(
    (
        Words((Sentence(bare(Name('Zoë "木" \\'))),)),
        Row((Choice(Text("button.rematch"), "rematch"),)),
    )
)
NOBODY = discord.AllowedMentions.none()


def ordinary(view: ui.LayoutView, **more: Any) -> object:
    """The body that discord.py makes."""
    with handle_message_parameters(view=view, allowed_mentions=NOBODY, **more) as parameters:
        payload: Any = parameters.payload
    return {key: value for key, value in payload.items() if key != "tts"}


def views() -> list[ui.LayoutView]:
    built = ui.LayoutView()
    built.add_item(ui.TextDisplay("made of discord.py's own objects"))
    reader = Reader("en-US")
    _, beside = components.beside(SCREEN, str, reader)
    return [components.layout(SCREEN, TABLE, reader), beside, built, Drawn(b"[]")]


async def test_body_of_a_message_is_the_one_that_discord_py_makes() -> None:
    kept = [{"id": "7"}]
    for view in views():
        assert orjson.loads(message_body(view)) == ordinary(view)
        new = orjson.loads(message_body(view, nonce='7"\n'))
        assert new == ordinary(view, nonce='7"\n')
        edit = orjson.loads(message_body(view, attachments=kept))
        assert edit == {**orjson.loads(message_body(view)), "attachments": kept}


async def test_answer_to_a_press_edits_its_message() -> None:
    for view in views():
        answer = orjson.loads(callback_body(view))
        assert answer == {"type": 7, "data": ordinary(view)}


async def test_text_that_is_no_unicode_is_refused() -> None:
    view = ui.LayoutView()
    view.add_item(ui.TextDisplay("\ud800"))
    with pytest.raises(TypeError, match="surrogates"):
        message_body(view)
