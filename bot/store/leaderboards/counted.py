"""Lists whose keys are counted in ranges: how many come before a key, and which is at a line.

Both take as many steps in a long list as in a short one: each level of the table `counts` has 128
ranges at most within one of the level above. Triggers keep it. What is read takes several
statements: a match that is written in between may shift the result by a line.
"""

from itertools import pairwise

import aiosqlite

from bot.store.database.query import first, rows

_PLACES = (55, 48, 41, 34, 28, 21, 14, 7)
SHIFTS = {
    "rating": _PLACES,
    "points": _PLACES,
    "wins": _PLACES,
    "match": (28, 21, 14, 7),
}
"""By kind of list: a level counts ranges of 2^shift keys. As in the table `count_shifts`."""
_LEAST, _MOST = -(2**63), 2**63 - 1
TOTAL = "SELECT coalesce(sum(n), 0) FROM counts WHERE kind = ? AND list = ? AND shift = ?"
BEFORE = """
    SELECT coalesce(sum(c.n), 0) FROM json_each(?) v CROSS JOIN counts c
    WHERE c.kind = ? AND c.list = ? AND c.shift = v.value ->> 0
      AND c.bucket >= v.value ->> 1 AND c.bucket < v.value ->> 2
"""
WITHIN = """
    SELECT bucket, n FROM counts
    WHERE kind = ? AND list = ? AND shift = ? AND bucket >= ? AND bucket <= ? ORDER BY bucket
"""


async def total(db: aiosqlite.Connection, kind: str, of: int) -> int:
    """Return how many keys a list has. `of`: the list's id, a leaderboard or a server."""
    row = await first(db, TOTAL, (kind, of, SHIFTS[kind][0]))
    assert row is not None
    return int(row[0])


async def before(db: aiosqlite.Connection, kind: str, of: int, key: int) -> int:
    """Return how many keys of a list are less than `key`, which must begin a range."""
    least, ranges = _LEAST, []
    for shift in SHIFTS[kind]:
        ranges.append([shift, least if least == _LEAST else least >> shift, key >> shift])
        least = key >> shift << shift
        if least == key:
            break
    assert least == key, (kind, key)
    text = str([one for one in ranges if one[1] < one[2]])
    row = await first(db, BEFORE, (text, kind, of))
    assert row is not None
    return int(row[0])


async def at(db: aiosqlite.Connection, kind: str, of: int, line: int) -> tuple[int, int]:
    """Return the first key of the range that holds a line, and which line of the range it is.

    Lines count from 0. One past the end is in the last range. The list must not be empty.
    """
    least, most = _LEAST, _MOST
    for shift, lower in pairwise((*SHIFTS[kind], 0)):
        bucket = least
        for bucket, n in await rows(db, WITHIN, (kind, of, shift, least, most)):  # noqa: B007 the last one is meant
            if line < n:
                break
            line -= n
        least, most = bucket << shift - lower, (bucket + 1 << shift - lower) - 1
    return least, line
