"""New ratings, personal bests and fallen records, which the records add to a finished match."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.games.values import Seat
from bot.ids import UserId
from bot.records.archive import Archive
from bot.records.feat_models import RAREST, Best, FallenRecord
from bot.records.models import MatchDetails
from bot.tables.decisions.rated_or_practice import Standing
from bot.tables.running.table import Table
from bot.tables.state.session import NOBODY
from bot.tables.views.results.records import NO_RECORDS, Records
from bot.text import Text
from bot.ui.records.feats.server_records import fallen_lines, in_short
from bot.ui.records.match_pages import changes
from bot.ui.toolkit.player_names import Names

VOID = Records(is_void=True)

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
                if details.match.standing is Standing.VOID:
                    return VOID
                found, missing = _ratings(table, details), "bests"
                bests = await self._archive.bests_before(guild, details.match.number)
                found, missing = _bests(table, found, bests), "records"
                fallen = await self._archive.fallen_records(guild, details.match.number)
                lines, broken = fallen_lines(fallen, _names(table)), _broken(table, fallen)
                return replace(found, fallen=lines, broken=broken)
        except TimeoutError:
            log.warning("%s: %s not shown, no answer in %g s", table, missing, PATIENCE)
        except Exception:
            log.exception("%s: %s not shown", table, missing)
        return found


def _names(table: Table) -> Names:
    session = table.session
    seated = {chair.user: chair.name for chair in session.chairs if chair.user is not None}
    return Names(seated, session.opened.locale)


def _broken(table: Table, fallen: Sequence[FallenRecord]) -> dict[Seat, Text]:
    """Return, by seat, the rarest record that its player has broken."""
    rarest = sorted(fallen, key=lambda one: RAREST.index(one.now.feat), reverse=True)
    by_user = {one.now.holder.user: in_short(one.now.feat, one.now.value) for one in rarest}
    people = ((Seat(seat), one.user) for seat, one in enumerate(table.session.chairs) if one.human)
    return {seat: by_user[user] for seat, user in people if user in by_user}


def _ratings(table: Table, details: MatchDetails) -> Records:
    return Records(changes(details.match, _names(table)))


def _bests(table: Table, found: Records, bests: Mapping[UserId, Best]) -> Records:
    chairs = enumerate(table.session.chairs)
    seats = {Seat(seat): bests.get(one.user or NOBODY, Best()) for seat, one in chairs}
    return replace(
        found,
        bests={seat: one.points for seat, one in seats.items() if one.points is not None},
        stops={seat: one.stop for seat, one in seats.items() if one.stop is not None},
    )
