"""Requests to the drawing process and its answers: a line of JSON, then bytes."""

import json
import zlib
from dataclasses import asdict, dataclass
from typing import Any

from bot.watch.rounds.facts import ClosestDuel, RoundFacts, facts, most_dramatic
from bot.watch.rounds.in_play import UnknownGameError
from bot.watch.rounds.reading import one_round, rounds
from bot.watch.rounds.reading import read as lines_of


@dataclass(frozen=True, slots=True)
class WatchRequest:
    """A round to draw. `round` counts from 1; None stands for the most dramatic one.

    `log`: zlib-compressed, as it is stored; `names`: by seat. Without `wants_picture` only the
    facts are worked out.
    """

    log: bytes
    names: tuple[str, ...]
    round: int | None = None
    wants_picture: bool = True

    def written(self) -> bytes:
        head = [self.names, self.round, self.wants_picture]
        return json.dumps(head).encode() + b"\n" + self.log


@dataclass(frozen=True, slots=True)
class Watched:
    """The answer: the round that was drawn, and all rounds of the match.

    `span`: the ms of the round that the picture shows. `gif` is empty without a picture.
    """

    shown: RoundFacts
    rounds: tuple[RoundFacts, ...]
    span: tuple[int, int]
    gif: bytes = b""

    @property
    def is_excerpt(self) -> bool:
        return bool(self.gif) and self.span != (0, self.shown.lasted)

    def written(self) -> bytes:
        head = [self.shown.number, [asdict(one) for one in self.rounds], self.span]
        return json.dumps(head).encode() + b"\n" + self.gif


def answered(request: bytes) -> bytes:
    """Return the answer to a written request; empty if this match has nothing to watch.

    It has a game without a picture, or no such round. Uses CPU; a malformed log may raise anything.
    """
    head, _, log = request.partition(b"\n")
    names, number, wants_picture = json.loads(head)
    try:
        events = lines_of(zlib.decompress(log).decode())
        every = tuple(map(facts, rounds(events, moved=False)))
    except UnknownGameError:
        return b""
    if not every or (number is not None and not 1 <= number <= len(every)):
        return b""
    shown = most_dramatic(every) if number is None else every[number - 1]
    if not wants_picture:
        return Watched(shown, every, (0, shown.lasted)).written()
    from bot.watch.drawing.picture import picture  # noqa: PLC0415 only its own process draws

    made = picture(one_round(events, shown.number), names)
    return Watched(shown, every, made.span, made.gif).written()


def read(answer: bytes) -> Watched | None:
    """Read an answer; None if there is nothing to watch. Raises ValueError if it is cut off."""
    if not answer:
        return None
    head, _, gif = answer.partition(b"\n")
    number, every, span = json.loads(head)
    found = tuple(map(_facts, every))
    return Watched(found[number - 1], found, (span[0], span[1]), gif)


def _facts(written: dict[str, Any]) -> RoundFacts:
    closest = written["closest"]
    return RoundFacts(
        **{
            **written,
            "dealt": tuple(written["dealt"]),
            "scores": tuple(written["scores"]),
            "closest": ClosestDuel(**closest) if closest is not None else None,
        }
    )
