"""An interaction on its way from one group to another, and what a group does with such."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

import orjson

from bot.groups.entries import group_number, number

Payload: TypeAlias = dict[str, Any]
Entry: TypeAlias = dict[str, bytes | str]
Fields: TypeAlias = Mapping[bytes, bytes]
"""An entry of a stream as it is written, and as it is read."""


@dataclass(frozen=True, slots=True)
class HandedPress:
    """An interaction that another group may have to answer.

    `payload`: as the gateway sent it. `table`: whose press it is, in direct messages; None for any
    other interaction, which only goes to a group that is named. `arrived`: when it came from the
    gateway, in monotonic seconds of this process. `visited`: the groups that have had it.
    """

    payload: Payload
    table: int | None
    arrived: float
    visited: tuple[int, ...] = ()

    def after(self, group: int) -> "HandedPress":
        """Return it as it leaves a group."""
        return replace(self, visited=(*self.visited, group))


def fields(press: HandedPress, arrived: float) -> Entry:
    """Return a press as an entry of a stream. `arrived`: Unix seconds by Valkey's clock."""
    return {
        "payload": orjson.dumps(press.payload),
        "table": "" if press.table is None else str(press.table),
        "arrived": f"{arrived * 1000:.3f}",
        "hops": ",".join(map(str, press.visited)),
    }


def read(entry: Fields) -> tuple[HandedPress, float]:
    """Return the press of an entry, and when it arrived in Unix seconds by Valkey's clock.

    The press's own `arrived` is that until the reader puts its own clock's time in its place.
    Raises LookupError, ValueError, OverflowError or TypeError for an entry that is none.
    """
    arrived = float(entry[b"arrived"]) / 1000
    _ = number(arrived)
    visited = tuple(group_number(group) for group in entry[b"hops"].split(b",") if group)
    payload = orjson.loads(entry[b"payload"])
    _ = number(payload["id"])
    table = number(entry[b"table"]) if entry[b"table"] else None
    return HandedPress(payload, table, arrived, visited), arrived


class Here(Protocol):
    """The side of a group that takes presses which another group has handed over.

    `is_open`: whether a table is open here. `has_row`: whether this group's database knows it.
    `take`: read a press as if the gateway had brought it here. `answer_away`: say to the person
    that the group whose press it is can't be reached. `drop`: count one that came too late.
    """

    def is_open(self, table: int) -> bool: ...
    async def has_row(self, table: int) -> bool: ...
    def take(self, press: HandedPress) -> None: ...
    def answer_away(self, press: HandedPress) -> None: ...
    def drop(self) -> None: ...
