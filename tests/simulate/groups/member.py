"""One group of an evening: its process, its shards, who plays there, and who watches."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.fakediscord import Server
from bot.fakediscord.gateway.connection import Session, shard_of
from tests.simulate.groups.trouble import MemberTrouble
from tests.simulate.owner import PROCESS
from tests.simulate.people import Group as People
from tests.simulate.process import Log, Process
from tests.simulate.witness import Witness


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of a bot's shards, as Discord's gateway sees them."""

    server: Server
    count: int
    ids: tuple[int, ...]

    def owns(self, guild: int) -> bool:
        return shard_of(guild, self.count) in self.ids

    @property
    def sessions(self) -> list[Session]:
        """Their sessions, connected or not."""
        return [one for one in self.server.gateway.sessions if one.shard[0] in self.ids]

    @property
    def ready(self) -> bool:
        """True while each is connected."""
        connected = {one.shard[0] for one in self.sessions if one.connection and not one.dead}
        return connected == {*self.ids}

    @property
    def identified(self) -> int:
        """How often one of them has begun a session."""
        return sum(number in self.ids for _, (number, _) in self.server.gateway.identifies)


@dataclass
class Member:
    """`people`: those at its tables. `log`: what its processes say."""

    shards: Shards
    bot: Process
    witness: Witness
    trouble: MemberTrouble
    log: Log = field(default_factory=Log)
    people: list[People] = field(default_factory=list)


class Logs(logging.Handler):
    """Passes on what a process says to the log of its group."""

    def __init__(self, members: Sequence[Member]) -> None:
        super().__init__()
        self._members = members

    def emit(self, record: logging.LogRecord) -> None:
        number = PROCESS.get()
        for one in self._members:
            if one.bot.number == number:
                one.log.emit(record)
