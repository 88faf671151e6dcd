"""Commands that an earlier bot has left in servers: named by the check, removed on request."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.fakediscord import Guild, Server
from bot.ops.check import old_commands
from tests.loopback.bots import bot_here
from tests.ops.test_check import checked, line, marks
from tests.ops.test_process import Ended, typed

SLASH, MESSAGE = 1, 3


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server() as server:
        yield server


def leave(server: Server, place: Guild | Server, name: str, kind: int = SLASH) -> None:
    """An earlier bot has left this command in a server, or everywhere."""
    number = str(len(place.commands) + 1)
    place.commands[number] = {
        "id": number,
        "name": name,
        "type": kind,
        "description": "x" if kind == SLASH else "",
        "options": [],
        "application_id": str(server.app_id),
        "version": "1",
    }


async def removed(server: Server, folder: Path, **env: str) -> Ended:
    return await typed(folder / "x.db", "remove-commands", **{**server.env, **env})


async def test_commands_of_an_earlier_bot_are_named_and_removed(
    server: Server, tmp_path: Path
) -> None:
    """The bot's own commands and the servers without such commands stay as they are."""
    old, mixed, clean = (server.add_guild(name) for name in ("Old", "Mixed", "Clean"))
    leave(server, old, "oldgame")
    leave(server, mixed, "ligretto")
    leave(server, mixed, "Quote this", MESSAGE)
    leave(server, server, "ligretto")
    found = await checked(server, tmp_path / "x.db")
    assert found.code == 2
    said = line(found, "old commands")
    assert "/oldgame in Old" in said
    assert '/ligretto, "Quote this" in Mixed' in said
    assert "Clean" not in said
    assert "-m bot remove-commands" in said
    assert old.commands, "a check changes nothing"

    done = await removed(server, tmp_path)
    assert (done.code, done.problem) == (0, "")
    assert done.said == ('removed /oldgame in Old\nremoved /ligretto, "Quote this" in Mixed\n')
    assert (old.commands, mixed.commands, clean.commands) == ({}, {}, {})
    assert server.commands
    assert "old commands" not in marks(await checked(server, tmp_path / "x.db"))
    again = await removed(server, tmp_path)
    assert again.said == "no server has commands left by an earlier bot\n"


async def test_many_servers_are_counted(server: Server, tmp_path: Path) -> None:
    for number in range(8):
        leave(server, server.add_guild(f"Server {number}"), "oldgame")
    said = line(await checked(server, tmp_path / "x.db"), "old commands")
    assert said.count("/oldgame in") == 5
    assert "and in 3 more servers" in said


async def test_server_that_discord_refuses_stops_nothing(server: Server, tmp_path: Path) -> None:
    first, second = server.add_guild("First"), server.add_guild("Second")
    leave(server, second, "oldgame")
    _ = server.fault(f"GET .*/guilds/{first.id}/commands", status=403, code=50001)
    assert "/oldgame in Second" in line(await checked(server, tmp_path / "x.db"), "old commands")


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        ({"route": "GET .*/users/@me$", "status": 401}, 2, "DISCORD_TOKEN"),
        ({"route": "GET .*/users/@me/guilds", "status": 403, "body": "<html>"}, 75, "HTTP 403"),
        ({"route": "PUT .*/commands", "retry_after": 900.0}, 75, "for 90"),
    ],
)
async def test_refused_removal_is_told_in_words(
    server: Server, tmp_path: Path, how: dict[str, Any], code: int, said: str
) -> None:
    leave(server, server.add_guild("Old"), "oldgame")
    _ = server.fault(**how)
    ended = await removed(server, tmp_path)
    assert ended.code == code
    assert len(ended.problem.splitlines()) == 1
    assert said in ended.problem


async def test_check_looks_at_servers_for_a_while(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot of thousands of servers has a check that ends."""
    monkeypatch.setattr(old_commands, "ENOUGH", -1.0)
    async with bot_here(server, tmp_path / "x.db") as here:
        found = await old_commands.looked_for(here.client)
    assert found == old_commands.Found((), unseen=len(server.guilds))
