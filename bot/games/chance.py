"""The first scheme of chance: all deals and rolls follow from a match's seed.

Chance is always an argument of a rule, so the same seed and the same moves lead to the same state,
today and after a restart.
"""

import hmac
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from bot.games.values import Seat

if TYPE_CHECKING:
    from hashlib import _Hash

T = TypeVar("T")
BLOCKS = 2**256
"""The number of values that a block can have."""


class Chance:
    """The only source of randomness in a game: HMAC-SHA256 of a label and a draw number.

    Anyone who knows the match's 32 byte seed can recompute every deal and roll (see
    `docs/chance.md`). The label is round and move here, 0 for the deal: the first scheme of chance,
    in which all seats draw from one stream. `bot.games.seat_streams` has the second.
    """

    def __init__(self, seed: bytes, *label: int | str) -> None:
        self._seed = seed
        self._label = "/".join(map(str, label))
        self._draws = 0

    def of(self, seat: Seat, time: int, die: int | None = None) -> "Chance":  # noqa: ARG002 one for all
        """Return the stream that a seat draws from; in this scheme, the one for all.

        `time` is 0 at the deal. Later it counts this seat's rolls in the round, or how often it has
        taken up its discard pile. `die`: one of its dice.
        """
        return self

    def shared_out(self, items: Sequence[T], counts: Sequence[int]) -> tuple[tuple[T, ...], ...]:
        """Shuffle the items and give each seat its count of them, in order, from the front."""
        bag = iter(self.shuffled(items))
        return tuple(tuple(islice(bag, count)) for count in counts)

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1, each equally likely."""
        limit = BLOCKS - BLOCKS % bound
        while (block := self._block()) >= limit:
            pass
        return block % bound

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def fraction(self) -> float:
        """Return a number from 0 up to, not including, 1."""
        return self.below(2**53) / 2**53

    def _block(self) -> int:
        inner, outer = _keyed(self._seed)
        inner, outer = inner.copy(), outer.copy()
        inner.update(f"{self._label}/{self._draws}".encode())
        outer.update(inner.digest())
        self._draws += 1
        return int.from_bytes(outer.digest())


@lru_cache(maxsize=64)
def _keyed(seed: bytes) -> tuple["_Hash", "_Hash"]:
    """Return HMAC's inner and outer hash of a seed of up to 64 bytes, ready for a message.

    RFC 2104. `hmac.digest` would make both for each draw, which takes three times as long.
    """
    key = seed.ljust(64, b"\0")
    return sha256(key.translate(hmac.trans_36)), sha256(key.translate(hmac.trans_5C))
