"""Faults between the groups of one bot. Pure: `records` reads them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.groups.layout import Layout, in_short
from bot.ops.check.finding import Finding, fix, later, ok
from bot.ui.connection.gateway.identify_turns import TURN

APART = 2.0
"""Seconds by which clocks may differ. Dates and backups go by them; leases and presses don't."""


@dataclass(frozen=True, slots=True)
class Member:
    """A group as Valkey has it.

    `count` and `shards`: of its last start. `is_running`: whether its lease holds. `is_released`:
    whether it stopped in order. `version`, `seen` (Unix seconds by Valkey's clock) and `ahead`
    (its clock's seconds before Valkey's) are None before it has told them, as is `connected`: how
    many of its shards Discord has.
    """

    number: int
    count: int
    shards: tuple[int, ...]
    holder: str
    start: int
    is_released: bool
    is_running: bool
    version: str | None = None
    seen: float | None = None
    ahead: float | None = None
    connected: int | None = None

    def __str__(self) -> str:
        return f"group {self.number} ({Layout(self.count, self.shards)})"


def between(
    members: Collection[Member], layout: Layout, now: float, own: int = 0
) -> tuple[Finding, ...]:
    """Return a finding for each fault, or one line if there is none; and who still connects.

    `layout`: of these settings. `now`: Unix seconds by Valkey's clock. `own`: the number of this
    database. If it was stopped in order, nobody has to be told to start it.
    """
    running = [one for one in members if one.is_running]
    down = [one for one in members if not (one.is_running or _is_replaced(one, members, layout))]
    faults = (
        *_other_counts(running, layout),
        *_shared(running),
        *_down([one for one in down if one.number != own or not one.is_released], now),
        *_missing(members, layout),
        *_versions(running),
        *_clocks(running),
    )
    found = faults or (ok("groups", f"{len(running)} running: {_named(running)}"),)
    return (*found, *_connecting(running))


def _named(members: Iterable[Member]) -> str:
    said = (f"{one.number} (shards {in_short(one.shards)})" for one in members)
    return ", ".join(said) or "none"


def _other_counts(running: Sequence[Member], layout: Layout) -> Iterator[Finding]:
    for one in running:
        if one.count != layout.count:
            said = f"{one} has another SHARD_COUNT than {layout.count}: stop all groups, then start"
            yield fix("groups", f"{said} each with the same")


def _shared(running: Sequence[Member]) -> Iterator[Finding]:
    owners = defaultdict[int, list[int]](list)
    for one in running:
        for shard in one.shards:
            owners[shard].append(one.number)
    shared = defaultdict[tuple[int, ...], list[int]](list)
    for shard, numbers in sorted(owners.items()):
        if len(numbers) > 1:
            shared[tuple(numbers)].append(shard)
    for owning, both in shared.items():
        said = f"shards {in_short(both)} belong to groups {_list(owning)}"
        yield fix("groups", f"{said}: give each shard to one of them in SHARD_IDS")


def _down(members: Iterable[Member], now: float) -> Iterator[Finding]:
    for one in members:
        since = f" since {_when(one.seen, now)}" if one.seen is not None else ""
        if one.is_released:
            yield fix("groups", f"{one} is stopped{since}: start it")
        else:
            said = f"{one} is down{since}, and its holder did not release it: start it there"
            yield fix("groups", f"{said}, or elsewhere with --take-over if that machine is lost")


def _is_replaced(one: Member, members: Iterable[Member], layout: Layout) -> bool:
    """Return whether others have had its place since, as after a split or a new SHARD_COUNT."""
    later = [
        other
        for other in members
        if other.count == layout.count and (other.is_running or (other.seen or 0) > (one.seen or 0))
    ]
    if one.count != layout.count:
        return bool(later)
    return {shard for other in later for shard in other.shards}.issuperset(one.shards)


def _missing(members: Iterable[Member], layout: Layout) -> Iterator[Finding]:
    known = {shard for one in members if one.count == layout.count for shard in one.shards}
    known.update(layout.ids)
    if missing := [shard for shard in range(layout.count or 0) if shard not in known]:
        said = f"shards {in_short(missing)} of {layout.count} belong to no group"
        yield fix("groups", f"{said}: start one with them in SHARD_IDS")


def _connecting(running: Sequence[Member]) -> Iterator[Finding]:
    """Yield groups whose shards wait for their turns, one by one (PLATFORM 2)."""
    for one in running:
        if one.connected is not None and (left := len(one.shards) - one.connected) > 0:
            said = f"{one} has {one.connected} of {len(one.shards)} shards connected"
            yield later("groups", f"{said}; the others take {left * TURN:.0f} s or more")


def _versions(running: Sequence[Member]) -> Iterator[Finding]:
    told = [(one.version, one.number) for one in running if one.version is not None]
    by_version = defaultdict[str, list[int]](list)
    for version, number in told:
        by_version[version].append(number)
    if len(by_version) > 1:
        said = "; ".join(f"{version} in {_list(of)}" for version, of in sorted(by_version.items()))
        yield fix("groups", f"different versions: {said}: upgrade and restart the others")


def _clocks(running: Sequence[Member]) -> Iterator[Finding]:
    """Compare each clock with the one in the middle: most are right."""
    told = sorted((one.ahead, one.number) for one in running if one.ahead is not None)
    if not told:
        return
    middle = told[len(told) // 2][0]
    for ahead, number in told:
        if abs(ahead - middle) > APART:
            far = f"{abs(ahead - middle):.0f} s {'ahead of' if ahead > middle else 'behind'}"
            said = f"the clock of group {number} is {far} the others"
            yield fix("groups", f"{said}: turn on time synchronisation there")


def _when(seen: float, now: float) -> str:
    ago = max(0, round((now - seen) / 60))
    return f"{datetime.fromtimestamp(seen, UTC):%Y-%m-%d %H:%M} UTC ({ago} min ago)"


def _list(numbers: Iterable[int]) -> str:
    *most, last = map(str, sorted(Counter(numbers)))
    return f"{', '.join(most)} and {last}" if most else last
