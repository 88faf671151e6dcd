"""The calls to Discord about a player's panel, each with its pace."""

import asyncio
from collections.abc import Callable

from discord.ui import LayoutView

from bot.tables.places import Token
from bot.tables.table import Table
from bot.ui import wire
from bot.ui.office import Office
from bot.ui.panel_state import Asleep, ByToken, DirectMessage, Place, token_of

PATIENCE = 10.0
"""Seconds after which a call counts as lost; nobody waits for it."""
DIRECT_GAP = 2.0
"""Seconds between two edits without a token: a channel takes five in five seconds, and each
spends what the whole bot may send (PLATFORM 1, 2).
"""


class PanelMessage:
    """The message that a panel is. Calls raise `bot.ui.errors.FAILURES`."""

    def __init__(self, table: Table, office: Office) -> None:
        self._table = table
        self._office = office
        self._next_direct = 0.0

    async def turn(self, place: Place, urgent: Callable[[], bool]) -> None:
        """Wait until this place may be edited; not for long once it is urgent."""
        office = self._office
        if token_of(place) is None:
            await office.clock.sleep(self._next_direct - office.clock.now())
            await office.budget.take_own(urgent=urgent)
        else:
            await office.budget.take(self._table.session.channel, urgent=urgent)

    async def edit(self, place: Place, view: LayoutView) -> None:
        """Show this: with the token where there is one, else as the bot."""
        async with asyncio.timeout(PATIENCE):
            match place:
                case ByToken(token) | DirectMessage(token=Token() as token):
                    await wire.push(self._office.hook(token.token), token.message, view)
                case DirectMessage(direct):
                    self._next_direct = self._office.clock.now() + DIRECT_GAP
                    letter = self._office.letter(direct)
                    await letter.edit(view=view, allowed_mentions=wire.NOBODY)
                case Asleep():
                    pass

    async def delete(self, place: Place) -> None:
        async with asyncio.timeout(PATIENCE):
            match place:
                case DirectMessage(direct):
                    await self._office.letter(direct).delete()
                case ByToken(token):
                    await self._office.hook(token.token).delete_message(token.message)
                case Asleep():
                    pass
