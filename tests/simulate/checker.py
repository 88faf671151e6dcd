"""What must be true after an evening. It shares no code with the bot: it looks at the screens, at
the journal and the results in the file, at the log, and at what the process still holds.
"""

import asyncio
import json
import logging
import re
import zlib
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from bot.fakediscord import Server
from tests.loopback.players import Player
from tests.records.referee import Referee
from tests.simulate import races, screens
from tests.simulate.loop import VirtualLoop
from tests.simulate.people import Group
from tests.simulate.process import Log, Process
from tests.simulate.trouble import Trouble
from tests.simulate.witness import Press, Witness, answer_of

FRESH_WITHIN = 10.0
"""Seconds after the last fault in which every screen must show the newest state."""
RETRY_AFTER = 5.0
"""Seconds of Retry-After that a fault may have given at most, and of pauses that grew by it."""
DEADLINE = 3.2
QUIET = 36 * 60.0
"""Seconds after which every table that nobody presses at is closed."""
AT_REST = 15
"""Tasks of a bot at rest: the writer, the ticks, the chores, discord.py's own."""
CONNECTIONS = 200
_DROPPED = re.compile(r"too much at once: (\d+) presses were dropped")
_ILL = re.compile("full|locked|readonly|read-only|disk I/O")
NOTE_LOST = "a note could not be written"
"""What the log says of a refusal that a sick disk did not take: a game goes on without it."""
EXPECTED = (
    "Task was destroyed but it is pending!\ntask: <Task pending name='discord.py: on_",
    "Attempting a reconnect",
    "Failed to connect for shard_id",
    "An error occurred while stopping the gateway",
)


@dataclass
class Checker:
    """Asks what is promised, one question after the other, and notes each broken promise."""

    server: Server
    bot: Process
    witness: Witness
    trouble: Trouble
    groups: list[Group]
    log: Log

    async def check(self) -> int:
        """How many matches were stored. What is broken stands with the witness."""
        await self._bot_is_back()
        await asyncio.sleep(RETRY_AFTER + FRESH_WITHIN)
        for group in self.groups:
            await self._shows_newest(group)
        self._presses_are_answered()
        self._journal_is_whole()
        self._arrival_decides()
        races.Told(self.witness, self.trouble).check()
        for group in self.groups:
            await self._goes_home(group)
        matches = self._results_are_right()
        await asyncio.sleep(QUIET)
        for group in self.groups:
            await self._opens_again(group)
        await asyncio.sleep(QUIET)
        self._nothing_is_left()
        if (error := await self.bot.stop()) is not None:
            self.broken("a stop ends with exit code 0", repr(error))
        self._log_is_calm()
        return matches

    def broken(self, promise: str, told: str) -> None:
        self.witness.broken(promise, told)

    async def _bot_is_back(self) -> None:
        if not self.bot.is_running:
            self.witness.note("the process starts for the last time")
            self.bot.start()
        try:
            await self.server.wait_for(lambda: self.server.gateway.ready, 120.0)
        except TimeoutError:
            self.broken("the bot connects once all is well", "no session after two minutes")

    # -- screens ----------------------------------------------------------------------------

    async def _shows_newest(self, group: Group) -> None:
        """Panels look as a panel does that is asked for now; the table's message agrees."""
        board = group.board
        if board is None or not screens.pressable(board, "My panel"):
            return
        for player in group.players:
            old, board = group.panel(player), group.board
            if board is None or old is None or not self._is_live(group, player):
                continue
            before, item = screens.Look.of(old), screens.pressable(board, "My panel")
            if item is None:
                return
            answer = self.server.click(player.user, board, item.custom_id, stale=True)
            _ = await self.witness.pressed(answer).record.wait()
            await asyncio.sleep(1.0)
            fresh = group.panel(player)
            if fresh is not None and screens.table(fresh) != screens.table(old):
                continue  # the old one's table was lost with the power
            if fresh is None:
                self.broken("My panel gives a panel", f"{player.user.name}: {answer}")
                continue
            if found := before.differences(screens.Look.of(fresh)):
                self.broken("a panel shows the newest state", f"{player.user.name}: {found}")
            if screens.centre(fresh) and screens.centre(board) != screens.centre(fresh):
                self.broken(
                    "the table's message shows the newest state",
                    f"{screens.centre(board)} instead of {screens.centre(fresh)}",
                )

    def _is_live(self, group: Group, player: Player) -> bool:
        """Whether the panel can still be edited: one that sleeps says so."""
        panel = group.panel(player)
        return panel is not None and "asleep" not in panel.text and bool(panel.controls)

    # -- presses and the journal -------------------------------------------------------------

    def _presses_are_answered(self) -> None:
        """Every press was answered, or there is a reason why not."""
        silent = [press for press in self.witness.presses if press.answer is None]
        unexplained = [press for press in silent if not self._excuse(press)]
        dropped = sum(
            int(found[1]) for one in self.log.lines if (found := _DROPPED.search(one.text))
        )
        for press in unexplained[dropped:]:
            self.broken("every press is answered", f"{press.at:.3f} {press.record}")

    def _excuse(self, press: Press) -> str:
        for began, ended, why in self.trouble.windows:
            if began - DEADLINE <= press.at <= ended:
                return why
        for fault in self.trouble.faults:
            if any(press.record.token in call for call in fault.spoiled):
                return "its answer was spoiled"
        return ""

    def _kept(self) -> dict[int, list[tuple[int, str, Any, int | None]]]:
        """By table: seq, kind, body and interaction, in the order of writing."""
        tables: dict[int, list[tuple[int, str, Any, int | None]]] = defaultdict(list)
        rows = self.witness.query(
            "SELECT table_id, seq, kind, body, interaction FROM kept ORDER BY number"
        )
        for table, seq, kind, body, interaction in rows:
            tables[table].append((seq, kind, json.loads(body), interaction))
        return tables

    def _journal_is_whole(self) -> None:
        """A table's entries follow each other, and no press counts twice."""
        seen: set[int] = set()
        missing = 0
        for table, rows in self._kept().items():
            numbers = [seq for seq, *_ in rows]
            if any(first >= second for first, second in pairwise(numbers)):
                self.broken("the journal is in order", f"table {table}: {numbers}")
            missing += numbers[-1] - numbers[0] + 1 - len(numbers)
            for *_, interaction in rows:
                if interaction in seen:
                    self.broken("a press counts once", f"{interaction}")
                if interaction is not None:
                    seen.add(interaction)

        lost = sum(one.text.startswith(NOTE_LOST) for one in self.log.lines)
        if missing > lost:
            self.broken(
                "the journal is in order", f"{missing} entries are missing, {lost} were lost"
            )

    def _arrival_decides(self) -> None:
        """At each table presses were accepted in the order in which they arrived."""
        order = {press.record.id: press.order for press in self.witness.presses}
        for table, rows in self._kept().items():
            arrived = [order[i] for *_, i in rows if i is not None and i in order]
            for first, second in pairwise(arrived):
                if first > second:
                    self.broken(
                        "arrival decides", f"table {table}: press {first} before press {second}"
                    )

    # -- results ----------------------------------------------------------------------------

    def _results_are_right(self) -> int:
        """Each match that ended is stored once, as an independent referee counts it."""
        query = "SELECT table_id FROM kept WHERE kind = 'MatchEnded'"
        ended = [int(row[0]) for row in self.witness.query(query)]
        stored = [int(row[0]) for row in self.witness.query("SELECT table_id FROM matches")]
        for table in stored:
            if ended.count(table) != 1 or stored.count(table) != 1:
                self.broken("no match is counted twice", f"table {table}: {ended}, {stored}")
        logs = self.witness.query("SELECT match_id, log FROM logs")
        for match, packed in logs:
            seats = self.witness.query(
                "SELECT points FROM seats WHERE match_id = ? ORDER BY seat", match
            )
            try:
                referee = Referee(zlib.decompress(packed).decode()).check()
            except Exception as error:
                self.broken("the referee agrees with every log", f"match {match}: {error!r}")
                continue
            if referee.totals != [row[0] for row in seats]:
                self.broken("the referee agrees with every log", f"match {match}: {seats}")
            self._duels_are_right(match, referee)
        return len(logs)

    def _duels_are_right(self, match: int, referee: Referee) -> None:
        rounds = self.witness.query(
            "SELECT duels FROM rounds WHERE match_id = ? ORDER BY round", match
        )
        stored = [[tuple(duel) for duel in json.loads(one)] for (one,) in rounds]
        if stored != referee.duels:
            self.broken("the referee agrees with every duel", f"match {match}: {stored}")

    # -- going home, and coming back -----------------------------------------------------------

    async def _goes_home(self, group: Group) -> None:
        try:
            async with asyncio.timeout(60.0):
                await group.go_home()
        except TimeoutError:
            self.broken("everybody can leave", f"{group.channel}: {group.board}")

    async def _opens_again(self, group: Group) -> None:
        """Everybody can open or join a table again."""
        host, *others = group.players
        opened = self.server.slash(host.user, group.channel, group.game)
        answer = await self.witness.pressed(opened).record.wait()
        await asyncio.sleep(FRESH_WITHIN)
        board = group.board
        if answer_of(answer) is None or board is None or not screens.pressable(board, "Join"):
            self.broken("everybody can open a table again", f"{answer}: {board}")
            return
        for player in others:
            item = screens.pressable(board, "Join")
            if item is None:
                break
            joined = self.server.click(player.user, board, item.custom_id, stale=True)
            _ = await self.witness.pressed(joined).record.wait()
        await asyncio.sleep(FRESH_WITHIN)
        for player in group.players:
            if (board := group.board) is None or player.user.name.title() not in board.text:
                self.broken("everybody can join a table again", f"{player.user.name}: {board}")
        await self._goes_home(group)

    # -- what is left -----------------------------------------------------------------------

    def _nothing_is_left(self) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        tasks = loop.tasks(self.bot.number)
        if len(tasks) > AT_REST + CHORES:
            self.broken("no task is left", f"{[task.get_name() for task in tasks]}")
        queries = {
            "no table is left": "SELECT count(*) FROM tables WHERE closed = 0",
            "no panel is left": "SELECT count(*) FROM panels",
            "no direct panel is left": "SELECT count(*) FROM direct_panels",
            "no entry is left": "SELECT count(*) FROM journal",
        }
        for promise, query in queries.items():
            if (found := self.witness.query(query)[0][0]) != 0:
                self.broken(promise, f"{found}")
        held = [one.text for one in self.log.lines if one.text.startswith("held: ")]
        if held and not held[-1].startswith("held: 0 tables"):
            self.broken("no table is held", held[-1])

    def _log_is_calm(self) -> None:
        """Nothing surprised the bot: errors in its log have a reason outside it."""
        for one in self.log.lines:
            bad = one.level >= logging.ERROR or one.trace
            if not bad or one.text.startswith(EXPECTED) or _ILL.search(one.text + one.trace):
                continue
            if not one.name.startswith(("bot", "discord", "asyncio")):
                continue
            self.broken("nothing surprises the bot", f"{one.at:.3f} {one.text} {one.trace[-400:]}")


CHORES = 8
"""Tasks of the process around the bot: the connection, its heartbeat, backups, the heart."""
