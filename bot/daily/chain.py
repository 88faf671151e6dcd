"""The chain of secrets: each day's is fixed before the chain's first link is shown."""

from dataclasses import dataclass, field
from hashlib import sha256

from bot.daily.dates import DayNumber, iso
from bot.tables.state.match_seed import mixed

LINKS = 3653
"""Days that a chain lasts: ten years."""
AHEAD = 30
"""Days before the end of a chain at which the next one is drawn, and its first link shown."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Secrets for `links` days from `first`, hashed backwards from a random `final` one.

    The secret of a day is the SHA-256 of the next day's. `final`, 32 bytes, is that of the last.
    """

    first: DayNumber
    final: bytes = field(repr=False)
    links: int = LINKS

    def __str__(self) -> str:
        """Return what everybody may know: `3653 days from 2026-11-30, first link 72db…`."""
        return f"{self.links} days from {iso(self.first)}, first link {self.first_link.hex()}"

    @property
    def last(self) -> DayNumber:
        return DayNumber(self.first + self.links - 1)

    def covers(self, day: DayNumber) -> bool:
        return self.first <= day <= self.last

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


def seed(secret: bytes, day: DayNumber) -> bytes:
    """Return the seed of a day's deals: HMAC-SHA256 of secret and date (`docs/chance.md`)."""
    return mixed(secret, iso(day))
