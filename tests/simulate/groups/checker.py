"""What must be true after an evening of several groups: of each, and of all together."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from bot.fakediscord import Server
from tests.simulate.checker import DEADLINE, LAST_START, Checker
from tests.simulate.groups.member import Member, Shards
from tests.simulate.groups.wanderers import Wanderer, known_everywhere
from tests.simulate.ledger import Ledger
from tests.simulate.valkey import Valkey
from tests.simulate.witness import Press, Witness

MOST, A_SECOND = 50, 1.0
"""Discord's limit of a whole bot's calls (PLATFORM 2)."""
BY_TOKEN = ("/interactions/", "/webhooks/")
"""Calls that don't count towards it."""


@dataclass
class MemberChecker(Checker):
    """Asks about one group. Presses in direct messages came by `first`, the group of shard 0."""

    shards: Shards = field(kw_only=True)
    first: Member = field(kw_only=True)

    async def _bot_is_back(self) -> None:
        if not self.bot.is_running:
            self.witness.note("the process starts for the last time")
            self.bot.start()
        try:
            await self.server.wait_for(lambda: self.shards.ready, LAST_START)
        except TimeoutError:
            self.broken("the bot connects once all is well", "no session")

    def _ledger(self) -> Ledger:
        return Ledger(self.witness, self.log, is_direct)

    def _excuse(self, press: Press) -> str:
        if is_direct(press):
            for began, ended, why in self.first.trouble.windows:
                if began - DEADLINE <= press.at <= ended:
                    return why
        return Checker._excuse(self, press)


@dataclass(frozen=True, slots=True)
class Overall:
    """Asks about all groups together. What is broken stands with the first group's witness."""

    server: Server
    members: Sequence[Member]
    valkey: Valkey
    wanderers: Sequence[Wanderer]

    async def check(self) -> int:
        """How many matches were stored."""
        checkers = [self._checker(one) for one in self.members]
        matches = await asyncio.gather(*(one.check() for one in checkers))
        few_requests_a_second(self.server, self.members[0].witness)
        self._tables_have_one_owner()
        for wanderer in self.wanderers:
            known_everywhere(wanderer)
        for unknown in dict.fromkeys(self.valkey.unknown):
            self.broken("Valkey is asked for what it knows", unknown)
        return sum(matches)

    def broken(self, promise: str, told: str) -> None:
        self.members[0].witness.broken(promise, told)

    def _checker(self, one: Member) -> MemberChecker:
        return MemberChecker(
            self.server,
            one.bot,
            one.witness,
            one.trouble,
            one.people,
            one.log,
            of_group=True,
            shards=one.shards,
            first=self.members[0],
        )

    def _tables_have_one_owner(self) -> None:
        """No number of a table is in two groups' files: each entry has one owner."""
        owners: dict[int, list[int]] = defaultdict(list)
        for number, one in enumerate(self.members):
            for (table,) in one.witness.query("SELECT DISTINCT table_id FROM kept"):
                owners[table].append(number)
        for table, groups in owners.items():
            if len(groups) > 1:
                self.broken("no table has two owners", f"table {table}: groups {groups}")


def few_requests_a_second(server: Server, witness: Witness) -> None:
    """Discord refuses a bot's 51st call of a second, whichever group makes it."""
    came = sorted(
        ended - seconds
        for ended, _, path, _, seconds in server.calls
        if not any(one in path for one in BY_TOKEN)
    )
    at, count = max(busiest(came), key=itemgetter(1), default=(0.0, 0))
    witness.note(f"at most {count} calls in a second, until {at:.3f}")
    if count > MOST:
        witness.broken("at most 50 requests in a second", f"{count} until {at:.3f}")


def is_direct(press: Press) -> bool:
    """Whether a press came in direct messages, and so by shard 0."""
    return press.record.channel.guild is None


def busiest(times: Iterable[float]) -> Iterator[tuple[float, int]]:
    """Each time, and how many there were in the second until then."""
    last: deque[float] = deque()
    for at in times:
        last.append(at)
        while last[0] <= at - A_SECOND:
            last.popleft()
        yield at, len(last)
