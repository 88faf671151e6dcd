"""Presses in direct messages, which arrive at one group and may be for another's table."""

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import discord

from bot.clock import Clock
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

log = logging.getLogger(__name__)

CREATED = "INTERACTION_CREATE"
RESTARTING = Text("press.refused.restarting")
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
    """A group's end of presses that are handed over. `has_row`: whether its database has a table.

    A press is taken as if the gateway had brought it here, at the time at which it arrived there.
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
        self._parsers: MutableMapping[str, Callable[[Payload], None]] = self._state.parsers
        self._read = self._parsers[CREATED]

    def divert(self, put: Callable[[HandedPress], None]) -> None:
        """Have presses on tables that aren't open here handed over, from now on.

        Nothing is awaited before a press is in line. All other interactions stay as they are.
        """

        def read(press: Payload) -> None:
            table = table_of(press)
            if table is None or self._index.get(table) is not None:
                self._read(press)
            else:
                put(HandedPress(press, table, self._clock.now()))

        self._parsers[CREATED] = read

    # -- what a group does with a press -------------------------------------------------------

    def is_open(self, press: HandedPress) -> bool:
        return self._index.get(TableId(press.table)) is not None

    async def has_row(self, press: HandedPress) -> bool:
        return await self._has_row(TableId(press.table))

    def take(self, press: HandedPress) -> None:
        self._client.handed_over(int(press.payload["id"]), self._clock.now() - press.arrived)
        self._read(press.payload)

    def answer_restarting(self, press: HandedPress) -> None:
        if self._load.is_full(lambda: True):  # whoever has a panel there is a player
            self._load.drop()
        else:
            self._spawn(self._answered(press), name="answer to a press")

    async def _answered(self, press: HandedPress) -> None:
        interaction = discord.Interaction[Any](data=press.payload, state=self._state)  # type: ignore[arg-type]
        note_arrival(interaction, self._clock.now() - press.arrived)
        with self._load.working() as goes_out:
            goes_out()
            await private(interaction, RESTARTING)

    def drop(self) -> None:
        self._load.drop()
