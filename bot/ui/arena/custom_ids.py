"""Custom ids: what a button of an arena sends."""

import re

from discord.ui import LayoutView

from bot.ids import ArenaId
from bot.screen import ASIDE, Screen
from bot.tables.arena.actions import Action
from bot.ui.render.components import view
from bot.ui.render.marks import Reader

PREFIX = "la1:"
_CUSTOM_ID = re.compile(r"la1:([0-9]{1,15}):([a-z.]{1,20})")
_ACTIONS = {action.value: action for action in Action}


def layout(screen: Screen, arena: ArenaId, reader: Reader) -> LayoutView:
    """Return an arena's screen, ready to send."""

    def to_id(word: str) -> str:
        return word if word.startswith(f"{ASIDE}:") else f"{PREFIX}{arena}:{word}"

    return view(screen, to_id, reader)


def parse(sent: str) -> tuple[ArenaId, Action] | None:
    """Return arena and action of a custom id; None if no button of an arena has it."""
    match = _CUSTOM_ID.fullmatch(sent)
    action = _ACTIONS.get(match[2]) if match is not None else None
    return (ArenaId(int(match[1])), action) if match is not None and action is not None else None
