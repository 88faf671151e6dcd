"""The time at which each panel's last word is due: pure values.

A token dies 15 minutes after its press, and its last edit says how to wake the panel. When many die
together, each gets its last edit in time at the pace of its channel, the earliest death first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from bot.ids import ChannelId
from bot.tables.state.message_refs import TOKEN_LIFE
from bot.ui.connection.token_life import LAST_EDIT_AFTER

SPARE = 30.0
"""Seconds of a token's life left when its last edit goes out, so that it can be tried again."""
EARLY = TOKEN_LIFE - LAST_EDIT_AFTER
"""Seconds of a token's life left when its last edit goes out, unless the pace asks for earlier."""


@dataclass(frozen=True, slots=True)
class DyingToken:
    """A token of a panel that dies after `left` seconds.

    `gap`: seconds between two calls of its channel.
    """

    left: float
    channel: ChannelId
    gap: float


def starts(endings: Sequence[DyingToken], gap: float) -> list[float]:
    """Return the seconds after which each has to begin, in the order of `endings`.

    `gap`: seconds between two calls of the whole bot.

    Within a channel they begin in the order in which they die. A channel that needs long makes no
    other begin earlier.
    """
    found = [0.0] * len(endings)
    latest: dict[int, float] = {}
    for place in sorted(range(len(endings)), key=lambda one: endings[one].left, reverse=True):
        one = endings[place]
        found[place] = min(one.left - SPARE, latest.get(one.channel, inf) - one.gap)
        latest[one.channel] = found[place]
    everywhere = inf
    for place in sorted(range(len(endings)), key=found.__getitem__, reverse=True):
        everywhere = found[place] = min(found[place], everywhere - gap)
    return [min(start, one.left - EARLY) for start, one in zip(found, endings, strict=True)]
