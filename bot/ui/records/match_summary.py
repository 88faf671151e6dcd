"""The additions to the message of a finished match: new ratings and buttons to the records."""

import asyncio
import logging
from functools import partial

from bot.records.archive import Archive
from bot.screen import Block, Choice, Line, Row, Screen, Words
from bot.tables.running.table import Table
from bot.tables.state.journal import TableId
from bot.tables.views.lines import fair
from bot.text import Text
from bot.ui.records.leaderboards import TOP
from bot.ui.records.match_pages import changes
from bot.ui.records.player_names import Names
from bot.ui.tables.look import Finish
from bot.ui.toolkit.command_router import custom_id

log = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds after which the final score is shown without ratings."""


class MatchSummary:
    """The function that adds new ratings and buttons to a finished match's message.

    It never raises: if the archive is slow or broken, the score has its buttons but no ratings.
    """

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    async def __call__(self, table: Table) -> Finish:
        lines: tuple[Line, ...] = ()
        try:
            async with asyncio.timeout(PATIENCE):
                lines = await self._ratings(table)
        except TimeoutError:
            log.warning("%s: ratings not shown, no answer in %g s", table, PATIENCE)
        except Exception:
            log.exception("%s: ratings not shown", table)
        return partial(finished, table=table.id, game=table.session.game.key, lines=lines)

    async def _ratings(self, table: Table) -> tuple[Line, ...]:
        session = table.session
        details = await self._archive.match_of_table(session.opened.guild, table.id)
        if details is None:
            return ()
        seated = {chair.user: chair.name for chair in session.chairs if chair.user is not None}
        return changes(details.match, Names(seated, session.opened.locale))


def finished(screen: Screen, table: TableId, game: str, lines: tuple[Line, ...]) -> Screen:
    """Add rating changes under the standings, and record buttons next to Rematch."""
    place = next((i for i, one in enumerate(screen.blocks) if isinstance(one, Row)), None)
    if place is None:
        return screen
    row = screen.blocks[place]
    assert isinstance(row, Row)
    ratings: tuple[Block, ...] = (Words(lines),) if lines else ()
    replay = Choice(Text("button.replay"), custom_id("log", table))
    leaderboard = Choice(Text("button.leaderboard"), custom_id(TOP, game))
    return Screen(
        (
            *screen.blocks[:place],
            *ratings,
            Row((*row.choices, replay)),
            Row((leaderboard, fair())),
            *screen.blocks[place + 1 :],
        ),
        screen.round,
    )
