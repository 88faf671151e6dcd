"""The turns to call Discord as the bot itself that all groups share, given by Valkey."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.groups.valkey import Valkey

GAP = 50
"""Milliseconds between two turns: 20 a second, beside the floors of all groups (PLATFORM 2)."""
SLACK = 5 * GAP
"""Milliseconds by which a turn may come early after a pause: six go at once."""
FIRST = 5_000
"""Milliseconds until the first turn of an empty server. By then every turn is over that was given
by the server before it: 90 turns take so long, and each group waits for one, or for a few when it
is in a hurry.
"""
FURTHEST = 120_000
"""Milliseconds that a turn can be off. What is further off was written before the server's clock
was set back.
"""
TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local gap, slack, first, furthest = unpack(ARGV)
local turn = tonumber(redis.call('GET', KEYS[1]))
if not turn or turn > now + furthest then turn = now + first end
turn = math.max(turn, now)
redis.call('SET', KEYS[1], string.format('%.0f', turn + gap))
return turn - slack - now
"""
"""Take the next turns (GCRA). The key holds the time of the next turn if none is early, in
milliseconds of the server's clock. Returns the milliseconds until the first of them may be used,
below 0 if that time has passed.

Arguments: the gap to the turn after these, SLACK, FIRST and FURTHEST. In L seconds at most
(L + SLACK) / GAP turns come, rounded up, whoever takes them: at least GAP is added for each. A step
forward of the server's clock gives SLACK once more.
"""


class ValkeyTurns:
    """Implements `SharedTurns` of `bot.ui.limits.shared.grouped`."""

    def __init__(self, valkey: "Valkey") -> None:
        self._valkey = valkey
        self._key = valkey.key("edits")

    async def next(self, factor: float, count: int) -> list[float]:
        gap = round(GAP / factor)
        given = (gap * count, SLACK, FIRST, FURTHEST)
        wait = int(await self._valkey.ask(lambda db: db.eval(TAKE, 1, self._key, *given)))
        return [max(0, wait + number * gap) / 1000 for number in range(count)]
