"""Ids are types: what carries a server's, channel's, message's or person's id says which it is."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import bot
from bot.ids import ChannelId, GuildId, MessageId, UserId
from bot.records.results import SeatRecord
from bot.store.records.archive import SqliteArchive
from bot.tables.presses.press import Press
from bot.tables.registry.index import TableIndex
from bot.tables.state.events import Opened, Published
from bot.tables.state.session import Session
from bot.ui.limits.edit_budget import CountedChannel

NAMES = frozenset({
    "channel", "guild", "home", "host", "lobby", "message", "message_id", "moderator", "parent",
    "thread", "user", "user_id",
})  # fmt: skip
APART = ("art", "fakediscord", "demo")
"""Folders without ids, or in which they are Discord's own plain numbers."""
OTHER = {("store/database/path_faults.py", "user")}
"""The operating system's user."""


def named() -> Iterator[tuple[str, str, ast.expr]]:
    """Yield each annotated argument and field of the bot: its file, its name, its annotation."""
    root = Path(bot.__file__).parent
    for path in sorted(root.rglob("*.py")):
        file = path.relative_to(root).as_posix()
        if file.startswith(APART):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.arg) and node.annotation is not None:
                yield file, node.arg, node.annotation
            elif isinstance(node, ast.AnnAssign):
                target = node.target
                name = target.attr if isinstance(target, ast.Attribute) else ast.unparse(target)
                yield file, name, node.annotation


def test_no_id_is_a_plain_number() -> None:
    plain = [
        f"{file}: {name}: {ast.unparse(annotation)}"
        for file, name, annotation in named()
        if name.strip("_") in NAMES and (file, name) not in OTHER
        if any(isinstance(part, ast.Name) and part.id == "int" for part in ast.walk(annotation))
    ]
    assert plain == []


@pytest.mark.parametrize(
    ("carrier", "types"),
    [
        (Opened, {"guild": GuildId, "channel": ChannelId, "host": UserId}),
        (Published, {"channel": ChannelId, "message": MessageId, "lobby": MessageId | None}),
        (Session, {"channel": ChannelId, "host": UserId, "parent": ChannelId | None}),
        (Session.seat_of, {"user": UserId}),
        (Press, {"user": UserId}),
        (TableIndex.elsewhere, {"guild": GuildId, "user": UserId}),
        (CountedChannel, {"channel": ChannelId, "home": ChannelId, "guild": GuildId}),
        (SeatRecord, {"user": UserId | None}),
        (SqliteArchive.void, {"guild": GuildId, "moderator": UserId}),
    ],
)
def test_signatures_say_whose_id_they_take(
    carrier: Callable[..., Any], types: dict[str, object]
) -> None:
    hints = get_type_hints(carrier)
    assert {name: hints[name] for name in types} == types
