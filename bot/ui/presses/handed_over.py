"""Interactions that arrive at one group and may be another's.

A press in direct messages may be on another group's table, and a daily may be played elsewhere.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from contextvars import ContextVar
from typing import Any

import discord

from bot.clock import Clock
from bot.daily.round import DailyRefusal
from bot.groups.hops.press import HandedPress, Payload
from bot.tables.registry.index import TableIndex
from bot.tables.state.journal import TableId
from bot.tasks import Spawn
from bot.text import Text
from bot.ui.connection.client import Client
from bot.ui.connection.deadlines import note_arrival
from bot.ui.connection.load_shedding import Load
from bot.ui.connection.responses import private
from bot.ui.render import custom_ids

CREATED = "INTERACTION_CREATE"
RESTARTING = Text("press.refused.restarting")
DAILY_AWAY = Text(DailyRefusal.UNREACHABLE)
"""Only dailies are handed to a group by name."""
_CURRENT: ContextVar[HandedPress | None] = ContextVar("current", default=None)
_ON_TABLES = {
    discord.InteractionType.component.value,
    discord.InteractionType.modal_submit.value,
}


def table_of(press: Payload) -> TableId | None:
    """Return the table of a press in direct messages; None for any other interaction."""
    if press.get("guild_id") is not None or press.get("type") not in _ON_TABLES:
        return None
    parsed = custom_ids.parse(str((press.get("data") or {}).get("custom_id", "")))
    return parsed[0] if parsed is not None else None


class HandedOver:
    """A group's end of interactions that are handed over.

    `has_row`: whether its database has a table. An interaction is taken as if the gateway had
    brought it here, at the time at which it arrived there.
    """

    def __init__(
        self,
        client: Client,
        index: TableIndex,
        load: Load,
        clock: Clock,
        spawn: Spawn,
        has_row: Callable[[TableId], Awaitable[bool]],
    ) -> None:
        self._client = client
        self._index = index
        self._load = load
        self._clock = clock
        self._spawn = spawn
        self._has_row = has_row
        self._state: Any = client._connection  # noqa: SLF001 discord.py has no hook
        parsers: MutableMapping[str, Callable[[Payload], None]] = self._state.parsers
        self._read = parsers[CREATED]
        self._put: Callable[[HandedPress], None] | None = None
        parsers[CREATED] = self._arrived

    def divert(self, put: Callable[[HandedPress], None]) -> None:
        """Have presses on tables that aren't open here handed over, from now on.

        Nothing is awaited before a press is in line. All other interactions stay as they are.
        """
        self._put = put

    def _arrived(self, payload: Payload) -> None:
        """Read an interaction from the gateway, or hand it over."""
        press = HandedPress(payload, table_of(payload), self._clock.now())
        if self._put is None or press.table is None or self.is_open(press.table):
            self._answer(press)
        else:
            self._put(press)

    def _answer(self, press: HandedPress) -> None:
        """Have an interaction answered in a task of its own, which knows it (`current`)."""
        token = _CURRENT.set(press)
        try:
            self._read(press.payload)
        finally:
            _CURRENT.reset(token)

    # -- what a group does with a press -------------------------------------------------------

    def is_open(self, table: int) -> bool:
        return self._index.get(TableId(table)) is not None

    async def has_row(self, table: int) -> bool:
        return await self._has_row(TableId(table))

    def take(self, press: HandedPress) -> None:
        self._client.handed_over(int(press.payload["id"]), self._clock.now() - press.arrived)
        self._answer(press)

    def answer_away(self, press: HandedPress) -> None:
        if self._load.is_full(lambda: True):  # whoever has a panel there is a player
            self._load.drop()
        else:
            self._spawn(self._told(press), name="answer to a press")

    async def _told(self, press: HandedPress) -> None:
        interaction = discord.Interaction[Any](data=press.payload, state=self._state)  # type: ignore[arg-type]
        note_arrival(interaction, self._clock.now() - press.arrived)
        with self._load.working() as goes_out:
            goes_out()
            await private(interaction, DAILY_AWAY if press.table is None else RESTARTING)

    def drop(self) -> None:
        self._load.drop()


def current() -> HandedPress | None:
    """Return the interaction that the current task answers, as it can be handed over.

    discord.py drops its JSON. None in a bot of one process, which hands nothing over.
    """
    return _CURRENT.get()
