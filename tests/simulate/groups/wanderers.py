"""People who play at no table. What they ask of one group has to be known to all."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.fakediscord import Channel, Message, Server, User
from tests.simulate import screens
from tests.simulate.groups.member import Member

WANDERERS = 4
PAUSE = 15.0
"""Mean seconds between two things that somebody asks."""
ANSWERED = 20.0
"""Seconds after which a deletion has been answered: 2 s for the others, and slow calls."""
ON, GONE = "Plain text is on", "Your ID and name are gone"
NAMED = {"players": "user", "plain_text": "user", "daily_rounds": "user"}
"""Tables that name somebody, and by which column."""


@dataclass(slots=True)
class Wanderer:
    """Somebody who types `/plain` and plays the deal of the day, now here and now there.

    `leaves`: after a third of the evening or later, they ask to be forgotten and do nothing else.
    `plain`: their last choice, None if its answer is unknown. `asked`: when they asked to be
    forgotten, for the first time.
    """

    server: Server
    members: Sequence[Member]
    user: User
    chance: random.Random
    leaves: bool
    plain: bool | None = None
    chosen: float = 0.0
    asked: float | None = None

    async def wander(self, ends: float) -> None:
        loop = asyncio.get_running_loop()
        goes = ends - self.chance.random() * (ends - loop.time()) * 2 / 3
        while loop.time() < ends:
            if self.leaves and loop.time() > goes:
                await self._asks_to_be_forgotten()
            else:
                await self.chance.choice((self._chooses, self._plays_daily))()
            await asyncio.sleep(self.chance.expovariate(1 / PAUSE))

    async def _chooses(self) -> None:
        self.chosen, self.plain = asyncio.get_running_loop().time(), None
        if (said := await self._types("plain")) is not None:
            self.plain = ON in said.text

    async def _plays_daily(self) -> None:
        page = await self._types("daily")
        if page is not None:
            await self._presses(page, lambda word: word.endswith(":ligretto"))
            await self._presses(page, lambda word: ":flip:" in word)

    async def _asks_to_be_forgotten(self) -> None:
        if (page := await self._types("privacy")) is None:
            return
        before = self.asked
        self.asked = asyncio.get_running_loop().time()
        for label in ("Delete my data", "Yes, delete it"):
            item = screens.pressable(page, label)
            if item is None or not await self._presses(page, (item.custom_id or "").__eq__):
                self.asked = before
                return
        await self._is_told(page)

    async def _is_told(self, page: Message) -> None:
        """Whoever is told that they are forgotten, is forgotten everywhere by then."""
        for _ in range(int(ANSWERED * 10)):
            if GONE in page.text:
                for one in self.members:
                    if found := self.named(one):
                        told = f"{self.user.name} in group {one.bot.number}: {found}"
                        one.witness.broken("nobody counts as forgotten too early", told)
                return
            await asyncio.sleep(0.1)

    def named(self, one: Member) -> list[str]:
        """Return the tables of a group's file that name them."""
        sql = "SELECT 1 FROM {} WHERE {} = ? LIMIT 1"
        return [
            table
            for table, column in NAMED.items()
            if one.witness.query(sql.format(table, column), self.user.id)
        ]

    async def _types(self, command: str) -> Message | None:
        record = self.server.slash(self.user, self._somewhere(), command)
        return (await record.wait()).original if self.server.commands else None

    async def _presses(self, page: Message, is_meant: Callable[[str], bool]) -> bool:
        words = [one.custom_id or "" for one in page.controls if not one.disabled]
        word = next(filter(is_meant, words), None)
        return (
            word is not None
            and (await self.server.click(self.user, page, word, stale=True).wait()).ok
        )

    def _somewhere(self) -> Channel:
        return self.chance.choice(self.members).people[0].channel


def wanderers(server: Server, members: Sequence[Member], seed: int) -> list[Wanderer]:
    """Return one who stays, and others who ask to be forgotten."""
    return [
        Wanderer(
            *(server, members, server.user(f"wanderer {number}")),
            random.Random(f"wanderer {number} of {seed}"),
            leaves=bool(number),
        )
        for number in range(WANDERERS)
    ]


def known_everywhere(one: Wanderer) -> None:
    """All groups know what somebody has asked of one. What a lost machine knew may be lost.

    A choice without an answer may have been read later than the order, by a suspended machine.
    """
    first, *_ = (member.witness for member in one.members)
    lost = max((at for member in one.members for _, at in member.witness.lost), default=0.0)
    if one.asked is not None and lost < one.asked:
        late = {"plain_text"} if one.chosen and one.plain is None else set[str]()
        named = [(member.bot.number, {*one.named(member)} - late) for member in one.members]
        if any(found for _, found in named):
            first.broken("whoever asks for it is forgotten in every group", f"{named}")
    if one.asked is not None:
        return
    sql = "SELECT plain FROM plain_text WHERE user = ?"
    found = {bool(rows and rows[0][0]) for rows in _asked(one, sql)}
    if len(found) > 1 or (found != {one.plain} and None is not one.plain and lost < one.chosen):
        first.broken("a choice holds in every group", f"{one.user.name}: {found}, {one.plain}")
    rounds = Counter(
        row
        for rows in _asked(one, "SELECT day, game FROM daily_rounds WHERE user = ?")
        for row in rows
    )
    if any(count > 1 for count in rounds.values()):
        first.broken("a person's daily is one group's", f"{one.user.name}: {rounds}")


def _asked(one: Wanderer, sql: str) -> list[list[tuple[object, ...]]]:
    return [member.witness.query(sql, one.user.id) for member in one.members]
