"""The chains of a bot of several groups, which all of them deal from."""

from bot.daily.chain import Chain
from bot.daily.dates import DayNumber
from bot.groups.away import ValkeyAwayError
from bot.groups.entries import Entries
from bot.groups.people.chain_list import ChainList
from bot.ui.daily.homes import AwayError


class SharedChains:
    """The chains on which all groups agree."""

    def __init__(self, chains: ChainList) -> None:
        self._chains = chains
        self._entries = Entries("chains of dailies")

    async def agree(self, own: tuple[Chain, ...], drawn: Chain | None = None) -> tuple[Chain, ...]:
        """Offer chains for the days to come, and return the whole bot's. Raises AwayError.

        `drawn`: a new one after them. It doesn't count while another group may still have one.
        """
        offered = [_text(one) for one in (*own, *((drawn,) if drawn is not None else ()))]
        try:
            found = await self._chains.share(offered, is_drawn=drawn is not None)
        except ValkeyAwayError as error:
            raise AwayError from error
        chains = self._entries.each(found, _chain)
        if len(chains) < len(found):
            raise AwayError
        return tuple(chains)


def _text(one: Chain) -> str:
    return f"{one.first}:{one.links}:{one.final.hex()}"


def _chain(text: str) -> Chain:
    first, links, final = text.split(":")
    return Chain(DayNumber(int(first)), bytes.fromhex(final), int(links))
