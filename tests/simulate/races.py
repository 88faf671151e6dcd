"""Lost races: who was told of one, and what the journal has of it. No code of the bot's."""

import json
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from tests.simulate.trouble import Trouble
from tests.simulate.witness import UPDATE, Press, Witness

READING_TIME = 400
"""Milliseconds for which a delivered picture has not been read (docs/format.md)."""
TOGETHER = 0.1
"""Seconds between two presses at one table that race."""
SOON = 3.0
"""Seconds within which a note that nobody waits for is written."""


def raced(presses: list[Press]) -> int:
    """How many presses came together with somebody else's at the same table."""
    at_table: dict[str, list[Press]] = defaultdict(list)
    for press in presses:
        if press.record.name.startswith("lg1:"):
            at_table[press.record.name.split(":")[1]].append(press)
    return sum(
        any(
            other.record.user is not press.record.user and abs(other.at - press.at) <= TOGETHER
            for other in (*row[max(0, i - NEAR) : i], *row[i + 1 : i + NEAR])
        )
        for row in at_table.values()
        for i, press in enumerate(row)
    )


NEAR = 4
"""Presses before and after one among which its rival is looked for."""


@dataclass
class Told:
    """Compares what losers read with the refusals that the journal has."""

    witness: Witness
    trouble: Trouble
    _seats: dict[int, list[str | None]] = field(default_factory=lambda: defaultdict(list))

    def check(self) -> None:
        by_id: dict[str, list[Press]] = defaultdict(list)
        for press in self.witness.presses:
            by_id[press.record.name].append(press)
        noted = self._contested()
        for custom_id, who, margin in noted:
            if not any(_was_told(press, who, margin) for press in by_id[custom_id]):
                self.witness.broken(
                    "every loser of a race is told", f"{who}: {custom_id}, {margin} ms"
                )
        known = {(custom_id, margin) for custom_id, _, margin in noted}
        for press in self.witness.presses:
            if press.late is None or (press.record.name, press.late.margin) in known:
                continue
            if not self._may_be_lost(press):
                self.witness.broken("every lost race is in the log", f"{press.record} {press.late}")

    def _contested(self) -> list[tuple[str, str, int]]:
        """The custom id that was pressed, by whom, and the margin in ms."""
        rounds: dict[int, int] = defaultdict(int)
        found: list[tuple[str, str, int]] = []
        rows = self.witness.query("SELECT table_id, kind, body FROM kept ORDER BY number")
        for table, kind, text in rows:
            body: dict[str, Any] = json.loads(text)
            seats = self._seats[table]
            match kind:
                case "Seated":
                    seats.append(body["name"])
                case "Unseated":
                    del seats[body["seat"]]
                case "Dealt":
                    rounds[table] += 1
                case "Rejected" if body["late_to"] is not None:
                    shown = body["shown"]
                    if shown is None or shown < READING_TIME:
                        custom_id = f"lg1:{table}:{rounds[table]}:{body['move']}"
                        who = str(seats[body["seat"]])
                        found.append((custom_id, who, int(body["late_ms"])))
        return found

    def _may_be_lost(self, press: Press) -> bool:
        """A note is not waited for: an end of the process, or a sick disk, may lose it, and a power
        cut those of a while before it.
        """
        return press.at <= self.witness.power_cut or any(
            began - SOON <= press.at <= ended + SOON for began, ended, _ in self.trouble.windows
        )


def _was_told(press: Press, who: str, margin: int) -> bool:
    """Or its answer was lost, or what it said is not known."""
    if press.record.user.name.title() != who.title():
        return False
    shown = press.record.original or press.record.message
    is_read = press.answer == UPDATE and shown is not None
    if (
        press.overwritten
        or not is_read
        or shown is None
        or shown.ephemeral_for is not press.record.user
    ):
        return True
    return press.late is not None and press.late.margin == margin
