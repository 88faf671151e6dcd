"""What people do with the deal of the day in a story."""

from collections.abc import Iterator
from hashlib import sha256

from tests.loopback.players import Player
from tests.stories.world import Channel, Interaction, Message, World, given

MOVE = "ld1:"


class Alone(Player):
    """Somebody who plays the deal of the day, in a channel or in direct messages."""

    shown: Message
    """The daily's message that they look at."""

    @property
    def panel(self) -> Message:
        return self.shown

    async def page(self, channel: Channel | None = None) -> Message:
        """Type /daily, and look at the page."""
        answer = await self.server.slash(self.user, channel or self.channel, "daily").wait()
        given(answer.original is not None, "the page is there")
        assert answer.original is not None
        self.shown = answer.original
        return self.shown

    async def begin(self, game: str = "ligretto", channel: Channel | None = None) -> Message:
        """Open today's round from the page, whether it is new or not."""
        _ = await self.page(channel)
        opens = f":{game}"
        ids = [item.custom_id or "" for item in self.shown.controls]
        _ = await self.send(next(one for one in ids if one.endswith(opens)))
        return self.shown

    async def tap(self, label: str) -> Interaction:
        return await self.server.click(self.user, self.shown, label=label).wait()

    async def send(self, custom_id: str) -> Interaction:
        """Send a button, even one that isn't there."""
        return await self.server.click(self.user, self.shown, custom_id, stale=True).wait()

    async def flip(self) -> Interaction:
        return await self.send(next(one for one in self.moves if ":flip:" in one))

    async def pick(self, custom_id: str, value: str) -> Interaction:
        """Choose from a list, even from one that isn't there."""
        chosen = self.server.select(self.user, self.shown, custom_id, [value], stale=True)
        return await chosen.wait()

    async def asks_for_proof(self) -> None:
        """Open the page that tells the links of the chain."""
        _ = await self.page()
        _ = await self.tap("Fair deal?")

    async def finish(self) -> None:
        """Play what fits until the round is over."""
        while self.moves:
            _ = await self.act()

    @property
    def moves(self) -> list[str]:
        """The custom ids of the moves that can be pressed."""
        ids = [item.custom_id or "" for item in self.shown.controls if not item.disabled]
        return [one for one in ids if one.startswith(MOVE)]


def alone(world: World, name: str, channel: Channel | None = None) -> Alone:
    return Alone(world.server, world.server.user(name), channel or world.channel)


def stored(world: World, person: Player, game: str = "ligretto") -> tuple[str, int, int | None]:
    """The newest round's presses, their number, and its points, as the database has them."""
    sql = "SELECT moves, presses, points FROM daily_rounds WHERE user = ? AND game = ? ORDER BY day"
    found = world.rows(sql, person.user.id, game)
    given(found, "the round is stored")
    moves, presses, points = found[-1]
    return moves, presses, points


def secrets(world: World) -> Iterator[bytes]:
    """The first secrets of the chain, the shown link before them."""
    ((final, links),) = world.rows("SELECT final, links FROM daily_chains")
    hashed: list[bytes] = [final]
    for _ in range(links):
        hashed.append(sha256(hashed[-1]).digest())
    return reversed(hashed)
