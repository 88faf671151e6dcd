"""The pairing of an arena: who of those who are free sits at the next table.

Whoever has waited longest sits first, with those whom they have met least of late, and a full table
begins at once. A smaller one begins when somebody has waited for `PATIENCE`. Nobody meets the same
people three times in a row as long as another table can be made of those who are free.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import combinations

from bot.ids import UserId
from bot.tables.arena.decisions import MOST
from bot.tables.arena.state import MET, Arena, Member

LEAST = 2
PATIENCE = 12_000
"""Ms that somebody waits for a full table, while others are free too."""
LOOKED_AT = 10
"""Free people among whom the others of a table are looked for, those met least first."""


def next_table(
    arena: Arena, lived: int, busy: Collection[UserId] = (), deals: int = MOST
) -> tuple[UserId, ...]:
    """Return the people of the next table; nobody if none begins now.

    `lived`: ms of the arena's life. `busy`: people who sit elsewhere, or may be about to. `deals`:
    the people who can be dealt cards now. A table that is too big for that waits.
    """
    if arena.stopped is not None or arena.is_over or arena.message is None:
        return ()
    free = [one for one in arena.free if one.user not in busy]
    if len(free) < LEAST:
        return ()
    if len(free) < arena.opened.seats and lived - free[0].since < PATIENCE:
        return ()
    size = _size(len(free), arena.opened.seats, is_quiet=not arena.running)
    if size > deals:
        return ()
    choices = _choices(free, size)
    first = next(choices)
    if not is_stale(first):
        return _users(first)
    return _users(next((one for one in choices if not is_stale(one)), first))


def is_stale(group: Sequence[Member]) -> bool:
    """Return whether somebody in this group would meet the same people for the third time."""
    everybody = frozenset(one.user for one in group)
    return any(
        len(one.met) == MET and all(met == everybody - {one.user} for met in one.met)
        for one in group
    )


def _size(free: int, seats: int, *, is_quiet: bool) -> int:
    """Return how many sit down.

    If no round goes on (`is_quiet`), nobody will be free soon: then five at tables of four are
    three and two, not four and one who waits for a whole round.
    """
    if is_quiet and free == seats + 1 and seats > LEAST:
        return seats - 1
    return min(free, seats)


def _choices(free: Sequence[Member], size: int) -> Iterator[tuple[Member, ...]]:
    """Yield possible tables, the best first: that of whoever waits longest."""
    for at, first in enumerate(free):
        others = [one for i, one in enumerate(free) if i != at]
        others.sort(key=partial(_times_met, first))
        for group in combinations(others[:LOOKED_AT], size - 1):
            yield (first, *group)


def _times_met(one: Member, other: Member) -> int:
    return sum(other.user in met for met in one.met)


def _users(group: Sequence[Member]) -> tuple[UserId, ...]:
    return tuple(one.user for one in group)
