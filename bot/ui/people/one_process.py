"""`/privacy` in a bot that is one process."""

from collections.abc import Mapping

from bot.ids import UserId
from bot.ui.people.everywhere import Export, Part, Why
from bot.ui.people.own_data import OwnData


class OneProcess:
    """The only part of the bot is this one."""

    takes_time = False

    def __init__(self, own: OwnData) -> None:
        self._own = own

    async def export(self, user: UserId) -> Export:
        return Export(await self._own.export(user))

    async def playing(self, user: UserId) -> tuple[str, ...]:
        return self._own.playing(user)

    async def forget(self, user: UserId) -> Mapping[Part, Why]:
        await self._own.forget(user)
        return {}

    async def left(self, user: UserId) -> Mapping[Part, Why]:  # noqa: ARG002 nothing is ever left
        return {}
