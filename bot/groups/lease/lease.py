"""The lease of a running group, renewed until it is released or lost."""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import inf

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.lease.leases import LIFE, RENEW, RENEWAL, Leases
from bot.groups.lease.own_group import GroupFile, OwnGroup, taken_over
from bot.groups.lease.refusals import ELSEWHERE, GroupLostError, Refused, Why

log = logging.getLogger(__name__)

AGAIN = 1.0
"""Seconds until a renewal is tried again while Valkey is away."""


class Lease:
    """A group's lease.

    While Valkey is away the group plays on; once it is back, the lease is taken again, unless the
    group has been started elsewhere. `on_lost` is called then, or if another group has taken this
    one's shards meanwhile. `lost`: the error that says so; None while nothing of that happened.
    """

    def __init__(self, own: OwnGroup, file: GroupFile, leases: Leases, clock: Clock) -> None:
        self.own = own
        self._file = file
        self._leases = leases
        self._clock = clock
        self._why: Why | None = None
        self._until = clock.since_boot() + LIFE
        self.lost: GroupLostError | None = None
        self.on_lost: Callable[[], None] = lambda: None

    @property
    def is_sure(self) -> bool:
        """False while it isn't known whether somebody else has started the group.

        That is so for a moment after the process stood still for longer than its lease lived. While
        Valkey is known to be away, the process takes its group for its own.
        """
        return self.lost is None and self._clock.since_boot() < self._until

    async def keep(self) -> None:
        """Renew the lease until it is lost.

        The file learns the numbers of new groups. Renewals put back what Valkey has lost.
        """
        id_of_file = await self._file.id()
        used = await self._file.used()
        pause = RENEWAL
        while True:
            await self._clock.sleep(pause)
            asked = self._clock.since_boot()
            try:
                own = self.own
                outcome = await self._leases.take(own, id_of_file, RENEW, own.start, used)
            except ValkeyAwayError:
                self._until, pause = inf, AGAIN
                continue
            pause = RENEWAL
            if isinstance(outcome, Refused):
                self._lose(outcome)
                return
            self._until = asked + LIFE
            if new := outcome - used:
                used |= new
                await self._file.heard(new)

    def _lose(self, outcome: Refused) -> None:
        log.error("%s", outcome.said)
        self._why = outcome.why
        self.lost = GroupLostError(outcome.said)
        self.on_lost()

    async def leave(self) -> None:
        """Note in the file that this holder stops in order, or why it lost the group.

        A number that another database has as well is given up. Nothing may be played any more.
        """
        if self._why is Why.TWICE:
            await self._file.forget()
        elif self._why in ELSEWHERE:
            await self._file.keep(taken_over(self.own))
        else:
            await self._file.keep(replace(self.own, is_released=True))

    async def release(self) -> None:
        """Let somebody else have the group at once. Without Valkey, the lease runs out by itself.

        Only called once the file is closed: whoever copies it then has everything.
        """
        with suppress(ValkeyAwayError):
            await self._leases.release(self.own)
