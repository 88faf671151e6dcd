"""The outcome of a press in an arena."""

import asyncio
from dataclasses import dataclass

from bot.games.values import Refused
from bot.tables.arena.decisions import Decision
from bot.tables.arenas.running import RunningArena
from bot.text import Text


@dataclass(frozen=True, slots=True)
class ArenaOutcome:
    """The outcome of a press: the arena it was for, if there is one, and what to say."""

    arena: RunningArena | None
    decision: Decision
    is_repeated: bool = False

    @property
    def said(self) -> Text:
        decision = self.decision
        return decision.text if isinstance(decision, Refused) else decision.said


async def known(outcome: ArenaOutcome) -> ArenaOutcome:
    """Return an outcome that is known already."""
    return outcome


async def in_turn(arena: RunningArena, decided: asyncio.Future[Decision]) -> ArenaOutcome:
    return ArenaOutcome(arena, await decided)
