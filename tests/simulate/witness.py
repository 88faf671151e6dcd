"""What is seen from outside during an evening: each press, its answer, and the journal then."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bot.fakediscord import Interaction, Message, Server, User
from bot.fakediscord.model.events import Event as Told
from tests.simulate import screens

KEPT = """
    CREATE TABLE IF NOT EXISTS kept (
        number INTEGER PRIMARY KEY, table_id INTEGER, seq INTEGER, at INTEGER, kind TEXT,
        body TEXT, interaction INTEGER, lived INTEGER);
    CREATE TRIGGER IF NOT EXISTS keep AFTER INSERT ON journal BEGIN
        INSERT INTO kept (table_id, seq, at, kind, body, interaction, lived)
        VALUES (NEW.table_id, NEW.seq, NEW.at, NEW.kind, NEW.body, NEW.interaction, NEW.lived);
    END;
"""
"""The journal forgets what is over; this copy, written in the same transactions, does not."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A promise that was broken: which, when by the loop's clock, and how."""

    at: float
    promise: str
    told: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, for whoever looks for the cause of a violation."""

    at: float
    told: str


@dataclass(slots=True)
class Press:
    """A press and what became of it. `order`: of arrival; times by the loop's clock. `overwritten`:
    what it was answered could not be read, since another answer came in the same instant.
    """

    order: int
    record: Interaction
    at: float
    life: int
    excused: str = ""
    accepted: bool = False
    late: screens.Late | None = None
    answered: float | None = None
    overwritten: bool = False

    @property
    def answer(self) -> int | None:
        """The kind of its answer, None when there is none."""
        return answer_of(self.record)

    @property
    def arrived(self) -> float | None:
        """When the bot was told of it, by the loop's clock."""
        record: Any = self.record
        at: float | None = record.sent_at
        return at


@dataclass(frozen=True, slots=True)
class Results:
    """The rounds and matches of a table that had ended when somebody saw it: the number and the
    date of each line. `at`: when it was seen first.
    """

    table: int
    lines: frozenset[tuple[int, int]]
    at: float = field(compare=False)


@dataclass(slots=True)
class Witness:
    """Sees presses, answers and screens; says at once what contradicts the journal."""

    server: Server
    now: Callable[[], float]
    database: Callable[[], Path]
    presses: list[Press] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    results: list[Results] = field(default_factory=list)
    posted: set[str] = field(default_factory=set)
    power_cut: float = 0.0
    lost: list[tuple[float, float]] = field(default_factory=list)
    life: int = 0
    blind: bool = False
    on_command: Callable[[Interaction], None] = lambda _: None
    on_result: Callable[[], None] = lambda: None

    def note(self, told: str) -> None:
        self.events.append(Event(self.now(), told))

    def power_is_cut(self) -> None:
        self.lose(0.0)
        self.note("a power cut")

    def is_replaced(self, since: float) -> None:
        """The file is a replica from then on: what was shown since then is gone, results too."""
        self.lose(since)
        self.results = [one for one in self.results if one.at < since]

    def lose(self, since: float) -> None:
        """What was answered since then may be gone from the file."""
        self.power_cut = self.now()
        self.lost.append((since, self.power_cut))

    def may_be_lost(self, press: Press) -> bool:
        """Whether the file may have lost a press: what came after it tells nothing."""
        return any(
            press.at <= ended and (press.answered is None or press.answered > began)
            for began, ended in self.lost
        )

    def broken(self, promise: str, told: str) -> None:
        self.violations.append(Violation(self.now(), promise, told))

    def pressed(self, record: Interaction) -> Press:
        """Called in the moment of a press, before anything else can happen."""
        press = Press(len(self.presses), record, self.now(), self.life)
        self.presses.append(press)
        self.note(f"{record.user.name} presses {record.name}")
        if record.type == COMMAND:
            self.on_command(record)
        record.answered.add_done_callback(partial(self._answered, press))
        return press

    def saw(self, event: Told) -> None:
        """Keep the ids of every message that everybody in a channel could see."""
        if event.name == "MESSAGE_CREATE" and event.guild_id is not None:
            self.posted.add(f"{event.data['channel_id']}/{event.data['id']}")

    def keep_journal(self) -> None:
        """From now on nothing that was in the journal is forgotten."""
        with closing(sqlite3.connect(self.database(), timeout=0)) as db:
            db.executescript(KEPT)

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the file holds now, by a connection of the witness's own."""
        with closing(sqlite3.connect(f"file:{self.database()}?mode=ro", uri=True)) as db:
            return db.execute(sql, values).fetchall()

    def _answered(self, press: Press, _: object) -> None:
        """Discord has the answer to a press. What it says must be true by now."""
        press.answered = self.now()
        record = press.record
        shown = record.original or record.message
        if press.answer is None or shown is None or self.blind:
            return
        self.note(f"{record.user.name} is answered: {shown.text.splitlines()[-1:]}")
        if press.answer != UPDATE or not is_private(shown, record.user):
            return
        if self._is_overwritten(press):
            press.overwritten = True
            press.accepted = self._in_journal(record.id)
            return
        press.late = screens.late(shown)
        # A rematch opens another table, whose journal begins with it and names no press.
        press.accepted = screens.accepted(shown) and not record.name.endswith(":rematch")
        if press.late is not None:
            self._margin_is_true(press, press.late)
        is_cut = self.now() == self.power_cut  # what was answered just before may be gone with it
        if press.accepted and not is_cut and not self._in_journal(record.id):
            self.broken("an answered move is in the journal", f"{record}")
        if any(screens.pressable(shown, name) for name in screens.AFTER_A_ROUND):
            self._result_is_shown(int(screens.table(shown)))

    def _is_overwritten(self, press: Press) -> bool:
        """Whether another press on the same message is answered in this instant: what the message
        shows is one answer's, and nobody knows whose.
        """
        return any(
            one.record.message is press.record.message
            and one.answer == UPDATE
            and one.record.answered.done()
            and one.answered in {None, self.now()}
            for one in self.presses[-RECENT:]
            if one is not press
        )

    def _result_is_shown(self, table: int) -> None:
        sql = "SELECT seq, at FROM kept WHERE table_id = ? AND kind IN ('RoundEnded', 'MatchEnded')"
        lines = frozenset((int(seq), int(at)) for seq, at in self.query(sql, table))
        shown = Results(table, lines, self.now())
        if shown not in self.results:
            self.on_result()
        self.results.append(shown)

    def _margin_is_true(self, press: Press, late: screens.Late) -> None:
        """Whoever is told that they were late was beaten, by that person and that much."""
        moved = {row[0] for row in self.query("SELECT interaction FROM kept WHERE kind = 'Moved'")}
        margins = [
            round((press.arrived - rival.arrived) * 1000)
            for rival in self.presses
            if rival.record.id in moved
            and claimed(rival) == claimed(press)
            and is_called(rival, late.who)
            and rival.arrived is not None
            and press.arrived is not None
        ]
        true = any(one >= 0 and abs(one - late.margin) <= ROUNDED for one in margins)
        if late.margin < 0 or not true:
            self.broken("margins are true", f"{press.record}: {late}, {margins[-3:]}")

    def _in_journal(self, interaction: int) -> bool:
        return bool(self.query("SELECT 1 FROM kept WHERE interaction = ?", interaction))


def is_private(message: Message, user: User) -> bool:
    """Whether only this person sees a message: it is ephemeral, or a direct message."""
    return message.ephemeral_for is user or message.channel is user.dm


def claimed(press: Press) -> str:
    """The place that a move asks for: channel, round and card or die."""
    place, _, word = press.record.name.rpartition(":")
    return f"{place}:{word.partition('#')[0].partition('>')[0]}"


def is_called(press: Press, name: str) -> bool:
    """Names are cut to what fits in a line."""
    return press.record.user.name.title().startswith(name.rstrip("…"))


def answer_of(record: Any) -> int | None:
    """The kind of the answer to an interaction, None when there is none."""
    kind: int | None = record.callback_type
    return kind


COMMAND = 2
"""The type of an interaction that is a command."""
RECENT = 100
"""Presses among which one is looked for that is answered together with another."""
ROUNDED = 2
"""Milliseconds by which two ways to round a margin may differ; a restart rounds twice."""
UPDATE = 7
"""The kind of answer that redraws the message that was pressed."""
