"""Questions about a person to other groups, and their answers."""

import logging
import secrets
from collections.abc import Awaitable, Callable, Collection
from enum import Enum, auto
from typing import Any, TypeAlias

from bot.clock import Clock
from bot.groups.away import ValkeyAwayError
from bot.groups.entries import Entries, group_number
from bot.groups.people.feed import Feed, News
from bot.groups.valkey import Valkey
from bot.ids import UserId
from bot.tasks import Spawn

log = logging.getLogger(__name__)

MOST = 1024 * 1024
"""Bytes of an answer: compressed, more than 20,000 matches of one person."""
KEPT = 60
"""Seconds for which answers wait for who asked."""


class Missing(Enum):
    """The reason why there is no answer."""

    SILENT = auto()
    TOO_LARGE = auto()


Answers: TypeAlias = dict[int, bytes | Missing]
_TOO_LARGE = b"-"
_WHOLE = b"+"


class Asking:
    """Ask groups, and answer them. `answers`: what answers each question, by its name."""

    def __init__(self, valkey: Valkey, feed: Feed, number: int, clock: Clock, spawn: Spawn) -> None:
        self._valkey = valkey
        self._feed = feed
        self._number = number
        self._entries = Entries("answers about people")
        self._clock = clock
        self._spawn = spawn
        self.answers: dict[str, Callable[[News], Awaitable[bytes]]] = {}
        feed.on("ask", self._asked)

    async def ask(
        self,
        what: str,
        user: UserId,
        groups: Collection[int],
        patience: float,
        **values: object,
    ) -> Answers:
        """Return each group's answer within so many seconds, SILENT where none came.

        `values`: what else belongs to the question, as JSON values. Groups that answer late, or
        while Valkey is away, have not answered.
        """
        number, until = secrets.token_hex(8), self._clock.now() + patience
        found: Answers = dict.fromkeys(groups, Missing.SILENT)
        left = set(groups)
        try:
            asked = {"id": number, "what": what, "user": user, "groups": [*groups]}
            await self._feed.tell("ask", **asked, **values)
            while left and (seconds := until - self._clock.now()) > 0:
                if (answer := await self._next(number, seconds)) is not None:
                    found |= dict([answer])
                    left.discard(answer[0])
        except (ValkeyAwayError, TimeoutError):
            pass
        return {group: found[group] for group in groups}

    async def _next(self, number: str, seconds: float) -> tuple[int, bytes | Missing] | None:
        """Return the next answer, or None if it can't be read.

        Raises ValkeyAwayError, and TimeoutError if none comes.
        """
        key = self._valkey.key("ask", number)
        answer: Any = await self._valkey.wait_for(
            lambda db: db.blpop([key], timeout=seconds), seconds
        )
        if answer is None:
            raise TimeoutError
        return self._entries.one(bytes(answer[1]), _read)

    async def _asked(self, news: News) -> None:
        if self._number in news["groups"] and news["what"] in self.answers:
            self._spawn(self._answer(news), name="answer to another group")

    async def _answer(self, news: News) -> None:
        """Answer. A failure is logged: who asked waits no longer than they would."""
        answer = await self.answers[news["what"]](news)
        kind, body = (_TOO_LARGE, b"") if len(answer) > MOST else (_WHOLE, answer)
        key = self._valkey.key("ask", news["id"])
        said = b"%s%d:%s" % (kind, self._number, body)
        try:
            await self._valkey.push(key, said, KEPT)
        except ValkeyAwayError:
            log.info("people: an answer to group %s did not arrive", news["from"])


def _read(answer: bytes) -> tuple[int, bytes | Missing]:
    head, _, body = answer.partition(b":")
    return group_number(head[1:]), Missing.TOO_LARGE if head[:1] == _TOO_LARGE else body
