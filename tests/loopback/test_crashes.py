"""The process killed at any instant: every answered move is there, and everything goes on."""

import asyncio
import random
import re
import sqlite3
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.fakediscord import Interaction, Server
from bot.store.database.file import connect
from bot.store.database.writer import Writer
from bot.store.tables.journal import KINDS, SqliteJournal
from bot.tables.state.events import Opened
from bot.tables.state.evolve import apply, begin
from bot.tables.state.session import Session
from bot.tables.views.results.standings import ranking
from bot.text import points
from tests.loopback.bots import PATIENCE, BotProcess, bot_process
from tests.loopback.players import Player, all_ready, labels, played_out, seated, tables

CYCLES = 13
"""Cycles a test; each kills the process twice, once in play and once in the get-ready."""
READY = {"Ready", "Next round"}
RESTARTED = re.compile(r"The bot restarted|stop!|any more")
ACCEPTED = re.compile(r"Played |into the gap|Turned up |Discards shuffled")


def journalled(database: Path) -> set[int]:
    """Interactions whose move or Ready is in the journal."""
    with sqlite3.connect(database) as db:
        rows = db.execute("SELECT interaction FROM journal WHERE interaction IS NOT NULL")
        found = {int(row[0]) for row in rows}
    db.close()
    return found


def replayed(database: Path) -> Session:
    """The table worked out anew from every line of its journal."""
    with sqlite3.connect(database) as db:
        rows = db.execute(
            "SELECT at, lived, kind, body FROM journal WHERE table_id = 1 ORDER BY seq"
        )
        lines = [(at, lived, KINDS[kind].validate_json(body)) for at, lived, kind, body in rows]
    db.close()
    at, _, opened = lines[0]
    assert isinstance(opened, Opened)
    session = begin(opened, at)
    for at, lived, entry in lines[1:]:
        session = apply(session, entry, at, lived=lived)
    return session


class DyingBot:
    """Two people at a table whose bot keeps dying."""

    def __init__(self, server: Server, bot: BotProcess, players: list[Player], seed: int) -> None:
        self.server = server
        self.bot = bot
        self.players = players
        self.answered: set[int] = set()
        self.kills = 0
        self.unanswered = 0
        self.chance = random.Random(seed)

    async def play(self, presses: int) -> None:
        for _ in range(presses):
            for player in self.players:
                answer = await player.act()
                if answer is not None and answer.ok and ACCEPTED.search(player.panel.text):
                    self.answered.add(answer.id)
                await asyncio.sleep(0.02)

    async def die_in_play(self) -> None:
        """At any instant: some presses are answered, some are on their way, some unsent."""
        presses = [player.act() for player in self.players]
        running = [asyncio.get_running_loop().create_task(press) for press in presses]
        await asyncio.sleep(self.chance.random() * 0.012)
        await self.bot.kill()
        self.kills += 1
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def die_unanswered(self, press: Interaction) -> None:
        """After the commit and before the answer: the answer's request is held, then the end."""
        await self.bot.kill()
        self.kills += 1
        self.unanswered += 1
        self.server.faults.clear()
        assert not press.ok
        assert press.id in journalled(self.bot.database), "committed before it was answered"

    async def held(self, player: Player, label: str) -> Interaction:
        """A press whose answer does not get through."""
        fault = self.server.fault("/callback", hold=asyncio.Event())
        item = player.panel.find(label=label)
        press = self.server.click(player.user, player.panel, item.custom_id)
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        return press

    async def back(self) -> None:
        """The bot is started again: one message, edited; live panels are pushed again."""
        await self.bot.start()
        public = self.players[0].public
        await self.server.wait_for(lambda: RESTARTED.search(public.text), PATIENCE)
        assert len(tables(self.server, self.players[0].channel)) == 1
        assert self.answered <= journalled(self.bot.database)

    def in_play(self) -> bool:
        return self.players[0].choose() is not None

    async def go_on(self) -> None:
        await all_ready(self.players, "Next round")

    async def cycle(self, *, unanswered: bool) -> None:
        """Some play, a death in it, and another one in the get-ready that follows."""
        first, second = self.players
        await self.play(presses=2)
        if not self.in_play():
            await self.go_on()
        if unanswered:
            await self.die_unanswered(await self.held(first, "Flip"))
        else:
            await self.die_in_play()
        await self.back()
        await self.server.wait_for(lambda: READY & labels(second.panel), PATIENCE)
        await self.die_unanswered(await self.held(first, *(READY & labels(second.panel))))
        await self.back()
        _ = await second.press(*(READY & labels(second.panel)))
        for player in self.players:
            await player.sees("Flip")


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_process_that_keeps_dying_loses_nothing(tmp_path: Path, seed: int) -> None:
    """26 kills a run, 19 of them between the commit and the answer, the others at any instant."""
    async with Server() as server, bot_process(server, tmp_path / "crash.db") as bot:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 20)
        await all_ready(players)
        dying = DyingBot(server, bot, players, seed)
        for number in range(CYCLES):
            await dying.cycle(unanswered=bool(number % 2))
        assert dying.kills == 2 * CYCLES
        assert dying.unanswered == CYCLES + CYCLES // 2
        await asyncio.gather(*(played_out(player, 0.1) for player in players))
        await players[0].leave()
        public = players[0].public
        await server.wait_for(lambda: "wins" in public.text, PATIENCE)
        again = replayed(bot.database)
        ranked = [points(again.totals[seat]) for seat in ranking(again)]
        assert f"-# {' : '.join(ranked)} · " in public.text
        assert not server.unknown
        assert not server.crashes


async def test_a_lobby_whose_answer_was_lost_is_found_again(tmp_path: Path) -> None:
    """The command's answer is applied, but the process dies before it hears of it."""
    async with Server() as server, bot_process(server, tmp_path / "lobby.db") as bot:
        channel, anna = server.all_channels[0], server.user("anna")
        fault = server.fault("/callback", hold=asyncio.Event(), when="after", times=1)
        _ = server.slash(anna, channel, "ligretto")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        await asyncio.sleep(0.3)
        await bot.kill()
        server.faults.clear()
        await bot.start()
        ben = Player(server, server.user("ben"), channel)
        answer = await ben.press_public("Join")
        assert answer.ok
        await server.wait_for(lambda: "Ben" in ben.public.text, PATIENCE)
        assert len(tables(server, channel)) == 1


async def test_a_table_moved_down_when_the_process_died_is_not_doubled(tmp_path: Path) -> None:
    """The new message is posted, but the process dies before it hears of it."""
    async with Server() as server, bot_process(server, tmp_path / "down.db") as bot:
        channel = server.all_channels[0]
        anna, ben = await seated(server, channel, ["anna", "ben"], 3)
        await all_ready([anna, ben])
        first = anna.public
        fault = server.fault("POST .*/messages$", hold=asyncio.Event(), when="after", times=1)
        _ = await anna.press_public("Move down")
        await asyncio.wait_for(fault.reached.wait(), PATIENCE)
        await bot.kill()
        server.faults.clear()
        await bot.start()
        await server.wait_for(lambda: len(tables(server, channel)) == 1, PATIENCE)
        assert anna.public is not first
        _ = await anna.press("Ready")
        await server.wait_for(lambda: "✅ Anna" in anna.public.text, PATIENCE)


async def test_a_table_is_read_back_as_it_was(tmp_path: Path) -> None:
    """After a clean stop the journal's shortcut (no moves of finished rounds) gives the same."""
    async with Server() as server, bot_process(server, tmp_path / "stop.db") as bot:
        players = await seated(server, server.all_channels[0], ["anna", "ben"], 3)
        await all_ready(players)
        await asyncio.gather(*(played_out(player, 0.1) for player in players))
        await all_ready(players, "Next round")
        for _ in range(5):
            for player in players:
                _ = await player.act()
        assert await bot.stop() == 0
        db = await connect(bot.database)
        journal = SqliteJournal(db, Writer(db, SystemClock()))
        journal.application = server.app_id
        (stored,) = await journal.read_open()
        await db.close()
        opened = stored.lines[0].entry
        assert isinstance(opened, Opened)
        session = begin(opened, stored.lines[0].at)
        for line in stored.lines[1:]:
            session = apply(session, line.entry, line.at, lived=line.lived)
        whole = replayed(bot.database)
        assert (session.state, session.totals, session.moves) == (
            whole.state,
            whole.totals,
            whole.moves,
        )
        assert len(stored.lines) < stored.lines[-1].seq
