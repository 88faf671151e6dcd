"""The interface through which `/privacy` reaches all parts of the bot."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from bot.ids import UserId


class Why(Enum):
    """The reason why a part of the bot is not in an export, or has not deleted anything yet.

    The value ends the key of its words.
    """

    AWAY = "away"
    """It can't be reached."""
    LARGE = "large"
    """Its part of an export is larger than what is sent from one part to another."""
    PLAYING = "playing"
    """The person plays at a table there."""
    NEWER = "newer"
    """They have played there since they asked."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bot. `shards`: as in the settings, `2-3`; `servers`: their number, if known."""

    shards: str
    servers: int | None = None


@dataclass(frozen=True, slots=True)
class Export:
    """Everything stored about a person. `parts` is empty if the bot is one process.

    `own`: in this process. `missing`: the parts that aren't in it.
    """

    own: Mapping[str, Any]
    parts: Mapping[Part, Mapping[str, Any]] = field(default_factory=dict)
    missing: Mapping[Part, Why] = field(default_factory=dict)


class Everywhere(Protocol):
    """All parts of the bot. `takes_time`: other processes are asked, so answers are deferred."""

    takes_time: bool

    async def export(self, user: UserId) -> Export: ...
    async def playing(self, user: UserId) -> tuple[str, ...]:
        """Return links to open tables where somebody has a seat, as far as parts can be asked."""

    async def forget(self, user: UserId) -> Mapping[Part, Why]:
        """Have somebody deleted. Return the parts in which that isn't done yet: it will be."""

    async def left(self, user: UserId) -> Mapping[Part, Why]:
        """Return the parts in which somebody's deletion isn't done yet."""
