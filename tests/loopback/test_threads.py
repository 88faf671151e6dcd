"""A table in a thread of its own, over real sockets."""

import asyncio
from pathlib import Path

from bot.fakediscord import Channel, Server
from tests.loopback.bots import PATIENCE, bot_process
from tests.loopback.players import Player, all_ready, labels, played_out


def threads(server: Server) -> list[Channel]:
    return [channel for channel in server.channels.values() if channel.thread]


async def in_thread(server: Server, *names: str) -> list[Player]:
    """A lobby whose host has chosen a thread; the others have joined it there."""
    channel = server.all_channels[0]
    host = Player(server, server.user(names[0]), channel)
    _ = await host.open()
    await host.set_option("place", "thread")
    await server.wait_for(lambda: threads(server), PATIENCE)
    (thread,) = threads(server)
    await server.wait_for(lambda: server.public(thread), PATIENCE)
    players = [Player(server, server.user(name), thread) for name in names]
    for player in players[1:]:
        answer = await player.press_public("Join")
        assert answer.ok
    return players


async def started(players: list[Player]) -> None:
    """Everybody in the thread has a panel there."""
    _ = await players[0].press_public("Start")
    _ = await players[0].press_public("My cards")
    await all_ready(players)


async def test_a_match_in_a_thread_of_its_own(tmp_path: Path) -> None:
    """The lobby moves in, the channel keeps a link and is free, the end puts the thread away."""
    async with Server() as server, bot_process(server, tmp_path / "thread.db") as bot:
        channel = server.all_channels[0]
        players = await in_thread(server, "anna", "ben")
        thread = players[0].channel
        assert thread.name == "Ligretto · Anna"
        (link,) = server.public(channel)
        await server.wait_for(lambda: f"<#{thread.id}>" in link.text, PATIENCE)
        assert not link.controls
        assert "table in its own thread" in players[0].public.text

        carl = Player(server, server.user("carl"), channel)
        answer = await carl.open()
        assert answer.original is not None
        assert "**Carl** hosts" in answer.original.text, "the channel is free for another table"

        await players[0].set_option("rounds", "1")
        await started(players)
        await asyncio.gather(*(played_out(player, 0.25) for player in players))
        _ = await players[1].press("Rematch")
        await server.wait_for(lambda: "Join" in labels(players[0].public), PATIENCE)
        assert len(threads(server)) == 1, "the rematch is where the match was"

        for player in players[1:]:
            await player.leave()
        await server.wait_for(lambda: thread.archived, PATIENCE)
        assert server.limiter.total == server.late == 0
        assert "Traceback" not in bot.output


async def test_a_thread_that_is_archived_in_play_is_opened_again(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "archived.db") as bot:
        players = await in_thread(server, "anna", "ben")
        await started(players)
        thread, public = players[0].channel, players[0].public
        thread.archived = True
        before = public.version
        for player in players:
            _ = await player.act()
        await server.wait_for(lambda: not thread.archived, PATIENCE)
        await server.wait_for(lambda: public.version > before, PATIENCE)
        assert players[0].public is public
        assert "Traceback" not in bot.output


async def test_a_locked_thread_is_left_for_the_channel(tmp_path: Path) -> None:
    """Nobody is caught in it: the table goes on where its thread stands, and stays there."""
    async with Server() as server, bot_process(server, tmp_path / "locked.db") as bot:
        channel = server.all_channels[0]
        players = await in_thread(server, "anna", "ben")
        await started(players)
        thread = players[0].channel
        thread.archived = thread.locked = True
        for player in players:
            _ = await player.act()
        await server.wait_for(lambda: len(server.public(channel)) == 2, PATIENCE)
        public = server.public(channel)[-1]
        answer = await server.click(players[1].user, public, label="My cards").wait()
        assert answer.original is not None
        assert "Flip" in labels(answer.original)
        assert "Traceback" not in bot.output


async def test_a_thread_is_found_again_after_a_crash(tmp_path: Path) -> None:
    """Killed while the thread was being made: there is one thread and one table in the end."""
    async with Server() as server, bot_process(server, tmp_path / "crash.db") as bot:
        channel = server.all_channels[0]
        host = Player(server, server.user("anna"), channel)
        _ = await host.open()
        fault = server.fault("/threads$", hold=asyncio.Event(), when="after", times=1)
        await host.set_option("place", "thread")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        await bot.kill()
        await bot.start()
        (thread,) = threads(server)
        await server.wait_for(lambda: server.public(thread), PATIENCE)
        await server.wait_for(lambda: len(server.public(channel)) == 1, PATIENCE)
        (link,) = server.public(channel)
        await server.wait_for(lambda: f"<#{thread.id}>" in link.text, PATIENCE)
        assert "Traceback" not in bot.output


async def test_where_no_thread_is_allowed_the_option_says_so(tmp_path: Path) -> None:
    async with Server() as server, bot_process(server, tmp_path / "denied.db") as bot:
        channel = server.all_channels[0]
        host = Player(server, server.user("anna"), channel)
        _ = await host.open()
        server.deny(channel, "create_public_threads")
        form = await host.press_public("Options")
        chosen = {"length": ["rounds=3,target=off"], "rules": ["variant=standard,refill=auto"]}
        chosen |= {"level": ["medium"], "more": ["place"]}
        refused = await server.modal_submit(host.user, form, chosen).wait()
        assert refused.original is not None
        assert "Create Public Threads" in refused.original.text
        await asyncio.sleep(1.5)
        assert not threads(server)
        assert "the table stays" not in host.public.text
        assert "Join" in labels(host.public)
        assert "Traceback" not in bot.output


async def test_a_lobby_that_had_to_leave_its_thread_does_not_ask_for_another(
    tmp_path: Path,
) -> None:
    async with Server() as server, bot_process(server, tmp_path / "back.db") as bot:
        channel = server.all_channels[0]
        host, _ = await in_thread(server, "anna", "ben")
        host.channel.archived = host.channel.locked = True
        _ = await host.press_public("Add robot")
        await server.wait_for(lambda: len(server.public(channel)) == 2, PATIENCE)
        lobby = server.public(channel)[-1]
        assert "Robot 1" in lobby.text
        assert "table in its own thread" not in lobby.text
        await asyncio.sleep(3)
        assert len(threads(server)) == 1
        assert "Traceback" not in bot.output


async def test_a_table_in_a_strange_locked_thread_ends_with_its_table(tmp_path: Path) -> None:
    """Nobody is asked again and again for a message that cannot be changed any more."""
    async with Server() as server, bot_process(server, tmp_path / "strange.db") as bot:
        channel = server.all_channels[0]
        thread = Channel(server.world.ids(), "somebody's thread", channel.guild, 11, channel)
        server.world.keep(thread)
        host = Player(server, server.user("anna"), thread)
        _ = await host.open()
        thread.archived = thread.locked = True
        _ = await server.click(host.user, host.public, label="Leave").wait()
        await server.wait_for(lambda: _archived(server), PATIENCE)
        await asyncio.sleep(8)
        assert _archived(server) <= 2
        assert "Traceback" not in bot.output


def _archived(server: Server) -> int:
    """How often the bot was told that a thread is archived (50083)."""
    return sum(n for (_, code), n in server.codes.items() if code == 50083)
