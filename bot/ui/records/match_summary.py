"""New ratings and best rounds so far, which the records add to a finished match."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace

from bot.games.values import Seat
from bot.ids import UserId
from bot.records.archive import Archive
from bot.records.models import MatchDetails
from bot.tables.running.table import Table
from bot.tables.state.session import NOBODY
from bot.tables.views.results.ended import NO_RECORDS, Records
from bot.ui.records.match_pages import changes
from bot.ui.records.player_names import Names

log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds after which the end is shown with what has been read by then."""


class MatchSummary:
    """The reader of what the records add to a finished match.

    It never raises: if the archive is slow or broken, the end is shown without it.
    """

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    async def __call__(self, table: Table) -> Records:
        found, missing = NO_RECORDS, "ratings"
        try:
            async with asyncio.timeout(PATIENCE):
                guild = table.session.opened.guild
                details = await self._archive.match_of_table(guild, table.id)
                if details is None:
                    return found
                found, missing = _ratings(table, details), "best rounds"
                bests = await self._archive.best_rounds(guild, details.match.number)
                return replace(found, bests=_by_seat(table, bests))
        except TimeoutError:
            log.warning("%s: %s not shown, no answer in %g s", table, missing, PATIENCE)
        except Exception:
            log.exception("%s: %s not shown", table, missing)
        return found


def _ratings(table: Table, details: MatchDetails) -> Records:
    session = table.session
    seated = {chair.user: chair.name for chair in session.chairs if chair.user is not None}
    return Records(changes(details.match, Names(seated, session.opened.locale)))


def _by_seat(table: Table, bests: Mapping[UserId, int]) -> dict[Seat, int]:
    chairs = enumerate(table.session.chairs)
    found = ((Seat(seat), bests.get(one.user or NOBODY)) for seat, one in chairs)
    return {seat: best for seat, best in found if best is not None}
