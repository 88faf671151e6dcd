"""What a version has left behind: today's bot plays on, and every old button does something.

`docs/testing.md` says what an installation is, and how another one is recorded.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.fakediscord import User
from bot.games import GAMES
from bot.i18n import say
from bot.ops.moving.merge import merge
from bot.ops.moving.split import split
from bot.store.database.file import connect
from bot.text import Text
from tests.games.changed import changed
from tests.living.buttons import Button, buttons, pressed, told_of_unknown
from tests.living.installation import Files, Installation, Left, dumped, installed, read
from tests.living.people import Table
from tests.living.record import recorded
from tests.living.results import audit, results
from tests.living.world import kept, restored
from tests.simulate import screens
from tests.simulate.loop import VirtualLoop

INSTALLATIONS = sorted((Path(__file__).parent / "installations").iterdir())
MINUTE, DAY = 60.0, 86_400.0
SETTLED = 15.0
"""Seconds after a start until every table has been looked at."""
SHOWN = 10.0
BETWEEN = 6.0
"""Seconds between two presses: each is drawn before the next, and nobody presses too fast."""

every_installation = pytest.mark.parametrize(
    "installation", INSTALLATIONS, ids=lambda folder: folder.name
)
soon_and_late = pytest.mark.parametrize(
    "later", [MINUTE, DAY], ids=["a minute later", "a day later"]
)


@dataclass(frozen=True, slots=True)
class Back:
    """An installation on which the bot has been started again."""

    there: Installation
    tables: tuple[tuple[Left, Table], ...]
    buttons: tuple[Button, ...]


@asynccontextmanager
async def back(
    installation: Path, folder: Path, later: float, *, was_moved: bool = False
) -> AsyncIterator[Back]:
    """An installation, so many seconds after its bot was killed. What the bot does is audited.

    `was_moved`: meanwhile its database was upgraded, split into two, and merged again.
    """
    files = read(installation)
    pass_time(files, later)
    server = restored(files.world)
    database = await moved(files.database, folder) if was_moved else files.database
    async with installed(server, folder, database) as there:
        before = results(there.bot.database)
        tables = tuple(
            (
                left,
                Table(server, server.channels[left.channel], tuple(map(server.user, left.people))),
            )
            for left in files.made.tables
        )
        old = tuple(buttons(server))
        await there.start()
        await asyncio.sleep(SETTLED)
        yield Back(there, tables, old)
        assert await there.bot.stop() is None
        assert there.surprises == []
        audit(there.bot.database)
        assert results(there.bot.database)[: len(before)] == before, "what was counted stays so"


async def moved(sql: str, folder: Path) -> str:
    """The SQL of a database that was upgraded, split and merged."""
    database, again = folder / "before.sqlite3", folder / "again.sqlite3"
    with closing(sqlite3.connect(database)) as db:
        db.executescript(sql)
    await (await connect(database)).close()
    _ = merge([one.path for one in split(database, 2, 2)], again)
    return dumped(again)[1]


def pass_time(files: Files, later: float) -> None:
    """It is so many seconds after the installation was left."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    loop.stand_still(files.made.ended + later - loop.wall())


# -- playing on ------------------------------------------------------------------------------


@every_installation
@soon_and_late
async def test_every_table_goes_on_or_says_why(
    installation: Path, later: float, tmp_path: Path
) -> None:
    """Its match is played to the end and counted once, or it was closed in words. Either way the
    same people have another table there.
    """
    async with back(installation, tmp_path, later) as found:
        database = found.there.bot.database
        had = {table for table, *_ in results(database)}
        async with asyncio.TaskGroup() as together:
            ends = [together.create_task(play_on(left, table)) for left, table in found.tables]
        played = sum(one.result() for one in ends)
        now = {table for table, *_ in results(database)}
        assert len(now - had) == played
        for _, table in found.tables:
            await sit_down_again(table)


@every_installation
async def test_every_table_goes_on_in_a_database_that_was_split_and_merged(
    installation: Path, tmp_path: Path
) -> None:
    async with back(installation, tmp_path, MINUTE, was_moved=True) as found:
        async with asyncio.TaskGroup() as together:
            ends = [together.create_task(play_on(left, table)) for left, table in found.tables]
        assert any(one.result() for one in ends)


@every_installation
async def test_tables_of_other_rules_say_so(
    installation: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that can't go on by today's rules is ended in words on its own message; where it had
    ended before, its result stays there.
    """
    why = say(Text("table.closed.version"), "en-US")
    for key, game in GAMES.items():
        monkeypatch.setitem(GAMES, key, changed(game, rules_version=game.rules_version + 1))
    async with back(installation, tmp_path, MINUTE) as found:
        for left, table in found.tables:
            assert table.is_over
            assert (why in table.message.text) == (left.state != "ended"), left
            _ = await table.server.slash(table.host, table.channel, "ligretto").wait()
            await asyncio.sleep(SHOWN)
            assert screens.pressable(table.message, "Join"), f"{left}: nobody can go on there"


async def play_on(left: Left, table: Table) -> bool:
    """Whether a match was played to its end. A table that is closed has said so in public."""
    went_on = not table.is_over
    if went_on:
        await table.play(lambda: table.is_over)
        await asyncio.sleep(SHOWN)
    assert table.message.text, f"{left} ended without a word"
    return went_on and screens.pressable(table.message, screens.ENDED) is not None


async def sit_down_again(table: Table) -> None:
    """By Rematch where that is offered, else by the command."""
    if screens.pressable(table.message, screens.ENDED):
        _ = await table.press(table.host, screens.ENDED)
    else:
        _ = await table.server.slash(table.host, table.channel, "ligretto").wait()
    for user in table.people[1:]:
        _ = await table.press(user, "Join")
    await asyncio.sleep(SHOWN)
    for user in table.people:
        assert user.name.title() in table.message.text


# -- every button ----------------------------------------------------------------------------


@every_installation
@soon_and_late
async def test_every_old_button_is_answered(
    installation: Path, later: float, tmp_path: Path
) -> None:
    """It does what it says, or words say why not: it is never taken for one that never was."""
    async with back(installation, tmp_path, later) as found:
        unknown = await told_of_unknown(found.there.server, found.buttons[0])
        of_channel: dict[int, list[Button]] = {}
        for button in found.buttons:
            of_channel.setdefault(button.channel.id, []).append(button)
        async with asyncio.TaskGroup() as together:
            done = [
                together.create_task(press_all(found, there, unknown))
                for there in of_channel.values()
            ]
        wrong = [trouble for one in done for trouble in one.result()]
        assert not wrong, "\n".join(wrong)


async def press_all(found: Back, there: Sequence[Button], unknown: str) -> list[str]:
    """A stranger presses everything in a channel, then those who see it do. What is wrong."""
    server, wrong = found.there.server, []
    stranger = server.user(f"stranger {there[0].channel.id}")
    presses = [(stranger, button) for button in there]
    private = [(button.message.ephemeral_for, button) for button in there]
    presses += [(reader, button) for reader, button in private if reader is not None]
    public = [button for reader, button in private if reader is None]
    presses += [(user, button) for user in readers(found, there[0]) for button in public]
    for user, button in presses:
        if trouble := await pressed(server, user, button, unknown):
            wrong.append(trouble)
        await asyncio.sleep(BETWEEN)
    return wrong


def readers(found: Back, button: Button) -> list[User]:
    """Who presses what everybody sees in a channel: the people of its table, the host last."""
    channel = button.channel
    if channel.user is not None:
        return [channel.user]
    people = [table.people for _, table in found.tables if channel in table.places]
    return list(reversed(people[0])) if people else [found.there.server.owner]


# -- the files -------------------------------------------------------------------------------


@every_installation
async def test_a_world_is_kept_as_it_was_restored(installation: Path) -> None:
    files = read(installation)
    pass_time(files, 0.0)
    for user in files.world["users"]:
        user.pop("clan", None)  # payloads of users have other fields since the first installation
        user.setdefault("flags", 0)
    assert kept(restored(files.world)) == files.world


async def test_an_evening_can_be_recorded_today(tmp_path: Path) -> None:
    """Only its lobbies: the whole of it is a command."""
    (tmp_path / "scratch").mkdir()
    files = await recorded(tmp_path / "scratch", "0" * 40, "2026-05-28", ("lobby",))
    files.write(tmp_path / "installation")
    assert read(tmp_path / "installation") == files
    assert [left.state for left in files.made.tables] == ["lobby"] * 3
    assert len(buttons(restored(files.world))) > 3 * 7
