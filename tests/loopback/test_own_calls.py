"""Each call that the bot makes as itself waits for a turn: its groups share 50 a second."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from bot.fakediscord import Server
from tests.loopback.bots import PATIENCE, Here, bot_here
from tests.loopback.correspondents import direct_lobby, started
from tests.loopback.players import Player, all_ready, labels, played_out
from tests.loopback.test_threads import in_thread

AT_THE_START = ("/gateway/bot", "/users/@me", "/oauth2/", "/applications/")
"""Calls of every start, which nobody waits for."""
BY_TOKEN = ("/interactions/", "/webhooks/")
"""Calls by an interaction's token, which Discord doesn't count (PLATFORM 2)."""


class Counted:
    """Turns that are given at once, and counted."""

    def __init__(self) -> None:
        self.taken = 0
        self.urgent = 0

    async def take(self, held_up: float, urgent: Callable[[], bool] | None) -> None:
        self.taken += 1
        self.urgent += urgent is not None and urgent()

    def halve(self) -> None:
        pass


def counted(here: Here) -> Counted:
    turns = Counted()
    running = here.app.running
    assert running is not None
    running.context.budget._own = turns
    return turns


def own_calls(server: Server) -> list[str]:
    paths = [
        (path.partition("/v10")[2], f"{method} {path}") for _, method, path, _, _ in server.calls
    ]
    return [
        call
        for path, call in paths
        if not path.startswith(BY_TOKEN)
        and (path == "/users/@me/channels" or not path.startswith(AT_THE_START))
    ]


async def test_direct_messages_take_turns(tmp_path: Path) -> None:
    async with Server() as server, bot_here(server, tmp_path / "direct.db") as here:
        turns = counted(here)
        _, ben = await direct_lobby(server, "anna", "ben")
        await server.wait_for(lambda: ben.letters, PATIENCE)
        calls = own_calls(server)
        assert any("/users/@me/channels" in call for call in calls)
        assert len(calls) <= turns.taken, calls


async def test_direct_messages_that_were_left_take_turns(tmp_path: Path) -> None:
    async with Server() as server, bot_here(server, tmp_path / "left.db") as here:
        turns = counted(here)
        await started(players := await direct_lobby(server, "anna", "ben"))
        _ = await players[1].press_public("My cards")
        await all_ready([*players])
        await server.wait_for(lambda: any("DELETE" in one for one in own_calls(server)), PATIENCE)
        calls = own_calls(server)
        assert len(calls) <= turns.taken, calls


async def test_no_turn_is_taken_while_the_last_direct_message_is_held_back(tmp_path: Path) -> None:
    """A turn is used when it is given: discord.py would let those behind go all at once."""
    async with Server() as server, bot_here(server, tmp_path / "held.db") as here:
        turns = counted(here)
        await started(players := await direct_lobby(server, "anna", "ben"))
        ben = players[1]
        held = server.fault(
            f"POST .*/{server.dm(ben.user).id}/messages$", hold=asyncio.Event(), times=1
        )
        server.click(ben.user, ben.public, label="My cards")
        await server.wait_for(lambda: held.hits, PATIENCE)
        before = turns.urgent
        for _ in range(2):
            server.click(ben.user, ben.public, label="My cards")
        await asyncio.sleep(1.0)
        assert turns.urgent == before


async def test_threads_take_turns(tmp_path: Path) -> None:
    async with Server() as server, bot_here(server, tmp_path / "thread.db") as here:
        turns = counted(here)
        await in_thread(server, "anna", "ben")
        calls = own_calls(server)
        assert any(call.endswith("/threads") for call in calls)
        assert len(calls) <= turns.taken, calls


async def test_a_match_takes_turns(tmp_path: Path) -> None:
    async with Server() as server, bot_here(server, tmp_path / "match.db") as here:
        turns = counted(here)
        channel = server.all_channels[0]
        host, ben = (Player(server, server.user(name), channel) for name in ("anna", "ben"))
        _ = await host.open()
        await host.set_option("rounds", "1")
        _ = await ben.press_public("Join")
        _ = await host.press_public("Start")
        await all_ready([host, ben])
        await asyncio.gather(*(played_out(player, 0.25) for player in (host, ben)))
        await server.wait_for(lambda: "Rematch" in labels(host.panel), PATIENCE)
        calls = own_calls(server)
        assert len(calls) <= turns.taken, calls
