"""A live table on a journal in memory that takes its time, as a disk does."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from bot.games.ligretto.model import Card, CentrePile, Colour, SeatCards, State
from bot.games.values import Seat
from bot.ids import ChannelId, GuildId, UserId
from bot.tables.presses.press import Press
from bot.tables.running.table import Table
from bot.tables.state import events as e
from bot.tables.state.evolve import begin
from bot.tables.state.journal import DuplicateError, JournalLine, TableId
from bot.tables.state.session import Phase, Session
from bot.tables.state.session_values import Chair
from tests.tables.clock import HandClock
from tests.tables.unowned import new_table

ANNA, BEN, CHLOE = Seat(0), Seat(1), Seat(2)
USERS = {ANNA: UserId(101), BEN: UserId(102), CHLOE: UserId(103)}
NAMES = {ANNA: "Anna", BEN: "Ben", CHLOE: "Chloe"}


class SlowJournal:
    """Implements the tables' `Journal` in memory; the loop runs on while it writes."""

    def __init__(self) -> None:
        self.lines: list[JournalLine] = []
        self.broken = False
        self.durable: list[bool] = []

    async def append(self, lines: Sequence[JournalLine], *, durable: bool) -> None:
        await asyncio.sleep(0.001)
        if self.broken:
            raise OSError("the disk is full")
        known = {line.interaction for line in self.lines if line.interaction is not None}
        if any(line.interaction in known for line in lines):
            raise DuplicateError
        self._keep(lines)
        self.durable.append(durable)

    def note(self, line: JournalLine) -> None:
        self._keep([line])

    @property
    def entries(self) -> list[e.Entry]:
        return [line.entry for line in self.lines]

    def _keep(self, lines: Sequence[JournalLine]) -> None:
        for line in lines:
            assert line.seq == len(self.lines) + 10, "numbers without a hole"
            self.lines.append(line)


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(Colour(one[0]), int(one[1:])) for one in text.split())


def own(row: str, ligretto: str, hand: str = "", discard: str = "") -> SeatCards:
    return SeatCards(
        row=tuple((card,) for card in cards(row)),
        ligretto=cards(ligretto),
        hand=cards(hand),
        discard=cards(discard),
    )


def race() -> State:
    """Anna and Ben both have the red two for the one red pile; Chloe has none."""
    seats = (
        own("r2 b3 b4", "g7 g8", "y1 y2 y3"),
        own("r2 b6 b7", "y9 y10", "g1 g2 g3"),
        own("g3 g4 g5", "b9 b10", "r3 y4 y5"),
    )
    return State(seats, (CentrePile(Colour.RED, (CHLOE,)),))


def live(state: State) -> Session:
    """Three people in a live first round with these cards."""
    opened = e.Opened(
        game="ligretto",
        rules_version=1,
        guild=GuildId(1),
        channel=ChannelId(2),
        host=USERS[ANNA],
        locale="en-US",
        options={"rounds": "3", "target": "off", "refill": "auto"},
    )
    return replace(
        begin(opened, 1_800_000_000_000),
        chairs=tuple(Chair(USERS[seat], NAMES[seat]) for seat in (ANNA, BEN, CHLOE)),
        phase=Phase.LIVE,
        round=1,
        began=3,
        seed=bytes(32),
        state=state,
    )


def table(
    state: State, journal: SlowJournal | None = None, clock: HandClock | None = None
) -> Table:
    return new_table(TableId(1), live(state), 10, journal or SlowJournal(), clock or HandClock())


def press(seat: Seat, interaction: int, arrived: float = 0.0) -> Press:
    return Press(interaction, USERS[seat], NAMES[seat], 1.8e9, arrived)
