"""Custom ids: what a button of a table sends."""

import re
from collections.abc import Callable
from typing import TypeAlias

from bot.tables.state import actions
from bot.tables.state.actions import Action
from bot.tables.state.journal import TableId

CustomId: TypeAlias = Callable[[str], str]


PREFIX = "lg1:"
_CUSTOM_ID = re.compile(PREFIX + r"([0-9]{1,15}):([0-9]{1,6}):([ -~]{1,60})")


def custom_id(table: TableId, round_: int, action: str) -> str:
    """Return the custom id of a button: its table, its round, and an action's text."""
    return f"{PREFIX}{table}:{round_}:{action}"


def parse(sent: str) -> tuple[TableId, int, Action] | None:
    """Return table, round and action of a custom id; None if no button of a table has it."""
    match = _CUSTOM_ID.fullmatch(sent)
    return (TableId(int(match[1])), int(match[2]), actions.parse(match[3])) if match else None
