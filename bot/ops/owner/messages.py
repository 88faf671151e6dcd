"""Direct messages to the bot's owner about problems that nobody else can solve."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import discord

from bot.clock import Clock
from bot.groups.group import Group
from bot.ops.check import machine
from bot.ops.check.finding import Finding, Mark
from bot.ops.daily_backups import DailyBackups
from bot.ops.owner.problems import Known, heading, restored
from bot.settings.home import command
from bot.store.database.errors import passes
from bot.tables.presses.discord_time import DiscordTime
from bot.tables.state.journal import TableId
from bot.ui.connection.client import Client
from bot.ui.limits.answers import answered_within
from bot.ui.limits.errors import FAILURES, is_refusal, one_line
from bot.ui.servers.owner import owner_of

log = logging.getLogger(__name__)

SOON, LOOK = 60.0, 60 * 60.0
"""Seconds after a start until the first look at problems, and between two."""
NOTE = "owner"
LONGEST = 1_900
"""Characters of the problems in a message: Discord takes 2,000 in all."""


class Notes(Protocol):
    async def note(self, key: str) -> str | None: ...
    async def remember(self, key: str, value: str) -> None: ...


class Parts(Protocol):
    @property
    def client(self) -> Client: ...


class Timed(Protocol):
    @property
    def discord(self) -> DiscordTime: ...


class Bot(Protocol):
    """A bot: its parts while it is logged in, its notes, and the tables lost at its start.

    Days are counted by Discord's clock, which its tables know: the machine's may be wrong.
    """

    @property
    def running(self) -> Parts | None: ...
    @property
    def tables(self) -> Timed: ...
    @property
    def places(self) -> Notes: ...
    @property
    def lost(self) -> Sequence[TableId]: ...
    @property
    def group(self) -> Group: ...


class OwnerMessages:
    """One direct message for each problem, until it is solved and comes again.

    Problems are looked for once an hour: backups that fail for two days, a disk that runs low,
    tables that could not be resumed. `is_on`: TELL_OWNER. The words are English, as the log's.
    """

    def __init__(
        self,
        bot: Callable[[], Bot],
        backups: DailyBackups,
        database: Path,
        clock: Clock,
        *,
        is_on: bool,
    ) -> None:
        self._bot = bot
        self._backups = backups
        self._database = database
        self._clock = clock
        self._is_on = is_on
        self._known = Known()

    async def run(self) -> None:
        """Look for problems until cancelled."""
        if not self._is_on:
            return
        await self._clock.sleep(SOON)
        self._known = restored(await self._bot().places.note(NOTE))
        while True:
            await self._look()
            await self._clock.sleep(LOOK)

    async def _look(self) -> None:
        now, before = self._bot().tables.discord.now(), self._known
        self._known = before.backups(self._backups.failure, now)
        found = await self._problems(now)
        news = self._known.news(found, now)
        if not news or await self._send(news):
            self._known = self._known.told_of(found, now)
        else:
            seen = {key: said for key, said in found.items() if said not in news}
            self._known = self._known.told_of(seen, now)
        if self._known != before:
            await self._remember()

    async def _problems(self, now: float) -> dict[str, str]:
        """Return a sentence for each problem, by a key that stays while it does."""
        found = {}
        if self._known.has_failed_for_days(now):
            found["backups"] = f"Backups have failed for two days: {self._backups.failure}"
        disk = await asyncio.to_thread(self._disk)
        if disk is not None and disk.mark is Mark.FIX:
            found["disk"] = f"The disk is running full: {disk.said}"
        if lost := self._bot().lost:
            named = ", ".join(map(str, lost))
            found[f"tables {named}"] = f"Tables closed, as they could not be resumed: {named}"
        return found

    def _disk(self) -> Finding | None:
        try:
            return machine.disk(self._database)
        except OSError:  # a disk that doesn't answer shows elsewhere
            return None

    async def _send(self, problems: Sequence[str]) -> bool:
        """Return whether there is nothing more to do: the owner was told, or takes no messages."""
        running = self._bot().running
        owner = owner_of(running.client) if running is not None else None
        if running is None or owner is None:
            return False
        said = "\n".join(f"- {discord.utils.escape_markdown(one)}" for one in problems)
        named, asked = (
            heading(self._bot().group),
            f"`{command()} check` shows whether it is solved.",
        )
        text = f"{named}{said[:LONGEST]}\n{asked}"
        try:
            async with answered_within():
                channel = await running.client.create_dm(discord.Object(owner))
                await channel.send(text, allowed_mentions=discord.AllowedMentions.none())
        except FAILURES as error:
            if is_refusal(error):
                log.warning("owner %d: direct message refused: %s", owner, one_line(error))
                return True
            log.warning("owner %d: direct message not sent, retrying: %s", owner, one_line(error))
            return False
        log.info("owner %d: told of problems: %s", owner, "; ".join(problems))
        return True

    async def _remember(self) -> None:
        try:
            await self._bot().places.remember(NOTE, self._known.stored())
        except Exception as error:
            if not passes(error):
                raise
            log.warning("owner: what was told is not recorded: %s", error)
