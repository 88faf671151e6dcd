"""The outcome of a press or a command."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass

from bot.games.values import Refused
from bot.tables.decisions.decide import Decision
from bot.tables.presses.press import Press
from bot.tables.presses.router import PressRefusal
from bot.tables.running.table import Table
from bot.text import Text


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a press: the table it was for, if there is one, and what to say."""

    table: Table | None
    decision: Decision
    is_repeated: bool = False
    """True if this process has seen the press before. The first time is the one it answers."""

    @property
    def refused(self) -> Refused | None:
        return self.decision if isinstance(self.decision, Refused) else None

    @property
    def said(self) -> Text:
        decision = self.decision
        return decision.text if isinstance(decision, Refused) else decision.said


def known(outcome: Outcome) -> Awaitable[Outcome]:
    """Return an awaitable of an outcome that is known already."""
    future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    future.set_result(outcome)
    return future


async def in_turn(table: Table, decided: asyncio.Future[Decision]) -> Outcome:
    return Outcome(table, await decided)


def turned_away(table: Table, decision: Decision, press: Press) -> Awaitable[Outcome]:
    """Answer a press with a decision that is known already.

    It has its turn all the same: somebody who is seated counts as present.
    """
    return in_turn(table, table.press(lambda _, __: decision, press))


def table_here(table: Table) -> Refused:
    return Refused(PressRefusal.TABLE_HERE, (("where", table.link),))


def arena_here(where: str) -> Refused:
    """Return the refusal of a table in a channel that an arena takes. `where`: a link to it."""
    return Refused(PressRefusal.ARENA_HERE, (("where", where),))


def seated_at(table: Table) -> Refused:
    return Refused(PressRefusal.SEATED_ELSEWHERE, (("where", table.link),))
