"""Robots: they wait a human moment, look at their own view, and press like anybody."""

from collections.abc import Callable, Coroutine
from typing import Any

from bot.clock import Clock
from bot.games.chance import Chance
from bot.games.contract import Skill
from bot.games.values import Seat
from bot.tables.running.supervisor import Supervisor
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.state.options import LEVEL, chosen
from bot.tables.state.session import Phase

LEVELS = {
    "easy": Skill(pace=2.7, attention=0.5, foresight=0.05, orderly=False),
    "medium": Skill(pace=1.8, attention=0.7, foresight=0.15),
    "hard": Skill(pace=1.3, attention=0.85, foresight=0.4),
    "master": Skill(pace=0.9, attention=0.95, foresight=1.0),
}
SPREAD = 0.4
"""The share of the mean time by which an action may come earlier or later."""


def wait(skill: Skill, chance: Chance) -> float:
    """Return the seconds until a robot's next action."""
    return skill.pace * (1 + SPREAD * (2 * chance.fraction() - 1))


class Robots:
    """The players of every robot's seat, one task each while a round is live."""

    def __init__(
        self,
        supervisor: Supervisor,
        clock: Clock,
        seed: Callable[[], bytes],
    ) -> None:
        self._supervisor = supervisor
        self._clock = clock
        self._seed = seed
        self._playing: set[tuple[TableId, Seat]] = set()

    def watch(self, table: Table) -> None:
        """Start the robots that have something to play. Called on every change of a table."""
        session = table.session
        if session.phase is not Phase.LIVE:
            return
        for seat in session.seats_in:
            key = (table.id, seat)
            if session.chairs[seat].human or key in self._playing or not session.dealt_in(seat):
                continue
            self._playing.add(key)
            # It has a seed of its own: drawing from the match's would foretell the deals.
            chance = Chance(self._seed(), session.round, seat)
            self._supervisor.start(table, f"robot {seat}", self._player(table, seat, chance))

    def _player(
        self, table: Table, seat: Seat, chance: Chance
    ) -> Callable[[], Coroutine[Any, Any, None]]:
        async def play() -> None:
            try:
                await self._round(table, seat, chance)
            finally:
                self._playing.discard((table.id, seat))

        return play

    async def _round(self, table: Table, seat: Seat, chance: Chance) -> None:
        number = table.session.round
        while True:
            skill = LEVELS[chosen(table.session.options, LEVEL)]
            await self._clock.sleep(wait(skill, chance))
            session = table.session
            if session.phase is not Phase.LIVE or session.round != number:
                return
            view = session.game.view(session.in_play, seat)
            move = session.game.choose(view, skill, chance)
            if move is not None:
                await table.move(seat, str(move), self._clock.now(), None)
