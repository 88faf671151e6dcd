"""The components of a screen as objects, made one by one: nothing is kept, nothing is joined."""

from typing import Any

from discord import PartialEmoji

from bot.screen import Block, Choice, Row, Screen, Words
from bot.ui.render import components
from bot.ui.render.custom_ids import CustomId
from bot.ui.render.kept import BUTTON, STYLES, label
from bot.ui.render.lines import line
from bot.ui.render.marks import Reader, emoji


def objects(screen: Screen, to_id: CustomId, reader: Reader) -> list[dict[str, Any]]:
    """What a message with this screen consists of. Lists and pictures are the bot's own."""
    blocks = [_block(block, to_id, reader) for block in screen.blocks]
    return [{"type": components.CONTAINER, "components": blocks}]


def _block(block: Block, to_id: CustomId, reader: Reader) -> Any:
    if isinstance(block, Words):
        said = [line(one, reader) for one in block.lines]
        return {"type": components.TEXT, "content": "\n".join(filter(None, said))}
    if isinstance(block, Row):
        buttons = [_button(choice, to_id, reader) for choice in block.choices]
        return {"type": components.ROW, "components": buttons}
    ((part,),) = (
        one["components"]
        for one in components.view(Screen((block,)), to_id, reader).to_components()
    )
    return part


def _button(choice: Choice, to_id: CustomId, reader: Reader) -> dict[str, Any]:
    shown = emoji(choice.icon, reader) if choice.icon else None
    return {
        "type": BUTTON,
        "style": STYLES[choice.style].value,
        "label": label(choice.label, reader),
        **({} if shown is None else {"emoji": PartialEmoji.from_str(shown).to_dict()}),
        "disabled": choice.off,
        "custom_id": to_id(choice.word),
    }
