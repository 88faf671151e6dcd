"""The first links of the daily's chains, as a check shows them."""

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.daily.chain import Chain
from bot.daily.dates import DayNumber
from bot.ops.check.finding import Finding, ok
from bot.store.daily.daily import CHAINS
from bot.store.database.backup import read_only
from bot.store.database.errors import DatabaseError


def dailies(path: Path) -> tuple[Finding, ...]:
    """Return a finding for each chain, and none before there is one. Faults are found elsewhere."""
    try:
        with closing(read_only(path)) as db:
            found = db.execute(CHAINS).fetchall()
    except (DatabaseError, sqlite3.Error):
        return ()
    return tuple(ok("daily", str(Chain(DayNumber(day), *rest))) for day, *rest in found)
