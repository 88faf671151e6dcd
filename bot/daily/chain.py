"""The chain of secrets: each day's is fixed before the chain's first link is shown."""

from dataclasses import dataclass, field
from hashlib import sha256

from bot.daily.dates import DayNumber, iso
from bot.tables.state.match_seed import mixed

LINKS = 3653
"""Days that a chain lasts: ten years."""
AHEAD = 30
"""Days before the end of a chain at which the next one is drawn, and its first link shown."""
EVER = DayNumber(0)
"""Before the first day of every chain."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Secrets for `links` days from `first`, hashed backwards from a random `final` one.

    The secret of a day is the SHA-256 of the next day's. `final`, 32 bytes, is that of the last.
    `since`: the first day that is dealt from it here, if that isn't its first.
    """

    first: DayNumber
    final: bytes = field(repr=False)
    links: int = LINKS
    since: DayNumber = EVER

    def __str__(self) -> str:
        """Return what everybody may know: `3653 days from 2026-11-30, first link 72db…`."""
        return f"{self.links} days from {iso(self.first)}, first link {self.first_link.hex()}"

    @property
    def last(self) -> DayNumber:
        return DayNumber(self.first + self.links - 1)

    def covers(self, day: DayNumber) -> bool:
        return max(self.first, self.since) <= day <= self.last

    def is_same(self, other: "Chain") -> bool:
        """Return whether both deal the same on every day that both cover."""
        return (self.first, self.links, self.final) == (other.first, other.links, other.final)

    def until(self, day: DayNumber) -> "Chain":
        """Return the chain with its days up to this one alone, of which it has at least one."""
        links = day - self.first + 1
        return Chain(self.first, self.secret(day), links, self.since)

    def secret(self, day: DayNumber) -> bytes:
        """Return a day's secret, or for the day before the first the link that is shown.

        Takes a hash for each day that is left: milliseconds at most.
        """
        assert self.first - 1 <= day <= self.last, "another chain's day"
        found = self.final
        for _ in range(self.last - day):
            found = sha256(found).digest()
        return found

    @property
    def first_link(self) -> bytes:
        """The link that is shown when the chain begins: the hash of its first day's secret."""
        return self.secret(DayNumber(self.first - 1))


def chain_of(chains: tuple[Chain, ...], day: DayNumber) -> Chain | None:
    """Return the chain that a day belongs to; None if no chain has it."""
    return next((one for one in chains if one.covers(day)), None)


def lacking(chains: tuple[Chain, ...], today: DayNumber) -> DayNumber | None:
    """Return the first day of a chain that has to be drawn now; None while none has to."""
    last = max((one.last for one in chains), default=None)
    if last is None:
        return today
    return max(DayNumber(last + 1), today) if last < today + AHEAD else None


def shown(chains: tuple[Chain, ...], today: DayNumber) -> tuple[Chain, ...]:
    """Return the chains of today and later, today's first."""
    now = (one for one in chains if one.last >= today)
    return tuple(sorted(now, key=lambda one: not one.covers(today)))


def to_come(chains: tuple[Chain, ...], today: DayNumber) -> tuple[Chain, ...]:
    """Return the chains that the days after today are dealt from, in their order."""
    return tuple(sorted((one for one in chains if one.last > today), key=lambda one: one.last))


def agreed(
    own: tuple[Chain, ...], shared: tuple[Chain, ...], today: DayNumber
) -> tuple[Chain, ...]:
    """Return this file's chains once the whole bot has these for the days to come.

    Each day up to today keeps the chain that it was played with here. A day that had none, today
    too, gets the shared one.
    """
    kept = tuple(one for one in own if any(one.is_same(other) for other in shared))
    past = tuple(
        one if one.last <= today else one.until(today)
        for one in own
        if one not in kept and one.first <= today
    )
    tomorrow = DayNumber(today + 1)
    has_today = any(one.covers(today) for one in (*kept, *past))
    since = tomorrow if has_today else today
    new = tuple(
        Chain(one.first, one.final, one.links, since if since > one.first else EVER)
        for one in shared
        if not any(one.is_same(other) for other in own)
    )
    return (*past, *kept, *new)


def seed(secret: bytes, day: DayNumber) -> bytes:
    """Return the seed of a day's deals: HMAC-SHA256 of secret and date (`docs/chance.md`)."""
    return mixed(secret, iso(day))
