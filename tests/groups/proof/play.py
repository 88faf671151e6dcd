"""People at tables of every group, and what their presses came to."""

import asyncio
import sqlite3
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from bot.fakediscord import Channel, Interaction, Item, Message
from tests.groups.proof.fleet import Fleet, Member
from tests.loopback.correspondents import Correspondent
from tests.loopback.players import Player
from tests.real import PATIENCE
from tests.simulate import screens
from tests.simulate.groups.checker import BY_TOKEN, busiest
from tests.simulate.witness import KEPT, UPDATE
from tests.soak.people import Table

PEOPLE = 3
LETTERS = 5
"""At one table in so many, panels are direct messages, whose presses come to the first group."""
SECONDS_TO_BEGIN = 4.0
"""Seconds until the first people have cards."""


@dataclass
class Play:
    """People who play until they are told to stop. Times are those of `time.perf_counter`."""

    fleet: Fleet
    began: float = field(default_factory=time.perf_counter)
    shown: set[int] = field(default_factory=set)
    """The presses whose answer showed an accepted move."""
    homes: dict[int, Channel] = field(default_factory=dict)
    """Where each person plays, by id: direct messages don't say so."""

    def presses(self, member: Member | None = None, since: float = 0.0) -> list[Interaction]:
        """What was pressed since then, at the tables of one group or of all, in its order.

        Only these are looked at: the Discord that plays runs here, too, and has no time to lose.
        """
        since = max(since, self.began)
        newest = takewhile(
            lambda one: one.created >= since, reversed(self.fleet.discord.tokens.values())
        )
        found = [
            one
            for one in newest
            if member is None or self.fleet.owner(self.homes[one.user.id]) is member
        ]
        return found[::-1]

    def handed_over(self) -> int:
        """Count the moves that were shown to be accepted, and came through the first group."""
        first = self.fleet.members[0]
        return sum(
            one.id in self.shown and one.channel.guild_id is None
            for member in self.fleet.members
            if member is not first
            for one in self.presses(member)
        )

    async def next_move(self, member: Member) -> None:
        """Wait for a move that is made from now on, until its answer shows that it is accepted."""
        since = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            while all(  # noqa: ASYNC110 it tells nobody
                one.id not in self.shown for one in self.presses(member, since)
            ):
                await asyncio.sleep(0.01)

    def most_calls(self) -> int:
        """The most calls in any second that count towards Discord's limit of a bot."""
        calls = (
            at - seconds
            for at, _, path, _, seconds in self.fleet.discord.calls
            if at >= self.began and not any(one in path for one in BY_TOKEN)
        )
        return max((count for _, count in busiest(sorted(calls))), default=0)

    def inversions(self) -> int:
        """Presses that were accepted before one that Discord had sent earlier, at one table."""
        sent = {one.id: one.sent_at for one in self.presses() if one.sent_at is not None}
        return sum(
            _inverted([sent[one] for one in row if one in sent])
            for member in self.fleet.members
            for row in accepted(member.process.database).values()
        )


class Watched(Table):
    """A table at which it is noted whose move was shown to be accepted.

    `by_letter`: its panels are direct messages.
    """

    def __init__(self, play: Play, channel: Channel, number: int, *, by_letter: bool) -> None:
        super().__init__(play.fleet.discord, channel, PEOPLE, number)
        self._play = play
        self._by_letter = by_letter
        if by_letter:
            self.players = [Reader(self.server, one.user, channel) for one in self.players]
        play.homes.update((one.user.id, channel) for one in self.players)

    async def _open(self, player: Player) -> bool:
        await super()._open(player)
        public = self.public  # still the old one if nobody answered
        if self._by_letter and public and any(one.label == "Start" for one in public.controls):
            await player.set_option("panels", "dm")
        return True

    async def _click(self, player: Player, message: Message, item: Item) -> bool:
        answer = await self.server.click(player.user, message, item.custom_id, stale=True).wait()
        if answer.callback_type == UPDATE and screens.accepted(message):
            self._play.shown.add(answer.id)
        return self._counted(ok=bool(answer.ok))


class Reader(Correspondent):
    """Somebody whose newest direct message with buttons is the panel."""

    @property
    def panels(self) -> list[Message]:
        return [one for one in self.letters if one.controls]


def keep_journal(database: Path) -> None:
    """From now on nothing that was in the journal is forgotten."""
    with closing(sqlite3.connect(database, timeout=30)) as db:
        db.executescript(KEPT)


def accepted(database: Path) -> dict[int, list[int]]:
    """The presses that each table has accepted, in their order, by the table's number."""
    tables: dict[int, list[int]] = defaultdict(list)
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        query = "SELECT table_id, interaction FROM kept WHERE interaction NOT NULL ORDER BY number"
        for table, interaction in db.execute(query):
            tables[table].append(interaction)
    return tables


def all_accepted(database: Path) -> list[int]:
    """All presses that were accepted, in their order."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        query = "SELECT interaction FROM kept WHERE interaction NOT NULL ORDER BY number"
        return [int(interaction) for (interaction,) in db.execute(query)]


def _inverted(times: Iterable[float]) -> int:
    latest, found = 0.0, 0
    for at in times:
        found += at < latest
        latest = max(latest, at)
    return found


@asynccontextmanager
async def playing(fleet: Fleet, tables: int, pace: float, taken: int = 0) -> AsyncIterator[Play]:
    """So many tables of each group are in play within this block. `taken`: so many of its channels
    have tables of others already.
    """
    for member in fleet.members:
        keep_journal(member.process.database)
    channels = [
        one
        for member in fleet.members
        for one in member.channels(fleet.discord, taken + tables)[taken:]
    ]
    play, is_over = Play(fleet), False
    rows = [
        Watched(play, one, number, by_letter=number % LETTERS == 1)
        for number, one in enumerate(channels)
    ]
    until: Callable[[], bool] = lambda: is_over  # noqa: E731 it is told later
    async with asyncio.TaskGroup() as together:
        for row in rows:
            together.create_task(row.play(until, pace))
        try:
            await asyncio.sleep(SECONDS_TO_BEGIN)
            yield play
        finally:
            is_over = True
