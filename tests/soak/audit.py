"""What has to be true when everybody has gone home."""

import re
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

from bot.verify.referee import Referee

RECORD = re.compile(r"^\d{4}-\d\d-\d\d \S+ (\w+) (\S+): (.*)$")
EXPECTED = ("discord.client: Attempting a reconnect in",)
"""Tracebacks that the cut gateway connections lead to: discord.py tells them so."""
TRACE = re.compile("Traceback")
TOLD = 5
"""Lines of a traceback that a surprise is told with."""
Held = tuple[int, int, int]
"""Tables, tasks, and presses in work."""
HELD = re.compile(r"held: (\d+) tables, (\d+) tasks, (\d+) presses in work")


def matches(database: Path) -> int:
    """Every stored result is what an independent referee makes of its log. How many there are."""
    with closing(sqlite3.connect(database)) as db:
        logs = db.execute("SELECT match_id, log FROM logs").fetchall()
        for match, log in logs:
            seats = db.execute(
                "SELECT points FROM seats WHERE match_id = ? ORDER BY seat", (match,)
            )
            referee = Referee(zlib.decompress(log).decode()).check()
            assert referee.totals == [row[0] for row in seats], f"match {match}"
    return len(logs)


def left_behind(database: Path) -> dict[str, int]:
    """Tables still in a lobby or a match, and lines and panels of closed tables."""
    in_play = """
        SELECT count(*) FROM tables t WHERE closed = 0 AND NOT EXISTS (
            SELECT 1 FROM journal WHERE table_id = t.id AND kind = 'MatchEnded')
    """
    panels = "SELECT count(*) FROM panels p JOIN tables t ON t.id = p.table_id WHERE t.closed = 1"
    lines = "SELECT count(*) FROM journal j JOIN tables t ON t.id = j.table_id WHERE t.closed = 1"
    queries = {"tables in play": in_play, "panels": panels, "journal lines": lines}
    with closing(sqlite3.connect(database)) as db:
        return {name: int(db.execute(query).fetchone()[0]) for name, query in queries.items()}


def surprises(written: str) -> list[str]:
    """Log records with a traceback or at ERROR that no injected fault explains.

    Each with the last lines of its traceback: where it came from, and what it was.
    """
    found: list[str] = []
    for level, told, trace in _records(written):
        is_bad = level in ("ERROR", "CRITICAL") or any(map(TRACE.match, trace))
        if is_bad and not told.startswith(EXPECTED):
            found.append("\n".join((told, *trace[-TOLD:])))
    return found


def _records(written: str) -> list[tuple[str, str, list[str]]]:
    """Level, logger and message, and the lines until the next record."""
    found: list[tuple[str, str, list[str]]] = [("", "", [])]
    for line in written.splitlines():
        if match := RECORD.match(line):
            found.append((match[1], f"{match[2]}: {match[3]}", []))
        else:
            found[-1][2].append(line)
    return found


def held(written: str) -> list[Held]:
    """What a process held, as often as it told."""
    return [(int(one[1]), int(one[2]), int(one[3])) for one in HELD.finditer(written)]
