"""What became of a press or a command."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass

from bot.games.screen import Text
from bot.games.values import Refused
from bot.tables.decisions import Decision
from bot.tables.press import Press
from bot.tables.router import Why
from bot.tables.table import Table


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a press: the table it was for, if there is one, and what to say."""

    table: Table | None
    decision: Decision
    is_repeated: bool = False
    """Whether this process has heard of it before: what it heard first is what it answers."""

    @property
    def refused(self) -> Refused | None:
        return self.decision if isinstance(self.decision, Refused) else None

    @property
    def said(self) -> Text:
        decision = self.decision
        return decision.text if isinstance(decision, Refused) else decision.said


def known(outcome: Outcome) -> Awaitable[Outcome]:
    """An outcome that needs no waiting for."""
    future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    future.set_result(outcome)
    return future


async def in_turn(table: Table, decided: asyncio.Future[Decision]) -> Outcome:
    return Outcome(table, await decided)


def turned_away(table: Table, decision: Decision, press: Press) -> Awaitable[Outcome]:
    """A press whose answer is known. It has its turn all the same: who is seated is here."""
    return in_turn(table, table.press(lambda _, __: decision, press))


def table_here(table: Table) -> Refused:
    return Refused(Why.TABLE_HERE, (("where", table.link),))


def seated_at(table: Table) -> Refused:
    return Refused(Why.SEATED_ELSEWHERE, (("where", table.link),))
