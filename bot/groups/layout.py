"""The shards, and so the servers, that a process owns."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.ids import GuildId

MOST = 16_384
"""Shards of a bot at most: more than the largest has."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The bot's number of shards, and those that this process owns, in order (PLATFORM 2).

    `WHOLE` is every shard of a bot that is one process: it doesn't name their number, since
    discord.py asks Discord for it.
    """

    count: int | None = None
    ids: tuple[int, ...] = ()

    def owns(self, guild: GuildId) -> bool:
        """Return whether a server's events arrive here."""
        return self.count is None or shard_of(guild, self.count) in self.ids

    @property
    def owns_direct_messages(self) -> bool:
        """True if direct messages arrive here: shard 0 has them all."""
        return self.count is None or 0 in self.ids

    @property
    def share(self) -> float:
        """The share of the bot's shards that are here, at most 1."""
        return 1.0 if self.count is None else len(self.ids) / self.count

    def __str__(self) -> str:
        """Return `shards 0-3 of 8`."""
        if self.count is None:
            return "every shard"
        return f"shards {in_short(self.ids)} of {self.count}"


WHOLE = Layout()


def shard_of(guild: GuildId, count: int) -> int:
    """Return the shard of a server, as Discord works it out."""
    return (guild >> 22) % count


def shards(written: str) -> tuple[int, ...]:
    """Return the shards of `0-3` or `0,2,5-7`, in order. Raises ValueError if it is neither."""
    found: set[int] = set()
    for part in written.split(","):
        first, dash, last = (word.strip() for word in part.partition("-"))
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise ValueError("must be numbers and ranges of shards, such as 0-3 or 0,2,5-7")
        low, high = int(first), int(last or first)
        if low > high or high >= MOST:
            raise ValueError(f"{part.strip()} is no range of shards")
        both = found.intersection(named := range(low, high + 1))
        if both:
            raise ValueError(f"shard {min(both)} is named twice")
        found.update(named)
    return tuple(sorted(found))


def in_short(numbers: Iterable[int]) -> str:
    """Return ascending shards as they are written in the settings: `0-3,6`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(f"{one[0]}-{one[-1]}" if len(one) > 1 else str(one[0]) for one in runs)
